"""Subsumption of symbolic states: does one stand for every concrete state of another?

Invariant: yes only if it is proven; so a state is never pruned that could lead somewhere new.
Between differences over ints, orders of floats and orders of texts, *no* is an answer too
unless inequalities or disjunctions make more than ``MOST_PARTS`` parts.

Source: SYMSTRA, "Symbolic State Subsumption" (S2 subsumes S5: isomorphic heaps, and the path
condition of S5 implies that of S2); differs: the conditions are first projected on the heap.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from marshal import dumps
from typing import Any, Final, Generic, TypeVar

from unitcraft.solve.linear import ZERO
from unitcraft.solve.protocol import Query, Solver, Unsat
from unitcraft.state.canonical import MARSHAL_VERSION
from unitcraft.state.facts import Facts, limits
from unitcraft.state.projection import Projection, onto_texts, projected
from unitcraft.state.reading import Reading, place_of, read
from unitcraft.state.shortcuts import Direct, Needs, direct_bounds, extends, keeps, needs_of
from unitcraft.state.symbolic import SymbolicState
from unitcraft.state.units import demands_of, filled, on_slots
from unitcraft.state.zones import inside
from unitcraft.symbolic.terms import OK, Constraint, holds

P = TypeVar("P")

#: Constraints of one known state that a Solver is asked about, at most.
MOST_QUESTIONS: Final = 32


class Projected(Generic[P]):
    """A state together with what has been found out about it; each thing is found once."""

    def __init__(self, state: SymbolicState[P]) -> None:
        self.state = state

    @cached_property
    def reading(self) -> Reading:
        """The Reading of the state."""
        return read(self.state)

    @cached_property
    def projection(self) -> Projection:
        """Its Projection."""
        return projected(self.reading)

    @cached_property
    def direct(self) -> Direct:
        """The bounds that its condition mentions."""
        kinds = self.state.kinds
        held = [place[0] for place in self.reading.places if place and place[0] != ZERO]
        given = [(Facts(limits(number, kinds[number])),) for number in held]
        return direct_bounds([*self.reading.facts, *given])

    @cached_property
    def needs(self) -> Needs | None:
        """The bounds that a state must keep to be one of this."""
        return needs_of(self.projection)


def implies(new: SymbolicState[Any], old: SymbolicState[Any], solver: Solver | None = None) -> bool:
    """Is every concrete state of ``new`` surely one of ``old``?

    ``solver`` is asked where no theory of differences decides and no input left the heap of
    ``old``; without it such implications are proven by syntax only.
    """
    if new.shape != old.shape:
        return False
    return covered(Projected(new), [Projected(old)], solver)


def covered(
    new: Projected[Any], known: Sequence[Projected[Any]], solver: Solver | None = None
) -> bool:
    """Is every concrete state of ``new`` surely one of a state of ``known`` (of the same shape)?"""
    if any(_obvious(new, old) for old in known):
        return True
    mine = new.projection
    if any(old.projection.key == mine.key for old in known):
        return True
    if _within(mine, [old.projection for old in known if old.projection.units <= mine.units]):
        return True
    return solver is not None and any(_proven(new.state, old.state, solver) for old in known)


def _obvious(new: Projected[Any], old: Projected[Any]) -> bool:
    if extends(new.state, old.state):
        return True
    needs = old.needs
    return needs is not None and keeps(new.direct, new.reading.places, needs)


def _within(mine: Projection, known: Sequence[Projection]) -> bool:
    if any(old.texts != mine.texts for old in known):
        texts = [text for old in (mine, *known) for text in old.texts]
        mine = onto_texts(mine, texts)
        known = [onto_texts(old, texts) for old in known]
    cover = [zone for old in known for zone in old.under]
    return all(inside(zone, cover) for zone in mine.over)


def _proven(new: SymbolicState[Any], old: SymbolicState[Any], solver: Solver) -> bool:
    """Can no input satisfy ``new`` and put into its slots what ``old`` forbids?"""
    demands = _demands(new, old)
    if demands is None or len(new.values) < len(new.kinds) or len(demands) > MOST_QUESTIONS:
        return False
    if not all(holds(demand, new.values) for demand in demands):
        return False
    assumed = set(map(_text, new.condition))
    return all(_follows(demand, new, solver) for demand in demands if _text(demand) not in assumed)


def _text(constraint: Constraint) -> bytes:
    """Equal only for constraints whose constants are of one class, too."""
    return dumps(constraint, MARSHAL_VERSION)


def _demands(new: SymbolicState[Any], old: SymbolicState[Any]) -> list[Constraint] | None:
    """What ``old`` demands, said of what ``new`` has in the slots; None: inputs are gone."""
    places = [place_of(term, old.kinds) for term in old.slots]
    demands = on_slots([*old.condition, *demands_of(old.slots, places, old.kinds)], places)
    if demands is None:
        return None
    return [(filled(term, new.slots), outcome) for term, outcome in demands]


def _follows(demand: Constraint, new: SymbolicState[Any], solver: Solver) -> bool:
    """A demand fails when its term has the other truth, or raises."""
    failures: tuple[Constraint, ...] = ((demand[0], not demand[1]), ((OK, demand[0]), False))
    return all(
        isinstance(solver.solve(Query((*new.condition, failure), new.kinds, new.values)), Unsat)
        for failure in failures
    )
