"""Inversion of the methods of texts (str and bytes).

Invariant: as for every rule, suggestions only.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from unitcraft.solve.inversion.inversion_rules import Rule, check_size, inverse_of
from unitcraft.solve.inversion.invert_texts import check_text, pad_to, plain_character
from unitcraft.symbolic.terms.operations import EVALUATED


def _join(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    separator = args[1] if len(args) > 1 and args[1] is not None else None
    first = next(iter(wanted))
    between = separator if separator is not None else (b" " if isinstance(first, bytes) else " ")
    return [EVALUATED[f"{type(between).__name__}.join"](between, wanted)]


def _affix(position: int, args: list[Any], wanted: Any, *, leading: bool) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        end = text[:1] if leading else text[-1:]
        return [end, text, text[:0]] if wanted else [text + plain_character(text)]

    def joined(one: Any) -> Any:
        return one + text if leading else text + one

    if wanted:
        parts = part if isinstance(part, tuple) else (part,)
        return [value for one in parts for value in (joined(one), one)]
    other = b"~" if isinstance(text, bytes) else "~"
    return [joined(plain_character(text)), text[:0], joined(other)]


def _find(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return (
            [text[wanted : wanted + 1], text[wanted:]]
            if wanted >= 0
            else [text + plain_character(text)]
        )
    without = text.replace(part, part[:0]) if part else text
    if wanted < 0:
        return [without, text[:0]]
    head = pad_to(without, wanted)
    return [
        head + part + without[wanted:],
        head + part,
        head[:0] + b"." * wanted + part if isinstance(text, bytes) else "." * wanted + part,
    ]


def _count(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text, part = args[0], args[1]
    if position:
        return [text[:1], plain_character(text) + text]
    without = text.replace(part, part[:0])
    return [without + part * check_size(wanted), part * wanted]


def _replace(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position:
        return []
    replace = EVALUATED[f"{type(check_text(wanted)).__name__}.replace"]
    return [wanted, replace(wanted, args[2], args[1]) if args[2] else wanted]


def _unpartition(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """The parts around the separator, which is all that the middle one can be; then without it."""
    if position:
        return []
    head, between, tail = wanted
    return [head + args[1] + tail, *([] if between else [head + tail])]


def _class(good: str, bad: str) -> Rule:
    """The rule of a predicate on characters: texts (split by ``|``) that satisfy it or do not."""

    def rule(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        texts = (good if wanted else bad).split("|")
        return [text.encode() for text in texts] if isinstance(args[0], bytes) else texts

    return rule


def _keep(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    """For methods that leave a plain text as it is (lower, strip...)."""
    return [] if position else [check_text(wanted)]


def _cased(change: str) -> Rule:
    def rule(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
        return [] if position else [check_text(wanted), getattr(wanted, change)()]

    return rule


def _decode(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted.decode("utf-8", "surrogateescape")]


def _encode(_position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return [wanted.encode("utf-8", "surrogateescape")]


_METHODS: Final[dict[str, Rule]] = {
    "lower": _cased("lower"), "upper": _cased("upper"), "casefold": _cased("lower"),
    "title": _cased("lower"), "capitalize": _cased("lower"), "swapcase": _cased("swapcase"),
    "strip": _keep, "lstrip": _keep, "rstrip": _keep, "removeprefix": _keep,
    "removesuffix": _keep, "expandtabs": _keep, "zfill": _cased("strip"),
    "center": _cased("strip"), "ljust": _cased("strip"), "rjust": _cased("strip"),
    "translate": _keep, "replace": _replace, "count": _count,
    "startswith": partial(_affix, leading=True), "endswith": partial(_affix, leading=False),
    "find": _find, "index": _find, "rfind": _find, "rindex": _find,
    "split": _join, "rsplit": _join,
    "splitlines": inverse_of(lambda wanted: ["\n".join(wanted)]),
    "partition": _unpartition, "rpartition": _unpartition,
    "isdigit": _class("1|12|123", "a||1a"), "isdecimal": _class("1|12|123", "a||1a"),
    "isnumeric": _class("1|12|123", "a||1a"), "isalpha": _class("a|ab|abc", "1||a1"),
    "isalnum": _class("a|a1|ab1", "-|| "), "isspace": _class(" |  |   ", "a|"),
    "isupper": _class("A|AB|ABC", "a||1"), "islower": _class("a|ab|abc", "A||1"),
    "istitle": _class("A|Ab|Abc", "a||aB"), "isascii": _class("a||abc", "\u00e9"),
    "isidentifier": _class("a|ab|_a", "1||-"), "isprintable": _class("a|", "\n"),
}  # fmt: skip

METHODS: Final[dict[str, Rule]] = {
    "str.encode": _decode, "bytes.decode": _encode,
    "bytes.hex": inverse_of(lambda wanted: [bytes.fromhex(wanted)]),
    **{f"{kind}.{name}": rule for kind in ("str", "bytes") for name, rule in _METHODS.items()},
}  # fmt: skip
