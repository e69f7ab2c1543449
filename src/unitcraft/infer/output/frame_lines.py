"""Frames: what one call keeps, all in one line: ``start(S) keeps laps, total if not running(S)``.

What observers show of a new object is one line too: ``Lamp() has level == 0, most == 3``.

Invariant: a line says what the laws say that it stands for, and nothing more; laws of one line have
the same call and the same condition.

Source: DAIKON, frame conditions and modified variables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Constant,
    Guard,
    Law,
    Term,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


def group_frames(laws: Iterable[Law]) -> list[tuple[Law, ...]]:
    """``laws`` in their order; those of one frame together, where the first of them stands."""
    groups: dict[tuple[Apply, Guard], list[Law]] = {}
    found: list[list[Law]] = []
    for law in laws:
        call = kept_by(law)
        if call is None:
            found.append([law])
        elif (call, law.guard) in groups:
            groups[call, law.guard].append(law)
        else:
            groups[call, law.guard] = [law]
            found.append(groups[call, law.guard])
    return [tuple(group) for group in found]


def is_made(call: Term) -> bool:
    """Is it the call of a constructor, which has no object as its receiver?"""
    return isinstance(call, Apply) and isinstance(call.args[0], Constant)


def kept_by(law: Law) -> Apply | None:
    """The call after which an observer without arguments shows the same, as ``law`` says.

    Or the call of a constructor, of which it says what an observer shows of the new object.
    """
    left, right = law.left, law.right
    if not isinstance(left, Apply) or left.part != "value" or len(left.args) != 1:
        return None
    call = left.args[0]
    if is_made(call):
        return call  # type: ignore[return-value]
    if right != Apply(left.operation, (RECEIVER,), "value") or not isinstance(call, Apply):
        return None
    return call if call.part == "state" and call.args[0] == RECEIVER else None
