"""Proxies of str and bytes.

Invariant: a proxy has the value that the plain text would have; every method gives the value,
the type and the error that it would give, and its result is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from unitcraft.symbolic.proxies.trace import (
    PROXIES,
    Proxied,
    apply_operation,
    concrete_value,
    concretize,
    record,
    register_proxy,
    term_of,
    wrap,
)
from unitcraft.symbolic.terms.operations import OPERATIONS
from unitcraft.symbolic.terms.raise_conditions import FALLIBLE
from unitcraft.symbolic.terms.term import SAME

#: Functions of this module take proxies as they are, as rewritten code does.
__unitcraft_call__: Final = None
_str_new = str.__new__
_bytes_new = bytes.__new__


class SymStr(str, Proxied):
    """A str that knows its term; ``concrete`` is the same text without it."""

    __slots__ = ("concrete", "term")
    __class__ = property(lambda _: str)
    concrete: str
    term: Any


class SymBytes(bytes, Proxied):
    """A bytes that knows its term; ``concrete`` is the same text without it."""

    __class__ = property(lambda _: bytes)
    concrete: bytes
    term: Any

    def __setattr__(self, name: str, _value: Any) -> None:
        raise AttributeError(f"'bytes' object has no attribute '{name}'")


def sym_str(value: str, term: Any) -> SymStr:
    """The proxy of ``value``, which ``term`` computes."""
    made = _str_new(SymStr, value)
    made.concrete = value
    made.term = term
    return made


def sym_bytes(value: bytes, term: Any) -> SymBytes:
    """The proxy of ``value``, which ``term`` computes."""
    made = _bytes_new(SymBytes, value)
    space = made.__dict__
    space["concrete"] = value
    space["term"] = term
    return made


# -- comparing, counting, taking apart -----------------------------------------------


def _comparison(op: str, kind: type, proxy: type) -> Callable[[Any, Any], Any]:
    function = OPERATIONS[op]

    def compare(self: Any, other: Any) -> Any:
        known = type(other)
        if known is kind:
            result = function(self.concrete, other)
            record(((op, self.term, other), result))
            return result
        if known is proxy:
            result = function(self.concrete, other.concrete)
            record(((op, self.term, other.term), result))
            return result
        if not issubclass(known, kind) or not _inherits(known, kind):
            return NotImplemented
        return getattr(concretize(self), _COMPARISONS[op])(other)

    return compare


def _inherits(kind: type, base: type) -> bool:
    """Does a subclass of a class of texts compare as that class does?"""
    return all(getattr(kind, name) is getattr(base, name) for name in _COMPARISONS.values())


_COMPARISONS: Final = {
    "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__", "==": "__eq__", "!=": "__ne__",
}  # fmt: skip


def _truth(self: Any) -> bool:
    result = bool(self.concrete)
    record((("truth", self.term), result))
    return result


def _element(text: Any, place: int) -> Any:
    """The element at ``place``, which is known to be within bounds."""
    return wrap(concrete_value(text)[place], ("[]", term_of(text), place))


def _iterate(self: Any) -> Iterator[Any]:
    size = len(self.concrete)
    length = ("len", self.term)
    for place in range(size):
        record(((">", length, place), True))
        yield _element(self, place)
    record(((">", length, size), False))


def _reversed(self: Any) -> Iterator[Any]:
    size = len(self.concrete)
    record(((SAME, ("len", self.term), size), True))
    for place in range(size - 1, -1, -1):
        yield _element(self, place)


def get_item(text: Any, index: Any) -> Any:
    """``text[index]``, where one is a proxy: an element, or a part for a slice."""
    if isinstance(index, slice):
        return get_slice(text, index.start, index.stop, index.step)
    if not isinstance(index, int):
        return concretize(text)[concretize(index)]
    known, place = concrete_value(text), concrete_value(index)
    length: Any = ("len", text.term) if type(text) in PROXIES else len(known)
    where = term_of(index)
    if type(where) is tuple:
        record((("<", where, 0), place < 0))
    if place >= 0:
        record(((">", length, where), place < len(known)))
    elif type(where) is tuple:
        record(((">=", ("+", length, where), 0), place >= -len(known)))
    else:
        record(((">=", length, -where), place >= -len(known)))
    return wrap(known[place], ("[]", term_of(text), where))


def get_slice(text: Any, start: Any, stop: Any, step: Any) -> Any:
    """``text[start:stop:step]`` with a proxy somewhere in it."""
    if all(map(_is_followable_bound, (start, stop, step))):
        return apply_operation("[:]", text, start, stop, step)
    return concretize(text)[
        concretize(start) : concretize(stop) : concretize(step)
    ]  # code of a bound, or its error


def _is_followable_bound(bound: Any) -> bool:
    followed = type(bound) in PROXIES and isinstance(bound, int)
    return followed or bound is None or type(bound) in (int, bool)


# -- methods ------------------------------------------------------------------------

_OPERANDS: Final = frozenset({str, bytes, int, float, bool, type(None), tuple, list})
#: The arguments of methods that may be given by name, with their defaults.
_NAMED: Final[dict[str, tuple[tuple[str, Any], ...]]] = {
    "split": (("sep", None), ("maxsplit", -1)), "rsplit": (("sep", None), ("maxsplit", -1)),
    "splitlines": (("keepends", False),), "expandtabs": (("tabsize", 8),),
    "encode": (("encoding", "utf-8"), ("errors", "strict")),
    "decode": (("encoding", "utf-8"), ("errors", "strict")),
}  # fmt: skip


def invoke_method(
    kind: type, name: str, text: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """``text.name(*args, **kwargs)`` of a text of class ``kind``, with a proxy somewhere in it."""
    if kwargs:
        placed = _positional(name, args, kwargs)
        if placed is None:
            return _call_concretely(kind, name, text, args, kwargs)
        args = placed
    if name == "translate" and kind is str:
        return _translate(text, args)
    if name == "join" and len(args) == 1 and type(args[0]) is not list:
        args = (as_list(args[0]),)
    operation = _OPERATION[kind].get(name)
    if (
        operation is not None
        and all(map(can_be_term, args))
        and not _has_other_prefixes(kind, name, args)
    ):
        return apply_operation(operation, text, *args)
    return _call_concretely(kind, name, text, args, kwargs)


def _has_other_prefixes(kind: type, name: str, args: tuple[Any, ...]) -> bool:
    """Are some prefixes not texts?  They are an error only if no prefix before them fits."""
    several = name in ("startswith", "endswith") and bool(args) and type(args[0]) is tuple
    return several and not all(isinstance(each, kind) for each in args[0])


#: The operation of each method.
_OPERATION: Final[dict[type, dict[str, str]]] = {
    kind: {
        name.partition(".")[2]: name for name in OPERATIONS if name.startswith(kind.__name__ + ".")
    }
    for kind in (str, bytes)
}


#: Levels of tuples and lists nested in a term; deeper ones are not followed.
MAX_NESTING: Final = 20


def _positional(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...] | None:
    """All arguments by position; None when a name is unknown."""
    named = _NAMED.get(name, ())[len(args) :]
    if not set(kwargs) <= {key for key, _ in named}:
        return None
    return (*args, *[kwargs.get(key, default) for key, default in named])


def can_be_term(value: Any, depth: int = 0) -> bool:
    """May ``value`` be part of a term?  Nothing that holds itself may."""
    kind = type(value)
    if kind is tuple or kind is list:
        return depth < MAX_NESTING and all(can_be_term(item, depth + 1) for item in value)
    return kind in _OPERANDS or kind in PROXIES


def as_list(value: Any) -> Any:
    """The argument of ``join`` as a list; a text, or what cannot be iterated over, as it is."""
    if isinstance(value, (list, tuple)) or not hasattr(value, "__iter__"):
        return value
    return list(value)


def _call_concretely(
    kind: type, name: str, text: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    known = [concretize(arg) for arg in (text, *args)]
    return getattr(kind, name)(*known, **{key: concretize(value) for key, value in kwargs.items()})


def _translate(text: Any, args: tuple[Any, ...]) -> Any:
    table = args[0] if len(args) == 1 else None
    if type(table) is dict and len(table) <= _MAX_TRANSLATION_ENTRIES:
        values = [*table.keys(), *table.values()]
        if all(map(can_be_term, values)):
            return apply_operation(
                "str.translated", text, tuple(table.keys()), tuple(table.values())
            )
    return _call_concretely(str, "translate", text, args, {})


#: Entries of a translation table that becomes part of a term.
_MAX_TRANSLATION_ENTRIES: Final = 64


def _method(kind: type, name: str) -> Callable[..., Any]:
    operation = _OPERATION[kind].get(name)
    if operation is None or name in ("translate", "join"):
        return lambda self, *args, **kwargs: invoke_method(kind, name, self, args, kwargs)
    function = OPERATIONS[operation]

    easy = operation not in FALLIBLE

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        if args or kwargs:
            return invoke_method(kind, name, self, args, kwargs)
        if easy:
            result = function(self.concrete)
            if type(result) is str:
                return sym_str(result, (operation, self.term))
            return wrap(result, (operation, self.term))
        return apply_operation(operation, self)

    return method


# -- operators ----------------------------------------------------------------------


def _add(self: Any, other: Any) -> Any:
    return (
        apply_operation("+", self, other)
        if type(concrete_value(other)) is type(self.concrete)
        else NotImplemented
    )


def _radd(self: Any, other: Any) -> Any:
    return (
        apply_operation("+", other, self)
        if type(concrete_value(other)) is type(self.concrete)
        else NotImplemented
    )


def _repeat(self: Any, count: Any) -> Any:
    return (
        apply_operation("*", self, count)
        if type(concrete_value(count)) in (int, bool)
        else NotImplemented
    )


def _contains(self: Any, part: Any) -> bool:
    return (
        bool(apply_operation("in", part, self)) if can_be_term(part) else part in concretize(self)
    )


def _percent(self: Any, other: Any) -> Any:
    if can_be_term(other) and not isinstance(other, list):
        return apply_operation("%", self, other)
    return concretize(self) % concretize(other)


def _rpercent(self: Any, other: Any) -> Any:
    return (
        apply_operation("%", other, self) if type(other) is type(self.concrete) else NotImplemented
    )


def _add_members(cls: type, kind: type, make: Any) -> None:
    register_proxy(kind, cls, make, lambda value: value.concrete)
    for name in dir(kind):
        if type(vars(kind).get(name)) in _METHODS and not name.startswith("_"):
            setattr(cls, name, _method(kind, name))
    for op, name in _COMPARISONS.items():
        setattr(cls, name, _comparison(op, kind, cls))
    for name, member in {
        "__bool__": _truth, "__iter__": _iterate, "__reversed__": _reversed, "__add__": _add,
        "__radd__": _radd, "__mul__": _repeat, "__rmul__": _repeat, "__contains__": _contains,
        "__hash__": lambda self: hash(concretize(self)), "__copy__": lambda self: self,
        "__len__": lambda self: concretize(apply_operation("len", self)),
        "__deepcopy__": lambda self, _: self, "__getitem__": get_item, "__mod__": _percent,
        "__rmod__": _rpercent, "__reduce_ex__": lambda self, _: (kind, (concretize(self),)),
        "__getnewargs__": lambda self: (concretize(self),),
        "__repr__": lambda self: apply_operation("repr", self),
        "__doc__": kind.__doc__, "__name__": kind.__name__, "__qualname__": kind.__name__,
        "__module__": "builtins",
    }.items():  # fmt: skip
        setattr(cls, name, member)


_METHODS: Final = frozenset({type(str.strip), type(bytes.strip)})


def _format(self: Any, spec: Any) -> Any:
    return self if spec == "" else apply_operation("format", self, spec)


_add_members(SymStr, str, sym_str)
_add_members(SymBytes, bytes, sym_bytes)
for _cls, _name, _member in (
    (SymStr, "__str__", lambda self: self),
    (SymStr, "__format__", _format),
    (SymBytes, "__str__", lambda self: apply_operation("str", self)),
):
    setattr(_cls, _name, _member)
