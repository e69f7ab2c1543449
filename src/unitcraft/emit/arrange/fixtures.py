"""The fixtures of pytest that a test asks for by the names of its parameters.

Invariant: a test asks for a fixture exactly when a line of it uses the fixture.
"""

from __future__ import annotations

from unitcraft.core.sequences import Call
from unitcraft.emit.code.call_code import CAPTURE
from unitcraft.suite.tests import Test


def fixtures_of(test: Test) -> tuple[str, ...]:
    """The fixtures that the text of ``test`` uses, in alphabetical order."""
    observers = [check.observed for check in test.checks if isinstance(check.observed, Call)]
    return (CAPTURE,) if any(call.kind == "output" for call in observers) else ()
