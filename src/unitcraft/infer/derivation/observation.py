"""What tells the objects of a class apart: few observers that together show each state.

Two objects that show the same through these are one object, so an equation between objects follows
from what the observers show of its two sides.

Invariant: a set that is returned tells all states at hand apart, and none of it can be left out.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Guard,
    Law,
    Term,
    TermOrder,
    Var,
    law_variables,
    size,
    subterms,
)
from unitcraft.infer.algebraic.term_vectors import Rows
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.universes import drawn
from unitcraft.infer.universe.values import UNDEFINED, UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: States that observers have to tell apart, the first and the last ones among them.
MAX_STATES: Final = 150
#: Rows of which all states are among them through which a law goes.
MAX_NEIGHBOURS: Final = 8
#: Rows on which is looked up what an observer with arguments shows.
MAX_ROWS: Final = 600
#: The share of states of which all that they show is known: others say nothing.
MIN_KNOWN: Final = 0.5
#: What an observer shows of each state, for all its arguments.
Shown = tuple[tuple[int, ...], ...]


def on(observer: Apply, state: Term) -> Apply:
    """What ``observer`` shows of ``state``."""
    return Apply(observer.operation, (state, *observer.args[1:]), "value")


def telling_sets(
    law: Law, asked: Sequence[int], rows: Rows, order: TermOrder
) -> list[tuple[Apply, ...]]:
    """Sets of observers that tell apart the states that ``law`` speaks of.

    They are calls of the operations ``asked``; their arguments are variables that
    ``law`` does not mention.  None when even all together do not; at most two, which differ in the
    observers that were left out first.
    """
    near = _neighbours(law, rows)
    columns = [one.distinct for one in (
        rows.vector(RECEIVER), rows.vector(law.left), rows.as_states(law.right)
    )]  # fmt: skip
    numbers = dict.fromkeys(
        n for one in (near, *columns, rows.universe.beside) for n in one
        if n >= 0 and rows.universe.is_of_pools(n)
    )  # fmt: skip
    states = drawn(list(numbers), MAX_STATES, len(near))
    shown: dict[Apply, Shown] = {}
    for one in _observers(law, asked, rows, order):
        seen = _shown(one, states, rows)
        if one.args[1:] or all(value != (UNDEFINED,) for value in seen):
            shown[one] = seen
    unclear = {n for seen in shown.values() for n, value in enumerate(seen) if UNKNOWN in value}
    known = [place for place in range(len(states)) if place not in unclear]
    if not shown or not known or len(known) < MIN_KNOWN * len(states):
        return []
    shown = {one: tuple(seen[place] for place in known) for one, seen in shown.items()}
    ordered = sorted(shown, key=lambda one: (len(one.args), order(one)))
    if not _is_telling(ordered, shown):
        return []
    found = [_reduced(first, shown) for first in (ordered, ordered[::-1])]
    return list(dict.fromkeys(tuple(sorted(one, key=order)) for one in found))


def _neighbours(law: Law, rows: Rows) -> list[int]:
    """The states through which ``law`` goes on a few of the rows.

    They are apart by single calls: among states of long histories there may be no two that differ
    in one thing alone.
    """
    calls = (
        one for side in (law.left, law.right) for one in subterms(side)
        if isinstance(one, Apply) and one.part == "state"
    )  # fmt: skip
    vectors = [rows.vector(RECEIVER), *map(rows.vector, dict.fromkeys(calls))]
    places = drawn(range(len(rows)), MAX_NEIGHBOURS)
    return list(dict.fromkeys(vector[place] for place in places for vector in vectors))


def _observers(law: Law, asked: Sequence[int], rows: Rows, order: TermOrder) -> Iterable[Apply]:
    """Calls of ``asked`` on the receiver, with new variables.

    Those with arguments only for two calls after each other: that one call changes nothing is what
    a reader looks for, and more follows from it.
    """
    table = rows.universe.table
    taken = law_variables(law)
    for place in asked:
        sorts = table.operations[place].sorts
        if OWN in sorts or (sorts and (size(law.left) == 1 or order.is_changing(place))):
            continue
        args: list[Var] = []
        for sort in sorts:
            used = [one.number for one in (*taken, *args) if one.sort == sort]
            args.append(Var(sort, max(used, default=-1) + 1))
        yield Apply(place, (RECEIVER, *args), "value")


def _shown(one: Apply, states: Sequence[int], rows: Rows) -> Shown:
    """What ``one`` shows of each of ``states``, for all arguments."""
    known = rows.shown.setdefault(one, {})
    new = [state for state in states if state not in known]
    if new:
        given = [arg for arg in one.args[1:] if isinstance(arg, Var)]
        vector = rows.of_states(new, given).vector(one)
        each = len(vector) // len(new)
        for place, state in enumerate(new):
            known[state] = vector[place * each : (place + 1) * each]
    return tuple(known[state] for state in states)


def _is_telling(chosen: Sequence[Apply], shown: dict[Apply, Shown]) -> bool:
    count = len(next(iter(shown.values())))
    return len(set(zip(*[shown[one] for one in chosen], strict=True))) == count


def _reduced(asked: Sequence[Apply], shown: dict[Apply, Shown]) -> list[Apply]:
    """``asked`` without those that the others make superfluous, the first ones tried first."""
    kept = list(asked)
    for one in asked:
        others = [other for other in kept if other is not one]
        if others and _is_telling(others, shown):
            kept = others
    return kept


def shown_alike(law: Law, observer: Apply, rows: Rows) -> Iterator[tuple[Law, Rows]]:
    """What ``observer`` would show the same of on both sides of ``law``, with the rows of each.

    Each new variable is one of those that ``law`` mentions, or differs from all of them.
    """
    new = [one for one in observer.args[1:] if isinstance(one, Var)]
    given = law_variables(law)
    choices = [[one, *(other for other in given if other.sort == one.sort)] for one in new]
    for chosen in product(*choices):
        by: dict[Var, Term] = dict(zip(new, chosen, strict=True))
        asked = Apply(observer.operation, (RECEIVER, *chosen), "value")
        wide = rows.with_variables([one for one in chosen if one not in given], MAX_ROWS)
        apart = [Atom(one, "==", other, negated=True) for one in new if by[one] == one
                 for other in given if other.sort == one.sort]  # fmt: skip
        if apart:
            wide = wide.where(wide.guard(Guard(tuple(apart))), MAX_ROWS)
        yield Law(on(asked, law.left), on(asked, law.right), law.guard), wide
