"""What a law asks of its reader: few calls and one condition little, rare cases much.

Of true laws, those that ask much say least: they hold for an accident of two conditions, for one
object, or of calls whose arguments are what other calls answer.

Invariant: a burden follows from the terms of a law alone.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.confirmation import is_outcome
from unitcraft.infer.algebraic.law_terms import (
    STATE,
    Apply,
    Atom,
    Constant,
    Law,
    Term,
    TermOrder,
    Var,
    law_variables,
    size,
    subterms,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.infer.universe.values import Values

#: Laws of a larger burden are not looked for: all lists of laws written by hand have smaller ones.
MAX_BURDEN: Final = 3
#: Calls of a side, and variables beside the object, that ask nothing.
_CALLS: Final = 2
_VARIABLES: Final = 2


def burden(law: Law, order: TermOrder, values: Values) -> int:
    """How much ``law`` asks of its reader."""
    left, right = law.left, law.right
    given = [one for one in law_variables(law) if one.sort != STATE]
    found = sum(max(0, size(side) - _CALLS) for side in (left, right))
    found += max(0, len(given) - _VARIABLES)
    found += sum(_of_call(one, order) for one in chain(subterms(left), subterms(right))
                 if isinstance(one, Apply))  # fmt: skip
    for side in (left, right):
        if isinstance(side, Apply) and side.part == "value" and size(side) > 1:
            found += order.is_changing(side.operation)
    return found + _of_guard(law, order, values)


def _of_call(call: Apply, order: TermOrder) -> int:
    """One value passed twice, answers of calls as arguments."""
    given = [one for one in call.args[1:] if isinstance(one, Var)]
    found = 2 * (len(given) - len(set(given)))
    for one in call.args[1:]:
        if isinstance(one, Apply):
            found += 1 + order.is_changing(one.operation)
    return found


def _of_guard(law: Law, order: TermOrder, values: Values) -> int:
    """Conditions that are two, ask with arguments, or name one of many cases."""
    atoms = law.guard.atoms
    asked = [one for one in atoms if not is_outcome(one)]
    is_raise = isinstance(law.left, Apply) and law.left.part == "outcome"
    found = -1 if is_raise else 0
    if len(atoms) > 1:
        is_pair = len(asked) > 1 and not is_raise and not _are_limits(asked)
        is_kept = law.guard.joined == "or" and _is_shown_before(law)
        found += 2 if is_pair and not is_kept else 1
    found += max(0, sum(map(_asks_with_arguments, asked)) - 1)
    found += sum(isinstance(one.left, Var) and isinstance(one.right, Constant) for one in asked)
    if not is_raise and _changes(law.left, order) and any(_is_one_case(a, values) for a in asked):
        found += 1 + _changes(law.right, order)
    return found


def _are_limits(atoms: Sequence[Atom]) -> bool:
    """Do two say that one thing lies between two others?"""
    sides = [{one.left, one.right} for one in atoms]
    return len(sides) == 2 and all(a.operator == "<" for a in atoms) and bool(sides[0] & sides[1])  # noqa: PLR2004


def _is_shown_before(law: Law) -> bool:
    """Does an observer show after a call what it shows before, in either of two cases?"""
    left, right = law.left, law.right
    return (
        isinstance(left, Apply) and isinstance(right, Apply) and left.part == "value"
        and (left.operation, left.args[1:]) == (right.operation, right.args[1:])
    )  # fmt: skip


def _changes(term: Term, order: TermOrder) -> bool:
    calls = [one for one in subterms(term) if isinstance(one, Apply)]
    return any(order.is_changing(one.operation) for one in calls)


def _asks_with_arguments(atom: Atom) -> bool:
    return any(isinstance(one, Apply) and len(one.args) > 1 for one in (atom.left, atom.right))


def _is_one_case(atom: Atom, values: Values) -> bool:
    """Does it say that an observer shows one value, which is no truth value?"""
    true = Constant(values.of_plain(True))  # noqa: FBT003
    return (
        isinstance(atom.left, Apply)
        and isinstance(atom.right, Constant)
        and (atom.operator, atom.negated) == ("==", False)
        and atom.right != true
    )


def most_telling(lines: Sequence[tuple[str, int]], most: int) -> set[int]:
    """The places of the ``most`` lines, each with its method and its burden, that say most.

    Each line of a method counts for less than the one before it, so that no method fills the page.
    """
    seen: dict[str, int] = {}
    ranked: list[tuple[int, int]] = []
    for asked, place in sorted((asked, place) for place, (_, asked) in enumerate(lines)):
        method = lines[place][0]
        seen[method] = seen.get(method, 0) + 1
        ranked.append((2 * asked + seen[method], place))
    return {place for _, place in sorted(ranked)[:most]}
