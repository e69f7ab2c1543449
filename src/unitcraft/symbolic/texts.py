"""Proxies of str and bytes.

Invariant: a proxy has the value that the plain text would have; every method gives the value,
the type and the error that it would give, and its result is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from unitcraft.symbolic.operations import OPERATIONS
from unitcraft.symbolic.trace import Proxied, apply, note, pin, plain, proxy_class, symbolic, term_of

_str_new = str.__new__
_bytes_new = bytes.__new__


class SymStr(str, Proxied):
    """A str that knows its term."""

    __class__ = property(lambda _: str)  # type: ignore[assignment]
    term: Any


class SymBytes(bytes, Proxied):
    """A bytes that knows its term."""

    __class__ = property(lambda _: bytes)  # type: ignore[assignment]
    term: Any


def sym_str(value: str, term: Any) -> SymStr:
    """The proxy of ``value``, which ``term`` computes."""
    made = _str_new(SymStr, value)
    made.term = term
    return made


def sym_bytes(value: bytes, term: Any) -> SymBytes:
    """The proxy of ``value``, which ``term`` computes."""
    made = _bytes_new(SymBytes, value)
    made.term = term
    return made


def _plain_str(value: SymStr) -> str:
    return str.__str__(value)


def _plain_bytes(value: SymBytes) -> bytes:
    return bytes.__getitem__(value, slice(None)) if value else b""


def _comparison(op: str) -> Callable[[Any, Any], Any]:
    function = OPERATIONS[op]

    def compare(self: Any, other: Any) -> Any:
        known, value = plain(self), plain(other)
        if type(known) is not type(value):
            return NotImplemented
        result = function(known, value)
        note(((op, self.term, term_of(other)), result))
        return result

    return compare


def _truth(self: Any) -> bool:
    result = len(plain(self)) > 0
    note((("truth", self.term), result))
    return result


def _iterate(self: Any) -> Iterator[Any]:
    size = len(plain(self))
    length = ("len", self.term)
    for place in range(size):
        note(((">", length, place), True))
        yield apply("[]", self, place)
    note(((">", length, size), False))


def _method(kind: type, name: str) -> Callable[..., Any]:
    function = getattr(kind, name)
    followed = f"{kind.__name__}.{name}" in OPERATIONS

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if followed and not kwargs and all(type(plain(arg)) in _OPERANDS for arg in args):
            return apply(f"{kind.__name__}.{name}", self, *args)
        known = [pin(arg) for arg in (self, *args)]
        return function(*known, **{key: pin(value) for key, value in kwargs.items()})

    return method


_OPERANDS: Final = frozenset({str, bytes, int, float, bool, type(None), tuple, list})


def _add(self: Any, other: Any) -> Any:
    return apply("+", self, other) if type(plain(other)) is type(plain(self)) else NotImplemented


def _radd(self: Any, other: Any) -> Any:
    return apply("+", other, self) if type(plain(other)) is type(plain(self)) else NotImplemented


def _times(self: Any, count: Any) -> Any:
    return apply("*", self, count) if isinstance(count, int) else NotImplemented


def _contains(self: Any, item: Any) -> bool:
    return bool(apply("in", item, self))


def _equip(cls: type, kind: type, make: Any, plainly: Any) -> None:
    proxy_class(kind, cls, make, plainly)
    for name in dir(kind):
        if not name.startswith("_") and callable(getattr(kind, name)) and name not in _MAKERS:
            setattr(cls, name, _method(kind, name))
    for op, name in {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}.items():
        setattr(cls, f"__{name}__", _comparison(op))
    for name, method in {
        "__bool__": _truth, "__iter__": _iterate, "__add__": _add, "__radd__": _radd,
        "__mul__": _times, "__rmul__": _times, "__contains__": _contains,
        "__hash__": lambda self: hash(pin(self)), "__copy__": lambda self: self,
        "__deepcopy__": lambda self, _: self,
        "__reduce_ex__": lambda self, _: (kind, (pin(self),)),
        "__getnewargs__": lambda self: (pin(self),),
        "__getitem__": lambda self, index: _item(self, index),
        "__repr__": lambda self: apply("repr", self),
        "__mod__": lambda self, other: apply("%", self, other) if symbolic(other) or type(
            plain(other)) in _OPERANDS else pin(self) % other,
    }.items():  # fmt: skip
        setattr(cls, name, method)


def _item(self: Any, index: Any) -> Any:
    if isinstance(index, slice):
        return apply("[:]", self, index.start, index.stop, index.step)
    return apply("[]", self, index)


_MAKERS: Final = frozenset({"maketrans", "fromhex"})

_equip(SymStr, str, sym_str, _plain_str)
_equip(SymBytes, bytes, sym_bytes, _plain_bytes)
SymStr.__str__ = lambda self: self  # type: ignore[method-assign]
SymStr.__format__ = lambda self, spec: apply("format", self, spec)  # type: ignore[method-assign,assignment]
