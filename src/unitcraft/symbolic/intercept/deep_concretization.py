"""What goes into code that is not followed: values without a proxy left in them.

Invariant: afterwards nothing that ``revealed`` was given holds a proxy, and the trace says of each
that it held which value it was.  Lists, dictionaries, sets and objects stay the objects that
they were: a pinned value may be put in the place of its proxy unseen.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from unitcraft.symbolic.containers import symbolic_keys
from unitcraft.symbolic.proxies.ranges import SymRange
from unitcraft.symbolic.proxies.regex_match import SymMatch
from unitcraft.symbolic.proxies.trace import Proxied, pin

#: Objects that are looked into for one value.
MOST_LOOKS: Final = 20_000
_ATOMS: Final = frozenset(
    {int, float, str, bytes, bool, type(None), FunctionType, BuiltinFunctionType, ModuleType, type}
)


def revealed(value: Any) -> Any:
    """``value`` to hand to code that is not followed."""
    if type(value) in _ATOMS:
        return value
    waiting: list[Any] = []
    result = _swapped(value, waiting)
    met: set[int] = set()
    looked = 0
    while waiting and looked < MOST_LOOKS:
        holder = waiting.pop()
        if id(holder) not in met:
            met.add(id(holder))
            looked += 1
            _clear(holder, waiting)
    return result


def _swapped(value: Any, waiting: list[Any]) -> Any:
    """What stands for ``value``; what can be changed in place goes to ``waiting``."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if issubclass(kind, Proxied):
        return pin(value)
    if kind is SymRange:
        return value.plain()
    if kind is SymMatch:
        return value.plain()
    if issubclass(kind, (tuple, frozenset)):
        return _rebuilt(kind, value, waiting)
    if not issubclass(kind, type):
        waiting.append(value)
    return value


def _rebuilt(kind: type, value: Any, waiting: list[Any]) -> Any:
    base = tuple if issubclass(kind, tuple) else frozenset
    parts = [_swapped(part, waiting) for part in base.__iter__(value)]
    if all(one is other for one, other in zip(parts, base.__iter__(value), strict=True)):
        return value
    return base.__new__(kind, parts)


def _clear(holder: Any, waiting: list[Any]) -> None:
    """Replace the proxies that ``holder`` itself holds."""
    for kind, clear in _CLEAR.items():
        if isinstance(holder, kind):
            clear(holder, waiting)
            break
    space = getattr(holder, "__dict__", None)
    if type(space) is dict:
        _values(space, waiting)
    for member in _slots(type(holder)):
        _member(holder, member, waiting)


def _items(items: Any, waiting: list[Any]) -> None:
    for place, item in enumerate(islice(items, MOST_LOOKS)):
        swapped = _swapped(item, waiting)
        if swapped is not item:
            items[place] = swapped


def _values(table: dict[Any, Any], waiting: list[Any]) -> None:
    pairs = list(islice(dict.items(table), MOST_LOOKS))
    keys = [_swapped(key, waiting) for key, _ in pairs]
    values = [_swapped(value, waiting) for _, value in pairs]
    if any(key is not pair[0] for key, pair in zip(keys, pairs, strict=True)):
        symbolic_keys.quietly(dict.clear, table)
        symbolic_keys.renewed(table)
    for (_, before), key, value in zip(pairs, keys, values, strict=True):
        if value is not before or not symbolic_keys.quietly(dict.__contains__, table, key):
            dict.__setitem__(table, key, value)


def _members(items: set[Any], waiting: list[Any]) -> None:
    before = list(set.__iter__(items))
    parts = [_swapped(part, waiting) for part in before]
    if any(one is not other for one, other in zip(parts, before, strict=True)):
        symbolic_keys.quietly(set.clear, items)
        symbolic_keys.renewed(items)
        set.update(items, parts)


def _arguments(error: BaseException, waiting: list[Any]) -> None:
    args = _swapped(error.args, waiting)
    if args is not error.args:
        error.args = args


def _receiver(method: MethodType, waiting: list[Any]) -> None:
    waiting.append(method.__self__)


_CLEAR: Final[dict[type, Callable[[Any, list[Any]], None]]] = {
    list: _items, collections.deque: _items, dict: _values, set: _members,
    BaseException: _arguments, MethodType: _receiver,
}  # fmt: skip


def _slots(kind: type) -> Iterator[Any]:
    """The descriptors of the slots of ``kind``."""
    for base in kind.__mro__:
        if "__slots__" in vars(base):
            yield from [item for item in vars(base).values() if type(item) is _MEMBER]


_MEMBER: Final = type(SymMatch.term)  # type: ignore[misc]


def _member(holder: Any, member: Any, waiting: list[Any]) -> None:
    try:
        value = member.__get__(holder)
    except AttributeError:
        return
    swapped = _swapped(value, waiting)
    if swapped is not value:
        member.__set__(holder, swapped)
