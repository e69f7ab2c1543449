"""Figures of a recorded suite, and a prediction of the representation that pays off for it.

Invariant: figures are counted, never estimated; only the prediction looks at a part of the tests.

Source: ROSTRA, "Applications" (assessment) and "Redundancy Prediction".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from unitcraft.suite.existing.prioritise import inputs_of
from unitcraft.suite.existing.redundancy import redundant_tests
from unitcraft.suite.recording.cover import SuiteCoverage
from unitcraft.suite.recording.recordings import (
    REPRESENTATIONS,
    WIDTH,
    RecordedTest,
    Recording,
    Representation,
)

#: Column of the exit state in an execution's row.
_EXIT: Final = 6

#: The share from which on a property of the methods counts in the prediction.
NOTABLE: Final = 0.05

#: The prediction reads one test out of this many.
SAMPLE_STEP: Final = 5
#: Tests that it reads at least: smaller suites are read whole.
MIN_SAMPLE: Final = 20


@dataclass(frozen=True, slots=True)
class Assessment:
    """The figures of a suite.

    ``executions`` counts calls; ``inputs`` the different ones, ``redundant`` the tests without a
    new one, both by representation; ``states`` the different exit states.  ``seconds`` is wall time
    of the recorded run, ``plain_seconds`` of one that is not recorded.
    """

    tests: int
    passed: int
    executions: int
    states: int
    branches: int
    all_branches: int
    inputs: dict[Representation, int]
    redundant: dict[Representation, int]
    seconds: float
    plain_seconds: float


def assess_suite(recording: Recording, covered: SuiteCoverage, plain_seconds: float) -> Assessment:
    """The figures of a suite that takes ``plain_seconds`` when it is not recorded."""
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
        recording.seconds,
        plain_seconds,
    )


def _inputs(
    recording: Recording, tests: tuple[RecordedTest, ...], name: Representation
) -> frozenset[int]:
    return frozenset[int]().union(*(inputs_of(recording, test, name) for test in tests))


@dataclass(frozen=True, slots=True)
class Prediction:
    """Which representation pays off, and why.

    Shares of the different inputs in a sample of the tests: those that only calls which change
    nothing tell apart; of the others those that only the way to their state tells apart; of the
    rest those that differ only where ``==`` does not look.  Each is also the share that the next
    technique is expected to take of the tests which the one before it leaves.
    ``representation`` is the most generous one that is expected to add to those before it.
    """

    preserving: float
    returning: float
    irrelevant: float
    representation: Representation
    sampled: int


def predict_representation(recording: Recording) -> Prediction:
    """Which representation pays off, from a sample of the tests.

    State-preserving methods speak for ModifyingSeq, methods that lead back to known states for
    WholeState, fields that ``==`` ignores for MonitorEquals.
    """
    step = SAMPLE_STEP if len(recording.tests) >= SAMPLE_STEP * MIN_SAMPLE else 1
    sample = recording.tests[::step]
    counts = [len(_inputs(recording, sample, name)) for name in REPRESENTATIONS[:4]]
    shares = [1 - after / before if before else 0.0 for before, after in pairwise(counts)]
    chosen = REPRESENTATIONS[0]
    for name, share in zip(REPRESENTATIONS[1:], shares, strict=False):
        if share >= NOTABLE:
            chosen = name
    preserving, returning, irrelevant = shares
    return Prediction(preserving, returning, irrelevant, chosen, len(sample))
