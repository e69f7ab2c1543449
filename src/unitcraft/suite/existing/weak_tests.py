"""Weak tests: without an assertion, with one that cannot fail, or killing no mutant.

Invariant: a test whose function cannot be read is not judged.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from unitcraft.core import rule_codes
from unitcraft.core.events import Finding
from unitcraft.suite.existing.assertion_finder import assertions, empty_assertions
from unitcraft.suite.existing.suite_sources import source_of
from unitcraft.suite.recording.recordings import RecordedTest, Recording


def weak_tests(recording: Recording, killed: Mapping[str, int] | None = None) -> Iterator[Finding]:
    """The findings in the order of the suite, each function once.

    ``killed`` has the number of mutants that each node id kills, where that is known.
    """
    seen: set[tuple[str, int]] = set()
    for test in recording.tests:
        if test.verdict == "skipped" or test.place is None:
            continue
        if killed is not None and killed.get(test.node) == 0:
            yield Finding(rule_codes.KILLS_NOTHING, test.node, "kills no mutant that it reaches")
        place = (test.place.file, test.place.line)
        if place not in seen:
            seen.add(place)
            yield from _assertion_findings(recording, test, *place)


def _assertion_findings(
    recording: Recording, test: RecordedTest, file: str, line: int
) -> Iterator[Finding]:
    source = source_of(file)
    definition = source.definitions.get(line)
    if definition is None:
        return
    if not assertions(definition, source):
        yield Finding(rule_codes.NO_ASSERTION, test.node, "asserts nothing", f"{file}:{line}")
    executed = frozenset(one.invocable for one in recording.executions(test))
    for node in empty_assertions(definition, executed):
        words = ast.unparse(node).partition("\n")[0]
        where = f"{file}:{getattr(node, 'lineno', line)}"
        yield Finding(rule_codes.EMPTY_ASSERTION, test.node, f"cannot fail: {words}", where)
