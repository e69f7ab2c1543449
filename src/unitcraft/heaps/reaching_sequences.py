"""Which sequences of calls reach the heaps of a suite, and which reachable states are not valid.

The states of the class are explored breadth first with integer arguments 0 to N and as many texts;
the receiver of each new state is compared with the heaps wanted, integers left out.

Invariant: a sequence that is answered is a shortest one among those explored; what was not
reached is "not reached within the bounds", never "unreachable".

Source: ROSTRA, "Test Generation Algorithm"; FIELDCOVERAGE, section IV.C, for the question.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import call_text
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.statespace.concrete_exploration import ConcreteStateSpace, SeenDigests
from unitcraft.explore.statespace.concrete_task import ClassToExplore, task_of
from unitcraft.explore.statespace.frontier import BreadthFirst
from unitcraft.explore.statespace.state_exploration import Bounds, explore_states
from unitcraft.explore.subject_request import request_subject
from unitcraft.heaps.heap_generation import shape_of
from unitcraft.heaps.heap_task import domains_of, methods_to_call

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.core.sequences import Call
    from unitcraft.explore.statespace.concrete_exploration import ConcreteState, ConcreteTask
    from unitcraft.explore.statespace.state_exploration import Transition
    from unitcraft.heaps.heap_generation import GenerationTask

#: Calls beyond one for each object: recolouring and rotating take removals and more insertions.
MORE_CALLS: Final = 3
#: Tests of the exploration; a search tree of six keys has 7,188.
MAX_TESTS: Final = 30_000
#: States after which the invariant is not asked any more, if it ended the worker on so many: each
#: costs a second.
MAX_UNANSWERED: Final = 3
#: Steps of the calls that make one state and of the invariant on it: a tenth of a second.
MAX_STEPS_ASKED: Final = 1_000_000
#: Steps on all states after which the invariant is not asked any more: about five seconds.
MAX_STEPS_IN_ALL: Final = 50_000_000
#: States that are looked at in one batch: one without end in C code costs a second of CPU time.
ASKED_AT_ONCE: Final = 4
#: Violating sequences that are kept.
MAX_VIOLATIONS: Final = 5


@dataclass(frozen=True, slots=True)
class Violation:
    """A reachable state on which the invariant does not hold; ``raised`` is '' or an exception."""

    calls: tuple[Call, ...]
    raised: str


@dataclass(slots=True)
class Reached:
    """Abstract state: the sequence to each shape reached, and what was violated on the way.

    ``states`` were looked at, ``unanswered`` are those on which the invariant ended the worker or
    ran out of steps, ``unasked`` those on which it was not asked any more, and ``complete`` says
    whether these are all that calls with these arguments reach.
    """

    paths: dict[bytes, tuple[Call, ...]] = field(default_factory=dict)
    violations: list[Violation] = field(default_factory=list)
    states: int = 0
    unanswered: int = 0
    unasked: int = 0
    complete: bool = False


class SequenceSearch:
    """Looks for sequences to shapes of heaps (``key_of``) in the states of one class."""

    def __init__(self, task: GenerationTask) -> None:
        self._task = task
        self._symbolic = task.model.symbolic_fields()
        self._classes = task.model.layout()
        self._new: list[ConcreteState] = []
        self._steps = 0
        self.found = Reached()

    def run(self) -> Reached:
        """Explore until there are no new states or the bounds end it.

        Raises UnitcraftError when the class cannot be explored.
        """
        module, _, qualname = self._task.target.partition(":")
        largest = self._task.scopes[-1]
        spec = replace(
            self._task.spec, entry="unitcraft.heaps.guest.state_agent", options={"module": module}
        )
        with Pool(spec, 1) as pool:
            domains = domains_of(largest)
            subject = request_subject(pool, module)
            methods = methods_to_call(subject, qualname, self._task.model.invariant, domains)
            asked = ClassToExplore(module, qualname, Bounds(1), methods, domains=domains)
            try:
                explored = task_of(subject, asked)
            except UnitcraftError as error:
                if error.slug == "no-domain":  # no call can be made of these arguments
                    return self.found
                raise
            space = ConcreteStateSpace(explored, pool)
            self._new += space.initial()
            self._look(pool, space, explored)
            bounds = Bounds(largest + MORE_CALLS, MAX_TESTS)
            for stats in explore_states(space, SeenDigests(), BreadthFirst(), bounds, self._watch):
                self.found.complete = stats.complete and not self._new
                self._look(pool, space, explored)
        return self.found

    def _watch(self, step: Transition[ConcreteState, int], new: bool) -> None:  # noqa: FBT001
        if new and step.target is not None:
            self._new.append(step.target)

    def _look(self, pool: Pool, space: ConcreteStateSpace, explored: ConcreteTask) -> None:
        """Compare the new states with the heaps wanted."""
        answers = self._answers(pool, [space.item(state.path) for state in self._new])
        for state, answer in zip(self._new, answers, strict=True):
            if answer is None:
                continue
            form, holds, raised, steps = answer
            self._steps += steps
            calls = (explored.constructor, *[explored.actions[place] for place in state.path])
            self.found.states += 1
            if not holds and len(self.found.violations) < MAX_VIOLATIONS:
                self.found.violations.append(Violation(calls, raised))
            if form is not None:
                self.found.paths.setdefault(key_of(form, self._symbolic), calls)
        self._new.clear()

    def _answers(self, pool: Pool, paths: Sequence[Plain]) -> Iterator[Plain]:
        """What ``state_agent`` says of the state of each path.

        Where the invariant has no end the state is looked at without it; after a few such states,
        or after many steps, the invariant is not asked any more.
        """
        module, _, qualname = self._task.target.partition(":")
        for first in range(0, len(paths), ASKED_AT_ONCE):
            some = paths[first : first + ASKED_AT_ONCE]
            name = "" if self._has_given_up() else self._task.model.invariant
            self.found.unasked += 0 if name else len(some)
            items = [(module, qualname, name, self._classes, path) for path in some]
            replies = list(pool.map("state", items, steps=MAX_STEPS_ASKED))
            for path, reply in zip(some, replies, strict=True):
                if reply.error:
                    what = f"{self._task.target}: a worker failed while it looked at a state"
                    raise UnitcraftError("worker-broken", what, cause=reply.error)
                answer = reply.value
                if reply.failure is not None and name:
                    self.found.unanswered += 1
                    item = (module, qualname, "", self._classes, path)
                    (reply,) = pool.map("state", [item])  # noqa: PLW2901 - asked again
                    answer = reply.value
                yield answer

    def _has_given_up(self) -> bool:
        """Has the invariant cost so much that it is not asked any more?"""
        return self.found.unanswered >= MAX_UNANSWERED or self._steps >= MAX_STEPS_IN_ALL


def key_of(form: Plain, symbolic: tuple[frozenset[int], ...]) -> bytes:
    """What heaps share that differ in integers only."""
    return marshal.dumps(shape_of(form, symbolic), 2)


def calls_text(calls: Sequence[Call]) -> str:
    """A sequence as a person writes it: ``tree = Tree(); tree.insert(1)``."""
    name = calls[0].name.rpartition(":")[2].rpartition(".")[2].lower()
    return "; ".join([f"{name} = {call_text(calls[0])}", *[call_text(one, [name])
                                                           for one in calls[1:]]])  # fmt: skip


def reach_heaps(task: GenerationTask, forms: Sequence[Plain]) -> tuple[Reached, Mapping[int, str]]:
    """What was reached, and the text of the sequence to each of ``forms`` by its place."""
    symbolic = task.model.symbolic_fields()
    keys = [key_of(form, symbolic) for form in forms]
    found = SequenceSearch(task).run()
    texts = {
        place: calls_text(found.paths[key]) for place, key in enumerate(keys) if key in found.paths
    }
    return found, texts
