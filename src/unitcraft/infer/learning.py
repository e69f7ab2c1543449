"""One round of learning: the laws that hold on a universe, none of which follows from the others.

Invariant: what is learned depends on the universe alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.conditional_laws import ConditionalSearch, NearLaw
from unitcraft.infer.algebraic.confirmation import is_outcome
from unitcraft.infer.algebraic.enumeration import Enumeration, variables_of
from unitcraft.infer.algebraic.generalization import generalize, passes_observers
from unitcraft.infer.algebraic.guards import atoms_for, fixed_observers, guard_observers
from unitcraft.infer.algebraic.interest import MAX_BURDEN, burden
from unitcraft.infer.algebraic.law_terms import Apply, Law, TermOrder, match, size
from unitcraft.infer.algebraic.term_vectors import Rows
from unitcraft.infer.algebraic.two_objects import ObjectLaws
from unitcraft.infer.axiomatic.observer_definitions import ObserverDefinitions
from unitcraft.infer.axiomatic.value_laws import ValueLaws
from unitcraft.infer.derivation.pruning import without_consequences
from unitcraft.infer.universe.values import UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from unitcraft.infer.algebraic.enumeration import Enumerated
    from unitcraft.infer.algebraic.law_terms import Term, Var
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.universes import Universe

#: Rows to learn from: each term is evaluated on all of them.
MAX_ROWS: Final = 500
#: Calls of a law in which only the names of variables may not differ: an observer after two calls.
MIN_RENAMED: Final = 3


@dataclass(frozen=True, slots=True)
class Learned:
    """The laws of one round, candidates still, and the rows on which they hold."""

    laws: list[Law]
    near: list[NearLaw]
    rows: Rows
    search: ConditionalSearch


def learn(universe: Universe, profiles: Sequence[Profile]) -> Learned:
    """All laws that hold on ``universe``."""
    sorts = [one.sorts for one in universe.table.operations if not one.is_constructor]
    rows = Rows(universe, variables_of(sorts), MAX_ROWS)
    order = order_of(profiles)
    terms = Enumeration(rows, profiles, order).run()
    observers = guard_observers(terms.values, [one.is_observer for one in profiles])
    fixed = fixed_observers(rows, terms.states, observers)
    _add_objects(terms, rows, profiles, order)
    search = ConditionalSearch(rows, profiles, terms, (observers, fixed), order)
    guarded = search.run()
    answers = [one for one in terms.values if one not in observers and size(one) == 1]
    defined = ObserverDefinitions(rows, observers, fixed, answers).run()
    meant = {law.left for law in defined}
    cases = [law for law in guarded.laws if law.left not in meant]
    laws = [*[law for law in terms.laws if not _is_renaming(law)], *defined, *cases]
    shown = ValueLaws(rows, profiles, terms.values, terms.states, laws)
    laws += shown.run(atoms_for(rows, (), observers, fixed))
    laws = [law for law in generalize(laws, rows) if not passes_observers(law)]
    values = universe.table.values
    laws = [law for law in laws if burden(law, order, values) <= MAX_BURDEN]
    return Learned(laws, guarded.near, rows, search)


def _add_objects(
    terms: Enumerated, rows: Rows, profiles: Sequence[Profile], order: TermOrder
) -> None:
    """Add the laws of two objects to ``terms``; those not defined everywhere as partial."""
    for law in ObjectLaws(rows, profiles, terms.values).run():
        left, right = sorted((law.left, law.right), key=order, reverse=True)
        if UNDEFINED in rows.vector(left):
            terms.partial.append((left, right))
        else:
            terms.laws.append(Law(left, right))


def _is_renaming(law: Law) -> bool:
    """Is the right side the left one with other variables?  Such a law says next to nothing."""
    found: dict[Var, Term] = {}
    return size(law.left) >= MIN_RENAMED and match(law.left, law.right, found)


def prune(
    laws: Sequence[Law], rows: Rows, profiles: Sequence[Profile], standing: Collection[Law] = ()
) -> list[Law]:
    """``laws`` without those that follow from the others; ``standing`` did not from more.

    The smaller ones come first.
    """
    order = order_of(profiles)
    ordered = sorted(dict.fromkeys(laws), key=order.of_law)
    lines = [(law,) for law in ordered]
    alone = {(law,) for law in standing}
    left = without_consequences(lines, lambda _: rows, order, standing=alone, is_final=False)
    return [law for (law,) in left]


def order_of(profiles: Sequence[Profile]) -> TermOrder:
    """The order of terms by which rules are turned."""
    return TermOrder([one.is_mutator for one in profiles])


def relaxed(laws: Iterable[Law]) -> list[Law]:
    """The equations of ``laws`` without their conditions: a fault may be why they need one.

    That a call returns is no condition on what it does, and what it raises is decided by one.

    Source: MUTUAL, "Experimental Results", precondition guard removal.
    """
    found = (
        Law(one.left, one.right)
        for one in laws
        if one.guard.atoms and not any(map(is_outcome, one.guard.atoms))
        and not (isinstance(one.left, Apply) and one.left.part == "outcome")
    )  # fmt: skip
    return list(dict.fromkeys(found))
