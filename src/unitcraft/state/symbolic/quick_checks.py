"""Cheap proofs that one symbolic state stands for another, tried before bounds are closed.

Invariant: True only if it is proven; False proves nothing.  Most states that are pruned are
pruned here: an invocation that changed nothing only adds to the path condition of its
receiver, and neighbours in a search structure have mostly been compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from marshal import dumps
from operator import is_
from typing import Any

from unitcraft.solve.differences.linear import ZERO
from unitcraft.state.heap.canonical import MARSHAL_VERSION
from unitcraft.state.symbolic.difference_constraints import Alternatives, DifferenceNode
from unitcraft.state.symbolic.projection import Projection
from unitcraft.state.symbolic.residual_constraints import InputAndOffset
from unitcraft.state.symbolic.symbolic_state import SymbolicState

#: Upper bounds of differences that single constraints state.
DirectBounds = dict[tuple[DifferenceNode, DifferenceNode], int]

#: Bounds of differences of nodes of a Projection.
RequiredBounds = tuple[tuple[int, int, int], ...]


def extends(new: SymbolicState[Any], old: SymbolicState[Any]) -> bool:
    """Does ``new`` hold the same terms, and begin its condition with that (object) of ``old``?"""
    size = len(old.condition)
    return (
        size <= len(new.condition)
        and all(map(is_, old.condition, new.condition))
        and old.kinds == new.kinds[: len(old.kinds)]
        and dumps(old.slots, MARSHAL_VERSION) == dumps(new.slots, MARSHAL_VERSION)
    )


def direct_bounds(facts: Sequence[Alternatives]) -> DirectBounds:
    """The least bounds among the facts without an alternative."""
    found: DirectBounds = {}
    for alternatives in facts:
        if len(alternatives) == 1:
            for i, j, c in alternatives[0].bounds:
                if (i, j) not in found or c < found[i, j]:
                    found[i, j] = c
    return found


def required_bounds(projection: Projection) -> RequiredBounds | None:
    """Bounds on slots that imply ``projection``; None if bounds alone do not."""
    if projection.residual or projection.texts or len(projection.under) != 1:
        return None
    zone = projection.under[0]
    bound = zone.bounds.bound
    nodes = range(zone.bounds.variables + 1)
    pairs = [(i, j, high) for i in nodes for j in nodes if isinstance(high := bound(i, j), int)]
    if zone.unequal or any(i != j and bound(j, i) == -high for i, j, high in pairs):
        return None
    return tuple(
        (i, j, high)
        for i, j, high in pairs
        if i != j and not any(bound(i, k) + bound(k, j) <= high for k in nodes if k not in (i, j))
    )


def meets(
    direct: DirectBounds,
    places: Sequence[InputAndOffset | None],
    needs: RequiredBounds,
) -> bool:
    """Is each of ``needs`` among the ``direct`` bounds of what is at ``places``?"""
    for i, j, c in needs:
        first = places[i - 1] if i else (ZERO, 0)
        second = places[j - 1] if j else (ZERO, 0)
        if first is None or second is None:
            return False
        found = direct.get((first[0], second[0]))
        if found is None or found + first[1] - second[1] > c:
            return False
    return True
