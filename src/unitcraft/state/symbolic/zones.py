"""Zones: integer vectors under a difference bound matrix and disequalities of differences.

Invariant: a Zone is not known to be empty, its bounds are closed, and no entry of ``unequal``
follows from the bounds or touches one (it would have tightened it).  ``is_covered`` answers True
only if it is proven; ``eliminate`` brackets a projection between two unions of Zones, which
are the same one when it is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import gt
from typing import Final, NamedTuple

from unitcraft.solve.differences.difference_bounds import DifferenceBounds
from unitcraft.solve.differences.linear import Edge

#: Zones that a projection or a comparison may be split into; beyond, a projection is approximated
#: and a comparison is not proven.
MAX_PARTS: Final = 64
#: Difference of neighbouring entries of sampled vectors, unless the bounds demand less.
SAMPLE_STEP: Final = 1 << 20
#: Zones that are tried together as a cover of another one.
MAX_COVER: Final = 8


@dataclass(frozen=True, slots=True)
class Zone:
    """The vectors within ``bounds`` with x_i - x_j != c for every (i, j, c) of ``unequal``.

    Nobody changes ``bounds`` once it is in a Zone; ``sampled`` is filled on demand.
    """

    bounds: DifferenceBounds
    unequal: tuple[Edge, ...] = ()
    sampled: list[tuple[int, ...]] = field(default_factory=list, repr=False, compare=False)

    def within(self, edges: Iterable[Edge], unequal: Iterable[Edge] = ()) -> Zone | None:
        """The part that satisfies further bounds and disequalities; None if it is empty."""
        bounds = self.bounds.copy()
        return zone_of(bounds, edges, [*self.unequal, *unequal])

    def onto(self, nodes: Sequence[int]) -> Zone:
        """The projection on ``nodes`` (1, 2, ... there) if ``unequal`` mentions no other."""
        if not self.unequal:
            return Zone(self.bounds.project(nodes))
        number = {node: at for at, node in enumerate([0, *nodes])}
        bounds = self.bounds.project(nodes)
        unequal = {_canonical_edge(bounds, (number[i], number[j], c)) for i, j, c in self.unequal}
        return Zone(bounds, tuple(sorted(unequal)))

    def holds(self, vector: Sequence[int]) -> bool:
        """Is ``vector`` (0 first) in this Zone?"""
        for value, row in zip(vector, self.bounds.close(), strict=True):
            if any(map(gt, map(value.__sub__, vector), row)):
                return False
        return all(vector[i] - vector[j] != c for i, j, c in self.unequal)

    def samples(self) -> list[tuple[int, ...]]:
        """A few vectors, spread up and down; a set that lacks one does not contain this Zone."""
        if not self.sampled:
            size = self.bounds.variables
            for step in (SAMPLE_STEP, -SAMPLE_STEP):
                values = self.bounds.model(range(step, (size + 1) * step, step)) or ()
                self.sampled.append((0, *values) if self.holds((0, *values)) else ())
        return [vector for vector in self.sampled if vector]

    def implies(self, other: Zone) -> bool:
        """Is every vector of this Zone surely in ``other``?"""
        return self.bounds.implies(other.bounds) and all(self.lacks(edge) for edge in other.unequal)

    def lacks(self, edge: Edge) -> bool:
        """Does x_i - x_j surely differ from c?"""
        i, j, c = edge
        if self.bounds.bound(i, j) < c or self.bounds.bound(j, i) < -c or edge in self.unequal:
            return True
        return bool(self.unequal) and self.within([(i, j, c), (j, i, -c)]) is None


def zone_of(
    bounds: DifferenceBounds, edges: Iterable[Edge], unequal: Iterable[Edge] = ()
) -> Zone | None:
    """The Zone within ``bounds`` (owned and tightened from here on); None if it is empty."""
    for i, j, c in edges:
        if i == j:
            if c < 0:
                return None
        elif not bounds.add(i, j, c):
            return None
    return _propagate(bounds, [_orient(edge) for edge in unequal])


def _orient(edge: Edge) -> Edge:
    i, j, c = edge
    return edge if i <= j else (j, i, -c)


def _canonical_edge(bounds: DifferenceBounds, edge: Edge) -> Edge:
    """``edge`` between the first nodes that are a constant away from its own."""
    i, j, c = edge
    first, second = _leader(bounds, i), _leader(bounds, j)
    return _orient((first, second, int(c - bounds.bound(i, first) + bounds.bound(j, second))))


def _leader(bounds: DifferenceBounds, node: int) -> int:
    return next(at for at in range(node + 1) if bounds.bound(node, at) == -bounds.bound(at, node))


def _propagate(bounds: DifferenceBounds, unequal: list[Edge]) -> Zone | None:
    """Tighten bounds by disequalities at their edge until none is; drop those that then follow."""
    settled = not unequal
    while not settled:
        settled, left = True, []
        for i, j, c in unequal:
            high, low = bounds.bound(i, j), -bounds.bound(j, i)
            if low == high == c:
                return None
            if c in (high, low):
                settled = False
                if not (bounds.add(i, j, c - 1) if high == c else bounds.add(j, i, -c - 1)):
                    return None
            elif low < c < high:
                left.append((i, j, c))
        unequal = left
    return Zone(bounds, tuple(sorted(set(unequal))) if unequal else ())


def is_covered(zone: Zone, cover: Sequence[Zone]) -> bool:
    """Is every vector of ``zone`` surely in one of ``cover``?  Bounded work; False: not proven."""
    if any(zone.implies(part) for part in cover):
        return True
    if len(cover) > 1:
        if not all(any(part.holds(vector) for part in cover) for vector in zone.samples()):
            return False
        cover = _nearest_cover(zone, cover)
    elif not zone.unequal:
        return False  # every bound is attained: one that exceeds is really exceeded
    return _is_covered_by_splitting(zone, cover, iter(range(MAX_PARTS)))


def _nearest_cover(zone: Zone, cover: Sequence[Zone]) -> list[Zone]:
    """The Zones of ``cover`` whose bounds ``zone`` exceeds least often: they cover most of it."""
    flat = list(chain.from_iterable(zone.bounds.close()))

    def excess(part: Zone) -> int:
        return sum(map(gt, flat, chain.from_iterable(part.bounds.close())))

    return sorted(cover, key=excess)[:MAX_COVER]


def _is_covered_by_splitting(zone: Zone, cover: Sequence[Zone], budget: Iterator[int]) -> bool:
    """Split ``zone`` along the first of ``cover``; what is outside must be in the others."""
    if not cover or next(budget, None) is None:
        return False
    inner: Zone | None = zone
    for kept, outer in _demands_of(cover[0]):
        if inner is None:
            return True
        if kept.hold_in(inner):
            continue
        outside = inner.within(*outer)
        if outside is not None and not _is_covered_by_splitting(outside, cover[1:], budget):
            return False
        inner = inner if outside is None else inner.within(*kept)
    return True


class _Demand(NamedTuple):
    """A conjunction of bounds and disequalities."""

    bounds: tuple[Edge, ...] = ()
    unequal: tuple[Edge, ...] = ()

    def hold_in(self, zone: Zone) -> bool:
        """Do they follow from the bounds of ``zone``, or are they among its disequalities?"""
        bound = zone.bounds.bound
        return all(bound(i, j) <= c for i, j, c in self.bounds) and all(
            edge in zone.unequal or bound(edge[0], edge[1]) < edge[2] for edge in self.unequal
        )


def _demands_of(zone: Zone) -> Iterator[tuple[_Demand, _Demand]]:
    """Each bound and disequality of ``zone``, with its negation."""
    bounds = zone.bounds
    nodes = range(bounds.variables + 1)
    for i in nodes:
        for j in nodes:
            high = bounds.bound(i, j)
            if i != j and isinstance(high, int):
                yield _Demand(((i, j, high),)), _Demand(((j, i, -high - 1),))
    for i, j, c in zone.unequal:
        yield _Demand((), ((i, j, c),)), _Demand(((i, j, c), (j, i, -c)))


def eliminate(zone: Zone, nodes: Sequence[int]) -> tuple[list[Zone], list[Zone]]:
    """Eliminate ``nodes``: two unions that bracket { x | values of ``nodes`` put x in ``zone`` }.

    The first is the larger one; they are one object when equal.  No Zone of either has one of
    ``nodes`` in ``unequal``; their bounds still mention them: ``onto`` the others is exact.
    """
    done: list[Zone] = []
    loose: list[Zone] = []
    work = [zone]
    while work:
        part, stuck = _drop_free_disequalities(work.pop(), nodes)
        if not stuck:
            done.append(part)
        elif len(done) + len(loose) + len(work) >= MAX_PARTS:
            loose.append(part)
        else:
            work.extend(_split(part, stuck))
    if not loose:
        return done, done
    larger = [_over_approximation(part, nodes) for part in loose]
    smaller = [small for part in loose for small in _under_approximation(part, nodes)]
    return done + larger, done + smaller


def _disequalities_on(zone: Zone, node: int) -> list[Edge]:
    return [edge for edge in zone.unequal if node in edge[:2]]


def _drop_free_disequalities(zone: Zone, gone: Sequence[int]) -> tuple[Zone, int]:
    """Drop disequalities on ``gone`` nodes that can always be satisfied; a node left over, or 0."""
    alive = [node for node in range(zone.bounds.variables + 1) if node not in gone]
    waiting = [node for node in gone if _disequalities_on(zone, node)]
    alive += waiting
    free = True
    while free:
        free = False
        for node in waiting:
            zone = _rename_node(zone, node, alive)
            if _can_drop_disequalities(zone, node, alive):
                free = True
                waiting = [other for other in waiting if other != node]
                alive.remove(node)
                zone = Zone(zone.bounds, _disequalities_off(zone, node))
                break
    return zone, waiting[0] if waiting else 0


def _disequalities_off(zone: Zone, node: int) -> tuple[Edge, ...]:
    return tuple(edge for edge in zone.unequal if node not in edge[:2])


def _rename_node(zone: Zone, node: int, alive: Sequence[int]) -> Zone:
    """Rewrite the disequalities on ``node`` to another node that is a constant away."""
    bounds = zone.bounds
    for other in alive:
        away = bounds.bound(node, other)
        if other != node and isinstance(away, int) and away == -bounds.bound(other, node):
            moved = [_move_edge(edge, node, other, away) for edge in zone.unequal]
            return Zone(bounds, tuple(sorted(set(moved))))
    return zone


def _move_edge(edge: Edge, node: int, other: int, away: int) -> Edge:
    """``edge`` with x_node written as x_other + ``away``."""
    i, j, c = edge
    if i == node:
        return _orient((other, j, c - away))
    return _orient((i, other, c + away)) if j == node else edge


def _can_drop_disequalities(zone: Zone, node: int, alive: Sequence[int]) -> bool:
    """Has ``node`` a value left whatever the values of ``alive`` are?"""
    needed = len(_disequalities_on(zone, node))
    return not needed or all(room >= needed for _, _, room in _slack(zone, node, alive))


def _slack(zone: Zone, node: int, alive: Sequence[int]) -> Iterator[tuple[int, int, int]]:
    """Nodes below and above ``node`` and how much further apart they are than they must be."""
    bound = zone.bounds.bound
    above = [(j, high) for j in alive if j != node and isinstance(high := bound(node, j), int)]
    for i in alive:
        low = bound(i, node)
        if i != node and isinstance(low, int):
            for j, high in above:
                least = bound(i, j) if i != j else 0
                yield i, j, int(low + high - least)


def _split(zone: Zone, node: int) -> Iterator[Zone]:
    """The parts of the Zone below and above one disequality on ``node``."""
    i, j, c = _disequalities_on(zone, node)[0]
    for edge in ((j, i, -c - 1), (i, j, c - 1)):
        half = zone.within([edge])
        if half is not None:
            yield half


def _over_approximation(zone: Zone, gone: Sequence[int]) -> Zone:
    """A larger Zone: without the disequalities on ``gone`` nodes."""
    return Zone(
        zone.bounds,
        tuple(edge for edge in zone.unequal if edge[0] not in gone and edge[1] not in gone),
    )


def _under_approximation(zone: Zone, gone: Sequence[int]) -> list[Zone]:
    """A smaller Zone in which every node of ``gone`` has a value left; empty if there is none."""
    part: Zone | None = zone
    alive = list(range(zone.bounds.variables + 1))
    for node in gone:
        if part is None:
            return []
        needed = len(_disequalities_on(part, node))
        if needed:
            bound = part.bounds.bound
            edges = [
                (i, j, int(bound(i, node) + bound(node, j)) - needed)
                for i, j, room in _slack(part, node, alive)
                if room < needed
            ]
            part = part.within(edges)
            part = part and Zone(part.bounds, _disequalities_off(part, node))
        alive.remove(node)
    return [] if part is None else [part]
