"""Laws as contracts: conditions on the object, on a call's result, and on what stood before it.

A law about objects alone is an invariant; one about what a call returns, or about what an observer
shows after it, is a postcondition of that call.  The object is ``self``, its copy from before the
call ``OLD.before``, what the call returns ``result``, and arguments have the names of parameters.

Invariant: a contract says what its law says; a law that speaks of two calls that change something,
or of an exception, is none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Guard,
    Law,
    Term,
    Var,
    guard_terms,
    law_variables,
    subterms,
    variables,
)
from unitcraft.infer.specification import Contract

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.output.law_expressions import LawExpressions
    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.profiles import Profile


class LawContracts:
    """The contracts of the laws of one class."""

    def __init__(
        self,
        operations: Sequence[Operation],
        profiles: Sequence[Profile],
        expressions: LawExpressions,
        *,
        uses_equals: bool,
    ) -> None:
        self._operations = operations
        self._profiles = profiles
        self._expressions = expressions
        self._same = "{} == {}" if uses_equals else "state({}) == state({})"

    def contract(self, law: Law, names: Mapping[Var, str]) -> Contract | None:
        """The contract of ``law``, whose variables have these names; None when it has none."""
        if not all(map(self._is_shown, (law.right, *self._asked(law)))):
            return None
        if self._is_shown(law.left) and law_variables(law) == (RECEIVER,):
            return Contract("", self._condition(law, {RECEIVER: "self"}))
        call = self._call(law.left)
        if call is None or not self._is_method(call):
            return None
        given = self._operations[call.operation].given
        placed = dict(zip(call.args[1:], given, strict=True))
        if len(placed) != len(given) or not set(law_variables(law)) <= {RECEIVER, *placed}:
            return None
        texts: dict[Var, str] = {
            one: parameter.name for one, parameter in placed.items() if isinstance(one, Var)
        }
        if len(texts) != len(given):
            return None
        left = self._after(law.left, call, texts)
        condition = self._condition(law, {**texts, RECEIVER: "OLD.before"}, left)
        used = tuple(names[one] for one in texts)
        name = self._operations[call.operation].invocable.name
        return Contract(name, condition, tuple(texts.values()), used)

    def joined(self, laws: Sequence[Law], names: Mapping[Var, str]) -> Contract | None:
        """The contract of those of ``laws`` that have one of the same method; None if none has."""
        found = [one for one in (self.contract(law, names) for law in laws) if one is not None]
        alike = [
            one for one in found if (one.method, one.names) == (found[0].method, found[0].names)
        ]
        if not alike:
            return None
        parts = tuple(dict.fromkeys(one.condition for one in alike))
        if len(parts) == 1:
            return alike[0]
        return replace(alike[0], condition=" and ".join(f"({one})" for one in parts), parts=parts)

    def _asked(self, law: Law) -> list[Term]:
        """What the guard asks, but for whether the call of the law returns: here it did."""
        return list(guard_terms(self._guard(law)))

    def _guard(self, law: Law) -> Guard:
        call = self._call(law.left)
        kept = [one for one in law.guard.atoms if call is None or not _is_return(one, call)]
        return Guard(tuple(kept), law.guard.joined)

    def _is_shown(self, term: Term) -> bool:
        """Is it made of what the object shows and of arguments alone?"""
        calls = [one for one in subterms(term) if isinstance(one, Apply)]
        return all(
            one.part == "value" and one.args[0] == RECEIVER and self._profiles[one.operation].pure
            and not self._profiles[one.operation].makes
            for one in calls
        )  # fmt: skip

    def _call(self, left: Term) -> Apply | None:
        """The one call that ``left`` speaks of: its own, or that inside an observer."""
        if not isinstance(left, Apply) or left.part == "outcome":
            return None
        call = left.args[0] if isinstance(left.args[0], Apply) else left
        if call is not left and (left.part != "value" or not self._profiles[left.operation].pure):
            return None
        inside = [one for arg in left.args[1:] for one in subterms(arg) if isinstance(one, Apply)]
        plain = isinstance(call, Apply) and call.args[0] == RECEIVER and not inside
        return call if plain and all(isinstance(arg, Var) for arg in call.args[1:]) else None

    def _is_method(self, call: Apply) -> bool:
        """Is it a plain method, which leaves its object in place?"""
        operation, profile = self._operations[call.operation], self._profiles[call.operation]
        return operation.invocable.kind == "method" and not (
            profile.makes or operation.invocable.is_generator or operation.setter
        )

    def _after(self, left: Term, call: Apply, texts: Mapping[Var, str]) -> str:
        """The left side once the call has returned."""
        if left is call:
            changed = self._same.format("self", "{}")
            return "result" if call.part == "value" else changed
        shown = Apply(left.operation, (RECEIVER, *left.args[1:]), "value")  # type: ignore[union-attr]
        return self._expressions.term(shown, {**texts, RECEIVER: "self"})

    def _condition(self, law: Law, names: Mapping[Var, str], left: str = "") -> str:
        right = self._expressions.term(law.right, names) if variables(law.right) else (
            self._expressions.term(law.right, {})
        )  # fmt: skip
        if "{}" in left:
            says = left.format(right)
        elif left:
            says = f"({left}) == ({right})"
        else:
            says = self._expressions.law(law, names)
        guard = self._expressions.guard(Law(law.left, law.right, self._guard(law)), names)
        return f"not ({guard}) or ({says})" if guard else says


def _is_return(atom: Atom, call: Apply) -> bool:
    """Does it say that ``call`` returns?"""
    left = atom.left
    return (
        isinstance(left, Apply)
        and left.part == "outcome"
        and (left.operation, left.args) == (call.operation, call.args)
    )
