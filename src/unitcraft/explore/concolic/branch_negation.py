"""Directed search: follow a kept run on proxies, turn its branches, and propose the inputs.

A run that reached something new is followed once.  Each of its events that decided a place of
the code which was not often turned there is negated, and the inputs that the solver finds take the
place of the run's constants.  Comparisons that guard a branch are also asked for their boundary:
equal operands, and one step on either side.

Invariant: what is proposed is run like any other proposal, on plain values; nothing that was
followed is believed.  Which branches are turned depends on the runs alone, in their order.

Source: JTESTCRAFT, section 3.1; in place of a tree over all runs, places of the code that are
turned a bounded number of times.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.concolic.symbolic_inputs import filled, kind_of, packed
from unitcraft.explore.execution import readable as writable
from unitcraft.solve.protocol import Query, Sat
from unitcraft.solve.readable.readable_values import readable
from unitcraft.symbolic.terms.term import SAME, evaluate

if TYPE_CHECKING:
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.execution import Execution
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.term import Constraint, Kind

#: Times that one outcome of one place is asked for.
MOST_TURNS: Final = 4
#: Questions to the solver about one run, and events of a run that are looked at.
MOST_QUERIES: Final = 24
MOST_EVENTS: Final = 600
#: Inputs of a run that are followed; a program with more is left alone.
MOST_INPUTS: Final = 60

_ORDERS: Final = frozenset({"<", "<=", ">", ">="})


@dataclass(slots=True)
class Tally:
    """What turning came to, for reports and benchmarks."""

    followed: int = 0
    asked: int = 0
    solved: int = 0
    infeasible: int = 0
    unknown: int = 0
    diverged: int = 0


@dataclass(frozen=True, slots=True)
class Followed:
    """A run on proxies: the inputs, their kinds, what they met and where the code branched."""

    run: Execution
    values: tuple[Any, ...]
    kinds: tuple[Kind, ...]
    events: tuple[Constraint, ...]
    marks: tuple[tuple[int, int], ...]


class Turning:
    """Proposes Sequences that take other branches than the runs they are made from.

    Abstract state: how often each outcome of each place was asked for.
    """

    def __init__(self, pool: Pool, solver: Solver) -> None:
        self._pool = pool
        self._solver = solver
        self._asked: Counter[tuple[Any, ...]] = Counter()
        self.tally = Tally()

    def proposals(self, runs: list[Execution]) -> list[tuple[str, Sequence]]:
        """(Invocable, Sequence) for branches beside those that ``runs`` took."""
        made: list[tuple[str, Sequence]] = []
        for followed in self._follow(runs):
            made += [(followed.run.invocable, one) for one in self._turned(followed)]
        return made

    def _follow(self, runs: list[Execution]) -> list[Followed]:
        """``runs`` on proxies of their own constants."""
        programs = [(run, *packed(run.sequence)) for run in runs]
        programs = [one for one in programs if 0 < len(one[2]) <= MOST_INPUTS]
        items = [(calls, values) for _, calls, values in programs]
        found: list[Followed] = []
        for (run, _, values), reply in zip(programs, self._pool.map("follow", items), strict=True):
            if reply.value is None:
                continue
            self.tally.followed += 1
            _, events, _, marks = reply.value
            kinds = tuple([kind_of(value) for value in values])
            found.append(Followed(run, values, kinds, events[:MOST_EVENTS], marks))  # type: ignore[arg-type]
        return found

    def _turned(self, followed: Followed) -> list[Sequence]:
        made: list[Sequence] = []
        places = _places(followed)
        left = MOST_QUERIES
        for number in range(len(followed.events) - 1, -1, -1):
            for wish in _wishes(followed.events[number], followed.values):
                key = (followed.run.invocable, places[number], _sketch(wish))
                if not left or self._asked[key] >= MOST_TURNS:
                    continue
                self._asked[key] += 1
                left -= 1
                values = self._solved(followed, number, wish)
                if values is not None:
                    made.append(filled(followed.run.sequence, values))
        return made

    def _solved(self, followed: Followed, number: int, wish: Constraint) -> tuple[Any, ...] | None:
        constraints = (*followed.events[:number], wish)
        self.tally.asked += 1
        verdict = self._solver.solve(Query(constraints, followed.kinds, followed.values))
        if not isinstance(verdict, Sat):
            self.tally.infeasible += type(verdict).__name__ == "Unsat"
            self.tally.unknown += type(verdict).__name__ == "Unknown"
            return None
        self.tally.solved += 1
        values = readable(constraints, followed.kinds, verdict.values)
        return values if all(writable(Const(value)) for value in values) else None


def _places(followed: Followed) -> list[int]:
    """For each event the site that was marked next: the place of the code that it decided."""
    places = [-1] * len(followed.events)
    marks = iter(followed.marks)
    mark = next(marks, None)
    for number in range(len(places)):
        while mark is not None and mark[1] <= number:
            mark = next(marks, None)
        places[number] = mark[0] if mark is not None else -1
    return places


def _wishes(event: Constraint, values: tuple[Any, ...]) -> list[Constraint]:
    """The other outcomes of an event, and the boundary of a comparison of numbers."""
    term, outcome = event
    wishes: list[Constraint] = [(term, not outcome)]
    if term[0] in _ORDERS:
        kinds = {type(evaluate(part, values)) for part in term[1:]}
        if kinds <= {int, float}:
            wishes.append((("==", term[1], term[2]), True))
        if kinds == {int}:
            step = ("+", term[2], -1 if term[0] in ("<", ">=") else 1)
            wishes.append((("==", term[1], step), True))
    return wishes


def _sketch(wish: Constraint) -> tuple[Any, ...]:
    """What is asked for, without the inputs: the operation and the outcome."""
    term, outcome = wish
    return (term[0], outcome, repr(term[2]) if term[0] == SAME else "")
