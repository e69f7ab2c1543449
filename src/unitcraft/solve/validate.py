"""The outermost layer: no model is believed before CPython has evaluated every constraint on it.

Invariant: a Sat that leaves here satisfies the whole Query with values of exactly the kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from unitcraft.solve.layer import Remembered
from unitcraft.solve.protocol import Query, Sat, Solver, Unknown, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.term import Kind, Term, are_satisfied, compiled


class InvalidModel(Exception):  # noqa: N818 - named for the event
    """A layer answered with values that do not satisfy the constraints."""


class Validate:
    """Turns a wrong Sat of ``following`` into Unknown ``invalid``, or raises when ``strict``."""

    name = "validate"

    def __init__(self, following: Solver, statistics: Statistics, *, strict: bool = False) -> None:
        self.following = following
        self.statistics = statistics
        self.strict = strict
        self._compiled: Remembered[Callable[[Sequence[Any]], Any]] = Remembered(_check_of)

    def solve(self, query: Query) -> Verdict:
        """The Verdict of the following layers, a Sat only if it is right.

        Terms too deep for the recursion of a layer are Unknown (``bound``).

        Raises:
            InvalidModel: when ``strict`` and a model is wrong.
        """
        try:
            verdict = self.following.solve(query)
        except RecursionError:
            verdict = Unknown("bound")
        if type(verdict) is not Sat or self._is_valid(query, verdict.values):
            return verdict
        if self.strict:
            raise InvalidModel(f"{verdict.values!r} does not satisfy {query!r}")
        wrong = Unknown("invalid")
        self.statistics.note(self.name, wrong)
        return wrong

    def _is_valid(self, query: Query, values: tuple[Any, ...]) -> bool:
        """``valid`` with terms that are compiled once."""
        if not _are_of_kinds(query, values):
            return False
        checks = self._compiled.of(query.constraints)
        try:
            truths = [bool(check(values)) for check in checks]
        except Exception:  # noqa: BLE001 - whatever an operation raises
            return False
        return truths == [outcome for _, outcome in query.constraints]


def valid(query: Query, values: tuple[Any, ...]) -> bool:
    """Are ``values`` of the kinds of ``query``, and do they satisfy all its constraints?"""
    return _are_of_kinds(query, values) and are_satisfied(query.constraints, values)


def _are_of_kinds(query: Query, values: tuple[Any, ...]) -> bool:
    return list(map(type, values)) == _types_of(query.kinds)


@lru_cache(maxsize=256)
def _types_of(kinds: tuple[Kind, ...]) -> list[type]:
    return [KINDS[kind].type for kind in kinds]


def _check_of(term: Term, _outcome: bool) -> Callable[[Sequence[Any]], Any]:  # noqa: FBT001
    return compiled(term)
