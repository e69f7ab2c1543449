"""When operations raise: which results and which errors are conditions of their operands.

Invariant: an operation that is not ``fallible`` cannot raise for other operands of the types that
it once took, but for an input that is itself too large for a float; an error that is no condition
follows from the types.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from unitcraft.symbolic.terms.operations import OPERATIONS, UNLIMITED

_Rule = Callable[[Sequence[Any], Sequence[Any]], bool]


def _always(_values: Sequence[Any], _terms: Sequence[Any]) -> bool:
    return True


def _never(_values: Sequence[Any], _terms: Sequence[Any]) -> bool:
    return False


#: Operations that make vast whole numbers of inputs of a usual size, which no float may equal.
_ROUNDING: Final = frozenset({"round", "int", "math.floor", "math.ceil", "math.trunc"})
_GROWING: Final = frozenset({"**", "<<"})
#: Nodes of a term that are looked at; of a larger one nothing is known.
_MOST_LOOKS: Final = 40


def vast(term: Any) -> bool:
    """May the int that ``term`` stands for be too large for a float, though its inputs are not?"""
    waiting, looked = [term], 0
    while waiting:
        part = waiting.pop()
        if type(part) is tuple:
            looked += 1
            growing = part[0] in _GROWING and type(part[2]) is tuple
            if growing or part[0] in _ROUNDING or looked > _MOST_LOOKS:
                return True
            waiting += part[1:]
    return False


def _unlike_float(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """Is one of them a vast int?"""
    pairs = zip(values, terms, strict=True)
    return any(type(value) is int and type(term) is tuple and vast(term) for value, term in pairs)


def _open(*places: int) -> _Rule:
    """May fail when one of the arguments at ``places`` is not a constant."""
    return lambda _, terms: any(type(terms[at]) is tuple for at in places if at < len(terms))


def _of_float(values: Sequence[Any], _: Sequence[Any]) -> bool:
    return isinstance(values[0], float)


def _of_text(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    return isinstance(values[0], (str, bytes, float)) or _open(1)(values, terms)


def _to_float(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    return isinstance(values[0], (str, bytes)) or _unlike_float(values, terms)


def _added(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """A float and a vast int in a list."""
    held = terms[0][1:] if type(terms[0]) is tuple else ()
    ints = [term for value, term in zip(values[0], held, strict=False) if type(value) is int]
    return any(vast(term) for term in (*ints, terms[1] if len(terms) > 1 else 0))


def _rounding(values: Sequence[Any], _: Sequence[Any]) -> bool:
    return isinstance(values[0], float) and len(values) == 1


def _character(_: Sequence[Any], terms: Sequence[Any]) -> bool:
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


def _byte(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """A symbolic number may be no byte."""
    return any(
        isinstance(value, int) and type(term) is tuple
        for value, term in zip(values[:2], terms[:2], strict=True)
    ) and any(isinstance(value, bytes) for value in values)


def _spec(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    spec = terms[1] if len(terms) > 1 else ""
    return type(spec) is tuple or spec.endswith("c") or _unlike_float(values, terms)


#: Conversions of ``%`` that take any value of the type they were once given.
_EASY: Final = re.compile(r"(?:[^%]|%%|%[-+ #0]*\d*(?:\.\d+)?[sradioxXeEfFgGu])*")


#: Conversions that make a float of an int.
_REAL: Final = re.compile(r"%[-+ #0-9.]*[eEfFgG]|[eEfFgG%]\}")


def _percent(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    text = terms[0]
    if type(text) is bytes:
        text = text.decode("latin-1")
    if type(text) is not str:
        return isinstance(values[0], (str, bytes))
    others = values[1] if isinstance(values[1], tuple) else (values[1],)
    floats = any(isinstance(value, float) for value in others)
    return floats or not _EASY.fullmatch(text) or (vast(terms[1]) and bool(_REAL.search(text)))


#: A field whose format is filled in.
_NESTED: Final = re.compile(r"\{[^{}]*:[^{}]*\{")


def _filling(_: Sequence[Any], terms: Sequence[Any]) -> bool:
    text = terms[0]
    if type(text) is tuple or "[" in text or "c}" in text or _NESTED.search(text):
        return True
    return bool(_REAL.search(text)) and any(map(vast, terms[1:]))


def _repeated(values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """As often as a symbolic number says, a text may be too long."""
    return any(
        type(term) is tuple and isinstance(value, int) and not isinstance(other, (int, float))
        for value, term, other in zip(values, terms, reversed(values), strict=True)
    )


#: Operations that may fail for operands of the types that they once took: when just.
#: Of numbers, sizes that no run reaches do not count; of what is repeated or filled, they do.
FALLIBLE: Final[dict[str, _Rule]] = {
    **{name: _unlike_float for name in OPERATIONS if name.startswith("math.")},
    **dict.fromkeys(("math.gcd", "math.lcm"), _never),
    "[]": _always, "chr": _always, "bytes": _always, "[:]": _open(3), "sum": _added,
    "**": _always, "int": _of_text, "float": _to_float, "ord": _character, "round": _rounding,
    "format": _spec, "in": _byte, "%": _percent, "str.filled_in": _filling,
    "str.format": _filling, "int.to_bytes": _always, "int.from_bytes": _open(1),
    "float.as_integer_ratio": _always, "re.sub": _open(2, 4), "re.split": _open(3),
    "bytes.hex": _open(1), "*": _repeated, "<<": _open(1),
    **{
        f"{kind}.{name}": rule
        for kind in ("str", "bytes")
        for name, rule in {
            "index": _always, "rindex": _always, "split": _open(1, 2),
            "rsplit": _open(1, 2), "partition": _open(1), "rpartition": _open(1),
            "center": _open(1, 2), "ljust": _open(1, 2), "rjust": _open(1, 2),
            "encode": _always, "decode": _always, "count": _byte,
            "find": _byte, "rfind": _byte, "translate": _open(1), "zfill": _open(1),
            "expandtabs": _open(1), "replace": _open(3),
        }.items()
    },
    **{f"math.{name}": _always for name in (
        "acos", "acosh", "asin", "atanh", "cos", "cosh", "exp", "expm1", "fmod", "fsum", "gamma",
        "isqrt", "ldexp", "lgamma", "log", "log10", "log1p", "log2", "pow", "prod", "remainder",
        "sin", "sinh", "sqrt", "tan", "factorial", "isclose",
    )},
    **{f"math.{name}": _of_float for name in ("ceil", "floor", "trunc")},
}  # fmt: skip


def fallible(name: str, values: Sequence[Any], terms: Sequence[Any]) -> bool:
    """May ``name``, which gave a result for ``values``, raise for others of the same types?

    Arguments whose term is no tuple are constants.
    """
    rule = FALLIBLE.get(name)
    return rule is not None and rule(values, terms)


#: Operations that fail in more than one way, and those for which TypeError depends on values.
_MANY_WAYS: Final = UNLIMITED.keys() | frozenset(
    {
        "int", "round", "math.ceil", "math.floor", "math.trunc", "math.gamma", "math.lgamma",
        "math.log", "math.pow", "math.ldexp", "math.fmod", "math.remainder", "**", "bytes", "chr",
        "int.to_bytes", "float.as_integer_ratio", "format", "%", "str.filled_in", "str.encode",
        "bytes.decode", "math.factorial", "math.exp", "math.sinh", "math.cosh", "math.tanh",
        "math.fsum", "math.prod",
    }
)  # fmt: skip
_TYPED: Final = frozenset(
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


def many_ways(name: str) -> bool:
    """May ``name`` raise errors of several classes for operands of the same types?"""
    return name in _MANY_WAYS


def typed(name: str) -> bool:
    """Does it depend on more than the types of operands whether ``name`` raises TypeError?"""
    return name in _TYPED
