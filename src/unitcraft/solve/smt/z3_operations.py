"""The table of translated operations: equality of any two values, items, and choice by sort.

Invariant: values of unlike sorts are unequal, as in CPython, but for numbers; ``same`` also asks
for one class.  An operation that is missing here makes its constraint Untranslatable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from unitcraft.solve.smt.z3_case_and_strip import CASES, translate_cased_equality
from unitcraft.solve.smt.z3_floats import float_comparison
from unitcraft.solve.smt.z3_numbers import NUMBERS
from unitcraft.solve.smt.z3_strings import TEXTS, WRITTEN, translate_containment
from unitcraft.solve.smt.z3_terms import Meaning, Translator
from unitcraft.solve.smt.z3_values import Untranslatable, Value

_NUMERIC: Final = ("int", "bool", "float")


def _equality(t: Translator, first: Value, second: Value) -> Any:
    """``first == second`` as a z3 Bool."""
    sorts = (first.sort, second.sort)
    if "float" in sorts and all(sort in _NUMERIC for sort in sorts):
        return float_comparison(lambda a, b: a == b)(t, (first, second)).expr
    if all(sort in _NUMERIC for sort in sorts):
        return t.integer(first) == t.integer(second)
    if sorts == ("items", "items"):
        return _item_wise(t, first, second)
    if "match" in sorts:
        return _against_match(t, *((first, second) if first.sort == "match" else (second, first)))
    if "lowered" in sorts or "uppered" in sorts:
        return translate_cased_equality(t, first, second)
    if sorts[0] != sorts[1]:
        return t.fixed(value=False)
    return t.fixed(value=True) if first.sort == "none" else first.expr == second.expr


def _item_wise(t: Translator, first: Value, second: Value) -> Any:
    """Only tuples and lists of one known type reach here as ``items`` with a constant."""
    if first.const and second.const:
        return t.fixed(value=bool(first.const[0] == second.const[0]))
    raise Untranslatable("equality of items")


def _against_match(t: Translator, match: Value, other: Value) -> Any:
    if other.sort != "none":
        raise Untranslatable("equality of a match")
    return t.z3.Not(match.expr)


def _equal(t: Translator, args: Sequence[Value]) -> Value:
    return t.boolean(_equality(t, *args))


def _unequal(t: Translator, args: Sequence[Value]) -> Value:
    return t.boolean(t.z3.Not(_equality(t, *args)))


def _same(t: Translator, args: Sequence[Value]) -> Value:
    first, second = args
    if any(one.sort in ("match", "lowered", "uppered") for one in args):
        return _equal(t, args)
    if first.sort != second.sort:
        return t.known(value=False)
    if first.sort == "items":
        raise Untranslatable("items of the same classes")
    if first.sort == "float":
        return t.boolean(_same_floats(t, first, second))
    return _equal(t, args)


def _same_floats(t: Translator, first: Value, second: Value) -> Any:
    """Zeros have a sign that the reals lack."""
    both = t.z3.And(first.nan, second.nan)
    neither = t.z3.And(t.z3.Not(first.nan), t.z3.Not(second.nan), first.expr == second.expr)
    if any(value.const and value.const[0] for value in (first, second)):
        return t.z3.Or(both, neither)
    nonzero = t.z3.And(neither, first.expr != 0)
    return t.between(t.z3.Or(both, nonzero), t.z3.Or(both, neither))


def _in(t: Translator, args: Sequence[Value]) -> Value:
    item, container = args
    if container.sort != "items":
        return translate_containment(t, args)
    if any(one.const and one.const[0] != one.const[0] for one in container.expr):
        raise Untranslatable("a NaN, which is in a list if it is that very object")
    return t.boolean(t.either([_equality(t, item, one) for one in container.expr]))


def _truth(t: Translator, args: Sequence[Value]) -> Value:
    return t.boolean(t.truth(args[0]))


def _items(_t: Translator, args: Sequence[Value]) -> Value:
    return Value("items", tuple(args))


def _any_sort(name: str) -> Meaning:
    """The meaning of ``name`` for the sorts of its arguments: texts, floats or ints."""
    numbers, texts, written = NUMBERS.get(name, {}), TEXTS.get(name), WRITTEN.get(name)

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        sorts = [arg.sort for arg in args]
        chosen = None
        if all(sort in _NUMERIC for sort in sorts):
            chosen = written or numbers.get("float" if "float" in sorts else "int")
        elif "str" in sorts or "bytes" in sorts:
            chosen = texts
        if chosen is None:
            raise Untranslatable(f"{name} of {', '.join(sorts)}")
        return chosen(t, args)

    return meaning


MEANINGS: Final[dict[str, Meaning]] = {
    **{name: _any_sort(name) for name in dict.fromkeys([*NUMBERS, *TEXTS, *WRITTEN])},
    **CASES,
    "==": _equal, "!=": _unequal, "same": _same, "in": _in, "truth": _truth,
    "tuple": _items, "list": _items,
}  # fmt: skip
