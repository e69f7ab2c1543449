"""Enumeration of terms by size; terms with the same values on all rows make a law.

Invariant: a term is built from representatives only, and one that a law rewrites is not built;
so the laws come out smallest first and none is an instance of an earlier one.

Source: QUICKSPEC, "QuickSpec: Guessing Formal Specifications Using Testing", classes of terms by
their values; HENKEL for the terms.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    STATE,
    Apply,
    Constant,
    Law,
    Part,
    Term,
    TermOrder,
    Var,
    is_canonical,
    match,
    size,
    subterms,
    variables,
)
from unitcraft.infer.universe.values import UNDEFINED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows, Vector
    from unitcraft.infer.universe.profiles import Profile

#: Calls of a term.
MAX_CALLS: Final = 3
#: Terms of each size: a class with more loses laws of the largest terms.
MAX_TERMS: Final = (0, 300, 500, 250)
#: Values that a term has to show, the missing one among them, to be an argument.
MIN_GIVEN: Final = 2
#: Sorts of which a call may be passed one value twice: an interval of one number.
NUMBER_SORTS: Final = ("int", "float")
#: Pairs that terms may add to the table; then no larger terms are tried.
MAX_PAIRS: Final = 6_000


@dataclass(slots=True)
class Enumerated:
    """The laws without a guard, and the terms that stand for all others, by part.

    ``partial``: pairs (larger, smaller) of terms that are equal where they are defined at all.
    """

    laws: list[Law] = field(default_factory=list)
    partial: list[tuple[Term, Term]] = field(default_factory=list)
    states: list[Term] = field(default_factory=list)
    values: list[Term] = field(default_factory=list)


def variables_of(sorts: Sequence[Sequence[str]]) -> list[Var]:
    """The variables for operations of these sorts: two of each, four where one call takes two."""
    most: dict[str, int] = {}
    for row in sorts:
        for sort in row:
            most[sort] = max(most.get(sort, 0), row.count(sort))
    return [Var(sort, n) for sort, times in most.items() for n in range(2 * times)]


class Enumeration:
    """The search for equations on ``rows`` (mutable while it runs)."""

    def __init__(self, rows: Rows, profiles: Sequence[Profile], order: TermOrder) -> None:
        self._rows = rows
        self._profiles = profiles
        self._order = order
        self._table = rows.universe.table
        self._classes: dict[tuple[str, Vector], Term] = {}
        self._most = len(self._table) + MAX_PAIRS
        self._rules: dict[tuple[int, str], list[Law]] = {}
        self.found = Enumerated(states=[RECEIVER])
        self._classes[STATE, rows.vector(RECEIVER)] = RECEIVER
        for one in rows.variables:
            self._classes["value", rows.vector(one)] = one

    def run(self) -> Enumerated:
        """All laws up to MAX_CALLS calls."""
        for calls in range(1, MAX_CALLS + 1):
            if len(self._table) > self._most:
                break
            tried = 0
            for term in self._terms(calls):
                if self._is_reducible(term):
                    continue
                self._consider(term)
                tried += 1
                if tried >= MAX_TERMS[calls] or len(self._table) > self._most:
                    break
        return self.found

    def _terms(self, calls: int) -> Iterator[Apply]:
        """Terms of that many calls: an operation on a representative, with variables or values.

        Those whose variables have one name each come first, then what observers show, and few
        variables before many: pairs are dear.  Those that are passed what observers show come
        last, as there are many of them.
        """
        for passed in range(min(calls, 2)):
            yield from sorted(
                self._terms_passing(calls, passed),
                key=lambda term: (self._renamed(term), self._is_answer(term), len(variables(term))),
            )

    def _repeats(self, term: Apply) -> bool:
        """Is one call passed a variable twice that is no number?  Each parameter has its own."""
        return any(
            len(set(given)) < len(given)
            for call in subterms(term)
            if isinstance(call, Apply)
            for given in [[one for one in call.args if isinstance(one, Var)
                           and one.sort not in NUMBER_SORTS]]
        )  # fmt: skip

    def _is_answer(self, term: Apply) -> bool:
        """Is it what a call returns that changes something, too?"""
        return term.part == "value" and self._profiles[term.operation].is_mutator

    def _renamed(self, term: Apply) -> int:
        """The variables of ``term`` that stand for parameters of different names."""
        names: dict[Term, set[str]] = {}
        for call in subterms(term):
            if isinstance(call, Apply):
                given = self._table.operations[call.operation].given
                for arg, parameter in zip(call.args[1:], given, strict=True):
                    names.setdefault(arg, set()).add(parameter.name)
        return sum(len(several) > 1 for arg, several in names.items() if isinstance(arg, Var))

    def _terms_passing(self, calls: int, passed: int) -> Iterator[Apply]:
        """Those of ``_terms`` with ``passed`` calls in their arguments."""
        for place in self._observers_first():
            sorts = self._table.operations[place].sorts
            for receiver in [one for one in self.found.states if size(one) == calls - 1 - passed]:
                for args in product(*[self._arguments(sort, passed) for sort in sorts]):
                    if sum(map(size, args)) != passed:
                        continue
                    for part in _parts_of(self._profiles[place]):
                        term = Apply(place, (receiver, *args), part)
                        if calls == 1 or (is_canonical(term) and not self._repeats(term)):
                            yield term

    def _observers_first(self) -> list[int]:
        """The operations: what a pure one shows stands for what others return, too."""
        meant = [n for n in range(len(self._profiles)) if self._table.is_explored(n)]
        return sorted(meant, key=lambda place: self._profiles[place].is_mutator)

    def _arguments(self, sort: str, calls: int) -> list[Term]:
        """Variables of ``sort``, and observers of at most ``calls`` calls whose values fit it."""
        found: list[Term] = [one for one in self._rows.variables if one.sort == sort]
        if calls != 1:
            return found
        fits = set(self._rows.universe.pools.get(sort, ()))
        kind = self._table.values.kind
        kinds = set(map(kind, fits))
        for term in self.found.values:
            if size(term) == 1 and term.args[0] == RECEIVER:  # type: ignore[union-attr]
                seen = self._rows.distinct(term)
                alike = all(value < 0 or kind(value) in kinds for value in seen)
                if alike and not fits.isdisjoint(seen):
                    found.append(term)
        return found

    def _is_reducible(self, term: Apply) -> bool:
        rules = self._rules.get((term.operation, term.part), ())
        return any(match(rule.left, term, {}) for rule in rules)

    def _consider(self, term: Apply) -> None:
        """Make ``term`` a law or a representative; one that is nowhere defined is neither."""
        vector = self._rows.vector(term)
        value = max(vector.distinct)
        if value < 0:
            return
        kind = STATE if term.part == "state" else "value"
        known = self._classes.get((kind, vector))
        is_constant = kind == "value" and vector.distinct <= {value, UNDEFINED, UNKNOWN}
        if UNDEFINED in vector.distinct:
            if is_constant and term.args[1:]:
                self.found.partial.append((term, Constant(value)))
            elif known is None:
                given = self._given_back(term, vector) if kind == "value" else None
                if given is not None:
                    self.found.partial.append((term, given))
                self._classes[kind, vector] = term
                self._keep(term)
            elif set(variables(known)) <= set(variables(term)):
                pair = (term, known) if self._order(known) < self._order(term) else (known, term)
                self.found.partial.append(pair)
            return
        if is_constant:
            self._add(Law(term, Constant(value)))
        elif known is not None and set(variables(known)) <= set(variables(term)):
            smaller = self._order(known) < self._order(term)
            self._add(Law(term, known) if smaller else Law(known, term))
        elif known is None:
            self._classes[kind, vector] = term
            self._keep(term)

    def _given_back(self, term: Apply, vector: Vector) -> Term | None:
        """The argument of a call of ``term`` that it shows wherever it is defined."""
        for one in variables(term)[1:] if len(vector.distinct) > MIN_GIVEN else ():
            pairs = zip(vector, self._rows.vector(one), strict=True)
            if all(a < 0 or a == b for a, b in pairs):
                return one
        return None

    def _keep(self, term: Apply) -> None:
        (self.found.states if term.part == "state" else self.found.values).append(term)

    def _add(self, law: Law) -> None:
        self.found.laws.append(law)
        left = law.left
        if isinstance(left, Apply) and set(variables(law.right)) <= set(variables(left)):
            self._rules.setdefault((left.operation, left.part), []).append(law)


def _parts_of(profile: Profile) -> tuple[Part, ...]:
    """The parts of a call of an operation that terms may be about."""
    state: tuple[Part, ...] = ("state",) if profile.is_mutator else ()
    shows = profile.returns and not profile.returns_none
    return (*state, "value") if shows else state
