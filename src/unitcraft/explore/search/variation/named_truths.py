"""True or false for what the code asks nothing else of, under a key or as a keyword.

A search gives ``{"sort_keys": 1, "format": "abc"}`` where any true value will do; whoever writes a
test writes ``True``.

Invariant: a variant differs from its Sequence in the values of switches, whose truth is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence, Source


def with_truths(sequence: Sequence, switches: frozenset[str]) -> Iterator[Sequence]:
    """``sequence`` with the truth of each value that one of ``switches`` has, if any differs."""
    calls = tuple(
        replace(
            call,
            args=tuple([_with_truths_inside(arg, switches) for arg in call.args]),
            kwargs=_with_named_truths(call.kwargs, switches),
        )
        for call in sequence.calls
    )
    variant = Sequence(calls)
    if variant.key != sequence.key:  # 1 and True are equal
        yield variant


def _truth_of(value: Const | Display | Source) -> Const:
    """Whether ``value`` is true, as functions are."""
    match value:
        case Display(_, items):
            return Const(value=bool(items))
        case Const(one):
            return Const(value=bool(one))
    return Const(value=True)


def _with_named_truths(
    named: tuple[tuple[str, Arg], ...], switches: frozenset[str]
) -> tuple[tuple[str, Arg], ...]:
    return tuple([(name, _named_truth(name, value, switches)) for name, value in named])


def _named_truth(name: object, value: Arg, switches: frozenset[str]) -> Arg:
    """The truth of a literal or function that a switch has; of any other value those inside it."""
    if name in switches and isinstance(value, Const | Display | Source):
        return _truth_of(value)
    return _with_truths_inside(value, switches)


def _with_truths_inside(arg: Arg, switches: frozenset[str]) -> Arg:
    match arg:
        case Display("dict", items):
            keys = [one.value if isinstance(one, Const) else None for one in items[::2]]
            pairs = [
                (one, _named_truth(key, value, switches))
                for one, key, value in zip(items[::2], keys, items[1::2], strict=True)
            ]
            return Display("dict", tuple([part for pair in pairs for part in pair]))
        case Display(kind, items):
            return Display(kind, tuple([_with_truths_inside(one, switches) for one in items]))
        case Build(callee, args, kwargs):
            inside = tuple([_with_truths_inside(one, switches) for one in args])
            return Build(callee, inside, _with_named_truths(kwargs, switches))
    return arg
