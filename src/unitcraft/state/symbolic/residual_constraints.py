"""What no theory understands, kept as text that two states may share.

Invariant: a state satisfies its units; a unit speaks of slots and of inputs of its own, so that
two states with one unit in common demand the same of the heap there, whatever else they demand.

Source: ROSTRA, "Syntactic Comparison"; differs: only what cannot be compared better is compared so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from marshal import dumps
from typing import Final

from unitcraft.solve.differences.linear import ZERO
from unitcraft.state.heap.canonical import MARSHAL_VERSION
from unitcraft.symbolic.terms.term import (
    SAME,
    VARIABLE,
    Constraint,
    Kind,
    Term,
    substituted,
    variables_of,
)

#: The input (or ZERO) that a slot holds and how much is added to it.
SlotOf = tuple[int, int]

#: Operations of the text of units: a slot, an input that is no longer in the heap.
_SLOT: Final = "slot"
_GONE: Final = "gone"


@dataclass(frozen=True, slots=True)
class Units:
    """The texts, and which of the understood constraints (by index) they contain."""

    texts: frozenset[bytes]
    apart: frozenset[int]


NO_UNITS: Final = Units(frozenset(), frozenset())


def units_of(
    slots: Sequence[Term],
    places: Sequence[SlotOf | None],
    kinds: Sequence[Kind],
    understood: Sequence[Constraint],
    opaque: Sequence[Constraint],
) -> Units:
    """The units of ``opaque`` constraints and of slots that have no place in a Zone."""
    demands = [*opaque, *demands_of(slots, places, kinds)]
    if not demands:
        return NO_UNITS
    names = names_of(places)
    constraints = [*understood, *demands]
    groups = _groups(constraints, names)
    demanding = set(groups[len(understood) :]) - {ALONE}
    members: dict[int, list[Constraint]] = {}
    for at, constraint in enumerate(constraints):
        group = groups[at]
        if group in demanding:
            members.setdefault(group, []).append(constraint)
    texts = [_text(found, names) for found in members.values() if _reaches(found, names)]
    for constraint, group in zip(demands, groups[len(understood) :], strict=True):
        if group == ALONE and _reaches([constraint], names):
            texts.append(_text([constraint], names))
    apart = (at for at in range(len(understood)) if groups[at] in members)
    return Units(frozenset(texts), frozenset(apart))


#: The group of constraints that speak of no input that left the heap.
ALONE: Final = -1


def namers_of(places: Sequence[SlotOf | None]) -> dict[int, int]:
    """For each input that is in the heap the first slot that holds it."""
    first: dict[int, int] = {}
    for number, place in enumerate(places):
        if place is not None and place[0] != ZERO:
            first.setdefault(place[0], number)
    return first


def names_of(places: Sequence[SlotOf | None]) -> dict[int, Term]:
    """What to write for an input that is in the heap: its slot, less what was added there."""
    names: dict[int, Term] = {}
    for held, number in namers_of(places).items():
        place, slot = places[number], (_SLOT, number)
        names[held] = ("-", slot, place[1]) if place is not None and place[1] else slot
    return names


def demands_of(
    slots: Sequence[Term], places: Sequence[SlotOf | None], kinds: Sequence[Kind]
) -> Iterable[Constraint]:
    """Slots that hold what no Zone can say, and floats that are in two slots (zeros differ)."""
    seen: dict[int, int] = {}
    for number, (term, place) in enumerate(zip(slots, places, strict=True)):
        if place is None:
            yield (SAME, (_SLOT, number), term), True
        elif place[0] != ZERO and kinds[place[0]] == "float":
            first = seen.setdefault(place[0], number)
            if first != number:
                yield (SAME, (_SLOT, first), (_SLOT, number)), True


def on_slots(
    condition: Iterable[Constraint], slots: Sequence[Term], places: Sequence[SlotOf | None]
) -> list[Constraint] | None:
    """All that a state demands, said of slots; None when it speaks of an input that left the heap.

    The demands are the condition, and for every slot that does not name an input what it holds.
    """
    names, namers = names_of(places), set(namers_of(places).values())
    held = enumerate(slots)
    demands: list[Constraint] = [
        ((SAME, (_SLOT, at), term), True) for at, term in held if at not in namers
    ]
    demands += list(condition)
    if any(number not in names for term, _ in demands for number in variables_of(term)):
        return None
    return [_renamed(demand, names) for demand in demands]


def filled(term: Term, slots: Sequence[Term]) -> Term:
    """``term``, which speaks of slots, said of what is in them."""
    if type(term) is not tuple:
        return term
    if term[0] == _SLOT:
        return slots[term[1]]
    return (term[0], *[filled(part, slots) for part in term[1:]])


def _groups(constraints: Sequence[Constraint], names: dict[int, Term]) -> list[int]:
    """For each constraint the least input that left the heap to which it is tied, or ``ALONE``."""
    leader: dict[int, int] = {}
    gone: list[list[int]] = []
    for term, _ in constraints:
        found = [number for number in variables_of(term) if number not in names]
        gone.append(found)
        for number in found:
            first, second = _root(leader, found[0]), _root(leader, number)
            leader[max(first, second)] = min(first, second)
    return [_root(leader, found[0]) if found else ALONE for found in gone]


def _root(leader: dict[int, int], number: int) -> int:
    while leader.setdefault(number, number) != number:
        number = leader[number]
    return number


def _reaches(constraints: Iterable[Constraint], names: dict[int, Term]) -> bool:
    """Is the heap spoken of?  If not, the constraints are kept already."""
    return any(
        _mentions_slot(term) or any(number in names for number in variables_of(term))
        for term, _ in constraints
    )


def _mentions_slot(term: Term) -> bool:
    return type(term) is tuple and (term[0] == _SLOT or any(map(_mentions_slot, term[1:])))


def _text(constraints: Iterable[Constraint], names: dict[int, Term]) -> bytes:
    """The constraints in an order, and with names for gone inputs, that depend on them alone."""
    found = list(constraints)
    masked = {number: (_GONE,) for term, _ in found for number in _in_order(term)} | names
    ordered = sorted(found, key=lambda c: dumps(_renamed(c, masked), MARSHAL_VERSION))
    numbered = dict(names)
    for term, _ in ordered:
        for number in _in_order(term):
            if number not in numbered:
                numbered[number] = (_GONE, len(numbered))
    return dumps([_renamed(found, numbered) for found in ordered], MARSHAL_VERSION)


def _renamed(constraint: Constraint, names: dict[int, Term]) -> Constraint:
    return substituted(constraint[0], names), constraint[1]


def _in_order(term: Term) -> Iterable[int]:
    """The inputs of ``term`` from left to right, repeats included."""
    if type(term) is tuple:
        if term[0] == VARIABLE:
            yield term[1]
        else:
            for part in term[1:]:
                yield from _in_order(part)
