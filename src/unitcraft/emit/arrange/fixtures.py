"""The fixtures of pytest that a test asks for by the names of its parameters.

Invariant: a test asks for a fixture exactly when a line of it uses the fixture.
"""

from __future__ import annotations

from collections.abc import Iterator

from unitcraft.core.sequences import Arg, Call, TempPath, arguments, children
from unitcraft.emit.code.call_code import CAPTURE, LOG, PATCHES, SET_LEVEL
from unitcraft.emit.code.literal_code import FOLDER
from unitcraft.suite.tests import Test


def fixtures_of(test: Test) -> tuple[str, ...]:
    """The fixtures that the text of ``test`` uses, in alphabetical order."""
    observers = [check.observed for check in test.checks if isinstance(check.observed, Call)]
    outputs = {call.name for call in observers if call.kind == "output"}
    set_by = {call.name for call in test.sequence.calls if call.kind == "arrange"}
    found = [LOG] if "messages" in outputs or SET_LEVEL in set_by else []
    found += [CAPTURE] if outputs - {"messages"} else []
    found += [PATCHES] if set_by - {SET_LEVEL} else []
    return (*found, *([FOLDER] if any(paths_of(test)) else []))


def paths_of(test: Test) -> Iterator[TempPath]:
    """Every path of the test's own folder in ``test``, in the order of its lines, with repeats."""
    for call in test.sequence.calls:
        yield from _paths_in(arguments(call))
    for check in test.checks:
        if isinstance(check.observed, Call):
            yield from _paths_in(arguments(check.observed))
        yield from _paths_in((check.expected,))


def _paths_in(args: tuple[Arg, ...]) -> Iterator[TempPath]:
    for arg in args:
        if isinstance(arg, TempPath):
            yield arg
        else:
            yield from _paths_in(children(arg))
