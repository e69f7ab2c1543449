"""Regular expressions of ``re`` as regular languages of z3.

Invariant: for truth (matched or not) laziness and groups do not matter; look-around, back
references and anchors inside are Untranslatable; character classes that were narrowed to ASCII
say so in ``Pattern.exact``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

from unitcraft.solve.smt.z3_values import BEYOND_Z3, Untranslatable, text_constant

#: Flags of ``re`` that the translation handles.
_FLAGS: Final = int(re.UNICODE | re.ASCII | re.DOTALL | re.IGNORECASE)

#: Letters that other, non-ASCII letters equal when case is ignored.
_CASE_TRAPS: Final = "kKsSiI"

#: The characters of str.isspace, and of ``\s`` in str patterns.
SPACES: Final = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The texts that a whole match may be; ``exact`` unless some characters were left out."""

    language: Any
    exact: bool


def language_of(
    z3: Any, context: Any, method: str, pattern: str | bytes, flags: int, *, wide: bool = False
) -> Pattern:
    """The texts for which ``re.<method>`` finds a match (match, fullmatch or search).

    Classes of letters are narrowed to ASCII, or (``wide``) widened to all other characters.
    """
    compiled = re.compile(pattern, flags)
    if compiled.flags & ~_FLAGS:
        raise Untranslatable("flags of a regular expression")
    source = pattern if isinstance(pattern, str) else pattern.decode("latin-1")
    ascii_only = isinstance(pattern, bytes) or bool(compiled.flags & re.ASCII)
    writer = _Writer(z3, context, compiled.flags, ascii_only=ascii_only, wide=wide)
    kept = compiled.flags & ~int(re.UNICODE) & ~int(re.ASCII)
    return Pattern(writer.whole(method, list(parser.parse(source, kept))), writer.exact)


class _Writer:
    """Writes languages; ``exact`` falls when characters are left out."""

    def __init__(self, z3: Any, context: Any, flags: int, *, ascii_only: bool, wide: bool) -> None:
        self.exact = True
        self._z3 = z3
        self._context = context
        self._sort = z3.ReSort(z3.StringSort(context))
        self._any = z3.AllChar(self._sort, context)
        self._dotall = bool(flags & re.DOTALL)
        self._ignorecase = bool(flags & re.IGNORECASE)
        self._ascii = ascii_only
        self._wide = wide

    def whole(self, method: str, items: list[Any]) -> Any:
        """The language of all texts for which ``method`` matches."""
        anywhere = self._z3.Star(self._any)
        before, after = [], []
        begins = (codes.AT_BEGINNING, codes.AT_BEGINNING_STRING)
        anchored = bool(items) and items[0][0] is codes.AT and items[0][1] in begins
        if anchored:
            items = items[1:]
        if method == "search" and not anchored:
            before = [anywhere]
        ended = items[-1][1] if items and items[-1][0] is codes.AT else None
        if ended is codes.AT_END:
            newline = [] if method == "fullmatch" else [self._z3.Option(self._text("\n"))]
            items, after = items[:-1], newline
        elif ended is codes.AT_END_STRING:
            items = items[:-1]
        elif method != "fullmatch":
            after = [anywhere]
        return self._concat([*before, self._all(items), *after])

    def _text(self, text: str) -> Any:
        return self._z3.Re(text_constant(self._z3, text, self._context), self._context)

    def _concat(self, parts: list[Any]) -> Any:
        if not parts:
            return self._text("")
        return parts[0] if len(parts) == 1 else self._z3.Concat(*parts)

    def _all(self, items: Any) -> Any:
        return self._concat([self._one(op, value) for op, value in items])

    def _one(self, op: Any, value: Any) -> Any:
        form = _FORMS.get(op)
        if form is None:
            raise Untranslatable(f"{op} of a regular expression")
        return form(self, value)

    def _union(self, parts: list[Any]) -> Any:
        return parts[0] if len(parts) == 1 else self._z3.Union(*parts)

    def _literal(self, value: int) -> Any:
        character = chr(value)
        if not self._ignorecase:
            return self._text(character)
        if not character.isascii():
            raise Untranslatable("case of a letter that is not ASCII")
        others = self._others() if character in _CASE_TRAPS else []
        cases = dict.fromkeys((character.lower(), character.upper()))
        return self._union([*[self._text(one) for one in cases], *others])

    def _without(self, part: Any) -> Any:
        return self._z3.Intersect(self._any, self._z3.Complement(part))

    def _not_literal(self, value: int) -> Any:
        if self._ignorecase:
            raise Untranslatable("a negated letter of either case")
        return self._without(self._literal(value))

    def _dot(self, _value: None) -> Any:
        return self._any if self._dotall else self._without(self._text("\n"))

    def _in(self, value: Any) -> Any:
        negated = bool(value) and value[0][0] is codes.NEGATE
        exact = self.exact
        parts = [self._member(op, inside) for op, inside in value[1 if negated else 0 :]]
        if negated and ((exact and not self.exact) or self._ignorecase):
            raise Untranslatable("the negation of a narrowed class")
        return self._without(self._union(parts)) if negated else self._union(parts)

    def _member(self, op: Any, value: Any) -> Any:
        if op is codes.RANGE:
            return self._range(*value)
        if op is codes.CATEGORY:
            return self._category(value)
        return self._one(op, value)

    def _range(self, low: int, high: int) -> Any:
        if self._ignorecase and not (low > 47 and high < 58):  # noqa: PLR2004 - digits
            if high >= 128:  # noqa: PLR2004 - beyond ASCII
                raise Untranslatable("a range of either case")
            return self._union([self._literal(code) for code in range(low, high + 1)])
        if high >= BEYOND_Z3:
            raise Untranslatable("a range beyond the characters of z3")
        return self._span(low, high)

    def _category(self, value: Any) -> Any:
        name = str(value)
        if "NOT_" in name:
            if not self._ascii and "SPACE" not in name:
                raise Untranslatable("the negation of a class of letters")
            return self._without(self._category(_POSITIVE[name]))
        if "SPACE" in name:
            spaces = " \t\n\r\f\v" if self._ascii else SPACES
            return self._union([self._text(one) for one in spaces])
        ranges = [(48, 57)] if "DIGIT" in name else [(48, 57), (65, 90), (95, 95), (97, 122)]
        return self._union([*[self._span(low, high) for low, high in ranges], *self._others()])

    def _span(self, low: int, high: int) -> Any:
        ends = [text_constant(self._z3, chr(code), self._context) for code in (low, high)]
        return self._z3.Range(*ends)

    def _others(self) -> list[Any]:
        """Where letters that are not ASCII may belong too: all of them in a wide pattern."""
        if self._ascii:
            return []
        self.exact = False
        return [self._span(0x80, BEYOND_Z3 - 1), self._beyond()] if self._wide else []

    def _beyond(self) -> Any:
        """The characters that constants may not have."""
        z3, context = self._z3, self._context
        return z3.Range(*[z3.StringVal(end, context) for end in ("\\u{20000}", "\\u{2ffff}")])

    def _branch(self, value: Any) -> Any:
        return self._union([self._all(items) for items in value[1]])

    def _subpattern(self, value: Any) -> Any:
        _, added, removed, items = value
        if added or removed:
            raise Untranslatable("flags inside a regular expression")
        return self._all(items)

    def _repeat(self, value: Any) -> Any:
        low, high, items = value
        part = self._all(items)
        if high is codes.MAXREPEAT:
            if low == 0:
                return self._z3.Star(part)
            many = self._z3.Plus(part)
            return (
                many if low == 1 else self._z3.Concat(self._z3.Loop(part, low - 1, low - 1), many)
            )
        return self._z3.Option(part) if (low, high) == (0, 1) else self._loop(part, low, high)

    def _loop(self, part: Any, low: int, high: int) -> Any:
        if high == 0:
            return self._text("")
        return self._z3.Loop(part, low, high)


_POSITIVE: Final = {
    "CATEGORY_NOT_SPACE": "CATEGORY_SPACE", "CATEGORY_NOT_DIGIT": "CATEGORY_DIGIT",
    "CATEGORY_NOT_WORD": "CATEGORY_WORD",
}  # fmt: skip

_FORMS: Final[dict[Any, Callable[[_Writer, Any], Any]]] = {
    codes.LITERAL: _Writer._literal,  # noqa: SLF001  (the table belongs to the class)
    codes.NOT_LITERAL: _Writer._not_literal,  # noqa: SLF001
    codes.ANY: _Writer._dot,  # noqa: SLF001
    codes.IN: _Writer._in,  # noqa: SLF001
    codes.BRANCH: _Writer._branch,  # noqa: SLF001
    codes.SUBPATTERN: _Writer._subpattern,  # noqa: SLF001
    codes.MAX_REPEAT: _Writer._repeat,  # noqa: SLF001
    codes.MIN_REPEAT: _Writer._repeat,  # noqa: SLF001
}
