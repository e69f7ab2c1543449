"""Copies of objects on which ``==`` may be run without touching the originals.

Invariant: copying runs no code of the Subject except ``__hash__`` of set members and keys; a copy
has the classes, fields and sharing of the original, and what cannot be copied so is shared with it
and listed.
"""

from __future__ import annotations

import collections
import enum
import logging
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final

from unitcraft.state.heap.atoms import token_of
from unitcraft.state.heap.object_layout import (
    Hidden,
    dictionary_of,
    mro_of,
    own_dict,
    slots_of,
    solid_base,
)

#: Objects of one copy; a larger heap is not compared with ``==``.
MAX_COPIED: Final = 20_000

#: Flag of classes that a class statement made.
HEAP_TYPE: Final = 1 << 9

#: Classes of C code that have that flag too, from Python 3.12 on.
_CONVERTED: Final = (collections.deque, collections.defaultdict)

#: Classes of objects that the canonical form names, so that they are never copied.
_NAMED: Final = (type, ModuleType, FunctionType, enum.Enum, logging.Logger)


class TooManyObjects(Exception):  # noqa: N818
    """The heap is larger than ``MAX_COPIED``."""


class HeapCopy:
    """A copy of ``root`` (``value``), and what is known of it.

    ``originals`` maps the address of each copied object to its original; ``shared`` lists the
    objects that both have; ``kinds`` are the classes of the copies.  ``made_list`` and
    ``made_dict`` make the copies of lists and dictionaries.  ``is_shared`` says of a class that
    its objects stay the same ones.
    """

    def __init__(
        self,
        root: object,
        is_shared: Callable[[type], bool],
        made_list: Callable[[list[Any]], list[Any]] = lambda _: [],
        made_dict: Callable[[dict[Any, Any]], dict[Any, Any]] = lambda _: {},
    ) -> None:
        self._is_shared = is_shared
        self._made_list = made_list
        self._made_dict = made_dict
        self._copies: dict[int, Any] = {}
        self._waiting: list[Callable[[], None]] = []
        self._last: list[Callable[[], None]] = []
        self.originals: dict[int, Any] = {}
        self.shared: list[Any] = []
        self.kinds: dict[type, None] = {}
        self.value = self._of(root)
        while self._waiting:
            self._waiting.pop()()
        for fill in reversed(self._last):
            fill()

    def _of(self, value: Any) -> Any:
        """The copy of ``value``, perhaps still empty."""
        if token_of(value) is not None:
            return value
        if id(value) in self._copies:
            return self._copies[id(value)]
        if len(self._copies) > MAX_COPIED:
            raise TooManyObjects
        made = self._made(value)
        self._copies[id(value)] = made
        if made is value:
            self.shared.append(value)
        else:
            self.originals[id(made)] = value
            self.kinds[type(value)] = None
        return made

    def _made(self, value: Any) -> Any:
        kind = type(value)
        if isinstance(value, _NAMED) or self._is_shared(kind):
            return value
        if kind is list:
            return self._list(value, self._made_list(value))
        if kind is dict:
            return self._dict(value, self._made_dict(value))
        maker = self._MAKERS.get(_c_base(kind))
        if maker is None:
            return value
        try:
            dictionary = dictionary_of(kind)
        except Hidden:
            return value
        made = maker(self, value)
        if dictionary is not None:
            self._waiting.append(lambda: self._fields(dictionary(value), dictionary(made)))
        for name, getter in slots_of(kind):
            self._slot(kind, name, getter, value, made)
        return made

    def _fields(self, source: dict[str, Any], target: dict[str, Any]) -> None:
        for name, value in source.items():
            target[name] = self._of(value)

    def _slot(self, kind: type, name: str, getter: Any, value: Any, made: Any) -> None:
        try:
            content = getter(value)
        except AttributeError:
            return
        owner = next(
            base
            for base in mro_of(kind)
            if getattr(own_dict(base).get(name), "__get__", 0) == getter
        )
        put = own_dict(owner)[name].__set__
        self._waiting.append(lambda: put(made, self._of(content)))

    # One maker for each base that keeps contents in C.

    def _object(self, value: Any) -> Any:
        return object.__new__(type(value))

    def _list(self, value: Any, made: Any) -> Any:
        self._waiting.append(
            lambda: list.extend(made, [self._of(one) for one in list.__iter__(value)])
        )
        return made

    def _list_kind(self, value: Any) -> Any:
        return self._list(value, list.__new__(type(value)))

    def _dict(self, value: Any, made: Any) -> Any:
        def fill() -> None:
            for key, item in dict.items(value):
                dict.__setitem__(made, self._of(key), self._of(item))

        simple = all(token_of(key) is not None for key in dict.keys(value))
        (self._waiting if simple else self._last).append(fill)
        for item in dict.values(value):
            self._of(item)
        return made

    def _dict_kind(self, value: Any) -> Any:
        made = dict.__new__(type(value))
        if isinstance(value, collections.defaultdict):
            made.default_factory = value.default_factory
        return self._dict(value, made)

    def _ordered(self, value: Any) -> Any:
        made = collections.OrderedDict.__new__(type(value))
        copies = [
            (self._of(key), self._of(dict.__getitem__(value, key)))
            for key in collections.OrderedDict.__iter__(value)
        ]

        def fill() -> None:
            for key, item in copies:
                collections.OrderedDict.__setitem__(made, key, item)

        self._last.append(fill)
        return made

    def _deque(self, value: Any) -> Any:
        made = collections.deque.__new__(type(value))
        collections.deque.__init__(made, (), value.maxlen)
        items = list(collections.deque.__iter__(value))
        self._waiting.append(
            lambda: collections.deque.extend(made, [self._of(one) for one in items])
        )
        return made

    def _set(self, value: Any) -> Any:
        made = set.__new__(type(value))
        members = [self._of(one) for one in set.__iter__(value)]
        self._last.append(lambda: set.update(made, members))
        return made

    def _tuple(self, value: Any) -> Any:
        return tuple.__new__(type(value), [self._of(one) for one in tuple.__iter__(value)])

    def _atom(self, value: Any) -> Any:
        base: Any = _c_base(type(value))
        return base.__new__(type(value), value)

    _MAKERS: Final[dict[type | None, Callable[[Any, Any], Any]]] = {
        None: _object,
        list: _list_kind,
        dict: _dict_kind,
        collections.defaultdict: _dict_kind,
        collections.OrderedDict: _ordered,
        collections.deque: _deque,
        set: _set,
        tuple: _tuple,
        **dict.fromkeys((int, str, float, bytes), _atom),
    }


def _c_base(kind: type) -> type | None:
    """The class of the interpreter that keeps the contents of ``kind``; None when none does."""
    solid = solid_base(kind)
    if solid is None:
        return None
    for base in mro_of(solid):
        if base in _CONVERTED or not base.__flags__ & HEAP_TYPE:
            return base
    return None
