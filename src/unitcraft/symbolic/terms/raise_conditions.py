"""When operations raise: which results and which errors are conditions of their operands.

Invariant: an operation of which ``may_raise`` is false cannot raise for other operands of the same
types, except for an input that is itself too large for a float; an error that is not a condition
of the operands follows from their types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from unitcraft.symbolic.terms.operations import OPERATIONS, UNLIMITED

_Rule = Callable[[Sequence[Any], Sequence[Any]], bool]


def _may_always_raise(_values: Sequence[Any], _terms: Sequence[Any]) -> bool:
    return True


def _never_raises(_values: Sequence[Any], _terms: Sequence[Any]) -> bool:
    return False


#: Operations that may make ints beyond the range of floats: of a float, and of small ints.
_ROUNDING: Final = frozenset({"round", "int", "math.floor", "math.ceil", "math.trunc"})
_GROWING: Final = frozenset({"**", "<<"})
#: Nodes of a term that are looked at; a larger one may stand for any int.
_MAX_NODES: Final = 40


def may_exceed_float(term: Any) -> bool:
    """May the int that ``term`` stands for be too large for a float, though its inputs are not?"""
    waiting, looked = [term], 0
    while waiting:
        part = waiting.pop()
        if type(part) is tuple:
            looked += 1
            growing = part[0] in _GROWING and type(part[2]) is tuple
            if growing or part[0] in _ROUNDING or looked > _MAX_NODES:
                return True
            waiting += part[1:]
    return False


def _has_huge_int(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """Is one of them a symbolic int that may exceed the range of floats?"""
    pairs = zip(values, terms, strict=True)
    return any(
        type(value) is int and type(term) is tuple and may_exceed_float(term)
        for value, term in pairs
    )


def _if_symbolic(*places: int) -> _Rule:
    """May fail when one of the arguments at ``places`` is not a constant."""
    return lambda _, terms: any(type(terms[at]) is tuple for at in places if at < len(terms))


def _takes_float(values: Sequence[Any], _: Sequence[Any]) -> bool:
    return isinstance(values[0], float)


def _int_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    return isinstance(values[0], (str, bytes, float)) or _if_symbolic(1)(values, terms)


def _float_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    return isinstance(values[0], (str, bytes)) or _has_huge_int(values, terms)


def _sum_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """``sum`` fails for an int beyond the range of floats beside a float."""
    held = terms[0][1:] if type(terms[0]) is tuple else ()
    ints = [term for value, term in zip(values[0], held, strict=False) if type(value) is int]
    return any(may_exceed_float(term) for term in (*ints, terms[1] if len(terms) > 1 else 0))


def _round_may_raise(values: Sequence[Any], _: Sequence[Any]) -> bool:
    return isinstance(values[0], float) and len(values) == 1


def _ord_may_raise(_: Sequence[Any], terms: Sequence[Any]) -> bool:
    """``ord`` of an element of a text cannot fail."""
    of = terms[0]
    if type(of) is not tuple or of[0] != "[]":
        return True
    return type(of[1]) is tuple and of[1][0] in _OF_TEXTS


#: Operations that make sequences of texts.
_OF_TEXTS: Final = frozenset(
    {"tuple", "list", "re.findall", "re.split"}
    | {f"{kind}.{name}" for kind in ("str", "bytes")
       for name in ("split", "rsplit", "splitlines", "partition", "rpartition")}
)  # fmt: skip


def _byte_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """A symbolic int looked for in bytes may be outside 0 to 255."""
    return any(
        isinstance(value, int) and type(term) is tuple
        for value, term in zip(values[:2], terms[:2], strict=True)
    ) and any(isinstance(value, bytes) for value in values)


def _format_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    spec = terms[1] if len(terms) > 1 else ""
    return type(spec) is tuple or spec.endswith("c") or _has_huge_int(values, terms)


#: Conversions of ``%`` that take any value of the type they were once given.
_TOTAL_CONVERSIONS: Final = re.compile(r"(?:[^%]|%%|%[-+ #0]*\d*(?:\.\d+)?[sradioxXeEfFgGu])*")


#: Conversions that make a float of an int.
_FLOAT_CONVERSION: Final = re.compile(r"%[-+ #0-9.]*[eEfFgG]|[eEfFgG%]\}")


def _percent_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    text = terms[0]
    if type(text) is bytes:
        text = text.decode("latin-1")
    if type(text) is not str:
        return isinstance(values[0], (str, bytes))
    others = values[1] if isinstance(values[1], tuple) else (values[1],)
    floats = any(isinstance(value, float) for value in others)
    return (
        floats
        or not _TOTAL_CONVERSIONS.fullmatch(text)
        or (may_exceed_float(terms[1]) and bool(_FLOAT_CONVERSION.search(text)))
    )


#: A field whose format is filled in.
_NESTED_FIELD: Final = re.compile(r"\{[^{}]*:[^{}]*\{")


def _fill_in_may_raise(_: Sequence[Any], terms: Sequence[Any]) -> bool:
    text = terms[0]
    if type(text) is tuple or "[" in text or "c}" in text or _NESTED_FIELD.search(text):
        return True
    return bool(_FLOAT_CONVERSION.search(text)) and any(map(may_exceed_float, terms[1:]))


def _repeat_may_raise(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """A text repeated a symbolic number of times may be too long."""
    return any(
        type(term) is tuple and isinstance(value, int) and not isinstance(other, (int, float))
        for value, term, other in zip(values, terms, reversed(values), strict=True)
    )


#: When an operation may raise for other operands of the types that it once took.  Results that
#: no memory holds count as errors for texts that are repeated or filled, not for numbers.
FALLIBLE: Final[dict[str, _Rule]] = {
    **{name: _has_huge_int for name in OPERATIONS if name.startswith("math.")},
    **dict.fromkeys(("math.gcd", "math.lcm"), _never_raises),
    "[]": _may_always_raise, "chr": _may_always_raise, "bytes": _may_always_raise,
    "[:]": _if_symbolic(3), "sum": _sum_may_raise,
    "**": _may_always_raise, "int": _int_may_raise, "float": _float_may_raise,
    "ord": _ord_may_raise, "round": _round_may_raise,
    "format": _format_may_raise, "in": _byte_may_raise, "%": _percent_may_raise,
    "str.filled_in": _fill_in_may_raise,
    "str.format": _fill_in_may_raise, "int.to_bytes": _may_always_raise,
    "int.from_bytes": _if_symbolic(1),
    "float.as_integer_ratio": _may_always_raise, "re.sub": _if_symbolic(2, 4),
    "re.split": _if_symbolic(3),
    "bytes.hex": _if_symbolic(1), "*": _repeat_may_raise, "<<": _if_symbolic(1),
    **{
        f"{kind}.{name}": rule
        for kind in ("str", "bytes")
        for name, rule in {
            "index": _may_always_raise, "rindex": _may_always_raise, "split": _if_symbolic(1, 2),
            "rsplit": _if_symbolic(1, 2), "partition": _if_symbolic(1),
            "rpartition": _if_symbolic(1),
            "center": _if_symbolic(1, 2), "ljust": _if_symbolic(1, 2), "rjust": _if_symbolic(1, 2),
            "encode": _may_always_raise, "decode": _may_always_raise, "count": _byte_may_raise,
            "find": _byte_may_raise, "rfind": _byte_may_raise, "translate": _if_symbolic(1),
            "zfill": _if_symbolic(1),
            "expandtabs": _if_symbolic(1), "replace": _if_symbolic(3),
        }.items()
    },
    **{f"math.{name}": _may_always_raise for name in (
        "acos", "acosh", "asin", "atanh", "cos", "cosh", "exp", "expm1", "fmod", "fsum", "gamma",
        "isqrt", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "pow", "prod", "remainder",
        "sin", "sinh", "sqrt", "tan", "factorial", "isclose",
    )},
    **{f"math.{name}": _takes_float for name in ("ceil", "floor", "trunc")},
    "struct.pack": _may_always_raise,
}  # fmt: skip


def may_raise(name: str, values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """May ``name``, which gave a result for ``values``, raise for others of the same types?

    Arguments whose term is no tuple are constants.
    """
    rule = FALLIBLE.get(name)
    return rule is not None and rule(values, terms)


#: Operations that raise errors of several classes for operands of the same types.
_SEVERAL_CLASSES: Final = UNLIMITED.keys() | frozenset(
    {
        "int", "round", "math.ceil", "math.floor", "math.trunc", "math.gamma", "math.lgamma",
        "math.log", "math.pow", "math.ldexp", "math.fmod", "math.remainder", "**", "bytes", "chr",
        "int.to_bytes", "float.as_integer_ratio", "format", "%", "str.filled_in", "str.encode",
        "bytes.decode", "math.factorial", "math.exp", "math.sinh", "math.cosh", "math.tanh",
        "math.fsum", "math.prod", "struct.pack", "json.loads", "datetime.date",
        "datetime.datetime",
    }
)  # fmt: skip
#: Operations that raise TypeError for some values of the right types.
_TYPE_ERROR_BY_VALUE: Final = frozenset(
    {
        "ord",
        "%",
        "str.filled_in",
        "in",
        "bytes.translate",
        "math.fsum",
        "math.prod",
        "math.log",
    }
    | {f"{kind}.{name}" for kind in ("str", "bytes") for name in ("center", "ljust", "rjust")}
)


def raises_several_classes(name: str) -> bool:
    """May ``name`` raise errors of several classes for operands of the same types?"""
    return name in _SEVERAL_CLASSES


def type_error_depends_on_values(name: str) -> bool:
    """Does it depend on more than the types of operands whether ``name`` raises TypeError?"""
    return name in _TYPE_ERROR_BY_VALUE
