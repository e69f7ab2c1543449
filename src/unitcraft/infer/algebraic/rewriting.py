"""Rewriting with laws: does an equation follow from others?

Invariant: a rule is applied only where its guard holds on the rows at hand, and only towards the
smaller term, so rewriting ends; what is not shown to follow is taken to be new.

Source: KNUTHBENDIX, ordered rewriting without completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    Apply,
    Compute,
    Constant,
    Law,
    Term,
    TermOrder,
    Test,
    Var,
    match,
    parts,
    substitute,
    substitute_guard,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows

#: Terms that one proof looks at; one that needs more is given up.
MAX_WORK: Final = 120
#: Steps of rewriting of one side, and cases into which the rows are split.
MAX_STEPS: Final = 8


def follows(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Do ``rules`` rewrite both sides of ``law`` to one term, case by case, where its guard holds?

    ``rows`` are over the variables of ``law``.
    """
    mask = rows.guard(law.guard)
    return bool(mask) and _Proof(rules, rows, order).meets(law.left, law.right, mask, MAX_STEPS)


class _Proof:
    """The rules and rows of one proof."""

    def __init__(self, rules: Sequence[Law], rows: Rows, order: TermOrder) -> None:
        self._rules: dict[tuple[object, str], list[Law]] = {}
        for rule in rules:
            self._rules.setdefault(_head(rule.left), []).append(rule)
        self._rows = rows
        self._order = order
        self._left = MAX_WORK

    def meets(self, left: Term, right: Term, mask: int, steps: int) -> bool:
        """Can both sides be rewritten to one term, on the rows of ``mask``?"""
        if not mask or left == right or self._are_sums(left, right):
            return True
        if self._is_instance(left, right, mask):
            return True
        self._left -= 1
        if not steps or self._left <= 0:
            return False
        for term, other in ((left, right), (right, left)):
            for after, where in self._rewritings(term, mask):
                if not self.meets(after, other, where, steps - 1):
                    continue
                if where == mask or self.meets(term, other, mask & ~where, steps - 1):
                    return True
                break
        return False

    def _is_instance(self, left: Term, right: Term, mask: int) -> bool:
        """Does one rule say just that, in whichever direction?"""
        for one, other in ((left, right), (right, left)):
            for rule in self._rules.get(_head(one), ()):
                found: dict[Var, Term] = {}
                if match(rule.left, one, found) and substitute(rule.right, found) == other:
                    guard = self._rows.guard(substitute_guard(rule.guard, found))
                    if not mask & ~guard:
                        return True
        return False

    def _are_sums(self, left: Term, right: Term) -> bool:
        """Are both the same sum of integers, in whatever order?"""
        if not isinstance(left, Compute) and not isinstance(right, Compute):
            return False
        summands: dict[Term, int] = {}
        constant = self._add(left, 1, summands)
        other = self._add(right, -1, summands)
        return None not in (constant, other) and constant == -(other or 0) and not any(
            summands.values()
        )  # fmt: skip

    def _add(self, term: Term, sign: int, summands: dict[Term, int]) -> int | None:
        """Count the summands of ``term``; answers the sum of its constants.

        None where a part is no integer.
        """
        if isinstance(term, Compute) and term.operator in ("+", "-"):
            left = self._add(term.left, sign, summands)
            right = self._add(term.right, sign if term.operator == "+" else -sign, summands)
            return None if left is None or right is None else left + right
        values = self._rows.universe.table.values
        if not all(values.is_integer(one) for one in set(self._rows.vector(term)) if one >= 0):
            return None
        if isinstance(term, Constant):
            return sign * int(values.plain(term.value))
        summands[term] = summands.get(term, 0) + sign
        return 0

    def _rewritings(self, term: Term, mask: int) -> Iterator[tuple[Term, int]]:
        """(the term after one step, the rows of ``mask`` where it is one), whole ones first."""
        partial = []
        for after, rule, found in self._steps(term):
            where = mask & self._rows.guard(substitute_guard(rule.guard, found))
            if where == mask:
                yield after, where
            elif where:
                partial.append((after, where))
        yield from partial

    def _steps(self, term: Term) -> Iterator[tuple[Term, Law, dict[Var, Term]]]:
        for rule in self._rules.get(_head(term), ()):
            found: dict[Var, Term] = {}
            if match(rule.left, term, found):
                after = substitute(rule.right, found)
                if self._order(after) < self._order(term):
                    yield after, rule, found
        for place, part in enumerate(parts(term)):
            for after, rule, found in self._steps(part):
                yield _with_part(term, place, after), rule, found


def _head(term: Term) -> tuple[object, str]:
    """What a rule has in common with the terms that it rewrites."""
    return (term.operation, term.part) if isinstance(term, Apply) else (type(term), "")


def _with_part(term: Term, place: int, part: Term) -> Term:
    if isinstance(term, Apply):
        args = (*term.args[:place], part, *term.args[place + 1 :])
        return Apply(term.operation, args, term.part)
    if isinstance(term, Compute | Test):
        left, right = (part, term.right) if place == 0 else (term.left, part)
        return type(term)(left, term.operator, right)
    return term


def without_consequences(laws: Sequence[Law], rows: Rows, order: TermOrder) -> list[Law]:
    """``laws`` without those that follow from the others, the larger ones tried first."""
    kept = sorted(laws, key=lambda law: (order(law.left), order(law.right), len(law.guard.atoms)))
    for law in list(reversed(kept)):
        others = [one for one in kept if one is not law]
        if follows(law, others, rows, order):
            kept = others
    return kept
