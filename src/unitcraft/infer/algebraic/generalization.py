"""Laws about any arguments in place of equal ones.

What holds of ``put(S, key, key)`` may hold of ``put(S, key, value)``.

Invariant: a law that is returned holds on every row of its guard, and the law that it replaces is
an instance of it.
"""

from __future__ import annotations

from itertools import combinations, islice
from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.confirmation import judge
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Compute,
    Guard,
    Law,
    Term,
    Test,
    Var,
    is_swap,
    law_variables,
    subterms,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows


def generalize(laws: Sequence[Law], rows: Rows) -> list[Law]:
    """``laws``, each with different arguments where equal ones are not needed.

    Where it matters only that two of them differ, that law stands beside the special one.
    """
    found: dict[Law, None] = {}
    for law in laws:
        swap = _general_swap(law, rows)
        if swap is not None:
            found[swap] = None
            continue
        wider = list(_wider(law, rows))
        general = next((one for one in wider if _holds(one, rows)), None)
        found[general or law] = None
        if general is None:
            apart = (two for one in wider for two in _apart(one) if _holds(two, rows))
            found.update(dict.fromkeys(islice(apart, 1)))
    return list(found)


def _general_swap(law: Law, rows: Rows) -> Law | None:
    """``law`` about two calls that change places with arguments of their own, if that holds.

    None for other laws, and where it holds for no more than some arguments.
    """
    if not is_swap(law):
        return None
    left: Apply = law.left  # type: ignore[assignment]
    inner: Apply = left.args[0]  # type: ignore[assignment]
    args = (*inner.args[1:], *left.args[1:])
    if len(set(args)) == len(args) and all(isinstance(one, Var) for one in args):
        return None
    sorts = [*_sorts(inner, rows), *_sorts(left, rows)]
    fresh = [Var(sort, sorts[:at].count(sort)) for at, sort in enumerate(sorts)]
    if not set(fresh) <= set(rows.variables):
        return None
    first, last = fresh[: len(inner.args) - 1], fresh[len(inner.args) - 1 :]
    one = Apply(inner.operation, (RECEIVER, *first), "state")
    other = Apply(left.operation, (RECEIVER, *last), "state")
    left_side = Apply(left.operation, (one, *last), "state")
    general = Law(left_side, Apply(inner.operation, (other, *first), "state"))
    return next((by for by in (general, *_apart(general)) if _holds(by, rows)), None)


def _sorts(call: Apply, rows: Rows) -> tuple[str, ...]:
    return rows.universe.table.operations[call.operation].sorts


def passes_observers(law: Law) -> bool:
    """Do two calls change places of which one is given what an observer shows?

    Such a law is an instance of one about any arguments, or holds by chance.
    """
    inner = law.left.args[0] if isinstance(law.left, Apply) and is_swap(law) else None
    if not isinstance(inner, Apply) or not isinstance(law.left, Apply):
        return False
    given = (*law.left.args[1:], *inner.args[1:])
    return any(isinstance(arg, Apply) and arg.part == "value" for arg in given)


def _holds(law: Law, rows: Rows) -> bool:
    verdict = judge(law, rows)
    return verdict.witness is None and verdict.confirmed


def _apart(law: Law) -> Iterator[Law]:
    """``law`` under the condition that two of its variables differ."""
    if law.guard.atoms:
        return
    given = [one for one in law_variables(law) if one != RECEIVER]
    for one, other in combinations(given, 2):
        if one.sort == other.sort:
            yield Law(law.left, law.right, Guard((Atom(one, "==", other, negated=True),)))


def _wider(law: Law, rows: Rows) -> Iterator[Law]:
    """``law`` with one more variable in each call on any object that is given one twice."""
    known = law_variables(law)
    for call in subterms(law.left):
        if not isinstance(call, Apply) or call.args[0] != RECEIVER:
            continue
        for place, arg in reversed(list(enumerate(call.args))):
            if not isinstance(arg, Var) or arg not in call.args[1:place] or place == 0:
                continue
            free = [one for one in rows.variables if one.sort == arg.sort and one not in known]
            if free:
                args = (*call.args[:place], free[0], *call.args[place + 1 :])
                yield _replaced(law, call, args)


def _replaced(law: Law, call: Apply, args: tuple[Term, ...]) -> Law:
    """``law`` with other arguments in each such call, whatever part of it is meant."""

    def changed(term: Term) -> Term:
        match term:
            case Apply(operation, given, part):
                if (operation, given) == (call.operation, call.args):
                    return Apply(operation, args, part)
                return Apply(operation, tuple(map(changed, given)), part)
            case Compute(left, operator, right) | Test(left, operator, right):
                return type(term)(changed(left), operator, changed(right))
        return term

    atoms = tuple(
        Atom(changed(one.left), one.operator, changed(one.right), one.negated)
        for one in law.guard.atoms
    )
    return Law(changed(law.left), changed(law.right), Guard(atoms, law.guard.joined))
