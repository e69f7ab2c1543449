"""Rewriting with laws: does an equation follow from others?

Invariant: a rule is applied only where its guard holds on the rows at hand, and only towards the
smaller term, so rewriting ends; what is not shown to follow is taken to be new.

Source: KNUTHBENDIX, ordered rewriting without completion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.core.sequences import Const
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Constant,
    Guard,
    Law,
    Term,
    TermOrder,
    Test,
    guard_terms,
    subterms,
)
from unitcraft.infer.derivation.definitions import NO_DEFINITIONS, equations_of
from unitcraft.infer.derivation.observation import shown_alike, telling_sets
from unitcraft.infer.derivation.proof import MAX_STEPS, Proof
from unitcraft.infer.derivation.rule_book import RuleBook

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows


def follows(law: Law, rules: Sequence[Law], rows: Rows, order: TermOrder) -> bool:
    """Do ``rules`` rewrite both sides of ``law`` to one term, case by case, where its guard holds?

    ``rows`` are over the variables of ``law``.  What the guard says is equal may be replaced, then
    also what the rules define; of a guard joined by ``or`` each case is proved.
    """
    return follows_from(law, RuleBook(rules, rows.universe.table.values, order), rows, order)


def follows_from(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    """``follows``, from the rules of ``book``."""
    cases = [Guard((atom,)) for atom in law.guard.atoms] if law.guard.joined == "or" else []
    return all(
        _is_proved(Law(law.left, law.right, guard), book, rows, order)
        or _is_proved_twice(Law(law.left, law.right, guard), book, rows, order)
        for guard in cases or [law.guard]
    )


def _is_proved_twice(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    """Of two truth values: is the left side True where the right one is, and False elsewhere?"""
    values = rows.universe.table.values
    true, false = (Constant(values.of_plain(truth)) for truth in (True, False))
    seen = {value for value in rows.distinct(law.right) if value >= 0}
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
            book, rows, order,
        )
        for truth, atom in ((true, asked), (false, asked._replace(negated=True)))
    )  # fmt: skip


def _is_proved(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    if _is_rewritten(law, book, rows, order) or _is_observed(law, book, rows, order):
        return True
    wide = Law(_with_defaults(law.left, rows), _with_defaults(law.right, rows), law.guard)
    return wide != law and _is_rewritten(wide, book, rows, order)


def _with_defaults(term: Term, rows: Rows) -> Term:
    """``term``, its constructors called with the defaults of all arguments that rules are about."""
    if not isinstance(term, Apply):
        return term
    args = tuple(_with_defaults(one, rows) for one in term.args)
    table = rows.universe.table
    own = table.operations[term.operation]
    if not own.is_constructor:
        return term._replace(args=args)
    alike = [n for n, one in enumerate(table.operations) if one.invocable.id == own.invocable.id]
    widest = max(alike, key=lambda place: len(table.operations[place].given))
    more = table.operations[widest].given[len(own.given) :]
    if table.operations[widest].given[: len(own.given)] != own.given or not all(
        isinstance(one.default, Const) for one in more
    ):
        return term
    given = [Constant(table.values.of_arg(one.default)) for one in more if one.default is not None]
    return Apply(widest, (*args, *given), term.part)


def _is_rewritten(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    """Is it proved where one side is defined at all?"""
    mask = _defined(law, rows)
    if not mask:
        return False
    meant = [(one, True) for one in book.choices()] if book.definitions else []
    for one, defined in ((book, False), *meant):
        definitions = one.definitions if defined else NO_DEFINITIONS
        equations = equations_of(law.guard, definitions, rows, order)
        for swaps in (False, True) if book.has_turns else (False,):
            changed = _changed(law, order)
            proof = Proof(one, rows, order, equations, changed, defined=defined, swaps=swaps)
            proof.know_more(mask)
            if proof.meets(law.left, law.right, mask, MAX_STEPS):
                return True
    return False


def _defined(law: Law, rows: Rows) -> int:
    """The rows where the guard of ``law`` holds and one of its sides is defined."""
    missing = rows.all
    for vector in (rows.vector(law.left), rows.beside(law.left, law.right)):
        missing &= ~(vector.defined | vector.unknown)
    return rows.guard(law.guard) & ~missing


def _is_observed(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    """Are both sides states that observers tell apart, and do all of these show the same?"""
    if not isinstance(law.left, Apply) or law.left.part != "state" or not _defined(law, rows):
        return False
    return any(
        all(
            not _defined(alike, wide) or _is_value_law(alike, book, wide, order)
            for one in shown
            for alike, wide in shown_alike(law, one, rows)
        )
        for shown in telling_sets(law, book.shown(), rows, order)
    )


def _is_value_law(law: Law, book: RuleBook, rows: Rows, order: TermOrder) -> bool:
    return _is_rewritten(law, book, rows, order) or _is_proved_twice(law, book, rows, order)


def _changed(law: Law, order: TermOrder) -> Term | None:
    """The state after one call, of which ``law`` says what an observer shows.

    Conditions of rules on that very state are facts of the same kind, which have to be proved, but
    where ``law`` itself has such a condition.
    """
    left = law.left
    if not isinstance(left, Apply) or left.part != "value" or order.is_changing(left.operation):
        return None
    changed = left.args[0]
    if not isinstance(changed, Apply) or changed.args[0] != RECEIVER:
        return None
    asked = any(changed in subterms(side) for side in guard_terms(law.guard))
    return None if asked else changed
