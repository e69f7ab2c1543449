"""One proof: both sides of an equation are rewritten until they meet, case by case over rows.

Invariant: a rule is applied only where its guard holds on the rows at hand, and only towards the
smaller term, so rewriting ends; each proof looks at a bounded number of terms.

Source: KNUTHBENDIX, ordered rewriting without completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
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
    parts,
    substitute,
    substitute_guard,
    subterms,
    variables,
)
from unitcraft.infer.algebraic.term_vectors import bits
from unitcraft.infer.derivation.definitions import (
    NO_DEFINITIONS,
    Equation,
    equation_of,
    is_empty,
    replace_equals,
)
from unitcraft.infer.derivation.polynomials import are_one_polynomial, is_in_order
from unitcraft.infer.derivation.rule_book import RuleBook, is_turn, masks_of
from unitcraft.infer.derivation.simplification import simplify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows

#: Terms that one proof looks at; one that needs more is given up.
MAX_WORK: Final = 120
#: Steps of rewriting of one side, and cases into which the rows are split.
MAX_STEPS: Final = 8
#: The same of a proof that a condition of a rule holds.
MAX_LEMMA_WORK: Final = 30
MAX_LEMMA_STEPS: Final = 4


class Proof:
    """The rules and rows of one proof, and what may be replaced at any time."""

    def __init__(
        self,
        book: RuleBook,
        rows: Rows,
        order: TermOrder,
        equations: Sequence[Equation],
        changed: Term | None,
        *,
        defined: bool,
        swaps: bool,
        is_lemma: bool = False,
    ) -> None:
        """With ``swaps``, arguments that may change places do so in either direction.

        With ``defined``, observers are replaced by what they mean.  ``is_lemma``: it is a part of
        another proof, and has no such parts itself.
        """
        self._given = (book, rows, order, equations, changed)
        self._lemmas: Proof | None = None
        self._meant = rows.all
        self._is_lemma = is_lemma
        self._book = book
        self._defined = defined
        self._rows = rows
        self._order = order
        self._definitions = book.definitions if defined else NO_DEFINITIONS
        self._equations = equations
        self._changed = changed
        self._left = MAX_WORK
        self._swaps = swaps
        self._failed: dict[tuple[Term, Term, int], int] = {}
        self._known_normals: dict[tuple[Term, int], Term] = {}
        self._known_steps: dict[Term, list[tuple[Term, int]]] = {}
        self._known_equals: dict[Term, list[tuple[Term, int, bool]]] = {}
        self._equal: dict[int, dict[Var, Term]] = {}

    def _normal(self, term: Term, mask: int) -> Term:
        """``term`` with equal terms replaced and computed ones simplified."""
        known = self._known_normals.get((term, mask))
        if known is None:
            known = self._known_normals[term, mask] = self._normalized(term, mask)
        return known

    def _normalized(self, term: Term, mask: int) -> Term:
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
        if mask & ~vector.defined:
            return False
        return empty not in vector.distinct or not mask & bits(map(empty.__eq__, vector))

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
        if not steps or self._left <= 0:
            return False
        if any(self._has_no_items(*pair, mask, steps) for pair in ((left, right), (right, left))):
            return True
        return self._meets_later(left, right, mask, steps) or any(
            isinstance(one, Test) and self._is_true(other) and self._is_between(one, mask, steps)
            for one, other in ((left, right), (right, left))
        )

    def _has_no_items(self, items: Term, other: Term, mask: int, steps: int) -> bool:
        """Is ``other`` an empty container, and the length of ``items`` 0?"""
        values = self._rows.universe.table.values
        if not isinstance(items, Apply) or not is_empty(other, values):
            return False
        none, zero = (Constant(values.of_plain(value)) for value in (None, 0))
        return self.meets(Compute(items, "len", none), zero, mask, steps - 1)

    def _is_between(self, order: Test, mask: int, steps: int) -> bool:
        """Is there something that is at least the left side of ``order``, and at most the right?"""
        if order.operator not in ("<", "<="):
            return False
        true = Constant(self._rows.universe.table.values.of_plain(True))  # noqa: FBT003
        rests: list[Term] = []
        for sign in ("<=", "<"):
            rest = "<" if (sign, order.operator) == ("<=", "<") else "<="
            for rule in self._book.rewriting(order._replace(operator=sign), defined=self._defined):
                middle = self._next_above(rule, order, mask)
                rests += [Test(middle, rest, order.right)] if middle is not None else []
        # What one rule says comes first: others may use up all the work.
        return any(self._is_instance(one, true, mask) for one in rests) or any(
            self.meets(one, true, mask, steps - 1) for one in rests
        )

    def _next_above(self, rule: Law, order: Test, mask: int) -> Term | None:
        """What ``rule`` says is above the left side of ``order`` on ``mask``; None if nothing."""
        found: dict[Var, Term] = {}
        if not isinstance(rule.left, Test) or not self._is_true(rule.right):
            return None
        if not match(rule.left.left, order.left, found):
            return None
        if not found.keys() >= set(variables(rule.left.right)):
            return None
        middle = substitute(rule.left.right, found)
        if middle in (order.left, order.right):
            return None
        guard = substitute_guard(rule.guard, found)
        return None if mask & ~self._where(guard, masks_of(guard, self._rows)) else middle

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
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Test) and self._is_true(other) and is_in_order(one, self._rows):
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
                numbers = {number for number in self._rows.distinct(count) if number >= 0}
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

    def _where(self, guard: Guard, masks: tuple[int, int]) -> int:
        """The rows on which a rule may be applied; none if it asks what is to be proved.

        Where it is not known whether the condition holds, as a value is too large, nothing speaks
        against the rule.
        """
        if not guard.atoms:
            return self._rows.all
        holds, unknown = masks
        if not holds & self._meant:
            return 0
        mask = (holds | unknown) & self._meant
        return mask if self._is_granted(guard, mask) else 0

    def _is_granted(self, guard: Guard, mask: int) -> bool:
        """Are the conditions on the state after the call proved, for the rows of ``mask``?

        That something is shown of it at all is no fact about it.
        """
        if self._changed is None:
            return True
        asked = [
            atom
            for atom in guard.atoms
            if self._changed in (*subterms(atom.left), *subterms(atom.right))
            and not _says_return(atom)
        ]
        if asked and (self._is_lemma or (guard.joined == "or" and len(guard.atoms) > 1)):
            return False
        values = self._rows.universe.table.values
        pairs = [equation_of(atom, values) for atom in asked]
        return all(pair is not None and self._is_lemma_true(*pair, mask) for pair in pairs)

    def _is_lemma_true(self, left: Term, right: Term, mask: int) -> bool:
        if self._lemmas is None:
            self._lemmas = Proof(*self._given, defined=self._defined, swaps=False, is_lemma=True)
            self._lemmas.know_more(self._meant)
        self._lemmas.allow(MAX_LEMMA_WORK)
        return self._lemmas.meets(left, right, mask, MAX_LEMMA_STEPS)

    def allow(self, work: int) -> None:
        """Look at that many terms from now on."""
        self._left = work

    def know_more(self, mask: int) -> None:
        """What rules make of a side that is equal to another on ``mask`` is equal to it, too.

        No other rows are looked at from now on.
        """
        self._meant = mask
        more = [
            (after, other) if self._order(other) < self._order(after) else (other, after)
            for one, other in self._equations
            for after, rows in self._steps(one)
            if not mask & ~rows and after != other
        ]
        self._equations = list(dict.fromkeys((*self._equations, *more)))
        self._known_normals = {}

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
            for one in self._book.instances(term, defined=self._defined):
                is_step = one.is_smaller or (self._swaps and is_turn(one.rule))
                rows = self._where(one.guard, one.masks(self._rows))
                known.append((one.after, rows, is_step))
        return known


def _says_return(atom: Atom) -> bool:
    """Is it that a call returns?"""
    return isinstance(atom.left, Apply) and atom.left.part == "outcome" and not atom.negated


def _with_part(term: Term, place: int, part: Term) -> Term:
    if isinstance(term, Apply):
        args = (*term.args[:place], part, *term.args[place + 1 :])
        return Apply(term.operation, args, term.part)
    if isinstance(term, Compute | Test):
        left, right = (part, term.right) if place == 0 else (term.left, part)
        return type(term)(left, term.operator, right)
    return term
