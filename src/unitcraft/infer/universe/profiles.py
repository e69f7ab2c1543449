"""What kind of function each operation is, by its entries: observer, mutator, both.

Invariant: a profile says what the table shows and nothing else; an operation is pure when no entry
of a meant call left another state.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unitcraft.core.sequences import Const

if TYPE_CHECKING:
    from unitcraft.infer.universe.state_equality import StateEquality
    from unitcraft.infer.universe.transition_table import TransitionTable


@dataclass(frozen=True, slots=True)
class Profile:
    """An operation: is it ``pure``, does it return values, make objects of the class, raise?

    ``raises`` are the numbers of its exceptions.  ``keeps_on_raise``: no raise changed the state.
    ``returns_none``: all that it returned was None.
    """

    pure: bool = True
    returns: bool = False
    returns_none: bool = True
    makes: bool = False
    raises: tuple[int, ...] = ()
    keeps_on_raise: bool = True

    @property
    def is_observer(self) -> bool:
        """Pure, with values to look at?"""
        return self.pure and self.returns and not self.returns_none

    @property
    def is_mutator(self) -> bool:
        """Does it lead to another state, of the receiver or of a new object?"""
        return not self.pure or self.makes


def profiles_of(table: TransitionTable, equality: StateEquality) -> list[Profile]:
    """The profile of each operation of ``table``."""
    none = table.values.of_arg(Const(None))
    found = [_Observed() for _ in table.operations]
    pairs, entries = zip(*table.entries(), strict=True) if len(table) else ((), ())
    for (state, call), (kind, value, after) in zip(pairs, equality.merged(entries), strict=True):
        seen = found[table.called[call][0]]
        if kind == "?":
            continue
        if kind == "x":
            seen.raises[value] = None
            seen.kept &= after >= 0
            continue
        if seen.pure and after not in equality.alone:
            seen.pure = after == equality.representative(state)
        if kind == "s":
            seen.makes = True
        else:
            seen.returns = True
            seen.only_none &= value == none
    return [
        Profile(one.pure, one.returns, one.only_none, one.makes, tuple(one.raises), one.kept)
        for one in found
    ]


class _Observed:
    """What the entries of one operation have shown so far."""

    def __init__(self) -> None:
        self.pure = True
        self.returns = False
        self.only_none = True
        self.makes = False
        self.kept = True
        self.raises: dict[int, None] = {}
