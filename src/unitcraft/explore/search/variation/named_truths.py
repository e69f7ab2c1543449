"""True or false for what the code asks nothing else of, under a key or as a keyword.

A search gives ``{"sort_keys": 1, "format": "abc"}`` where any true value will do; whoever writes a
test writes ``True``.

Invariant: a variant differs from its Sequence in the values of switches, whose truth is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence, Source


class Truths(NamedTuple):
    """The names of what is asked whether it is true: of switches nothing else, of others that too.

    An empty container that stands for what is not there is False for those as well.
    """

    switches: frozenset[str]
    asked: frozenset[str] = frozenset()


def with_truths(sequence: Sequence, truths: Truths) -> Iterator[Sequence]:
    """``sequence`` with the truth of each value that one of ``truths`` has, if any differs.

    First of what is asked something else, too, then of switches alone.
    """
    told = {sequence.key}  # 1 and True are equal
    for names in dict.fromkeys((truths, truths._replace(asked=frozenset()))):
        calls = tuple(
            replace(
                call,
                args=tuple([_with_truths_inside(arg, names) for arg in call.args]),
                kwargs=_with_named_truths(call.kwargs, names),
            )
            for call in sequence.calls
        )
        variant = Sequence(calls)
        if variant.key not in told:
            told.add(variant.key)
            yield variant


def _truth_of(value: Arg) -> Const:
    """Whether ``value`` is true, as functions are."""
    match value:
        case Display(_, items):
            return Const(value=bool(items))
        case Const(one):
            return Const(value=bool(one))
    return Const(value=True)


def _with_named_truths(
    named: tuple[tuple[str, Arg], ...], truths: Truths
) -> tuple[tuple[str, Arg], ...]:
    return tuple([(name, _named_truth(name, value, truths)) for name, value in named])


def _named_truth(name: object, value: Arg, truths: Truths) -> Arg:
    """The truth of a literal or function that a switch has; of any other value those inside it."""
    is_none = isinstance(value, Display) and not value.items and name in truths.asked
    if is_none or (name in truths.switches and isinstance(value, Const | Display | Source)):
        return _truth_of(value)
    return _with_truths_inside(value, truths)


def _with_truths_inside(arg: Arg, truths: Truths) -> Arg:
    match arg:
        case Display("dict", items):
            keys = [one.value if isinstance(one, Const) else None for one in items[::2]]
            pairs = [
                (one, _named_truth(key, value, truths))
                for one, key, value in zip(items[::2], keys, items[1::2], strict=True)
            ]
            return Display("dict", tuple([part for pair in pairs for part in pair]))
        case Display(kind, items):
            return Display(kind, tuple([_with_truths_inside(one, truths) for one in items]))
        case Build(callee, args, kwargs):
            inside = tuple([_with_truths_inside(one, truths) for one in args])
            return Build(callee, inside, _with_named_truths(kwargs, truths))
    return arg
