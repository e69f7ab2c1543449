"""Redundant tests of a recorded suite, under each of the five representations.

Invariant: a test is redundant only if every one of its executions is equivalent to one of an
earlier test that stays, so dropping all redundant tests at once loses no execution.  A
test that failed, executed nothing of the subjects, or was handed an object by them whose behaviour
is not recorded, is not judged.

Source: ROSTRA, "Redundant Test Cases Defined"; *differs*: an input that was seen to give different
results is equivalent to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from unitcraft.suite.recording.recordings import (
    REPRESENTATIONS,
    Assumption,
    ExecutionRow,
    RecordedTest,
    Recording,
    Representation,
)


@dataclass(frozen=True, slots=True)
class RedundantTest:
    """A test whose executions the tests ``by`` (earlier, kept) exercise already."""

    test: RecordedTest
    by: tuple[RecordedTest, ...]


def redundant_tests(
    recording: Recording, representation: Representation
) -> tuple[RedundantTest, ...]:
    """The redundant tests in the order of the suite, each judged against those before it."""
    name = ExecutionRow._fields[1 + REPRESENTATIONS.index(representation)]
    erratic = erratic_inputs(recording)
    keys_of: dict[int, frozenset[int]] = {}
    owners: dict[int, list[int]] = {}
    found: list[RedundantTest] = []
    for place, test in enumerate(recording.tests):
        if test.verdict != "passed" or test.first == test.last:
            continue
        states = recording.column("whole_state", test.first, test.last)
        keys = recording.column(name, test.first, test.last)
        rows = dict.fromkeys(zip(keys, states, strict=True))
        comparable = dict.fromkeys(key for key, state in rows if key and state not in erratic)
        is_judged = not test.is_foreign and all(key and state not in erratic for key, state in rows)
        if is_judged and all(key in owners for key in comparable):
            by = _few_owners(comparable, owners, keys_of)
            found.append(RedundantTest(test, tuple(recording.tests[one] for one in by)))
            continue
        keys_of[place] = frozenset(comparable)
        for key in comparable:
            owners.setdefault(key, []).append(place)
    return tuple(found)


def _few_owners(
    keys: Iterable[int], owners: Mapping[int, Sequence[int]], keys_of: Mapping[int, frozenset[int]]
) -> list[int]:
    """Few tests that have all ``keys`` between them, in their order: what a person would compare.

    The key that the fewest tests have decides first: of these the one with most of the keys is
    taken, the earliest of several.
    """
    left, chosen = dict.fromkeys(keys), []
    while left:
        rarest = min(left, key=lambda key: len(owners[key]))
        best = max(owners[rarest], key=lambda place: len(left.keys() & keys_of[place]))
        chosen.append(best)
        left = {key: None for key in left if key not in keys_of[best]}
    return sorted(chosen)


def erratic_inputs(recording: Recording) -> frozenset[int]:
    """The WholeState inputs that were seen to give different exit states or outcomes."""
    results: dict[int, tuple[int, int]] = {}
    erratic: set[int] = set()
    for row in recording.rows():
        key, result = row.whole_state, (row.exit, row.outcome)
        if key and results.setdefault(key, result) != result:
            erratic.add(key)
    return frozenset(erratic)


def broken_assumptions(recording: Recording) -> tuple[Assumption, ...]:
    """The Assumptions that do not hold, by the recorder or by the executions, each Invocable once.

    Not repeatable: equal inputs gave different results.  Disagreeing ``==``: inputs that it calls
    equal gave different outcomes, though each state repeats its own.
    """
    found = dict.fromkeys(recording.assumptions)
    erratic = erratic_inputs(recording)
    outcomes: dict[int, int] = {}
    for row in recording.rows():
        site, key = recording.invocables[row.invocable], row.pairwise_equals
        if row.whole_state in erratic:
            found[Assumption("not-repeatable", site, "equal inputs, different results")] = None
        elif key and outcomes.setdefault(key, row.outcome) != row.outcome:
            found[Assumption("eq-disagrees", site, "differs for states that == calls equal")] = None
    return tuple(found)
