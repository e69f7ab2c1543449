"""Regular expressions on symbolic texts: matches that know where they came from.

Invariant: a match behaves as the match on the plain text; its groups and positions are followed,
everything else that it gives is plain and concretizes the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    apply_operation,
    concrete_value,
    concretize,
    is_symbolic,
    record,
    term_of,
    wrap,
)
from unitcraft.symbolic.terms.operations import OPERATIONS
from unitcraft.symbolic.terms.term import SAME

#: Functions of this module take proxies as they are, as rewritten code does.
__unitcraft_call__: Final = None
#: Signs that a group of a pattern may take no part in a match.
_OPTIONAL: Final = re.compile(r"\)(?:[?*]|\{0|\{,)|\||\(\?\(")


def _has_optional_group(pattern: re.Pattern[Any]) -> bool:
    """May a group of ``pattern`` take no part in a match?  True when in doubt."""
    text = pattern.pattern
    return _OPTIONAL.search(text if isinstance(text, str) else text.decode("latin-1")) is not None


class SymMatch:
    """A match on a proxy; ``term`` computes the match."""

    __slots__ = ("match", "term", "text")
    __class__ = property(lambda _: re.Match)

    def __init__(self, match: re.Match[Any], term: Any, text: Any) -> None:
        self.match = match
        self.term = term
        self.text = text

    def concretized(self) -> re.Match[Any]:
        """The match itself, its text concretized."""
        concretize(self.text)
        return self.match

    def group(self, *names: Any) -> Any:
        """As ``re.Match.group``."""
        if len(names) != 1:
            return tuple([self._one(name) for name in names]) if names else self._one(0)
        return self._one(names[0])

    __getitem__ = group

    def _one(self, name: Any) -> Any:
        known = concretize(name)
        result = self.match.group(known)
        term = ("Match.group", self.term, known)
        if known != 0 and _has_optional_group(self.match.re):
            record((("==", term, None), result is None))
        return None if result is None else wrap(result, term)

    def groups(self, default: Any = None) -> Any:
        """As ``re.Match.groups``."""
        found = [self._one(place) for place in range(1, self.match.re.groups + 1)]
        return tuple([default if item is None else item for item in found])

    def groupdict(self, default: Any = None) -> Any:
        """As ``re.Match.groupdict``."""
        found = {name: self._one(name) for name in self.match.re.groupindex}
        return {name: default if item is None else item for name, item in found.items()}

    def start(self, group: Any = 0) -> Any:
        """As ``re.Match.start``."""
        return apply_match("Match.start", self, concretize(group))

    def end(self, group: Any = 0) -> Any:
        """As ``re.Match.end``."""
        return apply_match("Match.end", self, concretize(group))

    def span(self, group: Any = 0) -> Any:
        """As ``re.Match.span``."""
        return (self.start(group), self.end(group))

    @property
    def string(self) -> Any:
        """The text that was searched."""
        return self.text

    @property
    def re(self) -> Any:
        """The compiled pattern."""
        return self.match.re

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        return getattr(self.concretized(), name)


SymMatch.__name__ = SymMatch.__qualname__ = "Match"
SymMatch.__module__ = "re"


def apply_match(name: str, match: SymMatch, group: Any) -> Any:
    """A number that a method of a match gives for a group."""
    return wrap(OPERATIONS[name](match.match, group), (name, match.term, group))


def _match(name: str, pattern: Any, flags: int, args: tuple[Any, ...]) -> Any:
    """``re.match`` and its kin on a proxy."""
    term = (f"re.{name}", pattern, flags, *[term_of(arg) for arg in args])
    match = OPERATIONS[f"re.{name}"](pattern, flags, *[concrete_value(arg) for arg in args])
    record((("truth", term), match is not None))
    return None if match is None else SymMatch(match, term, args[0])


_SEARCHES: Final = frozenset({"match", "fullmatch", "search"})
#: Names of the arguments after the text or the replacement, with their defaults.
_NAMED: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "match": (("string", None), ("pos", 0), ("endpos", 1 << 62)),
    "fullmatch": (("string", None), ("pos", 0), ("endpos", 1 << 62)),
    "search": (("string", None), ("pos", 0), ("endpos", 1 << 62)),
    "findall": (("string", None), ("pos", 0), ("endpos", 1 << 62)),
    "finditer": (("string", None), ("pos", 0), ("endpos", 1 << 62)),
    "split": (("string", None), ("maxsplit", 0)),
    "sub": (("repl", None), ("string", None), ("count", 0)),
    "subn": (("repl", None), ("string", None), ("count", 0)),
}  # fmt: skip


def pattern_method(
    function: Any, pattern: re.Pattern[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a compiled pattern."""
    name = function.__name__
    placed = _positional(name, args, kwargs)
    if placed is None or not (is_symbolic(placed) or name in ("sub", "subn")):
        return function(
            *map(concretize, args), **{key: concretize(value) for key, value in kwargs.items()}
        )
    text = placed[1] if name in ("sub", "subn") else placed[0]
    texts = (str, bytes)
    if not isinstance(text, texts) or (type(concrete_value(text)) is not type(pattern.pattern)):
        return function(
            *map(concretize, args), **{key: concretize(value) for key, value in kwargs.items()}
        )
    if name in ("sub", "subn") and callable(placed[0]):
        return _substitute(name, pattern, placed)
    if not is_symbolic(placed):
        return function(*placed)
    if name == "finditer":
        return _find_iter(pattern, placed)
    if name in _SEARCHES and type(text) in PROXIES:
        return _match(name, pattern.pattern, pattern.flags, placed)
    if name == "split":
        return _split(pattern, placed)
    if f"re.{name}" in OPERATIONS and (name not in _SEARCHES):
        return apply_operation(f"re.{name}", pattern.pattern, pattern.flags, *placed)
    return function(*map(concretize, placed))


def _positional(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
    """All arguments by position; None when a name is unknown."""
    named = _NAMED.get(name)
    if named is None or len(args) > len(named):
        return None
    if not kwargs:
        least = 2 if name in ("sub", "subn") else 1
        return args if len(args) >= least else None
    rest = named[len(args) :]
    if not set(kwargs) <= {key for key, _ in rest}:
        return None
    return (*args, *[kwargs.get(key, default) for key, default in rest])


def _split(pattern: re.Pattern[Any], args: tuple[Any, ...]) -> Any:
    """``split``; its items are texts, or None for groups that took no part."""
    if not (pattern.groups and _has_optional_group(pattern)):
        return apply_operation("re.split", pattern.pattern, pattern.flags, *args)
    plain = [args[0], *map(concretize, args[1:])]
    term = ("re.split", pattern.pattern, pattern.flags, *map(term_of, plain))
    parts = pattern.split(*map(concrete_value, plain))
    record(((SAME, ("len", term), len(parts)), True))
    return [_part(part, ("[]", term, place)) for place, part in enumerate(parts)]


def _part(part: Any, term: Any) -> Any:
    """A part of a split text that may be None, after an event that says whether it is."""
    record((("==", term, None), part is None))
    return None if part is None else wrap(part, term)


def _find_iter(pattern: re.Pattern[Any], args: tuple[Any, ...]) -> Iterator[Any]:
    """``finditer``: one search after the other, each from where the last match ended."""
    text = args[0]
    known = concrete_value(text)
    matches = list(
        pattern.finditer(*[concretize(arg) if arg is not text else known for arg in args])
    )
    if len(args) > 1 or any(match.start() == match.end() for match in matches):
        concretize(text)
        return iter(matches)
    return _search_iter(pattern, text)


def _search_iter(pattern: re.Pattern[Any], text: Any) -> Iterator[Any]:
    position: Any = 0
    while True:
        match = _match("search", pattern.pattern, pattern.flags, (text, position))
        if match is None:
            return
        position = match.end()
        record((("<", ("Match.start", match.term, 0), position.term), True))
        yield match


def _substitute(name: str, pattern: re.Pattern[Any], args: tuple[Any, ...]) -> Any:
    """``sub`` with a function, which gets matches on plain text; its results are concretized."""
    function, *rest = args
    return getattr(pattern, name)(lambda match: concretize(function(match)), *map(concretize, rest))


def _module_level(name: str) -> Callable[..., Any]:
    function = getattr(re, name)

    def search(pattern: Any, *args: Any, **kwargs: Any) -> Any:
        flags = kwargs.pop("flags", 0)
        least = 2 if name in ("sub", "subn") else 1
        most = len(_NAMED[name]) if name not in _FLAGGED else 1
        if len(args) > most:
            flags = args[most]
        if not is_symbolic(pattern) and len(args) < least and not kwargs:
            return function(pattern, *args)
        compiled = re.compile(concretize(pattern), concretize(flags))
        return pattern_method(getattr(compiled, name), compiled, args[:most], kwargs)

    return search


#: Functions whose flags are the argument after the text.
_FLAGGED: Final = frozenset({"match", "fullmatch", "search", "findall", "finditer"})
#: The functions of ``re`` and the functions that replace them.
REGEX_FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {
    getattr(re, name): _module_level(name) for name in _NAMED
}
