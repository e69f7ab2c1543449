"""Small ascending values for ints that are compared only with each other and with constants.

Invariant: an assignment keeps all difference constraints of the inputs that it covers, the
other inputs of those constraints being as they were.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, Final

from unitcraft.solve.differences.difference_bounds import DifferenceBounds
from unitcraft.solve.differences.linear import ZERO, Difference, Edge, difference_of
from unitcraft.symbolic.terms.term import Constraint, Kind, variables_of

#: Ints that are assigned together; each constraint costs their square.  More keep their values.
MAX_INPUTS: Final = 24

#: Values tried for one int in search of one that no other input has.
_MAX_PASSED: Final = 30


def assign_small_integers(
    constraints: Sequence[Constraint], kinds: Sequence[Kind], values: Sequence[Any]
) -> dict[int, int]:
    """New values, as many as possible 1, 2, 3..., for the inputs in difference constraints only."""
    system, free = _system(constraints, kinds)
    if not free or len(free) > MAX_INPUTS:
        return {}
    nodes = {ZERO: 0, **{number: at for at, number in enumerate(free, start=1)}}
    bounds = DifferenceBounds(len(free))
    apart: list[Edge] = []
    for edges, excluded in system:
        for i, j, c in edges:
            bounds.add(*_place((i, j, c), nodes, values))
        if excluded is not None:
            apart.append(_place(excluded, nodes, values))
    found = _assign(_lift(bounds), apart)
    return {} if found is None else dict(zip(free, found, strict=True))


def _system(
    constraints: Sequence[Constraint], kinds: Sequence[Kind]
) -> tuple[list[Difference], list[int]]:
    """The difference constraints, and the ints that occur nowhere else."""
    system: list[Difference] = []
    seen: dict[int, None] = {}
    elsewhere: dict[int, None] = {}
    for constraint in constraints:
        inputs = variables_of(constraint[0])
        ints = all(kinds[number] == "int" for number in inputs)
        difference = difference_of(constraint) if ints else None
        if difference is None:
            elsewhere.update(dict.fromkeys(inputs))
        else:
            system.append(difference)
            seen.update(dict.fromkeys(inputs))
    return system, [number for number in sorted(seen) if number not in elsewhere]


def _place(edge: Edge, nodes: dict[int, int], values: Sequence[Any]) -> Edge:
    """An edge between nodes; inputs without a node are the constants that they are."""
    i, j, c = edge
    if i not in nodes:
        i, c = ZERO, c - values[i]
    if j not in nodes:
        j, c = ZERO, c + values[j]
    return nodes[i], nodes[j], c


def _lift(bounds: DifferenceBounds) -> DifferenceBounds:
    """``bounds`` with every variable at least 1, or at least 0, where that is possible."""
    for node in range(1, bounds.variables + 1):
        for least in (1, 0):
            if bounds.bound(node, 0) >= least and bounds.add(0, node, -least):
                break
    return bounds


def _assign(bounds: DifferenceBounds, apart: list[Edge]) -> list[int] | None:
    """A value for each variable: the least ones first, distinct where possible."""
    if not bounds.feasible():
        return None
    values = {0: 0}
    for node in _order(bounds):
        low, high = -bounds.bound(0, node), bounds.bound(node, 0)
        if low == -inf:
            tried = range(int(high), int(high) - _MAX_PASSED, -1)
        else:
            tried = range(int(low), int(min(high, low + _MAX_PASSED)) + 1)
        free = [one for one in tried if _is_allowed(node, one, values, apart)]
        if not free:
            return None
        used = list(values.values())[1:]
        values[node] = next((one for one in free if one not in used), free[0])
        bounds.equate(node, 0, values[node])
    return [values[node] for node in range(1, bounds.variables + 1)]


def _order(bounds: DifferenceBounds) -> list[int]:
    """The variables, the ones with the least lower bounds first."""
    nodes = range(1, bounds.variables + 1)
    under = {node: sum(bounds.bound(other, node) <= 0 for other in nodes) for node in nodes}
    return sorted(nodes, key=lambda node: (-bounds.bound(0, node), under[node], node))


def _is_allowed(node: int, value: int, values: dict[int, int], apart: list[Edge]) -> bool:
    trial = {**values, node: value}
    return all(i not in trial or j not in trial or trial[i] - trial[j] != c for i, j, c in apart)
