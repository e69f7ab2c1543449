"""Pruning: lines whose laws follow from those of the other lines are left out.

A line is what is shown together: one law, or a few of one call.

Invariant: of the lines that are left none follows from the others, and of those that are left out
all do, as far as proofs of bounded work show it; a line that was taken back once may not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import Law
from unitcraft.infer.derivation.rewriting import follows_from
from unitcraft.infer.derivation.rule_book import RuleBook

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from unitcraft.infer.algebraic.law_terms import TermOrder
    from unitcraft.infer.algebraic.term_vectors import Rows

#: Laws that are shown together.
Line = tuple[Law, ...]


def follow(line: Line, book: RuleBook, rows_of: Callable[[Law], Rows], order: TermOrder) -> bool:
    """Do all laws of ``line`` follow from the rules of ``book``, each on its own rows?"""
    return all(follows_from(law, book, rows_of(law), order) for law in line)


def without_consequences(
    lines: Sequence[Line],
    rows_of: Callable[[Law], Rows],
    order: TermOrder,
    more: Sequence[Law] = (),
    standing: Collection[Line] = (),
    *,
    is_final: bool = True,
) -> list[Line]:
    """``lines``, in their order, without those that follow from the others and from ``more``.

    ``standing``: lines that did not follow from all of ``lines`` and more; they are not tried.
    Unless it ``is_final``, what follows only once others are gone may be left: a class of 62 lines
    takes 2 s more for all of it each time.
    """
    if not lines:
        return []
    run = _Pruning(lines, more, rows_of, order)
    changed = run.drop(standing)
    if changed and not is_final:
        run.restore()
    while changed and is_final:
        changed = run.restore()
        changed = run.drop() or changed
    return [line for line in lines if line in run.left]


class _Pruning:
    """The lines that are left, the rules that they are, and the lines that are gone (mutable)."""

    def __init__(
        self,
        lines: Sequence[Line],
        more: Sequence[Law],
        rows_of: Callable[[Law], Rows],
        order: TermOrder,
    ) -> None:
        self._rows_of = rows_of
        self._order = order
        self._values = rows_of(lines[0][0]).universe.table.values
        small = sorted(dict.fromkeys(lines), key=lambda line: max(map(order.of_law, line)))
        self.left = dict.fromkeys(small)
        self._book = RuleBook(
            (*more, *(law for line in small for law in line)), self._values, order
        )
        self._gone: list[Line] = []
        self._restored: set[Line] = set()

    def drop(self, standing: Collection[Line] = ()) -> bool:
        """Leave out what follows from what else is left, the larger lines first.  Was there any?

        A line may follow only when others are gone: definitions are replaced in all proofs, and
        what other rules lead to uses up the work of a proof.
        """
        before = len(self._gone)
        for line in reversed(tuple(self.left)):
            others = self._book
            for law in line if line not in standing else ():
                others = others.without(law)
            if others is not self._book and follow(line, others, self._rows_of, self._order):
                self._book = others
                self._gone.append(line)
                del self.left[line]
        return len(self._gone) > before

    def restore(self) -> bool:
        """Take back what was proved by lines that are gone and does not follow from those left.

        That happens once to a line, so it ends.  Was one taken back?
        """
        before = len(self._restored)
        for line in reversed(tuple(self._gone)):
            known = line in self._restored
            if not known and not follow(line, self._book, self._rows_of, self._order):
                self._book = RuleBook([*self._book.rules, *line], self._values, self._order)
                self._restored.add(line)
                self._gone.remove(line)
                self.left[line] = None
        return len(self._restored) > before
