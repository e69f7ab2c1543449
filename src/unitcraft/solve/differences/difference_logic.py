"""Difference logic: bounds of differences of ints, decided from the values of the parent path.

Invariant: before an edge is added the values keep all earlier ones, so a clash is a negative
cycle through the new edge: found when a decrease comes back to the edge's own end.  Excluded
differences (x - y != c) are handled by splitting into x - y < c and x - y > c.  Everything is
exact over the unbounded integers, and a Verdict holds whether or not the hint keeps the prefix.
"""

from __future__ import annotations

from typing import Any, Final

from unitcraft.solve.budget import Budget
from unitcraft.solve.differences.linear import ZERO, Difference, Edge, difference_of
from unitcraft.solve.layer import Layer, Remembered
from unitcraft.solve.protocol import Query, Sat, Solver, Unknown, Unsat, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import Term, variables_of

#: Splits of excluded differences in one Query; the following layers take over beyond that.
MAX_SPLITS: Final = 200

#: Splits inside one another; a bound of recursion.
MAX_SPLIT_DEPTH: Final = 60


class DifferenceLogic(Layer):
    """Answers Queries whose constraints all bound differences of ints; proves Unsat."""

    name = "differences"
    max_work = 300_000

    def __init__(self, following: Solver, statistics: Statistics) -> None:
        super().__init__(following, statistics)
        self._differences = Remembered(difference_as)

    def attempt(self, query: Query) -> Verdict | None:
        """The proven Verdict, None when a constraint is of another form (or splits run out)."""
        if not query.constraints:
            return Sat(query.hint)
        found = self._differences.of(query.constraints)
        system = [one for one in found if one is not None]
        ints = query.kinds.count("int") == len(query.kinds)
        if len(system) < len(found) or not (ints or _of_ints(query)):
            return None
        verdict = solve_system(system, query.hint, self.budget)
        return None if type(verdict) is Unknown else verdict


def difference_as(term: Term, outcome: bool) -> Difference | None:  # noqa: FBT001
    """The constraint (``term``, ``outcome``) as bounds of differences, None if it is not one."""
    return difference_of((term, outcome))


def _of_ints(query: Query) -> bool:
    """Are all inputs ints that the constraints mention?"""
    mentioned = {number for term, _ in query.constraints for number in variables_of(term)}
    return all(query.kinds[number] == "int" for number in mentioned)


def solve_system(system: list[Difference], hint: tuple[Any, ...], budget: Budget) -> Verdict:
    """Values near ``hint`` that keep ``system``, Unsat if there are none, else Unknown.

    Values of inputs that the system does not mention are those of ``hint``.
    """
    last = len(system) - 1
    search = _Search(system[:last], hint, budget)
    verdict = search.extend(system[last], last)
    if verdict is not None:
        return verdict
    search = _Search([], hint, budget)
    for number, difference in enumerate(system):
        verdict = search.extend(difference, number)
        if type(verdict) is not Sat:
            break
        search = _Search(system[: number + 1], verdict.values, budget)
    return verdict or Unknown("bound")


class _Search:
    """Edges and exclusions of constraints that the hint should keep.

    ``_above[j]`` holds the edges x_i <= x_j + c, once they were asked for.
    """

    def __init__(self, system: list[Difference], hint: tuple[Any, ...], budget: Budget) -> None:
        budget.spend(len(system))
        self._budget = budget
        self._hint = hint
        self._system = system
        self._edges = [edge for edges, _ in system for edge in edges]
        self._above: dict[int, list[Edge]] = {}
        self._apart = [(apart, number) for number, (_, apart) in enumerate(system) if apart]
        self._splits = 0

    def extend(self, difference: Difference, number: int) -> Verdict | None:
        """The Verdict on the system with one more; None when the hint did not keep the others."""
        values: list[int] = [*self._hint, 0]
        self._system = [*self._system, difference]
        core = {number}
        for i, j, c in difference[0]:
            clash = self._enforce(values, i, j, c)
            if clash is None:
                return None
            if clash:
                return Unsat(tuple(sorted(core.union(map(self._number_of, clash)) - {_SPLIT})))
            self._insert((i, j, c))
        if difference[1] is not None:
            self._apart.append((difference[1], number))
        return self._verdict(values)

    def _verdict(self, values: list[int]) -> Verdict | None:
        if self._apart:
            core = self._separate(values, 0)
            if core is None:
                return Unknown("bound") if self._splits > MAX_SPLITS else None
            if core:
                return Unsat(tuple(sorted(core)))
        shift = values.pop()
        if shift:
            for node in dict.fromkeys(self._nodes()):
                values[node] -= shift
        return Sat(tuple(values)) if self._keeps_all([*values, 0]) else None

    def _nodes(self) -> list[int]:
        """The inputs that are mentioned."""
        ends = [node for edge in self._edges for node in edge[:2]]
        ends += [node for apart, _ in self._apart for node in apart[:2]]
        return [node for node in ends if node != ZERO]

    def _keeps_all(self, values: list[int]) -> bool:
        for i, j, c in self._edges:
            if values[i] > values[j] + c:
                return False
        return not self._apart or all(values[i] - values[j] != c for (i, j, c), _ in self._apart)

    def _insert(self, edge: Edge) -> None:
        self._edges.append(edge)
        if edge[1] in self._above:
            self._above[edge[1]].append(edge)

    def _edges_above(self, k: int) -> list[Edge]:
        """The edges x_i <= x_k + c: few inputs change, so few are asked for."""
        found = self._above.get(k)
        if found is None:
            found = self._above[k] = [edge for edge in self._edges if edge[1] == k]
        return found

    def _number_of(self, edge: Edge | None) -> int:
        """The first constraint that has ``edge``."""
        numbers = (number for number, (edges, _) in enumerate(self._system) if edge in edges)
        return next(numbers, _SPLIT)

    def _enforce(self, values: list[int], i: int, j: int, c: int) -> list[Edge | None] | None:
        """Make ``values`` keep x_i <= x_j + c by decreasing x_i and whatever must decrease with it.

        Returns:
            The earlier edges of a negative cycle (None where it has but the new one), [] if there
            is none, None if the values did not keep the earlier edges.
        """
        if values[i] <= values[j] + c:
            return []
        if i == j:
            return [None]
        values[i] = values[j] + c
        queue, cause = [i], {}
        limit = len(values) * (len(values) + 8)
        for k in queue:
            base = values[k]
            self._budget.spend(1)
            for edge in self._edges_above(k):
                m, _, d = edge
                if base + d < values[m]:
                    cause[m] = edge
                    if m == j:
                        return _cycle(cause, i, j)
                    values[m] = base + d
                    queue.append(m)
            if len(queue) > limit:
                return None
        return []

    def _separate(self, values: list[int], depth: int) -> set[int] | None:
        """Make ``values`` keep all exclusions; the core if impossible, set() if done.

        None when the bounds of the search were reached or the values broke an edge.
        """
        self._budget.spend(len(self._apart))
        met = next(((e, n) for e, n in self._apart if values[e[0]] - values[e[1]] == e[2]), None)
        if met is None:
            return set()
        self._splits += 1
        if self._splits > MAX_SPLITS or depth > MAX_SPLIT_DEPTH:
            self._splits = MAX_SPLITS + 1
            return None
        (i, j, c), number = met
        core = {number}
        for edge in ((i, j, c - 1), (j, i, -c - 1)):
            branch = self._branch(values, edge, depth)
            if not branch:
                return branch
            core |= branch
        return core - {_SPLIT}

    def _branch(self, values: list[int], edge: Edge, depth: int) -> set[int] | None:
        """``_separate`` with one more ``edge``; ``values`` change only if that succeeds."""
        i, j, c = edge
        trial = values.copy()
        clash = self._enforce(trial, i, j, c)
        if clash is None:
            return None
        if clash:
            return {_SPLIT, *map(self._number_of, clash)}
        self._insert(edge)
        core = self._separate(trial, depth + 1)
        self._edges.pop()
        if j in self._above:
            self._above[j].pop()
        if core == set():
            values[:] = trial
        return core


#: The number of an edge that a split added; it belongs to no constraint.
_SPLIT: Final = -1


def _cycle(cause: dict[int, Edge], start: int, end: int) -> list[Edge | None]:
    """The edges that lead from ``start`` to ``end``."""
    found: list[Edge | None] = []
    node = end
    while node != start or not found:
        found.append(cause[node])
        node = cause[node][1]
        if len(found) > len(cause) + 1:
            break
    return found
