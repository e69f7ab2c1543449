"""Building the Zones of a path condition, and eliminating the inputs that left the heap.

Invariant: the vectors of the inputs that satisfy the facts, projected on the kept names, lie
in the union of ``over`` and contain the union of ``under``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from unitcraft.solve.differences.difference_bounds import DifferenceBounds
from unitcraft.solve.differences.linear import ZERO, Edge
from unitcraft.state.symbolic.difference_constraints import (
    FAR,
    Alternatives,
    DifferenceNode,
    Fact,
    Facts,
    text_distance,
)
from unitcraft.state.symbolic.zones import MAX_PARTS, Zone, eliminate, zone_of

#: A constant text, as a node of its own.
Text = str | bytes


@dataclass(frozen=True, slots=True)
class Bracket:
    """Two unions of Zones; ``over`` contains ``under``, and they are one object when equal."""

    over: tuple[Zone, ...]
    under: tuple[Zone, ...]


EMPTY_BRACKET = Bracket((), ())


def bracket_of(
    facts: Sequence[Alternatives], names: Sequence[DifferenceNode], kept: Sequence[DifferenceNode]
) -> Bracket:
    """The projection of ``facts``, all of which hold, on ``kept``, nodes 1, 2, ... in that order.

    ``names`` are all nodes except ``ZERO``; ``kept`` may repeat one.
    """
    index = {name: at for at, name in enumerate([ZERO, *names])}
    single = [found[0] for found in facts if len(found) == 1]
    several = [found for found in facts if len(found) > 1]
    if len(single) + len(several) < len(facts):
        return EMPTY_BRACKET
    bounds, unequal = _edges(single, index)
    start = zone_of(DifferenceBounds(len(names)), bounds, unequal)
    if start is None:
        return EMPTY_BRACKET
    bracket = _exact_bracket((start,))
    gone = [name for name in names if name not in kept]
    if several:
        bracket, names = _add_disjunctions(bracket, several, list(names), gone)
        index = {name: at for at, name in enumerate([ZERO, *names])}
        gone = [name for name in gone if name in index]
    bracket = _eliminate(bracket, [index[name] for name in gone])
    return _project(bracket, [index[name] for name in kept])


def order_of_texts(texts: Iterable[Text]) -> tuple[Fact, ...]:
    """Facts between constant texts: the distances of neighbours."""
    facts: list[Fact] = []
    for kind in (str, bytes):
        for low, high in pairwise(sorted(text for text in texts if type(text) is kind)):
            steps = text_distance(low, high)
            facts.append((low, high, -steps))
            if steps != FAR:
                facts.append((high, low, steps))
    return tuple(facts)


def _edges(
    facts: Iterable[Facts], index: dict[DifferenceNode, int]
) -> tuple[list[Edge], list[Edge]]:
    bounds: list[Edge] = []
    unequal: list[Edge] = []
    for found in facts:
        bounds += [(index[i], index[j], c) for i, j, c in found.bounds]
        unequal += [(index[i], index[j], c) for i, j, c in found.unequal]
    return bounds, unequal


def _add_disjunctions(
    bracket: Bracket,
    several: Sequence[Alternatives],
    names: list[DifferenceNode],
    gone: Sequence[DifferenceNode],
) -> tuple[Bracket, list[DifferenceNode]]:
    """Add disjunctions one by one; an input is eliminated after the last one that mentions it."""
    last = {name: at for at, found in enumerate(several) for name in _nodes_in(found)}
    for at, found in enumerate(several):
        index = {name: number for number, name in enumerate([ZERO, *names])}
        alternatives = [_edges([facts], index) for facts in found]
        over, under = bracket.over, bracket.under
        exact = over is under and len(over) * len(alternatives) <= MAX_PARTS
        narrowed = _narrow(under, alternatives if exact else alternatives[:1])
        bracket = Bracket(narrowed if exact else over, narrowed)
        done = [name for name in gone if last.get(name) == at]
        bracket = _eliminate(bracket, [index[name] for name in done])
        names = [name for name in names if name not in done]
        bracket = _on_both(_project(bracket, [index[name] for name in names]), _drop_contained)
    return bracket, names


def _nodes_in(alternatives: Alternatives) -> list[DifferenceNode]:
    facts = [fact for found in alternatives for part in found for fact in part]
    return [name for fact in facts for name in fact[:2]]


def _narrow(
    zones: Iterable[Zone], alternatives: Sequence[tuple[list[Edge], list[Edge]]]
) -> tuple[Zone, ...]:
    result: list[Zone] = []
    for zone in zones:
        if any(_satisfies(zone, *edges) for edges in alternatives):
            result.append(zone)
        else:
            parts = (zone.within(*edges) for edges in alternatives)
            result += [part for part in parts if part is not None]
    return tuple(result)


def _satisfies(zone: Zone, bounds: list[Edge], unequal: list[Edge]) -> bool:
    return all(zone.bounds.bound(i, j) <= c for i, j, c in bounds) and all(map(zone.lacks, unequal))


def _exact_bracket(zones: Iterable[Zone]) -> Bracket:
    both = tuple(zones)
    return Bracket(both, both)


def _on_both(bracket: Bracket, change: Callable[[tuple[Zone, ...]], Iterable[Zone]]) -> Bracket:
    if bracket.over is bracket.under:
        return _exact_bracket(change(bracket.over))
    return Bracket(tuple(change(bracket.over)), tuple(change(bracket.under)))


def _eliminate(bracket: Bracket, nodes: Sequence[int]) -> Bracket:
    """Eliminate ``nodes`` from all disequalities."""
    if not any(zone.unequal for zone in bracket.over + bracket.under):
        return bracket
    over = [eliminate(zone, nodes) for zone in bracket.over]
    same = bracket.over is bracket.under
    if same and all(larger is smaller for larger, smaller in over):
        return _exact_bracket(zone for larger, _ in over for zone in larger)
    under = over if same else [eliminate(zone, nodes) for zone in bracket.under]
    return Bracket(
        tuple(zone for larger, _ in over for zone in larger),
        tuple(zone for _, smaller in under for zone in smaller),
    )


def _project(bracket: Bracket, nodes: Sequence[int]) -> Bracket:
    return _on_both(bracket, lambda zones: [zone.onto(nodes) for zone in zones])


def _drop_contained(zones: Sequence[Zone]) -> list[Zone]:
    """Without Zones that lie in another one."""
    result: list[Zone] = []
    for zone in zones:
        if not any(zone.implies(other) for other in result):
            result = [other for other in result if not other.implies(zone)]
            result.append(zone)
    return result
