"""Bounds, orders and lists: laws that compare what observers and calls show.

``low(S) <= target(S)`` and ``0 <= size(S)`` hold of every object, ``coins(S) <= coins(coin(S))``
of every call; ``len(items(S)) == size(S)`` and ``items(S)[0] == first(S)`` say what a list shows.

Invariant: an order is proposed only where it is tight: equal on one row and strict on another;
what is far apart is so by chance.

Source: DAIKON, the families of bounds, linear orders and sequences.
"""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

from unitcraft.infer.algebraic.computed_values import is_number
from unitcraft.infer.algebraic.guards import MaskedAtom, weakest_guard, without
from unitcraft.infer.algebraic.law_terms import (
    ALWAYS,
    RECEIVER,
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    Law,
    Term,
    Test,
    is_canonical,
    size,
    variables,
)
from unitcraft.infer.algebraic.outcome_guards import is_returning, returning
from unitcraft.infer.axiomatic.observer_definitions import MIN_TRIPLES
from unitcraft.infer.universe.values import NUMBERS, UNDEFINED, NoPlainValue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.profiles import Profile

#: Rows that an order needs, and different pairs of values on them.
MIN_ROWS: Final = 5
MIN_PAIRS: Final = 3
#: What of a list is compared: length, ends, sum, extremes, itself in order and without repetitions.
PARTS_OF_LISTS: Final = ("len", "first", "last", "sum", "min", "max", "sorted", "distinct")
#: Parts that are lists, and worth a law only where they are the list itself.
_WHOLE: Final = ("sorted", "distinct")


class ValueLaws:
    """The search for orders and laws of lists on ``rows`` (mutable: it caches kinds).

    ``values`` are terms that calls return, ``states`` those of objects, ``known`` the laws found.
    """

    def __init__(
        self,
        rows: Rows,
        profiles: Sequence[Profile],
        values: Sequence[Term],
        states: Sequence[Term],
        known: Sequence[Law],
    ) -> None:
        self._rows = rows
        self._values = rows.universe.table.values
        self._raises = [rows.universe.is_partial(n, one) for n, one in enumerate(profiles)]
        self._shown: list[Apply] = [
            one for one in values
            if isinstance(one, Apply) and size(one) == 1 and profiles[one.operation].is_observer
            and one.args == (RECEIVER,)
        ]  # fmt: skip
        self._counts = [
            one for one in values
            if isinstance(one, Apply) and size(one) == 1 and profiles[one.operation].is_observer
            and len(one.args) > 1 and is_canonical(one) and self._is_of(one, NUMBERS)
        ]  # fmt: skip
        self._results: list[Apply] = [
            one for one in values
            if isinstance(one, Apply) and size(one) == 1 and not profiles[one.operation].pure
            and is_canonical(one)
        ]  # fmt: skip
        self._changes = [one for one in states if size(one) == 1 and is_canonical(one)]
        self._explained = {law.left for law in known}
        self._decided = {
            law.left for law in known if not law.guard.atoms or is_returning(law.guard)
        }
        self._zero = Constant(self._values.of_plain(0))
        self._true = Constant(self._values.of_plain(True))  # noqa: FBT003

    def run(self, atoms: Sequence[MaskedAtom]) -> list[Law]:
        """The laws; ``atoms`` are conditions for those of lists."""
        numbers = [one for one in self._shown if self._is_of(one, NUMBERS)]
        found = self._invariants([*numbers, *self._lengths(numbers)])
        found += self._positive(numbers, atoms)
        for one in self._counts:
            found += self._first_orders([(self._zero, one), *((one, most) for most in numbers)])
            given = [by for by in one.args[1:] if self._is_of(by, (int,))]
            found += self._first_orders([pair for by in given for pair in ((one, by), (by, one))])
        for result in self._results:
            if self._is_of(result, NUMBERS) and result not in self._explained:
                pairs: list[tuple[Term, Term]]
                pairs = [(self._zero, result), *((one, result) for one in numbers),
                         *((result, one) for one in numbers)]  # fmt: skip
                found += self._first_orders(pairs)
        for change in self._changes:
            for one in numbers:
                later = Apply(one.operation, (change,), "value")
                if later not in self._explained:
                    found += self._first_orders([(one, later), (later, one)])
            found += self._later_lengths(change)
        return [*found, *self._of_lists(atoms), *self._sums(atoms)]

    def _lengths(self, numbers: Sequence[Apply]) -> list[Compute]:
        """The lengths of what observers show, if none of ``numbers`` is one."""
        none = Constant(self._values.of_plain(None))
        sized = [one for one in self._shown if self._is_of(one, (list, tuple, str))]
        known = [self._rows.vector(one) for one in numbers]
        lengths = [Compute(one, "len", none) for one in sized]
        return [one for one in lengths if self._rows.vector(one) not in known]

    def _positive(self, numbers: Sequence[Apply], atoms: Sequence[MaskedAtom]) -> list[Law]:
        """That a number which is never negative is more than zero, and when."""
        rows, found = self._rows, []
        for one in numbers:
            yes, no = rows.atom(Atom(self._zero, "<", one))
            zero, _ = rows.atom(Atom(one, "==", self._zero))
            usable = [
                by
                for by in without(atoms, (one,))
                if isinstance(by.atom.right, Constant)
                and not any(self._is_of(side, (list, tuple, set, dict, str)) for side in by.asked)
            ]
            if min(yes.bit_count(), zero.bit_count()) < MIN_ROWS or no != zero:
                continue
            guard, mask = weakest_guard(usable, yes, no)
            if mask == yes and len(guard.atoms) == 1:
                found.append(Law(Test(self._zero, "<", one), self._true, guard))
        return found

    def _later_lengths(self, change: Term) -> Iterator[Law]:
        """How a call changes the length of a text that is not shown otherwise."""
        none, unit = (Constant(self._values.of_plain(value)) for value in (None, 1))
        given = [one for one in variables(change)[1:] if self._is_of(one, (str,))]
        for one in [one for one in self._shown if self._is_of(one, (str,))]:
            later, before = Apply(one.operation, (change,), "value"), Compute(one, "len", none)
            if later in self._decided:
                continue
            left = Compute(later, "len", none)
            steps: list[Term] = [*(Compute(by, "len", none) for by in given), unit]
            sides = [before, *(Compute(before, sign, by) for by in steps for sign in ("+", "-"))]
            vector = self._rows.vector(left)
            seen = vector.distinct
            if sum(value >= 0 for value in seen) < MIN_PAIRS or UNDEFINED in seen:
                continue
            yield from [Law(left, side) for side in sides if self._rows.vector(side) == vector][:1]

    def _sums(self, atoms: Sequence[MaskedAtom]) -> Iterator[Law]:
        """An integer that is the sum or difference of two others, of which one may raise.

        ``observer_definitions`` has those of which none does.
        """
        integers = [one for one in self._shown if self._is_of(one, (int,))]
        partial = [one for one in integers if UNDEFINED in self._rows.distinct(one)]
        for one in [one for one in integers if one not in partial] if partial else ():
            others = [by for by in integers if by is not one]
            for left, right in permutations(others, 2):
                sums = ("-",) if others.index(left) > others.index(right) else ("-", "+")
                total = next(
                    (law for sign in sums if left in partial or right in partial
                     if (law := self._sum(one, Compute(left, sign, right), atoms)) is not None),
                    None,
                )  # fmt: skip
                if total is not None:
                    yield total
                    break

    def _sum(self, one: Apply, total: Compute, atoms: Sequence[MaskedAtom]) -> Law | None:
        """That ``one`` is ``total`` wherever both are defined, if a condition says where."""
        rows = self._rows
        vector, other = rows.vector(one), rows.vector(total)
        defined = vector.defined & other.defined
        triples = zip(vector, rows.vector(total.left), rows.vector(total.right), strict=True)
        if rows.equal(vector, other) != defined or len(set(triples)) < MIN_TRIPLES:
            return None
        guard, mask = weakest_guard(without(atoms, (one, total)), defined, rows.all & ~defined)
        return Law(one, total, guard) if mask == defined and guard.atoms else None

    def _invariants(self, numbers: Sequence[Apply | Compute]) -> list[Law]:
        """Orders of observers, without those that follow from two others."""
        pairs = [(self._zero, one) for one in numbers]
        pairs += list(permutations(numbers, 2))  # type: ignore[arg-type]
        found = {pair: law for pair in pairs if (law := self._order(*pair)) is not None}
        middles = [self._zero, *numbers]
        return [
            law
            for (one, other), law in found.items()
            if not any((one, by) in found and (by, other) in found for by in middles)
        ]

    def _first_orders(self, pairs: Sequence[tuple[Term, Term]]) -> list[Law]:
        return [law for one, other in pairs if (law := self._order(one, other)) is not None]

    def _order(self, one: Term, other: Term) -> Law | None:
        """``one <= other`` or ``one < other``, if one holds wherever both are defined."""
        rows = self._rows
        left, right = rows.vector(one), rows.vector(other)
        pairs = dict.fromkeys((a, b) for a, b in zip(left, right, strict=True) if min(a, b) >= 0)
        steps = [self._step(*pair) for pair in pairs]
        known = [step for step in steps if step is not None]
        if len(known) < max(MIN_PAIRS, len(steps)) or min(known) < 0:
            return None
        strict = min(known) == 1
        if not strict and not min(known) == 0 < max(known):
            return None
        law = Test(one, "<" if strict else "<=", other)
        defined = sum(min(a, b) >= 0 for a, b in zip(left, right, strict=True))
        if defined < MIN_ROWS:
            return None
        if all(min(a, b) != UNDEFINED for a, b in zip(left, right, strict=True)):
            return Law(law, self._true)
        for side in (other, one):
            returns = returning(rows, side, self._raises) if isinstance(side, Apply) else None
            if returns is not None and returns.mask.bit_count() == defined:
                return Law(law, self._true, Guard((returns.atom,)))
        return None

    def _step(self, one: int, other: int) -> float | None:
        """How much greater the second value is; None for a value that is no number."""
        try:
            left, right = self._values.plain(one), self._values.plain(other)
            numbers = is_number(left) and is_number(right)
            step = right - left if numbers else None
        except (NoPlainValue, ArithmeticError, TypeError):
            return None
        step = step / timedelta(seconds=1) if isinstance(step, timedelta) else step
        return float(step) if step is not None and step == step else None  # noqa: PLR0124 - a NaN

    def _of_lists(self, atoms: Sequence[MaskedAtom]) -> Iterator[Law]:
        """What the lists that observers show have in common with what others show."""
        none = Constant(self._values.of_plain(None))
        for one in [one for one in self._shown if self._is_of(one, (list, tuple, str))]:
            said: list[Apply] = []
            for part in PARTS_OF_LISTS[:1] if self._is_of(one, (str,)) else PARTS_OF_LISTS:
                left = Compute(one, part, none)
                sides = [one] if part in _WHOLE else [*self._shown, *self._results]
                for right in [side for side in sides if side not in said]:
                    law = self._guarded(left, right, atoms)
                    if law is not None:
                        said += [right] if part not in _WHOLE else []
                        yield law
                        break

    def _guarded(self, left: Compute, right: Apply, atoms: Sequence[MaskedAtom]) -> Law | None:
        rows = self._rows
        vector = rows.vector(left)
        agree = rows.equal(vector, rows.vector(right))
        if len({a for a in vector if a >= 0}) < MIN_PAIRS or variables(right) != (RECEIVER,):
            return None
        against = rows.all & ~agree & ~rows.unknown(vector)
        defined = sum(a >= 0 for a in vector)
        guard, mask = ALWAYS, rows.all
        if against:
            guard, mask = weakest_guard(without(atoms, (right, left)), agree, against)
        if (mask & agree).bit_count() < max(MIN_ROWS, defined):
            return None
        return Law(right, left, guard) if right in self._results else Law(left, right, guard)

    def _is_of(self, term: Term, kinds: Collection[type]) -> bool:
        """Are all its values of these kinds?"""
        found: list[Any] = []
        for number in self._rows.distinct(term):
            if number >= 0:
                try:
                    found.append(self._values.plain(number))
                except NoPlainValue:
                    return False
        return bool(found) and all(type(one) in kinds for one in found)
