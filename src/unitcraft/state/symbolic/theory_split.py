"""Splits the condition of a symbolic state: difference constraints, and constraints beyond them.

Invariant: the state's condition is ``facts`` (one disjunction for each of ``understood``) and
``opaque`` together; slot k holds ``places[k]`` if that is not None.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from unitcraft.solve.differences.linear import ZERO, linear_of
from unitcraft.state.symbolic.difference_constraints import Alternatives, facts_of, integer_facts
from unitcraft.state.symbolic.residual_constraints import InputAndOffset
from unitcraft.state.symbolic.symbolic_state import SymbolicState
from unitcraft.symbolic.terms.term import VARIABLE, Constraint, Kind, Term, variables_of


@dataclass(frozen=True, slots=True)
class TheorySplit:
    """``state`` as difference facts, and the ``opaque`` constraints that no fact expresses."""

    state: SymbolicState[Any]
    places: tuple[InputAndOffset | None, ...]
    facts: tuple[Alternatives, ...]
    understood: tuple[Constraint, ...]
    opaque: tuple[Constraint, ...]


def split_state(state: SymbolicState[Any]) -> TheorySplit:
    """The condition of ``state``, split."""
    kinds = state.kinds
    places = tuple([input_and_offset(term, kinds) for term in state.slots])
    if kinds.count("int") == len(kinds):
        found = [integer_facts(constraint) for constraint in state.condition]
    else:
        found = [facts_of(constraint, kinds) for constraint in state.condition]
    facts = tuple([each for each in found if each is not None])
    if len(facts) == len(found):
        return TheorySplit(state, places, facts, state.condition, ())
    pairs = list(zip(state.condition, found, strict=True))
    understood = tuple([constraint for constraint, each in pairs if each is not None])
    opaque = tuple([constraint for constraint, each in pairs if each is None])
    return TheorySplit(state, places, facts, understood, opaque)


def input_and_offset(term: Term, kinds: Sequence[Kind]) -> InputAndOffset | None:
    """(input or ``ZERO``, int added to it) that ``term`` is; None for any other term."""
    if type(term) is not tuple:
        return (ZERO, term) if type(term) is int else None
    if term[0] == VARIABLE:
        return term[1], 0
    if any(kinds[number] != "int" for number in variables_of(term)):
        return None
    form = linear_of(term)
    if form is None:
        return None
    parts = [(number, factor) for number, factor in form[0].items() if factor]
    if not parts:
        return ZERO, form[1]
    return (parts[0][0], form[1]) if len(parts) == 1 and parts[0][1] == 1 else None
