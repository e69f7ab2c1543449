"""The base class of the layers: answer a Query or pass it on; and what layers remember of terms.

Invariant: a layer that cannot answer passes on the very Query that it got.  What was found of a
term is given for the very constraint, which is kept, and for one that is equal only if there are no
constants in it: 1, True and 1.0 are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Generic, TypeVar

from unitcraft.core.containment import describe_error
from unitcraft.solve.budget import Budget, BudgetSpentError
from unitcraft.solve.protocol import Query, Solver, Unknown, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import Constraint, Term, constants_of, holds

T = TypeVar("T")

#: Remembered terms; a bound of memory, at which all are forgotten at once.
MAX_REMEMBERED: Final = 50_000


class Remembered(Generic[T]):
    """``find(term, outcome)``, which depends on the constraint alone, found once for each.

    It is asked for whole path conditions, one after another: known objects cost one look each.
    """

    __slots__ = ("_by_identity", "_by_value", "_find", "_kept")

    def __init__(self, find: Callable[[Term, bool], T]) -> None:
        self._find = find
        self._by_identity: dict[int, T] = {}
        self._by_value: dict[Constraint, T] = {}
        self._kept: list[Constraint] = []

    def of(self, constraints: Sequence[Constraint]) -> list[T]:
        """What is known of each of ``constraints``, in their order."""
        known = self._by_identity
        try:
            return [known[id(one)] for one in constraints]
        except KeyError:
            if len(self._kept) >= MAX_REMEMBERED:
                self._forget()
            return [self._look(one) for one in constraints]

    def _forget(self) -> None:
        self._by_identity.clear()
        self._by_value.clear()
        self._kept.clear()

    def _look(self, constraint: Constraint) -> T:
        if id(constraint) in self._by_identity:
            return self._by_identity[id(constraint)]
        if constraint in self._by_value:
            found = self._by_value[constraint]
        else:
            found = self._find(*constraint)
            if next(constants_of(constraint[0]), self) is self:
                self._by_value[constraint] = found
        self._by_identity[id(constraint)] = found
        self._kept.append(constraint)
        return found


class Layer:
    """A decorator of ``following`` that answers some Queries itself; subclasses say which."""

    name = "layer"

    #: Nodes visited for one Query; the following solver is asked beyond that.
    max_work = 100_000

    def __init__(self, following: Solver, statistics: Statistics) -> None:
        self.following = following
        self.statistics = statistics
        self.budget = Budget(self.max_work)

    def solve(self, query: Query) -> Verdict:
        """The Verdict of ``attempt``, or that of the following solver when there is none."""
        self.budget = Budget(self.max_work)
        try:
            verdict = self.attempt(query)
        except (BudgetSpentError, RecursionError):
            verdict = None
        except Exception as error:  # noqa: BLE001 - a fault of one layer costs its answer alone
            self.statistics.note_failure(self.name, describe_error(error))
            verdict = None
        self.statistics.spend(self.name, self.budget.spent)
        if verdict is None:
            return self.following.solve(query)
        self.statistics.note(self.name, verdict)
        return verdict

    def attempt(self, query: Query) -> Verdict | None:
        """This layer's own Verdict; None when the following solver should be asked."""
        raise TypeError(f"{type(self).__name__} must answer {len(query.constraints)} constraints")

    def all_hold(self, constraints: Iterable[Constraint], values: Sequence[Any]) -> bool:
        """Do ``values`` satisfy ``constraints``?  Looking costs the budget the size of each."""
        for constraint in constraints:
            self.budget.spend(self.budget.size(constraint[0]))
            if not holds(constraint, values):
                return False
        return True


class End:
    """Follows the last layer: nobody understood the Query."""

    def __init__(self, statistics: Statistics) -> None:
        self.statistics = statistics

    def solve(self, _query: Query) -> Verdict:
        """Always Unknown."""
        verdict = Unknown("theory")
        self.statistics.note("end", verdict)
        return verdict
