"""Methods and constructors of sets whose elements, or the elements of an operand, may be proxies.

Invariant: a set ends up as the plain operation would leave it; an element that is a proxy is
compared with the stored elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from unitcraft.symbolic.containers import symbolic_keys
from unitcraft.symbolic.proxies.trace import concrete_value, concretize, is_instance, is_symbolic


def copy_set(table: Any) -> Any:
    """``table.copy()``."""
    kind: Any = type(table)
    made = kind.__new__(kind)
    symbolic_keys.without_recording(set.update, made, table)
    return symbolic_keys.renew(made, symbolic_keys.stored_keys(table))


def _remove(table: Any, item: Any) -> None:
    if not symbolic_keys.needs_comparison(table, item):
        symbolic_keys.builtin_base(table).remove(table, item)
        return
    there, stored = symbolic_keys.find(table, item)
    if not there:
        raise KeyError(item)
    symbolic_keys.remove_stored(table, stored)


def _add(table: Any, item: Any) -> None:
    if symbolic_keys.needs_comparison(table, item):
        symbolic_keys.add(table, item)
    else:
        set.add(table, item)


def _discard(table: Any, item: Any) -> None:
    there, stored = symbolic_keys.locate(table, item)
    if there:
        symbolic_keys.remove_stored(table, stored)


def _pop_any(table: Any) -> Any:
    symbolic_keys.concretize_keys(table)
    return set.pop(table)


def _clear(table: Any) -> None:
    set.clear(table)
    symbolic_keys.renew(table)


def update_set(table: Any, *others: Any) -> None:
    """``table.update(*others)``."""
    for other in others:
        if is_instance(other, (set, frozenset, dict)):
            _merge(table, other)
        else:
            for item in other:
                _add(table, item)


def _operand(name: str, other: Any) -> Any:
    """An operand to iterate over: an iterator as a list, or as a set where C code makes one."""
    if is_instance(other, (set, frozenset, dict)):
        return other
    return make_set(set, (other,), {}) if name in _NEEDS_SET_OPERAND else list(other)


def _elements(other: Any) -> list[Any]:
    return other if type(other) is list else symbolic_keys.stored_keys(other)


def _record_common(table: Any, other: Any) -> None:
    """Record which elements of ``other`` are in ``table``, up to the first without a hash."""
    for item in _elements(other):
        try:
            symbolic_keys.locate(table, item)
        except TypeError:
            return


def _combining_method(name: str, *, operator: bool = False) -> Callable[..., Any]:
    """A method that combines sets: which elements agree is recorded, the rest is done in C."""

    def method(table: Any, *others: Any) -> Any:
        if operator and not all(is_instance(other, (set, frozenset)) for other in others):
            return NotImplemented
        known = [_operand(name, other) for other in others]
        function = getattr(symbolic_keys.builtin_base(table), name)
        if not any(
            type(each) in symbolic_keys.SYMBOLIC_KEY_CLASSES or is_symbolic(each)
            for each in (table, *known)
        ):
            result = function(table, *known)  # keys with code of their own are asked once
            return symbolic_keys.PLAIN_KEY_SET(result) if type(result) is set else result
        if name not in _BY_LENGTH or len(table) == len(known[0]):
            for other in known:
                _record_common(table, other)
        keys = [key for each in (table, *known) for key in _elements(each)]
        result = symbolic_keys.without_recording(function, table, *known)
        if result is None or result is table:
            symbolic_keys.renew(table, keys)
        elif type(result) is set:
            made = symbolic_keys.without_recording(symbolic_keys.PLAIN_KEY_SET, result)
            return symbolic_keys.renew(made, keys)
        elif is_instance(result, (set, frozenset)):
            return symbolic_keys.renew(result, keys)
        return result

    return method


def _concrete_elements(other: Any) -> Any:
    """A set as it is, or the elements of anything else, concretized."""
    if is_instance(other, (set, frozenset)):
        return other
    return concretize(_elements(other) if is_instance(other, dict) else list(other))


def _union(table: Any, *others: Any) -> Any:
    if is_instance(table, frozenset):
        return _combining_method("union")(table, *map(_concrete_elements, others))
    made = copy_set(table) if type(table) is not set else symbolic_keys.PLAIN_KEY_SET(table)
    update_set(made, *others)
    return made


_merge: Final = _combining_method("update")
_NEEDS_SET_OPERAND: Final = frozenset(
    {"symmetric_difference", "symmetric_difference_update", "issubset"}
)
_BY_LENGTH: Final = frozenset({"__eq__", "__ne__"})
#: The operators of sets.
OPERATORS: Final = (
    "__or__", "__and__", "__sub__", "__xor__", "__ror__", "__rand__", "__rsub__", "__rxor__",
    "__ior__", "__iand__", "__isub__", "__ixor__", "__le__", "__lt__", "__ge__", "__gt__",
    "__eq__", "__ne__",
)  # fmt: skip
COMBINING: Final = (
    "intersection", "difference", "symmetric_difference", "intersection_update",
    "difference_update", "symmetric_difference_update", "issubset", "issuperset", "isdisjoint",
)  # fmt: skip

#: The methods of sets by the functions that replace them when a symbolic element may be met.
SET_METHODS: Final[dict[str, Callable[..., Any]]] = {
    "add": _add, "discard": _discard, "remove": _remove, "update": update_set, "copy": copy_set,
    "__contains__": symbolic_keys.contains, "pop": _pop_any, "clear": _clear, "union": _union,
    **{name: _combining_method(name) for name in COMBINING},
    **{name: _combining_method(name, operator=True) for name in OPERATORS},
}  # fmt: skip


def make_set(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``set(items)`` and ``frozenset(items)``."""
    if len(args) > 1 or kwargs:
        return cls(*args, **kwargs)
    items = args[0] if args else ()
    if cls is frozenset and type(items) is symbolic_keys.PLAIN_KEY_FROZENSET:
        return items
    if not is_instance(items, (set, frozenset, dict)):
        items = list(items)
    made = symbolic_keys.PLAIN_KEY_SET()
    update_set(made, items)
    if cls is set:
        return made
    symbolic_keys.concretize_keys(made)
    return symbolic_keys.without_recording(
        symbolic_keys.PLAIN_KEY_FROZENSET, concrete_value(items) if type(items) is list else items
    )
