"""Drops the constraints of a path condition that the other constraints imply.

Invariant: the constraints that are kept imply all that were given; a constraint that difference
logic cannot show to be implied is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from unitcraft.solve.differences.difference_logic import DifferenceLogic
from unitcraft.solve.independence import Independence
from unitcraft.solve.layer import End
from unitcraft.solve.protocol import Query, Unsat
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import OK, RAISES, SAME

if TYPE_CHECKING:
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.term import Constraint, Kind

#: Constraints of the longest condition that is simplified: one solver call each; of a longer
#: condition only repeats are dropped.
MAX_CONSTRAINTS: Final = 60
#: Constraints of the longest clash that is minimised: one solver call each.
MAX_CLASHING: Final = 12


def drop_implied(
    constraints: Sequence[Constraint], kinds: tuple[Kind, ...], values: tuple[Any, ...]
) -> tuple[Constraint, ...]:
    """``constraints``, which ``values`` satisfy, without repeats and implied ones."""
    kept = list({repr(one): one for one in constraints}.values())
    raising = [one[0][1][1] for one in kept if _names_an_error(one)]
    kept = [one for one in kept if not (one[0][0] == OK and one[0][1] in raising)]
    if "float" not in kinds:  # a float may be none that is equal to itself
        kept = [one for one in kept if not _compares_a_term_with_itself(one)]
    if len(kept) > MAX_CONSTRAINTS:
        return tuple(kept)
    statistics = Statistics()
    solver = Independence(DifferenceLogic(End(statistics), statistics))
    plain = [one for one in kept if solver_reads(solver, one, kinds, values)]
    for one in list(plain):
        others = [other for other in plain if other is not one]
        denied = (one[0], not one[1])
        if isinstance(solver.solve(Query((*others, denied), kinds, values)), Unsat):
            plain = others
            kept = [other for other in kept if other is not one]
    return tuple(kept)


def _compares_a_term_with_itself(constraint: Constraint) -> bool:
    """Is it true of any input, as of one object that is given twice?"""
    return constraint[0][0] in ("==", "!=") and constraint[0][1] == constraint[0][2]


def _names_an_error(constraint: Constraint) -> bool:
    """Does the constraint name the error that an operation raises?"""
    term, outcome = constraint
    return bool(outcome and term[0] == SAME and type(term[1]) is tuple and term[1][0] == RAISES)


def solver_reads(
    solver: Solver, constraint: Constraint, kinds: tuple[Kind, ...], values: tuple[Any, ...]
) -> bool:
    """Does ``solver`` understand ``constraint``?"""
    return type(solver.solve(Query((constraint,), kinds, values))).__name__ != "Unknown"


def find_clash(
    constraints: tuple[Constraint, ...],
    kinds: tuple[Kind, ...],
    values: tuple[Any, ...],
    solver: Solver,
) -> tuple[Constraint, ...]:
    """Constraints that exclude each other, the last of ``constraints`` at the end.

    ``values`` satisfy all but the last.  () when they are not shown to clash.
    """
    verdict = solver.solve(Query(constraints, kinds, values))
    if not isinstance(verdict, Unsat):
        return ()
    last = constraints[-1]
    found = [constraints[number] for number in verdict.core if number != len(constraints) - 1]
    if not verdict.core:
        found = list({repr(one): one for one in constraints[:-1]}.values())
    for one in list(found) if len(found) <= MAX_CLASHING else ():
        fewer = [other for other in found if other is not one]
        if isinstance(solver.solve(Query((*fewer, last), kinds, values)), Unsat):
            found = fewer
    return (*found, last)
