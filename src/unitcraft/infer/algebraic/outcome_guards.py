"""Guards that say what a call came to: that it returns, and whether it answers True or False.

Invariant: such a guard is chosen only where it explains more rows than what observers say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.guards import MaskedAtom, equates, negation
from unitcraft.infer.algebraic.law_terms import RECEIVER, Apply, Atom, Constant, Guard, Term
from unitcraft.infer.universe.values import RETURNED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows


def is_returning(guard: Guard) -> bool:
    """Is it only that a call returns?"""
    return (
        len(guard.atoms) == 1
        and isinstance(guard.atoms[0].left, Apply)
        and guard.atoms[0].left.part == "outcome"
    )


def returning(rows: Rows, left: Term, raises: Sequence[bool]) -> MaskedAtom | None:
    """That the outermost call of ``left`` that may raise returns; None when none may."""
    while isinstance(left, Apply):
        if raises[left.operation]:
            outcome = Apply(left.operation, left.args, "outcome")
            atom = Atom(outcome, "==", Constant(rows.universe.table.values.of_raise(RETURNED)))
            return MaskedAtom(atom, rows.atom(atom)[0])
        left = left.args[0]
    return None


def widest_returning(
    returns: MaskedAtom,
    atoms: Sequence[MaskedAtom],
    agree: int,
    against: int,
    known: tuple[Guard, int],
) -> tuple[Guard, int]:
    """``known``, or that a call returns, alone or with one atom, if that holds on more rows.

    Alone it is said rather than one of two conditions, too.
    """
    best, covered = known
    most = (covered & agree).bit_count()
    if not returns.mask & against:
        options = [(Guard((returns.atom,)), returns.mask)]
    else:
        options = [
            (Guard((one.atom, returns.atom)), one.mask & returns.mask)
            for one in atoms
            if not one.mask & returns.mask & against and not equates(one.atom)
        ]
    for guard, mask in options:
        count = (mask & agree).bit_count()
        if count > most or (count == most and best.joined == "or" and len(guard.atoms) == 1):
            best, covered, most = guard, mask, count
    return best, covered


def answering(rows: Rows, left: Apply, answers: Sequence[bool]) -> list[MaskedAtom]:
    """That the one call in ``left`` which changes an object answers True, or False.

    ``answers``: the calls that change something and return.
    """
    call = left if left.part == "state" else left.args[0]
    if not isinstance(call, Apply) or not answers[call.operation] or call.args[0] != RECEIVER:
        return []
    answer = Apply(call.operation, call.args, "value")
    values = rows.universe.table.values
    truths = {values.of_plain(truth) for truth in (True, False)}
    if {value for value in rows.distinct(answer) if value >= 0} != truths:
        return []
    atom = Atom(answer, "==", Constant(values.of_plain(True)))  # noqa: FBT003
    yes, no = rows.atom(atom)
    return [MaskedAtom(atom, yes), MaskedAtom(negation(atom), no)]


def widest_answering(
    answers: Sequence[MaskedAtom],
    returns: MaskedAtom | None,
    agree: int,
    against: int,
    known: tuple[Guard, int],
) -> tuple[Guard, int]:
    """``known``, or what a call answers, if that holds on more rows; ``returns``: where it does."""
    best, covered = known
    for one in answers:
        gain = (one.mask & agree).bit_count() > (covered & agree).bit_count()
        if gain and not one.mask & against:
            first = (returns.atom,) if returns is not None else ()
            best, covered = Guard((*first, one.atom)), one.mask
    return best, covered
