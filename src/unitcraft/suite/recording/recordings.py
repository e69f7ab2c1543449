"""A Recording: which method executions each test of a suite performed, as digests.

Invariant: a Recording holds plain values only.  Two executions with the same digest under a
Representation had equivalent inputs; the digest None is unlike every other, itself included.
From WholeSeq to PairwiseEquals each Representation is coarser than the one before: executions
that are equivalent under one are equivalent under all that follow.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

Representation = Literal[
    "WholeSeq", "ModifyingSeq", "WholeState", "MonitorEquals", "PairwiseEquals"
]

#: The five techniques, finest first.  Source: ROSTRA, "Five State-Representation Techniques".
REPRESENTATIONS: Final[tuple[Representation, ...]] = (
    "WholeSeq",
    "ModifyingSeq",
    "WholeState",
    "MonitorEquals",
    "PairwiseEquals",
)

Verdict = Literal["passed", "failed", "skipped", "died"]

#: The ways in which an assumption of the representations was observed to fail.
AssumptionKind = Literal[
    "no-eq",
    "eq-fails",
    "eq-disagrees",
    "argument-changed",
    "not-repeatable",
    "unreadable",
    "costly",
]


class ExecutionRow(NamedTuple):
    """One method execution as numbers: of the Invocable, and of digests (0: None).

    The five inputs stand in the order of ``REPRESENTATIONS``.
    """

    invocable: int
    whole_seq: int
    modifying_seq: int
    whole_state: int
    monitor_equals: int
    pairwise_equals: int
    exit: int
    outcome: int


#: Numbers of one execution.
WIDTH: Final = len(ExecutionRow._fields)

#: Bytes of the number of the site, which begins the row of an execution in a frame.
SITE_BYTES: Final = 4
#: The digest in a row that stands for None.
UNLIKE: Final = bytes(16)


@dataclass(frozen=True, slots=True)
class MethodExecution:
    """One method execution: ``invocable`` with entry state and arguments, exit state and outcome.

    ``inputs`` has a digest for each Representation, in the order of ``REPRESENTATIONS``.  ``exit``
    is the state of receiver and arguments afterwards, ``outcome`` what was returned or raised;
    None where it cannot be read.
    """

    invocable: str
    inputs: tuple[bytes | None, ...]
    exit: bytes | None
    outcome: bytes | None


@dataclass(frozen=True, slots=True)
class TestLocation:
    """The location of a test: the file and the first line of its function, decorators included.

    ``rows`` has the name of each of its parameters with the number of the row that it took.
    """

    file: str
    line: int
    rows: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect of a test: an audit event, its argument, and ``file:line``."""

    event: str
    argument: str
    where: str
    was_refused: bool


@dataclass(frozen=True, slots=True)
class RecordedTest:
    """One test by pytest's node id; its executions are those from ``first`` up to ``last``.

    ``seconds`` is wall time under recording, set-up and tear-down included.  ``calls`` counts
    every execution, ``last - first`` the different ones.  ``is_foreign``: the subjects handed it
    an object whose own behaviour is not recorded, so it may test more than its executions show.
    ``place`` is None for a test that no function stands for (a doctest).
    """

    node: str
    verdict: Verdict
    seconds: float
    first: int
    last: int
    calls: int
    is_foreign: bool = False
    place: TestLocation | None = None
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumption of a representation that ``subject`` (a class or Invocable id) breaks."""

    kind: AssumptionKind
    subject: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """A suite as it ran: tests in their order, executions in the order of their first occurrence.

    ``numbers`` holds an ``ExecutionRow`` for each execution: an index into ``invocables``, then
    indexes into ``digests``.  ``problems`` are tests or files that could not be collected
    or run; ``deselected`` the places of tests that were collected and not run.
    """

    tests: tuple[RecordedTest, ...]
    invocables: tuple[str, ...]
    digests: tuple[bytes | None, ...]
    numbers: array[int]
    assumptions: tuple[Assumption, ...] = ()
    problems: tuple[str, ...] = ()
    seconds: float = 0.0
    deselected: tuple[TestLocation, ...] = ()

    def __len__(self) -> int:
        return len(self.numbers) // WIDTH

    def execution(self, index: int) -> MethodExecution:
        """Execution number ``index`` of the suite."""
        site, *inputs, after, outcome = self.numbers[index * WIDTH : (index + 1) * WIDTH]
        digests = self.digests
        return MethodExecution(
            self.invocables[site],
            tuple([digests[number] for number in inputs]),
            digests[after],
            digests[outcome],
        )

    def rows(self) -> Iterator[ExecutionRow]:
        """All executions as numbers."""
        numbers = iter(self.numbers)
        return map(ExecutionRow._make, zip(*[numbers] * WIDTH, strict=True))

    def column(self, name: str, first: int, last: int) -> array[int]:
        """The field ``name`` of the rows from number ``first`` up to ``last``."""
        return self.numbers[first * WIDTH + ExecutionRow._fields.index(name) : last * WIDTH : WIDTH]

    def executions(self, test: RecordedTest) -> Iterator[MethodExecution]:
        """The different executions of one test."""
        return map(self.execution, range(test.first, test.last))
