"""Conditions for laws: equalities of variables, observers of the receiver, comparisons.

Invariant: an atom is defined on every row that it is learned from; of atoms that hold on the same
rows the simplest is kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Const
from unitcraft.infer.algebraic.law_terms import (
    ALWAYS,
    RECEIVER,
    STATE,
    Apply,
    Atom,
    Constant,
    Guard,
    Term,
    Var,
    size,
    subterms,
    variables,
)
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.values import NUMBERS, NoPlainValue, Values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows

#: Atoms that are combined in pairs; the simplest come first.
MAX_ATOMS: Final = 40
#: Numbers and texts of an observer that a guard may name: the states of a small machine.
MAX_VALUES: Final = 3
#: Texts that name the states of a larger machine, where no call is passed one of them.
MAX_NAMED: Final = 6
#: A smaller bound makes guards of accidents: rows that a guard has to cover, and their share.
MIN_ROWS: Final = 3
MIN_SHARE: Final = 0.04
#: Rows from which on that holds: the states of a small machine are all there are.
MIN_MANY: Final = 12


@dataclass(frozen=True, slots=True)
class MaskedAtom:
    """An atom with the rows on which it holds, and the calls that it asks about."""

    atom: Atom
    mask: int
    asked: frozenset[Term] = field(init=False)

    def __post_init__(self) -> None:
        asked = (*subterms(self.atom.left), *subterms(self.atom.right))
        calls = frozenset(one for one in asked if isinstance(one, Apply))
        object.__setattr__(self, "asked", calls)


def atoms_for(
    rows: Rows, given: Sequence[Var], observers: Sequence[Term], fixed: Sequence[Term] = ()
) -> list[MaskedAtom]:
    """The atoms over the receiver and ``given``, each with its negation, simplest first.

    Of those that hold on the same rows the simplest, and one that asks about other calls: a law
    about the calls of the first needs it.

    Numbers and texts that are ``fixed`` are compared with no constant: a limit of 0 that one
    constructor argument sets tells its few objects from all others, and so explains anything.
    """
    found: dict[int, list[MaskedAtom]] = {}
    allowed = {RECEIVER, *given}
    asked = [one for one in observers if set(variables(one)) <= allowed
             and rows.vector(one).defined == rows.all]  # fmt: skip
    last = [*_special_arguments(rows, given), *_of_objects(rows, given, asked)]
    first = islice(_candidates(rows, given, asked), max(0, MAX_ATOMS - len(last)))
    for atom in (*first, *last):
        if any(one in fixed and isinstance(other, Constant)
               and _value_kind(rows, one) in ("number", "text")
               for one, other in ((atom.left, atom.right), (atom.right, atom.left))):  # fmt: skip
            continue
        yes, no = rows.atom(atom)
        if yes | no != rows.all:
            continue
        for one, mask in ((atom, yes), (negation(atom), no)):
            if mask and mask != rows.all:
                alike = found.setdefault(mask, [])
                new = MaskedAtom(one, mask)
                if not alike or (len(alike) == 1 and alike[0].asked.isdisjoint(new.asked)):
                    alike.append(new)
    return [one for alike in found.values() for one in alike]


def negation(atom: Atom) -> Atom:
    """That ``atom`` does not hold."""
    return Atom(atom.left, atom.operator, atom.right, not atom.negated)


def _candidates(rows: Rows, given: Sequence[Var], observers: Sequence[Term]) -> Iterator[Atom]:
    values = rows.universe.table.values
    for one, other in combinations(given, 2):
        if one.sort == other.sort:
            yield Atom(one, "==", other)
    plain = sorted(observers, key=lambda term: len(variables(term)))
    kinds = [(term, _value_kind(rows, term)) for term in plain]
    true = Constant(values.of_arg(Const(True)))  # noqa: FBT003
    yield from (Atom(term, "==", true) for term, kind in kinds if kind == "bool")
    for one in given:
        if one.sort == "float":
            yield Atom(one, "==", one)
    asked = [(term, kind) for term, kind in kinds if kind != "bool"]
    asked.sort(key=lambda pair: pair[1] == "other")  # ``len(S) == 0`` before ``items(S) == []``
    yield from _value_atoms(rows, asked)
    yield from _shown_arguments(rows, [term for term, _ in kinds], given)
    numbers: list[Term] = [term for term, kind in kinds if kind == "number"]
    numbers += [one for one in given if _value_kind(rows, one) == "number"]
    yield from _number_atoms(numbers, Constant(values.of_plain(0)))


def _shown_arguments(rows: Rows, observers: Sequence[Term], given: Sequence[Var]) -> Iterator[Atom]:
    """Equalities of arguments with texts that observers show, or with what may also be None."""
    for term in observers:
        kinds = _value_kinds(rows, term)
        kind = next(iter(kinds - {"none"}), "")
        if kinds in ({"text"}, {"none", kind}):
            yield from (Atom(term, "==", one) for one in given if _value_kinds(rows, one) == {kind})


def _of_objects(rows: Rows, given: Sequence[Var], observers: Sequence[Term]) -> Iterator[Atom]:
    """What the objects that are passed show, and whether it is what the receiver shows."""
    true = Constant(rows.universe.table.values.of_plain(True))  # noqa: FBT003
    for one in [one for one in given if one.sort == OWN]:
        for term in observers:
            if isinstance(term, Apply) and term.args == (RECEIVER,):
                shown = Apply(term.operation, (one,), term.part)
                kind = _value_kind(rows, shown)
                yield Atom(shown, "==", true) if kind == "bool" else Atom(term, "==", shown)
                if kind == "number":
                    yield Atom(shown, "==", Constant(rows.universe.table.values.of_plain(0)))
                    yield Atom(term, "<", shown)
                    yield Atom(shown, "<", term)


def _special_arguments(rows: Rows, given: Sequence[Var]) -> Iterator[Atom]:
    """Equalities of arguments with None, zero, one and empty values."""
    values = rows.universe.table.values
    unit = values.of_plain(1)
    for one in given:
        for value in rows.distinct(one):
            if value == unit or _is_special(values, value):
                yield Atom(one, "==", Constant(value))


def _number_atoms(numbers: Sequence[Term], zero: Term) -> Iterator[Atom]:
    """Comparisons with zero and with each other; observers among themselves for equality only."""
    for term in numbers:
        yield from (Atom(zero, "<", term), Atom(term, "<", zero))
    for left, right in combinations(numbers, 2):
        yield Atom(left, "==", right)
        if isinstance(left, Var) or isinstance(right, Var):
            yield from (Atom(left, "<", right), Atom(right, "<", left))


def _value_atoms(rows: Rows, observers: Sequence[tuple[Term, str]]) -> Iterator[Atom]:
    """Equalities of observers with special values that they have, and with their few values.

    Texts that nobody passes are names that the class gives to its states.
    """
    values = rows.universe.table.values
    passed = {number for pool in rows.universe.pools.values() for number in pool}
    for term, kind in observers:
        seen = rows.distinct(term)
        few = len(seen) <= MAX_VALUES and kind in ("number", "text")
        few |= kind == "text" and len(seen) <= MAX_NAMED and passed.isdisjoint(seen)
        for value in seen:
            if value >= 0 and (_is_special(values, value) or few):
                yield Atom(term, "==", Constant(value))


def _is_special(values: Values, number: int) -> bool:
    """None, zero and empty containers: values that code treats as cases of their own."""
    try:
        value: Any = values.plain(number)
    except NoPlainValue:
        return False
    return value is None or (type(value) is not bool and not value)


def _value_kind(rows: Rows, term: Term) -> str:
    """bool, number, text or other: of all the values of ``term``."""
    kinds = _value_kinds(rows, term)
    return next(iter(kinds)) if len(kinds) == 1 and "none" not in kinds else "other"


def _value_kinds(rows: Rows, term: Term) -> frozenset[str]:
    """none, bool, number, text or other: of each of the values of ``term``; names are texts."""
    found = rows.value_kinds.get(term)
    if found is None:
        values = rows.universe.table.values
        found = frozenset(_kind_of(values, number) for number in rows.distinct(term))
        rows.value_kinds[term] = found = frozenset({"other"}) if "other" in found else found
    return found


def _kind_of(values: Values, number: int) -> str:
    if values.is_name(number):
        return "text"
    try:
        return _KINDS.get(type(values.plain(number)), "other")
    except NoPlainValue:
        return "other"


_KINDS: Final[dict[type, str]] = {
    bool: "bool", str: "text", type(None): "none", **dict.fromkeys(NUMBERS, "number")
}  # fmt: skip


def weakest_guard(
    atoms: Sequence[MaskedAtom], agree: int, against: int, *, equating: bool = False
) -> tuple[Guard, int]:
    """The guard that holds on most rows of ``agree`` and on none of ``against``, with its rows.

    One atom, or two joined by or, or by and; no rows when there is none.  ``equating``: it may say
    that two variables are equal, alone.
    """
    sound = [one for one in atoms if not one.mask & against]
    rest = [
        one for one in atoms if one.mask & against and one.mask & agree and not equates(one.atom)
    ]
    best, covered, most = ALWAYS, 0, 0
    equal = [one for one in sound if equating and equates(one.atom)]
    alone = [((one,), "and", one.mask) for one in equal]
    for parts, joined, mask in (*alone, *_combined(sound, rest, against)):
        count = (mask & agree).bit_count()
        if count > most:
            best = Guard(tuple(one.atom for one in parts), joined)  # type: ignore[arg-type]
            covered, most = mask, count
            if not agree & ~mask:
                break
    return best, covered


def _combined(
    sound: Sequence[MaskedAtom], rest: Sequence[MaskedAtom], against: int
) -> Iterator[tuple[tuple[MaskedAtom, ...], str, int]]:
    """(atoms, how they are joined, the rows of that), none of ``against`` among the rows."""
    for one in sound:
        if not equates(one.atom):
            yield (one,), "and", one.mask
    for one, other in combinations(rest, 2):
        mask = one.mask & other.mask
        if mask and not mask & against and not _is_pair(one.atom, other.atom):
            yield (one, other), "and", mask
    for one, other in combinations(sound, 2):
        yield (one, other), "or", one.mask | other.mask


def compared_things(atom: Atom) -> frozenset[object]:
    """What an order compares, variables by their sort: the two sides without their direction."""
    return frozenset(
        side.sort if isinstance(side, Var) else side for side in (atom.left, atom.right)
    )


def compared_in(guards: Sequence[Guard]) -> frozenset[frozenset[object]]:
    """What the orders in ``guards`` compare."""
    atoms = [atom for guard in guards for atom in guard.atoms if atom.operator == "<"]
    return frozenset(compared_things(atom) for atom in atoms)


def without(atoms: Sequence[MaskedAtom], sides: Sequence[Term]) -> list[MaskedAtom]:
    """``atoms`` without those that mention a side of the law, which would say nothing.

    Nor those that give a value to a variable of its right side, which then has a simpler one.
    """
    named = variables(sides[-1])
    calls = [term for term in sides if isinstance(term, Apply)]
    found: dict[int, MaskedAtom] = {}
    for one in atoms:
        if one.asked.isdisjoint(calls) and not (
            one.atom.left in named and isinstance(one.atom.right, Constant)
            and one.atom.operator == "==" and not one.atom.negated
        ):  # fmt: skip
            found.setdefault(one.mask, one)
    return list(found.values())


def _is_pair(one: Atom, other: Atom) -> bool:
    """Do both compare the same two things?  Together they say that these are equal."""
    return {one.left, one.right} == {other.left, other.right}


def equates(atom: Atom) -> bool:
    """Are two variables equal?  The same variable in both places says that without a guard."""
    sides = (atom.left, atom.right)
    return (
        atom.operator == "=="
        and not atom.negated
        and atom.left != atom.right
        and all(isinstance(side, Var) for side in sides)
    )


def is_supported(guard: Guard, covered: int, rows: Rows) -> bool:
    """Are there enough rows for a law?  A guard that names one case needs no share of them."""
    count = covered.bit_count()
    if len(guard.atoms) == 1 and isinstance(guard.atoms[0].right, Constant):
        return count > 0
    least = 1 if is_small_machine(rows) else MIN_ROWS
    return count >= least and count >= MIN_SHARE * len(rows)


def is_small_machine(rows: Rows) -> bool:
    """Are these all the objects that there are: a few states of one that has no variants?"""
    return len(rows) < MIN_MANY and len(rows.universe.configs) == 1


def fixed_observers(rows: Rows, states: Sequence[Term], observers: Sequence[Term]) -> list[Term]:
    """Those of ``observers`` that no call changes; none where no call changes anything."""
    after = [one for one in states if size(one) == 1]
    found: list[Term] = []
    for observer in observers:
        if isinstance(observer, Apply) and len(observer.args) == 1 and after:
            before = rows.vector(observer)
            later = [rows.vector(Apply(observer.operation, (one,), "value")) for one in after]
            if all(a == b or min(a, b) < 0 for row in later
                   for a, b in zip(row, before, strict=True)):  # fmt: skip
                found.append(observer)
    return found


def guard_observers(values: Sequence[Term], observing: Sequence[bool]) -> list[Term]:
    """The terms that guards may ask: pure observers of the receiver itself."""
    return [
        term
        for term in values
        if isinstance(term, Apply)
        and size(term) == 1
        and term.args[0] == Var(STATE)
        and observing[term.operation]
    ]
