"""Difference bound matrices: upper bounds of the differences of integers, closed.

Invariant: while the bounds are feasible the matrix is closed (no bound can be tightened by
adding two others), so a bound is exact, a sub-matrix is the exact projection, and inclusion is
an element-wise comparison.  All of it holds over the unbounded integers: every bound is attained.

Source: DBM, simplified: bounds are integers and never strict; the matrix is kept closed by each
addition.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from operator import le
from typing import Final

#: An upper bound of a difference: an int, or ``inf`` when there is none.
Bound = int | float

Matrix = tuple[tuple[Bound, ...], ...]

#: The node that stands for the constant 0.
ZERO: Final = 0


class DifferenceBounds:
    """The integer vectors (x_1, ..., x_n) with x_0 = 0 and x_i - x_j <= bound(i, j); mutable.

    A fresh one bounds nothing.  Once infeasible (no vector is left) it stays infeasible.
    """

    __slots__ = ("_feasible", "_rows")

    def __init__(self, variables: int) -> None:
        size = variables + 1
        self._rows: list[list[Bound]] = [[inf] * size for _ in range(size)]
        for node, row in enumerate(self._rows):
            row[node] = 0
        self._feasible = True

    @property
    def variables(self) -> int:
        """The number of variables; their nodes are 1, 2, ..., node 0 is the constant 0."""
        return len(self._rows) - 1

    def feasible(self) -> bool:
        """Is there a vector that keeps all bounds?"""
        return self._feasible

    def bound(self, i: int, j: int) -> Bound:
        """The least c with x_i - x_j <= c for all vectors, ``inf`` if there is none."""
        return self._rows[i][j]

    def add(self, i: int, j: int, c: int) -> bool:
        """Demand x_i - x_j <= ``c`` as well; is it still feasible?  O(n * n), less if redundant."""
        rows = self._rows
        if not self._feasible or c >= rows[i][j]:
            return self._feasible
        if rows[j][i] < -c:
            self._feasible = False
            return False
        beyond = [(k, b) for k, b in enumerate(rows[j]) if b != inf]
        for row in rows:
            if row[i] != inf:
                start = row[i] + c
                for k, b in beyond:
                    if start + b < row[k]:  # noqa: PLR1730 - min() costs twice as much here
                        row[k] = start + b
        return True

    def equate(self, i: int, j: int, c: int) -> bool:
        """Demand x_i - x_j == ``c`` as well; is it still feasible?"""
        return self.add(i, j, c) and self.add(j, i, -c)

    def close(self) -> Matrix:
        """The closure, row i column j bounding x_i - x_j: equal for equal feasible sets.

        Hashable and canonical; () when infeasible.
        """
        return tuple(map(tuple, self._rows)) if self._feasible else ()

    def project(self, variables: Sequence[int]) -> DifferenceBounds:
        """The exact projection on the given nodes, which become nodes 1, 2, ... in that order."""
        kept = [ZERO, *variables]
        result = DifferenceBounds(0)
        result._rows = [[self._rows[i][j] for j in kept] for i in kept]
        result._feasible = self._feasible
        return result

    def implies(self, other: DifferenceBounds) -> bool:
        """Does every vector of these bounds keep those of ``other`` (same variables)?  Exact."""
        if not self._feasible:
            return True
        if not other._feasible:
            return False
        return all(
            all(map(le, mine, theirs)) for mine, theirs in zip(self._rows, other._rows, strict=True)
        )

    def model(self, wanted: Sequence[int] = ()) -> tuple[int, ...] | None:
        """A vector that keeps all bounds, each value as near to ``wanted`` (or 0) as it may be.

        Earlier variables choose first.  None when infeasible.
        """
        if not self._feasible:
            return None
        rows = self._rows
        values = [0]
        for node in range(1, len(rows)):
            best: Bound = wanted[node - 1] if node <= len(wanted) else 0
            for at, value in enumerate(values):
                if rows[at][node] != inf:
                    best = max(best, value - rows[at][node])
            for at, value in enumerate(values):
                if rows[node][at] != inf:
                    best = min(best, value + rows[node][at])
            values.append(int(best))
        return tuple(values[1:])

    def copy(self) -> DifferenceBounds:
        """An independent copy."""
        result = DifferenceBounds(0)
        result._rows = [row.copy() for row in self._rows]
        result._feasible = self._feasible
        return result

    def rep_ok(self) -> bool:
        """Is the matrix closed, with zeros on the diagonal?"""
        nodes = range(len(self._rows))
        at = self._rows
        return not self._feasible or all(
            at[i][i] == 0 and (inf in (at[i][k], at[k][j]) or at[i][j] <= at[i][k] + at[k][j])
            for i in nodes for j in nodes for k in nodes
        )  # fmt: skip
