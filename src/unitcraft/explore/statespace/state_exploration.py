"""One loop that explores every state space, concrete or symbolic.

Invariant: steps are processed in the order in which the model gives them, and only a state
that ``Seen`` has accepted is explored; so counts and discovered states depend on the model
alone, never on the number of workers.  The canonical form decides what is new; the search goes
on from the state itself.

Source: ROSTRA, "Test Generation Algorithm", as published, with the three questions of a
state space (initial, actions, step) as the seam.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from unitcraft.explore.statespace.frontier import Frontier

S = TypeVar("S")
Known_contra = TypeVar("Known_contra", contravariant=True)
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Transition(Generic[S, A]):
    """One test: ``action`` was invoked on ``source`` and left ``target``.

    ``outcome`` is '' when the call returned, else the name of what it raised, or why it
    did not end.  ``target`` is None when there is no state afterwards (the run was ended).
    """

    source: S
    action: A
    outcome: str
    target: S | None


class StateSpace(Protocol[S, A]):
    """A state space."""

    def initial(self) -> Iterable[S]:
        """The states in which exploration begins."""

    def actions(self, state: S) -> Sequence[A]:
        """The actions that can be invoked on ``state``."""

    def steps(self, work: Iterable[tuple[S, A]]) -> Iterator[Transition[S, A]]:
        """The step of each of ``work``, in the order of ``work``."""


class Seen(Protocol[Known_contra]):
    """The states that exploration knows."""

    def add(self, state: Known_contra) -> bool:
        """Remember ``state``; was it new?"""

    def wants(self, state: Known_contra) -> bool:
        """Is ``state``, once accepted, still worth exploring?"""

    def __len__(self) -> int:
        """The number of states accepted."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Exploration ends after ``iterations``, or when ``tests`` have run (None: no bound)."""

    iterations: int
    tests: int | None = None


@dataclass(frozen=True, slots=True)
class IterationStats:
    """Cumulative counts after an iteration; ``complete`` is False when it was cut short."""

    iteration: int
    states: int
    tests: int
    seconds: float
    complete: bool = True


def explore_states(
    model: StateSpace[S, A],
    seen: Seen[S],
    frontier: Frontier[S],
    bounds: Bounds,
    watch: Callable[[Transition[S, A], bool], Any],
) -> Iterator[IterationStats]:
    """Explore ``model`` within ``bounds``; yields the counts after every iteration.

    ``watch`` is called with every step and whether its target is a new state.
    """
    started, tests = perf_counter(), 0
    for state in model.initial():
        if seen.add(state):
            frontier.put(state)
    for iteration in range(1, bounds.iterations + 1):
        states = [state for state in frontier.take() if seen.wants(state)]
        if not states:
            return
        work = ((state, action) for state in states for action in model.actions(state))
        for step in model.steps(work):
            tests += 1
            new = step.target is not None and seen.add(step.target)
            if new and step.target is not None:
                frontier.put(step.target)
            watch(step, new)
            if tests == bounds.tests:
                break
        full = bounds.tests is None or tests < bounds.tests
        yield IterationStats(iteration, len(seen), tests, perf_counter() - started, full)
        if not full:
            return
