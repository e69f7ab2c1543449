"""Mappings get the keys that the code looks up, with values of several kinds.

Invariant: a pair is added or its value replaced; no key is added twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from keyword import iskeyword
from random import Random
from typing import Any, Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    arg_key,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.named_values import speaks_for
from unitcraft.explore.search.variation.places import places, put_call
from unitcraft.explore.search.variation.variation_kind import Materials, pick_near

#: One value of each kind, literals all, for a key that was looked up.
VALUES: Final[tuple[Arg, ...]] = (
    Const("a"), Const(1), Const(value=True), Display("dict", ()), Display("list", (Const("a"),)),
    Const(None), Const(""), Display("list", (Display("dict", (Const("a"), Const(1))),)),
    Display("dict", (Const("a"), Const(1))),
)  # fmt: skip
#: Of these, as many are tried at once for a key that a run asked for and missed.
#: One: no site of 153.
MAX_FIRST: Final = 5
#: The same for a mapping that is then alone in its list.
MAX_ALONE: Final = 2
#: Stated values that are tried for such a key: the others are there for other branches.  Halved
#: with eleven such bounds, sites of ``pellets`` (664, seed 0): +3.
MAX_STATED: Final = 2
#: Members of a container that an argument may be: a table of the module has more, and is not made
#: of arguments.
MAX_MEMBERS: Final = 4
#: Chance that the value of a key that is there is replaced, in place of adding one.
#: Off: 2 sites fewer of 43 of one module, of 153 of seven.
REPLACE_CHANCE: Final = 0.3


class FillMappings:
    """A dictionary or ``**kwargs`` of the run with one key of the code more."""

    name = "keys"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with a pair added to one of its dictionaries, or a value replaced."""
        value = _value(materials, rng)
        found = [
            (arg, put)
            for arg, put in places(run.sequence)
            if isinstance(arg, Display) and arg.kind == "dict"
        ]
        open_calls = [
            at
            for at in range(len(run.sequence))
            if any(slot.parameter.kind == "var_keyword" for slot in materials.slots(at))
        ]
        which = rng.randrange(len(found) + len(open_calls)) if found or open_calls else -1
        key = pick_near(materials.keys, rng)
        if which < 0 or key is None:
            return None
        if which >= len(found):
            return with_keyword(run.sequence, open_calls[which - len(found)], key, value)
        arg, put = found[which]
        if arg.items and rng.random() < REPLACE_CHANCE:
            at = 2 * rng.randrange(len(arg.items) // 2) + 1
            return put(Display("dict", (*arg.items[:at], value, *arg.items[at + 1 :])))
        return None if has_key(arg, key) else put(with_pair(arg, key, value))


def _value(materials: Materials, rng: Random) -> Arg:
    """One of ``VALUES``; for the number there, often one of the code or its neighbour."""
    value = pick_near(VALUES, rng) or VALUES[0]
    number = pick_near(materials.numbers, rng) if value == Const(1) else None
    return value if number is None else Const(number + rng.randrange(2))


def has_key(arg: Display, key: Any) -> bool:
    """Is the atom ``key`` among the keys?"""
    return Const(key) in arg.items[::2]


def with_pair(arg: Display, key: Any, value: Arg) -> Display:
    """``arg`` with one pair more."""
    return Display("dict", (*arg.items, Const(key), value))


def with_keyword(sequence: Sequence, at: int, key: str, value: Arg) -> Sequence | None:
    """``sequence`` with a keyword argument more for Call ``at``; None if it has that or cannot."""
    is_name = key.isidentifier() and not iskeyword(key)
    return with_argument(sequence, at, key, value) if is_name else None


def with_argument(sequence: Sequence, at: int, name: str, value: Arg) -> Sequence | None:
    """``sequence`` with ``value`` for the parameter ``name`` of Call ``at``; None if it has one."""
    call = sequence.calls[at]
    if any(known == name for known, _ in call.kwargs):
        return None
    kwargs = (*call.kwargs, (name, value))
    return put_call(sequence, at, Call(call.kind, call.name, call.args, kwargs, call.then))


def missed_keys(run: Execution) -> Iterator[tuple[int, Any, Any]]:
    """(site, key, the keys or the text there) of each look-up in a container that had it not."""
    for site, kind, key, there in run.comparisons:
        if kind in ("in", "key") and isinstance(there, (tuple, str)) and key not in there:
            yield site, key, there


def holds_objects(sequence: Sequence) -> bool:
    """Has a dictionary of ``sequence`` an object first, which could stand under another key?"""
    return any(
        isinstance(arg, Display) and arg.kind == "dict" and isinstance(arg.items[1], Ref | Build)
        for arg, _ in places(sequence)
        if isinstance(arg, Display) and arg.items[1:]
    )


def fill_missed(
    run: Execution,
    key: Any,
    there: Any,
    open_calls: Iterable[int] = (),
    stated: tuple[Arg, ...] = (),
) -> list[Sequence]:
    """Variants of ``run`` whose containers have the ``key`` that was looked up in ``there``.

    A text in which a text was looked up may stand for a mapping with that key, and what is an item
    of a container that the code makes of it for the key.  ``open_calls``: the
    numbers of the Calls that take keyword arguments of any name.  ``stated`` are the values that
    the module shows for such a key, which are tried first.
    """
    first = stated[:MAX_STATED]
    shown = set(map(arg_key, first))
    rest = [one for one in VALUES if arg_key(one) not in shown]
    likely = [one for one in rest if isinstance(key, str) and speaks_for(key, one)][:1]
    values = (*first, *likely, *[one for one in rest if one not in likely])
    made: list[Sequence] = []
    for arg, put in places(run.sequence):
        if isinstance(there, str):
            if arg == Const(there):
                made += [put(with_pair(Display("dict", ()), key, one)) for one in values[:2]]
        elif isinstance(arg, Display) and _has_atoms(arg, there):
            made += map(put, _grown(arg, key, values))
        elif isinstance(arg, Display):
            made += map(put, _alone(arg, key, there, values))
    if not made and isinstance(there, tuple):
        made += [*_as_members(run, key, there[:MAX_MEMBERS])][-1:]  # the nearest to the look-up
    for at in open_calls if isinstance(key, str) else ():
        names = {name for name, _ in run.sequence.calls[at].kwargs}
        if names.issuperset(there):
            found = [with_keyword(run.sequence, at, key, value) for value in values[:MAX_FIRST]]
            made += [one for one in found if one is not None]
    return made


def _as_members(run: Execution, key: Any, few: tuple[Any, ...]) -> Iterator[Sequence]:
    """Variants of ``run`` in which what it gave for one of ``few`` members is the ``key``."""
    for arg, put in places(run.sequence):
        if isinstance(arg, Const) and any(arg_key(Const(one)) == arg_key(arg) for one in few):
            yield put(Const(key))


def _alone(
    arg: Display, key: Any, there: tuple[Any, ...], values: tuple[Arg, ...]
) -> Iterator[Arg]:
    """The first of several mappings in a list that lack the ``key``, alone and with it.

    Code that asks each for it ends at the next one otherwise.
    """
    is_list = arg.kind in ("list", "tuple") and len(arg.items) > 1
    if is_list and all(isinstance(one, Display) and one.kind == "dict" for one in arg.items):
        lacking = [one for one in arg.items if isinstance(one, Display) and _has_atoms(one, there)]
        for item in lacking[:1]:
            for value in values[:MAX_ALONE]:
                yield Display(arg.kind, (with_pair(item, key, value),))


def _grown(arg: Display, key: Any, values: tuple[Arg, ...]) -> Iterator[Arg]:
    if arg.kind != "dict":
        yield Display(arg.kind, (*arg.items, Const(key)))
    else:
        if arg.items and isinstance(arg.items[1], Ref | Build):
            yield Display("dict", (Const(key), *arg.items[1:]))  # such an object, under that key
        functions = [one for one in arg.items[1::2] if isinstance(one, Source)]
        for function in functions[:1]:
            yield with_pair(arg, key, function)
        for value in values[:MAX_FIRST]:
            yield with_pair(arg, key, value)


def _has_atoms(arg: Display, there: tuple[Any, ...]) -> bool:
    """Are ``there`` the atoms among the keys or items of ``arg``, as far as they were recorded?"""
    inside = arg.items[::2] if arg.kind == "dict" else arg.items
    atoms = [one.value for one in inside if isinstance(one, Const) and one.value is not None]
    return len(set(map(repr, atoms))) == len(set(map(repr, there))) and all(
        atom in atoms for atom in there
    )
