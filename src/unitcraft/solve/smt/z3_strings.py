"""Operations on texts for z3: lengths, parts, searches, regular expressions, text of numbers.

Invariant: bytes are texts of characters below 256.  Operations of which z3 knows less than
CPython (digits and letters beyond ASCII, texts of numbers) make the translation inexact; the
others are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from unitcraft.solve.smt.z3_regex import language_of
from unitcraft.solve.smt.z3_terms import Meaning, Translator
from unitcraft.solve.smt.z3_values import Untranslatable, Value

#: Digits that int() accepts under every limit that sys.set_int_max_str_digits can set.
_MAX_DIGITS: Final = 640


def _alike(args: Sequence[Value]) -> str:
    """The common sort of texts."""
    sorts = dict.fromkeys(arg.sort for arg in args)
    if list(sorts) not in (["str"], ["bytes"]):
        raise Untranslatable("texts of unlike sorts")
    return args[0].sort


def _concat(t: Translator, args: Sequence[Value]) -> Value:
    sort = _alike(args)
    return Value(sort, t.z3.Concat(args[0].expr, args[1].expr))  # type: ignore[arg-type]


def _repeat(t: Translator, args: Sequence[Value]) -> Value:
    text, count = args if args[0].sort in ("str", "bytes") else (args[1], args[0])
    if not count.const or count.const[0] > 8:  # noqa: PLR2004 - longer ones are for other layers
        raise Untranslatable("a repetition")
    t.unlimited()
    pieces = [text.expr] * max(count.const[0], 0)
    empty = t.known("" if text.sort == "str" else b"").expr
    return Value(text.sort, t.z3.Concat(*pieces) if len(pieces) > 1 else (pieces or [empty])[0])


def _text_comparison(compare: Callable[[Any, Any], Any]) -> Meaning:
    """Order by code points."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        _alike(args)
        return t.boolean(compare(args[0].expr, args[1].expr))

    return meaning


def _length(t: Translator, args: Sequence[Value]) -> Value:
    return Value("int", t.z3.Length(args[0].expr))


def _item(t: Translator, args: Sequence[Value]) -> Value:
    z3, (text, index) = t.z3, args
    at, length = t.integer(index), z3.Length(text.expr)
    t.guard(z3.And(at < length, -length <= at))
    place = at if index.const and index.const[0] >= 0 else z3.If(at < 0, at + length, at)
    piece = z3.SubString(text.expr, place, t.number(1))
    return Value("int", z3.StrToCode(piece)) if text.sort == "bytes" else Value("str", piece)


def _slice(t: Translator, args: Sequence[Value]) -> Value:
    text, start, stop, step = args
    if step.const not in ((None,), (1,)):
        raise Untranslatable("a slice with a step")
    length = t.z3.Length(text.expr)
    begin = _end(t, start, length, t.number(0))
    finish = _end(t, stop, length, length)
    wide = t.z3.If(finish > begin, finish - begin, t.number(0))
    return Value(text.sort, t.z3.SubString(text.expr, begin, wide))


def _end(t: Translator, value: Value, length: Any, default: Any) -> Any:
    """One end of a slice, counted from the front and inside the text."""
    if value.const == (None,):
        return default
    z3, at, zero = t.z3, t.integer(value), t.number(0)
    if value.const and value.const[0] >= 0:
        return z3.If(at > length, length, at)
    placed = z3.If(at < 0, at + length, at)
    return z3.If(placed < 0, zero, z3.If(placed > length, length, placed))


def translate_containment(t: Translator, args: Sequence[Value]) -> Value:
    """``item in text``."""
    _alike(args)
    return t.boolean(t.z3.Contains(args[1].expr, args[0].expr))


def _affix(test: str) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        if len(args) != 2:  # noqa: PLR2004 - (text, affix)
            raise Untranslatable("an affix between bounds")
        text, affix = args
        parts = list(affix.expr) if affix.sort == "items" else [affix]
        _alike([text, *parts])
        found = [getattr(t.z3, test)(part.expr, text.expr) for part in parts]
        return t.boolean(t.either(found))

    return meaning


def _find(guarded: bool) -> Meaning:  # noqa: FBT001 - index raises where find gives -1
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        begin = args[2].const[0] if len(args) > 2 and args[2].const else 0  # noqa: PLR2004
        if len(args) > 3 or begin < 0 or (len(args) > 2 and not args[2].const):  # noqa: PLR2004
            raise Untranslatable("a search between bounds")
        _alike(args[:2])
        at = t.z3.IndexOf(args[0].expr, args[1].expr, t.number(begin))
        if guarded:
            t.guard(at >= 0)
        return Value("int", at)

    return meaning


def _remove_affix(test: str) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        z3, (text, affix) = t.z3, args
        _alike(args)
        length, less = z3.Length(text.expr), z3.Length(affix.expr)
        begin = less if test == "PrefixOf" else t.number(0)
        rest = z3.SubString(text.expr, begin, length - less)
        return Value(text.sort, z3.If(getattr(z3, test)(affix.expr, text.expr), rest, text.expr))

    return meaning


def _class(least: str, most: str) -> Meaning:
    """A predicate on all characters: ``least`` without, ``most`` with all that are not ASCII."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        known, some = (t.z3.InRe(args[0].expr, _whole(t, pattern)) for pattern in (least, most))
        return t.boolean(known if args[0].sort == "bytes" else t.between(known, some))

    return meaning


def _whole(t: Translator, pattern: str) -> Any:
    """The language of ``pattern`` without classes of letters."""
    return language_of(t.z3, t.context, "fullmatch", pattern, 0).language


def _ascii(t: Translator, args: Sequence[Value]) -> Value:
    return t.boolean(t.z3.InRe(args[0].expr, _whole(t, "[\\x00-\\x7f]*")))


def _space(t: Translator, args: Sequence[Value]) -> Value:
    pattern = r"\s+" if args[0].sort == "str" else "[ \t\n\r\f\v]+"
    return t.boolean(t.z3.InRe(args[0].expr, _whole(t, pattern)))


def _regex(method: str) -> Meaning:
    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        if len(args) != 3 or not (args[0].const and args[1].const):  # noqa: PLR2004
            raise Untranslatable("an unknown regular expression")
        pattern = args[0].const[0]
        if (type(pattern) is str) is not (args[2].sort == "str"):
            raise Untranslatable("a pattern of another sort")
        flags = int(args[1].const[0])
        found = language_of(t.z3, t.context, method, pattern, flags)
        least = t.z3.InRe(args[2].expr, found.language)
        if found.exact:
            return Value("match", least)
        some = language_of(t.z3, t.context, method, pattern, flags, wide=True).language
        return Value("match", t.between(least, t.z3.InRe(args[2].expr, some)))

    return meaning


def _parse_int(t: Translator, args: Sequence[Value]) -> Value:
    """``int(text)`` of plain digits with or without a minus."""
    if len(args) != 1:
        raise Untranslatable("a number in another base")
    z3, text = t.z3, args[0].expr
    minus = z3.PrefixOf(t.known("-").expr, text)
    digits = z3.If(minus, z3.SubString(text, t.number(1), z3.Length(text) - 1), text)
    size = z3.StrToInt(digits)
    plain = size >= 0
    least = z3.And(plain, z3.Length(text) <= _MAX_DIGITS)
    t.guard(t.between(least, z3.Length(text) > 0))
    number = z3.If(minus, -size, size)
    if not t.wide:
        return Value("int", number)
    held = t.helper("Int")
    t.domain.append(z3.Implies(plain, held == number))
    return Value("int", held)


def _int_to_text(t: Translator, args: Sequence[Value]) -> Value:
    """``str(int)``."""
    if len(args) != 1 or args[0].sort != "int":
        raise Untranslatable("text of another value")
    t.unlimited()
    z3, number = t.z3, args[0].expr
    negative = z3.Concat(t.known("-").expr, z3.IntToStr(-number))
    return Value("str", z3.If(number < 0, negative, z3.IntToStr(number)))


def _code(t: Translator, args: Sequence[Value]) -> Value:
    t.guard(t.z3.Length(args[0].expr) == 1)
    if args[0].sort == "str":
        t.inexact()
    return Value("int", t.z3.StrToCode(args[0].expr))


def _replace(t: Translator, args: Sequence[Value]) -> Value:
    """Only the replacement of at most one occurrence is z3's own."""
    if len(args) != 4 or args[3].const != (1,):  # noqa: PLR2004 - (text, old, new, count)
        raise Untranslatable("a replacement of all")
    _alike(args[:3])
    return Value(args[0].sort, t.z3.Replace(args[0].expr, args[1].expr, args[2].expr))


_METHODS: Final[dict[str, Meaning]] = {
    "startswith": _affix("PrefixOf"), "endswith": _affix("SuffixOf"),
    "find": _find(guarded=False), "index": _find(guarded=True),
    "removeprefix": _remove_affix("PrefixOf"), "removesuffix": _remove_affix("SuffixOf"),
    "replace": _replace,
    "isdigit": _class("[0-9]+", r"[^\x00-/:-\x7f]+"),
    "isalpha": _class("[A-Za-z]+", r"[^\x00-@\[-`{-\x7f]+"),
    "isalnum": _class("[A-Za-z0-9]+", r"[^\x00-/:-@\[-`{-\x7f]+"),
    "isspace": _space, "isascii": _ascii,
}  # fmt: skip

TEXTS: Final[dict[str, Meaning]] = {
    "+": _concat, "*": _repeat, "len": _length, "[]": _item, "[:]": _slice,
    "in": translate_containment,
    "<": _text_comparison(lambda a, b: a < b), "<=": _text_comparison(lambda a, b: a <= b),
    ">": _text_comparison(lambda a, b: b < a), ">=": _text_comparison(lambda a, b: b <= a),
    "int": _parse_int, "ord": _code,
    **{f"re.{name}": _regex(name) for name in ("match", "fullmatch", "search")},
    **{f"{kind}.{name}": one for kind in ("str", "bytes") for name, one in _METHODS.items()},
}  # fmt: skip

#: Texts of other values.
WRITTEN: Final[dict[str, Meaning]] = {"str": _int_to_text, "repr": _int_to_text}
