"""Concrete exploration: states are heaps that sequences of real calls reach.

Invariant: a state is a path (calls from the constructor) that guarded workers replay from the
start; nothing of a heap is kept but its digest.  An exception is an outcome: the state at the
exceptional exit counts, and so does the test.

Source: ROSTRA, "Test Generation Algorithm", as published with WholeState; states are
replayed instead of kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import pack_call
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener, Progress, SilentListener
from unitcraft.explore.execution import reason_of
from unitcraft.explore.statespace.frontier import BreadthFirst
from unitcraft.explore.statespace.state_exploration import (
    Bounds,
    IterationStats,
    Transition,
    explore_states,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.core.encoding import Plain
    from unitcraft.core.sequences import Call
    from unitcraft.execute.pool.worker_pool import Pool

#: Paths that are sent to the workers at a time: bounds the answers held in memory.
_CHUNK: Final = 16_384


@dataclass(frozen=True, slots=True)
class ConcreteState:
    """A heap: ``path`` reaches it (indexes of actions, after the constructor)."""

    digest: bytes
    path: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConcreteTask:
    """A class to explore: the Call that makes the receiver, and the Calls on it (``Ref(0)``).

    ``others`` may make it where ``constructor`` raises.
    """

    target: str
    constructor: Call
    actions: tuple[Call, ...]
    others: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Exploration:
    """The result of exploring ``task``.

    ``edges`` (the first steps) and ``lines`` (digest -> fields of a state as text) serve a
    picture, and are empty unless one was asked for.

    ``blocked`` counts tests that a bound or the policy ended, by reason: they have no state
    afterwards.
    """

    task: ConcreteTask
    iterations: tuple[IterationStats, ...]
    blocked: tuple[tuple[str, int], ...] = ()
    edges: tuple[Transition[ConcreteState, int], ...] = ()
    lines: Mapping[bytes, tuple[str, ...]] = field(default_factory=dict)


class SeenDigests:
    """The states seen, by digest."""

    def __init__(self) -> None:
        self._digests: set[bytes] = set()

    def add(self, state: ConcreteState) -> bool:
        """Remember ``state``; was its digest new?"""
        before = len(self._digests)
        self._digests.add(state.digest)
        return len(self._digests) > before

    def wants(self, state: ConcreteState) -> bool:
        """Yes: no later state makes an accepted one superfluous."""
        return state.digest in self._digests

    def __len__(self) -> int:
        return len(self._digests)


class ConcreteStateSpace:
    """The state space of a Task, replayed by a Pool whose agent serves ``reach``."""

    def __init__(self, task: ConcreteTask, pool: Pool) -> None:
        self._task = task
        self._pool = pool
        self._constructor = pack_call(task.constructor)
        self._pack = [pack_call(action) for action in task.actions]
        self._actions = range(len(task.actions))

    def initial(self) -> Iterable[ConcreteState]:
        """The state after the constructor.  Raises UnitcraftError when it fails."""
        reply = self._pool.one("reach", (self._constructor,))
        if reply.error:
            raise _worker_broken(self._task.target, reply.error)
        if reply.failure is not None or not reply.value[1]:
            raise UnitcraftError(
                "constructor-failed",
                f"{self._task.target}: the constructor made no object to explore",
                cause=reason_of(reply.failure) if reply.failure else f"it raised {reply.value[0]}",
                advice="explore a class whose constructor works with the arguments given",
            )
        yield ConcreteState(reply.value[1], ())

    def actions(self, state: ConcreteState) -> Sequence[int]:
        """All actions, by index, whatever the state."""
        del state
        return self._actions

    def steps(
        self, work: Iterable[tuple[ConcreteState, int]]
    ) -> Iterator[Transition[ConcreteState, int]]:
        """Replay the path and the action of each of ``work``."""
        waiting = iter(work)
        while chunk := list(islice(waiting, _CHUNK)):
            items = [self.item((*state.path, action)) for state, action in chunk]
            for (state, action), reply in zip(chunk, self._pool.map("reach", items), strict=True):
                if reply.error:
                    raise _worker_broken(self._task.target, reply.error)
                if reply.failure is not None:
                    yield Transition(state, action, reason_of(reply.failure), None)
                    continue
                outcome, digest = reply.value
                yield Transition(
                    state, action, outcome, ConcreteState(digest, (*state.path, action))
                )

    def item(self, path: tuple[int, ...]) -> tuple[bytes, ...]:
        """The item that asks a worker to replay ``path``: marshalled Calls."""
        packed = self._pack
        return (self._constructor, *[packed[action] for action in path])


def that_works(task: ConcreteTask, pool: Pool) -> ConcreteTask:
    """``task`` with the first Call of its constructor that makes an object.

    Many constructors refuse 0, which is what they are given first.  Where none of the Calls does,
    ``task`` as it is: whoever explores it says why.
    """
    for call in (task.constructor, *task.others) if task.others else ():
        reply = pool.one("reach", (pack_call(call),))
        if not reply.error and reply.failure is None and reply.value[1]:
            return replace(task, constructor=call)
    return task


def explore(
    task: ConcreteTask,
    pool: Pool,
    bounds: Bounds,
    *,
    listener: Listener | None = None,
    keep_edges: int = 0,
) -> Exploration:
    """Explore ``task`` breadth first; keep the first ``keep_edges`` steps for a graph.

    The counts are the same for any number of workers.
    """
    listener = listener or SilentListener()
    edges: list[Transition[ConcreteState, int]] = []
    blocked: dict[str, int] = {}

    def watch(step: Transition[ConcreteState, int], new: bool) -> None:  # noqa: FBT001
        del new
        if len(edges) < keep_edges:
            edges.append(step)
        if step.target is None:
            blocked[step.outcome] = blocked.get(step.outcome, 0) + 1

    iterations: list[IterationStats] = []
    for stats in explore_states(
        ConcreteStateSpace(task, pool), SeenDigests(), BreadthFirst(), bounds, watch
    ):
        iterations.append(stats)
        note = f"{stats.states} states, {stats.tests} tests"
        listener.progress(
            Progress(task.target, "explore", stats.iteration, bounds.iterations, note)
        )
    return Exploration(task, tuple(iterations), tuple(sorted(blocked.items())), tuple(edges))


def structures_of(
    task: ConcreteTask, pool: Pool, states: Sequence[ConcreteState]
) -> dict[bytes, Plain]:
    """The canonical structure of each of ``states``, by digest."""
    replays = ConcreteStateSpace(task, pool)
    replies = pool.map("show", [replays.item(state.path) for state in states])
    return {
        state.digest: reply.value
        for state, reply in zip(states, replies, strict=True)
        if reply.value is not None
    }


def _worker_broken(target: str, trace: str) -> UnitcraftError:
    return UnitcraftError(
        "worker-broken", f"{target}: a worker failed while it replayed a sequence", cause=trace
    )
