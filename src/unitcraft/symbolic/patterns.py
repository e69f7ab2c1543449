"""Regular expressions on symbolic texts: matches that know where they came from.

Invariant: a match behaves as the match on the plain text; its groups are followed, all else
that it tells is plain and pins the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.operations import OPERATIONS
from unitcraft.symbolic.trace import Proxied, apply, note, pin, plain, symbolic, term_of, wrapped


class SymMatch:
    """A match on a proxy; ``term`` computes the match."""

    __slots__ = ("match", "term", "text")
    __class__ = property(lambda _: re.Match)  # type: ignore[assignment]

    def __init__(self, match: re.Match[Any], term: Any, text: Any) -> None:
        self.match = match
        self.term = term
        self.text = text

    def group(self, *names: Any) -> Any:
        """As ``re.Match.group``."""
        if len(names) != 1:
            return tuple([self._one(name) for name in names]) if names else self._one(0)
        return self._one(names[0])

    __getitem__ = group

    def _one(self, name: Any) -> Any:
        known = plain(name)
        result = self.match.group(known)
        term = ("Match.group", self.term, known)
        if result is None:
            note((("same", term, None), True))
            return None
        return wrapped(result, term)

    def groups(self, default: Any = None) -> Any:
        """As ``re.Match.groups``."""
        found = [self._one(place) for place in range(1, len(self.match.groups()) + 1)]
        return tuple([default if item is None else item for item in found])

    def groupdict(self, default: Any = None) -> Any:
        """As ``re.Match.groupdict``."""
        found = {name: self._one(name) for name in self.match.re.groupindex}
        return {name: default if item is None else item for name, item in found.items()}

    def __bool__(self) -> bool:
        return True

    def __getattr__(self, name: str) -> Any:
        pin(self.text)
        return getattr(self.match, name)


def _matched(name: str, pattern: Any, flags: int, args: tuple[Any, ...]) -> Any:
    """``re.match`` and its kin on a proxy."""
    term = (f"re.{name}", pattern, flags, *[term_of(arg) for arg in args])
    match = OPERATIONS[f"re.{name}"](pattern, flags, *[plain(arg) for arg in args])
    note((("truth", term), match is not None))
    return None if match is None else SymMatch(match, term, args[0])


_SEARCHES: Final = frozenset({"match", "fullmatch", "search"})
_WHOLE: Final = frozenset({"findall", "split"})


def pattern_method(
    function: Any, pattern: re.Pattern[Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """A method of a compiled pattern."""
    name = function.__name__
    if symbolic(args) and not kwargs and isinstance(pattern.pattern, (str, bytes)):
        if name in _SEARCHES and isinstance(args[0], Proxied):
            return _matched(name, pattern.pattern, pattern.flags, args)
        if name in _WHOLE and len(args) == 1:
            return apply(f"re.{name}", pattern.pattern, pattern.flags, *args)
        if name == "sub" and type(plain(args[0])) is str:
            return apply("re.sub", pattern.pattern, pattern.flags, *args)
    return function(*[pin(arg) for arg in args], **{key: pin(arg) for key, arg in kwargs.items()})


def _module_level(name: str) -> Callable[..., Any]:
    function = getattr(re, name)

    def search(pattern: Any, *args: Any, **kwargs: Any) -> Any:
        flags = kwargs.get("flags", 0)
        if symbolic((pattern, *args)) and set(kwargs) <= {"flags"}:
            compiled = re.compile(pin(pattern), flags)
            places = 2 if name == "sub" else 1
            if len(args) == places:
                return pattern_method(getattr(compiled, name), compiled, args, {})
        return function(
            pin(pattern), *[pin(arg) for arg in args],
            **{key: pin(arg) for key, arg in kwargs.items()},
        )  # fmt: skip

    return search


#: The functions of ``re`` by what stands in for them.
FUNCTIONS: Final[dict[Any, Callable[..., Any]]] = {
    getattr(re, name): _module_level(name)
    for name in ("match", "fullmatch", "search", "findall", "split", "sub")
}
