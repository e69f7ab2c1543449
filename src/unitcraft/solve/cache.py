"""The cache: Verdicts of earlier slices, and recent models tried on new slices.

Invariant: a key tells 1, True, 1.0, 0.0 and -0.0 apart and is the same for slices that differ
in the numbers of their inputs only; an Unknown is never kept.  A model that is tried again
is evaluated first, so a stale one can only fail.

Source: KLEE, simplified: exact keys and the last models only; unlike in its counterexample
cache, subsets and supersets of a Query are not looked up.
"""

from __future__ import annotations

import marshal
from collections import OrderedDict
from typing import Any, Final

from unitcraft.solve.layer import Layer
from unitcraft.solve.protocol import Query, Sat, Solver, Unknown, Verdict
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.term import VARIABLE, Kind, Term, are_satisfied

#: Verdicts kept, the oldest dropped first; a bound of memory.
MAX_KEPT: Final = 20_000

#: Recent models that are evaluated on a new Query; each costs an evaluation of the slice.
MAX_MODELS: Final = 4

#: The last format of marshal without references, which would depend on reference counts.
_FORMAT: Final = 2


class Cache(Layer):
    """Answers Queries that were asked before, or that the hint or a recent model satisfies."""

    name = "cache"

    def __init__(self, following: Solver, statistics: Statistics) -> None:
        super().__init__(following, statistics)
        self._verdicts: OrderedDict[bytes, Verdict] = OrderedDict()
        self._models: list[tuple[tuple[Kind, ...], tuple[Any, ...]]] = []

    def solve(self, query: Query) -> Verdict:
        """The Verdict kept for this slice, that of a recent model, or a new one, then kept."""
        key, inputs = key_of(query)
        verdict = self._verdicts.get(key)
        if verdict is not None:
            verdict = _map_back(verdict, inputs, query.hint)
            self.statistics.note(self.name, verdict)
            return verdict
        recent = self._try_models(query, inputs)
        if recent is not None:
            self.statistics.note("models", recent)
        verdict = recent or self.following.solve(query)
        if type(verdict) is not Unknown:
            self._keep(key, inputs, query, verdict)
        return verdict

    def _try_models(self, query: Query, inputs: list[int]) -> Sat | None:
        """The hint, else a recent model with these inputs' values, if it satisfies ``query``."""
        if are_satisfied(query.constraints, query.hint):
            return Sat(query.hint)
        kinds = tuple([query.kinds[number] for number in inputs])
        for of, values in self._models:
            if of[: len(kinds)] == kinds:
                tried = _map_back(Sat(values[: len(kinds)]), inputs, query.hint)
                if type(tried) is Sat and are_satisfied(query.constraints, tried.values):
                    return tried
        return None

    def _keep(self, key: bytes, inputs: list[int], query: Query, verdict: Verdict) -> None:
        if type(verdict) is Sat:
            values = tuple([verdict.values[number] for number in inputs])
            kinds = tuple([query.kinds[number] for number in inputs])
            self._models = [(kinds, values), *self._models[: MAX_MODELS - 1]]
            verdict = Sat(values)
        self._verdicts[key] = verdict
        if len(self._verdicts) > MAX_KEPT:
            self._verdicts.popitem(last=False)


def key_of(query: Query) -> tuple[bytes, list[int]]:
    """The canonical form of constraints and kinds, and the inputs by number of first mention."""
    numbers: dict[int, int] = {}
    constraints = tuple(
        [(_renumber(term, numbers), outcome) for term, outcome in query.constraints]
    )
    kinds = tuple([query.kinds[number] for number in numbers])
    return marshal.dumps((constraints, kinds), _FORMAT), list(numbers)


def _renumber(term: Term, numbers: dict[int, int]) -> Term:
    if type(term) is not tuple:
        return term
    if term[0] == VARIABLE:
        return (VARIABLE, numbers.setdefault(term[1], len(numbers)))
    return (term[0], *[_renumber(part, numbers) for part in term[1:]])


def _map_back(verdict: Verdict, inputs: list[int], hint: tuple[Any, ...]) -> Verdict:
    """``verdict`` on renumbered ``inputs`` as one on all inputs; others are as in ``hint``."""
    if type(verdict) is not Sat:
        return verdict
    values = list(hint)
    for number, value in zip(inputs, verdict.values, strict=True):
        values[number] = value
    return Sat(tuple(values))
