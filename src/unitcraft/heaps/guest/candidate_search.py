"""Bounded-exhaustive search for the heaps on which a representation invariant holds.

Each candidate is a run of the invariant on a heap whose fields are chosen when they are read.
The next candidate differs in the last decision: a field has its next value, or a comparison of
symbolic integers its other outcome.  What no run has read is not enumerated, but that a valid heap
has the rest of its fields enumerated too.

Invariant: a search can stop after any candidate; the token that it then answers leads to the next
one, in any process.  Every heap comes once, smaller values first.

Source: KORAT, "Search" (candidate vector, field ordering, backtracking); the order by size is that
of FIELDCOVERAGE, section III: what needs one more object waits until all smaller heaps were seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unitcraft.heaps.guest.branch_flips import BranchFlips, small_values
from unitcraft.symbolic.proxies.trace import EVENTS
from unitcraft.symbolic.terms.term import SAME, variable, variables_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain
    from unitcraft.heaps.guest.invariant_check import InvariantCheck
    from unitcraft.heaps.guest.lazy_heap import LazyHeap
    from unitcraft.symbolic.terms.term import Constraint

#: Work of the solver for one comparison, in edges visited.
MAX_SOLVER_WORK = 20_000


@dataclass(slots=True)
class Chunk:
    """What a part of a search found: candidates run, forms of valid heaps, and what is left.

    ``put_off`` are (scope, token); ``rest`` are the tokens of what follows, in order, none at the
    end.  ``at`` counts the candidates before each valid heap and itself.
    """

    explored: int = 0
    valid: list[Plain] = field(default_factory=list)
    at: list[int] = field(default_factory=list)
    put_off: list[Plain] = field(default_factory=list)
    rest: tuple[Plain, ...] = ()


class CandidateSearch:
    """A search below one token: (choices that stay, all choices, values, outcomes).

    ``complete`` chooses the fields of a valid heap that nobody read, and says whether all have a
    value; ``describe`` gives the form of the heap.
    """

    def __init__(
        self,
        root: Any,
        heap: LazyHeap,
        check: InvariantCheck,
        complete: Callable[[], bool],
        describe: Callable[[], Plain],
    ) -> None:
        self._root = root
        self._heap = heap
        self._check = check
        self._complete = complete
        self._describe = describe
        self._flips = BranchFlips(MAX_SOLVER_WORK)
        self._tried: dict[int, tuple[Any, ...]] = {}
        self._floor = 0

    def run(self, token: Plain, limit: int) -> Chunk:
        """Run at most ``limit`` candidates from ``token`` on."""
        heap, chunk = self._heap, Chunk()
        self._floor, heap.forced, values, tried = token
        heap.values, self._tried = list(values), dict(tried)
        heap.defer = lambda index, size: chunk.put_off.append((size, self._token_with(index)))
        explored, check, root = 0, self._check, self._root
        while True:
            EVENTS.clear()
            explored += 1
            if check.holds(root) and self._complete() and self._is_stable(root):
                chunk.valid.append(self._form())
                chunk.at.append(explored)
            heap.forced = ()
            if not self._next():
                break
            if explored == limit:
                chunk.rest = self._rest()
                break
        chunk.explored = explored
        if self._flips.unknown:
            check.note("undecided comparison", self._flips.unknown)
            self._flips.unknown = 0
        heap.clear()
        return chunk

    def _form(self) -> Plain:
        """The form of the heap, with small integers where the comparisons allow them."""
        heap = self._heap
        if not heap.symbols:
            return self._describe()
        values = heap.values
        heap.set_values(small_values(EVENTS, heap.symbolic_choices(), values))
        form = self._describe()
        heap.set_values(values)
        return form

    def _is_stable(self, root: Any) -> bool:
        """Does the invariant hold once more, with the same comparisons?"""
        events = EVENTS.copy()
        EVENTS.clear()
        if self._check.holds(root) and events == EVENTS:
            return True
        self._check.note("unstable")
        EVENTS[:] = events
        return False

    def _next(self) -> bool:
        """Make the heap the next candidate: change the last decision that can be changed."""
        heap = self._heap
        stack = heap.stack
        while True:
            if EVENTS and self._flip_event(stack[-1].events if stack else 0):
                return True
            if len(stack) <= self._floor:
                return False
            choice = stack[-1]
            if heap.advance(choice):
                return True
            heap.drop()

    def _flip_event(self, first: int) -> bool:
        """Find values for another outcome of the last event, not before ``first``, that has one.

        Events that are done are forgotten.
        """
        heap = self._heap
        while len(EVENTS) > first:
            event = EVENTS.pop()
            place = len(EVENTS)
            others = self._other_outcomes(event, self._tried.pop(place, None))
            if not others:
                continue
            values = self._flips.solve([*EVENTS, *others], heap.symbolic_choices(), heap.values)
            if values is not None:
                self._tried[place] = tuple([term[2] for term, _ in others if term[0] == SAME])
                heap.set_values(values)
                return True
        self._tried = {place: tried for place, tried in self._tried.items() if place < first}
        return False

    def _other_outcomes(self, event: Constraint, tried: tuple[Any, ...] | None) -> list[Constraint]:
        """What has to hold for the event to have an outcome that it had not; [] if it had all.

        What entered code that cannot be followed has each value of the scope in turn; a text of
        an integer is a value of that integer.
        """
        term, outcome = event
        if term[0] != SAME:
            return [] if tried is not None else [(term, not outcome)]
        known = (*(tried or ()), term[2])
        most = max(self._heap.limits)
        numbers = [variable(number) for number in variables_of(term[1])]
        bounds = [
            constraint
            for inner in ([term[1]] if type(term[2]) is int else numbers)
            for constraint in (((">=", inner, 0), True), (("<=", inner, most), True))
        ]
        return [*bounds, *[((SAME, term[1], value), False) for value in known]]

    def _rest(self) -> tuple[Plain, ...]:
        """The token of the candidate that the heap is; with concrete values two where possible.

        They divide the search at the first choice that has another value: what is below its value
        of now, and what comes from the other value on, so that two workers can go on.
        """
        heap, floor = self._heap, self._floor
        indexes = tuple([choice.index for choice in heap.stack])
        if not EVENTS and not heap.symbols:
            place, other = heap.first_other(floor)
            if other >= 0:
                return ((place + 1, indexes, (), ()), (floor, (*indexes[:place], other), (), ()))
        return ((floor, indexes, tuple(heap.values), tuple(sorted(self._tried.items()))),)

    def _token_with(self, index: int) -> Plain:
        """The token of the search below the last choice, at the value ``index``."""
        indexes = tuple([choice.index for choice in self._heap.stack[:-1]])
        values = tuple(self._heap.values)
        return (len(indexes) + 1, (*indexes, index), values, tuple(sorted(self._tried.items())))
