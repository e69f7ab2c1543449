"""Documents that were parsed from a symbolic text: which keys they have is asked key by key.

A number or text in a document is a proxy whose term parses the text and goes down to it.  Of each
value the type is an event, in the order of ``DOCUMENT_KINDS``; of a dictionary whether it has a
key, when that is looked up; all its keys, as soon as anything else is done with it.

Invariant: a document behaves as the parsed value would; whatever a run saw of it is an event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from unitcraft.symbolic.containers import symbolic_keys
from unitcraft.symbolic.proxies.trace import record, wrap
from unitcraft.symbolic.terms.operations import DOCUMENT_KINDS
from unitcraft.symbolic.terms.term import SAME, Term

_MISSING: Final = object()


class ParsedDict(dict[Any, Any]):
    """A dictionary of a document; ``term`` computes it, None once all keys are events.

    ``looked`` are the keys that are events, ``parsed`` those that the document has; the value of
    one that is no event yet is plain.
    """

    __slots__ = ("looked", "parsed", "term")
    __class__ = property(lambda _: dict)

    def __init__(self, table: dict[str, Any], term: Term) -> None:
        dict.__init__(self, table)
        self.term = term
        self.parsed = tuple(table)
        self.looked: set[str] = set()

    def look(self, key: Any) -> None:
        """Record whether ``key`` was parsed, before it is looked up or changed."""
        if type(key) is not str:
            settle_keys(self)
        elif self.term is not None and key not in self.looked:
            record((("has_key", self.term, key), key in self.parsed))
            self.follow(key)

    def follow(self, key: str) -> None:
        """Put the proxies of the value of ``key`` into its place, if it has one."""
        self.looked.add(key)
        if key in self.parsed:
            value = follow_document(dict.__getitem__(self, key), ("[]", self.term, key))
            dict.__setitem__(self, key, value)

    def __contains__(self, key: Any) -> bool:
        self.look(key)
        return symbolic_keys.contains(self, key)

    def __getitem__(self, key: Any) -> Any:
        self.look(key)
        return dict.__getitem__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """As ``dict.get``."""
        self.look(key)
        return dict.get(self, key, default)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.look(key)
        dict.__setitem__(self, key, value)

    def __delitem__(self, key: Any) -> None:
        self.look(key)
        dict.__delitem__(self, key)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        """As ``dict.setdefault``."""
        self.look(key)
        return dict.setdefault(self, key, default)

    def pop(self, key: Any, default: Any = _MISSING) -> Any:
        """As ``dict.pop``."""
        self.look(key)
        return dict.pop(self, key) if default is _MISSING else dict.pop(self, key, default)

    def __reduce_ex__(self, _: Any) -> Any:
        settle_keys(self)
        return dict, (dict(dict.items(self)),)


def settle_keys(table: ParsedDict) -> None:
    """Record all keys, before anything that depends on them."""
    if table.term is not None:
        record(((SAME, ("keys", table.term), ("tuple", *table.parsed)), True))
        for key in table.parsed:
            if key not in table.looked:
                table.follow(key)
        table.term = None


def _settled(name: str) -> Callable[..., Any]:
    """Method ``name`` of dict after all keys are events."""
    method = getattr(dict, name)

    def call(table: ParsedDict, *args: Any, **kwargs: Any) -> Any:
        settle_keys(table)
        return method(table, *args, **kwargs)

    call.__name__ = name
    return call


_WHOLE: Final = (
    "__len__", "__iter__", "__reversed__", "__eq__", "__ne__", "__or__", "__ror__", "__ior__",
    "__repr__", "keys", "values", "items", "update", "popitem", "clear", "copy",
)  # fmt: skip
for _name in _WHOLE:
    setattr(ParsedDict, _name, _settled(_name))
symbolic_keys.SETTLERS[ParsedDict] = settle_keys


def follow_document(value: Any, term: Term) -> Any:
    """``value``, which ``term`` computes, with proxies of its numbers and texts."""
    name = type(value).__name__
    for kind in DOCUMENT_KINDS:
        record((("is_kind", term, kind), kind == name))
        if kind == name:
            break
    if value is None:
        return None
    if type(value) is dict:
        return ParsedDict(value, term)
    if type(value) is list:
        record(((SAME, ("len", term), len(value)), True))
        return _items(value, term)
    return wrap(value, term)


def _items(values: Iterable[Any], term: Term) -> list[Any]:
    return [follow_document(item, ("[]", term, place)) for place, item in enumerate(values)]
