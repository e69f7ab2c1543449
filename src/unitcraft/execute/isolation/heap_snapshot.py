"""Finds the heap of the Subject's modules, to be saved and put back between items.

Invariant: after ``restore`` every container of the snapshot holds the identical objects, in
the same order, as when the snapshot was taken; objects made since are dropped, not
rolled back.

The snapshot follows module namespaces, the classes and functions that the Subject defines
(attributes, mutable defaults, closures), containers, instances of its classes, what a thread
sees of a ``threading.local``, and ``functools`` wrappers.  Limits: state inside C objects other
than those (a held lock, an open file, a generator), in objects of other packages' classes, in
``__bases__`` of a class, and the registry of an ABC are not put back.  Names that begin with
``__unitcraft_`` belong to instrumentation and are left alone.

State belongs to the module through which it was found first.  *Fast* Holders are compared after
each item: the state of the modules in focus.  *Slow* ones are compared after each batch: that of
other modules, containers above ``MAX_FAST_ITEMS``, code of functions, caches.
"""

from __future__ import annotations

import functools
import threading
from abc import ABCMeta
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
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
from typing import Any, Final

from unitcraft.execute.isolation.counters import Counters, CountHolder, ResettableCount
from unitcraft.execute.isolation.holders import (
    Cache,
    CacheHolder,
    CellHolder,
    ClassHolder,
    EmptyHolder,
    FunctionHolder,
    Holder,
    MappingHolder,
    SequenceHolder,
    SlotHolder,
    cache_of_abstract_class,
    cache_of_function,
    namespace,
    patch_holder,
)
from unitcraft.execute.isolation.subject_modules import ModuleNames

#: Objects that one snapshot follows, those of the modules in focus first; a larger heap is saved in
#: part (``truncated``).
MAX_OBJECTS: Final = 20_000

#: Items of a container that is checked after every item; a larger one is checked once per batch.
MAX_FAST_ITEMS: Final = 256

#: Beginning of the names of probes in the Subject's modules.
INSTRUMENTATION: Final = "__unitcraft_"

#: Classes (by identity) whose instances hold no objects that could change.
ATOMS: Final = frozenset(
    map(
        id,
        [
            *(type(None), bool, int, float, complex, str, bytes, type(...), range, CodeType),
            *(BuiltinFunctionType, type(NotImplemented)),
        ],
    )
)

#: Where ``ABCMeta.__new__`` keeps what ``isinstance`` found; a metaclass may do without it.
ABSTRACT_STATE: Final = "_abc_impl"

#: Other packages' classes whose instances are plain records.
RECORDS: Final = ("collections", "types", "dataclasses", "weakref", "_weakrefset")


def mro(kind: type[Any]) -> tuple[type[Any], ...]:
    """The bases of a class, whatever its metaclass pretends."""
    bases: tuple[type[Any], ...] = type.__dict__["__mro__"].__get__(kind)
    return bases


def is_a(kind: type[Any], base: type[Any]) -> bool:
    """Does ``kind`` really derive from ``base``?  Asks no code of the Subject."""
    return base in mro(kind)


class ModuleState:
    """The state that belongs to one module: what becomes its Holders (mutable while it is found).

    ``small`` and ``large`` are the Holders of containers, by size.
    """

    def __init__(self) -> None:
        self.small: list[Holder] = []
        self.large: list[Holder] = []
        self.cells: list[CellType] = []
        self.slots: list[tuple[Any, MemberDescriptorType]] = []
        self.functions: list[FunctionType] = []
        self.empty: list[dict[Any, Any]] = []
        self.cached: list[Cache] = []
        self.counts: list[ResettableCount] = []

    def small_holders(self) -> list[Holder]:
        """The Holders of what is cheap to compare."""
        made: list[Holder] = [*self.small]
        if self.cells:
            made.append(CellHolder(self.cells))
        if self.slots:
            made.append(SlotHolder(self.slots))
        if self.empty:
            made.append(EmptyHolder(self.empty))
        if self.counts:
            made.append(CountHolder(self.counts))
        return made

    def other_holders(self) -> Iterator[tuple[str, Holder]]:
        """(kind, Holder) of what is dear to compare, or seldom changes."""
        for holder in self.large:
            yield "large", holder
        if self.cached:
            yield "caches", CacheHolder(self.cached)
        if self.functions:
            yield "code", FunctionHolder(self.functions)


class HeapWalk:
    """Finds what to save: breadth first from the modules in focus, then from all others.

    Without ``focus`` all modules are in focus.  Abstract state: Holders found (``fast``, and
    ``slow`` with the name of the group to which each belongs), other packages' modules, and
    whether the bound on objects stopped the search (``truncated``).
    """

    def __init__(self, roots: list[Any], subject: Iterable[str], focus: Iterable[str] = ()) -> None:
        self._subject = ModuleNames(subject)
        self._focus = frozenset(focus)
        self._seen: dict[int, Any] = {}
        self._queue: deque[tuple[Any, str]] = deque()
        self._later: list[tuple[Any, str]] = []
        self._states: dict[str, ModuleState] = {}
        self._owner = ""
        self._state = ModuleState()
        self._counters = Counters()
        self.fast: list[Holder] = []
        self.slow: list[tuple[str, Holder]] = []
        self.foreign_modules: list[ModuleType] = []
        self._add(roots)
        self._visit_queued()
        self._focus = frozenset()
        self._queue.extend(self._later)
        self._visit_queued()
        self.truncated = bool(self._queue)
        self._finish(frozenset(focus))

    def _visit_queued(self) -> None:
        while self._queue and len(self._seen) < MAX_OBJECTS:
            thing, self._owner = self._queue.popleft()
            self._state = self._states.setdefault(self._owner, ModuleState())
            self._visit(thing)
            self._state.counts += self._counters.take_new()

    def _add(self, objects: Iterable[Any]) -> None:
        for thing in objects:
            if id(type(thing)) not in ATOMS and id(thing) not in self._seen:
                self._seen[id(thing)] = thing
                owner = self._owner_of(thing)
                waits = self._focus and owner not in self._focus
                (self._later if waits else self._queue).append((thing, owner))

    def _owner_of(self, thing: Any) -> str:
        """The module of the Subject to which ``thing`` belongs: that in which it is defined."""
        kind = type(thing)
        if is_a(kind, ModuleType):
            name = object.__getattribute__(thing, "__dict__").get("__name__")
        elif is_a(kind, type):
            name = type.__getattribute__(thing, "__module__")
        elif kind is FunctionType:
            name = thing.__globals__.get("__name__")
        else:
            return self._owner
        return name if self.is_ours(name) else self._owner

    def _hold(self, holder: Holder, size: int) -> None:
        (self._state.large if size > MAX_FAST_ITEMS else self._state.small).append(holder)

    def is_ours(self, name: Any) -> bool:
        """Is ``name`` a module of the Subject?"""
        return name in self._subject

    def _visit(self, thing: Any) -> None:
        kind = type(thing)
        if is_a(kind, ModuleType):
            self._visit_module(thing)
        elif is_a(kind, type):
            self._visit_class(thing)
        elif is_a(kind, FunctionType):
            self._visit_function(thing)
        elif id(kind) in CONTENTS:
            self._add(CONTENTS[id(kind)](thing))
        elif kind is type(_CACHED_FUNCTION):
            self._state.cached.append(cache_of_function(thing))
            self._add([thing.__wrapped__])
        else:
            self._visit_container(thing, kind)
            self._visit_instance(thing, kind)

    def _visit_module(self, module: ModuleType) -> None:
        if not self.is_ours(module.__name__):
            self.foreign_modules.append(module)
            return
        self._counters.replace_in_mapping(module.__dict__)
        self._state.small.append(MappingHolder(module.__dict__))
        self._add(
            value
            for name, value in module.__dict__.items()
            if name != "__builtins__" and not _is_probe(name)
        )

    def _visit_class(self, cls: type[Any]) -> None:
        if self.is_ours(type.__getattribute__(cls, "__module__")):
            self._counters.replace_in_class(cls, dict(namespace(cls)))
            self._state.small.append(ClassHolder(cls))
            if is_a(type(cls), ABCMeta) and ABSTRACT_STATE in namespace(cls):
                self._state.cached.append(cache_of_abstract_class(cls))
            self._add(namespace(cls).values())

    def _visit_function(self, function: FunctionType) -> None:
        if self.is_ours(function.__module__) or self.is_ours(function.__globals__.get("__name__")):
            self._state.functions.append(function)
            self._add([function.__defaults__, function.__kwdefaults__])
            if function.__dict__:
                self._add([function.__dict__])
            else:
                self._state.empty.append(function.__dict__)
        for cell in function.__closure__ or ():
            if id(cell) not in self._seen:
                self._seen[id(cell)] = cell
                self._visit_cell(cell)

    def _visit_cell(self, cell: CellType) -> None:
        try:
            contents = cell.cell_contents
        except ValueError:  # empty
            return
        self._counters.replace_in_cell(cell)
        self._state.cells.append(cell)
        self._add([contents])

    def _visit_container(self, thing: Any, cls: type[Any]) -> None:
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
                self._counters.replace_in_mapping(thing)
            self._hold(MappingHolder(thing, kind), 2 * dict.__len__(thing))
            self._add(self._keys_and_values(kind, thing))

    @staticmethod
    def _keys_and_values(kind: Any, mapping: Any) -> list[Any]:
        """What ``mapping`` holds, without our probes where it is a copy of a module's names."""
        items = kind.items(mapping)
        return [*kind.keys(mapping), *(value for name, value in items if not _is_probe(name))]

    def _visit_instance(self, thing: Any, kind: type[Any]) -> None:
        home = type.__getattribute__(kind, "__module__")
        is_local = kind is threading.local  # a subclass may run code when a thread first reads it
        if not (self.is_ours(home) or home in RECORDS or is_local):
            return
        for base in mro(kind):
            for slot in namespace(base).values():
                if isinstance(slot, MemberDescriptorType) and slot.__objclass__ is base:
                    self._visit_slot(thing, slot)
        read = threading.local.__getattribute__ if is_local else object.__getattribute__
        try:
            attributes = read(thing, "__dict__")
        except AttributeError:
            return
        if type(attributes) is dict:
            self._add([attributes])

    def _visit_slot(self, thing: Any, slot: MemberDescriptorType) -> None:
        try:
            value = slot.__get__(thing)
        except (AttributeError, TypeError):
            value = None
        self._state.slots.append((thing, slot))
        self._add([value])

    def _finish(self, focus: frozenset[str]) -> None:
        for owner, state in self._states.items():
            if not focus or owner in focus:
                self.fast += state.small_holders()
            else:
                self.slow += [(owner, holder) for holder in state.small_holders()]
            self.slow += [(f"{owner} {kind}", holder) for kind, holder in state.other_holders()]
        for module in self.foreign_modules:
            self.slow.append((f"{module.__name__} names", patch_holder(module)))


def _is_probe(name: Any) -> bool:
    """Is it the name under which rewritten code has a probe?"""
    return type(name) is str and name.startswith(INSTRUMENTATION)


@functools.lru_cache
def _CACHED_FUNCTION() -> None:  # noqa: N802 - only its class is used
    """Is an instance of the class of cached functions."""


#: Mutable sequences and sets, with the method that refills them.
REFILLED: Final[tuple[tuple[type[Any], str], ...]] = (
    (list, "extend"),
    (set, "update"),
    (deque, "extend"),
    (bytearray, "extend"),
)

#: Classes of immutable objects -> the objects that an instance holds.
_CARRIERS: Final[dict[type[Any], Callable[[Any], Iterable[Any]]]] = {
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

#: By identity: a class of the Subject may hash or compare as it likes.
CONTENTS: Final = {id(kind): contents for kind, contents in _CARRIERS.items()}
