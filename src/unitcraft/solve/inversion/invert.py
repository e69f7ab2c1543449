"""Inversion of terms: values of an input that may make a term take a wanted value.

Invariant: everything here is a suggestion; whoever uses one evaluates the constraints.  The
order of suggestions depends on the term and the present values only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from unitcraft.solve.budget import Budget, BudgetSpentError
from unitcraft.solve.inversion.inversion_rules import MISSING, Rule
from unitcraft.solve.inversion.invert_library import LIBRARY, LIBRARY_RAISING
from unitcraft.solve.inversion.invert_methods import METHODS
from unitcraft.solve.inversion.invert_numbers import NUMBERS
from unitcraft.solve.inversion.invert_raising import RAISING
from unitcraft.solve.inversion.invert_regexes import REGEXES
from unitcraft.solve.inversion.invert_texts import TEXTS
from unitcraft.symbolic.kinds.kinds import KINDS
from unitcraft.symbolic.terms.operations import EVALUATED, MAX_BITS
from unitcraft.symbolic.terms.term import OK, RAISES, VARIABLE, Constraint, Kind, Term, evaluate

#: Values taken from one rule.
MAX_WIDTH: Final = 16

#: Wanted values for which one part of a term is visited in one walk.
MAX_TARGETS: Final = 200

#: Visits of parts in one walk; a walk of ordinary terms takes dozens.
MAX_VISITS: Final = 2_000

#: What a visit costs, in evaluated nodes.
_VISIT: Final = 8

RULES: Final[dict[str, Rule]] = {**NUMBERS, **TEXTS, **METHODS, **REGEXES, **LIBRARY}


_RAISING: Final[dict[str, Rule]] = {**RAISING, **LIBRARY_RAISING}

#: Operations of NUMBERS and TEXTS alike ask both.
_SHARED: Final = tuple([name for name in NUMBERS if name in TEXTS])


def suggest_values(
    constraint: Constraint, number: int, kind: Kind, values: Sequence[Any], budget: Budget
) -> Iterator[Any]:
    """Values of input ``number`` that may make ``constraint`` hold, the others being ``values``.

    Raises:
        BudgetSpentError: the caller's ``budget`` is spent, while values are drawn.
    """
    term, outcome = constraint
    if not _is_truth(term):
        term = ("truth", term)
    inversion = _Inversion(number, tuple(values), budget)
    for value in inversion.invert(term, outcome):
        yield from KINDS[kind].convert(value)


def _is_truth(term: Term) -> bool:
    return type(term) is tuple and term[0] in _PREDICATES


_PREDICATES: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "same", "truth", OK})


class _Inversion:
    """One walk from a constraint down to input ``number``, the inputs being ``values``; mutable.

    Every rule lists several values, so that a deep term has exponentially many ways down.  The
    walk is a beam: each part is visited for MAX_TARGETS wanted values, and MAX_VISITS bounds the
    walk as a whole.  What parts are at present, and whether they mention the input, is remembered
    by identity: the term keeps them alive.
    """

    def __init__(self, number: int, values: tuple[Any, ...], budget: Budget) -> None:
        self._number = number
        self._values = values
        self._budget = budget
        self._visits = MAX_VISITS
        self._targets: Counter[int] = Counter()
        self._present: dict[int, Any] = {}
        self._mentions: dict[int, bool] = {}

    def invert(self, term: Term, target: Any) -> Iterator[Any]:
        """Values of the input that may give ``term`` the value ``target``."""
        if type(term) is not tuple:
            return
        if term[0] == VARIABLE:
            if term[1] == self._number:
                yield target
        elif self._is_visited(term):
            if term[0] == OK:
                yield from self._invert_raising(term[1], bool(target))
            else:
                yield from self._invert_arguments(term, _rules_of(term[0]), target)

    def _is_visited(self, term: Term) -> bool:
        """Count one visit of ``term``; was there one left?"""
        self._budget.spend(_VISIT)
        self._visits -= 1
        self._targets[id(term)] += 1
        return self._visits >= 0 and self._targets[id(term)] <= MAX_TARGETS

    def _invert_arguments(self, term: Term, rules: tuple[Rule, ...], target: Any) -> Iterator[Any]:
        """Values by way of every argument of ``term`` that mentions the input."""
        args = [self._value(part) for part in term[1:]]
        for position, part in enumerate(term[1:]):
            if self._mentions_input(part):
                for rule in rules:
                    for wanted in _apply(rule, position, args, target):
                        if self._visits < 0:
                            return
                        yield from self.invert(part, wanted)

    def _invert_raising(self, term: Term, fine: bool) -> Iterator[Any]:  # noqa: FBT001
        """Values that make ``term`` raise nothing (or, unless ``fine``, something)."""
        if type(term) is not tuple or term[0] == VARIABLE or not self._is_visited(term):
            return
        rule = _RAISING.get(term[0])
        if rule is not None:
            yield from self._invert_arguments(term, (rule,), fine)
        for part in term[1:]:
            yield from self._invert_raising(part, fine)

    def _value(self, term: Term) -> Any:
        """The present value of ``term``, MISSING if it raises; each part is evaluated once."""
        if type(term) is not tuple:
            return term
        if id(term) in self._present:
            return self._present[id(term)]
        self._budget.spend(len(term))
        value = self._present[id(term)] = self._evaluate(term)
        return value

    def _evaluate(self, term: Term) -> Any:
        if term[0] == VARIABLE:
            return self._values[term[1]]
        if term[0] == OK:
            return self._value(term[1]) is not MISSING
        try:
            if term[0] == RAISES:
                self._budget.spend(self._budget.size(term))
                return evaluate(term, self._values)
            args = [self._value(part) for part in term[1:]]
            missing = any(arg is MISSING for arg in args)
            return MISSING if missing else EVALUATED[term[0]](*args)
        except BudgetSpentError:
            raise
        except Exception:  # noqa: BLE001 - whatever the operation raises
            return MISSING

    def _mentions_input(self, term: Term) -> bool:
        if type(term) is not tuple:
            return False
        known = self._mentions.get(id(term))
        if known is None:
            if term[0] == VARIABLE:
                known = term[1] == self._number
            else:
                known = any(self._mentions_input(part) for part in term[1:])
            self._mentions[id(term)] = known
        return known


def _rules_of(name: str) -> tuple[Rule, ...]:
    if name in _SHARED:
        return NUMBERS[name], TEXTS[name]
    rule = RULES.get(name)
    return () if rule is None else (rule,)


def _apply(rule: Rule, position: int, args: list[Any], target: Any) -> list[Any]:
    try:
        return [
            wanted
            for wanted in islice(rule(position, args, target), MAX_WIDTH)
            if type(wanted) is not int or wanted.bit_length() <= MAX_BITS
        ]
    except Exception:  # noqa: BLE001 - a rule that does not fit these values suggests nothing
        return []
