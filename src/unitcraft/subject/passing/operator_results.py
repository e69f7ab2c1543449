"""What operators answer of operands whose types are known, and the items of containers.

Invariant: ANY is the answer where nothing is certain; no object is touched.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.known_types import BYTES, DECIMAL, INT, NONE, PATH, STR, union
from unitcraft.subject.scopes import word_set

#: The type of what has no value yet, as of a name that is only bound by means of itself.
NOTHING: Final = TypeExpr("union")
_FLOAT: Final = TypeExpr("float")
_NUMBERS: Final = ("bool", "int", "float", "complex")
_DATES: Final = ("datetime:date", "datetime:datetime")
_DURATION: Final = TypeExpr("class", cls="datetime:timedelta")
_EXACT: Final = ("decimal:Decimal", "fractions:Fraction")
_SETS: Final = ("set", "frozenset")
_SERIES: Final = ("str", "bytes", "list", "tuple", "vartuple")
#: Containers of items of one type, which is their first type argument.
OF_ITEMS: Final = word_set("list set frozenset iterable iterator sequence vartuple")
_OF_KEYS: Final = ("dict", "mapping")


def join(types: Iterable[TypeExpr]) -> TypeExpr:
    """The type of what is of one of ``types``, None left out; ANY if one of them is not known.

    Of containers that differ only in their items nothing is known of those.
    """
    found: dict[tuple[str, str], list[TypeExpr]] = {}
    is_none = False
    for one in types:
        for part in one.args if one.name == "union" else (one,):
            is_none = is_none or part == NONE
            if part != NONE:
                found.setdefault((part.name, part.cls), []).append(part)
    if not found:
        return NONE if is_none else NOTHING
    return union(*map(_alike, found.values()))


def _alike(types: list[TypeExpr]) -> TypeExpr:
    """The type of what is of one of ``types``, which have one name."""
    told = list(dict.fromkeys([one for one in types if one.args])) or types
    if len(told) == 1:
        return told[0]
    bare = "vartuple" if told[0].name == "tuple" else told[0].name
    return replace(told[0], name=bare, args=(), literals=())


def agreed(types: Iterable[TypeExpr]) -> TypeExpr:
    """The type that all of ``types`` are of; numbers may differ."""
    found = join(types)
    is_plain = found.name != "union" or all(one.name in _NUMBERS for one in found.args)
    return found if is_plain else ANY


def without_none(type_: TypeExpr) -> TypeExpr:
    """``type_`` where it is not None; '' of unknown."""
    return join(type_.args) if type_.name == "union" and type_.args else type_


def item_of(type_: TypeExpr) -> TypeExpr:
    """The type of what a loop over a value of ``type_`` goes through."""
    match type_:
        case TypeExpr("str") | TypeExpr("bytes"):
            return STR if type_ == STR else INT
        case TypeExpr("tuple", args=args) if args:
            return agreed(args)
        case TypeExpr(name, args=(first, *_), literals=()) if name in OF_ITEMS or name in _OF_KEYS:
            return first
        case TypeExpr("class", cls="builtins:range"):
            return INT
        case TypeExpr("class", cls="io:StringIO" | "io:BytesIO"):
            return STR if type_.cls == "io:StringIO" else BYTES
    return NOTHING if type_ == NOTHING else ANY


def part_of(type_: TypeExpr, place: int, count: int) -> TypeExpr:
    """The type of one of ``count`` parts that a value of ``type_`` is unpacked into."""
    if type_.name == "tuple":
        return type_.args[place] if len(type_.args) == count else ANY
    return item_of(type_)


def entry_of(type_: TypeExpr, index: ast.expr) -> TypeExpr:
    """The type of ``value[index]`` for a value of ``type_``."""
    if isinstance(index, ast.Slice):
        if type_.name == "tuple":
            inner = agreed(type_.args)
            return TypeExpr("vartuple", () if inner in (ANY, NONE, NOTHING) else (inner,))
        return type_ if type_.name in (*_SERIES, "sequence") else ANY
    match type_, index:
        case TypeExpr("tuple", args=args), ast.Constant(int(place)) if place < len(args):
            return args[place]
        case TypeExpr("dict" | "mapping", args=(_, held), literals=()), _:
            return held
        case TypeExpr("str" | "bytes" | "list" | "vartuple" | "sequence"), _:
            return item_of(type_)
        case TypeExpr("class", cls="re:Match" | "os:_Environ"), _:
            return STR
    return ANY


def operated(left: TypeExpr, op: ast.operator, right: TypeExpr) -> TypeExpr:
    """The type of ``left op right``; where one is not known, only what is certain all the same."""
    left = right if left == NOTHING else left
    right = left if right == NOTHING else right
    if left.name in ("str", "bytes") and isinstance(op, ast.Add | ast.Mod | ast.Mult):
        return left
    if left.name in _NUMBERS and right.name in _NUMBERS:
        return _of_numbers(left, op, right)
    if left.name == "list" and isinstance(op, ast.Add):
        return left if left == right else TypeExpr("list")
    if isinstance(op, ast.Mult) and {left.name, right.name} & {"int"}:
        series = right if left == INT else left
        return series if series.name in ("str", "bytes", "list") else _of_classes(left, op, right)
    if left.name in _SETS and right.name in _SETS:
        return left if left == right else TypeExpr(left.name)
    if left.name == right.name == "dict" and isinstance(op, ast.BitOr):
        return left if left == right else TypeExpr("dict")
    return _of_classes(left, op, right)


def _of_numbers(left: TypeExpr, op: ast.operator, right: TypeExpr) -> TypeExpr:
    place = max(_NUMBERS.index(left.name), _NUMBERS.index(right.name))
    if isinstance(op, ast.Div):
        return TypeExpr(_NUMBERS[max(place, 2)])
    if isinstance(op, ast.Pow) and place < _NUMBERS.index("float"):
        return ANY  # 2 ** -1 is a float
    is_flag = isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor)
    return TypeExpr(_NUMBERS[place if is_flag else max(place, 1)])


def _of_classes(left: TypeExpr, op: ast.operator, right: TypeExpr) -> TypeExpr:
    """The type of ``left op right`` for dates, durations, paths and exact numbers."""
    homes = (left.cls, right.cls)
    for exact in _EXACT:
        if exact in homes and all(one in (exact, "") for one in homes):
            others = [one for one in (left, right) if one.cls == ""]
            is_exact = all(one.name in ("int", "bool") for one in others)
            return TypeExpr("class", cls=exact) if is_exact else ANY
    if left.cls in _DATES:
        if left == right and isinstance(op, ast.Sub):
            return _DURATION
        return left if right == _DURATION and isinstance(op, ast.Add | ast.Sub) else ANY
    if _DURATION in (left, right):
        return _of_durations(left, op, right)
    if isinstance(op, ast.Div) and PATH in (left, right):
        return PATH if all(one in (PATH, STR) for one in (left, right)) else ANY
    return ANY


def _of_durations(left: TypeExpr, op: ast.operator, right: TypeExpr) -> TypeExpr:
    if left == right:
        if isinstance(op, ast.Add | ast.Sub):
            return _DURATION
        return _FLOAT if isinstance(op, ast.Div) else ANY
    other = right if left == _DURATION else left
    if other.cls in _DATES and isinstance(op, ast.Add):
        return other
    is_scaled = isinstance(op, ast.Mult) or (isinstance(op, ast.Div) and left == _DURATION)
    return _DURATION if other.name in _NUMBERS and is_scaled else ANY


def negated(op: ast.unaryop, operand: TypeExpr) -> TypeExpr:
    """The type of ``op operand``."""
    if isinstance(op, ast.Not):
        return TypeExpr("bool")
    if operand.name in _NUMBERS:
        return INT if operand.name == "bool" else operand
    is_number = operand in (DECIMAL, _DURATION, NOTHING) or operand.cls == "fractions:Fraction"
    return operand if is_number and not isinstance(op, ast.Invert) else ANY
