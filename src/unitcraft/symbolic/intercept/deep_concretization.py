"""Concretizes everything reachable from a value, before code that is not followed gets it.

Invariant: afterwards no object reachable from the value holds a proxy, and the trace has an event
with the value of each proxy that was replaced.  Lists, dictionaries, sets and objects keep their
identity: a concretized value replaces its proxy in place.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator
from itertools import islice
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from unitcraft.symbolic.containers import symbolic_keys
from unitcraft.symbolic.proxies.moments import SymMoment, SymSpan
from unitcraft.symbolic.proxies.ranges import SymRange
from unitcraft.symbolic.proxies.regex_match import SymMatch
from unitcraft.symbolic.proxies.trace import Proxied, concretize

#: Objects that are searched for proxies for one value, and items of one list or dictionary.
MAX_OBJECTS: Final = 20_000
#: Objects that are no proxies of atoms and know where they came from.
_FOLLOWED: Final = frozenset({SymRange, SymMatch, SymMoment, SymSpan})
_ATOMS: Final = frozenset(
    {int, float, str, bytes, bool, type(None), FunctionType, BuiltinFunctionType, ModuleType, type}
)


def concretize_deeply(value: Any) -> Any:
    """``value`` without a proxy in it, to hand to code that is not followed."""
    if type(value) in _ATOMS:
        return value
    waiting: list[Any] = []
    result = _replacement(value, waiting)
    met: set[int] = set()
    looked = 0
    while waiting and looked < MAX_OBJECTS:
        holder = waiting.pop()
        if id(holder) not in met:
            met.add(id(holder))
            looked += 1
            _clear_object(holder, waiting)
    return result


def call_concretely(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call with plain values; proxies deeper in the arguments are concretized in place."""
    known = [concretize_deeply(arg) for arg in args]
    return function(*known, **{key: concretize_deeply(value) for key, value in kwargs.items()})


def _replacement(value: Any, waiting: list[Any]) -> Any:
    """``value`` without proxies; an object that is changed in place is added to ``waiting``."""
    kind = type(value)
    if kind in _ATOMS:
        return value
    if issubclass(kind, Proxied):
        return concretize(value)
    if kind in _FOLLOWED:
        return value.concretized()
    if issubclass(kind, (tuple, frozenset)):
        return _rebuild(kind, value, waiting)
    if not issubclass(kind, type):
        waiting.append(value)
    return value


def _rebuild(kind: type, value: Any, waiting: list[Any]) -> Any:
    base = tuple if issubclass(kind, tuple) else frozenset
    parts = [_replacement(part, waiting) for part in base.__iter__(value)]
    if all(one is other for one, other in zip(parts, base.__iter__(value), strict=True)):
        return value
    return base.__new__(kind, parts)


def _clear_object(holder: Any, waiting: list[Any]) -> None:
    """Replace the proxies that ``holder`` itself holds."""
    for kind, clear in _CLEAR.items():
        if isinstance(holder, kind):
            clear(holder, waiting)
            break
    space = getattr(holder, "__dict__", None)
    if type(space) is dict:
        _clear_dict(space, waiting)
    for member in _slots(type(holder)):
        _clear_slot(holder, member, waiting)


def _clear_list(items: Any, waiting: list[Any]) -> None:
    for place, item in enumerate(islice(items, MAX_OBJECTS)):
        swapped = _replacement(item, waiting)
        if swapped is not item:
            items[place] = swapped


def _clear_dict(table: dict[Any, Any], waiting: list[Any]) -> None:
    if type(table) in symbolic_keys.SETTLERS:
        symbolic_keys.SETTLERS[type(table)](table)
    pairs = list(islice(dict.items(table), MAX_OBJECTS))
    keys = [_replacement(key, waiting) for key, _ in pairs]
    values = [_replacement(value, waiting) for _, value in pairs]
    if any(key is not pair[0] for key, pair in zip(keys, pairs, strict=True)):
        symbolic_keys.without_recording(dict.clear, table)
        symbolic_keys.renew(table)
    for (_, before), key, value in zip(pairs, keys, values, strict=True):
        if value is not before or not symbolic_keys.without_recording(
            dict.__contains__, table, key
        ):
            dict.__setitem__(table, key, value)


def _clear_set(items: set[Any], waiting: list[Any]) -> None:
    before = list(set.__iter__(items))
    parts = [_replacement(part, waiting) for part in before]
    if any(one is not other for one, other in zip(parts, before, strict=True)):
        symbolic_keys.without_recording(set.clear, items)
        symbolic_keys.renew(items)
        set.update(items, parts)


def _clear_exception(error: BaseException, waiting: list[Any]) -> None:
    args = _replacement(error.args, waiting)
    if args is not error.args:
        error.args = args


def _clear_method(method: MethodType, waiting: list[Any]) -> None:
    waiting.append(method.__self__)


_CLEAR: Final[dict[type, Callable[[Any, list[Any]], None]]] = {
    list: _clear_list, collections.deque: _clear_list, dict: _clear_dict, set: _clear_set,
    BaseException: _clear_exception, MethodType: _clear_method,
}  # fmt: skip


def _slots(kind: type) -> Iterator[Any]:
    """The descriptors of the slots of ``kind``."""
    for base in kind.__mro__:
        if "__slots__" in vars(base):
            yield from [item for item in vars(base).values() if type(item) is _MEMBER]


_MEMBER: Final = type(SymMatch.term)  # type: ignore[misc]


def _clear_slot(holder: Any, member: Any, waiting: list[Any]) -> None:
    try:
        value = member.__get__(holder)
    except AttributeError:
        return
    swapped = _replacement(value, waiting)
    if swapped is not value:
        member.__set__(holder, swapped)
