"""Options one at a time, then two at a time, on the base of a run that worked.

Invariant: a Call keeps its other arguments; an option is given by its name, or where it stood.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.kinds.change_leaves import change, is_changeable
from unitcraft.explore.search.variation.places import put_call
from unitcraft.explore.search.variation.variation_kind import Materials, ParameterSlot

#: Chance that a second option is given too.  Off: no site of 153, 2 Goals fewer of 370.
PAIR_CHANCE: Final = 0.4
#: Chance that a default is varied rather than a value drawn.
#: Off: no site of 153, 2 Goals fewer of 370.
DEFAULT_CHANCE: Final = 0.4
#: Chance that an option that is given is left out: what one run needed, another one can do without.
#: Off: a branch of tests/quality/causes/many_options.py is missed with one seed of four.
LEFT_OUT_CHANCE: Final = 0.3
#: Chance that the options are some that the line of the missing site names, if it names any.
#: Halved with nine others, sites of ``pellets`` (664, seed 0): +7.
NAMED_CHANCE: Final = 0.5


class VaryOptions:
    """A Call of the run with an option given another value."""

    name = "options"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with one option of one of its Calls changed or given, sometimes two.

        They are often some that the line of the missing site names.
        """
        names = materials.names if rng.random() < NAMED_CHANCE else frozenset()
        leaves_out = rng.random() < LEFT_OUT_CHANCE
        sequence = self._vary_one(run.sequence, materials, names, rng, leaves_out=leaves_out)
        if sequence is not None and rng.random() < PAIR_CHANCE:
            return self._vary_one(sequence, materials, names, rng) or sequence
        return sequence

    def _vary_one(
        self,
        sequence: Sequence,
        materials: Materials,
        names: frozenset[str],
        rng: Random,
        *,
        leaves_out: bool = False,
    ) -> Sequence | None:
        choices = [
            (at, number, slot)
            for at in range(len(sequence))
            for number, slot in enumerate(materials.slots(at))
            if is_option(slot)
        ]
        if not choices:
            return None
        choices = [one for one in choices if one[2].parameter.name.strip("_") in names] or choices
        at, number, slot = choices[rng.randrange(len(choices))]
        left_out = without_option(sequence.calls[at], slot) if leaves_out else None
        if left_out is not None:
            return put_call(sequence, at, left_out)
        value = _near_default(slot, materials, rng) or materials.draw(at, number)
        if value is None:
            return None
        return put_call(sequence, at, with_option(sequence.calls[at], number, slot, value))


def is_option(slot: ParameterSlot) -> bool:
    """Can the parameter be left out, and be given by its name?"""
    return not slot.parameter.required and slot.parameter.kind in ("positional", "keyword")


def with_option(call: Call, number: int, slot: ParameterSlot, value: Arg) -> Call:
    """``call`` with ``value`` for its parameter ``number``."""
    first = 1 if call.kind == "method" else 0
    args, kwargs = call.args, dict(call.kwargs)
    if slot.parameter.kind == "positional" and first + number < len(args):
        args = (*args[: first + number], value, *args[first + number + 1 :])
    else:
        kwargs[slot.parameter.name] = value
    return Call(call.kind, call.name, args, tuple(kwargs.items()), call.then)


def without_option(call: Call, slot: ParameterSlot) -> Call | None:
    """``call`` without the option; None where it does not give it by its name."""
    kwargs = tuple([one for one in call.kwargs if one[0] != slot.parameter.name])
    return replace(call, kwargs=kwargs) if kwargs != call.kwargs else None


def _near_default(slot: ParameterSlot, materials: Materials, rng: Random) -> Arg | None:
    """Something like the default, sometimes."""
    default = slot.parameter.default
    if default is not None and is_changeable(default) and rng.random() < DEFAULT_CHANCE:
        return change_inside(default, materials, rng)
    return None


def change_inside(arg: Arg, materials: Materials, rng: Random) -> Arg | None:
    """``arg`` with one of its leaves changed, or ``arg`` itself as a leaf or container."""
    if isinstance(arg, Display) and arg.items and rng.random() < 0.7:  # noqa: PLR2004
        at = rng.randrange(len(arg.items))
        inner = change_inside(arg.items[at], materials, rng)
        if inner is None:
            return None
        return Display(arg.kind, (*arg.items[:at], inner, *arg.items[at + 1 :]))
    if isinstance(arg, (Const, Display)) and is_changeable(arg):
        return change(arg, (), materials, rng)
    return None
