"""The contents of objects that keep state in C fields, by the base that defines the fields.

Invariant: a reader uses the base's own methods (``list.__getitem__``, never ``value[...]``), does
not change the object, and returns everything that the object can show; what cannot be
read that way has no reader and is opaque.
"""

from __future__ import annotations

import collections
import datetime as dt
import functools
import gc
import io
import itertools
import re
import types
import weakref
from _random import Random as CoreRandom
from _thread import LockType, RLock
from contextlib import contextmanager
from types import MemberDescriptorType, MethodDescriptorType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.state.heap.atoms import token_of
from unitcraft.state.heap.object_layout import class_id, mro_of, own_dict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    Contents = Callable[[Any], Iterable[Any]]

_WHOLE: Final = slice(None)
_LITERAL_COUNT: Final = re.compile(r"count\([-+0-9.e, ]*\)", re.ASCII)
_RECURSION: Final = re.compile(r"count=(\d+)")


class Unreadable(Exception):  # noqa: N818
    """This object cannot be read completely."""


def contents_of(base: type) -> Contents | None:
    """The reader of objects whose C fields ``base`` defines; None: opaque."""
    for kind in mro_of(base):
        if kind in CONTENTS:
            return CONTENTS[kind]
    return _reduction(base)


def _dict(value: dict[Any, Any]) -> list[Any]:
    return [*dict.keys(value), *dict.values(value)]


def _is_found_by_c(key: Any) -> bool:
    """Does looking ``key`` up run no code of the Subject?"""
    kind = type(key)
    if kind is tuple:
        return all(map(_is_found_by_c, key))
    if token_of(key) is not None:
        return True
    defined_in = [
        next(base for base in mro_of(kind) if name in own_dict(base))
        for name in ("__hash__", "__eq__")
    ]
    return defined_in == [object, object]


def _ordered(value: collections.OrderedDict[Any, Any]) -> list[Any]:
    """The keys in their own order, which ``dict`` does not see after ``move_to_end``."""
    if not all(map(_is_found_by_c, dict.keys(value))):
        message = "iterating would call __hash__ of the keys"
        raise Unreadable(message)
    keys = list(collections.OrderedDict.__iter__(value))
    return [*keys, *[dict.__getitem__(value, key) for key in keys]]


def _defaultdict(value: collections.defaultdict[Any, Any]) -> list[Any]:
    return [*_dict(value), own_dict(collections.defaultdict)["default_factory"].__get__(value)]


def _deque(value: collections.deque[Any]) -> list[Any]:
    maxlen = own_dict(collections.deque)["maxlen"].__get__(value)
    return [*collections.deque.__iter__(value), maxlen]


def _function(value: types.FunctionType) -> list[Any]:
    name = [value.__module__, value.__qualname__]
    if "<" not in value.__qualname__ and value.__closure__ is None:
        return name
    code = value.__code__
    return [*name, *_code(code), value.__closure__, value.__defaults__, value.__kwdefaults__]


def _code(value: types.CodeType) -> list[Any]:
    """Place, instructions, names, signature and those constants that count by content."""
    consts = [
        const
        for const in value.co_consts
        if type(const) is types.CodeType or token_of(const) is not None
    ]
    signature = [value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount]
    names = [value.co_qualname, *value.co_names, *value.co_varnames]
    place = [value.co_firstlineno, value.co_linetable, value.co_code, value.co_flags]
    return [*place, *signature, len(consts), *consts, *names]


def _builtin_function(value: types.BuiltinFunctionType) -> list[Any]:
    owner = value.__self__
    if owner is None or type(owner) is types.ModuleType:
        return [value.__module__, value.__qualname__]
    return [value.__qualname__, owner]


def _descriptor(value: Any) -> list[Any]:
    return [value.__objclass__, value.__name__]


def cell_contents(value: types.CellType) -> list[Any]:
    """What a cell holds, in a list; [] when it is empty."""
    try:
        return [value.cell_contents]
    except ValueError:
        return []


def _exception(value: BaseException) -> list[Any]:
    """Arguments, cause and the fields of the C class; tracebacks and contexts do not count."""
    fields = [
        descriptor.__get__(value)
        for kind in mro_of(type(value))
        for name, descriptor in sorted(own_dict(kind).items())
        if type(descriptor) is MemberDescriptorType
        and "__slots__" not in own_dict(kind)
        and name not in ("__suppress_context__", "__dict__")
    ]
    namespace = own_dict(BaseException)
    return [namespace["args"].__get__(value), namespace["__cause__"].__get__(value), *fields]


def _stream_state(value: Any) -> list[Any]:
    kind = io.StringIO if io.StringIO in mro_of(type(value)) else io.BytesIO
    try:
        state: Any = kind.__getstate__(value)
    except ValueError:  # closed
        return []
    return [*state[:-1]]


def _rlock(value: Any) -> list[Any]:
    count = _RECURSION.search(RLock.__repr__(value))
    if count is None or count[1] != "0":
        message = "a held RLock belongs to a thread"
        raise Unreadable(message)
    return []


def _count(value: itertools.count[Any]) -> list[Any]:
    text = itertools.count.__repr__(value)
    if not _LITERAL_COUNT.fullmatch(text):
        raise Unreadable(text)
    return [text]


def _random(value: CoreRandom) -> Iterable[Any]:
    return _GENERATORS[-1](value)


#: The readers of random generators that were set, each in place of those before it.
_GENERATORS: Final[list[Contents]] = [lambda value: [CoreRandom.getstate(value)]]


@contextmanager
def generators_read_by(contents: Contents) -> Iterator[None]:
    """Have ``contents`` say what random generators hold, in place of where their stream stands."""
    _GENERATORS.append(contents)
    try:
        yield
    finally:
        _GENERATORS.pop()


def _members(*names: str) -> Contents:
    """A reader of plain attributes that the C class itself defines."""
    return lambda value: [getattr(value, name) for name in names]


#: Base that defines the C fields -> reader.  The exact class need not be listed: nearest wins.
CONTENTS: Final[dict[type, Contents]] = {
    list: lambda value: list.__getitem__(value, _WHOLE),
    tuple: lambda value: tuple.__getitem__(value, _WHOLE),
    dict: _dict,
    set: lambda value: list(set.__iter__(value)),
    frozenset: lambda value: list(frozenset.__iter__(value)),
    collections.OrderedDict: _ordered,
    collections.defaultdict: _defaultdict,
    collections.deque: _deque,
    bytearray: lambda value: [bytes(bytearray.__getitem__(value, _WHOLE))],
    bytes: lambda value: [bytes.__getitem__(value, _WHOLE)],
    int: lambda value: [int.__pos__(value)],
    str: lambda value: [str.__str__(value)],
    float: lambda value: [float.__pos__(value)],
    complex: lambda value: [complex.__pos__(value)],
    BaseException: _exception,
    types.FunctionType: _function,
    types.BuiltinFunctionType: _builtin_function,
    types.MethodType: _members("__func__", "__self__"),
    types.WrapperDescriptorType: _descriptor,
    types.MethodDescriptorType: _descriptor,
    types.ClassMethodDescriptorType: _descriptor,
    types.GetSetDescriptorType: _descriptor,
    types.MemberDescriptorType: _descriptor,
    types.MethodWrapperType: _members("__name__", "__self__"),
    types.CellType: cell_contents,
    types.CodeType: _code,
    types.UnionType: _members("__args__"),
    types.MappingProxyType: gc.get_referents,
    type({}.keys()): gc.get_referents,
    type({}.values()): gc.get_referents,
    type({}.items()): gc.get_referents,
    functools.partial: lambda value: [
        own_dict(functools.partial)[name].__get__(value) for name in ("func", "args", "keywords")
    ],
    property: lambda value: [
        own_dict(property)[name].__get__(value) for name in ("fget", "fset", "fdel")
    ],
    staticmethod: lambda value: [own_dict(staticmethod)["__func__"].__get__(value)],
    classmethod: lambda value: [own_dict(classmethod)["__func__"].__get__(value)],
    weakref.ref: lambda value: [weakref.ref.__call__(value)],
    re.Match: _members("re", "string", "pos", "endpos", "regs"),
    io.StringIO: _stream_state,
    io.BytesIO: _stream_state,
    itertools.count: _count,
    CoreRandom: _random,
    LockType: lambda value: [value.locked()],
    RLock: _rlock,
    dt.timezone: lambda value: [value.utcoffset(None), value.tzname(None)],
}

#: What a subclass may define that a C ``__reduce__`` would call.
_HOOKS: Final = frozenset(
    (
        "__reduce__",
        "__reduce_ex__",
        "__getstate__",
        "__getnewargs__",
        "__getnewargs_ex__",
        "__getinitargs__",
    )
)


def _reduction(base: type) -> Contents | None:
    """A reader by the C class's own pickling; None when it has none, or one that warns."""
    if class_id(base).startswith("itertools:"):
        return None
    for kind in mro_of(base)[:-1]:
        for name in ("__reduce_ex__", "__reduce__"):
            method = own_dict(kind).get(name)
            if type(method) is MethodDescriptorType:
                return functools.partial(_reduce, method, base)
    return None


def _reduce(method: Any, base: type, value: object) -> list[Any]:
    order = mro_of(type(value))
    if any(not _HOOKS.isdisjoint(own_dict(kind)) for kind in order[: order.index(base)]):
        message = "a subclass changes how it is pickled"
        raise Unreadable(message)
    try:
        parts = method(value, 4) if method.__name__ == "__reduce_ex__" else method(value)
    except Exception as error:  # noqa: BLE001
        raise Unreadable(str(error)) from None
    if isinstance(parts, str):
        return [parts]
    return [*parts[:3], *[None if part is None else list(part) for part in parts[3:5]]]
