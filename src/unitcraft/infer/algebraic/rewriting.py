"""Rewriting with laws: does an equation follow from others?

Invariant: a rule is applied only where its guard holds on the rows at hand, and only towards the
smaller term, so rewriting ends; what is not shown to follow is taken to be new.

Source: KNUTHBENDIX, ordered rewriting without completion.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.definitions import (
    Definitions,
    Equation,
    equations_of,
    replace_equals,
)
from unitcraft.infer.algebraic.law_terms import (
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
    guard_terms,
    match,
    parts,
    substitute,
    substitute_guard,
    subterms,
)
from unitcraft.infer.algebraic.observation import shown_alike, telling_sets
from unitcraft.infer.algebraic.polynomials import are_one_polynomial
from unitcraft.infer.algebraic.simplification import simplify
from unitcraft.infer.algebraic.term_vectors import bits
from unitcraft.infer.universe.values import UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows

#: Terms that one proof looks at; one that needs more is given up.
MAX_WORK: Final = 120
#: Steps of rewriting of one side, and cases into which the rows are split.
MAX_STEPS: Final = 8


_ONE, _OTHER = Var("", 0), Var("", 1)
_LESS: Final = Atom(_OTHER, "<", _ONE)
#: What ``min`` and ``max`` of two integers are.
CHOICES: Final = tuple(
    Law(Compute(_ONE, operator, _OTHER), side, Guard((replace(_LESS, negated=negated),)))
    for operator, side, negated in (
        ("smaller", _ONE, True),
        ("smaller", _OTHER, False),
        ("larger", _ONE, False),
        ("larger", _OTHER, True),
    )
)


def follows(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Do ``rules`` rewrite both sides of ``law`` to one term, case by case, where its guard holds?

    ``rows`` are over the variables of ``law``.  What the guard says is equal may be replaced, then
    also what the rules define; of a guard joined by ``or`` each case is proved.
    """
    cases = [Guard((atom,)) for atom in law.guard.atoms] if law.guard.joined == "or" else []
    return all(
        _is_proved(Law(law.left, law.right, guard), rules, rows, order)
        or _is_proved_twice(Law(law.left, law.right, guard), rules, rows, order)
        for guard in cases or [law.guard]
    )


def _is_proved_twice(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Of two truth values: is the left side True where the right one is, and False elsewhere?"""
    values = rows.universe.table.values
    true, false = (Constant(values.of_plain(truth)) for truth in (True, False))
    seen = {value for value in rows.vector(law.right) if value >= 0}
    if seen != {true.value, false.value} or len(law.guard.atoms) > 1 or law.guard.joined == "or":
        return False
    if not isinstance(law.right, Apply | Test):
        return False
    asked = Atom(law.right, "==", true)
    if isinstance(law.right, Test) and law.right.operator == "==":
        asked = Atom(law.right.left, "==", law.right.right)
    return all(
        _is_proved(
            Law(law.left, Constant(truth.value), Guard((*law.guard.atoms, atom))),
            rules, rows, order,
        )
        for truth, atom in ((true, asked), (false, replace(asked, negated=True)))
    )  # fmt: skip


def _is_proved(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    return _is_rewritten(law, rules, rows, order) or _is_observed(law, rules, rows, order)


def _is_rewritten(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Is it proved where one side is defined at all?"""
    mask = _defined(law, rows)
    if not mask:
        return False
    definitions = Definitions(rules)
    turns = (False, True) if any(map(_is_swap, rules)) else (False,)
    for known in [Definitions(()), definitions] if definitions else [definitions]:
        equations = equations_of(law.guard, known, rows, order)
        for swaps in turns:
            proof = _Proof(rules, rows, order, known, equations, _changed(law, order), swaps=swaps)
            if proof.meets(law.left, law.right, mask, MAX_STEPS):
                return True
    return False


def _defined(law: Law, rows: Rows) -> int:
    """The rows where the guard of ``law`` holds and one of its sides is defined."""
    return rows.guard(law.guard) & bits(
        UNDEFINED not in pair or pair[0] != pair[1]
        for pair in zip(rows.vector(law.left), rows.beside(law.left, law.right), strict=True)
    )


def _is_observed(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Are both sides states that observers tell apart, and do all of these show the same?"""
    if not isinstance(law.left, Apply) or law.left.part != "state" or not _defined(law, rows):
        return False
    return any(
        all(
            not _defined(alike, wide) or _is_value_law(alike, rules, wide, order)
            for one in shown
            for alike, wide in shown_alike(law, one, rows)
        )
        for shown in telling_sets(law, rules, rows, order)
    )


def _is_value_law(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    return _is_rewritten(law, rules, rows, order) or _is_proved_twice(law, rules, rows, order)


def _changed(law: Law, order: TermOrder) -> Term | None:
    """The state after one call, of which ``law`` says what an observer shows.

    Conditions of rules on that very state are facts of the same kind, and prove nothing.
    """
    left = law.left
    if not isinstance(left, Apply) or left.part != "value" or order.is_changing(left.operation):
        return None
    if isinstance(left.args[0], Apply):
        return left.args[0] if left.args[0].args[0] == RECEIVER else None
    return None


class _Proof:
    """The rules and rows of one proof, and what may be replaced at any time."""

    def __init__(
        self,
        rules: Sequence[Law],
        rows: Rows,
        order: TermOrder,
        definitions: Definitions,
        equations: Sequence[Equation],
        changed: Term | None,
        *,
        swaps: bool,
    ) -> None:
        """With ``swaps``, arguments that may change places do so in either direction."""
        self._rules: dict[tuple[object, str], list[Law]] = {}
        for rule in (*(definitions.rules(rules) if definitions else rules), *CHOICES):
            self._rules.setdefault(_head(rule.left), []).append(rule)
        self._rows = rows
        self._order = order
        self._definitions = definitions
        self._equations = equations
        self._changed = changed
        self._left = MAX_WORK
        self._swaps = swaps
        self._failed: dict[tuple[Term, Term, int], int] = {}
        self._known_steps: dict[Term, list[tuple[Term, int]]] = {}
        self._known_equals: dict[Term, list[tuple[Term, int, bool]]] = {}
        self._equal: dict[int, dict[Var, Term]] = {}

    def _normal(self, term: Term, mask: int) -> Term:
        """``term`` with equal terms replaced and computed ones simplified."""
        same = self._same(mask)
        term = substitute(term, same) if same else term
        term = replace_equals(term, self._equations) if self._equations else term
        if self._definitions:
            term = self._definitions.expand(term, mask, self._rows)
            term = replace_equals(term, self._equations) if self._equations else term
        is_filled = lambda items: self._is_filled(items, mask)  # noqa: E731
        return simplify(term, self._rows.universe.table.values, is_filled)

    def _same(self, mask: int) -> dict[Var, Term]:
        """The variables that are equal to smaller ones on every row of ``mask``."""
        found = self._equal.get(mask)
        if found is None:
            found = self._equal[mask] = {}
            for place, other in enumerate(self._rows.variables):
                for one in self._rows.variables[:place]:
                    if one.sort != other.sort:
                        continue
                    if not mask & ~self._rows.atom(Atom(one, "==", other))[0]:
                        found[other] = one
                        break
        return found

    def _is_filled(self, items: Term, mask: int) -> bool:
        """Has the list an item on every row of ``mask``?"""
        empty = self._rows.universe.table.values.of_plain([])
        vector = self._rows.vector(items)
        return not bits(value < 0 or value == empty for value in vector) & mask

    def meets(self, left: Term, right: Term, mask: int, steps: int) -> bool:
        """Can both sides be rewritten to one term, on the rows of ``mask``?"""
        if self._left <= 0:
            return False
        key = (left, right, mask)
        if self._failed.get(key, -1) >= steps:
            return False
        found = self._meets(left, right, mask, steps)
        if not found:
            self._failed[key] = steps
        return found

    def _meets(self, left: Term, right: Term, mask: int, steps: int) -> bool:
        if not mask or self._is_instance(left, right, mask):
            return True
        given = left, right
        left, right = self._normal(left, mask), self._normal(right, mask)
        if self._is_evident(left, right):
            return True
        if (left, right) != given and self._is_instance(left, right, mask):
            return True
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Test) and one.operator == "==" and self._is_true(other):
                return self.meets(one.left, one.right, mask, steps)
        self._left -= 1
        return steps > 0 and self._left > 0 and self._meets_later(left, right, mask, steps)

    def _meets_later(self, left: Term, right: Term, mask: int, steps: int) -> bool:
        """Do they meet after a step of one side?"""
        for term, other in ((left, right), (right, left)):
            for after, where in self._rewritings(term, mask):
                if not self.meets(after, other, where, steps - 1):
                    continue
                if where == mask or self.meets(term, other, mask & ~where, steps - 1):
                    return True
                break
        return False

    def _is_evident(self, left: Term, right: Term) -> bool:
        """Are both one term or one sum?"""
        if left == right or self._are_sums(left, right):
            return True
        if self._says_more_than_none(left, right) or self._says_more_than_none(right, left):
            return True
        if isinstance(left, Test) and isinstance(right, Test) and left.operator == right.operator:
            pairs = ((left.left, right.left), (left.right, right.right))
            return all(one == other or self._are_sums(one, other) for one, other in pairs)
        return False

    def _says_more_than_none(self, one: Term, other: Term) -> bool:
        """Is ``one`` that a count is not zero, and ``other`` that zero is less?"""
        values = self._rows.universe.table.values
        zero = Constant(values.of_plain(0))
        match one, other:
            case Test(count, "!=", none), Test(least, "<", most) if (none, least) == (zero, zero):
                numbers = {number for number in self._rows.vector(count) if number >= 0}
                return count == most and all(
                    values.is_integer(number) and values.plain(number) >= 0 for number in numbers
                )
        return False

    def _is_true(self, term: Term) -> bool:
        values = self._rows.universe.table.values
        return term == Constant(values.of_plain(True))  # noqa: FBT003

    def _is_instance(self, left: Term, right: Term, mask: int) -> bool:
        """Does one rule say just that, in whichever direction?"""
        return any(
            after == other and not mask & ~rows
            for one, other in ((left, right), (right, left))
            for after, rows, _ in self._equals(one)
        )

    def _are_sums(self, left: Term, right: Term) -> bool:
        return are_one_polynomial(left, right, self._rows)

    def _where(self, rule: Law, found: dict[Var, Term]) -> int:
        """The rows on which ``rule`` may be applied; none if it asks what is to be proved."""
        if not rule.guard.atoms:
            return self._rows.all
        guard = substitute_guard(rule.guard, found)
        if self._changed is not None and any(
            self._changed in subterms(side) for side in guard_terms(guard)
        ):
            return 0
        return self._rows.guard(guard)

    def _rewritings(self, term: Term, mask: int) -> Iterator[tuple[Term, int]]:
        """(the term after one step, the rows of ``mask`` where it is one), whole ones first."""
        partial = []
        for after, rows in self._steps(term):
            where = mask & rows
            if where == mask:
                yield after, where
            elif where:
                partial.append((after, where))
        yield from partial

    def _steps(self, term: Term) -> list[tuple[Term, int]]:
        """(the term after one step, the rows where the rule of it may be applied)."""
        found = self._known_steps.get(term)
        if found is None:
            found = [(after, rows) for after, rows, is_step in self._equals(term) if is_step]
            for place, part in enumerate(parts(term)):
                for after, rows in self._steps(part):
                    found.append((_with_part(term, place, after), rows))
            self._known_steps[term] = found
        return found

    def _equals(self, term: Term) -> list[tuple[Term, int, bool]]:
        """(what a rule says is equal to ``term``, the rows where it may be applied, is it a step?).

        A step leads to a smaller term, or lets two arguments change places.
        """
        known = self._known_equals.get(term)
        if known is None:
            known = self._known_equals[term] = []
            for rule in self._rules.get(_head(term), ()):
                found: dict[Var, Term] = {}
                if match(rule.left, term, found):
                    after = substitute(rule.right, found)
                    is_step = self._order(after) < self._order(term)
                    is_step = is_step or (self._swaps and _is_swap(rule))
                    known.append((after, self._where(rule, found), is_step))
        return known


def _is_swap(rule: Law) -> bool:
    """Does it say that arguments may change places, and nothing else?"""
    left, right = rule.left, rule.right
    return left != right and match(left, right, {}) and match(right, left, {})


def _head(term: Term) -> tuple[object, str]:
    """What a rule has in common with the terms that it rewrites."""
    if isinstance(term, Apply):
        return term.operation, term.part
    return type(term), term.operator if isinstance(term, Compute | Test) else ""


def _with_part(term: Term, place: int, part: Term) -> Term:
    if isinstance(term, Apply):
        args = (*term.args[:place], part, *term.args[place + 1 :])
        return Apply(term.operation, args, term.part)
    if isinstance(term, Compute | Test):
        left, right = (part, term.right) if place == 0 else (term.left, part)
        return type(term)(left, term.operator, right)
    return term


def without_consequences(laws: Sequence[Law], rows: Rows, order: TermOrder) -> list[Law]:
    """``laws`` without those that follow from the others, the larger ones tried first.

    Twice: a proof that many rules led astray may succeed with the few that are left.
    """
    kept = sorted(laws, key=lambda law: (order(law.left), order(law.right), len(law.guard.atoms)))
    for _ in range(2):
        for law in list(reversed(kept)):
            others = [one for one in kept if one is not law]
            if follows(law, others, rows, order):
                kept = others
    return kept
