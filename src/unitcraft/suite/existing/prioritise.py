"""Test prioritisation: an order in which each test adds most to the tests before it.

Invariant: gains only shrink while tests are placed, so a gain computed earlier is an upper bound,
and a heap finds the greatest gain without recomputing all of them.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

from unitcraft.suite.recording.cover import SuiteCoverage
from unitcraft.suite.recording.recordings import (
    REPRESENTATIONS,
    WIDTH,
    RecordedTest,
    Recording,
    Representation,
)


@dataclass(frozen=True, slots=True)
class RankedTest:
    """A test with the number of branches and executions that it adds to the tests before it."""

    test: RecordedTest
    branches: int
    executions: int


def inputs_of(
    recording: Recording, test: RecordedTest, representation: Representation
) -> frozenset[int]:
    """The different inputs of a test's executions, as numbers of digests."""
    column = 1 + REPRESENTATIONS.index(representation)
    rows = range(test.first * WIDTH, test.last * WIDTH, WIDTH)
    return frozenset(recording.numbers[at + column] for at in rows) - {0}


def prioritise_tests(
    recording: Recording,
    covered: SuiteCoverage,
    representation: Representation = "WholeState",
) -> tuple[RankedTest, ...]:
    """The tests by the branches, then by the executions that they add; ties in suite order."""
    tests = recording.tests
    own = [(covered.of([test.node]), inputs_of(recording, test, representation)) for test in tests]
    taken: set[int] = set()
    exercised: set[int] = set()
    heap = [(-len(arcs), -len(keys), number) for number, (arcs, keys) in enumerate(own)]
    heapq.heapify(heap)
    order = []
    while heap:
        branches, executions, number = heapq.heappop(heap)
        arcs, keys = own[number]
        gain = (-len(arcs - taken), -len(keys - exercised))
        if gain != (branches, executions):
            heapq.heappush(heap, (*gain, number))
            continue
        taken |= arcs
        exercised |= keys
        order.append(RankedTest(tests[number], -branches, -executions))
    return tuple(order)
