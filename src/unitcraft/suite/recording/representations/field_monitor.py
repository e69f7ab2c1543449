"""Monitors which fields and elements of copied objects a comparison reads.

Invariant: whatever a comparison reads of a watched copy is in the ReadLog; parts that cannot be
distinguished (iteration by C code, a whole dictionary) count as read.  Classes are restored when
``monitor_reads`` is left.

Source: MUTUAL, slides on "this.equals(this)" and call depth: fields of ``this`` and of the objects
that it refers to, in the methods that ``==`` calls as well; of arrays the elements that were
accessed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from unitcraft.state.heap.object_layout import mro_of, own_dict

#: The part of a list that is its length.
LENGTH: Final = "length of the list"
#: All parts of an object.
EVERYTHING: Final = "everything"


class ReadLog:
    """For each original object, by address, the parts that were read of any of its copies."""

    def __init__(self) -> None:
        self.parts: dict[int, dict[Any, None]] = {}
        self.owners: dict[int, int] = {}

    def watch(self, originals: dict[int, Any]) -> None:
        """Log the reads of these copies (address -> original)."""
        for address, original in originals.items():
            self.owners[address] = id(original)

    def read(self, copy: object, part: Any) -> None:
        """A part of a copy was read."""
        owner = self.owners.get(id(copy))
        if owner is not None:
            self.parts.setdefault(owner, {})[part] = None


class WatchedList(list):  # type: ignore[type-arg]
    """A list that logs the elements that are read (mutable, as lists are)."""

    __slots__ = ("log",)
    __hash__ = None
    log: ReadLog

    def __getitem__(self, index: Any) -> Any:
        """The element or slice, logged element by element."""
        if isinstance(index, slice):
            self.log.read(self, LENGTH)
            return [self[place] for place in range(*index.indices(list.__len__(self)))]
        place = index.__index__()
        length = list.__len__(self)
        if not -length <= place < length:
            self.log.read(self, LENGTH)
        elif place < 0:
            self.log.read(self, LENGTH)
            place += length
        self.log.read(self, place)
        return list.__getitem__(self, place)

    def __len__(self) -> int:
        """The length, logged."""
        self.log.read(self, LENGTH)
        return list.__len__(self)

    def __iter__(self) -> Iterator[Any]:
        """The elements as they are taken."""
        for place, value in enumerate(list.__iter__(self)):
            self.log.read(self, place)
            yield value
        self.log.read(self, LENGTH)

    def __eq__(self, other: object) -> bool:
        """Compare as lists do: lengths first, then the elements up to the first difference."""
        if not isinstance(other, list):
            return NotImplemented
        if len(self) != len(other):
            return False
        pairs = zip(iter(self), iter(other), strict=False)
        return all(mine is theirs or mine == theirs for mine, theirs in pairs)

    def __ne__(self, other: object) -> bool:
        """The contrary of ``==``."""
        result = self.__eq__(other)
        return result if result is NotImplemented else not result


class WatchedDict(dict):  # type: ignore[type-arg]
    """A dictionary that logs the keys that are looked up (mutable, as dictionaries are)."""

    __slots__ = ("log",)
    log: ReadLog

    def __getitem__(self, key: Any) -> Any:
        """The value of a key."""
        self.log.read(self, ("key", key))
        return dict.__getitem__(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """The value of a key, or the default."""
        self.log.read(self, ("key", key))
        return dict.get(self, key, default)

    def __contains__(self, key: object) -> bool:
        """Is the key there?"""
        self.log.read(self, ("key", key))
        return dict.__contains__(self, key)


def _reads_everything(base: type, name: str) -> Any:
    original = getattr(base, name)

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.log.read(self, EVERYTHING)
        return original(self, *args, **kwargs)

    return method


def _complete(kind: type, base: type) -> None:
    """Every other method of ``base`` reads everything."""
    basic = {"__class__", "__new__", "__init__", "__setattr__", "__delattr__", "__getattribute__"}
    basic |= {"__init_subclass__", "__subclasshook__", "__class_getitem__", "__hash__", "__doc__"}
    basic |= {"__getstate__", "__dir__", "__sizeof__", "append", "extend", "__setitem__"}
    for name in dir(base):
        if name not in own_dict(kind) and name not in basic:
            type.__setattr__(kind, name, _reads_everything(base, name))


_complete(WatchedList, list)
_complete(WatchedDict, dict)


def watched_list(log: ReadLog) -> Any:
    """A maker of empty watched lists."""

    def made(_original: list[Any]) -> WatchedList:
        value = WatchedList()
        value.log = log
        return value

    return made


def watched_dict(log: ReadLog) -> Any:
    """A maker of empty watched dictionaries."""

    def made(_original: dict[Any, Any]) -> WatchedDict:
        value = WatchedDict()
        value.log = log
        return value

    return made


@contextmanager
def monitor_reads(kinds: Iterable[type], log: ReadLog) -> Iterator[None]:
    """Log the attributes that are read of copies, while the block runs."""
    replaced: list[tuple[type, Any]] = []
    for kind in kinds:
        if kind in (list, dict, tuple, set) or not _is_mutable(kind):
            continue
        own = own_dict(kind).get("__getattribute__")
        type.__setattr__(kind, "__getattribute__", _logging(_inherited(kind), log))
        replaced.append((kind, own))
    try:
        yield
    finally:
        for kind, own in replaced:
            if own is None:
                type.__delattr__(kind, "__getattribute__")
            else:
                type.__setattr__(kind, "__getattribute__", own)


def _logging(original: Any, log: ReadLog) -> Any:
    owners, parts = log.owners, log.parts

    def get_attribute(self: Any, name: str) -> Any:
        owner = owners.get(id(self))
        if owner is not None:
            parts.setdefault(owner, {})[name] = None
        return original(self, name)

    return get_attribute


def _inherited(kind: type) -> Any:
    for base in mro_of(kind):
        if "__getattribute__" in own_dict(base):
            return own_dict(base)["__getattribute__"]
    return object.__getattribute__


def _is_mutable(kind: type) -> bool:
    """Can attributes of the class be set?"""
    return bool(kind.__flags__ & 1 << 9) and not kind.__flags__ & 1 << 8
