"""Holders: places that hold objects (a dict, a class, a cell), which can be restored in place.

Invariant: a Holder is restored in place through the methods of the builtin kind, so that no
code of the Subject runs and every other reference to the container sees the old contents.
"""

from __future__ import annotations

import _abc  # type: ignore[import-not-found]  # of CPython, as ``abc`` itself uses it
import functools
from collections.abc import Callable, Iterable, Iterator
from gc import get_referents
from operator import attrgetter
from types import CellType, FunctionType, MappingProxyType, MemberDescriptorType, ModuleType
from typing import Any, Final, Protocol

#: The saved value of an unset slot.
UNSET: Final = object()

#: How much a cache was used, and what empties it: see ``CacheHolder``.
Cache = tuple[Callable[[], tuple[int, int]], Callable[[], object]]

#: Reads a closure cell.
CELL_CONTENTS: Final = attrgetter("cell_contents")


def namespace(kind: type[Any]) -> MappingProxyType[str, Any]:
    """The attributes of a class itself, live, whatever its metaclass pretends."""
    found: MappingProxyType[str, Any] = type.__dict__["__dict__"].__get__(kind)
    return found


class Holder(Protocol):
    """A place that holds objects, with the objects that it held when it was made."""

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
        """Live iterables over what it holds."""
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
        """Live iterables over what it holds."""
        return (LiveView(self._iterate),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        self._clear()
        self._refill(self._items)
        return True


class ClassHolder:
    """The namespace of a class."""

    def __init__(self, target: type[Any]) -> None:
        self._target = target
        self._items = dict(namespace(target))

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""
        names = namespace(self._target)
        return (names.keys(), names.values())

    def restore(self) -> bool:
        """Put the saved objects back."""
        now = dict(namespace(self._target))
        try:
            for name in now:
                if name not in self._items:
                    type.__delattr__(self._target, name)
            for name, value in self._items.items():
                if name not in now or now[name] is not value:
                    type.__setattr__(self._target, name, value)
        except (TypeError, AttributeError):
            return False
        if list(namespace(self._target)) != list(self._items):
            self._reorder()
        return True

    def _reorder(self) -> None:
        """Have the attributes in their saved order; one that was deleted and set again is last.

        No attribute changes, so that what the interpreter has cached of the class stays true.
        """
        (live,) = get_referents(namespace(self._target))
        for name in self._items:
            live[name] = live.pop(name)


class CellHolder:
    """The contents of closure cells."""

    def __init__(self, cells: list[CellType]) -> None:
        self._cells = cells
        self._items = [cell.cell_contents for cell in cells]

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""
        return (LiveView(lambda: map(CELL_CONTENTS, self._cells)),)

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
                yield UNSET

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""
        return (LiveView(self._read),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for (owner, slot), value in zip(self._slots, self._items, strict=True):
            try:
                slot.__delete__(owner) if value is UNSET else slot.__set__(owner, value)
            except AttributeError:
                continue
        return True


class FunctionHolder:
    """What functions are made of: code, defaults, names, dictionary.

    All are compared by what the garbage collector sees of them, in a sixth of the time that it
    takes to read eight attributes of each.
    """

    #: What can be set; ``functools.update_wrapper`` sets most of it.
    ATTRIBUTES: Final = (
        *("__code__", "__defaults__", "__kwdefaults__", "__dict__"),
        *("__module__", "__name__", "__qualname__", "__doc__", "__annotations__"),
    )

    def __init__(self, functions: list[FunctionType]) -> None:
        self._functions = functions
        self._items = list(map(attrgetter(*self.ATTRIBUTES), functions))

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""
        return (LiveView(lambda: iter(get_referents(*self._functions))),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for function, values in zip(self._functions, self._items, strict=True):
            for name, value in zip(self.ATTRIBUTES, values, strict=True):
                if getattr(function, name) is not value:
                    setattr(function, name, value)
        return True


class EmptyHolder:
    """Dicts that were empty, such as the ``__dict__`` of most functions."""

    def __init__(self, dicts: list[dict[Any, Any]]) -> None:
        self._dicts = dicts

    def views(self) -> tuple[Iterable[Any], ...]:
        """Live iterables over what it holds."""
        return (LiveView(lambda: map(len, self._dicts)),)

    def restore(self) -> bool:
        """Put the saved objects back."""
        for target in self._dicts:
            target.clear()
        return True


class NamesHolder:
    """Named attributes of a module."""

    def __init__(self, namespace: dict[str, Any], names: Iterable[str]) -> None:
        self._namespace = namespace
        self._items = {name: namespace[name] for name in names if name in namespace}

    def views(self) -> tuple[Iterable[Any], ...]:
        """The values now."""
        return (LiveView(lambda: map(self._namespace.get, self._items)),)

    def restore(self) -> bool:
        """Assign the saved values."""
        self._namespace.update(self._items)
        return True


def patch_holder(module: ModuleType) -> NamesHolder:
    """The public functions, classes and modules in another module, by name."""
    found = [
        name
        for name, value in module.__dict__.items()
        if not name.startswith("_") and (callable(value) or isinstance(value, ModuleType))
    ]
    return NamesHolder(module.__dict__, found)


class CacheHolder:
    """Caches: those of ``functools.lru_cache`` wrappers, and what abstract classes remember.

    A cache has a pair of functions: one that says how much it was used, ``(0, 0)`` when it was
    emptied, and one that empties it.  What the import put into a cache stays there until the cache
    is used; then it is emptied for good, as entries that were dropped cannot be put back.
    """

    def __init__(self, caches: list[Cache]) -> None:
        self._caches = caches
        self._uses = [uses() for uses, _ in caches]

    def _read(self) -> Iterator[bool]:
        for (uses, _), before in zip(self._caches, self._uses, strict=True):
            yield uses() == before

    def views(self) -> tuple[Iterable[Any], ...]:
        """Whether each cache is unused."""
        return (LiveView(self._read),)

    def restore(self) -> bool:
        """Empty all caches."""
        for _, clear in self._caches:
            clear()
        self._uses = [(0, 0)] * len(self._caches)
        return True


def cache_of_function(wrapper: Any) -> Cache:
    """The cache of a ``functools.lru_cache`` wrapper: its uses are hits and misses."""
    kind = type(wrapper)
    info = kind.cache_info.__get__(wrapper)
    return lambda: info()[:2], kind.cache_clear.__get__(wrapper)


def cache_of_abstract_class(cls: type[Any]) -> Cache:
    """Which classes ``isinstance`` found to be, and not to be, subclasses of ``cls``.

    While they are remembered ``__subclasshook__`` does not run.
    """

    def uses() -> tuple[int, int]:
        _registry, found, refused, _version = _abc._get_dump(cls)  # noqa: SLF001
        return len(found), len(refused)

    return uses, functools.partial(_abc._reset_caches, cls)  # noqa: SLF001


class LiveView:
    """An iterable that makes a new iterator each time."""

    def __init__(self, make: Callable[[], Iterator[Any]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Any]:
        return self._make()
