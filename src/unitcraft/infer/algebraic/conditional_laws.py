"""Conditional and differencing laws: what a call of calls comes to, and under which condition.

For a left side ``o(m(S, x), y)`` or ``o(S, x)`` the right sides of Henkel and Diwan's templates and
a few more are compared row by row; a right side that agrees on some rows only gets the weakest
guard that explains them.

Invariant: a law that is returned holds on every row of its guard; the laws of one left side cover
different rows.

Source: HENKEL, axiom templates; MUTUAL, conditional and differencing axioms.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.confirmation import is_outcome
from unitcraft.infer.algebraic.guards import (
    MaskedAtom,
    atoms_for,
    compared_in,
    compared_things,
    equates,
    is_supported,
    weakest_guard,
    without,
)
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
    TermOrder,
    Var,
    calls_in,
    is_nested,
    size,
    variables,
)
from unitcraft.infer.algebraic.outcome_guards import (
    answering,
    returning,
    widest_answering,
    widest_returning,
)
from unitcraft.infer.algebraic.right_sides import RightSides
from unitcraft.infer.universe.values import NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.enumeration import Enumerated
    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.profiles import Profile

#: Cases of one left side.
MAX_CASES: Final = 3
#: Calls of a term that is equal to another wherever it is defined: longer ones say less.
MAX_PARTIAL: Final = 2
#: The same of a term that is an argument of one of its calls.
MAX_GIVEN_BACK: Final = 3
#: Other conditions of a law that was refuted.
MAX_WEAKER: Final = 3
#: The share of rows on which an observer shows an argument, after a call that it was passed to.
MIN_SHOWN: Final = 0.4
#: The same for an order of the two, of the rows on which that call returns: it may keep the larger.
MIN_KEPT: Final = 0.25
#: A law that holds on this share of its rows, with no guard, is worth a look.
NEAR: Final = 0.95


@dataclass(frozen=True, slots=True)
class NearLaw:
    """An equation that holds on ``holding`` of ``rows`` rows, and no guard tells which."""

    law: Law
    holding: int
    rows: int


@dataclass(slots=True)
class Conditional:
    """What one search found."""

    laws: list[Law]
    near: list[NearLaw]


class ConditionalSearch:
    """The search for guarded laws on ``rows`` (mutable: it caches atoms).

    ``observers``: those that guards may ask, and those of them that no call changes.
    """

    def __init__(
        self,
        rows: Rows,
        profiles: Sequence[Profile],
        terms: Enumerated,
        observers: tuple[Sequence[Term], Sequence[Term]],
        order: TermOrder,
    ) -> None:
        self._rows = rows
        self._profiles = profiles
        self._terms = terms
        self._observers, self._fixed = observers
        self._sides = RightSides(rows, profiles, terms, order)
        self._atoms: dict[object, list[MaskedAtom]] = {}
        self._fitting: dict[tuple[Term, Term], list[MaskedAtom]] = {}
        self._compared: dict[frozenset[object], set[int]] = {}
        self._shown: dict[tuple[Term, Term, float], bool] = {}
        self._table = rows.universe.table
        self._partial_calls = [
            rows.universe.is_partial(place, one) for place, one in enumerate(profiles)
        ]
        self._answers = [not one.pure and one.returns for one in profiles]
        self._decided: set[frozenset[object]] = set()

    def run(self) -> Conditional:
        """The guarded laws of all left sides, the smaller ones first."""
        found = Conditional([], [])
        sides = list(self._left_sides())
        for left in sides:
            if left.part == "outcome":
                self._cases(left, found)
        for law in found.laws:
            for things in compared_in([law.guard]):
                self._compared.setdefault(things, set()).update(calls_in(law.left))
        for left in [one for one in sides if one.part != "outcome" and size(one) == 1]:
            self._cases(left, found)
        self._decided = {
            compared_things(atom)
            for law in found.laws
            if isinstance(law.left, Apply) and not self._is_plain(law.left)
            for atom in law.guard.atoms
        }
        for left in [one for one in sides if one.part != "outcome" and size(one) > 1]:
            self._cases(left, found)
        for larger, smaller in self._terms.partial:
            before = len(found.laws)
            if self._is_plain(larger) and size(larger) == size(smaller) == MAX_PARTIAL:
                self._cases(larger, found)  # type: ignore[arg-type]
            if len(found.laws) == before:
                self._partial(larger, smaller, found)
        return found

    def weaker(self, law: Law) -> list[Law]:
        """What may be meant where ``law`` is refuted: that equation on other conditions.

        A condition that holds by chance hides those that hold on fewer rows; one that few values
        suggested may be too weak where that a call returns is not: ``0 <= percent`` of ``<= 100``.
        """
        left, right, rows = law.left, law.right, self._rows
        given = set(variables(right)) <= set(variables(left))
        if not isinstance(left, Apply) or left.part == "outcome" or not given:
            return []
        vector = rows.vector(left)
        agree = rows.equal(vector, rows.beside(left, right))
        against = rows.all & ~agree & ~rows.unknown(vector)
        returns = returning(rows, left, self._partial_calls)
        options = [returns] if returns is not None else []
        atoms = [one for one in self._atoms_of(left, right) if not equates(one.atom)]
        options += sorted(atoms, key=lambda one: -(one.mask & agree).bit_count())
        guards = [
            Guard((one.atom,)) for one in options if one.mask & agree and not one.mask & against
        ]
        return [Law(left, right, one) for one in guards if one != law.guard][:MAX_WEAKER]

    def _is_plain(self, term: Term) -> bool:
        """Is it what an observer without arguments shows?"""
        return (
            isinstance(term, Apply) and len(term.args) == 1 and self._profiles[term.operation].pure
        )

    def _partial(self, left: Term, right: Term, found: Conditional) -> None:
        """Add the law of two terms that are equal wherever they are defined."""
        most = MAX_PARTIAL if size(right) else MAX_GIVEN_BACK
        if not isinstance(left, Apply) or size(left) > most:
            return
        rows = self._rows
        vector = rows.vector(left)
        agree = rows.equal(vector, rows.beside(left, right))
        against = rows.all & ~agree & ~rows.unknown(vector)
        guard, mask = self._guard(left, right, agree, against)
        if guard.atoms and is_supported(guard, mask & agree, rows):
            found.laws.append(Law(left, right, guard))

    def _left_sides(self) -> Iterator[Apply]:
        """Calls on the receiver, then on what one call left, the variables in order."""
        for place, operation in enumerate(self._table.operations):
            columns = [
                [one for one in self._rows.variables if one.sort == sort]
                for sort in operation.sorts
            ]
            args = next(iter(_distinct(columns)), None)
            if self._table.is_explored(place) and args is not None:
                if self._profiles[place].is_mutator:
                    yield Apply(place, (RECEIVER, *args), "state")
                if self._profiles[place].returns and not self._profiles[place].returns_none:
                    yield Apply(place, (RECEIVER, *args), "value")
                if self._profiles[place].raises:
                    yield Apply(place, (RECEIVER, *args), "outcome")
        composed = [*self._terms.states, *self._terms.values]
        yield from (
            one
            for one in composed
            if size(one) > 1 and isinstance(one, Apply) and size(one.args[0]) <= 1
        )

    def _cases(self, left: Apply, found: Conditional) -> None:
        """Add the laws of ``left``: the guard with most rows first, then what is left over."""
        rows = self._rows
        vector = rows.vector(left)
        unknown = rows.unknown(vector)
        open_rows = rows.all & ~unknown
        options = []
        for right in self._sides.of(left, vector):
            other = rows.beside(left, right)
            aside = rows.unknown(other) & ~unknown
            agree = rows.equal(vector, other)
            if agree:
                options.append((right, agree, rows.all & ~agree & ~unknown & ~aside))
        for _ in range(MAX_CASES):
            best = self._widest(left, options, open_rows)
            if best is None or not is_supported(best[0].guard, best[1] & open_rows, rows):
                break
            found.laws.append(best[0])
            open_rows &= ~best[1]
        if open_rows and size(left) > 1:
            found.near += self._near(left, options, found.laws)

    def _widest(
        self, left: Apply, options: Sequence[tuple[Term, int, int]], open_rows: int
    ) -> tuple[Law, int] | None:
        """The law that covers most of ``open_rows``, with the rows of its guard."""
        best, most = None, 0
        for right, agree, against in options:
            if (agree & open_rows).bit_count() <= most:
                continue  # no guard of it covers more
            guard, mask = self._guard(left, right, agree & open_rows, against)
            gain = (mask & agree & open_rows).bit_count()
            if gain <= most or self._equates(left, guard, mask) or self._counts(left, right, guard):
                continue
            if is_supported(guard, mask & agree, self._rows):
                best, most = (Law(left, right, guard), mask), gain
        return best

    def _guard(self, left: Apply, right: Term, agree: int, against: int) -> tuple[Guard, int]:
        """The weakest guard; that a call returns, if nothing else explains as many rows."""
        if not against:
            return ALWAYS, self._rows.all
        if not agree:
            return ALWAYS, 0
        atoms = self._atoms_of(left, right)
        known = weakest_guard(atoms, agree, against, equating=left.part == "outcome")
        is_open = agree & ~known[1] or (known[0].joined == "or" and len(known[0].atoms) > 1)
        if is_open and left.part != "outcome" and size(left) <= MAX_GIVEN_BACK:
            returns = returning(self._rows, left, self._partial_calls)
            if returns is not None:
                known = widest_returning(returns, atoms, agree, against, known)
            answers = answering(self._rows, left, self._answers)
            if answers and agree & ~known[1]:
                known = widest_answering(answers, returns, agree, against, known)
        return known

    def _atoms_of(self, left: Apply, right: Term) -> list[MaskedAtom]:
        """The conditions that a law of both sides may have."""
        if (left, right) not in self._fitting:
            self._fitting[left, right] = without(self._atoms_about(left), (left, right))
        return self._fitting[left, right]

    def _atoms_about(self, left: Apply) -> list[MaskedAtom]:
        """The conditions that laws of a left side like ``left`` may have."""
        given = tuple(one for one in variables(left) if one != RECEIVER)
        key = (given, left.part, calls_in(left), size(left), is_nested(left))
        if key not in self._atoms:
            self._atoms[key] = [
                one
                for one in atoms_for(self._rows, given, self._observers, self._fixed)
                if self._is_meant(one.atom, left)
                and (size(left) == 1 or self._is_decisive(one.atom, left))
            ]
        return self._atoms[key]

    def _is_meant(self, atom: Atom, left: Apply) -> bool:
        """Would a person compare these?

        An order of an argument has to decide whether a call of ``left`` raises; an observer is
        compared with an argument if arguments are what it shows.  Others hold by chance.
        """
        sides = (atom.left, atom.right)
        if not any(isinstance(side, Var) for side in sides):
            return True
        if atom.operator == "<":
            deciding = self._compared.get(compared_things(atom), set())
            if left.part == "outcome" or deciding.intersection(calls_in(left)):
                return True
            shown, given = sorted(sides, key=lambda side: isinstance(side, Var))
            return self._shows(shown, given, MIN_KEPT)
        if left.part == "outcome" or all(isinstance(side, Var | Constant) for side in sides):
            return True
        shown, given = sorted(sides, key=lambda side: isinstance(side, Var))
        return self._shows(shown, given)

    def _is_decisive(self, atom: Atom, left: Apply) -> bool:
        """Is it a number that decides what one call does?  Others explain by chance what two do.

        What is passed an observer's value has its conditions from truth values and emptiness.
        """
        sides = (atom.left, atom.right)
        kinds = {kind for side in sides for kind in self._sides.kinds(side)}
        if is_outcome(atom) or not kinds & NUMBERS:
            return True
        if all(isinstance(side, Var) for side in sides):
            return True
        return not is_nested(left) and compared_things(atom) in self._decided

    def _shows(self, shown: Term, given: Term, least: float = MIN_SHOWN) -> bool:
        """Does an observer show, after some call, the argument ``given`` of that call?"""
        if not isinstance(shown, Apply) or not isinstance(given, Var):
            return False
        if (shown, given, least) not in self._shown:
            self._shown[shown, given, least] = any(
                self._is_shown(shown, term, given, least)
                for term in self._terms.states
                if size(term) == 1 and given in variables(term)
            )
        return self._shown[shown, given, least]

    def _is_shown(self, shown: Apply, after: Term, given: Var, least: float) -> bool:
        term = Apply(shown.operation, (after, *shown.args[1:]), shown.part)
        vector = self._rows.vector(term)
        same = self._rows.equal(vector, self._rows.vector(given)).bit_count()
        rows = len(vector) if least == MIN_SHOWN else vector.defined.bit_count()
        return same >= max(1, least * rows)

    def _counts(self, left: Apply, right: Term, guard: Guard) -> bool:
        """Do two conditions single out a number that an observer shows, or one argument?

        Such as ``size(S) == 1 if not is_empty(S) and not is_full(S)``: an accident of a capacity;
        or ``size(S) != capacity(S) and key == ''``: one of the two is there by chance.
        """
        if len(guard.atoms) < 2 or left.part == "outcome":  # noqa: PLR2004 - a pair
            return False
        if any(isinstance(one.left, Var) and isinstance(one.right, Constant) and not one.negated
               and one.operator == "==" for one in guard.atoms):  # fmt: skip
            return True
        if left.part != "value" or (isinstance(right, Compute) and right.operator == "negated"):
            return left.part == "value"
        constants = [right]
        if size(left) == 1:
            constants += [atom.right for atom in guard.atoms if size(atom.left)]
        if not self._profiles[left.operation].pure:
            return False
        return any(
            isinstance(one, Constant) and self._table.values.is_integer(one.value)
            and self._table.values.plain(one.value) not in (0, -1)
            for one in constants
        )  # fmt: skip

    def _equates(self, left: Term, guard: Guard, mask: int) -> bool:
        """Are two variables equal wherever the guard holds?  One variable twice says that."""
        given = [one for one in variables(left) if one != RECEIVER]
        is_value = not isinstance(left, Apply) or left.part != "outcome"
        return (
            is_value
            and bool(guard.atoms)
            and any(
                one.sort == other.sort
                and not mask & ~self._rows.equal(self._rows.vector(one), self._rows.vector(other))
                for one, other in combinations(given, 2)
            )
        )

    def _near(
        self, left: Term, options: Sequence[tuple[Term, int, int]], laws: Sequence[Law]
    ) -> list[NearLaw]:
        """The right side that agrees almost everywhere, if there is one."""
        if any(law.left == left for law in laws):
            return []
        for right, agree, against in options:
            good, bad = agree.bit_count(), against.bit_count()
            if bad and good >= NEAR * (good + bad):
                return [NearLaw(Law(left, right), good, good + bad)]
        return []


def _distinct(columns: Sequence[Sequence[Var]]) -> Iterator[tuple[Var, ...]]:
    """The choices of one variable from each column that are all different."""
    for args in product(*columns):
        if len(set(args)) == len(args):
            yield args
