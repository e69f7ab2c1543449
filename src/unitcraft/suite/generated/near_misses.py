"""Negatives that nearly pass: what a predicate refuses, made of what it accepts.

That ``is_url("abc")`` is false says little of the predicate; that ``is_url("https://example")`` is
says which part it misses.

Invariant: a variant differs from its Sequence in one text, which stood for any.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Arg, Const, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.suite.generated.telling_values import ARBITRARY_TEXTS

#: Characters of an accepted text that has parts; a longer one is hard to compare with its variant.
MIN_ACCEPTED: Final = 4
MAX_ACCEPTED: Final = 80
#: Variants of one Sequence: a bound for texts of many parts.
MAX_VARIANTS: Final = 4
#: A sign between two parts of a text.
_SIGN: Final = re.compile(r"[^\w\s]+")


def near_misses(refused: Execution, accepted: list[Execution]) -> list[Sequence]:
    """The Calls of ``refused`` with a text that lacks a part of what an ``accepted`` run gives."""
    found: dict[str, Sequence] = {}
    for run in accepted:
        for index, arg in _differing(refused.sequence, run.sequence):
            for text in _without_a_part(arg):
                call = refused.sequence.calls[-1]
                args = (*call.args[:index], Const(text), *call.args[index + 1 :])
                one = Sequence((*refused.sequence.calls[:-1], replace(call, args=args)))
                found.setdefault(one.key, one)
    return list(found.values())[:MAX_VARIANTS]


def _differing(refused: Sequence, accepted: Sequence) -> Iterator[tuple[int, str]]:
    """(place, accepted text) of the one argument in which the last Calls differ, if both are texts.

    The refused one has to stand for any.
    """
    one, other = refused.calls[-1], accepted.calls[-1]
    alike = refused.calls[:-1] == accepted.calls[:-1] and one.kwargs == other.kwargs
    if not alike or (one.name, len(one.args)) != (other.name, len(other.args)):
        return
    pairs = [(at, *pair) for at, pair in enumerate(zip(one.args, other.args, strict=True))]
    differing = [(at, given, taken) for at, given, taken in pairs if given != taken]
    for at, given, taken in differing if len(differing) == 1 else ():
        if _text(given) in ARBITRARY_TEXTS and MIN_ACCEPTED <= len(_text(taken)) <= MAX_ACCEPTED:
            yield at, _text(taken)


def _text(arg: Arg) -> str:
    return arg.value if isinstance(arg, Const) and isinstance(arg.value, str) else ""


def _without_a_part(text: str) -> Iterator[str]:
    """``text`` without its last part, its first one, and each of its signs."""
    signs = list(_SIGN.finditer(text))
    parts = [text[: signs[-1].start()], text[signs[0].end() :]] if signs else []
    parts += [text[: one.start()] + text[one.end() :] for one in reversed(signs)]
    yield from dict.fromkeys(part for part in parts if part)
