"""Symbolic exploration: method sequences on symbolic arguments, states pruned by subsumption.

Invariant: a state is a path of Calls with inputs that satisfy its condition; guarded workers
replay it from the constructor.  A test is one feasible path of one method on one state.

Source: SYMSTRA, "Exploring Symbolic States" and "Pruning Symbolic State", as published; states
are replayed instead of kept, and paths are found by running and negating branches instead of
by forking the execution.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.randomness import seeded_random
from unitcraft.explore.concolic.concolic_run import (
    DIVERGED,
    ConcolicRun,
    LostRun,
    RunRequest,
    Skeleton,
    check_worker,
    run_on_workers,
)
from unitcraft.explore.concolic.path_exploration import PathCounts, PathExploration
from unitcraft.explore.statespace.state_exploration import Transition
from unitcraft.state.symbolic.symbolic_state import SymbolicState

if TYPE_CHECKING:
    from random import Random

    from unitcraft.core.encoding import Plain
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.statespace.branch_coverage import BranchCoverage
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.term import Constraint, Kind

#: (State, action) pairs whose paths are explored together, so that batches are full.
_CHUNK: Final = 1024
#: Nodes of all trees in progress (about a kilobyte each); beyond, only the first unfinished job
#: goes on.
_MAX_NODES: Final = 100_000


@dataclass(frozen=True, slots=True)
class Action:
    """A Call with symbolic inputs: ``packed(first)`` numbers its inputs from ``first`` on."""

    name: str
    encoded: Plain
    kinds: tuple[Kind, ...]
    start: tuple[Any, ...]

    def packed(self, first: int) -> bytes:
        """The marshalled Call whose inputs are number ``first`` and those after it."""
        return marshal.dumps(_renumbered(self.encoded, first), 2)

    def concrete(self, values: tuple[Any, ...]) -> bytes:
        """The marshalled Call with ``values`` as its inputs."""
        return marshal.dumps(_with_values(self.encoded, values), 2)


def _with_values(plain: Plain, values: tuple[Any, ...]) -> Plain:
    if type(plain) is not tuple:
        return plain
    if _is_input(plain):
        return ("c", values[plain[1]])
    return tuple([_with_values(part, values) for part in plain])


def _renumbered(plain: Plain, first: int) -> Plain:
    if type(plain) is not tuple:
        return plain
    if _is_input(plain):
        return ("x", plain[1] + first)
    return tuple([_renumbered(part, first) for part in plain])


def _is_input(plain: tuple[Any, ...]) -> bool:
    """Is it an encoded input, ``("x", number)``, and no name of a callee?"""
    return len(plain) == 2 and plain[0] == "x" and type(plain[1]) is int  # noqa: PLR2004


@dataclass(frozen=True, slots=True)
class Reached:
    """How a state is reached: the actions after the constructor, and their packed Calls.

    ``sites`` are those that the last Call hit, where the workers record them.
    """

    actions: tuple[int, ...]
    calls: tuple[bytes, ...]
    sites: tuple[int, ...] = ()


State = SymbolicState[Reached]


@dataclass(frozen=True, slots=True)
class SymbolicTask:
    """A class to explore: the Call that makes the receiver (without inputs), and the methods."""

    target: str
    constructor: Plain
    actions: tuple[Action, ...]


@dataclass(slots=True)
class _Job:
    """The paths of one action on one state."""

    state: State
    action: int
    paths: PathExploration


@dataclass(frozen=True, slots=True)
class PathSelection:
    """The selection of paths to explore, and their order.

    ``shuffle``: take methods and negate branches in an order drawn from this seed; the counts do
    not depend on it.  ``sample``: invoke each method on each state with this probability only,
    drawn from ``seed``.  ``paths``: runs of one method on one state, at most.
    """

    shuffle: int | None = None
    sample: float = 1.0
    seed: int = 0
    paths: int = 10_000


class SymbolicStateSpace:
    """The state space of a SymbolicTask.

    With an ``oracle``, whose agent replays on the original code, a path counts only if a run with
    plain values has the same outcome and leaves the same heap.  With a ``covering``,
    ``witnesses`` are the runs that covered something new: the actions and the inputs.
    """

    def __init__(
        self, task: SymbolicTask, pool: Pool, solver: Solver, choices: PathSelection | None = None,
        covering: BranchCoverage | None = None, oracle: Pool | None = None,
    ) -> None:  # fmt: skip
        self._task = task
        self._oracle = oracle
        self._pool = pool
        self._solver = solver
        self._choices = choices or PathSelection()
        self._covering = covering
        self._random: Random | None = None
        if self._choices.shuffle is not None:
            self._random = seeded_random(self._choices.shuffle, "order of exploration")
        self._sample = seeded_random(self._choices.seed, "sampled methods")
        self.counts = PathCounts()
        self.blocked: dict[str, int] = {}
        self.witnesses: list[tuple[tuple[int, ...], tuple[Any, ...]]] = []

    def initial(self) -> Iterable[State]:
        """The state after the constructor.  Raises UnitcraftError when it fails."""
        calls = (marshal.dumps(self._task.constructor, 2),)
        (run,) = run_on_workers(self._pool, [RunRequest(Skeleton(calls, ()), ())], "reach")
        if isinstance(run, LostRun):
            check_worker(run, self._task.target)
        if isinstance(run, LostRun) or run.heap is None:
            raise UnitcraftError(
                "constructor-failed",
                f"{self._task.target}: the constructor made no object to explore",
                cause=run.reason if isinstance(run, LostRun) else f"it raised {run.outcome}",
                advice="explore a class whose constructor works with the arguments given",
            )
        self._cover((), run)
        route = Reached((), calls, run.sites)
        yield SymbolicState(run.heap.shape, run.heap.slots, run.events, (), route, ())

    def actions(self, state: State) -> Sequence[int]:
        """All methods, whatever the state, or a sample of at least one."""
        del state
        every = list(range(len(self._task.actions)))
        order = every
        if self._choices.sample < 1:
            chosen = [number for number in every if self._sample.random() < self._choices.sample]
            order = chosen or [self._sample.choice(every)]
        if self._random is not None:
            self._random.shuffle(order)
        return order

    def steps(self, work: Iterable[tuple[State, int]]) -> Iterator[Transition[State, int]]:
        """The feasible paths of each of ``work``."""
        waiting = iter(work)
        while chunk := list(islice(waiting, _CHUNK)):
            jobs = [self._job(state, action) for state, action in chunk]
            self._explore(jobs)
            for job, kept in zip(jobs, self._confirm(jobs), strict=True):
                for met in kept:
                    yield self._step(job, met)

    def _job(self, state: State, number: int) -> _Job:
        action = self._task.actions[number]
        calls = (*state.payload.calls, action.packed(len(state.kinds)))
        paths = PathExploration(
            self._solver, Skeleton(calls, (*state.kinds, *action.kinds)),
            (*state.values, *action.start), state.condition, most=self._choices.paths,
            counts=self.counts, random=self._random,
        )  # fmt: skip
        return _Job(state, number, paths)

    def _explore(self, jobs: list[_Job]) -> None:
        """Run and solve in rounds, the inputs of many jobs together, until none is left."""
        waiting = jobs
        while waiting:
            asked, waiting = _round(waiting)
            answers = run_on_workers(self._pool, [request for _, request in asked], "reach")
            for (job, request), answer in zip(asked, answers, strict=True):
                self._give(job, request, answer)

    def _confirm(self, jobs: list[_Job]) -> list[list[ConcolicRun]]:
        """The paths of each job that runs on the original code with plain values confirm."""
        if self._oracle is None:
            return [job.paths.met for job in jobs]
        items = [self._plain(job, met.values) for job in jobs for met in job.paths.met]
        replies = self._oracle.map("reach", items)
        kept: list[list[ConcolicRun]] = []
        for job in jobs:
            kept.append([])
            for met in job.paths.met:
                reply = next(replies)
                check_worker(LostRun("", reply.error), self._task.target)
                digest = met.heap.digest if met.heap is not None else b""
                if reply.failure is None and tuple(reply.value) == (met.outcome, digest):
                    kept[-1].append(met)
                else:
                    self.counts.diverged += 1
        return kept

    def _plain(self, job: _Job, values: tuple[Any, ...]) -> tuple[bytes, ...]:
        """The Calls of ``job`` with ``values`` for their inputs, packed."""
        calls = [job.paths.skeleton.calls[0]]
        first = 0
        for number in (*job.state.payload.actions, job.action):
            action = self._task.actions[number]
            calls.append(action.concrete(values[first : first + len(action.kinds)]))
            first += len(action.kinds)
        return tuple(calls)

    def _cover(self, actions: tuple[int, ...], run: ConcolicRun) -> None:
        if self._covering is not None and self._covering.note(run.sites):
            self.witnesses.append((actions, run.values))

    def _give(self, job: _Job, request: RunRequest, answer: ConcolicRun | LostRun) -> None:
        if isinstance(answer, ConcolicRun):
            self._cover((*job.state.payload.actions, job.action), answer)
        else:
            check_worker(answer, self._task.target)
            if answer.reason != DIVERGED:
                self.blocked[answer.reason] = self.blocked.get(answer.reason, 0) + 1
        job.paths.give(request, answer)

    def _step(self, job: _Job, met: ConcolicRun) -> Transition[State, int]:
        if not met.whole or met.heap is None:
            return Transition(job.state, job.action, met.outcome, None)
        condition: tuple[Constraint, ...] = (*job.state.condition, *met.events)
        route = Reached((*job.state.payload.actions, job.action), met.skeleton.calls, met.sites)
        target = SymbolicState(
            met.heap.shape, met.heap.slots, condition, met.skeleton.kinds, route, met.values
        )
        return Transition(job.state, job.action, met.outcome, target)


def _round(jobs: list[_Job]) -> tuple[list[tuple[_Job, RunRequest]], list[_Job]]:
    """The runs of the next round, and the unfinished jobs; finished jobs free their trees.

    The order of the jobs decides who has to wait while trees are large, so that the runs of each
    job are the same whatever the others need.
    """
    runs: list[tuple[_Job, RunRequest]] = []
    left: list[_Job] = []
    nodes = 0
    for job in jobs:
        if nodes > _MAX_NODES:
            left.append(job)
            continue
        taken = job.paths.take()
        if taken:
            left.append(job)
            nodes += job.paths.tree.nodes
            runs += [(job, request) for request in taken]
        else:
            job.paths.forget()
    return runs, left
