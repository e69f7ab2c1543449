"""Inversion of the operators and conversions of texts (str and bytes) and of lists of texts.

Invariant: as for every rule, suggestions only.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Final

from unitcraft.solve.inversion.inversion_rules import MISSING, Rule, check_size, inverse_of
from unitcraft.solve.inversion.invert_numbers import NEGATED, comparison_rule

#: Items of a container that a rule looks at; a range may have any number.
_MAX_ITEMS: Final = 5_000


def plain_character(like: Any) -> Any:
    """One plain character of the type of ``like``."""
    return b"a" if isinstance(like, bytes) else "a"


def check_text(value: Any) -> Any:
    """``value`` if it is a text; TypeError for everything else."""
    if not isinstance(value, (str, bytes)):
        raise TypeError("this rule is about texts")
    return value


def pad_to(value: Any, length: int) -> Any:
    """``value`` cut or filled to ``length``; ValueError if that is too long."""
    check_size(length)
    if isinstance(value, (str, bytes)):
        return value[:length] + plain_character(value) * (length - len(value))
    items = list(value[:length])
    items += [items[-1] if items else "a"] * (length - len(items))
    return tuple(items) if isinstance(value, tuple) else items


def _before(value: Any) -> list[Any]:
    """Texts that sort before ``value``."""
    last = value[-1:]
    lower = [value[:-1] + _chr(value, _ord(last) - 1)] if last and _ord(last) else []
    return [*lower, value[:-1], value[:0]] if value else []


def _after(value: Any) -> list[Any]:
    """Texts that sort after ``value``."""
    last = value[-1:]
    higher = [value[:-1] + _chr(value, _ord(last) + 1)] if last else []
    return [
        value + plain_character(value),
        *higher,
        _chr(value, 122),
        value + value[:0].ljust(1, value[:1]),
    ]


def _ord(character: Any) -> int:
    return ord(character)


def _chr(like: Any, code: int) -> Any:
    return bytes([code]) if isinstance(like, bytes) else chr(code)


def ordered(position: int, args: list[Any], relation: str) -> Iterable[Any]:
    """Texts (or lists) in ``relation`` to the other argument, seen from ``position``."""
    other = args[1 - position]
    if isinstance(other, (list, tuple)):
        return [other] if relation[1:] == "=" and relation != "!=" else [[*other, "a"], []]
    check_text(other)
    if relation == "==":
        return [other]
    if relation == "!=":
        return [other + plain_character(other), other[:-1], other.swapcase()]
    strictly = _after(other) if (relation[0] == ">") is (position == 0) else _before(other)
    return [other, *strictly] if relation[1:] else strictly


def _plus(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    check_text(wanted)
    other = args[1 - position]
    if position == 0:
        return [wanted.removesuffix(other), wanted[: max(0, len(wanted) - len(other))]]
    return [wanted.removeprefix(other), wanted[len(other) :]]


def _times(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    other = args[1 - position]
    if isinstance(other, int):
        return [check_text(wanted)[: len(wanted) // other]]
    return [len(check_text(wanted)) // len(other)]


def _truth(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present = args[position]
    if isinstance(present, (list, tuple)):
        return [type(present)(["a"])] if wanted else [type(present)()]
    if present is MISSING:
        return ["a", b"a"] if wanted else ["", b""]
    if isinstance(present, (str, bytes)):
        return [plain_character(present)] if wanted else [present[:0]]
    return [True, "a"] if wanted else [None]  # a Match: the rule of its regex understands truth


def _same(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    other = args[1 - position]
    if other is None:
        return [None] if wanted else [True]
    return ordered(position, args, "==" if wanted else "!=")


def _equal(position: int, args: list[Any], relation: str) -> Iterable[Any]:
    if args[1 - position] is None:
        return [None] if relation == "==" else [True]
    if isinstance(args[1 - position], bool):
        return [args[1 - position] is (relation == "==")]
    return ordered(position, args, relation)


def _in(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    item, container = args
    if position == 0:
        if not wanted:
            return (
                [container + plain_character(container)]
                if isinstance(container, (str, bytes))
                else _odd(container)
            )
        whole = [container] if isinstance(container, (str, bytes)) else []
        pieces = (
            [container[n : n + 1] for n in range(8)]
            if whole
            else list(islice(container, _MAX_ITEMS))
        )
        return [*pieces, *whole]
    if isinstance(container, (list, tuple)):
        return [[*container, item], [item]] if wanted else [[]]
    if not wanted:
        return [container.replace(item, item[:0]), item[:0]]
    return [container + item, item, item + container]


def _odd(container: Any) -> list[Any]:
    """Values that are not among the numbers or texts of ``container``."""
    found: list[Any] = []
    is_long_range = isinstance(container, range) and len(container) > 1
    ends = (container[0], container[-1]) if is_long_range else islice(container, _MAX_ITEMS)
    items = list(ends)
    numbers = [value for value in items if isinstance(value, (int, float))]
    texts = [value for value in items if isinstance(value, (str, bytes))]
    if numbers:
        found += [max(numbers) + 1, min(numbers) - 1]
    if texts:
        found += [max(texts) + plain_character(texts[0]), texts[0][:0]]
    return found


def _item(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    container, index = args
    if isinstance(container, dict):
        return [] if position else [{**container, index: wanted}]
    if position == 1:
        places = range(min(len(container), 40))
        return [*[n for n in places if container[n] == wanted], *places[:3]]
    if isinstance(index, str) or index is MISSING or isinstance(container, range):
        return []
    length = index + 1 if index >= 0 else -index
    grown = container if len(container) >= length else pad_to(container, length)
    at = index % len(grown)
    if isinstance(container, bytes):
        return [grown[:at] + bytes([wanted]) + grown[at + 1 :]]
    if isinstance(container, str):
        return [grown[:at] + wanted + grown[at + 1 :]]
    return [type(grown)([*grown[:at], wanted, *grown[at + 1 :]])]


def _slice(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    container, start, stop, step = args
    if position:
        return [*range(6), -1, len(container), len(container) - len(wanted), len(wanted)]
    if step not in (None, 1, -1):
        return []
    if step == -1:
        return [wanted[::-1]]
    begin = 0 if start is None else start
    if begin < 0:
        return [container[: max(0, len(container) + begin)] + wanted, container + wanted, wanted]
    grown = container if len(container) >= begin else pad_to(container, begin)
    tail = grown[:0] if stop is None else grown[stop:]
    rest = (
        plain_character(grown) * check_size(-stop) if stop is not None and stop < 0 else grown[:0]
    )
    filled = _fill_number(wanted, 0 if stop is None else stop - begin)
    return [
        grown[:begin] + wanted + tail,
        *[grown[:begin] + one + tail for one in filled],
        grown[:begin] + wanted + rest,
        wanted,
    ]


def _fill_number(wanted: Any, width: int) -> list[Any]:
    """Digits with zeros before them up to ``width``: what stands behind is no part of them then."""
    short = wanted.isdigit() and len(wanted) < width
    return [wanted.zfill(check_size(width))] if short else []


def _length(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present = args[position]
    if wanted < 0:
        return []
    value = "" if present is MISSING else present
    filled = pad_to(value, wanted)
    more = wanted - len(value)
    if more <= 0 or not isinstance(value, (str, bytes)) or not value:
        return [filled]
    return [filled, value + value[-1:] * more]  # of the same class of characters


def _parse(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [int(wanted), float(wanted)]


def _write_number(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """The rule of int() and float(): the number, or its text when the argument is a text."""
    present = args[0]
    base = args[1] if len(args) > 1 else 10
    if isinstance(present, (int, float)):
        return [wanted, wanted + 0.5, wanted - 0.5]
    text = format(wanted, _BASES.get(base, ""))
    if present is MISSING:
        return [text, text.encode()]
    return [text.encode() if isinstance(present, bytes) else text]


#: How the text of an int is written in other bases.
_BASES: Final = {16: "x", 8: "o", 2: "b"}


def _parts(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted[position]]


TEXTS: Final[dict[str, Rule]] = {
    "+": _plus, "*": _times, "truth": _truth, "same": _same, "in": _in,
    "[]": _item, "[:]": _slice, "len": _length, "tuple": _parts, "list": _parts,
    "int": _write_number, "float": _write_number, "str": _parse, "repr": _parse,
    "format": _parse,
    "ord": inverse_of(lambda wanted: [chr(wanted), bytes([wanted])]),
    "chr": inverse_of(lambda wanted: [ord(wanted)]),
    "bin": inverse_of(lambda wanted: [int(wanted, 2)]),
    "oct": inverse_of(lambda wanted: [int(wanted, 8)]),
    "hex": inverse_of(lambda wanted: [int(wanted, 16)]),
    **{name: comparison_rule(name, _equal if name in ("==", "!=") else ordered)
       for name in NEGATED},
}  # fmt: skip
