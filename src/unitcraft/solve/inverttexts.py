"""Operations on texts (str and bytes) and on lists of texts backwards.

Invariant: as for every rule, suggestions only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final

from unitcraft.core.seeded import seeded
from unitcraft.solve.invertnumbers import NEGATED, comparing
from unitcraft.solve.rules import MISSING, Rule
from unitcraft.subject.regexgen import draw, near

#: Texts drawn from one regular expression.
_DRAWN: Final = 8


def letter(like: Any) -> Any:
    """One plain character of the type of ``like``."""
    return b"a" if isinstance(like, bytes) else "a"


def _text(value: Any) -> Any:
    if not isinstance(value, (str, bytes)):
        raise TypeError("this rule is about texts")
    return value


def padded(value: Any, length: int) -> Any:
    """``value`` cut or filled to ``length``."""
    if isinstance(value, (str, bytes)):
        return value[:length] + letter(value) * (length - len(value))
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
    return [value + letter(value), *higher, _chr(value, 122), value + value[:0].ljust(1, value[:1])]


def _ord(character: Any) -> int:
    return ord(character)


def _chr(like: Any, code: int) -> Any:
    return bytes([code]) if isinstance(like, bytes) else chr(code)


def ordered(position: int, args: list[Any], relation: str) -> Iterable[Any]:
    """Texts (or lists) in ``relation`` to the other argument, seen from ``position``."""
    other = args[1 - position]
    if isinstance(other, (list, tuple)):
        return [other] if relation[1:] == "=" and relation != "!=" else [[*other, "a"], []]
    _text(other)
    if relation == "==":
        return [other]
    if relation == "!=":
        return [other + letter(other), other[:-1], other.swapcase()]
    strictly = _after(other) if (relation[0] == ">") is (position == 0) else _before(other)
    return [other, *strictly] if relation[1:] else strictly


def _plus(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    _text(wanted)
    other = args[1 - position]
    if position == 0:
        return [wanted.removesuffix(other), wanted[: max(0, len(wanted) - len(other))]]
    return [wanted.removeprefix(other), wanted[len(other) :]]


def _times(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    other = args[1 - position]
    if isinstance(other, int):
        return [_text(wanted)[: len(wanted) // other]]
    return [len(_text(wanted)) // len(other)]


def _truth(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present = args[position]
    if isinstance(present, (list, tuple)):
        return [type(present)(["a"])] if wanted else [type(present)()]
    if present is MISSING:
        return ["a", b"a"] if wanted else ["", b""]
    if isinstance(present, (str, bytes)):
        return [letter(present)] if wanted else [present[:0]]
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
                [container + letter(container)]
                if isinstance(container, (str, bytes))
                else _odd(container)
            )
        whole = [container] if isinstance(container, (str, bytes)) else []
        pieces = [container[n : n + 1] for n in range(8)] if whole else list(container)
        return [*pieces, *whole]
    if isinstance(container, (list, tuple)):
        return [[*container, item], [item]] if wanted else [[]]
    if not wanted:
        return [container.replace(item, item[:0]), item[:0]]
    return [container + item, item, item + container]


def _odd(container: Any) -> list[Any]:
    """Values that are not among the numbers or texts of ``container``."""
    found: list[Any] = []
    numbers = [value for value in container if isinstance(value, (int, float))]
    texts = [value for value in container if isinstance(value, (str, bytes))]
    if numbers:
        found += [max(numbers) + 1, min(numbers) - 1]
    if texts:
        found += [max(texts) + letter(texts[0]), texts[0][:0]]
    return found


def _item(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    container, index = args
    if position == 1:
        places = range(min(len(container), 40))
        return [*[n for n in places if container[n] == wanted], *[n for n in places][:3]]
    if isinstance(index, str) or index is MISSING:
        return []
    length = index + 1 if index >= 0 else -index
    grown = container if len(container) >= length else padded(container, length)
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
        return [container[: max(0, len(container) + begin)] + wanted, wanted]
    grown = container if len(container) >= begin else padded(container, begin)
    tail = grown[:0] if stop is None else grown[stop:]
    rest = letter(grown) * -stop if stop is not None and stop < 0 else grown[:0]
    return [grown[:begin] + wanted + tail, grown[:begin] + wanted + rest, wanted]


def _length(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    present = args[position]
    if wanted < 0 or wanted > 1000:  # noqa: PLR2004 - texts longer than that help nobody
        return []
    return [padded("" if present is MISSING else present, wanted)]


def _joined(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    separator = args[1] if len(args) > 1 and args[1] is not None else None
    first = next(iter(wanted))
    between = separator if separator is not None else (b" " if isinstance(first, bytes) else " ")
    return [between.join(wanted)]


def _unformatted(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [int(wanted), float(wanted)]


def _number(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """For int() and float(): the number, or its text when a text is read."""
    present = args[0]
    base = args[1] if len(args) > 1 else 10
    if isinstance(present, (int, float)):
        return [wanted, wanted + 0.5, wanted - 0.5]
    text = (
        {16: f"{wanted:x}", 8: f"{wanted:o}", 2: f"{wanted:b}"}.get(base, str(wanted))
        if base != 10
        else str(wanted)
    )  # noqa: PLR2004
    return (
        [text, text.encode()]
        if present is MISSING
        else [type(present)(text, "ascii") if isinstance(present, bytes) else text]
    )


def _prefix(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return [text[:1], text, text[:0]] if wanted else [text + letter(text)]
    parts = part if isinstance(part, tuple) else (part,)
    if wanted:
        return [value for one in parts for value in (one + text, one)]
    return [letter(text) + text, text[:0], b"~" + text if isinstance(text, bytes) else "~" + text]


def _suffix(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return [text[-1:], text, text[:0]] if wanted else [text + letter(text)]
    parts = part if isinstance(part, tuple) else (part,)
    if wanted:
        return [value for one in parts for value in (text + one, one)]
    return [text + letter(text), text[:0], text + b"~" if isinstance(text, bytes) else text + "~"]


def _find(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return [text[wanted : wanted + 1], text[wanted:]] if wanted >= 0 else [text + letter(text)]
    without = text.replace(part, part[:0]) if part else text
    if wanted < 0:
        return [without, text[:0]]
    head = padded(without, wanted)
    return [
        head + part + without[wanted:],
        head + part,
        head[:0] + b"." * wanted + part if isinstance(text, bytes) else "." * wanted + part,
    ]


def _count(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return [text[:1], letter(text) + text]
    without = text.replace(part, part[:0])
    return [without + part * wanted, part * wanted]


def _replaced(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position:
        return []
    return [_text(wanted), wanted.replace(args[2], args[1]) if args[2] else wanted]


def _class(good: str, bad: str) -> Rule:
    """For a predicate on characters: texts that have it, texts that do not."""

    def rule(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        texts = (good if wanted else bad).split("|")
        return [text.encode() for text in texts] if isinstance(args[0], bytes) else texts

    return rule


def _kept(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    """For methods that leave a plain text as it is (lower, strip...)."""
    return [] if position else [_text(wanted)]


def _cased(change: str) -> Rule:
    def rule(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        return [] if position else [_text(wanted), getattr(wanted, change)()]

    return rule


def _regex(name: str) -> Rule:
    def rule(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        pattern, flags = args[0], args[1]
        rng = seeded(0, "solve", repr(pattern))
        if position != 2:  # noqa: PLR2004 - (pattern, flags, text)
            return []
        if name in ("findall", "split", "sub"):
            return [] if not isinstance(wanted, (str, bytes)) else [wanted]
        if wanted is None or wanted is False:
            return [*near(pattern, flags, rng, _DRAWN), letter(pattern)[:0], letter(pattern)]
        return draw(pattern, flags, rng, _DRAWN)

    return rule


def _group(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """The whole match is the easiest group to ask for."""
    if position or args[0] is MISSING or not isinstance(args[0], re.Match):
        return []
    return [True]


def _decoded(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted.decode("utf-8", "surrogateescape")]


def _encoded(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted.encode("utf-8", "surrogateescape")]


def _parts(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted[position]]


def _one(inverse: Callable[[Any], Iterable[Any]]) -> Rule:
    return lambda _position, _args, wanted: inverse(wanted)


_METHODS: Final[dict[str, Rule]] = {
    "lower": _cased("lower"), "upper": _cased("upper"), "casefold": _cased("lower"),
    "title": _cased("lower"), "capitalize": _cased("lower"), "swapcase": _cased("swapcase"),
    "strip": _kept, "lstrip": _kept, "rstrip": _kept, "removeprefix": _kept,
    "removesuffix": _kept, "expandtabs": _kept, "zfill": _cased("strip"),
    "center": _cased("strip"), "ljust": _cased("strip"), "rjust": _cased("strip"),
    "translate": _kept, "replace": _replaced, "count": _count,
    "startswith": _prefix, "endswith": _suffix,
    "find": _find, "index": _find, "rfind": _find, "rindex": _find,
    "split": _joined, "rsplit": _joined,
    "splitlines": _one(lambda wanted: ["\n".join(wanted)]),
    "partition": _one(lambda wanted: [wanted[0][:0].join(wanted)]),
    "rpartition": _one(lambda wanted: [wanted[0][:0].join(wanted)]),
    "isdigit": _class("1|12|123", "a||1a"), "isdecimal": _class("1|12|123", "a||1a"),
    "isnumeric": _class("1|12|123", "a||1a"), "isalpha": _class("a|ab|abc", "1||a1"),
    "isalnum": _class("a|a1|ab1", "-|| "), "isspace": _class(" |  |   ", "a|"),
    "isupper": _class("A|AB|ABC", "a||1"), "islower": _class("a|ab|abc", "A||1"),
    "istitle": _class("A|Ab|Abc", "a||aB"), "isascii": _class("a||abc", "\u00e9"),
    "isidentifier": _class("a|ab|_a", "1||-"), "isprintable": _class("a|", "\n"),
}  # fmt: skip

TEXTS: Final[dict[str, Rule]] = {
    "+": _plus, "*": _times, "truth": _truth, "same": _same, "in": _in,
    "[]": _item, "[:]": _slice, "len": _length, "tuple": _parts, "list": _parts,
    "int": _number, "float": _number, "str": _unformatted, "repr": _unformatted,
    "format": _unformatted,
    "ord": _one(lambda wanted: [chr(wanted), bytes([wanted])]), "chr": _one(lambda wanted: [ord(wanted)]),
    "bin": _one(lambda wanted: [int(wanted, 2)]), "oct": _one(lambda wanted: [int(wanted, 8)]),
    "hex": _one(lambda wanted: [int(wanted, 16)]),
    "str.encode": _decoded, "bytes.decode": _encoded,
    "bytes.hex": _one(lambda wanted: [bytes.fromhex(wanted)]),
    "Match.group": _group, "Match.groups": _group,
    **{f"re.{name}": _regex(name) for name in (
        "match", "fullmatch", "search", "findall", "split", "sub",
    )},
    **{f"{kind}.{name}": rule for kind in ("str", "bytes") for name, rule in _METHODS.items()},
    **{name: comparing(name, _equal if name in ("==", "!=") else ordered) for name in NEGATED},
}  # fmt: skip
