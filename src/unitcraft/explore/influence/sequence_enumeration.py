"""Candidate sequences: the orders of calls in which each may influence the last, by length.

They are made backwards from the target: a call is put in front where it may influence a later
one.  The data-flow check drops sequences whose calls cannot all be linked, or that have no room
left for the calls that make what their slots need, and of sequences that
differ only in the order of independent calls one is kept.

Invariant: one sequence is in memory at a time; sequences of a length come in the order of the
numbers of their calls, read from the back.

Source: JTESTCRAFT, sections 4.3.2 to 4.3.4; differs: two calls are put in one order only where
neither influences the other and they define nothing in common.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from unitcraft.explore.influence.data_flow import (
    can_be_linked,
    is_executable,
    unfilled_slots,
    union_of,
)
from unitcraft.explore.influence.effects import Effects
from unitcraft.explore.influence.influence_matrix import InfluenceMatrix
from unitcraft.subject.model import Subject

#: Kinds of Invocables that may stand before the target.
_KINDS: Final = (
    "constructor", "function", "classmethod", "staticmethod", "method", "property", "field",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Reductions:
    """Which sequences are left out: those without data flow, and those in other orders."""

    data_flow: bool = True
    partial_order: bool = True


class CandidateSequences:
    """The candidate sequences that end in the Invocable ``target``.

    Abstract state: ``considered`` counts sequences that were looked at, executable or not.
    """

    def __init__(self, effects: Sequence[Effects], target: str, subject: Subject) -> None:
        rows = [one for one in effects if one.invocable.id == target or may_come_first(one)]
        abstract = {
            one.id for one in subject.classes if "abstract" in one.tags or "protocol" in one.tags
        }
        rows = [
            one for one in rows
            if one.invocable.kind != "constructor" or one.invocable.owner not in abstract
        ]  # fmt: skip
        self.matrix = InfluenceMatrix(rows, heirs_of(subject))
        self.target = next(number for number, one in enumerate(rows) if one.invocable.id == target)
        self.considered = 0

    def of_length(
        self, length: int, reductions: Reductions = Reductions(), most: int = 1_000_000
    ) -> Iterator[tuple[int, ...]]:
        """The executable sequences of ``length`` calls; looks at ``most`` sequences."""
        limit = self.considered + most
        yield from self._before((self.target,), length, reductions, limit)

    def _before(
        self, calls: tuple[int, ...], length: int, reductions: Reductions, limit: int
    ) -> Iterator[tuple[int, ...]]:
        self.considered += 1
        if self.considered > limit:
            return
        left = length - len(calls)
        makers = self._makers(calls, left) if reductions.data_flow else -1
        if not makers or (
            reductions.data_flow and not can_be_linked(self.matrix, calls, complete=not left)
        ):
            return
        if not left:
            if is_executable(self.matrix, calls) and (
                not reductions.partial_order or self.matrix.normal_order(calls) == calls
            ):
                yield calls
            return
        for number in self._fronts(calls, makers, reductions):
            if self.considered > limit:
                return
            yield from self._before((number, *calls), length, reductions, limit)

    def _makers(self, calls: tuple[int, ...], left: int) -> int:
        """The classes of which the next call in front has to make one, as a mask.

        All (-1) where there is room for others; none (0) where ``left`` calls cannot fill them.
        """
        unfilled = unfilled_slots(self.matrix, calls)
        least = self.matrix.least_makers(unfilled)
        if least > left:
            return 0
        return union_of(unfilled) if least and least == left else -1

    def _fronts(self, calls: tuple[int, ...], makers: int, reductions: Reductions) -> Iterator[int]:
        """The calls that may stand in front of ``calls``."""
        members = 0
        for one in calls:
            members |= 1 << one
        for number in range(len(self.matrix.rows)):
            fits = makers < 0 or self.matrix.returns(number) & makers
            if (
                fits
                and self.matrix.influences[number] & members
                and not (
                    reductions.partial_order
                    and number > calls[0]
                    and self.matrix.are_independent(number, calls[0])
                )
            ):
                yield number


def may_come_first(effects: Effects) -> bool:
    """Is it public, and more than a look at an object?"""
    one = effects.invocable
    if not one.public or one.kind not in _KINDS:
        return False
    if one.kind in ("property", "field"):
        return bool(one.parameters)
    return bool(effects.defines or effects.stores or effects.returns)


def heirs_of(subject: Subject) -> Mapping[str, Sequence[str]]:
    """Class id -> the classes whose objects can stand for one of it."""
    found: dict[str, list[str]] = {info.id: [info.id] for info in subject.classes}
    for info in subject.classes:
        for base in info.bases:
            found.setdefault(base, [base]).append(info.id)
        for one in info.concrete:
            if one not in found[info.id]:
                found[info.id].append(one)
    return found
