"""What new objects show: ``limit(Queue(limit)) == limit``, ``clear(S) == Stack()``.

A constructor is an operation whose receiver is no matter; the objects that it makes are asked by
observers without arguments, and what it raises has a condition on its arguments.

Invariant: a law of a constructor has no receiver among its variables; it holds on all rows of the
universe that it was learned from, and is confirmed on another like any law.

Source: HENKEL, constructor axioms; DAIKON, bounds at arguments.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.confirmation import is_outcome
from unitcraft.infer.algebraic.guards import MaskedAtom, atoms_for, weakest_guard
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
    Var,
)
from unitcraft.infer.algebraic.term_vectors import Rows, bits
from unitcraft.infer.universe.values import RETURNED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.universes import Universe

#: Rows of one constructor: each is a choice of arguments.
MAX_ROWS: Final = 200
#: Choices of arguments on which a law of arguments has to hold.
MIN_ROWS: Final = 3


class ConstructorLaws:
    """The laws of the constructors of ``universe``; ``state`` is one to begin from."""

    def __init__(self, universe: Universe, profiles: Sequence[Profile], state: int) -> None:
        self._universe = universe
        self._profiles = profiles
        self._state = state
        self._table = universe.table

    def run(self) -> list[Law]:
        """What each constructor raises, and what the objects that it makes show."""
        found: list[Law] = []
        for place, operation in enumerate(self._table.operations):
            if operation.is_constructor and self._is_asked(place):
                given = [
                    Var(sort, operation.sorts[:at].count(sort))
                    for at, sort in enumerate(operation.sorts)
                ]
                found += self._laws(Apply(place, (Constant(self._state), *given), "state"), given)
        wide = [law for law in found if count_arguments(law) and _made(law)]
        general = {(_observer(law), law.right) for law in wide}
        return [
            law
            for law in found
            if count_arguments(law) or (_observer(law), law.right) not in general
        ]

    def _is_asked(self, place: int) -> bool:
        """Does it repeat, with all arguments that laws are about, or with none to spare?

        What holds with one of two optional arguments follows from what holds with both.
        """
        given = [
            len(one.given) for one in self._table.operations
            if one.invocable.id == self._table.operations[place].invocable.id
        ]  # fmt: skip
        own = len(self._table.operations[place].given)
        return place not in self._table.excluded and own in (min(given), max(given))

    def _resets(self, made: Apply) -> Iterator[Law]:
        """Calls without arguments that lead to a new object: ``clear(S) == Stack()``."""
        rows = Rows(self._universe, (), MAX_ROWS)
        new = rows.vector(made)
        for place, profile in enumerate(self._profiles):
            meant = self._table.is_explored(place) and not self._table.operations[place].sorts
            if meant and profile.is_mutator and min(new, default=-1) >= 0:
                left = Apply(place, (RECEIVER,), "state")
                if rows.vector(left) == new:
                    yield Law(left, made)

    def _laws(self, made: Apply, given: Sequence[Var]) -> Iterator[Law]:
        rows = Rows(self._universe, given, MAX_ROWS, [self._state])
        atoms = atoms_for(rows, given, ())
        outcome = Apply(made.operation, made.args, "outcome")
        vector = rows.vector(outcome)
        returned = self._table.values.of_raise(RETURNED)
        for value in [one for one in dict.fromkeys(vector) if one not in (returned, -1, -2)]:
            agree = bits(one == value for one in vector)
            guard, mask = weakest_guard(atoms, agree, rows.all & ~agree)
            if not agree & ~mask:
                yield Law(outcome, Constant(value), guard)
        returns = MaskedAtom(
            Atom(outcome, "==", Constant(returned)), bits(one == returned for one in vector)
        )
        for place, profile in enumerate(self._profiles):
            operation = self._table.operations[place]
            if not profile.is_observer or not self._table.is_explored(place):
                continue
            if not operation.sorts:
                yield from self._shown(Apply(place, (made,), "value"), rows, returns, atoms)
            elif len(operation.sorts) == 1:
                sort = operation.sorts[0]
                item = Var(sort, sum(one.sort == sort for one in given))
                yield from self._answered(Apply(place, (made, item), "value"), given, returns.atom)
        if not given:
            yield from self._resets(made)

    def _answered(self, left: Apply, given: Sequence[Var], returns: Atom) -> Iterator[Law]:
        """The one answer of new objects to a question with an argument."""
        rows = Rows(self._universe, (*given, *left.args[1:]), MAX_ROWS, [self._state])  # type: ignore[arg-type]
        made = rows.atom(returns)[0]
        seen = [value for place, value in enumerate(rows.vector(left)) if made >> place & 1]
        if len(seen) >= MIN_ROWS and len(set(seen)) == 1 and min(seen) >= 0:
            guard = ALWAYS if made == rows.all else Guard((returns,))
            yield Law(left, Constant(seen[0]), guard)

    def _shown(
        self, left: Apply, rows: Rows, returns: MaskedAtom, atoms: Sequence[MaskedAtom]
    ) -> Iterator[Law]:
        """What an observer shows of a new object: one thing always, or one where a guard holds."""
        vector = rows.vector(left)
        defined, unknown = vector.defined, vector.unknown
        if not defined or defined != returns.mask & ~unknown:
            return
        for right in self._sides(rows, vector):
            agree = rows.equal(vector, rows.vector(right))
            if agree == defined:
                always = agree | unknown == rows.all
                yield Law(left, right, ALWAYS if always else Guard((returns.atom,)))
                return
        for right in rows.variables:
            agree = rows.equal(vector, rows.vector(right))
            guard, mask = weakest_guard(atoms, agree, rows.all & ~agree)
            if agree.bit_count() >= MIN_ROWS and not agree & ~mask:
                yield Law(left, right, guard)
                return

    def _sides(self, rows: Rows, vector: Sequence[int]) -> Iterator[Term]:
        """A value that is always shown, an argument, its length, a sum of two."""
        values = list(dict.fromkeys(one for one in vector if one >= 0))
        if len(values) == 1:
            yield Constant(values[0])
            return
        if len(values) < MIN_ROWS:
            return
        none = Constant(self._table.values.of_plain(None))
        yield from rows.variables
        yield from (Compute(one, "len", none) for one in rows.variables)
        for one, other in combinations(rows.variables, 2):
            yield from (Compute(one, sign, other) for sign in ("+", "-"))
        yield from self._multiples(rows, vector)

    def _multiples(self, rows: Rows, vector: Sequence[int]) -> Iterator[Term]:
        """An argument times what is shown for 1."""
        unit = self._table.values.of_plain(1)
        for one in rows.variables:
            shown = {value for value, given in zip(vector, rows.vector(one), strict=True)
                     if given == unit and value >= 0}  # fmt: skip
            yield from (Compute(one, "*", Constant(value)) for value in shown if len(shown) == 1)


def _observer(law: Law) -> object:
    """The operation that shows something of the new object."""
    return law.left.operation if isinstance(law.left, Apply) else None


def count_arguments(law: Law) -> int:
    """How many arguments the constructor has: with some, a law has variables of its own."""
    left = law.left
    made = left.args[0] if isinstance(left, Apply) and left.part == "value" else left
    made = law.right if isinstance(law.right, Apply) else made
    return len(made.args) - 1 if isinstance(made, Apply) else 0


def _made(law: Law) -> bool:
    """Does it hold of every object that the constructor makes?"""
    return all(is_outcome(atom) for atom in law.guard.atoms)
