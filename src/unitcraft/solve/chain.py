"""The chain of solvers, from the cheapest to the strongest.

Invariant: any layer may be taken out without making a Verdict wrong; only Unknowns change.

Source: KLEE, simplified: a chain of decorators with constraint independence and a counterexample
cache, as there; other solvers stand where KLEE asks its one SMT solver.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from unitcraft.solve.budget import MAX_TOTAL_WORK, Limits
from unitcraft.solve.cache import Cache
from unitcraft.solve.differences.difference_logic import DifferenceLogic
from unitcraft.solve.differences.lowering import Lowering
from unitcraft.solve.independence import Independence
from unitcraft.solve.inversion.repair import Repair
from unitcraft.solve.layer import End
from unitcraft.solve.local_search.alternating_variable import AlternatingVariable
from unitcraft.solve.local_search.finite_domains import FiniteDomains
from unitcraft.solve.protocol import Query, Sat, Solver, Verdict
from unitcraft.solve.smt.z3_layer import MAX_Z3_MILLISECONDS, MAX_Z3_WORK, Z3
from unitcraft.solve.statistics import Statistics
from unitcraft.solve.text_ends import TextEnds
from unitcraft.solve.total_orders import TotalOrders
from unitcraft.solve.validate import Validate
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.term import Constraint, Kind

#: Evaluated constraints of local search before z3 is asked: a try that costs less than z3.
MAX_EVALUATIONS_BEFORE: Final = 400

#: Evaluated constraints of local search after z3 did not know: nothing else is left to try.
MAX_EVALUATIONS_AFTER: Final = 6_000


@dataclass(slots=True)
class Chain:
    """The assembled solver; counts which layer answered."""

    first: Solver
    statistics: Statistics = field(default_factory=Statistics)

    def solve(self, query: Query) -> Verdict:
        """The Verdict on ``query``, whose hint satisfies all constraints but the last."""
        return self.first.solve(query)

    def search(self, constraints: Sequence[Constraint], kinds: Sequence[Kind]) -> Verdict:
        """The Verdict on ``constraints`` without a hint.

        Each Query has one constraint more than the one before, and its values for a hint.
        """
        values: tuple[Any, ...] = tuple([KINDS[kind].empty for kind in kinds])
        verdict: Verdict = Sat(values)
        for count in range(1, len(constraints) + 1):
            query = Query(tuple(constraints[:count]), tuple(kinds), values)
            verdict = self.solve(query)
            if type(verdict) is not Sat:
                break
            values = verdict.values
        return verdict


def chain(
    statistics: Statistics | None = None,
    *,
    strict: bool = False,
    work: int = MAX_Z3_WORK,
    cap: int = MAX_Z3_MILLISECONDS,
    after: int = MAX_EVALUATIONS_AFTER,
    total: int = MAX_TOTAL_WORK,
) -> Chain:
    """The solvers in order; each one answers or asks the next.

    Difference logic stands before the cache because it costs less than a key of the cache, lowering
    before independence because it costs less than the slice.

    Args:
        statistics: counts which layer answered; a fresh one by default.
        strict: raise on a wrong model instead of answering Unknown (for tests).
        work: z3's own units of work for one Query.
        cap: milliseconds for one Query of z3, whatever its work.
        after: evaluated constraints of local search after z3 did not know.
        total: nodes visited by all layers in all Queries; every later one is Unknown.
    """
    counts = statistics or Statistics()
    solver: Solver = End(counts)
    solver = AlternatingVariable(solver, counts, after, "local after z3")
    solver = Z3(solver, counts, work, cap)
    solver = AlternatingVariable(solver, counts, MAX_EVALUATIONS_BEFORE)
    solver = FiniteDomains(solver, counts)
    solver = TotalOrders(TextEnds(solver, counts), counts)
    solver = Repair(solver, counts)
    solver = Cache(solver, counts)
    solver = DifferenceLogic(solver, counts)
    solver = Independence(solver)
    solver = Lowering(solver, counts)
    solver = Limits(solver, counts, total)
    solver = Validate(solver, counts, strict=strict)
    return Chain(solver, counts)
