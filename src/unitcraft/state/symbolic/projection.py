"""Projection of a path condition on the heap: inputs that left the heap are eliminated.

Invariant: the values that a SymbolicState allows in its slots lie in the union of ``over``, and
every vector in the union of ``under`` that satisfies ``residual`` too is one of them.  For
differences over unbounded ints, orders of floats and orders of texts the two are the same
unless elimination falls into too many parts.

Constraints outside the theories are kept as text: a *residual constraint* is a group of constraints
that share inputs which left the heap; equal ones demand the same of the heap.

Source: ROSTRA, "Removing Irrelevant Constraints"; differs: irrelevant constraints are not only
dropped, their consequences for the heap are kept.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from unitcraft.solve.differences.difference_bounds import DifferenceBounds
from unitcraft.solve.differences.linear import ZERO
from unitcraft.state.symbolic.difference_constraints import (
    Alternatives,
    DifferenceNode,
    Fact,
    Facts,
    kind_bounds,
)
from unitcraft.state.symbolic.elimination import Text, bracket_of, order_of_texts
from unitcraft.state.symbolic.residual_constraints import (
    InputAndOffset,
    ResidualConstraints,
    residual_of,
)
from unitcraft.state.symbolic.theory_split import TheorySplit
from unitcraft.state.symbolic.zones import Zone
from unitcraft.symbolic.terms.term import Kind


@dataclass(frozen=True, slots=True)
class Projection:
    """The demands on the slots: node k + 1 of every Zone is slot k, ``texts`` follow.

    ``residual`` are demands on the slots that only equal text is known to satisfy.
    ``key`` is the same for projections that were found the same by syntax.
    """

    over: tuple[Zone, ...]
    under: tuple[Zone, ...]
    residual: frozenset[bytes]
    texts: tuple[Text, ...]
    key: Hashable


def project_state(reading: TheorySplit) -> Projection:
    """The Projection, on its slots, of the state that was read."""
    residual = residual_of(
        reading.state.slots,
        reading.places,
        reading.state.kinds,
        reading.understood,
        reading.opaque,
    )
    return _assemble(reading.state.kinds, reading.places, reading.facts, residual)


def _assemble(
    kinds: Sequence[Kind],
    places: Sequence[InputAndOffset | None],
    facts: Sequence[Alternatives],
    residual: ResidualConstraints,
) -> Projection:
    """Lay out the nodes (inputs, slots that are no plain input, constant texts) and project."""
    fixed, kept = _slot_nodes(places, len(kinds))
    named = {name for found in facts for part in found for name in _nodes_in(part)}
    inputs = sorted(
        {name for name in named if isinstance(name, int)}.union(
            place[0] for place in places if place is not None
        )
        - {ZERO}
    )
    fixed += [fact for number in inputs for fact in kind_bounds(number, kinds[number])]
    texts = texts_of(named.union(_nodes_in(Facts(tuple(fixed)))))
    nodes = [*inputs, *(name for name in kept if name >= len(kinds)), *texts]
    known = (Facts((*fixed, *order_of_texts(texts))),)
    kept_nodes: list[DifferenceNode] = [*kept, *texts]
    bracket = bracket_of([known, *facts], nodes, kept_nodes)
    under = bracket.under
    if residual.apart:
        some = [found for at, found in enumerate(facts) if at not in residual.apart]
        under = bracket_of([known, *some], nodes, kept_nodes).under
    key = residual.texts, texts, _key(bracket.over), None if under is bracket.over else _key(under)
    return Projection(bracket.over, under, residual.texts, texts, key)


def _slot_nodes(
    places: Sequence[InputAndOffset | None], first: int
) -> tuple[list[Fact], list[int]]:
    """Facts tying slots to inputs; the node of each slot, its input or one from ``first`` on."""
    fixed: list[Fact] = []
    kept: list[int] = []
    for number, place in enumerate(places):
        if place is not None and place[0] != ZERO and not place[1]:
            kept.append(place[0])
            continue
        kept.append(first + number)
        if place is not None:
            fixed += [(first + number, place[0], place[1]), (place[0], first + number, -place[1])]
    return fixed, kept


def _nodes_in(facts: Facts) -> list[DifferenceNode]:
    return [name for found in facts for fact in found for name in fact[:2]]


def texts_of(nodes: Iterable[DifferenceNode]) -> tuple[Text, ...]:
    """The constant texts among ``nodes``, ascending, bytes first."""
    texts = {node for node in nodes if not isinstance(node, int)}
    return tuple(sorted(texts, key=lambda text: (type(text).__name__, text)))


def _key(zones: tuple[Zone, ...]) -> Hashable:
    return tuple((zone.bounds.close(), zone.unequal) for zone in zones)


def add_text_nodes(projection: Projection, texts: Iterable[Text]) -> Projection:
    """The same Projection with nodes for more constant texts."""
    wanted = texts_of(texts)
    if wanted == projection.texts:
        return projection
    over = tuple(_zone_with_texts(zone, projection.texts, wanted) for zone in projection.over)
    same = projection.under is projection.over
    under = tuple(_zone_with_texts(zone, projection.texts, wanted) for zone in projection.under)
    return replace(projection, over=over, under=over if same else under, texts=wanted)


def _zone_with_texts(zone: Zone, texts: tuple[Text, ...], wanted: tuple[Text, ...]) -> Zone:
    slots = zone.bounds.variables - len(texts)
    number = {text: slots + at for at, text in enumerate(wanted, 1)}
    new = [*range(slots + 1), *(number[text] for text in texts)]
    bounds = DifferenceBounds(slots + len(wanted))
    for i, at in enumerate(new):
        for j, to in enumerate(new):
            high = zone.bounds.bound(i, j)
            if i != j and isinstance(high, int):
                bounds.add(at, to, high)
    order = [(number[x], number[y], c) for x, y, c in order_of_texts(wanted)]  # type: ignore[index]
    return Zone(bounds).within(order, [(new[i], new[j], c) for i, j, c in zone.unequal]) or zone
