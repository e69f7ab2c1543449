"""``keys()`` and ``items()`` of dictionaries, as rewritten code gets them.

Invariant: a view does what the view of C does, in the same order, and looks keys up in its
dictionary and in the other operand by equality, where C code would hash a symbolic key.

The operators go through their operands in the order of CPython's Objects/dictobject.c.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, ItemsView, Iterator, KeysView
from typing import Any, Final

from unitcraft.symbolic.containers import container_methods, set_methods, symbolic_keys
from unitcraft.symbolic.proxies.trace import concretize, is_instance

_MISSING: Final = object()
_PAIR: Final = 2


class _View:
    """The members that both views have."""

    __slots__ = ()
    _mapping: Any

    def __len__(self) -> int:
        return dict.__len__(self._mapping)

    def __repr__(self) -> str:
        kind = "odict" if isinstance(self._mapping, OrderedDict) else "dict"
        name = type(self).__name__.partition("_")[2]
        return f"{kind}_{name}({[concretize(item) for item in self]})"  # type: ignore[attr-defined]

    @property
    def mapping(self) -> Any:
        """The dictionary, not to be changed."""
        return self._mapping


class Keys(_View, KeysView[Any]):
    """``keys()`` of a dictionary."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return symbolic_keys.builtin_base(self._mapping).__iter__(self._mapping)  # type: ignore[no-any-return]

    def __reversed__(self) -> Iterator[Any]:
        return symbolic_keys.builtin_base(self._mapping).__reversed__(self._mapping)  # type: ignore[no-any-return]

    def __contains__(self, key: object) -> bool:
        return symbolic_keys.contains(self._mapping, key)


class Items(_View, ItemsView[Any, Any]):
    """``items()`` of a dictionary."""

    __slots__ = ()

    def __iter__(self) -> Iterator[Any]:
        return iter(_pairs(self._mapping))

    def __reversed__(self) -> Iterator[Any]:
        return reversed(_pairs(self._mapping))  # type: ignore[no-any-return]

    def __contains__(self, pair: object) -> bool:
        if not is_instance(pair, tuple) or len(pair) != _PAIR:
            return False
        found = container_methods.get(self._mapping, pair[0], _MISSING)
        return found is not _MISSING and (found is pair[1] or bool(found == pair[1]))


def _pairs(table: Any) -> Any:
    if type(table) in symbolic_keys.SYMBOLIC_KEY_CLASSES and isinstance(table, OrderedDict):
        # its iterator looks every key up
        return [
            (key, symbolic_keys.value_of(table, key)) for key in symbolic_keys.stored_keys(table)
        ]
    return symbolic_keys.builtin_base(table).items(table)


def keys(table: Any) -> Keys:
    """``table.keys()``."""
    return Keys(table)


def items(table: Any) -> Items:
    """``table.items()``."""
    return Items(table)


# -- operators ------------------------------------------------------------------------


def _unite(first: Any, second: Any) -> Any:
    made = set_methods.make_set(set, (first,), {})
    set_methods.update_set(made, second)
    return made


def _set_operator(name: str) -> Callable[[Any, Any], Any]:
    """An operator that applies the in-place set method ``name`` to a copy of the first operand."""

    def operate(first: Any, second: Any) -> Any:
        made = set_methods.make_set(set, (first,), {})
        set_methods.SET_METHODS[name](made, second)
        return made

    return operate


def _intersect(first: Any, second: Any) -> Any:
    """``&``: the elements are those of the operand that C code goes through."""
    view, other = (first, second) if is_instance(first, _VIEWS) else (second, first)
    exact = is_instance(other, set) and type(other) in (
        set,
        *symbolic_keys.SYMBOLIC_KEY_CLASSES,
        *symbolic_keys.PLAIN_KEY_CLASSES,
    )
    if exact and len(view) <= len(other):
        return set_methods.SET_METHODS["intersection"](other, view)
    if is_instance(other, _VIEWS) and len(other) > len(view):
        view, other = other, view
    return set_methods.make_set(set, ([item for item in other if item in view],), {})


_VIEWS: Final = (KeysView, ItemsView)


def _swap_operands(operate: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda view, other: operate(other, view)


def _add_operators() -> None:
    for cls, name in ((Keys, "dict_keys"), (Items, "dict_items")):
        cls.__name__ = cls.__qualname__ = name
        for operator, operate in {
            "or": _unite, "and": _intersect, "sub": _set_operator("difference_update"),
            "xor": _set_operator("symmetric_difference_update"),
        }.items():  # fmt: skip
            setattr(cls, f"__{operator}__", operate)
            setattr(cls, f"__r{operator}__", _swap_operands(operate))
    container_methods.DICT_METHODS.update({"keys": keys, "items": items})


_add_operators()
