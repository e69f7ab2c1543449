"""Translation of lower, upper and strip for z3.

Invariant: stripping is exact (the stripped text is a helper that its definition determines);
a text in lower or upper case is only compared with ASCII constants, by its preimage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from unitcraft.solve.smt.z3_regex import SPACES
from unitcraft.solve.smt.z3_terms import Meaning, Translator
from unitcraft.solve.smt.z3_values import Untranslatable, Value

#: Letters that are not ASCII but become an ASCII letter.
_LOWERED: Final = {"k": "\u212a"}
_UPPERED: Final = {"I": "\u0131", "S": "\u017f"}

#: Pairs of letters that are the upper case of one character: the preimage lacks it.
_LIGATURES: Final = ("SS", "FF", "FI", "FL", "ST")


def translate_cased_equality(t: Translator, first: Value, second: Value) -> Any:
    """``text.lower() == constant`` (or upper) as a z3 Bool."""
    cased, other = (first, second) if first.sort in ("lowered", "uppered") else (second, first)
    if other.sort != "str":
        if other.sort in ("lowered", "uppered"):
            raise Untranslatable("equality of two changed texts")
        return t.fixed(value=False)
    if not other.const or not other.const[0].isascii():
        raise Untranslatable("a changed text beside one that is not known")
    return t.z3.InRe(cased.expr, _preimage(t, cased.sort, other.const[0]))


def _preimage(t: Translator, sort: str, text: str) -> Any:
    """The language of the texts that become ``text``."""
    if sort == "uppered" and any(pair in text for pair in _LIGATURES):
        t.inexact()
    pieces = [_letters(t, sort, character) for character in text]
    if len(pieces) < 2:  # noqa: PLR2004 - Concat wants two
        return pieces[0] if pieces else t.z3.Re(t.known("").expr, t.context)
    return t.z3.Concat(*pieces)


def _letters(t: Translator, sort: str, character: str) -> Any:
    change = str.lower if sort == "lowered" else str.upper
    both = dict.fromkeys((character, character.swapcase()))
    letters = [one for one in both if change(one) == character]
    letters += (_LOWERED if sort == "lowered" else _UPPERED).get(character, "")
    languages = [t.z3.Re(t.known(one).expr, t.context) for one in letters]
    if not languages:
        return t.z3.Empty(t.z3.ReSort(t.z3.StringSort(t.context)))
    return languages[0] if len(languages) == 1 else t.z3.Union(*languages)


def _change_case(t: Translator, args: Sequence[Value], sort: str) -> Value:
    del t
    if args[0].sort != "str":
        raise Untranslatable("changed letters of bytes")
    return Value("lowered" if sort == "lowered" else "uppered", args[0].expr)


def _lower(t: Translator, args: Sequence[Value]) -> Value:
    return _change_case(t, args, "lowered")


def _upper(t: Translator, args: Sequence[Value]) -> Value:
    return _change_case(t, args, "uppered")


def _strip(*, left: bool, right: bool) -> Meaning:
    """The text between ends of nothing but the characters to strip."""

    def meaning(t: Translator, args: Sequence[Value]) -> Value:
        text = args[0]
        if text.sort not in ("str", "bytes"):
            raise Untranslatable("stripping of another value")
        characters = _characters(args)
        same = (left, right, characters, text.expr.get_id())
        if same not in t.stripped:
            t.stripped[same] = _stripped(t, text.expr, characters, left=left, right=right)
        return Value(text.sort, t.stripped[same])

    return meaning


def _stripped(t: Translator, text: Any, characters: str, *, left: bool, right: bool) -> Any:
    """A helper that is ``text`` without its ends."""
    z3 = t.z3
    one = _class(t, characters)
    ends = z3.Star(one)
    whole = z3.Full(z3.ReSort(z3.StringSort(t.context)))
    before, kept, after = (t.helper("String") for _ in range(3))
    empty = t.known("").expr
    t.domain += [
        text == z3.Concat(before, kept, after),
        z3.InRe(before, ends) if left else before == empty,
        z3.InRe(after, ends) if right else after == empty,
    ]
    if left:
        t.domain.append(z3.Not(z3.InRe(kept, z3.Concat(one, whole))))
    if right:
        t.domain.append(z3.Not(z3.InRe(kept, z3.Concat(whole, one))))
    return kept


def _characters(args: Sequence[Value]) -> str:
    """The characters that are stripped."""
    if len(args) == 1 or args[1].const == (None,):
        return SPACES if args[0].sort == "str" else " \t\n\r\f\v"
    known = args[1].const
    if not known or not known[0] or args[1].sort != args[0].sort:
        raise Untranslatable("unknown characters to strip")
    text = known[0]
    return text if isinstance(text, str) else str(text, "latin-1")


def _class(t: Translator, characters: str) -> Any:
    """The language of one of ``characters``."""
    if characters not in t.classes:
        t.classes[characters] = _any_of(t, characters)
    return t.classes[characters]


def _any_of(t: Translator, characters: str) -> Any:
    languages = [t.z3.Re(t.known(one).expr, t.context) for one in dict.fromkeys(characters)]
    return languages[0] if len(languages) == 1 else t.z3.Union(*languages)


CASES: Final[dict[str, Meaning]] = {
    "str.lower": _lower, "str.upper": _upper,
    **{f"{kind}.strip": _strip(left=True, right=True) for kind in ("str", "bytes")},
    **{f"{kind}.lstrip": _strip(left=True, right=False) for kind in ("str", "bytes")},
    **{f"{kind}.rstrip": _strip(left=False, right=True) for kind in ("str", "bytes")},
}  # fmt: skip
