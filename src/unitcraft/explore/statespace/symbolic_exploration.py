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
from unitcraft.explore.concolic.path_exploration import PathCounts, PathExploration, PathRun
from unitcraft.explore.execution import reason_of
from unitcraft.explore.statespace.state_exploration import Transition
from unitcraft.state.symbolic.symbolic_state import SymbolicState

if TYPE_CHECKING:
    from random import Random

    from unitcraft.core.encoding import Plain
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.execute.spec import Reply
    from unitcraft.explore.statespace.branch_coverage import BranchCoverage
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
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
    calls: tuple[bytes, ...]
    known: bytes
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
        _, _, events, _, shape, slots, _, sites = reply.value
        self._cover((), (), sites)
        yield SymbolicState(shape, slots, events, (), Reached((), (constructor,), sites), ())

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
        paths = PathExploration(
            self._solver, (*state.kinds, *action.kinds), (*state.values, *action.start),
            state.condition, most=self._choices.paths, counts=self.counts, random=self._random,
        )  # fmt: skip
        calls = (*state.payload.calls, action.packed(len(state.kinds)))
        known = bytes([one[1] for one in state.condition])
        return _Job(state, number, calls, known, paths)

    def _explore(self, jobs: list[_Job]) -> None:
        """Run and solve in rounds, the inputs of many jobs together, until none is left."""
        waiting = jobs
        while waiting:
            runs, waiting = _round(waiting)
            items = [(job.calls, values, job.known) for job, values, _ in runs]
            for (job, values, leaf), reply in zip(
                runs, self._pool.map("reach", items), strict=True
            ):
                self._give(job, values, leaf, reply)

    def _confirm(self, jobs: list[_Job]) -> list[list[PathRun]]:
        """The paths of each job that runs on the original code with plain values confirm."""
        if self._oracle is None:
            return [job.paths.met for job in jobs]
        items = [self._plain(job, met.values) for job in jobs for met in job.paths.met]
        replies = self._oracle.map("reach", items)
        kept: list[list[PathRun]] = []
        for job in jobs:
            kept.append([])
            for met in job.paths.met:
                outcome, _, _, digest, _ = met.answer
                reply = next(replies)
                self._check(reply)
                if reply.failure is None and tuple(reply.value) == (outcome, digest):
                    kept[-1].append(met)
                else:
                    self.counts.diverged += 1
        return kept

    def _plain(self, job: _Job, values: tuple[Any, ...]) -> tuple[bytes, ...]:
        """The Calls of ``job`` with ``values`` for their inputs, packed."""
        calls = [job.calls[0]]
        first = 0
        for number in (*job.state.payload.actions, job.action):
            action = self._task.actions[number]
            calls.append(action.concrete(values[first : first + len(action.kinds)]))
            first += len(action.kinds)
        return tuple(calls)

    def _cover(self, actions: tuple[int, ...], values: tuple[Any, ...], sites: Any) -> None:
        if self._covering is not None and self._covering.note(sites):
            self.witnesses.append((actions, values))

    def _give(
        self, job: _Job, values: tuple[Any, ...], leaf: TreeNode | None, reply: Reply
    ) -> None:
        self._check(reply)
        if reply.failure is not None:
            reason = reason_of(reply.failure)
            self.blocked[reason] = self.blocked.get(reason, 0) + 1
            job.paths.lost(leaf, reason)
        elif not reply.value[1]:
            job.paths.lost(leaf, "diverged")
        else:
            outcome, _, events, whole, *rest = reply.value
            self._cover((*job.state.payload.actions, job.action), values, rest[-1])
            job.paths.give(PathRun(events, whole, values, (outcome, *rest)), leaf)

    def _step(self, job: _Job, met: PathRun) -> Transition[State, int]:
        outcome, shape, slots, _, sites = met.answer
        if not met.whole:
            return Transition(job.state, job.action, outcome, None)
        condition: tuple[Constraint, ...] = (*job.state.condition, *met.events)
        kinds = (*job.state.kinds, *self._task.actions[job.action].kinds)
        route = Reached((*job.state.payload.actions, job.action), job.calls, sites)
        target = SymbolicState(shape, slots, condition, kinds, route, met.values)
        return Transition(job.state, job.action, outcome, target)

    def _check(self, reply: Reply) -> None:
        if reply.error:
            raise UnitcraftError(
                "worker-broken",
                f"{self._task.target}: a worker failed while it followed a sequence",
                cause=reply.error,
            )


def _round(
    jobs: list[_Job],
) -> tuple[list[tuple[_Job, tuple[Any, ...], TreeNode | None]], list[_Job]]:
    """The runs of the next round, and the unfinished jobs; finished jobs free their trees.

    The order of the jobs decides who has to wait while trees are large, so that the runs of each
    job are the same whatever the others need.
    """
    runs: list[tuple[_Job, tuple[Any, ...], TreeNode | None]] = []
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
            runs += [(job, values, leaf) for values, leaf in taken]
        else:
            job.paths.forget()
    return runs, left
