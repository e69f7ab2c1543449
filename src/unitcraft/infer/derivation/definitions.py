"""Definitions: laws that say of one observer what it is in terms of others.

``is_full(S) == (len(S) == limit(S))`` and ``sum(laps(S)) == total(S)`` let a proof replace
``is_full`` and ``total`` by what they mean; the laws about them that follow are not shown.

Invariant: no observer is defined, through however many steps, by itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

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
    Test,
    Var,
    match,
    substitute,
    substitute_guard,
    subterms,
    variables,
)
from unitcraft.infer.derivation.simplification import summands_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.values import Values

#: Steps of replacing that one term may take.
MAX_REPLACED = 12

Equation = tuple[Term, Term]


class Definitions:
    """The definitions among ``rules``, the observer on the left of each (immutable)."""

    def __init__(self, rules: Sequence[Law]) -> None:
        self._by: dict[int, list[Law]] = {}
        self._meanings: dict[Law, Law | None] = {}
        #: Is there an observer with two definitions, of which the first is taken?
        self.are_choices = False
        uses: dict[int, set[int]] = {}
        for rule in rules:
            found = _turned(rule)
            if found is None or not isinstance(found.left, Apply):
                continue
            defined = found.left.operation
            used = {one.operation for one in subterms(found.right) if isinstance(one, Apply)}
            used |= {one for by in tuple(used) for one in uses.get(by, ())}
            if defined in used:
                continue
            if defined in self._by and found.guard == ALWAYS:
                self.are_choices = True
                continue
            self._by.setdefault(defined, []).append(found)
            for known in [*uses, defined]:
                if known == defined or defined in uses[known]:
                    uses.setdefault(known, set()).update(used)

    def __bool__(self) -> bool:
        return bool(self._by)

    def meaning(self, rule: Law) -> Law | None:
        """``rule`` with what is defined without a condition replaced; None if it stays the same."""
        if rule not in self._meanings:
            left, right = self._always(rule.left), self._always(rule.right)
            new = left not in (rule.left, right)
            self._meanings[rule] = Law(left, right, rule.guard) if new else None
        return self._meanings[rule]

    def _always(self, term: Term) -> Term:
        return self.expand(term, 0, None)

    def expand(self, term: Term, mask: int, rows: Rows | None) -> Term:
        """``term`` with what is defined replaced, where the definition holds on ``mask``."""
        for _ in range(MAX_REPLACED):
            after = self._once(term, mask, rows)
            if after == term:
                break
            term = after
        return term

    def _once(self, term: Term, mask: int, rows: Rows | None) -> Term:
        match_ = self._replaced(term, mask, rows) if isinstance(term, Apply) else None
        if match_ is not None:
            return match_
        if isinstance(term, Apply):
            return Apply(
                term.operation, tuple(self._once(a, mask, rows) for a in term.args), term.part
            )
        if isinstance(term, Compute | Test):
            left, right = self._once(term.left, mask, rows), self._once(term.right, mask, rows)
            return type(term)(left, term.operator, right)
        return term

    def _replaced(self, term: Apply, mask: int, rows: Rows | None) -> Term | None:
        for rule in self._by.get(term.operation, ()):
            found: dict[Var, Term] = {}
            if match(rule.left, term, found):
                if not rule.guard.atoms:
                    return substitute(rule.right, found)
                if rows and not mask & ~rows.guard(substitute_guard(rule.guard, found)):
                    return substitute(rule.right, found)
        return None


#: Nothing is defined.
NO_DEFINITIONS: Final = Definitions(())


def is_definition(rule: Law) -> bool:
    """May it define an observer?"""
    return _turned(rule) is not None


def _turned(rule: Law) -> Law | None:
    """``rule`` with the observer that it defines on the left; None for other laws."""
    left, right = rule.left, rule.right
    if isinstance(left, Compute) and _is_observer(right) and _is_about_observers(left):
        return Law(right, left, rule.guard)
    if rule.guard.atoms or not _is_observer(left) or not isinstance(right, Test | Compute):
        return None
    given = set(variables(right)) <= set(variables(left))
    return rule if given and _is_about_observers(right) else None


def _is_observer(term: Term) -> bool:
    return (
        isinstance(term, Apply)
        and term.part == "value"
        and term.args[0] == RECEIVER
        and all(isinstance(arg, Var) for arg in term.args[1:])
        and len(set(term.args)) == len(term.args)
    )


def _is_about_observers(term: Term) -> bool:
    calls = [one for one in subterms(term) if isinstance(one, Apply)]
    return bool(calls) and all(_is_observer(one) for one in calls)


def equations_of(
    guard: Guard, definitions: Definitions, rows: Rows, order: TermOrder
) -> list[Equation]:
    """What ``guard`` says is equal, the larger term first, each with what it means."""
    if guard.joined == "or" and len(guard.atoms) > 1:
        return []
    values = rows.universe.table.values
    mask = rows.guard(guard)
    found: list[Equation] = []
    for atom in guard.atoms:
        pair = equation_of(atom, values)
        if pair is None:
            continue
        meant = definitions.expand(pair[0], mask, rows)
        found += [pair, *([(meant, pair[1])] if meant != pair[0] else [])]
        for term in (pair[0], meant):
            found += _meaning(term, pair[1], values)
    return [(one, other) if order(other) < order(one) else (other, one)
            for one, other in found if one != other]  # fmt: skip


def equation_of(atom: Atom, values: Values) -> Equation | None:
    """The equation that ``atom`` is; one that says that a truth value is not True, too."""
    if atom.operator != "==" or (isinstance(atom.left, Apply) and atom.left.part == "outcome"):
        return None
    if not atom.negated:
        return (atom.left, atom.right)
    if atom.right == Constant(values.of_plain(True)):  # noqa: FBT003
        return (atom.left, Constant(values.of_plain(False)))  # noqa: FBT003
    return None


def _meaning(term: Term, right: Term, values: Values) -> list[Equation]:
    """The equations inside one: of a comparison with its truth, a difference and 0, no items."""
    match term:
        case Test(left, "==", other) if right == Constant(values.of_plain(True)):  # noqa: FBT003
            return [(left, other)]
        case Test(left, "!=", other) if right == Constant(values.of_plain(False)):  # noqa: FBT003
            return [(left, other)]
        case Compute(left, "len", _) if right == Constant(values.of_plain(0)):
            return [(left, Constant(values.of_plain([])))]
        case Compute(_, "+" | "-", _):
            return _solved(Compute(term, "-", right), values)
        case Apply() if is_empty(right, values):
            none, zero = (Constant(values.of_plain(value)) for value in (None, 0))
            return [(Compute(term, "len", none), zero)]
    return []


def is_empty(term: Term, values: Values) -> bool:
    """Is it a list, set, mapping or tuple without items?"""
    nothing: tuple[object, ...] = ([], (), {}, set(), frozenset())
    return isinstance(term, Constant) and term.value in map(values.of_plain, nothing)


def _solved(difference: Term, values: Values) -> list[Equation]:
    """What follows from ``difference == 0``: the value of a term alone, or two equal terms."""
    summands, constant = summands_of(difference, values)
    if len(summands) == 1:
        ((one, times),) = summands.items()
        return [(one, Constant(values.of_plain(-constant * times)))] if abs(times) == 1 else []
    if len(summands) == 2 and not constant and sorted(summands.values()) == [-1, 1]:  # noqa: PLR2004 - two terms
        one, other = summands
        return [(one, other)]
    return []


def replace_equals(term: Term, equations: Sequence[Equation]) -> Term:
    """``term`` with the left side of each of ``equations`` replaced by its right side."""
    for one, other in equations:
        if term == one:
            return replace_equals(other, [pair for pair in equations if pair[0] != one])
    match term:
        case Apply(operation, args, part):
            return Apply(operation, tuple(replace_equals(arg, equations) for arg in args), part)
        case Compute(left, operator, right) | Test(left, operator, right):
            kind = type(term)
            return kind(replace_equals(left, equations), operator, replace_equals(right, equations))
    return term
