"""Subsumption of symbolic states: does one stand for every concrete state of another?

Invariant: yes only if it is proven; so a state is never pruned that could lead somewhere new.
Between differences over ints, orders of floats and orders of texts, *no* is an answer too
unless inequalities or disjunctions make more than ``MOST_PARTS`` parts.

Source: SYMSTRA, "Symbolic State Subsumption" (S2 subsumes S5: isomorphic heaps, and the path
condition of S5 implies that of S2); differs: the conditions are first projected on the heap.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from marshal import dumps
from typing import Any, Final, Generic, TypeVar

from unitcraft.solve.differences.linear import ZERO
from unitcraft.solve.protocol import Query, Solver, Unsat
from unitcraft.state.heap.canonical import MARSHAL_VERSION
from unitcraft.state.symbolic.difference_constraints import Facts, kind_bounds
from unitcraft.state.symbolic.projection import Projection, add_text_nodes, project_state
from unitcraft.state.symbolic.quick_checks import (
    DirectBounds,
    RequiredBounds,
    direct_bounds,
    extends,
    meets,
    required_bounds,
)
from unitcraft.state.symbolic.residual_constraints import demands_over_slots, fill_slots
from unitcraft.state.symbolic.symbolic_state import SymbolicState
from unitcraft.state.symbolic.theory_split import TheorySplit, input_and_offset, split_state
from unitcraft.state.symbolic.zones import is_covered
from unitcraft.symbolic.terms.term import OK, Constraint, holds

P = TypeVar("P")

#: Constraints of one known state that a Solver is asked about; a state with more is not asked.
MAX_QUESTIONS: Final = 16
#: Known states that a Solver is asked about for one new state.
MAX_ASKED_STATES: Final = 4


class ProjectedState(Generic[P]):
    """A state and facts about it, each computed at its first use; mutable."""

    def __init__(self, state: SymbolicState[P]) -> None:
        self.state = state

    @cached_property
    def split(self) -> TheorySplit:
        """Its condition, split by theory."""
        return split_state(self.state)

    @cached_property
    def projection(self) -> Projection:
        """Its Projection."""
        return project_state(self.split)

    @cached_property
    def direct(self) -> DirectBounds:
        """The bounds that its condition mentions."""
        kinds = self.state.kinds
        held = [place[0] for place in self.split.places if place and place[0] != ZERO]
        given = [(Facts(kind_bounds(number, kinds[number])),) for number in held]
        return direct_bounds([*self.split.facts, *given])

    @cached_property
    def needs(self) -> RequiredBounds | None:
        """The bounds that imply all that this state demands."""
        return required_bounds(self.projection)

    def projects(self) -> bool:
        """Is the Projection computed already?"""
        return "projection" in self.__dict__

    def forget(self) -> None:
        """Free what can be computed again and is seldom needed of a known state."""
        self.__dict__.pop("split", None)
        self.__dict__.pop("direct", None)


def is_subsumed(
    new: ProjectedState[Any],
    known: Sequence[ProjectedState[Any]],
    solver: Solver | None = None,
    *,
    together: bool = False,
) -> bool:
    """Is every concrete state of ``new`` surely one of a single state of ``known``?

    All of ``known`` have the shape of ``new``.  If ``together``, different ones may stand for
    different concrete states: their conditions are joined by *or*.
    """
    if not new.projects() and any(_is_obvious(new, old) for old in known):
        return True
    if any(_implies_alone(new.projection, old.projection) for old in known):
        return True
    if together and _implies_union(new.projection, [old.projection for old in known]):
        return True
    return solver is not None and _ask_solver(new, known, solver)


def _is_obvious(new: ProjectedState[Any], old: ProjectedState[Any]) -> bool:
    if extends(new.state, old.state):
        return True
    needs = old.needs
    return needs is not None and meets(new.direct, new.split.places, needs)


def _implies_alone(new: Projection, old: Projection) -> bool:
    return new.key == old.key or _implies_union(new, [old])


def _implies_union(mine: Projection, known: Sequence[Projection]) -> bool:
    known = [old for old in known if old.residual <= mine.residual]
    if any(old.texts != mine.texts for old in known):
        texts = [text for old in (mine, *known) for text in old.texts]
        mine = add_text_nodes(mine, texts)
        known = [add_text_nodes(old, texts) for old in known]
    cover = [zone for old in known for zone in old.under]
    return all(is_covered(zone, cover) for zone in mine.over)


def _ask_solver(
    new: ProjectedState[Any], known: Iterable[ProjectedState[Any]], solver: Solver
) -> bool:
    """Does the Solver prove it for one of the first states that the values of ``new`` allow?"""
    if len(new.state.values) < len(new.state.kinds):
        return False
    likely = (demands for old in known if (demands := _open_demands(new, old)) is not None)
    return any(
        all(_is_implied(demand, new.state, solver) for demand in demands)
        for demands in islice(likely, MAX_ASKED_STATES)
    )


def _open_demands(new: ProjectedState[Any], old: ProjectedState[Any]) -> list[Constraint] | None:
    """The constraints left to prove; None if they cannot be proven, or the theory has decided."""
    if not old.projection.residual and not new.projection.residual:
        return None
    demands = _demands_on(new.state, old.state)
    if demands is None or not all(holds(demand, new.state.values) for demand in demands):
        return None
    assumed = set(map(_constraint_key, new.state.condition))
    left = [demand for demand in demands if _constraint_key(demand) not in assumed]
    return left if len(left) <= MAX_QUESTIONS else None


def _constraint_key(constraint: Constraint) -> bytes:
    """A key that is equal only for constraints whose constants are of one class, too."""
    return dumps(constraint, MARSHAL_VERSION)


def _demands_on(new: SymbolicState[Any], old: SymbolicState[Any]) -> list[Constraint] | None:
    """The demands of ``old`` on the terms in the slots of ``new``; None if inputs left the heap."""
    places = [input_and_offset(term, old.kinds) for term in old.slots]
    demands = demands_over_slots(old.condition, old.slots, places)
    if demands is None:
        return None
    return [(fill_slots(term, new.slots), outcome) for term, outcome in demands]


def _is_implied(demand: Constraint, new: SymbolicState[Any], solver: Solver) -> bool:
    """A demand fails when its term has the other truth, or raises."""
    failures: tuple[Constraint, ...] = ((demand[0], not demand[1]), ((OK, demand[0]), False))
    return all(
        isinstance(solver.solve(Query((*new.condition, failure), new.kinds, new.values)), Unsat)
        for failure in failures
    )
