"""Texts that stand for several things are told apart by the names of their parameters.

Where ``Message(text="abc", code="abc")`` is all that a test says, nobody sees which of the two the
code used: ``Message(text="text", code="code")`` shows it.

Invariant: a variant differs in texts only that the Sequence gives more than once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, repeat
from typing import Final

from unitcraft.core.sequences import Arg, Const, Sequence, arguments
from unitcraft.explore.plausibility.argument_fit import Plausibility

#: Letters of a parameter's name that may stand for its value: shorter ones say nothing.
MIN_TELLING_NAME: Final = 3


def with_telling_texts(sequence: Sequence, plausibility: Plausibility) -> Sequence | None:
    """``sequence`` with names in place of the texts that it gives several times; None without."""
    given = [
        arg.value
        for call in sequence.calls
        for arg in arguments(call)
        if isinstance(arg, Const) and isinstance(arg.value, str) and arg.value
    ]
    repeated = {text for text, count in Counter(given).items() if count > 1}

    def telling(arg: Arg, name: str) -> Arg:
        stands_for_several = isinstance(arg, Const) and arg.value in repeated
        return (
            Const(name.strip("_")) if stands_for_several and len(name) >= MIN_TELLING_NAME else arg
        )

    calls = []
    for call in sequence.calls:
        names = chain(plausibility.parameter_names(sequence, call), repeat(""))
        args = tuple([telling(arg, name) for arg, name in zip(call.args, names, strict=False)])
        kwargs = tuple([(name, telling(arg, name)) for name, arg in call.kwargs])
        calls.append(replace(call, args=args, kwargs=kwargs))
    return None if tuple(calls) == sequence.calls else Sequence(tuple(calls))
