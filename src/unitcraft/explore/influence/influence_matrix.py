"""Which of a fixed list of Invocables influences which, as bits of integers.

Invariant: every question is answered from masks that were made once; the order of the list is
that of the numbers.

Source: JTESTCRAFT, sections 4.3.1 and 4.3.2 (the checks are cached, on integer identities).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from unitcraft.explore.influence.effects import Effects, Slot


class InfluenceMatrix:
    """The influences between the Invocables of ``rows``.

    ``heirs`` are the classes whose objects fit where a class is asked for, itself among them.
    """

    def __init__(self, rows: Sequence[Effects], heirs: Mapping[str, Sequence[str]]) -> None:
        self.rows = tuple(rows)
        self._bits: dict[object, int] = {}
        self._heirs = heirs
        self._least: dict[tuple[int, ...], int] = {}
        self._out = [
            (self._mask(one.defines), self._mask(one.stores), self._mask(one.returns))
            for one in rows
        ]
        self.uses = [self._mask(one.uses) for one in rows]
        self.loads = [self._mask(one.loads) for one in rows]
        self.fits = [[self._fitting(slot) for slot in one.slots] for one in rows]
        self.influences = [
            _bits(other for other in range(len(rows)) if self._influences(number, other))
            for number in range(len(rows))
        ]
        self._dependent = [
            _bits(other for other in range(len(rows)) if self._depend(number, other))
            for number in range(len(rows))
        ]

    def least_makers(self, masks: tuple[int, ...]) -> int:
        """A lower bound of the calls that make something for each of ``masks``.

        Masks count that no call serves two of.
        """
        known = self._least.get(masks)
        if known is None:
            served = [
                _bits(n for n, out in enumerate(self._out) if out[2] & mask) for mask in masks
            ]
            taken = known = 0
            for makers in served:
                if not makers & taken:
                    taken |= makers
                    known += 1
            self._least[masks] = known
        return known

    def _mask(self, things: Iterable[object]) -> int:
        return _bits(self._bits.setdefault(one, len(self._bits)) for one in things)

    def _fitting(self, slot: Slot) -> int:
        return self._mask(heir for cls in slot.classes for heir in self._heirs.get(cls, (cls,)))

    def of_class(self, cls: str) -> int:
        """A class, as a mask."""
        return self._mask((cls,))

    def returns(self, number: int) -> int:
        """The classes that a result may have, as a mask."""
        return self._out[number][2]

    def defines(self, number: int) -> int:
        """The variables that an Invocable may define, as a mask."""
        return self._out[number][0]

    def _influences(self, first: int, other: int) -> bool:
        """May ``first`` pass a value to ``other``: by a variable, an element or its result?"""
        defined, stored, made = self._out[first]
        return bool(
            defined & self.uses[other]
            or stored & self.loads[other]
            or any(made & fits for fits in self.fits[other])
        )

    def _depend(self, first: int, other: int) -> bool:
        """May the order of two calls matter?"""
        both_define = self._out[first][0] & self._out[other][0]
        both_store = self._out[first][1] & self._out[other][1]
        one_way = self._influences(first, other) or self._influences(other, first)
        return bool(both_define or both_store or one_way)

    def are_independent(self, first: int, other: int) -> bool:
        """Do two calls in a row come to the same in either order?"""
        return not self._dependent[first] >> other & 1

    def are_linked_by_shared(self, first: int, other: int) -> bool:
        """Does ``other`` use what ``first`` puts into a variable of a module or class?"""
        row = self.rows[first]
        defined = self._mask(one for one in row.defines if one.is_shared)
        stored = self._mask(one for one in row.stores if one.is_shared)
        return bool(defined & self.uses[other] or stored & self.loads[other])

    def normal_order(self, calls: Sequence[int]) -> tuple[int, ...]:
        """The least of the orders that come to the same as that of ``calls``."""
        left = list(calls)
        found: list[int] = []
        while left:
            free = [
                place
                for place, one in enumerate(left)
                if all(self.are_independent(before, one) and before != one
                       for before in left[:place])
            ]  # fmt: skip
            found.append(left.pop(min(free, key=lambda place: left[place])))
        return tuple(found)


def _bits(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << number
    return mask
