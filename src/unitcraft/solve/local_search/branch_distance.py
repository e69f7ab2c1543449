"""Branch distance: how far values are from satisfying a constraint.

Invariant: the distance is 0 exactly when the constraint holds, and at most 1.

Source: BRANCHDISTANCE, differs: the distances of comparisons of numbers as usual, extended to
texts, containers and predicates on texts, and normalised to at most 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from unitcraft.symbolic.terms.term import OK, SAME, Constraint, Term, evaluate

#: The least distance of a comparison that does not hold: its sides are one unit apart.
_STEP: Final = 1.0

#: The distance of a missing character, in code points: as much as a very different one.
_CHARACTER: Final = 64.0

#: Characters and items of a value that are compared; later ones only count as equal or not.
_MAX_COMPARED: Final = 1_000

#: The distance of a term that raises, and of values of unlike types, before normalisation.
_RAISED: Final = 1e6


def branch_distance(constraint: Constraint, values: Sequence[Any]) -> float:
    """0.0 if ``constraint`` holds, else a number up to 1 that falls as ``values`` come nearer."""
    term, outcome = constraint
    try:
        lack = _raw_distance(term, outcome, values)
    except Exception:  # noqa: BLE001 - whatever the operation raises
        return _RAISED / (_RAISED + 1.0)
    if not lack:
        return 0.0
    return lack / (lack + 1.0) if lack < 1e15 else 1.0 - 1e-15 / (1.0 + math.log2(lack))  # noqa: PLR2004


def _raw_distance(term: Term, outcome: bool, values: Sequence[Any]) -> float:  # noqa: FBT001 - an outcome
    if type(term) is not tuple or term[0] == OK or len(term) < 2:  # noqa: PLR2004
        return 0.0 if bool(evaluate(term, values)) is outcome else _STEP
    name = term[0]
    if name == "truth":
        return _truth_distance(evaluate(term[1], values), outcome)
    if name in _NEGATED:
        first, second = evaluate(term[1], values), evaluate(term[2], values)
        if bool(_COMPARE[name](first, second)) is outcome:
            return 0.0
        return _comparison_distance(name if outcome else _NEGATED[name], first, second)
    if name == SAME:
        return _same_distance(evaluate(term[1], values), evaluate(term[2], values), outcome)
    value = evaluate(term, values)
    if bool(value) is outcome:
        return 0.0
    rule = _PREDICATES.get(name)
    if rule is None:
        return _truth_distance(value, outcome)
    return max(_STEP, rule(*[evaluate(part, values) for part in term[1:]])) if outcome else _STEP


_NEGATED: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}

_COMPARE: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b, "==": lambda a, b: a == b, "!=": lambda a, b: a != b,
}  # fmt: skip


def _truth_distance(value: Any, outcome: bool) -> float:  # noqa: FBT001
    if bool(value) is outcome:
        return 0.0
    if outcome:
        return _STEP
    if isinstance(value, (int, float)):
        return _as_float(abs(value))
    return _CHARACTER * len(value) if hasattr(value, "__len__") else _STEP


def _same_distance(first: Any, second: Any, outcome: bool) -> float:  # noqa: FBT001
    equal = evaluate((SAME, first, second), ()) if _atoms(first, second) else first == second
    if bool(equal) is outcome:
        return 0.0
    return max(_STEP, _value_distance(first, second)) if outcome else _STEP


def _atoms(first: Any, second: Any) -> bool:
    return type(first) is not tuple and type(second) is not tuple


def _comparison_distance(name: str, first: Any, second: Any) -> float:
    """How far two values are from relation ``name``; it does not hold."""
    if name == "!=":
        return _STEP
    apart = _value_distance(first, second)
    return max(_STEP, apart) if name == "==" else apart + _STEP


def _value_distance(first: Any, second: Any) -> float:
    """How far two values are from being equal; values of unlike types are far apart."""
    if isinstance(first, (int, float)) and isinstance(second, (int, float)):
        if first == second:
            return 0.0
        return _as_float(abs(first - second))
    if isinstance(first, (str, bytes)) and type(first) is type(second):
        return _text_distance(first, second)
    if isinstance(first, (list, tuple)) and isinstance(second, (list, tuple)):
        pairs = islice(zip(first, second, strict=False), _MAX_COMPARED)
        common = sum(_value_distance(a, b) for a, b in pairs)
        return common + 16 * _CHARACTER * abs(len(first) - len(second))
    return 0.0 if first == second else _RAISED


def _as_float(value: Any) -> float:
    if value != value:  # noqa: PLR0124 - NaN
        return _RAISED
    try:
        return min(float(value), 1e300)
    except OverflowError:
        return 1e300


def _text_distance(first: Any, second: Any) -> float:
    codes = zip(*[_codes(value) for value in (first, second)], strict=False)
    apart = sum(_character_distance(a, b) for a, b in codes)
    return apart + _CHARACTER * abs(len(first) - len(second))


def _codes(value: Any) -> Sequence[int]:
    value = value[:_MAX_COMPARED]
    return value if isinstance(value, bytes) else [ord(character) for character in value]


def _character_distance(first: int, second: int) -> float:
    apart = abs(first - second)
    return float(apart) if apart < _CHARACTER else _CHARACTER * (2.0 - _CHARACTER / (apart + 1.0))


def _containment(item: Any, container: Any) -> float:
    if not isinstance(container, (str, bytes)):
        items = islice(container, _MAX_COMPARED)
        return min([_value_distance(item, one) for one in items], default=_RAISED)
    size = len(item)
    starts = range(max(1, min(len(container) - size + 1, 60)))
    return min([_text_distance(container[at : at + size], item) for at in starts], default=_RAISED)


def _prefix(text: Any, part: Any, *_rest: Any) -> float:
    parts = part if isinstance(part, tuple) else (part,)
    return min([_text_distance(text[: len(one)], one) for one in parts], default=_RAISED)


def _suffix(text: Any, part: Any, *_rest: Any) -> float:
    parts = part if isinstance(part, tuple) else (part,)
    return min([_text_distance(text[-len(one) :], one) for one in parts if one], default=_RAISED)


def _character_class(name: str) -> Callable[..., float]:
    """How many characters fail predicate ``name``."""

    def rule(text: Any) -> float:
        pieces = [text[at : at + 1] for at in range(min(len(text), _MAX_COMPARED))]
        return _CHARACTER * (sum(not getattr(one, name)() for one in pieces) + (not text))

    return rule


_PREDICATES: Final[dict[str, Callable[..., float]]] = {
    "in": _containment,
    **{f"{kind}.startswith": _prefix for kind in ("str", "bytes")},
    **{f"{kind}.endswith": _suffix for kind in ("str", "bytes")},
    **{
        f"{kind}.{name}": _character_class(name)
        for kind in ("str", "bytes")
        for name in ("isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isascii")
    },
}
