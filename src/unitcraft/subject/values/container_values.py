"""Container displays from given elements: empty, one, many, duplicates, unsorted.

Invariant: every answer is finite, ordered from simple to complex, and built only from the
elements given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from unitcraft.core.sequences import (
    Arg,
    Const,
    Display,
    DisplayKind,
    Source,
    Symbol,
    arg_key,
    children,
)

#: Kinds of Displays that are unhashable.
_UNHASHABLE = ("list", "set", "dict")


def unique(args: Iterable[Arg]) -> Iterator[Arg]:
    """``args`` without repeats (1, True and 1.0 differ)."""
    seen: set[str] = set()
    for one in args:
        if arg_key(one) not in seen:
            seen.add(arg_key(one))
            yield one


def interleave(columns: Iterable[Iterable[Arg]]) -> Iterator[Arg]:
    """The first value of each column, then the second of each, until all are exhausted."""
    running = [iter(column) for column in columns]
    while running:
        left = []
        for column in running:
            for one in column:
                yield one
                left.append(column)
                break
        running = left


def is_hashable(arg: Arg) -> bool:
    """Can the value be an element of a set or a key of a dict?"""
    if isinstance(arg, Display):
        return arg.kind not in _UNHASHABLE and all(is_hashable(one) for one in children(arg))
    return isinstance(arg, Const | Symbol | Source) or all(
        is_hashable(one) for one in children(arg)
    )


def with_elements(kind: DisplayKind, elements: list[Arg]) -> Iterator[Arg]:
    """Displays of ``kind``: several, none, one, reversed, with repeats, all."""
    if kind in ("set", "frozenset"):
        elements = list(unique([one for one in elements if is_hashable(one)]))
    distinct = list(unique(elements))
    shapes = [distinct[:3], [], distinct[:1], distinct[1::-1], distinct[2::-1]]
    if kind not in ("set", "frozenset"):
        shapes += [[*distinct[:2], *distinct[:1]], distinct[:1] * 2]
    shapes += [distinct[:2], distinct, distinct[3:5], *[[one] for one in distinct[1:]]]
    shapes += [[*distinct[2:5], *distinct[:2]]]
    for shape in shapes:
        yield Display(kind, tuple(shape))


def dicts(keys: list[Arg], values: list[Arg]) -> Iterator[Arg]:
    """Dict displays: one pair, none, several, equal values, all keys."""
    keys = list(unique([one for one in keys if is_hashable(one)]))
    if not keys or not values:
        yield Display("dict", ())
        return
    around = [values[at % len(values)] for at in range(len(keys) + 1)]
    yield _dict(keys[:2], around)
    yield Display("dict", ())
    yield _dict(keys[:1], around)
    yield _dict(keys[:3], around)
    yield _dict(keys[:2], around[:1] * 2)
    yield _dict(keys[1::-1], around)
    yield _dict(keys[:1], around[1:])
    yield _dict(keys, around)
    for at in range(1, len(keys)):
        yield _dict([keys[at]], around[at:])


def _dict(keys: list[Arg], values: list[Arg]) -> Display:
    pairs = zip(keys, values, strict=False)
    return Display("dict", tuple([part for pair in pairs for part in pair]))


def typed_dicts(keys: tuple[Arg, ...], columns: list[list[Arg]]) -> Iterator[Arg]:
    """Dict displays with exactly these keys, varying one value at a time."""
    for values in _vary_one(columns):
        yield _dict(list(keys), values)


def tuples(columns: list[list[Arg]]) -> Iterator[Arg]:
    """Tuple displays with one value of each column, varying one at a time."""
    for values in _vary_one(columns):
        yield Display("tuple", tuple(values))


def _vary_one(columns: list[list[Arg]]) -> Iterator[list[Arg]]:
    if not all(columns):
        return
    longest = max([len(column) for column in columns], default=0)
    yield [column[0] for column in columns]
    for at in range(1, longest):
        yield [column[at % len(column)] for column in columns]
    for place, column in enumerate(columns):
        for one in column[1:]:
            yield [one if where == place else other[0] for where, other in enumerate(columns)]
