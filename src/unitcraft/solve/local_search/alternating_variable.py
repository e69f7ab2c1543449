"""The alternating variable method: improve one input after another by the branch distance.

Moves on an input are neighbouring values and the suggestions of inversion; a move on a number
that lessened the distance is repeated with doubled steps.  Where no move on any input helps, some
inputs jump to other values.

Invariant: the search depends on the Query alone; work is counted in evaluated constraints,
never in time.  A failed search proves nothing.

Source: AVM, differs: texts are inputs too, the moves of inversion are added, and a restart is
drawn from the constants of the constraints by a seed that the Query determines.
"""

from __future__ import annotations

import marshal
import math
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from unitcraft.core.randomness import seeded_random
from unitcraft.solve.budget import Budget, BudgetSpentError
from unitcraft.solve.inversion.candidates import candidate_values, distinct_values
from unitcraft.solve.inversion.invert import suggest_values
from unitcraft.solve.layer import Layer
from unitcraft.solve.local_search.branch_distance import branch_distance
from unitcraft.solve.protocol import Query, Sat, Solver, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE, SymbolicKind
from unitcraft.symbolic.terms.term import variables_of

#: Characters of a text that is tried, unless the present one is longer: long ones cost too much.
_MAX_TEXT: Final = 120

#: Suggestions of one constraint that are tried as moves on one input.
_MAX_SUGGESTED: Final = 24

#: Nodes that may be visited for each evaluated constraint, on average; few have so many.
_NODES: Final = 100

#: Characters of a move that cost as much as a visited node.
_CHARACTERS: Final = 64

#: Nodes that may be visited for one Query, however many constraints may be evaluated.
_MAX_WORK: Final = 300_000


class AlternatingVariable(Layer):
    """Answers Queries by at most ``evaluations`` evaluated constraints of local search."""

    name = "local"

    def __init__(
        self, following: Solver, statistics: Statistics, evaluations: int, name: str = "local"
    ) -> None:
        super().__init__(following, statistics)
        self.evaluations = evaluations
        self.name = name
        self.max_work = min(evaluations * _NODES, _MAX_WORK)

    def attempt(self, query: Query) -> Verdict | None:
        """Sat if the search succeeds; None if the evaluations are spent first."""
        values = _Search(query, self.evaluations, self.budget).run()
        return None if values is None else Sat(tuple(values))


class _Search:
    """Values and their distance, the inputs that may change, and the evaluations left; mutable."""

    def __init__(self, query: Query, evaluations: int, budget: Budget) -> None:
        self._query = query
        self._left = evaluations
        self._budget = budget
        self._rng = seeded_random(0, "local", _text_of(query))
        self._nodes = sum([budget.size(term) for term, _ in query.constraints])
        self._inputs = variables_of(("all", *[term for term, _ in query.constraints]))
        self._mentioned = {
            number: [one for one in query.constraints if number in variables_of(one[0])]
            for number in self._inputs
        }
        self._values = list(query.hint)
        self._distances: dict[int, float] = {}
        self._total = math.inf

    def run(self) -> list[Any] | None:
        """Values that satisfy all constraints, None when the evaluations are spent."""
        try:
            self._total = self._measure(self._values)
            while self._total > 0.0:
                before = self._total
                for number in self._inputs:
                    self._improve(number)
                if self._total >= before:
                    self._jump()
        except BudgetSpentError:
            return None
        return self._values

    def _measure(self, values: list[Any]) -> float:
        total = 0.0
        self._left -= len(self._query.constraints)
        if self._left < 0:
            raise BudgetSpentError
        self._budget.spend(self._nodes)
        for constraint in self._query.constraints:
            total += branch_distance(constraint, values)
        return total

    def _try(self, number: int, value: Any) -> bool:
        """Does ``value`` for input ``number`` lessen the distance?  If so it is adopted."""
        old = self._values[number]
        if isinstance(value, (str, bytes)) and len(value) > max(_MAX_TEXT, len(old)):
            return False
        self._values[number] = value
        total = self._measure(self._values)
        if total < self._total:
            self._total = total
            return True
        self._values[number] = old
        return False

    def _improve(self, number: int) -> None:
        kind = KINDS[self._query.kinds[number]]
        for move in distinct_values(self._moves(number, kind)):
            self._budget.spend(1 + len(move) // _CHARACTERS if kind.is_text else 1)
            if self._try(number, move):
                self._accelerate(number, kind)
                if self._total == 0.0:
                    return

    def _moves(self, number: int, kind: SymbolicKind) -> Iterator[Any]:
        """Neighbours first, then suggestions of the constraints that do not hold."""
        yield from kind.neighbours(self._values[number])
        for constraint in self._mentioned[number]:
            self._budget.spend(self._budget.size(constraint[0]))
            if branch_distance(constraint, self._values):
                values = self._values
                suggested = suggest_values(constraint, number, kind.name, values, self._budget)
                yield from list(islice(suggested, _MAX_SUGGESTED))

    def _accelerate(self, number: int, kind: SymbolicKind) -> None:
        """For numbers: steps in either direction, doubled as long as they lessen the distance."""
        if not kind.is_number:
            return
        for sign in (1, -1):
            step = sign
            while self._total > 0.0:
                moved = _move(self._values[number], step)
                if moved is None or not self._try(number, moved):
                    break
                step *= 2

    def _jump(self) -> None:
        """Leave a local minimum: other values for some of the inputs."""
        for number in self._inputs:
            if len(self._inputs) == 1 or self._rng.random() < 0.5:  # noqa: PLR2004
                self._values[number] = self._other_value(number)
        self._total = self._measure(self._values)

    def _other_value(self, number: int) -> Any:
        kind = self._query.kinds[number]
        pool = list(candidate_values(kind, self._mentioned[number], self._query.hint))
        value = pool[self._rng.randrange(len(pool))]
        return KINDS[kind].shake(value, self._rng) if self._rng.random() < 0.5 else value  # noqa: PLR2004


def _text_of(query: Query) -> str:
    """Constraints and kinds as a text; an int of more digits than CPython prints has another."""
    asked = (query.constraints, query.kinds)
    try:
        return repr(asked)
    except ValueError:
        return marshal.dumps(asked, 2).hex()


def _move(value: Any, step: int) -> Any:
    """``value`` plus ``step``; None where that changes nothing."""
    try:
        moved = value + step
    except OverflowError:
        return None
    if isinstance(moved, int):
        return moved if moved.bit_length() <= MAX_SIZE else None
    return moved if math.isfinite(moved) and moved != value else None
