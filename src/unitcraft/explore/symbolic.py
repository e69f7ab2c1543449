"""Symbolic exploration: method sequences on symbolic arguments, states pruned by subsumption.

Invariant: a state is a path of Calls with inputs that satisfy its condition; guarded workers
replay it from the constructor.  A test is one feasible path of one method on one state.

Source: SYMSTRA, "Exploring Symbolic States" and "Pruning Symbolic State", as published; states
are replayed instead of kept, and paths are found by running and turning branches instead of
by forking the execution.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.outcomes import Rejected
from unitcraft.explore.loop import Step
from unitcraft.explore.paths import Met, PathCounts, Paths
from unitcraft.state.symbolic import SymbolicState

if TYPE_CHECKING:
    from unitcraft.core.wire import Plain
    from unitcraft.execute.pool import Pool
    from unitcraft.execute.spec import Reply
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms import Constraint, Kind
    from unitcraft.symbolic.tree import Node

#: (State, action) pairs whose paths are explored together, so that batches are full.
_CHUNK: Final = 1024


@dataclass(frozen=True, slots=True)
class Action:
    """A Call with holes: ``packed(first)`` numbers its inputs from ``first`` on."""

    name: str
    encoded: Plain
    kinds: tuple[Kind, ...]
    start: tuple[Any, ...]

    def packed(self, first: int) -> bytes:
        """The marshalled Call whose inputs are number ``first`` and those after it."""
        return marshal.dumps(_renumbered(self.encoded, first), 2)


def _renumbered(plain: Plain, first: int) -> Plain:
    if type(plain) is not tuple:
        return plain
    if len(plain) == 2 and plain[0] == "x" and type(plain[1]) is int:  # noqa: PLR2004
        return ("x", plain[1] + first)
    return tuple([_renumbered(part, first) for part in plain])


@dataclass(frozen=True, slots=True)
class Route:
    """How a state is reached: the actions after the constructor, and their packed Calls."""

    actions: tuple[int, ...]
    calls: tuple[bytes, ...]


State = SymbolicState[Route]


@dataclass(frozen=True, slots=True)
class SymbolicTask:
    """What to explore: the Call that makes the receiver (without inputs), and the methods."""

    target: str
    constructor: Plain
    actions: tuple[Action, ...]


@dataclass(slots=True)
class _Job:
    """The paths of one action on one state."""

    state: State
    action: int
    calls: tuple[bytes, ...]
    known: bytes
    paths: Paths


class Symbolic:
    """The state space of a SymbolicTask.

    ``shuffled``: take methods in an order drawn from this seed; the counts do not depend on it.
    """

    def __init__(
        self, task: SymbolicTask, pool: Pool, solver: Solver, *, shuffled: int | None = None,
        most_paths: int = 10_000,
    ) -> None:  # fmt: skip
        self._task = task
        self._pool = pool
        self._solver = solver
        self._most = most_paths
        self._random = Random(shuffled) if shuffled is not None else None  # noqa: S311
        self.counts = PathCounts()
        self.blocked: dict[str, int] = {}

    def initial(self) -> Iterable[State]:
        """The state after the constructor.  Raises UnitcraftError when it fails."""
        constructor = marshal.dumps(self._task.constructor, 2)
        reply = self._pool.one("reach", ((constructor,), (), b""))
        self._check(reply)
        if reply.failure is not None or not reply.value[4]:
            raise UnitcraftError(
                "constructor-failed",
                f"{self._task.target}: the constructor made no object to explore",
                cause=f"it raised {reply.value[0]}" if reply.value else "it did not end",
                advice="explore a class whose constructor works with the arguments given",
            )
        _, _, events, _, shape, slots = reply.value
        yield SymbolicState(shape, slots, events, (), Route((), (constructor,)), ())

    def actions(self, state: State) -> Sequence[int]:
        """All methods, whatever the state."""
        del state
        order = list(range(len(self._task.actions)))
        if self._random is not None:
            self._random.shuffle(order)
        return order

    def steps(self, work: Iterable[tuple[State, int]]) -> Iterator[Step[State, int]]:
        """The feasible paths of each of ``work``."""
        waiting = iter(work)
        while chunk := list(islice(waiting, _CHUNK)):
            jobs = [self._job(state, action) for state, action in chunk]
            self._explore(jobs)
            for job in jobs:
                for met in job.paths.met:
                    yield self._step(job, met)

    def _job(self, state: State, number: int) -> _Job:
        action = self._task.actions[number]
        paths = Paths(
            self._solver, (*state.kinds, *action.kinds), (*state.values, *action.start),
            state.condition, most=self._most, counts=self.counts,
        )  # fmt: skip
        calls = (*state.payload.calls, action.packed(len(state.kinds)))
        return _Job(state, number, calls, bytes([one[1] for one in state.condition]), paths)

    def _explore(self, jobs: list[_Job]) -> None:
        """Run and solve in rounds, the inputs of all jobs together, until none is left."""
        while True:
            runs = [(job, values, leaf) for job in jobs for values, leaf in job.paths.take()]
            if not runs:
                return
            items = [(job.calls, values, job.known) for job, values, _ in runs]
            for (job, values, leaf), reply in zip(
                runs, self._pool.map("reach", items), strict=True
            ):
                self._give(job, values, leaf, reply)

    def _give(self, job: _Job, values: tuple[Any, ...], leaf: Node | None, reply: Reply) -> None:
        self._check(reply)
        if reply.failure is not None:
            reason = _reason(reply.failure)
            self.blocked[reason] = self.blocked.get(reason, 0) + 1
            job.paths.lost(leaf, reason)
        elif not reply.value[1]:
            job.paths.lost(leaf, "diverged")
        else:
            job.paths.give(Met(reply.value[2], reply.value[3], values, reply.value), leaf)

    def _step(self, job: _Job, met: Met) -> Step[State, int]:
        outcome, _, events, whole, shape, slots = met.answer
        if not whole:
            return Step(job.state, job.action, outcome, None)
        condition: tuple[Constraint, ...] = (*job.state.condition, *events)
        kinds = (*job.state.kinds, *self._task.actions[job.action].kinds)
        route = Route((*job.state.payload.actions, job.action), job.calls)
        target = SymbolicState(shape, slots, condition, kinds, route, met.values)
        return Step(job.state, job.action, outcome, target)

    def _check(self, reply: Reply) -> None:
        if reply.error:
            raise UnitcraftError(
                "worker-broken",
                f"{self._task.target}: a worker failed while it followed a sequence",
                cause=reply.error,
            )


def _reason(failure: Any) -> str:
    if isinstance(failure, Rejected):
        return f"refused: {failure.event}"
    return f"exhausted: {failure.reason}"
