"""Projection: what a path condition says of the heap once the inputs that left it are gone.

Invariant: the values that a SymbolicState allows in its slots lie in the union of ``over``, and
every vector in the union of ``under`` that keeps the ``units`` too is one of them.  For
differences over unbounded ints, orders of floats and orders of texts the two are the same
unless elimination falls into too many parts.

What no theory understands is kept as text: a *unit* is a group of constraints that share
inputs which left the heap; two equal units demand the same of the heap.

Source: ROSTRA, "Removing Irrelevant Constraints"; differs: constraints are not only dropped, what
they imply of the heap is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unitcraft.solve.linear import ZERO, linear_of
from unitcraft.state.facts import Alternatives, Facts, Node, facts_of, integer_facts, limits
from unitcraft.state.space import Text, bracket_of, order_of_texts
from unitcraft.state.symbolic import SymbolicState
from unitcraft.state.units import SlotOf, Units, units_of
from unitcraft.state.zones import Zone
from unitcraft.symbolic.terms import VARIABLE, Constraint, Kind, Term, variables_of


@dataclass(frozen=True, slots=True)
class Projection:
    """What holds of the slots: node k + 1 of every Zone is slot k, ``texts`` follow.

    ``units`` are demands on the slots that only equal text fulfils.  ``key`` is the same for
    projections that were found the same by syntax.
    """

    over: tuple[Zone, ...]
    under: tuple[Zone, ...]
    units: frozenset[bytes]
    texts: tuple[Text, ...]
    key: Any


def projected(state: SymbolicState[Any]) -> Projection:
    """The Projection of ``state`` on its slots."""
    places = [place_of(term, state.kinds) for term in state.slots]
    plain = all(kind == "int" for kind in state.kinds)
    facts: list[Alternatives] = []
    understood: list[Constraint] = []
    opaque: list[Constraint] = []
    for constraint in state.condition:
        found = integer_facts(constraint) if plain else facts_of(constraint, state.kinds)
        if found is None:
            opaque.append(constraint)
        else:
            facts.append(found)
            understood.append(constraint)
    units = units_of(state.slots, places, state.kinds, understood, opaque)
    return _assembled(state.kinds, places, facts, units)


def place_of(term: Term, kinds: Sequence[Kind]) -> SlotOf | None:
    """The input that ``term`` is (or ``ZERO``) and what is added to it; None: another term."""
    if type(term) is not tuple:
        return (ZERO, term) if type(term) is int else None
    if term[0] == VARIABLE:
        return term[1], 0
    if any(kinds[number] != "int" for number in variables_of(term)):
        return None
    form = linear_of(term)
    if form is None:
        return None
    parts = [(number, factor) for number, factor in form[0].items() if factor]
    if not parts:
        return ZERO, form[1]
    return (parts[0][0], form[1]) if len(parts) == 1 and parts[0][1] == 1 else None


def _assembled(
    kinds: Sequence[Kind],
    places: Sequence[SlotOf | None],
    facts: list[Alternatives],
    units: Units,
) -> Projection:
    """Lay out the nodes: inputs, slots that are not simply an input, constant texts."""
    mentioned = sorted(
        {place[0] for place in places if place is not None and place[0] != ZERO}
        | {name for name in _named(facts) if type(name) is int and name != ZERO}  # type: ignore[misc]
    )
