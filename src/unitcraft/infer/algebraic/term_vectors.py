"""The values of terms on the rows of a universe: one number for each row.

Invariant: a row is a state and a value for each variable, in the order of states, the last
variable varying fastest; UNDEFINED where a call inside the term raised, UNKNOWN where its run was
ended, was not meant or has no value that can be compared.
"""

from __future__ import annotations

from functools import cached_property
from itertools import product
from operator import eq
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from unitcraft.core.randomness import seeded_random
from unitcraft.infer.algebraic.computed_values import compare, compute, is_less
from unitcraft.infer.algebraic.law_terms import (
    STATE,
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    Part,
    Term,
    Test,
    Var,
    is_state,
)
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.transition_table import NOT_MEANT, NOTHING, Entry
from unitcraft.infer.universe.universes import MAX_KEPT, drawn
from unitcraft.infer.universe.values import RETURNED, UNDEFINED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, KeysView, Mapping, Sequence

    from unitcraft.infer.universe.universes import Universe

#: Is a number that of a value or state?
_IS_DEFINED: Final = (0).__le__
_IS_UNKNOWN: Final = UNKNOWN.__eq__
#: The digit of each truth value.
_DIGITS: Final = b"01" + bytes(range(2, 256))
#: States among the rows, however many values there are for each.
MIN_STATES: Final = 60


class Vector(tuple[int, ...]):  # noqa: SLOT001 - what was asked is kept beside the values
    """The value of a term on every row (immutable); what is asked of it often is kept."""

    @cached_property
    def distinct(self) -> KeysView[int]:
        """The values, each once, in the order of the rows."""
        return dict.fromkeys(self).keys()

    @cached_property
    def defined(self) -> int:
        """The rows, as bits, that have a value or state."""
        if min(self.distinct, default=0) >= 0:
            return (1 << len(self)) - 1
        return bits(map(_IS_DEFINED, self))

    @cached_property
    def unknown(self) -> int:
        """The rows, as bits, that are UNKNOWN: they speak neither for nor against a law."""
        return bits(map(_IS_UNKNOWN, self)) if UNKNOWN in self.distinct else 0


class Rows:
    """Rows over ``variables`` and the values of terms on them (mutable: a cache).

    At most ``most`` rows: half of them those of the first states, the others drawn.  ``only``:
    variables that have one value.
    """

    def __init__(
        self,
        universe: Universe,
        variables: Sequence[Var],
        most: int,
        states: Sequence[int] = (),
        only: Mapping[Var, int] = MappingProxyType({}),
    ) -> None:
        self.universe = universe
        self.variables = tuple(one for one in variables if one.sort != STATE)
        columns = [
            (only[one],) if one in only else universe.pools.get(one.sort, ())
            for one in self.variables
        ]
        each = 1
        for column in columns:
            each *= len(column)
        starts = states or universe.starts
        kept = drawn(starts, max(MIN_STATES, 2 * most // max(1, each)), MAX_KEPT)
        places: Sequence[int] = range(len(kept) * each)
        if len(places) > most:
            first = most // 2  # the first states are the small ones, where laws often fail
            chance = seeded_random(len(places), "rows")
            others = chance.sample(range(first, len(places)), most - first)
            places = [*range(first), *sorted(others)]
        # Rows are numbered as their product is; that of many values is never made as a whole.
        values = [divmod(place, each) for place in places]
        rows = [(kept[one], *_product_at(columns, rest)) for one, rest in values]
        self._take(rows)

    def where(self, mask: int, most: int) -> Rows:
        """At most ``most`` of the rows of ``mask``, drawn."""
        if (mask, most) not in self._parts:
            self._parts[mask, most] = self._where(mask, most)
        return self._parts[mask, most]

    def _where(self, mask: int, most: int) -> Rows:
        kept = drawn([place for place in range(len(self)) if mask >> place & 1], most)
        return self._beside(
            self.variables, [(self.states[place], *self.row(place)[1]) for place in kept]
        )

    def with_variables(self, more: Sequence[Var], most: int) -> Rows:
        """These rows with all values of the variables ``more``; at most ``most``, drawn."""
        if not more:
            return self
        key = tuple(more), most
        if key not in self._wider:
            self._wider[key] = self._with_variables(more, most)
        return self._wider[key]

    def _with_variables(self, more: Sequence[Var], most: int) -> Rows:
        columns = [self.universe.pools.get(one.sort, ()) for one in more]
        pairs = [self.row(place) for place in range(len(self))]
        rows = [(state, *given, *new) for state, given in pairs for new in product(*columns)]
        return self._beside((*self.variables, *more), drawn(rows, most))

    def of_states(self, states: Sequence[int], given: Sequence[Var]) -> Rows:
        """Rows of just these states, in their order, with all values of the variables ``given``."""
        columns = [self.universe.pools.get(one.sort, ()) for one in given]
        return self._beside(
            given, [(state, *args) for state in states for args in product(*columns)]
        )

    def _beside(self, given: Sequence[Var], rows: Sequence[tuple[int, ...]]) -> Rows:
        """Just these ``rows`` of a state and a value of each of the variables ``given``."""
        found = object.__new__(Rows)
        found.universe = self.universe
        found.variables = tuple(given)
        found._take(rows)
        return found

    def _take(self, rows: Sequence[tuple[int, ...]]) -> None:
        self.states = Vector(row[0] for row in rows)
        self._columns: dict[Var, Vector] = {Var(STATE): self.states}
        for place, one in enumerate(self.variables, 1):
            self._columns[one] = Vector(row[place] for row in rows)
        self._vectors: dict[Term, Vector] = {}
        self._passed: dict[Term, Vector] = {}
        self._entries: dict[tuple[int, tuple[Term, ...]], tuple[list[Entry], Vector]] = {}
        self._choices: dict[tuple[Term, ...], tuple[list[tuple[int, ...]], Vector]] = {}
        self._atoms: dict[Atom, tuple[int, int]] = {}
        self._wider: dict[tuple[tuple[Var, ...], int], Rows] = {}
        self._parts: dict[tuple[int, int], Rows] = {}
        #: What kinds of values a term has, where it was asked for.
        self.kinds: dict[Term, frozenset[object]] = {}
        self.value_kinds: dict[Term, frozenset[str]] = {}
        #: What observers show of states, for all their arguments, where it was asked for.
        self.shown: dict[Term, dict[int, tuple[int, ...]]] = {}
        self.all = (1 << len(rows)) - 1

    def __len__(self) -> int:
        return len(self.states)

    def row(self, place: int) -> tuple[int, tuple[int, ...]]:
        """The state and the values of row number ``place``."""
        return self.states[place], tuple(self._columns[one][place] for one in self.variables)

    def vector(self, term: Term) -> Vector:
        """The value of ``term`` on every row."""
        known = self._vectors.get(term)
        if known is None:
            known = self._vectors[term] = self._evaluate(term)
        return known

    def distinct(self, term: Term) -> KeysView[int]:
        """The values of ``term``, each once, in the order of the rows."""
        return self.vector(term).distinct

    def as_states(self, term: Term) -> Vector:
        """The value of ``term`` on every row; an object that is passed counts as its state."""
        if not isinstance(term, Var) or term.sort != OWN:
            return self.vector(term)
        if term not in self._passed:
            self._passed[term] = Vector(map(self.universe.state_of, self.vector(term)))
        return self._passed[term]

    def beside(self, left: Term, right: Term) -> Vector:
        """The value of ``right`` on every row, as ``left`` is compared with it."""
        return self.as_states(right) if is_state(left) else self.vector(right)

    def forget(self, term: Term) -> None:
        """Drop what is kept of ``term``."""
        self._vectors.pop(term, None)
        if isinstance(term, Apply):
            self._entries.pop((term.operation, term.args), None)

    def _evaluate(self, term: Term) -> Vector:
        match term:
            case Var():
                return self._columns[term]
            case Constant(value):
                return Vector((value,) * len(self.states))
            case Compute(left, operator, right):
                return self._computed(operator, self.vector(left), self.vector(right))
            case Test(left, operator, right):
                return self._tested(operator, self.vector(left), self.vector(right))
            case Apply(operation, args, part):
                if (operation, args) not in self._entries:
                    self._entries[operation, args] = self._steps(operation, args)
                entries, places = self._entries[operation, args]
                values = self._parts_of(entries, part)
                return Vector(map(values.__getitem__, places))

    def _parts_of(self, entries: Sequence[Entry], part: Part) -> list[int]:
        """What a term shows of each of ``entries``."""
        if part == "outcome":
            returned = self.universe.table.values.of_raise(RETURNED)
            return [_outcome_part(entry, returned) for entry in entries]
        return [_state_part(one) if part == "state" else _value_part(one) for one in entries]

    def _steps(self, operation: int, args: tuple[Term, ...]) -> tuple[list[Entry], Vector]:
        """The different entries of a call, and which of them each row has.

        Rows that look up the same state and values have one of them.
        """
        if args not in self._choices:
            self._choices[args] = self._different(args)
        different, places = self._choices[args]
        lowest = [min(one) for one in different]
        known = [one for one, least in zip(different, lowest, strict=True) if least >= 0]
        calls = {passed: self.universe.table.call(operation, passed)
                 for passed in dict.fromkeys([one[1:] for one in known])}  # fmt: skip
        steps = iter(self.universe.steps([(one[0], calls[one[1:]]) for one in known]))
        return [next(steps) if least >= 0 else _MISSING[least] for least in lowest], places

    def _different(self, args: tuple[Term, ...]) -> tuple[list[tuple[int, ...]], Vector]:
        """The different choices of a state and values for ``args``, and which each row has."""
        columns = [self.vector(arg) for arg in args]
        columns[0] = self.as_states(args[0])
        for place, arg in enumerate(args[1:], 1):
            if is_state(arg):
                columns[place] = Vector(map(self.universe.table.value_of, columns[place]))
        different = list(dict.fromkeys(zip(*columns, strict=True)))
        number = {one: place for place, one in enumerate(different)}
        return different, Vector(map(number.__getitem__, zip(*columns, strict=True)))

    def _computed(self, operator: str, left: Vector, right: Vector) -> Vector:
        values = self.universe.table.values
        known: dict[tuple[int, int], int] = {}
        for one, other in dict.fromkeys(zip(left, right, strict=True)):
            known[one, other] = min(one, other, 0) or compute(values, operator, one, other)
        return Vector(map(known.__getitem__, zip(left, right, strict=True)))

    def _tested(self, operator: str, left: Vector, right: Vector) -> Vector:
        """The truth value of a comparison of each row; UNDEFINED where there is none."""
        values = self.universe.table.values
        number = {truth: values.of_plain(truth) for truth in (True, False)}
        known: dict[tuple[int, int], int] = {}
        for one, other in dict.fromkeys(zip(left, right, strict=True)):
            lowest = min(one, other)
            truth = compare(values, operator, one, other) if lowest >= 0 else None
            known[one, other] = min(lowest, UNDEFINED) if truth is None else number[truth]
        return Vector(map(known.__getitem__, zip(left, right, strict=True)))

    def equal(self, left: Vector, right: Vector) -> int:
        """The rows, as bits, on which both are defined and equal."""
        if left.distinct.isdisjoint(right.distinct):
            return 0
        return bits(map(eq, left, right)) & left.defined

    def undecided(self, left: Vector, right: Vector) -> int:
        """The rows, as bits, on which two different states may be equal for all that is known."""
        alone = self.universe.equality.alone
        if alone.isdisjoint(left.distinct) and alone.isdisjoint(right.distinct):
            return 0
        return bits(one in alone or other in alone for one, other in zip(left, right, strict=True))

    def unknown(self, *vectors: Vector) -> int:
        """The rows, as bits, on which one is UNKNOWN."""
        found = 0
        for vector in vectors:
            found |= vector.unknown
        return found

    def atom(self, atom: Atom) -> tuple[int, int]:
        """The rows on which ``atom`` holds, and those on which it does not; others have neither."""
        found = self._atoms.get(atom)
        if found is None:
            found = self._atoms[atom] = self._evaluate_atom(atom)
        return found

    def _evaluate_atom(self, atom: Atom) -> tuple[int, int]:
        left, right = self.vector(atom.left), self.vector(atom.right)
        values = self.universe.table.values
        defined = left.defined & right.defined
        if atom.operator == "==":
            nan = atom.left == atom.right
            if isinstance(atom.left, Apply) and atom.left.part == "outcome":
                unknown = self.unknown(left)  # a call on nothing does not return
                holds = self.equal(left, right)
                return holds, self.all & ~holds & ~unknown
            holds = bits(not values.is_nan(a) for a in left) if nan else bits(map(eq, left, right))
        else:
            known = {
                pair: is_less(values, *pair)
                for pair in dict.fromkeys(zip(left, right, strict=True))
            }
            holds = bits(known[pair] is True for pair in zip(left, right, strict=True))
            defined &= bits(known[pair] is not None for pair in zip(left, right, strict=True))
        yes, no = holds & defined, ~holds & defined
        return (no, yes) if atom.negated else (yes, no)

    def guard(self, guard: Guard) -> int:
        """The rows, as bits, on which ``guard`` holds."""
        return self.judged(guard)[0]

    def judged(self, guard: Guard) -> tuple[int, int]:
        """The rows on which ``guard`` holds, and those on which it cannot be said.

        As in Python, what comes after a false part of ``and``, or a true one of ``or``, is not
        asked.
        """
        if not guard.atoms:
            return self.all, 0
        open_rows, holds, unsaid = self.all, 0, 0
        for atom in guard.atoms:
            yes, no = (mask & open_rows for mask in self.atom(atom))
            unsaid |= open_rows & ~(yes | no)
            holds |= yes if guard.joined == "or" else 0
            open_rows = yes if guard.joined == "and" else no
        return (holds if guard.joined == "or" else open_rows), unsaid


#: The step of a row whose arguments are missing.
_MISSING: Final[dict[int, Entry]] = {
    UNDEFINED: NOT_MEANT, UNKNOWN: NOTHING
}  # fmt: skip


def _state_part(entry: Entry) -> int:
    return UNDEFINED if entry.kind == "x" else entry.value if entry.kind == "s" else entry.after


def _value_part(entry: Entry) -> int:
    return UNDEFINED if entry.kind == "x" else UNKNOWN if entry.kind == "s" else entry.value


def _outcome_part(entry: Entry, returned: int) -> int:
    if entry.kind == "?" and entry.after < 0:
        return entry.after
    return entry.value if entry.kind == "x" else returned


def _product_at(columns: Sequence[Sequence[int]], place: int) -> tuple[int, ...]:
    """What stands at ``place`` of the product of ``columns``: the last one varies first."""
    found: list[int] = []
    for column in reversed(columns):
        place, one = divmod(place, len(column))
        found.append(column[one])
    return tuple(reversed(found))


def bits(truths: Iterable[bool]) -> int:
    """An integer whose bit N says whether the truth number N holds."""
    return int(bytes(truths).translate(_DIGITS)[::-1] or b"0", 2)


def first_bit(mask: int) -> int:
    """The number of the lowest bit of ``mask``; -1 when there is none."""
    return (mask & -mask).bit_length() - 1
