"""Inversion of terms: values of an input that may make a term take a wanted value.

Invariant: everything here is a suggestion; whoever uses one evaluates the constraints.  The
order of suggestions depends on the term and the present values only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, Final

from unitcraft.solve.inversion.convert import convert_to_kind
from unitcraft.solve.inversion.inversion_rules import MISSING, Rule
from unitcraft.solve.inversion.invert_methods import METHODS
from unitcraft.solve.inversion.invert_numbers import NUMBERS
from unitcraft.solve.inversion.invert_raising import RAISING
from unitcraft.solve.inversion.invert_regexes import REGEXES
from unitcraft.solve.inversion.invert_texts import TEXTS
from unitcraft.symbolic.terms.term import (
    OK,
    VARIABLE,
    Constraint,
    Kind,
    Term,
    evaluate,
    variables_of,
)

#: Suggestions taken from one rule.
WIDEST: Final = 16

RULES: Final[dict[str, Rule]] = {**NUMBERS, **TEXTS, **METHODS, **REGEXES}

#: Operations of NUMBERS and TEXTS alike ask both.
_SHARED: Final = tuple([name for name in NUMBERS if name in TEXTS])


def suggest_values(
    constraint: Constraint, number: int, kind: Kind, values: Sequence[Any]
) -> Iterator[Any]:
    """Values of input ``number`` that may make ``constraint`` hold, the others being ``values``."""
    term, outcome = constraint
    if not _is_truth(term):
        term = ("truth", term)
    for value in _inverted(term, outcome, number, values):
        yield from convert_to_kind(kind, value)


def _is_truth(term: Term) -> bool:
    return type(term) is tuple and term[0] in _PREDICATES


_PREDICATES: Final = frozenset({"<", "<=", ">", ">=", "==", "!=", "in", "same", "truth", OK})


def _inverted(term: Term, target: Any, number: int, values: Sequence[Any]) -> Iterator[Any]:
    if type(term) is not tuple:
        return
    if term[0] == VARIABLE:
        if term[1] == number:
            yield target
    elif term[0] == OK:
        yield from _allowed(term[1], bool(target), number, values)
    else:
        yield from _through(term, _rules(term[0]), target, number, values)


def _rules(name: str) -> tuple[Rule, ...]:
    if name in _SHARED:
        return NUMBERS[name], TEXTS[name]
    rule = RULES.get(name)
    return () if rule is None else (rule,)


def _through(
    term: Term, rules: tuple[Rule, ...], target: Any, number: int, values: Sequence[Any]
) -> Iterator[Any]:
    """Suggestions for ``number`` by way of every argument of ``term`` that mentions it."""
    args = [_present(part, values) for part in term[1:]]
    for position, part in enumerate(term[1:]):
        if number in variables_of(part):
            for rule in rules:
                for wanted in _wanted(rule, position, args, target):
                    yield from _inverted(part, wanted, number, values)


def _allowed(term: Term, fine: bool, number: int, values: Sequence[Any]) -> Iterator[Any]:  # noqa: FBT001
    """Suggestions that make ``term`` raise nothing (or, unless ``fine``, something)."""
    if type(term) is not tuple or term[0] == VARIABLE:
        return
    rule = RAISING.get(term[0])
    if rule is not None:
        yield from _through(term, (rule,), fine, number, values)
    for part in term[1:]:
        yield from _allowed(part, fine, number, values)


def _present(term: Term, values: Sequence[Any]) -> Any:
    try:
        return evaluate(term, values)
    except Exception:  # noqa: BLE001 - whatever the operation raises
        return MISSING


def _wanted(rule: Rule, position: int, args: list[Any], target: Any) -> list[Any]:
    try:
        return list(islice(rule(position, args, target), WIDEST))
    except Exception:  # noqa: BLE001 - a rule that does not fit these values suggests nothing
        return []
