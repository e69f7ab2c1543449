"""Confirmation: the rows of another universe on which a law fails, or none.

Invariant: a law is confirmed only when it was defined and held on every row that was known, and
on some row at least; a row that is not known speaks neither for nor against it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    STATE,
    Apply,
    Atom,
    Constant,
    Guard,
    Law,
    Var,
    is_state,
    law_variables,
    substitute,
    substitute_guard,
)
from unitcraft.infer.algebraic.term_vectors import Rows, first_bit
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.universes import drawn

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from unitcraft.infer.algebraic.law_terms import Term
    from unitcraft.infer.universe.universes import Universe

#: Rows that a law needs whose guard compares values or joins conditions: on fewer it may be chance.
MIN_GUARDED: Final = 25
#: Rows of far values for a guard that joins conditions or compares an observer with an argument.
MIN_FAR: Final = 8
#: The share of the rows of its guard on which a law was run to its end: others were ended, or show
#: what cannot be compared.
MIN_KNOWN: Final = 0.6
#: Rows on which one law is confirmed.
MAX_ROWS: Final = 500
#: Rows on which a law with a rare guard is tried once more, the rows looked through for them, and
#: the states of these.
MAX_MET: Final = 200
MAX_SEARCHED: Final = 2_500
MAX_STATES: Final = 700
#: The first states among them: small objects, few beside those of long histories.
MAX_FIRST: Final = 60
#: States of which an object is passed to another one that it is related to.
MAX_RELATED: Final = 40
#: Rows on which a call of a guard is run, to see whether it returns.
MAX_TRIED: Final = 800


@dataclass(frozen=True, slots=True)
class Witness:
    """A row on which a law fails: a state, and a value for each variable."""

    state: int
    variables: tuple[Var, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """On ``holding`` of the ``rows`` where its guard holds, a law holds, of ``all`` rows.

    ``guarded`` counts those too whose runs were ended.
    """

    holding: int
    rows: int
    all: int
    guarded: int = 0
    witness: Witness | None = None

    @property
    def confirmed(self) -> bool:
        """Did it hold wherever its guard did, and on enough rows to say so?"""
        return self.holding == self.rows and self.rows >= MIN_KNOWN * self.guarded > 0


class Confirmation:
    """Checks laws on a universe (mutable: it caches the rows of each choice of variables)."""

    def __init__(self, universe: Universe, most: int = MAX_ROWS) -> None:
        self._universe = universe
        self._most = most
        self._rows: dict[tuple[object, ...], Rows] = {}
        self._related: list[Term] | None = None

    def rows_for(self, given: Sequence[Var]) -> Rows:
        """The rows over the variables ``given``."""
        key = tuple(sorted((v for v in given if v.sort != STATE), key=repr))
        if key not in self._rows:
            self._rows[key] = Rows(self._universe, key, self._most)
        return self._rows[key]

    def rows_of_law(self, law: Law) -> Rows:
        """The rows over the variables of ``law``."""
        return self.rows_for(law_variables(law))

    def rows_of(self, given: Sequence[Var], states: Sequence[int]) -> Rows:
        """Rows over the variables ``given`` of these states alone."""
        key = tuple(sorted((v for v in given if v.sort != STATE), key=repr))
        if (key, tuple(states)) not in self._rows:
            self._rows[key, tuple(states)] = Rows(self._universe, key, MAX_MET, states)
        return self._rows[key, tuple(states)]

    def check(self, law: Law) -> Verdict:
        """How ``law`` fares on all rows."""
        return judge(law, self.rows_for(law_variables(law)))

    def check_where_met(self, law: Law) -> Verdict | None:
        """How it fares on rows looked for among all states, on which its guard may hold.

        None for a guard that many rows meet anyway.  Objects that are passed are the receiver
        itself, too, and what single calls make of it: no two of a pool are related like that.
        Of a guard joined by ``or`` each part is met where no other one holds: it may be there by
        chance, on few of the rows of both.
        """
        for case in alone(law):
            verdict = self.check_where_met(case)
            if verdict is not None and verdict.witness is not None:
                return verdict
        for special, related in self._special_cases(law):
            some = drawn(self._universe.starts, MAX_RELATED)
            rows = self.rows_of(law_variables(special), some)
            made = rows.vector(related).defined
            if not made:
                continue
            verdict = judge(special, rows.where(made, MAX_MET))
            if verdict.witness is not None:
                return verdict
        if not is_rare(law.guard) and not any(map(is_outcome, law.guard.atoms)):
            return None
        only = {
            atom.left: atom.right.value
            for atom in law.guard.atoms
            if isinstance(atom.left, Var) and isinstance(atom.right, Constant)
            and atom.operator == "==" and not atom.negated and law.guard.joined == "and"
        }  # fmt: skip
        given = [one for one in law_variables(law) if one.sort != STATE]
        rows = self._searched(given, only)
        asked = tuple(atom for atom in law.guard.atoms if not is_outcome(atom))
        mask = rows.guard(Guard(asked, law.guard.joined))
        if mask and len(asked) < len(law.guard.atoms):
            rows = rows.where(mask, MAX_TRIED)
            mask = rows.guard(law.guard)
        return judge(law, rows.where(mask, MAX_MET)) if mask else None

    def _searched(self, given: Sequence[Var], only: Mapping[Var, int]) -> Rows:
        """Rows of all states that there are by now, to look through."""
        key = ("searched", len(self._universe.table.states), *given, *only.items())
        if key not in self._rows:
            self._rows[key] = Rows(self._universe, given, MAX_SEARCHED, self._states(), only)
        return self._rows[key]

    def _special_cases(self, law: Law) -> Iterator[tuple[Law, Term]]:
        """``law`` with each object that is passed replaced: by the receiver, by what calls make."""
        others = [one for one in law_variables(law) if one.sort == OWN]
        if others and self._related is None:
            table = self._universe.table
            self._related = [RECEIVER, *(
                Apply(place, (RECEIVER,), "state")
                for place, one in enumerate(profiles_of(table, self._universe.equality))
                if one.makes and not table.operations[place].sorts and table.is_explored(place)
            )]  # fmt: skip
        for one in others:
            for term in self._related or ():
                by: dict[Var, Term] = {one: term}
                sides = (substitute(law.left, by), substitute(law.right, by))
                yield Law(*sides, substitute_guard(law.guard, by)), term

    def _states(self) -> list[int]:
        """States of all universes, the first ones among them."""
        known = range(len(self._universe.table.states))
        equality = self._universe.equality
        some = drawn(known, MAX_STATES, MAX_FIRST)
        return list(dict.fromkeys(map(equality.representative, some)))


def alone(law: Law) -> list[Law]:
    """``law`` for each of two conditions joined by ``or``, where the other one does not hold."""
    if law.guard.joined != "or" or len(law.guard.atoms) != 2:  # noqa: PLR2004 - a pair
        return []
    one, other = law.guard.atoms
    pairs = ((one, other), (other, one))
    return [
        law._replace(guard=Guard((here, there._replace(negated=not there.negated))))
        for here, there in pairs
    ]


def is_rare(guard: Guard) -> bool:
    """Does it name a number, or join conditions?  Few rows meet it, perhaps all of one kind."""
    return len(guard.atoms) > 1 or any(
        atom.operator == "<" or (isinstance(atom.right, Constant) and not atom.negated
        and not is_outcome(atom))
        for atom in guard.atoms
    )  # fmt: skip


def is_outcome(atom: Atom) -> bool:
    """Does it say that a call returns?"""
    return isinstance(atom.left, Apply) and atom.left.part == "outcome"


def judge(law: Law, rows: Rows) -> Verdict:
    """How ``law`` fares on ``rows``."""
    left, right = rows.vector(law.left), rows.beside(law.left, law.right)
    unknown = rows.unknown(left, right)
    agree = rows.equal(left, right)
    unknown |= rows.undecided(left, right) & ~agree if is_state(law.left) else 0
    guard, undefined = rows.all, 0
    if law.guard.atoms:
        guard, undefined = rows.judged(law.guard)
        for atom in law.guard.atoms:
            unknown |= rows.unknown(rows.vector(atom.left), rows.vector(atom.right))
    meant = (guard | undefined) & ~unknown
    failing = meant & (~agree | undefined)
    witness = None
    if failing:
        state, values = rows.row(first_bit(failing))
        witness = Witness(state, rows.variables, values)
    holding = meant & ~failing
    guarded = (guard | undefined).bit_count()
    return Verdict(holding.bit_count(), meant.bit_count(), len(rows), guarded, witness)


def joined(verdicts: Sequence[Verdict]) -> Verdict:
    """What several universes say together."""
    witness = next((one.witness for one in verdicts if one.witness is not None), None)
    return Verdict(
        sum(one.holding for one in verdicts),
        sum(one.rows for one in verdicts),
        sum(one.all for one in verdicts),
        sum(one.guarded for one in verdicts),
        witness,
    )


def is_met(law: Law, verdicts: Sequence[Verdict], *, has_variants: bool = True) -> bool:
    """Did the guard of ``law`` hold on enough rows for what it says?

    The last of ``verdicts`` is that of far values, where no two things are equal by chance.
    Without variants, by constructor arguments, a class with few rows has no more of them.
    """
    if not has_variants and sum(one.all for one in verdicts) < MIN_GUARDED:
        return True  # a machine of a few states: these are all
    simple = len(law.guard.atoms) < 2 and not any(  # noqa: PLR2004 - a pair of conditions
        atom.operator == "<" for atom in law.guard.atoms
    )
    chance = any(
        isinstance(atom.right, Var) != isinstance(atom.left, Var)
        and not isinstance(atom.left, Constant)
        and not isinstance(atom.right, Constant)
        for atom in law.guard.atoms
    )
    if (chance or len(law.guard.atoms) > 1) and verdicts[-1].rows < MIN_FAR:
        return False
    return sum(one.rows for one in verdicts) >= (1 if simple else MIN_GUARDED)
