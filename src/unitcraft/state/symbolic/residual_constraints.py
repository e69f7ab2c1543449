"""Constraints that no theory expresses, kept as text that two states may share.

Invariant: a state satisfies its residual constraints; the text of one mentions slots, and inputs
that no other mentions, so that equal texts of two states demand the same of the heap.

Source: ROSTRA, "Syntactic Comparison"; differs: used only for
constraints that cannot be compared by implication.
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
    substitute,
    variables_of,
)

#: The input (or ZERO) that a slot holds and how much is added to it.
InputAndOffset = tuple[int, int]

#: The operation of a slot in the text of a residual constraint.
_SLOT: Final = "slot"
#: The operation of an input that left the heap, in such a text.
_GONE: Final = "gone"


@dataclass(frozen=True, slots=True)
class ResidualConstraints:
    """The texts, and the indexes of the understood constraints that they contain."""

    texts: frozenset[bytes]
    apart: frozenset[int]


NO_RESIDUAL: Final = ResidualConstraints(frozenset(), frozenset())


def residual_of(
    slots: Sequence[Term],
    places: Sequence[InputAndOffset | None],
    kinds: Sequence[Kind],
    understood: Sequence[Constraint],
    opaque: Sequence[Constraint],
) -> ResidualConstraints:
    """The residue of ``opaque`` constraints and of slots whose term no Zone expresses."""
    demands = [*opaque, *demands_of(slots, places, kinds)]
    if not demands:
        return NO_RESIDUAL
    names = names_of(places)
    constraints = [*understood, *demands]
    groups = _group_by_inputs(constraints, names)
    demanding = set(groups[len(understood) :]) - {UNTIED}
    members: dict[int, list[Constraint]] = {}
    for at, constraint in enumerate(constraints):
        group = groups[at]
        if group in demanding:
            members.setdefault(group, []).append(constraint)
    texts = [
        _canonical_text(found, names) for found in members.values() if _mentions_heap(found, names)
    ]
    for constraint, group in zip(demands, groups[len(understood) :], strict=True):
        if group == UNTIED and _mentions_heap([constraint], names):
            texts.append(_canonical_text([constraint], names))
    apart = (at for at in range(len(understood)) if groups[at] in members)
    return ResidualConstraints(frozenset(texts), frozenset(apart))


#: The group of constraints that mention no input that left the heap.
UNTIED: Final = -1


def namers_of(places: Sequence[InputAndOffset | None]) -> dict[int, int]:
    """For each input that is in the heap the first slot that holds it."""
    first: dict[int, int] = {}
    for number, place in enumerate(places):
        if place is not None and place[0] != ZERO:
            first.setdefault(place[0], number)
    return first


def names_of(places: Sequence[InputAndOffset | None]) -> dict[int, Term]:
    """The term for an input that is in the heap: its slot, less what was added there."""
    names: dict[int, Term] = {}
    for held, number in namers_of(places).items():
        place, slot = places[number], (_SLOT, number)
        names[held] = ("-", slot, place[1]) if place is not None and place[1] else slot
    return names


def demands_of(
    slots: Sequence[Term], places: Sequence[InputAndOffset | None], kinds: Sequence[Kind]
) -> Iterable[Constraint]:
    """Slots whose term no Zone expresses, and floats that are in two slots (zeros differ)."""
    seen: dict[int, int] = {}
    for number, (term, place) in enumerate(zip(slots, places, strict=True)):
        if place is None:
            yield (SAME, (_SLOT, number), term), True
        elif place[0] != ZERO and kinds[place[0]] == "float":
            first = seen.setdefault(place[0], number)
            if first != number:
                yield (SAME, (_SLOT, first), (_SLOT, number)), True


def demands_over_slots(
    condition: Iterable[Constraint], slots: Sequence[Term], places: Sequence[InputAndOffset | None]
) -> list[Constraint] | None:
    """The demands of a state in terms of slots; None if one mentions an input that left the heap.

    The demands are the condition, and the term of every slot that does not name an input.
    """
    names, namers = names_of(places), set(namers_of(places).values())
    held = enumerate(slots)
    demands: list[Constraint] = [
        ((SAME, (_SLOT, at), term), True) for at, term in held if at not in namers
    ]
    demands += list(condition)
    if any(number not in names for term, _ in demands for number in variables_of(term)):
        return None
    return [_rename_inputs(demand, names) for demand in demands]


def fill_slots(term: Term, slots: Sequence[Term]) -> Term:
    """``term`` with the terms in ``slots`` for the slots that it mentions."""
    if type(term) is not tuple:
        return term
    if term[0] == _SLOT:
        return slots[term[1]]
    return (term[0], *[fill_slots(part, slots) for part in term[1:]])


def _group_by_inputs(constraints: Sequence[Constraint], names: dict[int, Term]) -> list[int]:
    """For each constraint the least input that left the heap to which it is tied, or ``UNTIED``."""
    leader: dict[int, int] = {}
    gone: list[list[int]] = []
    for term, _ in constraints:
        found = [number for number in variables_of(term) if number not in names]
        gone.append(found)
        for number in found:
            first, second = _leader_of(leader, found[0]), _leader_of(leader, number)
            leader[max(first, second)] = min(first, second)
    return [_leader_of(leader, found[0]) if found else UNTIED for found in gone]


def _leader_of(leader: dict[int, int], number: int) -> int:
    while leader.setdefault(number, number) != number:
        number = leader[number]
    return number


def _mentions_heap(constraints: Iterable[Constraint], names: dict[int, Term]) -> bool:
    """Is the heap mentioned?  If not, the constraints hold already: the state has inputs."""
    return any(
        _mentions_slot(term) or any(number in names for number in variables_of(term))
        for term, _ in constraints
    )


def _mentions_slot(term: Term) -> bool:
    return type(term) is tuple and (term[0] == _SLOT or any(map(_mentions_slot, term[1:])))


def _canonical_text(constraints: Iterable[Constraint], names: dict[int, Term]) -> bytes:
    """The constraints in an order, and with names for gone inputs, that depend on them alone."""
    found = list(constraints)
    masked = {number: (_GONE,) for term, _ in found for number in _in_order(term)} | names
    ordered = sorted(found, key=lambda c: dumps(_rename_inputs(c, masked), MARSHAL_VERSION))
    numbered = dict(names)
    for term, _ in ordered:
        for number in _in_order(term):
            if number not in numbered:
                numbered[number] = (_GONE, len(numbered))
    return dumps([_rename_inputs(found, numbered) for found in ordered], MARSHAL_VERSION)


def _rename_inputs(constraint: Constraint, names: dict[int, Term]) -> Constraint:
    return substitute(constraint[0], names), constraint[1]


def _in_order(term: Term) -> Iterable[int]:
    """The inputs of ``term`` from left to right, repeats included."""
    if type(term) is tuple:
        if term[0] == VARIABLE:
            yield term[1]
        else:
            for part in term[1:]:
                yield from _in_order(part)
