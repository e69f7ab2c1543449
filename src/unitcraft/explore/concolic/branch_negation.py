"""Branch negation: repeat a kept run on proxies, negate its branches, and propose the inputs.

A run that reached a new Goal is repeated once with its constants as symbolic inputs.  Each branch
of its path condition is negated, unless that was tried often enough at this site, and the inputs
that the solver finds replace the constants of the run.  A comparison of numbers is also solved for
its boundary: equal operands, and the neighbouring integer.

Invariant: a proposal is run like any other, on plain values; nothing is concluded from the run on
proxies.  Which branches are negated depends on the runs alone, in their order.

Source: JTESTCRAFT, section 3.1; differs: no tree over all runs, each outcome of a site is negated
a bounded number of times, so a feasible branch may be missed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs, kind_of, pack_program
from unitcraft.explore.execution import is_readable
from unitcraft.solve.protocol import Query, Sat
from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.symbolic.terms.term import SAME, evaluate

if TYPE_CHECKING:
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.execution import Execution
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.term import Constraint, Kind

#: Times that one outcome of one site is asked for, over all runs of an Invocable.
MAX_NEGATIONS: Final = 4
#: Questions to the solver about one run.
MAX_QUERIES: Final = 24
#: Events of a run that are looked at, from the first; later branches are not negated.
MAX_EVENTS: Final = 600
#: Symbolic inputs of a run; a run with more constants is not repeated.
MAX_INPUTS: Final = 60

#: Comparisons that have a boundary.
_ORDERS: Final = frozenset({"<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class ConcolicRun:
    """A run on proxies: its inputs, their kinds, its path condition and the sites it passed."""

    run: Execution
    values: tuple[Any, ...]
    kinds: tuple[Kind, ...]
    events: tuple[Constraint, ...]
    marks: tuple[tuple[int, int], ...]


class BranchNegation:
    """Proposes Sequences that take other branches than the runs they are made from.

    Abstract state: how often each outcome of each site was asked for.
    """

    def __init__(self, pool: Pool, solver: Solver) -> None:
        self._pool = pool
        self._solver = solver
        self._asked: Counter[tuple[Any, ...]] = Counter()

    def proposals(self, runs: list[Execution]) -> list[tuple[str, Sequence]]:
        """(Invocable, Sequence) for branches that ``runs`` passed and did not take."""
        made: list[tuple[str, Sequence]] = []
        for followed in self._follow(runs):
            made += [(followed.run.invocable, one) for one in self._negate_branches(followed)]
        return made

    def _follow(self, runs: list[Execution]) -> list[ConcolicRun]:
        """``runs`` on proxies of their own constants."""
        programs = [(run, *pack_program(run.sequence)) for run in runs]
        programs = [one for one in programs if 0 < len(one[2]) <= MAX_INPUTS]
        items = [(calls, values) for _, calls, values in programs]
        found: list[ConcolicRun] = []
        for (run, _, values), reply in zip(programs, self._pool.map("follow", items), strict=True):
            if reply.value is None:
                continue
            _, events, _, marks = reply.value
            kinds = tuple([kind_of(value) for value in values])
            found.append(ConcolicRun(run, values, kinds, events[:MAX_EVENTS], marks))  # type: ignore[arg-type]
        return found

    def _negate_branches(self, followed: ConcolicRun) -> list[Sequence]:
        made: list[Sequence] = []
        places = _decided_sites(followed)
        left = MAX_QUERIES
        for number in range(len(followed.events) - 1, -1, -1):
            for negation in _negations(followed.events[number], followed.values):
                key = (followed.run.invocable, places[number], _query_key(negation))
                if not left or self._asked[key] >= MAX_NEGATIONS:
                    continue
                self._asked[key] += 1
                left -= 1
                values = self._solve(followed, number, negation)
                if values is not None:
                    made.append(fill_inputs(followed.run.sequence, values))
        return made

    def _solve(
        self, followed: ConcolicRun, number: int, negation: Constraint
    ) -> tuple[Any, ...] | None:
        constraints = (*followed.events[:number], negation)
        verdict = self._solver.solve(Query(constraints, followed.kinds, followed.values))
        if not isinstance(verdict, Sat):
            return None
        values = make_readable(constraints, followed.kinds, verdict.values)
        return values if all(is_readable(Const(value)) for value in values) else None


def _decided_sites(followed: ConcolicRun) -> list[int]:
    """For each event the site that was marked next: the branch that the event decided, or -1."""
    places = [-1] * len(followed.events)
    marks = iter(followed.marks)
    mark = next(marks, None)
    for number in range(len(places)):
        while mark is not None and mark[1] <= number:
            mark = next(marks, None)
        places[number] = mark[0] if mark is not None else -1
    return places


def _negations(event: Constraint, values: tuple[Any, ...]) -> list[Constraint]:
    """The other outcomes of an event, and the boundary of a comparison of numbers."""
    term, outcome = event
    negations: list[Constraint] = [(term, not outcome)]
    if term[0] in _ORDERS:
        kinds = {type(evaluate(part, values)) for part in term[1:]}
        if kinds <= {int, float}:
            negations.append((("==", term[1], term[2]), True))
        if kinds == {int}:
            step = ("+", term[2], -1 if term[0] in ("<", ">=") else 1)
            negations.append((("==", term[1], step), True))
    return negations


def _query_key(negation: Constraint) -> tuple[Any, ...]:
    """The operation and the outcome that are asked for, whatever the inputs."""
    term, outcome = negation
    return (term[0], outcome, repr(term[2]) if term[0] == SAME else "")
