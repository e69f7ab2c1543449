"""Tests that refuted laws while these were learned: what makes the object, and the law's calls.

``top(S) == -1 if is_empty(S)`` read the other way round is refuted by ``push(-1)`` and ``top()``.

Invariant: a test makes the calls of the left side of its law, inner ones first, on the object of
the witness and with its values.

Source: MUTUAL, "Test Selection": tests that violate a likely specification.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.core.sequences import Call, Ref, Sequence
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Compute,
    Constant,
    Law,
    Term,
    Test,
    Var,
    is_state,
    subterms,
    variables,
)
from unitcraft.infer.specification import RefutingTest

if TYPE_CHECKING:
    from collections.abc import Sequence as Many

    from unitcraft.core.sequences import Arg
    from unitcraft.infer.algebraic.confirmation import Witness
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.transition_table import TransitionTable


def refuting_test(
    law: Law, witness: Witness, table: TransitionTable, profiles: Many[Profile]
) -> RefutingTest | None:
    """The test of ``witness``; None where no method of the class is called in the end.

    None where the receiver itself is passed: the test would have to make it twice.
    """
    if not set(variables(law.left)) <= {RECEIVER, *witness.variables}:
        return None
    calls = [one for one in subterms(law.left) if isinstance(one, Apply)]
    if any(is_state(arg) for one in calls for arg in one.args[1:]):
        return None
    made = _Calls(witness, table, profiles)
    made.value(law.left)
    return RefutingTest(made.last, Sequence(tuple(made.calls))) if made.last else None


class _Calls:
    """The calls of one test (mutable while it is made); ``last`` is what the last one calls."""

    def __init__(self, witness: Witness, table: TransitionTable, profiles: Many[Profile]) -> None:
        path = table.states[witness.state]
        self.calls: list[Call] = list(path.calls)
        self.last = ""
        self._receiver: Arg = Ref(path.result)
        self._table = table
        self._profiles = profiles
        given = zip(witness.variables, witness.values, strict=True)
        self._given: dict[Var, Arg] = {one: table.values.arg(value) for one, value in given}

    def value(self, term: Term) -> Arg:
        """What ``term`` stands for, its calls being made."""
        match term:
            case Constant(number):
                return self._table.values.arg(number)
            case Compute(left, _, right) | Test(left, _, right):
                self.value(right)
                return self.value(left)
            case Apply():
                self._object(term)
                return Ref(len(self.calls) - 1)
        return self._receiver if term == RECEIVER else self._given[term]

    def _object(self, term: Term) -> Arg:
        """The object that ``term`` leaves, its calls being made."""
        if not isinstance(term, Apply):
            return self.value(term)
        receiver = self._object(term.args[0])
        args = [self.value(one) for one in term.args[1:]]
        operation = self._table.operations[term.operation]
        self.calls.append(operation.call(receiver, args))
        if operation.invocable.kind != "field":
            self.last = operation.invocable.id
        return Ref(len(self.calls) - 1) if self._profiles[term.operation].makes else receiver
