"""Candidate sequences by chance: long ones, of which there are too many to enumerate.

Invariant: a sequence that is drawn can run: every object that a call needs is made before it; all
of its calls may influence the last one.

Source: JTESTCRAFT, section 4.3.2; differs: sequences are drawn, not enumerated.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from unitcraft.explore.influence.data_flow import is_executable
from unitcraft.explore.influence.effects import Effects
from unitcraft.explore.influence.influence_matrix import InfluenceMatrix
from unitcraft.explore.influence.sequence_enumeration import heirs_of, may_come_first
from unitcraft.subject.model import Subject

#: Calls that one sequence may need to make its objects.  Halved with eleven such bounds, sites of
#: ``pellets`` (664, seed 0): +3.
MAX_MAKERS: Final = 8
#: Chance that what is made from other objects is made now, so that calls before change those.
#: Measured with LAST_CHANCE of the walks.
MAKING_CHANCE: Final = 0.4
#: Chance that an object is made by a constructor, where calls answer such objects too.  The same.
CONSTRUCTOR_CHANCE: Final = 0.6
#: Chance that a call needs two objects where one would do.  Halved, sites of ``pellets`` (664, seed
#: 1): -2.
ANOTHER_CHANCE: Final = 0.5


class SequenceDrawing:
    """Draws sequences that end in any of the Invocables of ``effects``."""

    def __init__(self, effects: Sequence[Effects], subject: Subject) -> None:
        self.matrix = InfluenceMatrix(effects, heirs_of(subject))
        closed = {one.id for one in subject.classes if one.enum_members}
        first = [
            number
            for number, one in enumerate(effects)
            if may_come_first(one) and one.invocable.owner not in closed
        ]
        self._makers = [one for one in first if makes_object(effects[one])]
        self._changing = [one for one in first if _changes_more_than_its_object(effects[one])]
        self._numbers = {one.invocable.id: number for number, one in enumerate(effects)}

    def number_of(self, invocable: str) -> int | None:
        """The number of an Invocable, None for one without effects that are known."""
        return self._numbers.get(invocable)

    def changing(self, target: int) -> list[int]:
        """The calls that may influence ``target`` and make no object."""
        return [one for one in self._changing if self.matrix.influences[one] >> target & 1]

    def acting_apart(self, calls: Sequence[int | None]) -> tuple[int, ...]:
        """The places of ``calls`` that act on the last through a variable of a module or class.

        Directly, or through another of them.
        """
        found = [len(calls) - 1]
        for place in range(len(calls) - 2, -1, -1):
            one = calls[place]
            after = [other for other in (calls[each] for each in found) if other is not None]
            if one is not None and any(self.matrix.are_linked_by_shared(one, e) for e in after):
                found.append(place)
        return tuple(found[1:])

    def others_like(self, returned: int) -> list[int]:
        """The makers of other objects that fit into a slot where ``returned`` fits."""
        slots = [fits for row in self.matrix.fits for fits in row if fits & returned]
        return [
            one
            for one in self._makers
            if self.matrix.returns(one) != returned
            and any(self.matrix.returns(one) & fits for fits in slots)
        ]

    def maker(self, fits: int, rng: Random) -> int | None:
        """A maker of an object of one of the classes ``fits``, None if there is none."""
        makers = [one for one in self._makers if self.matrix.returns(one) & fits]
        return self._pick(makers, rng) if makers else None

    def _pick(self, calls: list[int], rng: Random) -> int:
        """One of ``calls``; of makers a constructor more often, whose result is new."""
        rows = self.matrix.rows
        if rng.random() < CONSTRUCTOR_CHANCE:
            made = [one for one in calls if rows[one].invocable.kind == "constructor"]
            calls = made or calls
        return calls[rng.randrange(len(calls))]

    def draw(self, target: int, count: int, rng: Random) -> tuple[int, ...] | None:
        """A sequence of ``count`` calls that change objects, and those that make what they need.

        What needs no object itself is made first; a call that makes an object from others has
        calls before it that may change those.
        """
        calls: tuple[int, ...] = (target,)
        for _ in range(count):
            members = 0
            for one in calls:
                members |= 1 << one
            fitting = [one for one in self._changing if self.matrix.influences[one] & members]
            makers = self._late_makers(calls)
            if makers and (not fitting or rng.random() < MAKING_CHANCE):
                fitting = makers
            if not fitting:
                break
            calls = (self._pick(fitting, rng), *calls)
        return self._with_makers(calls, rng)

    def _late_makers(self, calls: tuple[int, ...]) -> list[int]:
        """The makers of what ``calls`` lack, where each of them needs an object itself."""
        for missing in self._missing(calls):
            makers = [one for one in self._makers if self.matrix.returns(one) & missing]
            if makers and all(self.matrix.rows[one].slots for one in makers):
                return makers
        return []

    def _with_makers(self, calls: tuple[int, ...], rng: Random) -> tuple[int, ...] | None:
        """``calls`` with makers in front, until every object is there; of some more than one."""
        for _ in range(MAX_MAKERS):
            missing = self._missing(calls)
            if not missing:
                return calls if is_executable(self.matrix, calls) else None
            makers = [one for one in self._makers if self.matrix.returns(one) & missing[-1]]
            if not makers:
                return None
            plain = [one for one in makers if not self.matrix.rows[one].slots]
            calls = (self._pick(makers, rng), *calls)
            if plain and rng.random() < ANOTHER_CHANCE:
                calls = (plain[rng.randrange(len(plain))], *calls)
        return None

    def _missing(self, calls: tuple[int, ...]) -> list[int]:
        """For each required slot without a result before it, the classes that fit."""
        made, found = 0, []
        for one in calls:
            for slot, fits in zip(self.matrix.rows[one].slots, self.matrix.fits[one], strict=True):
                if slot.required and not made & fits:
                    found.append(fits)
            made |= self.matrix.returns(one)
        return found


def _changes_more_than_its_object(effects: Effects) -> bool:
    """Does a call change what was there before it?"""
    changed = (*effects.defines, *effects.stores)
    if effects.invocable.kind == "constructor":
        return any(one.is_shared for one in changed)
    return bool(changed)


def makes_object(effects: Effects) -> bool:
    """Does a call answer an object that is not its receiver again?"""
    receiver = effects.invocable.owner if effects.invocable.kind == "method" else ""
    return bool(effects.returns) and effects.returns != (receiver,)
