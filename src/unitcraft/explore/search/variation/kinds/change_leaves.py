"""One leaf or container of a run changes: a number, a truth, an item; all else stays.

Invariant: a leaf is replaced by one of its own class, a container by one of its own kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from math import isfinite
from random import Random
from typing import Any, Final

from unitcraft.core.sequences import Arg, Const, Display, Sequence, children
from unitcraft.explore.execution import Execution, is_readable
from unitcraft.explore.search.variation.places import is_literal, places, put_call
from unitcraft.explore.search.variation.variation_kind import Materials, pick_near

#: Items of a container that one more item is added to.  Halved: no site of 759, as many runs.
MAX_ITEMS: Final = 8


class ChangeLeaves:
    """A number, truth, text or container of the run replaced by a near one."""

    name = "leaves"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one leaf or container changed."""
        found = [place for place in places(run.sequence) if is_changeable(place[0])]
        found += _rests(run.sequence, materials)
        if not found:
            return None
        arg, put = found[rng.randrange(len(found))]
        others = tuple(
            other
            for other, _ in found
            if other != arg and _kind(other) == _kind(arg) and is_literal(other)
        )
        new = change(arg, others, materials, rng)
        return None if new is None or not is_readable(new) else put(new)


def _rests(
    sequence: Sequence, materials: Materials
) -> Iterator[tuple[Display, Callable[[Arg], Sequence]]]:
    """What each Call gives for ``*args``, as a tuple, and what puts other items there.

    Off: of ``toolz.itertoolz`` 93, 93 and 91 % of the branches in place of 98, 94 and 92 with three
    seeds: ``merge_sorted`` is never given four.
    """
    for at, call in enumerate(sequence.calls):
        kinds = [slot.parameter.kind for slot in materials.slots(at)]
        if "var_positional" in kinds and call.kind in ("function", "method"):
            first = kinds.index("var_positional") + (call.kind == "method")
            if call.args[first:]:
                put = partial(_with_rest, sequence, at, first)
                yield Display("tuple", call.args[first:]), put


def _with_rest(sequence: Sequence, at: int, first: int, rest: Arg) -> Sequence:
    call = sequence.calls[at]
    return put_call(sequence, at, replace(call, args=(*call.args[:first], *children(rest))))


def is_changeable(arg: Arg) -> bool:
    """Is ``arg`` a container, or a leaf that has neighbours?"""
    return isinstance(arg, Display) or (isinstance(arg, Const) and arg.value is not None)


def _kind(arg: Arg) -> object:
    return type(arg.value) if isinstance(arg, Const) else getattr(arg, "kind", None)


def change(arg: Arg, others: tuple[Arg, ...], materials: Materials, rng: Random) -> Arg | None:
    """Another value of the kind of ``arg``; ``others`` are those of the same run."""
    if others and rng.random() < 0.25:  # noqa: PLR2004
        return others[rng.randrange(len(others))]
    if isinstance(arg, Display):
        return _change_container(arg, rng)
    value = arg.value if isinstance(arg, Const) else None
    if isinstance(value, bool):
        return Const(not value)
    if isinstance(value, int):
        return Const(_change_int(value, materials, rng))
    if isinstance(value, float):
        if not isfinite(value * 10):
            return None
        choices = (-value, value + 0.5, value - 1, 0.0, value * 2, float(round(value * 10)))
        return Const(choices[rng.randrange(len(choices))])
    if isinstance(value, str):
        choices_: tuple[Any, ...] = ("", "", value.upper(), value.lower(), value + value)
        token = pick_near(materials.tokens, rng)
        take = token is not None and rng.random() < 0.7  # noqa: PLR2004
        return Const(token if take else choices_[rng.randrange(len(choices_))])
    return None


def _change_int(value: int, materials: Materials, rng: Random) -> int:
    near = pick_near(materials.numbers, rng)
    choices = [value + 1, value - 1, -value, 0, 1, 2 * value]
    if near is not None:
        choices += [near, near + 1, near - 1, value + near, value - near]
    return choices[rng.randrange(len(choices))]


def _change_container(arg: Display, rng: Random) -> Display | None:
    """An item fewer, one twice, two swapped, or none at all; of a dictionary a pair fewer."""
    unit = 2 if arg.kind == "dict" else 1
    pairs = [arg.items[at : at + unit] for at in range(0, len(arg.items), unit)]
    if not pairs:
        return None
    first, second = rng.randrange(len(pairs)), rng.randrange(len(pairs))
    how = rng.randrange(4)
    if how == 0:
        del pairs[first]
    elif how == 1 and unit == 1 and len(pairs) < MAX_ITEMS:
        pairs.insert(second, pairs[first])
    elif how == 2 and len(pairs) > 1:  # noqa: PLR2004
        pairs[first], pairs[second] = pairs[second], pairs[first]
    else:
        pairs = []
    return Display(arg.kind, tuple(item for pair in pairs for item in pair))
