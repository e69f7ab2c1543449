"""Laws of calls that take another object of the class: ``S + other == other + S``.

Whether the two may change places, what an object does with itself and with what one call makes of
it (``S + -S``), and whether it matters which two of three are joined first.

Invariant: what is proposed is equal wherever both sides are defined; conditions and confirmation
come afterwards, as for any law.

Source: HENKEL, axiom templates; the laws are those of algebra.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Compute,
    Constant,
    Law,
    Part,
    Term,
    Var,
)
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.values import UNDEFINED, UNKNOWN, NoPlainValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.profiles import Profile

#: Rows on which both sides have to be defined.
MIN_ROWS: Final = 5
_OTHER: Final = Var(OWN, 0)
_THIRD: Final = Var(OWN, 1)


class ObjectLaws:
    """The search on ``rows`` among the calls that take one object of the class and nothing else.

    ``values`` are the terms that calls return, to compare with.
    """

    def __init__(self, rows: Rows, profiles: Sequence[Profile], values: Sequence[Term]) -> None:
        self._rows = rows
        self._operations = rows.universe.table.operations
        self._values = rows.universe.table.values
        self._profiles = profiles
        explored = rows.universe.table.is_explored
        places = [place for place in range(len(profiles)) if explored(place)]
        self._binary = [one for one in places if self._operations[one].sorts == (OWN,)]
        self._makers = [
            one for one in places if profiles[one].makes and profiles[one].pure
            and not self._operations[one].sorts
        ]  # fmt: skip
        self._shown = [one for one in values if isinstance(one, Apply) and one.args == (RECEIVER,)]

    def run(self) -> Iterator[Law]:
        """The laws, without conditions; some hold where both sides are defined only."""
        for place in self._binary:
            for part in self._parts(place):
                yield from self._commutes(place, part)
                yield from self._alone(Apply(place, (RECEIVER, RECEIVER), part))
                for maker in self._makers:
                    made = Apply(maker, (RECEIVER,), "state")
                    yield from self._alone(Apply(place, (RECEIVER, made), part))
            if self._profiles[place].makes and self._profiles[place].pure:
                yield from self._associates(place)

    def _parts(self, place: int) -> tuple[Part, ...]:
        profile = self._profiles[place]
        if not profile.pure:
            return ()
        return ("state",) if profile.makes else ("value",) if profile.is_observer else ()

    def _commutes(self, place: int, part: Part) -> Iterator[Law]:
        left = Apply(place, (_OTHER, RECEIVER), part)
        right = Apply(place, (RECEIVER, _OTHER), part)
        if self._is_law(left, right) and self._varies(right):
            yield Law(left, right)

    def _associates(self, place: int) -> Iterator[Law]:
        first = Apply(place, (RECEIVER, _OTHER), "state")
        last = Apply(place, (_OTHER, _THIRD), "state")
        left = Apply(place, (first, _THIRD), "state")
        right = Apply(place, (RECEIVER, last), "state")
        if self._rows_have(_THIRD) and self._is_law(left, right) and self._varies(right):
            yield Law(left, right)

    def _alone(self, left: Apply) -> Iterator[Law]:
        """What a call comes to that takes nothing but the receiver: itself, or a constant."""
        if left.part == "state":
            sides: list[Term] = [RECEIVER, *(Apply(m, (RECEIVER,), "state") for m in self._makers)]
        else:
            none = Constant(self._values.of_plain(None))
            negated = [Compute(one, "not", none) for one in self._shown]
            sides = [*map(Constant, self._values_of(left)), *self._shown, *negated]
        found = next((right for right in sides if self._is_law(left, right)), None)
        if found is not None:
            yield Law(left, found)
        if left.part == "state":
            for one in self._shown:
                after = Apply(one.operation, (left,), "value")
                for value in self._values_of(after):
                    if found is None and self._is_law(after, Constant(value)):
                        yield Law(after, Constant(value))

    def _values_of(self, term: Term) -> list[int]:
        """The one value that ``term`` has on all rows, if it is one to speak of."""
        seen = {value for value in self._rows.distinct(term) if value >= 0}
        if len(seen) != 1:
            return []
        (value,) = seen
        try:
            return [value] if self._values.plain(value) in (True, False, None) else []
        except NoPlainValue:
            return []

    def _rows_have(self, variable: Var) -> bool:
        return variable in self._rows.variables

    def _varies(self, term: Term) -> bool:
        return len({value for value in self._rows.distinct(term) if value >= 0}) > 1

    def _is_law(self, left: Term, right: Term) -> bool:
        """Are both equal wherever they are known, and defined on the same rows?"""
        if not self._rows_have(_OTHER):
            return False
        pairs = list(zip(self._rows.vector(left), self._rows.beside(left, right), strict=True))
        known = [pair for pair in pairs if UNKNOWN not in pair]
        defined = [pair for pair in known if UNDEFINED not in pair]
        return len(defined) >= MIN_ROWS and all(one == other for one, other in known)
