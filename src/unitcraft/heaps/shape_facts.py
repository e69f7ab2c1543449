"""What is true of the shape of a heap: conditions that are inferred, and that a person may write.

Each condition takes the receiver and names of fields, which are those of whatever objects have
them.  The objects that it is about are met from the receiver along fields; what a field holds is
an object, None or a list of these.

Invariant: a condition reads fields and stores none; it ends on any heap, and reads no further than
it has to.

Source: DERYAFT, for which conditions are worth asking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, Final

_identity: Final = object.__hash__
_ATOMS: Final = frozenset({type(None), bool, int, float, str, bytes})


def _targets(value: Any, field: str) -> Iterator[Any]:
    """The objects that ``field`` of ``value`` holds."""
    found = getattr(value, field, None)
    if isinstance(found, list):
        yield from (item for item in found if type(item) not in _ATOMS)
    elif type(found) not in _ATOMS:
        yield found


def _met(root: Any, fields: tuple[str, ...]) -> Iterator[tuple[Any, Any]]:
    """(object, the one that it was met from), breadth first, each once."""
    queue, met = [(root, None)], {_identity(root)}
    for value, owner in queue:
        yield value, owner
        for field in fields:
            for other in _targets(value, field):
                if _identity(other) not in met:
                    met.add(_identity(other))
                    queue.append((other, value))


def tree(root: Any, *fields: str) -> bool:
    """Is each object met once: no two fields lead to one, and none leads back?"""
    queue, met = [root], {_identity(root)}
    for value in queue:
        for field in fields:
            for other in _targets(value, field):
                if _identity(other) in met:
                    return False
                met.add(_identity(other))
                queue.append(other)
    return True


def ring(root: Any, entry: str, field: str) -> bool:
    """Does ``field`` lead from ``root.entry`` to itself, each object on the way met once?"""
    head = getattr(root, entry)
    met: set[int] = set()
    value = head
    while value is not None and _identity(value) not in met:
        met.add(_identity(value))
        value = getattr(value, field)
    return value is head and head is not None


def back(root: Any, fields: tuple[str, ...], name: str) -> bool:
    """Does ``name`` lead back to where an object was met from, if that is of the same class?

    Else it leads nowhere: the root of a tree has no parent.
    """
    for value, owner in _met(root, fields):
        if owner is not None and hasattr(value, name):
            found = getattr(value, name)
            if found is not (owner if type(owner) is type(value) else None):
                return False
    return True


def inverse(root: Any, fields: tuple[str, ...], name: str, other: str) -> bool:
    """Does ``other`` lead back from where ``name`` leads to?"""
    for value, _ in _met(root, fields):
        found = getattr(value, name, None)
        if found is not None and getattr(found, other, None) is not value:
            return False
    return True


def inside(root: Any, fields: tuple[str, ...], name: str) -> bool:
    """Does ``name`` lead to objects only that are met along ``fields``?"""
    met = [value for value, _ in _met(root, fields)]
    known = {_identity(value) for value in met}
    return all(_identity(other) in known for value in met for other in _targets(value, name))


def present(root: Any, fields: tuple[str, ...], name: str) -> bool:
    """Is ``name`` never None?"""
    return all(getattr(value, name, root) is not None for value, _ in _met(root, fields))


def together(root: Any, name: str, other: str) -> bool:
    """Are two fields of the receiver None together?"""
    return (getattr(root, name) is None) == (getattr(root, other) is None)


def end(root: Any, entry: str, field: str, name: str) -> bool:
    """Is ``root.name`` the last object from ``root.entry`` along ``field``?"""
    last, met = None, set()
    value = getattr(root, entry)
    while value is not None and _identity(value) not in met:
        met.add(_identity(value))
        last, value = value, getattr(value, field)
    return getattr(root, name) is last


def counted(root: Any, fields: tuple[str, ...], name: str, more: int) -> bool:
    """Is ``root.name`` the number of objects met, the receiver and ``more`` left out?"""
    return bool(getattr(root, name) == sum(1 for _ in _met(root, fields)) - 1 - more)


def measured(root: Any, items: str, name: str, more: int) -> bool:
    """Is ``root.name`` the length of the list ``root.items``, ``more`` left out?"""
    return bool(getattr(root, name) == len(getattr(root, items)) - more)


def at_least(root: Any, fields: tuple[str, ...], name: str, least: int) -> bool:
    """Is ``name`` nowhere below ``least``?"""
    return all(getattr(value, name, least) >= least for value, _ in _met(root, fields))


def rising(root: Any, fields: tuple[str, ...], name: str, key: str) -> bool:
    """Is ``key`` never greater than that of the object that ``name`` leads to?"""
    for value, _ in _met(root, fields):
        found = getattr(value, name, None)
        if found is not None and not getattr(value, key) <= getattr(found, key):
            return False
    return True


def searchable(root: Any, entry: str, left: str, right: str, key: str) -> bool:
    """Is ``key`` greater than all on the left, and less than all on the right?"""
    waiting = [(getattr(root, entry), None, None)]
    met: set[int] = set()
    while waiting:
        value, low, high = waiting.pop()
        if value is None or _identity(value) in met:
            continue
        met.add(_identity(value))
        found = getattr(value, key)
        if (low is not None and not low < found) or (high is not None and not found < high):
            return False
        waiting += [(getattr(value, left), low, found), (getattr(value, right), found, high)]
    return True


def increasing(root: Any, items: str) -> bool:
    """Is no item of the list ``root.items`` greater than the next one?"""
    found = list(getattr(root, items))
    return all(one <= other for one, other in pairwise(found))


#: The conditions by the names under which expressions call them.
FACTS: Final[dict[str, Callable[..., bool]]] = {
    one.__name__: one
    for one in (tree, ring, back, inverse, inside, present, together, end, counted, measured,
                at_least, rising, searchable, increasing)
}  # fmt: skip
