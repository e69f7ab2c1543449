"""What a Subject's modules hold between items, and how to put it back in place.

Invariant: after ``restore`` every container of the snapshot holds the identical objects, in
the same order, as when the snapshot was taken; objects made since are forgotten, never
rolled back.

The snapshot follows module namespaces, the classes and functions that the Subject defines
(attributes, mutable defaults, closures), containers, instances of its classes, and
``functools`` wrappers.  Limits: state inside C objects other than those (a held lock, an open
file, a generator), in objects of other packages' classes, in ``__bases__`` of a class, and
the registry of an ABC are not put back.  Names that begin with ``__unitcraft_`` belong
to instrumentation and are left alone.

The check is one C pipeline over all containers, about 20 ns for each object held.  Containers
above ``LARGE`` and namespaces of other modules are *slow*: checked once per batch.
"""

from __future__ import annotations

import functools
import itertools
from bisect import bisect_right
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter, is_, is_not
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)
from typing import Any, Final, Protocol

from unitcraft.execute.rebind import Counters

#: Objects that one snapshot follows.
MOST_OBJECTS: Final = 20_000

#: Containers above this many items are checked once per batch.
LARGE: Final = 256

#: Names of probes in the Subject's modules.
INSTRUMENTATION: Final = "__unitcraft_"

#: Ends each container in the flat comparison, so that items cannot slide into the next one.
MARK: Final = (object(),)

ATOMS: Final = frozenset(
    {
        type(None), bool, int, float, complex, str, bytes, type(...), range, CodeType,
        BuiltinFunctionType, type(NotImplemented),
    }
)  # fmt: skip

#: Other packages' classes whose instances are plain records.
RECORDS: Final = ("collections", "types", "dataclasses")

CELL_CONTENTS: Final = attrgetter("cell_contents")


class Holder(Protocol):
    """A place that holds objects: what it holds now, and how to make it hold the saved ones."""

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""

    def restore(self) -> bool:
        """Put the saved objects back; False if that was not possible."""


class MappingHolder:
    """A dict (or subclass, through the methods of ``kind``)."""

    def __init__(self, target: Any, kind: type[Any] = dict) -> None:
        self._target = target
        self._kind = kind
        self._items = list(kind.items(target))

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (self._kind.keys(self._target), self._kind.values(self._target))

    def restore(self) -> bool:
        """Put the saved objects back."""
        self._kind.clear(self._target)
        for key, value in self._items:
            self._kind.__setitem__(self._target, key, value)
        return True


class SequenceHolder:
    """A list, deque, set or bytearray, refilled by the named method of ``kind``.

    A set is refilled once at the start: its order afterwards is that of every later refill.
    """

    def __init__(self, target: Any, kind: type[Any], refill: str) -> None:
        self._target = target
        self._clear = functools.partial(kind.clear, target)
        self._refill = functools.partial(getattr(kind, refill), target)
        self._iterate = functools.partial(kind.__iter__, target)
        self._items = (set if kind is set else list)(self._iterate())
        if kind is set:
            self.restore()

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(self._iterate),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        self._clear()
        self._refill(self._items)
        return True


class ClassHolder:
    """The namespace of a class."""

    def __init__(self, target: type[Any]) -> None:
        self._target = target
        self._items = dict(vars(target))

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        names = type.__dict__["__dict__"].__get__(self._target)
        return (names.keys(), names.values())

    def restore(self) -> bool:
        """Put the saved objects back."""
        now = dict(type.__dict__["__dict__"].__get__(self._target))
        try:
            for name in now:
                if name not in self._items:
                    type.__delattr__(self._target, name)
            for name, value in self._items.items():
                if name not in now or now[name] is not value:
                    type.__setattr__(self._target, name, value)
        except (TypeError, AttributeError):
            return False
        return list(vars(self._target)) == list(self._items)


class CellHolder:
    """The contents of closure cells."""

    def __init__(self, cells: list[CellType]) -> None:
        self._cells = cells
        self._items = [cell.cell_contents for cell in cells]

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(lambda: map(CELL_CONTENTS, self._cells)),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for cell, value in zip(self._cells, self._items, strict=True):
            cell.cell_contents = value
        return True


class SlotHolder:
    """The slots of instances: (instance, descriptor) pairs."""

    def __init__(self, slots: list[tuple[Any, MemberDescriptorType]]) -> None:
        self._slots = slots
        self._items = list(self._read())

    def _read(self) -> Iterator[Any]:
        for owner, slot in self._slots:
            try:
                yield slot.__get__(owner)
            except AttributeError:
                yield MARK

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(self._read),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for (owner, slot), value in zip(self._slots, self._items, strict=True):
            try:
                slot.__delete__(owner) if value is MARK else slot.__set__(owner, value)
            except AttributeError:
                continue
        return True


class AttributeHolder:
    """Attributes of C-level objects, such as a function's code: (owner, name) pairs."""

    def __init__(self, owners: list[Any], name: str) -> None:
        self._owners = owners
        self._name = name
        self._get = attrgetter(name)
        self._items = list(map(self._get, owners))

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(lambda: map(self._get, self._owners)),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for owner, value in zip(self._owners, self._items, strict=True):
            if self._get(owner) is not value:
                setattr(owner, self._name, value)
        return True


class EmptyHolder:
    """Dicts that were empty, such as the attributes of most functions."""

    def __init__(self, dicts: list[dict[Any, Any]]) -> None:
        self._dicts = dicts

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(lambda: map(len, self._dicts)),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for target in self._dicts:
            target.clear()
        return True


class PatchHolder:
    """What another module offers publicly: functions, classes and modules by name."""

    def __init__(self, module: ModuleType) -> None:
        self._namespace = module.__dict__
        self._items = {
            name: value
            for name, value in self._namespace.items()
            if not name.startswith("_") and (callable(value) or isinstance(value, ModuleType))
        }

    def views(self) -> tuple[Iterable[Any], ...]:
        """What it holds now."""
        return (_Lazy(lambda: map(self._namespace.get, self._items)),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        self._namespace.update(self._items)
        return True


class _Lazy:
    """An iterable that asks anew each time."""

    def __init__(self, make: Callable[[], Iterator[Any]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Any]:
        return self._make()


class Snapshot:
    """Holders and what they held, flat.

    Abstract state: a list of (Holder, objects).  Invariant: ``_expected[_starts[i]:]`` begins
    with what Holder ``i`` held, each view closed by ``MARK``.
    """

    def __init__(self, holders: Iterable[Holder]) -> None:
        self._holders = list(holders)
        self._views: list[Iterable[Any]] = []
        self._first_view: list[int] = []
        self._starts: list[int] = []
        self._expected: list[Any] = []
        for holder in self._holders:
            self._first_view.append(len(self._views))
            self._starts.append(len(self._expected))
            for view in holder.views():
                self._views += [view, MARK]
                self._expected += [*view, *MARK]
        self._flat = itertools.chain.from_iterable

    def __len__(self) -> int:
        return len(self._expected)

    def is_clean(self) -> bool:
        """Does every Holder hold what it held?"""
        try:
            return all(map(is_, self._flat(self._views), self._expected))
        except Exception:  # noqa: BLE001 - an emptied cell or a hostile container
            return False

    def restore(self) -> bool:
        """Put everything back; False if something could not be."""
        number, complete = 0, True
        while number < len(self._holders):
            number = self._first_dirty(number)
            if number < len(self._holders):
                complete = self._holders[number].restore() and complete
            number += 1
        return complete and self.is_clean()

    def _first_dirty(self, begin: int) -> int:
        """The first Holder from ``begin`` on that changed; their number if none did."""
        start = self._starts[begin]
        found = self._flat(self._views[self._first_view[begin] :])
        saved = itertools.islice(self._expected, start, None)
        position = start
        try:
            for differs in map(is_not, found, saved):
                if differs:
                    return bisect_right(self._starts, position) - 1
                position += 1
        except Exception:  # noqa: BLE001
            return bisect_right(self._starts, min(position, len(self._expected) - 1)) - 1
        return len(self._holders)


def mro(kind: type[Any]) -> tuple[type[Any], ...]:
    """The bases of a class, whatever its metaclass pretends."""
    bases: tuple[type[Any], ...] = type.__dict__["__mro__"].__get__(kind)
    return bases


def is_a(kind: type[Any], base: type[Any]) -> bool:
    """Does ``kind`` really derive from ``base``?  Asks no code of the Subject."""
    return base in mro(kind)


class Walk:
    """Finds what to save, breadth first from the Subject's modules.

    Abstract state: Holders found so far (``fast`` and ``slow``), wrappers with a cache to
    clear, and whether the bound on objects stopped it (``truncated``).
    """

    def __init__(self, modules: list[ModuleType], prefixes: tuple[str, ...]) -> None:
        self._prefixes = prefixes
        self._seen: dict[int, Any] = {}
        self._queue: deque[Any] = deque()
        self._cells: list[CellType] = []
        self._slots: list[tuple[Any, MemberDescriptorType]] = []
        self._functions: list[FunctionType] = []
        self._empty: list[dict[Any, Any]] = []
        self.fast: list[Holder] = []
        self.slow: list[Holder] = []
        self.caches: list[Callable[[], None]] = []
        self.counters = Counters()
        self.borrowed: list[ModuleType] = []
        self._add(modules)
        while self._queue and len(self._seen) < MOST_OBJECTS:
            self._visit(self._queue.popleft())
        self.truncated = bool(self._queue)
        self._finish()

    def _add(self, objects: Iterable[Any]) -> None:
        for thing in objects:
            if type(thing) not in ATOMS and id(thing) not in self._seen:
                self._seen[id(thing)] = thing
                self._queue.append(thing)

    def _hold(self, holder: Holder, size: int) -> None:
        (self.slow if size > LARGE else self.fast).append(holder)

    def is_ours(self, name: Any) -> bool:
        """Is ``name`` a module of the Subject?"""
        return isinstance(name, str) and any(
            name == prefix or name.startswith(prefix + ".") for prefix in self._prefixes
        )

    def _visit(self, thing: Any) -> None:
        kind = type(thing)
        if is_a(kind, ModuleType):
            self._module(thing)
        elif is_a(kind, type):
            self._class(thing)
        elif is_a(kind, FunctionType):
            self._function(thing)
        elif kind in CONTENTS:
            self._add(CONTENTS[kind](thing))
        elif kind is type(_PROBE):
            self.caches.append(kind.cache_clear.__get__(thing))
            self._add([thing.__wrapped__])
        else:
            self._container(thing, kind)
            self._instance(thing, kind)

    def _module(self, module: ModuleType) -> None:
        if not self.is_ours(module.__name__):
            self.borrowed.append(module)
            return
        self.counters.settle_mapping(module.__dict__)
        self.fast.append(MappingHolder(module.__dict__))
        self._add(
            value
            for name, value in module.__dict__.items()
            if name != "__builtins__" and not name.startswith(INSTRUMENTATION)
        )

    def _class(self, cls: type[Any]) -> None:
        if self.is_ours(type.__getattribute__(cls, "__module__")):
            self.counters.settle_class(cls, dict(vars(cls)))
            self.fast.append(ClassHolder(cls))
            self._add(type.__dict__["__dict__"].__get__(cls).values())

    def _function(self, function: FunctionType) -> None:
        if self.is_ours(function.__module__) or self.is_ours(function.__globals__.get("__name__")):
            self._functions.append(function)
            self._add([function.__defaults__, function.__kwdefaults__])
            if function.__dict__:
                self._add([function.__dict__])
            else:
                self._empty.append(function.__dict__)
        for cell in function.__closure__ or ():
            if id(cell) not in self._seen:
                self._seen[id(cell)] = cell
                self._cell(cell)

    def _cell(self, cell: CellType) -> None:
        try:
            contents = cell.cell_contents
        except ValueError:  # empty
            return
        self.counters.settle_cell(cell)
        self._cells.append(cell)
        self._add([contents])

    def _container(self, thing: Any, cls: type[Any]) -> None:
        if is_a(cls, tuple):
            self._add(tuple.__iter__(thing))
        for kind, refill in REFILLED:
            if is_a(cls, kind):
                self._hold(SequenceHolder(thing, kind, refill), kind.__len__(thing))
                if kind is not bytearray:
                    self._add(kind.__iter__(thing))
                return
        kind = OrderedDict if is_a(cls, OrderedDict) else dict
        if is_a(cls, kind):
            if type(thing) is dict:
                self.counters.settle_mapping(thing)
            self._hold(MappingHolder(thing, kind), 2 * dict.__len__(thing))
            self._add(self._both(kind, thing))

    @staticmethod
    def _both(kind: Any, mapping: Any) -> list[Any]:
        return [*kind.keys(mapping), *kind.values(mapping)]

    def _instance(self, thing: Any, kind: type[Any]) -> None:
        if not (self.is_ours(kind.__module__) or kind.__module__ in RECORDS):
            return
        for base in mro(kind):
            for slot in type.__dict__["__dict__"].__get__(base).values():
                if isinstance(slot, MemberDescriptorType) and slot.__objclass__ is base:
                    self._slot(thing, slot)
        try:
            attributes = object.__getattribute__(thing, "__dict__")
        except AttributeError:
            return
        if type(attributes) is dict:
            self._add([attributes])

    def _slot(self, thing: Any, slot: MemberDescriptorType) -> None:
        try:
            value = slot.__get__(thing)
        except (AttributeError, TypeError):
            value = None
        self._slots.append((thing, slot))
        self._add([value])

    def _finish(self) -> None:
        if self._cells:
            self.fast.append(CellHolder(self._cells))
        if self._slots:
            self.fast.append(SlotHolder(self._slots))
        if self._empty:
            self.fast.append(EmptyHolder(self._empty))
        for name in ("__code__", "__defaults__", "__kwdefaults__"):
            self.slow.append(AttributeHolder(self._functions, name))
        self.slow += [PatchHolder(module) for module in self.borrowed]


@functools.lru_cache
def _PROBE() -> None:  # noqa: N802 - its class is what matters
    """Has the class of a cached function."""


REFILLED: Final[tuple[tuple[type[Any], str], ...]] = (
    (list, "extend"),
    (set, "update"),
    (deque, "extend"),
    (bytearray, "extend"),
)

#: Immutable carriers: class -> the objects behind it.
CONTENTS: Final[dict[type[Any], Callable[[Any], Iterable[Any]]]] = {
    tuple: tuple.__iter__,
    frozenset: frozenset.__iter__,
    MappingProxyType: lambda proxy: list(proxy.values()),
    MethodType: lambda method: (method.__self__, method.__func__),
    staticmethod: lambda wrapper: (wrapper.__func__,),
    classmethod: lambda wrapper: (wrapper.__func__,),
    property: lambda wrapper: (wrapper.fget, wrapper.fset, wrapper.fdel),
    functools.partial: lambda call: (call.func, call.args, call.keywords),
    functools.cached_property: lambda wrapper: (wrapper.func,),
    functools.partialmethod: lambda call: (call.func, call.args, call.keywords),
}
