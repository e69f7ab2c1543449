"""Figures of a recorded suite, and which representation is likely to pay off for it.

Invariant: figures are counted, never estimated; only the prediction looks at a part of the tests.

Source: ROSTRA, "Applications" (assessment) and "Redundancy Prediction".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from unitcraft.suite.prioritise import inputs_of
from unitcraft.suite.recording.covering import Covered
from unitcraft.suite.recording.model import (
    REPRESENTATIONS,
    WIDTH,
    RecordedTest,
    Recording,
    Representation,
)
from unitcraft.suite.redundancy import redundant_tests

#: Column of the exit state in an execution's row.
_EXIT: Final = 6

#: A share from which on a property of the methods is expected to show.
NOTABLE: Final = 0.05

#: The prediction reads one test in so many, and at least this many.
ONE_IN: Final = 5
FEWEST: Final = 20


@dataclass(frozen=True, slots=True)
class Assessment:
    """The figures of a suite.

    ``executions`` counts calls; ``inputs`` the different ones, ``redundant`` the tests without a
    new one, both by representation; ``states`` the different exit states.
    """

    tests: int
    passed: int
    executions: int
    states: int
    branches: int
    all_branches: int
    inputs: dict[Representation, int]
    redundant: dict[Representation, int]


def assessed(recording: Recording, covered: Covered) -> Assessment:
    """The figures of a suite."""
    inputs = {name: frozenset[int]() for name in REPRESENTATIONS}
    for name in REPRESENTATIONS:
        inputs[name] = _inputs(recording, recording.tests, name)
    exits = recording.numbers[_EXIT::WIDTH]
    return Assessment(
        len(recording.tests),
        sum(test.verdict == "passed" for test in recording.tests),
        sum(test.calls for test in recording.tests),
        len(set(exits) - {0}),
        len(covered.of(covered.by_test)),
        len(covered.taken) + covered.missing,
        {name: len(found) for name, found in inputs.items()},
        {name: len(redundant_tests(recording, name)) for name in REPRESENTATIONS},
    )


def _inputs(
    recording: Recording, tests: tuple[RecordedTest, ...], name: Representation
) -> frozenset[int]:
    return frozenset[int]().union(*(inputs_of(recording, test, name) for test in tests))


@dataclass(frozen=True, slots=True)
class Prediction:
    """Which representation pays off, and why.

    Shares of the sampled executions: those that keep their receiver as it is, those of the others
    that lead to a state seen before, and inputs that differ only where ``==`` does not look.
    ``representation`` is the strictest one that is expected to find nearly all that can be found.
    """

    preserving: float
    returning: float
    irrelevant: float
    representation: Representation
    sampled: int


def predicted(recording: Recording) -> Prediction:
    """Which representation pays off, from a sample of the tests.

    State-preserving methods speak for ModifyingSeq, methods that lead back to known states for
    WholeState, fields that ``==`` ignores for MonitorEquals.
    """
    step = ONE_IN if len(recording.tests) >= ONE_IN * FEWEST else 1
    sample = recording.tests[::step]
    unchanged, seen, new = (sum(test.changes[at] for test in sample) for at in range(3))
    whole = len(_inputs(recording, sample, "WholeState"))
    relevant = len(_inputs(recording, sample, "MonitorEquals"))
    preserving = _share(unchanged, unchanged + seen + new)
    returning = _share(seen, seen + new)
    irrelevant = _share(whole - relevant, whole)
    chosen: Representation = "WholeSeq"
    if preserving >= NOTABLE:
        chosen = "ModifyingSeq"
    if returning >= NOTABLE:
        chosen = "WholeState"
    if irrelevant >= NOTABLE:
        chosen = "MonitorEquals"
    return Prediction(preserving, returning, irrelevant, chosen, len(sample))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
