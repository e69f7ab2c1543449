"""The classes of tables that rewritten code makes: free ones, and keyed ones.

Invariant: a free table has the methods of C; a keyed one has proxies among its keys, and every
method that looks into it asks for equality or settles it first.
"""

from __future__ import annotations

import collections
import copy
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.symbolic.containers import container_methods, dict_views, symbolic_keys
from unitcraft.symbolic.proxies.trace import pin


class FreeDict(dict[Any, Any]):
    """A dict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: dict)


class KeyedDict(FreeDict):
    """A dict with symbolic keys."""

    __slots__ = ()


class FreeSet(set[Any]):
    """A set without symbolic elements; ``order`` is of use to the keyed one."""

    __slots__ = ("order",)
    __class__ = property(lambda _: set)


class KeyedSet(FreeSet):
    """A set with symbolic elements; ``order`` has all elements as they were added."""

    __slots__ = ()


class FreeFrozen(frozenset[Any]):
    """A frozenset, which has no symbolic elements; beside a keyed set it is asked first."""

    __slots__ = ()
    __class__ = property(lambda _: frozenset)


class FreeDefault(collections.defaultdict[Any, Any]):
    """A defaultdict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: collections.defaultdict)


class KeyedDefault(FreeDefault):
    """A defaultdict with symbolic keys."""

    __slots__ = ()


class FreeOrdered(collections.OrderedDict[Any, Any]):
    """An OrderedDict without symbolic keys."""

    __slots__ = ()
    __class__ = property(lambda _: collections.OrderedDict)


class KeyedOrdered(FreeOrdered):
    """An OrderedDict with symbolic keys."""

    __slots__ = ()


class FreeCounter(collections.Counter[Any]):
    """A Counter without symbolic keys."""

    __class__ = property(lambda _: collections.Counter)


class KeyedCounter(FreeCounter):
    """A Counter with symbolic keys."""


_PAIRS: Final = (
    (dict, FreeDict, KeyedDict), (set, FreeSet, KeyedSet),
    (collections.defaultdict, FreeDefault, KeyedDefault),
    (collections.OrderedDict, FreeOrdered, KeyedOrdered),
    (collections.Counter, FreeCounter, KeyedCounter),
)  # fmt: skip
#: The class that a table of ours stands for.
STANDS_FOR: Final[dict[type, type]] = {
    FreeFrozen: frozenset,
    **{cls: plain for plain, *both in _PAIRS for cls in both},
}


def _iterate(table: Any) -> Iterator[Any]:
    """The keys of a dictionary; C code that copies tables asks for this."""
    return symbolic_keys.base(table).__iter__(table)  # type: ignore[no-any-return]


def _iterate_settled(table: Any) -> Iterator[Any]:
    """The order of a set depends on its elements, so that they are pinned."""
    if len(table) > 1:
        symbolic_keys.settle(table)
    return set.__iter__(table)


def _shown(table: Any) -> str:
    symbolic_keys.settle(table)
    return symbolic_keys.base(table).__repr__(table)  # type: ignore[no-any-return]


def _shown_set(table: Any) -> str:
    if not table:
        return "set()"
    return "{" + ", ".join([repr(pin(item)) for item in table]) + "}"


def _deeply(table: Any, memo: dict[int, Any]) -> Any:
    made = container_methods.copied(table)
    memo[id(table)] = made
    if isinstance(table, dict):
        for key in symbolic_keys.stored_keys(made):
            value = copy.deepcopy(symbolic_keys.value_of(made, key), memo)
            symbolic_keys.quietly(symbolic_keys.base(made).__setitem__, made, key, value)
    return made


def _reduced(table: Any, _: Any) -> Any:
    symbolic_keys.settle(table)
    kind = STANDS_FOR[type(table)]
    if issubclass(kind, dict):
        first = (table.default_factory,) if kind is collections.defaultdict else ()
        return kind, first, None, None, iter([(pin(key), item) for key, item in table.items()])
    return kind, ([pin(item) for item in table],)


def _itself(table: Any) -> Any:
    return table


def _reduced_frozen(table: Any, _: Any) -> Any:
    return frozenset, (list(table),)


def _equip() -> None:
    """Give the classes their methods."""
    for plain, free, keyed in _PAIRS:
        symbolic_keys.KEYED[free], symbolic_keys.FREE[keyed] = keyed, free
        own: dict[str, Any] = {
            "__copy__": container_methods.copied,
            "copy": container_methods.copied,
            "__deepcopy__": _deeply,
            "__reduce_ex__": _reduced,
        }
        table = issubclass(plain, dict)
        methods = dict(container_methods.DICT_METHODS if table else container_methods.SET_METHODS)
        methods["__iter__"] = _iterate if table else _iterate_settled
        methods["__repr__"] = _shown if table else _shown_set
        if table:
            both = {"keys": dict_views.keys, "items": dict_views.items, **_equality(plain)}
            own |= both
            methods |= both
        else:
            own |= {"__repr__": _shown_set, **_OF_FREE_SETS}
        for name in _AS_WRITTEN.get(plain, ()):
            methods.pop(name)
            own.pop(name, None)
        for cls, given in ((free, own), (keyed, methods)):
            cls.__name__ = cls.__qualname__ = plain.__name__
            for name, method in given.items():
                setattr(cls, name, method)
            cls.__hash__ = None
    for name in container_methods.OPERATORS:
        if not name.startswith(("__i", "__r")):
            setattr(FreeFrozen, name, _beside_keyed(name))
    FreeFrozen.__hash__ = frozenset.__hash__  # type: ignore[method-assign]
    FreeFrozen.__name__ = FreeFrozen.__qualname__ = "frozenset"
    FreeFrozen.copy = FreeFrozen.__copy__ = _itself  # type: ignore[method-assign, attr-defined, assignment]
    FreeFrozen.__reduce_ex__ = _reduced_frozen  # type: ignore[method-assign]
    FreeDict.__or__ = container_methods.united  # type: ignore[method-assign]
    symbolic_keys.FREE_DICT, symbolic_keys.FREE_SET, symbolic_keys.FREE_FROZEN = (
        FreeDict,
        FreeSet,
        FreeFrozen,
    )
    symbolic_keys.PLAIN_DICTS.update({FreeDict, KeyedDict})


def _equality(plain: Any) -> dict[str, Any]:
    """``==`` and ``!=`` of dictionaries of ours, in C blind to a keyed one of another class."""

    def equal(table: Any, other: Any) -> Any:
        if plain is collections.Counter and isinstance(other, collections.Counter):
            return _equal_counts(table, other)
        if type(table) in symbolic_keys.FREE or type(other) in symbolic_keys.FREE:
            return container_methods.equal(table, other)
        return symbolic_keys.base(table).__eq__(table, other)

    return {"__eq__": equal, "__ne__": container_methods.negated(equal)}


def _equal_counts(table: Any, other: Any) -> bool:
    """``==`` of two counters: a key that is not there counts zero."""
    return all(
        container_methods.lookup(table, key) == container_methods.lookup(other, key)
        for each in (table, other)
        for key in symbolic_keys.stored_keys(each)
    )


#: Operators of which C code does not ask a keyed set, or makes a set that is not ours.
_OF_FREE_SETS: Final = {
    name: container_methods.SET_METHODS[name]
    for name in (
        "__ior__", "__iand__", "__isub__", "__ixor__", "__and__", "__sub__", "__xor__",
        "intersection", "difference", "symmetric_difference",
    )
}  # fmt: skip


def _beside_keyed(name: str) -> Any:
    """An operator of frozensets that sees keyed sets."""
    method = getattr(frozenset, name)
    seeing = container_methods.SET_METHODS[name]

    def operate(table: Any, other: Any) -> Any:
        return seeing(table, other) if type(other) in symbolic_keys.FREE else method(table, other)

    return operate


#: Methods that are Python code in terms of others.
_AS_WRITTEN: Final[dict[type, tuple[str, ...]]] = {
    collections.Counter: (
        "copy", "update", "__or__", "__ror__", "__ior__", "__repr__",
    ),
}  # fmt: skip


def _make_default(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``defaultdict(factory, …)``; the sets and dictionaries that it makes are free ones."""
    del cls
    factory = _FACTORIES.get(args[0], args[0]) if args and isinstance(args[0], type) else None
    made = FreeDefault(factory if factory is not None else args[0] if args else None)
    container_methods.update(made, *args[1:2], **kwargs)
    return made


_FACTORIES: Final[dict[type, type]] = {dict: FreeDict, set: FreeSet}


def _make_ordered(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``OrderedDict(pairs)``."""
    del cls
    made = FreeOrdered()
    container_methods.update(made, *args, **kwargs)
    return made


def _make_counter(cls: type, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``Counter(items)``: each is counted under the key that it equals."""
    if len(args) != 1 or kwargs or isinstance(args[0], dict) or args[0] is None:
        made = FreeCounter()
        container_methods.update(made, *[arg for arg in args if arg is not None], **kwargs)
        return made if len(args) < 2 else cls(*args, **kwargs)  # noqa: PLR2004 - too many
    made = FreeCounter()
    for item in args[0]:
        container_methods.store(made, item, container_methods.get(made, item, 0) + 1)
    return made


_equip()

#: How calls of the classes of tables are made.
MAKERS: Final[dict[type, Any]] = {
    set: container_methods.make_set,
    frozenset: container_methods.make_set,
    dict: container_methods.make_dict,
    collections.defaultdict: _make_default,
    collections.OrderedDict: _make_ordered,
    collections.Counter: _make_counter,
}
