"""Inputs with more in them: collections of several items, objects that more was put into.

A tree of two nodes is never turned, a heap of one never sinks, and a loop over a single item says
nothing of what comes after the first.  Nor does an entry that is looked up and is None.

Invariant: an item is like those that it stands beside: of their classes and of their number of
parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    connected_calls,
    refs_of,
    renumber_call,
    slice_sequence,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.named_values import meant
from unitcraft.explore.search.variation.fill_mappings import has_key, with_pair
from unitcraft.explore.search.variation.places import places
from unitcraft.subject.ducktypes.kind_support import kind_of

#: Items of a collection that has several: enough for a tree of three levels.
MAX_ITEMS: Final = 7
#: Calls of one method in a row: each is a line to read.
MAX_CALLS: Final = 5
#: Words in the place of one, of which three are the usual ones.
_WORDS: Final = ("abc", "def", "ghi", "jkl", "mno", "pqr", "stu")
_NUMBERS: Final = (Const(1), Const(2))
#: Functions that answer whatever they are given, and otherwise in the other order.
_TWO_FUNCTIONS: Final = (Source('lambda x: f"<{x}>"'), Source("lambda x: [x]"))
#: Calls that ask whether two objects are alike.
_COMPARISONS: Final = (("operator", "=="), ("operator", "!="))
#: Entries that say nothing of the code that looks them up.
_SAYING_NOTHING: Final = (Const(None), Const(""), Const(0), Const(value=False))


def fuller_inputs(sequence: Sequence, rng: Random) -> Iterator[Sequence]:
    """``sequence`` with several items in one of its collections, or more put into an object."""
    for arg, put in places(sequence):
        made = _filled(arg, rng) if isinstance(arg, Display) else None
        if made is not None:
            yield put(made)
    for at, call in enumerate(sequence.calls):
        if _puts_in(call):
            yield _with_more_calls(sequence, at, rng)


def _filled(arg: Display, rng: Random) -> Display | None:
    """``arg`` with more items like its first; None where there is none of atoms alone.

    How many items a tuple has mostly means something.
    """
    unit = 2 if arg.kind == "dict" else 1
    first = arg.items[:unit]
    if not first or arg.kind == "tuple" or len(arg.items) >= unit * MAX_ITEMS:
        return None
    parts = first[0].items if isinstance(first[0], Display) else first
    if not all(isinstance(part, Const) for part in parts) or not _is_varied(parts[:1]):
        return None
    rows = zip(*[_column(part, rng) for part in parts], strict=True)
    if isinstance(first[0], Display):
        return Display(arg.kind, tuple(Display(first[0].kind, row) for row in rows))
    return Display(arg.kind, tuple(part for row in rows for part in row))


def _is_varied(parts: tuple[Arg, ...]) -> bool:
    return any(isinstance(part, Const) and type(part.value) in (int, str) for part in parts)


def _column(part: Arg, rng: Random) -> list[Arg]:
    """``MAX_ITEMS`` atoms in mixed order, of the class of ``part``."""
    kind = type(part.value) if isinstance(part, Const) else None
    if kind is int:
        return [Const(number) for number in rng.sample(range(1, MAX_ITEMS + 1), MAX_ITEMS)]
    if kind is str:
        return [Const(word) for word in rng.sample(_WORDS, MAX_ITEMS)]
    return [part] * MAX_ITEMS


def _puts_in(call: Call) -> bool:
    """May it put something into an object: a method or an assignment of an atom?"""
    is_change = call.kind == "method" or (call.kind == "operator" and call.name == "[]=")
    on_object = bool(call.args) and isinstance(call.args[0], Ref)
    return is_change and on_object and not call.then and _is_varied(call.args[1:2])


def _with_more_calls(sequence: Sequence, at: int, rng: Random) -> Sequence:
    """``sequence`` with Call ``at`` several times, on other atoms each time."""
    call = sequence.calls[at]
    columns = [_column(arg, rng)[:MAX_CALLS] for arg in call.args[1:]]
    more = [
        Call(call.kind, call.name, (call.args[0], *args), call.kwargs)
        for args in zip(*columns, strict=True)
    ]
    later = {old: old + len(more) * (old >= at) for old in range(len(sequence))}
    rest = [renumber_call(one, later) for one in sequence.calls[at:]]
    return Sequence((*sequence.calls[:at], *more, *rest))


def with_one_more(sequence: Sequence, first: int) -> Sequence | None:
    """``sequence``, whose last Call is given one more like its argument ``first``, or None.

    In which order functions are applied two of them show that answer by what they are given.
    """
    *before, last = sequence.calls
    given = last.args[first:]
    if not given:
        return None
    two = _two_like(given[0])
    if not two:
        return None
    more = (*given, two[1]) if given[0] == two[0] else two
    return Sequence((*before, replace(last, args=(*last.args[:first], *more))))


def _two_like(arg: Arg) -> tuple[Arg, ...]:
    """Two arguments of the kind of ``arg`` that differ, the first of them itself if it tells."""
    match arg:
        case Const(int() | str()) if _is_varied((arg,)):
            alike = (
                one for one in (*_NUMBERS, *map(Const, _WORDS)) if kind_of(one) == kind_of(arg)
            )
            return (arg, next(one for one in alike if one != arg))
        case Source(text) if text.startswith("lambda x:"):
            return _TWO_FUNCTIONS
    return ()


def with_twin(sequence: Sequence) -> Sequence | None:
    """``sequence``, whose last Call compares an object with itself, with another made alike.

    None where it compares anything else: of one object even a wrong comparison says that it equals.
    """
    *before, last = sequence.calls
    if (last.kind, last.name) not in _COMPARISONS or last.args[:1] != last.args[1:]:
        return None
    compared = last.args[0]
    if not isinstance(compared, Ref):
        return None
    wanted = connected_calls(Sequence(tuple(before)), (compared.index,))
    again = [at for at in wanted if before[at].kind not in ("arrange", "define")]
    where = {at: at for at in range(len(before))}
    where |= {at: len(before) + number for number, at in enumerate(again)}
    copies = [renumber_call(before[at], where) for at in again]
    twin = Ref(where[compared.index])
    return Sequence((*before, *copies, replace(last, args=(compared, twin))))


def with_entries(sequence: Sequence, keys: Iterable[str]) -> Iterator[Sequence]:
    """``sequence`` with something under each of ``keys`` where a dictionary has nothing there."""
    for key in keys:
        for arg, put in places(sequence):
            if isinstance(arg, Display) and arg.kind == "dict":
                for entry in dict.fromkeys((meant(key), Const(value=True))):
                    made = _with_entry(arg, key, entry)
                    if made is not None:
                        yield put(made)


def _with_entry(arg: Display, key: str, entry: Arg) -> Display | None:
    """``arg`` with ``entry`` under ``key``; None where something is there."""
    if not has_key(arg, key):
        return with_pair(arg, key, entry)
    at = 2 * arg.items[::2].index(Const(key)) + 1
    if arg.items[at] not in _SAYING_NOTHING:
        return None
    return Display("dict", (*arg.items[:at], entry, *arg.items[at + 1 :]))


def with_fuller_receiver(run: Execution, others: Iterable[Execution]) -> Iterator[Sequence]:
    """The last Call of ``run`` on the receivers of ``others``, before or after their own last Call.

    They have to be of its class, and to have been through more than its own.
    """
    *before, last = run.sequence.calls
    receiver = last.args[0] if last.args and last.kind in ("method", "get") else None
    if not isinstance(receiver, Ref) or len(refs_of(last)) > 1:
        return
    owner = run.invocable.rpartition(".")[0]
    for other in others:
        *earlier, call = other.sequence.calls
        made = call.args[0] if call.args and call.kind != "function" else None
        if other.invocable.rpartition(".")[0] != owner or not isinstance(made, Ref):
            continue
        asking = replace(last, args=(made, *last.args[1:]))
        for calls in ((*earlier, asking), (*earlier, call, asking)):
            found = Sequence(calls)
            wanted = connected_calls(found, (len(found) - 1,))
            if len(wanted) > len(before) + 1:
                yield slice_sequence(found, wanted)
