"""Infers the types of a parameter from the operations recorded on its probe.

Each operation and attribute name gives points to the types that support it; the types with
points are the answer, the most points first.  The points are hand-set and not measured.

Invariant: ``guess_types`` is a function of the operations and the Subject's classes only; its
answer is without repeats, and empty if nothing was recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.known_types import (
    ANY_PARAMETERS,
    AWAITABLE,
    BYTES,
    FLOAT,
    INT,
    NONE,
    PATH,
    STR,
    union,
)
from unitcraft.subject.model import FORWARDED, ClassInfo
from unitcraft.subject.scopes import word_set

_BOOL: Final = TypeExpr("bool")
_DATE: Final = TypeExpr("class", cls="datetime:date")
_DATETIME: Final = TypeExpr("class", cls="datetime:datetime")
_TIMEDELTA: Final = TypeExpr("class", cls="datetime:timedelta")
_DECIMAL: Final = TypeExpr("class", cls="decimal:Decimal")
_FRACTION: Final = TypeExpr("class", cls="fractions:Fraction")
_STREAM: Final = TypeExpr("class", cls="io:StringIO")
_PATTERN: Final = TypeExpr("class", cls="re:Pattern")
_UUID: Final = TypeExpr("class", cls="uuid:UUID")
_EXCEPTION: Final = TypeExpr("class", cls="builtins:ValueError")
_CAUGHT: Final = TypeExpr("type", (TypeExpr("class", cls="builtins:Exception"),))
_ELEMENT: Final = TypeExpr("class", cls="xml.etree.ElementTree:Element")
_RECORD: Final = TypeExpr("class", cls="logging:LogRecord")
_LIST: Final = TypeExpr("list")
_DICT: Final = TypeExpr("dict")
_SET: Final = TypeExpr("set")
_DEQUE: Final = TypeExpr("class", cls="collections:deque")
_LOCK: Final = TypeExpr("class", cls="threading:Lock")
_CONTEXT: Final = TypeExpr("class", cls="contextlib:nullcontext")


#: Type -> the attribute names that indicate it.
_ATTRIBUTES: Final[tuple[tuple[TypeExpr, frozenset[str]], ...]] = (
    (STR, frozenset(name for name in dir(str) if not name.startswith("_"))),
    (_DICT, frozenset(name for name in dir(dict) if not name.startswith("_"))),
    (_LIST, frozenset(name for name in dir(list) if not name.startswith("_"))),
    (_SET, frozenset(name for name in dir(set) if not name.startswith("_"))),
    (BYTES, frozenset(["decode", "hex", "fromhex"])),
    (INT, word_set(
            "bit_length bit_count numerator denominator real imag to_bytes"
        )),
    (FLOAT, word_set(
            "is_integer as_integer_ratio fromhex real imag"
        )),
    (_DATETIME, word_set(
            "year month day hour minute second microsecond tzinfo date time timestamp "
            "astimezone strftime isoformat replace weekday"
        )),
    (_DATE, word_set(
            "year month day weekday isoweekday isocalendar strftime isoformat replace "
            "toordinal"
        )),
    (_TIMEDELTA, word_set(
            "days seconds microseconds total_seconds"
        )),
    (_DECIMAL, word_set(
            "quantize as_tuple normalize is_nan is_finite adjusted"
        )),
    (_FRACTION, frozenset(["numerator", "denominator", "limit_denominator"])),
    (_STREAM, word_set(
            "read readline readlines write writelines seek tell flush close"
        )),
    (PATH, word_set(
            "exists is_file is_dir parent parts suffix stem name read_text open resolve "
            "joinpath with_suffix"
        )),
    (_ELEMENT, word_set(
            "attrib tag text tail find findall findtext iter itertext iterfind"
        )),
    (_RECORD, word_set(
            "levelno levelname msg args exc_info exc_text getMessage created pathname lineno"
        )),
    (_PATTERN, word_set(
            "match search fullmatch sub findall finditer pattern groups"
        )),
    (_UUID, word_set(
            "hex int bytes urn variant version"
        )),
    (_EXCEPTION, frozenset(["args", "with_traceback", "add_note"])),
    (_DEQUE, word_set(
            "appendleft popleft extendleft rotate maxlen"
        )),
)  # fmt: skip

#: Attributes that say nothing by themselves: 19 to 87 of the 3,281 classes of CPython 3.11's
#: library have each of them, of the others that name a field here at most 10.
COMMON_ATTRIBUTES: Final = word_set("args lineno match msg name open parent text version")

#: Those of which all public attributes are named.
_COMPLETE: Final = (STR, _DICT, _LIST, _SET)

#: Operations that only numbers support.
_NUMERIC: Final = word_set(
    "sub rsub truediv rtruediv floordiv rfloordiv pow rpow rmod neg pos abs round "
    "trunc floor ceil divmod rdivmod"
)

#: Class name of the other operand -> the type that a symmetric operation then suggests.
_BY_OPERAND: Final[Mapping[str, TypeExpr]] = MappingProxyType(
    {
        "int": INT,
        "float": FLOAT,
        "str": STR,
        "bytes": BYTES,
        "list": _LIST,
        "dict": _DICT,
        "set": _SET,
        "frozenset": _SET,
        "tuple": TypeExpr("vartuple"),
        "Decimal": _DECIMAL,
        "Fraction": _FRACTION,
        "datetime": _DATETIME,
        "date": _DATE,
        "timedelta": _TIMEDELTA,
        "complex": TypeExpr("complex"),
        "bool": TypeExpr("bool"),
    }
)

#: Kind that a callee accepts -> the types that it stands for.
_OF_KIND: Final[Mapping[str, tuple[TypeExpr, ...]]] = MappingProxyType(
    {
        **{name: (type_,) for name, type_ in _BY_OPERAND.items() if name.islower()},
        "path": (STR, PATH), "iterable": (_LIST,), "function": (TypeExpr("callable"),),
        "type": (TypeExpr("type"),),
    }
)  # fmt: skip

#: Kinds of answers that few functions give, and what must speak for one of them.
_ANSWERS: Final = word_set("str list dict")
_OF_ANSWER: Final = 4
#: What speaks for a text whose items are characters: more than that a list is iterated over.
_OF_CHARACTERS: Final = 3
#: Characters of a path for which element types are inferred; a longer path tells little.
_MAX_PATH: Final = 60

#: Operations on what a block is entered by, beside those that any value has.
_OF_MANAGERS: Final = word_set("enter is bool pass")

#: Operations whose operands usually have one type.
_SYMMETRIC: Final = word_set("eq ne lt le gt ge add radd sub rsub and or xor rand ror")


def guess_types(
    sightings: tuple[ProbeOperation, ...], path: str, classes: tuple[ClassInfo, ...] = ()
) -> tuple[TypeExpr, ...]:
    """Plausible types of the probe at ``path``, the likeliest first; () if none is."""
    ranked = _ranked(sightings, path, classes)
    return tuple([_with_element_type(kind, path, sightings, classes) for kind, _ in ranked])


def _ranked(
    sightings: tuple[ProbeOperation, ...], path: str, classes: tuple[ClassInfo, ...]
) -> list[tuple[TypeExpr, int]]:
    """The types that have points, and their points, the most first."""
    own = tuple([one for one in sightings if one.path == path])
    scores: dict[TypeExpr, int] = {}
    result = _result_type(path, sightings)
    for kind, points in (*_by_attributes(own, classes), *_by_operations(own, result)):
        scores[kind] = scores.get(kind, 0) + points
    if any((one.path, one.operation) == (f"{path}[]", "character") for one in sightings):
        scores[STR] = scores.get(STR, 0) + _OF_CHARACTERS
    if _takes_other_items(path, sightings):
        scores.pop(STR, None)
    for kind in _lacking(frozenset(one.operand for one in own if one.operation == "attribute")):
        scores.pop(kind, None)
    return sorted(scores.items(), key=lambda pair: -pair[1])  # stable: first seen first


def _by_attributes(
    own: tuple[ProbeOperation, ...], classes: tuple[ClassInfo, ...]
) -> Iterator[tuple[TypeExpr, int]]:
    names = list(dict.fromkeys([one.operand for one in own if one.operation == "attribute"]))
    if not names:
        return
    for info in classes:
        known = info.names()
        hits = sum(name in known for name in names)
        if hits:
            yield TypeExpr("class", cls=info.id), 4 * hits + 4 * (hits == len(names))
    for kind, known_names in _ATTRIBUTES:
        hits = sum(name in known_names for name in names)
        if not COMMON_ATTRIBUTES.issuperset(known_names.intersection(names)):
            yield kind, 3 * hits + 3 * (hits == len(names))


def _lacking(names: frozenset[str]) -> list[TypeExpr]:
    """Builtin types that have none of the attributes, where another one has them all."""
    complete = [(kind, known) for kind, known in _ATTRIBUTES if kind in _COMPLETE]
    is_known = bool(names) and any(names <= known for _, known in complete)
    return [kind for kind, known in complete if is_known and names.isdisjoint(known)]


def _takes_other_items(path: str, sightings: tuple[ProbeOperation, ...]) -> bool:
    """Is an item handed on to what takes no texts, as the letters of one are?"""
    kinds = [one.operand for one in sightings
             if (one.path, one.operation) == (f"{path}[]", "argument")]  # fmt: skip
    return any(STR not in types_accepted(kind) for kind in kinds)


def _result_type(path: str, sightings: tuple[ProbeOperation, ...]) -> TypeExpr:
    """What a function at ``path`` answers, by what is done with it.

    True or false where nothing else is asked of it, what a block is entered by, or what one kind
    alone can do.
    """
    asked = {one.operation: one.operand for one in sightings if one.path == f"{path}()"}
    for operation, told in (("await", AWAITABLE), ("flag", _BOOL)):
        if operation in asked:
            return told
    taken = [one.arity for one in sightings if (one.path, one.operation) == (path, "call")]
    if asked.get("enter") == "" and all(one in (0, 1) for one in taken):
        return _CONTEXT  # which takes so many, and of which nothing else is asked
    ranked = _ranked(sightings, f"{path}()", ()) if asked and len(path) <= _MAX_PATH else []
    points = [*(points for _, points in ranked), 0]
    if points[0] < _OF_ANSWER or points[0] == points[1] or ranked[0][0].name not in _ANSWERS:
        return ANY
    answer = TypeExpr(ranked[0][0].name)
    is_optional = any(
        (one.path, one.operation, one.operand) == (f"{path}()", "is", "NoneType")
        for one in sightings
    )
    return union(answer, NONE) if is_optional else answer


def _by_operations(
    own: tuple[ProbeOperation, ...], result: TypeExpr
) -> Iterator[tuple[TypeExpr, int]]:
    """(type, points) of each operation; ``result`` is what is answered if it is called."""
    if any(one.operation == "getitem" and one.operand == "int" for one in own):
        yield TypeExpr("vartuple"), 1
    for one in own:
        if one.operation == "call":
            taken = (ANY_PARAMETERS,) if one.arity == FORWARDED else (ANY,) * one.arity
            yield TypeExpr("callable", (*taken, result)), 6
        elif one.operation == "enter":
            yield from _entered(own)
        elif one.operation == "unpack":
            yield TypeExpr("tuple", (ANY,) * one.arity), 4
        elif one.operation == "argument":
            yield from ((type_, 6) for type_ in types_accepted(one.operand))
        elif one.operation in _SYMMETRIC and one.operand in _BY_OPERAND:
            yield _BY_OPERAND[one.operand], 4
        elif one.operation in _NUMERIC:
            yield INT, 3
            yield FLOAT, 2
        else:
            points_of = _POINTS.get(one.operation)
            yield from points_of(one) if points_of is not None else ()


def _entered(own: tuple[ProbeOperation, ...]) -> tuple[tuple[TypeExpr, int], ...]:
    """A lock, or any manager of a block, if nothing but that is asked of it."""
    is_alone = all(one.operation in _OF_MANAGERS and one.operand != "as" for one in own)
    return ((_LOCK, 6), (_CONTEXT, 5)) if is_alone else ((_CONTEXT, 1),)


def types_accepted(kinds: str) -> Iterator[TypeExpr]:
    """The types of the kinds or classes that a callee accepts, ``|`` between them.

    What takes texts is given texts, though it may take bytes, too.
    """
    accepted = kinds.split("|")
    for kind in [one for one in accepted if one != "bytes" or "str" not in accepted]:
        yield from (TypeExpr("class", cls=kind),) if ":" in kind else _OF_KIND.get(kind, ())


def _item_access(one: ProbeOperation) -> tuple[tuple[TypeExpr, int], ...]:
    if one.operand in ("int", "slice"):
        return ((_LIST, 4), (STR, 3))
    return ((_DICT, 5),)


def _multiplication(one: ProbeOperation) -> tuple[tuple[TypeExpr, int], ...]:
    return ((INT, 3), (FLOAT, 2), *(((STR, 1),) if one.operand == "int" else ()))


#: Where a value stands in a text that is formatted -> (type, points) pairs.
_FORMATTED: Final[Mapping[str, tuple[tuple[TypeExpr, int], ...]]] = {
    "": ((STR, 1),), "slice": ((STR, 4),), "int": ((INT, 4),), "float": ((FLOAT, 4), (INT, 2)),
}  # fmt: skip

#: Operation -> (type that supports it, points) pairs.
_POINTS: Final[Mapping[str, Callable[[ProbeOperation], tuple[tuple[TypeExpr, int], ...]]]] = {
    "mapping": lambda _: ((_DICT, 5),),
    "iterate": lambda _: ((_LIST, 4), (STR, 2), (_DICT, 1)),
    "join": lambda _: ((_LIST, 6), (_DICT, 1)),
    "next": lambda _: ((TypeExpr("iterator"), 6),),
    "len": lambda _: ((_LIST, 3), (STR, 3), (_DICT, 1)),
    "getitem": _item_access,
    "setitem": lambda one: ((_LIST, 5),) if one.operand == "int" else ((_DICT, 6),),
    "delitem": lambda one: ((_LIST, 5),) if one.operand == "int" else ((_DICT, 6),),
    "contains": lambda one: ((STR, 4),) if one.operand == "str" else ((_LIST, 3), (_SET, 2)),
    "index": lambda _: ((INT, 6),),
    "int": lambda _: ((INT, 3), (STR, 3), (FLOAT, 2)),
    "float": lambda _: ((FLOAT, 3), (INT, 2), (STR, 2)),
    "complex": lambda _: ((TypeExpr("complex"), 3),),
    "hash": lambda _: ((STR, 1), (INT, 1)),
    "fspath": lambda _: ((STR, 4), (PATH, 4)),
    "mod": lambda one: ((STR, 2), (INT, 3)) if one.operand != "int" else ((INT, 5),),
    "mul": _multiplication,
    "rmul": _multiplication,
    "add": lambda _: ((INT, 1), (STR, 1), (_LIST, 1)),
    "radd": lambda _: ((INT, 1), (STR, 1)),
    "lshift": lambda _: ((INT, 4),),
    "rshift": lambda _: ((INT, 4),),
    "invert": lambda _: ((INT, 4),),
    "character": lambda _: ((STR, 4),),
    "catch": lambda _: ((_CAUGHT, 6),),
    "flag": lambda _: ((_BOOL, 6),),
    "format": lambda one: _FORMATTED.get(one.operand, ()),
    "lt": lambda _: ((INT, 1), (STR, 1)),
    "gt": lambda _: ((INT, 1), (STR, 1)),
}


def _with_element_type(
    kind: TypeExpr,
    path: str,
    operations: tuple[ProbeOperation, ...],
    classes: tuple[ClassInfo, ...],
) -> TypeExpr:
    """``kind`` with the element type that the operations on its items suggest."""
    if kind.args or kind.name not in ("list", "dict", "iterator", "set"):
        return kind
    if len(path) > _MAX_PATH:
        return kind
    if kind.name == "dict":
        keys = [
            one.operand for one in operations if one.path == path and one.operation == "getitem"
        ]
        of_int = bool(keys) and all(operand == "int" for operand in keys)
        return TypeExpr(
            "dict", (INT if of_int else STR, *(_element(path, operations, classes)[:1] or (ANY,)))
        )
    return TypeExpr(kind.name, _element(path, operations, classes)[:1])


def _element(
    path: str, operations: tuple[ProbeOperation, ...], classes: tuple[ClassInfo, ...]
) -> tuple[TypeExpr, ...]:
    """Plausible types of the items; a class of the Subject only if it has all that is asked."""
    own = [one for one in operations if one.path == f"{path}[]"]
    if len([one for one in own if one.operation == "iterate"]) > 1:
        return (TypeExpr("tuple", (STR, INT)),)
    asked = {one.operand for one in own if one.operation == "attribute"}
    able = tuple([info for info in classes if asked and asked <= info.names()])
    return guess_types(operations, f"{path}[]", able)
