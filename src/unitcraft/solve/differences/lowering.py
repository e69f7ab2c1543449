"""Lowering: the values of the parent path with as few inputs lowered as the last constraint asks.

Most branches of code that compares ints are turned so.  The inputs that the last constraint does
not lead to keep their values, so that nobody need find out first which these are.

Invariant: an answer is that of ``difference_logic`` on the slice of the last constraint.  Where the
constant 0 would have to be lowered, and all inputs be moved with it, there is none.
"""

from __future__ import annotations

from typing import Any

from unitcraft.solve.budget import Budget
from unitcraft.solve.differences.difference_logic import difference_as
from unitcraft.solve.differences.linear import ZERO, Difference, Edge
from unitcraft.solve.layer import Layer, Remembered
from unitcraft.solve.protocol import Query, Sat, Solver, Verdict
from unitcraft.solve.statistics import Statistics


class Lowering(Layer):
    """Answers Queries whose constraints all bound differences, if lowering ints is enough.

    It counts as difference logic, of which it is the first part.
    """

    name = "differences"

    def __init__(self, following: Solver, statistics: Statistics) -> None:
        super().__init__(following, statistics)
        self._differences = Remembered(difference_as)

    def attempt(self, query: Query) -> Verdict | None:
        """Sat, or None."""
        if query.kinds.count("int") < len(query.kinds):
            return None
        found = self._differences.of(query.constraints)
        system = [one for one in found if one is not None]
        if not system or len(system) < len(found):
            return None
        values = lowered(system, query.hint, self.budget)
        return None if values is None else Sat(values)


def lowered(
    system: list[Difference], hint: tuple[Any, ...], budget: Budget
) -> tuple[int, ...] | None:
    """The greatest values not above ``hint`` that keep ``system``; None if they were not found.

    The last difference asks first, then each input for those that must not exceed it.
    """
    edges = [edge for bounds, _ in system for edge in bounds]
    values: list[int] = [*hint, 0]
    queue: list[int] = []
    for i, j, c in system[-1][0]:
        if values[i] > values[j] + c:
            values[i] = values[j] + c
            queue.append(i)
    limit = len(values) * len(values)
    for k in queue:
        base = values[k]
        budget.spend(1)
        for i, j, c in edges:
            if j == k and values[i] > base + c:
                values[i] = base + c
                queue.append(i)
        if len(queue) > limit or k == ZERO:
            return None
    return tuple(values[:ZERO]) if _keep(values, edges, system) else None


def _keep(values: list[int], edges: list[Edge], system: list[Difference]) -> bool:
    """Do ``values`` keep ``system``, which has these ``edges``?"""
    for i, j, c in edges:
        if values[i] > values[j] + c:
            return False
    for _, apart in system:
        if apart is not None and values[apart[0]] - values[apart[1]] == apart[2]:
            return False
    return True
