"""Inversion of raising: values of an argument that make an operation raise, or not raise.

Invariant: as for every rule, suggestions only; ``wanted`` is True for "raises nothing".
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

from unitcraft.solve.inversion.inversion_rules import MISSING, Rule
from unitcraft.solve.inversion.invert_texts import pad_to


def _divided(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    if position == 0:
        return []
    return [1, -1, 2] if wanted else [0]


def _item(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    container, index = args
    if position == 1:
        return [0, -1] if wanted else [len(container), -len(container) - 1]
    if container is MISSING or isinstance(container, dict):
        return []
    least = index + 1 if index >= 0 else -index
    return [pad_to(container, least)] if wanted else [container[:0], pad_to(container, least - 1)]


def _read(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """For int() and float()."""
    if position:
        return [10] if wanted else [1]
    present = args[0]
    if isinstance(present, float):
        return [1.0, 0.0] if wanted else [math.nan, math.inf]
    texts = ["1", "0", "12", "-1"] if wanted else ["a", "", "x1"]
    return texts if isinstance(present, str) else [*texts, *[text.encode() for text in texts]]


def _choice(fine: list[Any], bad: list[Any], at: int = 0) -> Rule:
    """The rule that suggests fixed values for argument ``at``; the ``bad`` ones raise."""

    def rule(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
        if position != at:
            return []
        return fine if wanted else bad

    return rule


def _power(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    if position == 0:
        return [1, 2] if wanted else [0, 0.0, 1e200]
    return [2, 1, 0] if wanted else [-1, 10**6]


def _found(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position == 0:
        return [text + part, part] if wanted else [text.replace(part, part[:0]), part[:0]]
    return [text[:1]] if wanted else [text + text[:1], "a", b"a"]


RAISING: Final[dict[str, Rule]] = {
    "/": _divided, "//": _divided, "%": _divided, "math.fmod": _divided,
    "math.remainder": _divided, "[]": _item, "int": _read, "float": _read, "**": _power,
    "math.pow": _power,
    "<<": _choice([1, 0], [-1], 1), ">>": _choice([1, 0], [-1], 1),
    "chr": _choice([97], [-1, 0x110000]),
    "ord": _choice(["a", b"a"], ["", b"", "ab", b"ab"]),
    "math.sqrt": _choice([1, 4], [-1]), "math.isqrt": _choice([1, 4], [-1]),
    "math.log": _choice([1], [0, -1]), "math.log2": _choice([1], [0, -1]),
    "math.log10": _choice([1], [0, -1]), "math.log1p": _choice([1], [-1]),
    "math.acos": _choice([1, 0], [2]), "math.asin": _choice([1, 0], [2]),
    "math.exp": _choice([1], [1000]), "math.floor": _choice([1.0], [math.nan, math.inf]),
    "math.ceil": _choice([1.0], [math.nan, math.inf]), "round": _choice([1.0], [math.nan]),
    "math.trunc": _choice([1.0], [math.nan]),
    "str.index": _found, "bytes.index": _found, "str.rindex": _found, "bytes.rindex": _found,
    "str.encode": _choice(["a"], ["\ud800", "\u00e9"]),
    "bytes.decode": _choice([b"a"], [b"\xff"]),
    "bytes": _choice([b"a", 1], [-1]),
}  # fmt: skip
