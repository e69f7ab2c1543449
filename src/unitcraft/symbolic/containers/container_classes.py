"""The classes of dictionaries and sets that rewritten code makes.

Invariant: a table with plain keys has the methods of C; one with symbolic keys has proxies among
its keys, and every method that looks keys up compares them or concretizes them first.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.symbolic.containers import (
    container_methods,
    dict_views,
    set_methods,
    symbolic_keys,
)
from unitcraft.symbolic.proxies.trace import concretize, is_instance


class PlainKeyDict(dict[Any, Any]):
    """A dict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: dict)


class SymbolicKeyDict(PlainKeyDict):
    """A dict with symbolic keys."""

    __slots__ = ()


class PlainKeySet(set[Any]):
    """A set without symbolic elements; ``order`` is used by its symbolic-key class alone."""

    __slots__ = ("order",)
    __class__ = property(lambda _: set)


class SymbolicKeySet(PlainKeySet):
    """A set with symbolic elements; ``order`` has all elements as they were added."""

    __slots__ = ()


class PlainKeyFrozenset(frozenset[Any]):
    """A frozenset without symbolic elements, whose operators see the keys of symbolic-key sets."""

    __slots__ = ()
    __class__ = property(lambda _: frozenset)


class PlainKeyDefaultDict(collections.defaultdict[Any, Any]):
    """A defaultdict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: collections.defaultdict)


class SymbolicKeyDefaultDict(PlainKeyDefaultDict):
    """A defaultdict with symbolic keys."""

    __slots__ = ()


class PlainKeyOrderedDict(collections.OrderedDict[Any, Any]):
    """An OrderedDict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: collections.OrderedDict)


class SymbolicKeyOrderedDict(PlainKeyOrderedDict):
    """An OrderedDict with symbolic keys."""

    __slots__ = ()


class PlainKeyCounter(collections.Counter[Any]):
    """A Counter without symbolic keys."""

    __class__ = property(lambda _: collections.Counter)


class SymbolicKeyCounter(PlainKeyCounter):
    """A Counter with symbolic keys."""


_PAIRS: Final = (
    (dict, PlainKeyDict, SymbolicKeyDict), (set, PlainKeySet, SymbolicKeySet),
    (collections.defaultdict, PlainKeyDefaultDict, SymbolicKeyDefaultDict),
    (collections.OrderedDict, PlainKeyOrderedDict, SymbolicKeyOrderedDict),
    (collections.Counter, PlainKeyCounter, SymbolicKeyCounter),
)  # fmt: skip
#: The class that a table of ours stands for.
STANDS_FOR: Final[dict[type, type]] = {
    PlainKeyFrozenset: frozenset,
    **{cls: builtin for builtin, *both in _PAIRS for cls in both},
}


def _iterate(table: Any) -> Iterator[Any]:
    """The keys of a dictionary; C code that copies tables asks for this."""
    return symbolic_keys.builtin_base(table).__iter__(table)  # type: ignore[no-any-return]


def _iterate_concretely(table: Any) -> Iterator[Any]:
    """Concretize the elements, because the order of a set depends on them."""
    if len(table) > 1:
        symbolic_keys.concretize_keys(table)
    return set.__iter__(table)


def _table_repr(table: Any) -> str:
    symbolic_keys.concretize_keys(table)
    return symbolic_keys.builtin_base(table).__repr__(table)  # type: ignore[no-any-return]


def _set_repr(table: Any) -> str:
    if not table:
        return "set()"
    return "{" + ", ".join([repr(concretize(item)) for item in table]) + "}"


def _deepcopy(table: Any, memo: dict[int, Any]) -> Any:
    made = (container_methods.copy_dict if isinstance(table, dict) else set_methods.copy_set)(table)
    memo[id(table)] = made
    if is_instance(table, dict):
        for key in symbolic_keys.stored_keys(made):
            value = copy.deepcopy(symbolic_keys.value_of(made, key), memo)
            symbolic_keys.without_recording(
                symbolic_keys.builtin_base(made).__setitem__, made, key, value
            )
    return made


def _reduce(table: Any, _: Any) -> Any:
    symbolic_keys.concretize_keys(table)
    kind = STANDS_FOR[type(table)]
    if issubclass(kind, dict):
        first = (table.default_factory,) if kind is collections.defaultdict else ()
        return (
            kind,
            first,
            None,
            None,
            iter([(concretize(key), item) for key, item in table.items()]),
        )
    return kind, ([concretize(item) for item in table],)


def _itself(table: Any) -> Any:
    return table


def _reduce_frozenset(table: Any, _: Any) -> Any:
    return frozenset, (list(table),)


def _add_methods() -> None:
    """Give the classes their methods."""
    for builtin, free, keyed in _PAIRS:
        symbolic_keys.PLAIN_KEY_CLASSES[free], symbolic_keys.SYMBOLIC_KEY_CLASSES[keyed] = (
            keyed,
            free,
        )
        table = issubclass(builtin, dict)
        copy_method = container_methods.copy_dict if table else set_methods.copy_set
        own: dict[str, Any] = {
            "__copy__": copy_method,
            "copy": copy_method,
            "__deepcopy__": _deepcopy,
            "__reduce_ex__": _reduce,
        }
        methods = dict(container_methods.DICT_METHODS if table else set_methods.SET_METHODS)
        methods["__iter__"] = _iterate if table else _iterate_concretely
        methods["__repr__"] = _table_repr if table else _set_repr
        if table:
            both = {
                "keys": dict_views.keys,
                "items": dict_views.items,
                **_equality_methods(builtin),
            }
            own |= both
            methods |= both
        else:
            own |= {"__repr__": _set_repr, **_PLAIN_KEY_SET_METHODS}
        for name in _PYTHON_METHODS.get(builtin, ()):
            methods.pop(name)
            own.pop(name, None)
        for cls, given in ((free, own), (keyed, methods)):
            cls.__name__ = cls.__qualname__ = builtin.__name__
            for name, method in given.items():
                setattr(cls, name, method)
            cls.__hash__ = None
    for name in set_methods.OPERATORS:
        if not name.startswith(("__i", "__r")):
            setattr(PlainKeyFrozenset, name, _frozenset_operator(name))
    PlainKeyFrozenset.__hash__ = frozenset.__hash__  # type: ignore[method-assign]
    PlainKeyFrozenset.__name__ = PlainKeyFrozenset.__qualname__ = "frozenset"
    PlainKeyFrozenset.copy = PlainKeyFrozenset.__copy__ = _itself  # type: ignore[method-assign, attr-defined, assignment]
    PlainKeyFrozenset.__reduce_ex__ = _reduce_frozenset  # type: ignore[method-assign]
    PlainKeyDict.__or__ = container_methods.unite  # type: ignore[method-assign]
    symbolic_keys.PLAIN_KEY_DICT, symbolic_keys.PLAIN_KEY_SET, symbolic_keys.PLAIN_KEY_FROZENSET = (
        PlainKeyDict,
        PlainKeySet,
        PlainKeyFrozenset,
    )
    symbolic_keys.EXACT_DICTS.update({PlainKeyDict, SymbolicKeyDict})


def _equality_methods(builtin: Any) -> dict[str, Any]:
    """``==`` and ``!=`` of our dictionaries; C code would hash the keys of the other operand."""

    def equal(table: Any, other: Any) -> Any:
        if builtin is collections.Counter and is_instance(other, collections.Counter):
            return _are_equal_counts(table, other)
        if (
            type(table) in symbolic_keys.SYMBOLIC_KEY_CLASSES
            or type(other) in symbolic_keys.SYMBOLIC_KEY_CLASSES
        ):
            return container_methods.equal(table, other)
        return symbolic_keys.builtin_base(table).__eq__(table, other)

    return {"__eq__": equal, "__ne__": container_methods.negate(equal)}


def _are_equal_counts(table: Any, other: Any) -> bool:
    """``==`` of two counters: a key that is not there counts zero."""
    return all(
        container_methods.lookup(table, key) == container_methods.lookup(other, key)
        for each in (table, other)
        for key in symbolic_keys.stored_keys(each)
    )


#: Methods whose C code would not compare symbolic keys, or would make a set that is not ours.
_PLAIN_KEY_SET_METHODS: Final = {
    name: set_methods.SET_METHODS[name]
    for name in (
        "__ior__", "__iand__", "__isub__", "__ixor__", "__and__", "__sub__", "__xor__",
        "intersection", "difference", "symmetric_difference",
    )
}  # fmt: skip


def _frozenset_operator(name: str) -> Any:
    """An operator of frozensets that compares keys when the other operand has symbolic ones."""
    method = getattr(frozenset, name)
    seeing = set_methods.SET_METHODS[name]

    def operate(table: Any, other: Any) -> Any:
        return (
            seeing(table, other)
            if type(other) in symbolic_keys.SYMBOLIC_KEY_CLASSES
            else method(table, other)
        )

    return operate


#: Methods that the standard library writes in Python, in terms of other methods.
_PYTHON_METHODS: Final[dict[type, tuple[str, ...]]] = {
    collections.Counter: (
        "copy", "update", "__or__", "__ror__", "__ior__", "__repr__",
    ),
}  # fmt: skip


def _make_default(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``defaultdict(factory, …)``; the sets and dictionaries that it makes have plain keys."""
    del cls
    factory = _FACTORIES.get(args[0], args[0]) if args and is_instance(args[0], type) else None
    made = PlainKeyDefaultDict(factory if factory is not None else args[0] if args else None)
    container_methods.update(made, *args[1:2], **kwargs)
    return made


_FACTORIES: Final[dict[type, type]] = {dict: PlainKeyDict, set: PlainKeySet}


def _make_ordered(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``OrderedDict(pairs)``."""
    del cls
    made = PlainKeyOrderedDict()
    container_methods.update(made, *args, **kwargs)
    return made


def _make_counter(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Counter(items)``: each is counted under the key that it equals."""
    if len(args) != 1 or kwargs or is_instance(args[0], dict) or args[0] is None:
        made = PlainKeyCounter()
        container_methods.update(made, *[arg for arg in args if arg is not None], **kwargs)
        return made if len(args) < 2 else cls(*args, **kwargs)  # noqa: PLR2004 - too many
    made = PlainKeyCounter()
    for item in args[0]:
        container_methods.store(made, item, container_methods.get(made, item, 0) + 1)
    return made


_add_methods()

#: How calls of the classes of tables are made.
MAKERS: Final[dict[type, Any]] = {
    set: set_methods.make_set,
    frozenset: set_methods.make_set,
    dict: container_methods.make_dict,
    collections.defaultdict: _make_default,
    collections.OrderedDict: _make_ordered,
    collections.Counter: _make_counter,
}
