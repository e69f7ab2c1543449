"""Laws in functional notation: ``top(push(S, value)) == value if not is_full(S)``.

``S`` is any object of the class; ``push(S, value)`` is the state that a call leaves, or the object
that it returns; ``top(S)`` the value that it returns, written ``pop(S).result`` where the call also
changes the object.

Invariant: the text depends on the law and the operations alone, and ``law_parsing`` reads it back.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import arg_text
from unitcraft.infer.algebraic.computed_values import computed_text
from unitcraft.infer.algebraic.law_terms import (
    STATE,
    Apply,
    Atom,
    Compute,
    Constant,
    Guard,
    Law,
    Term,
    Test,
    Var,
    guard_terms,
    law_variables,
    subterms,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.values import Values

#: Operators that read as such, between a receiver and an argument.
_INFIX: Final = ("+", "-", "*", "&", "|", "^", "<", "<=")


class TermText(ABC):
    """The texts of terms, however those of calls read."""

    def __init__(
        self, operations: Sequence[Operation], profiles: Sequence[Profile], values: Values
    ) -> None:
        self._operations = operations
        self._profiles = profiles
        self._values = values

    def term(self, term: Term, names: Mapping[Var, str]) -> str:
        """A term whose variables have these names."""
        match term:
            case Var():
                return names[term]
            case Constant(value):
                return self._constant(value)
            case Compute(left, operator, right):
                return computed_text(operator, self.term(left, names), self.term(right, names))
            case Test(left, operator, right):
                return f"{self.term(left, names)} {operator} {self.term(right, names)}"
            case Apply():
                return self._applied(term, names)

    @abstractmethod
    def _applied(self, term: Apply, names: Mapping[Var, str]) -> str:
        """What a call comes to."""

    def _constant(self, value: int) -> str:
        return arg_text(self._values.arg(value))

    def _operand(self, term: Term, names: Mapping[Var, str]) -> str:
        """A term beside a comparison: one that is a comparison itself stands in brackets."""
        text = self.term(term, names)
        return f"({text})" if is_comparison(term, self._operations) else text


class LawText(TermText):
    """The texts of the laws of one class."""

    def law(self, law: Law) -> str:
        """The whole law."""
        names = self.names(law)
        guard = self.guard(law.guard, names)
        return self.equation(law, names) + (f" if {guard}" if guard else "")

    def equation(self, law: Law, names: Mapping[Var, str]) -> str:
        """Both sides; an exception reads ``pop(S) raises IndexError``."""
        left = self.term(law.left, names)
        if isinstance(law.left, Test):
            right = self.term(law.right, names)
            if right == "True":
                return left
            return (
                f"({left}) == ({right})" if isinstance(law.right, Test) else f"({left}) == {right}"
            )
        if isinstance(law.right, Constant) and (raised := self._values.raised(law.right.value)):
            return f"{left} raises {short_name(raised)}"
        left = f"({left})" if " in " in left else left
        return f"{left} == {self._operand(law.right, names)}"

    def guard(self, guard: Guard, names: Mapping[Var, str]) -> str:
        """The condition; '' when there is none."""
        return f" {guard.joined} ".join(self._atom(atom, names) for atom in guard.atoms)

    def names(self, *laws: Law) -> dict[Var, str]:
        """A name for each variable: that of the first parameter that it is passed to."""
        found: dict[Var, str] = {}
        terms = [one for law in laws for term in (law.left, law.right, *guard_terms(law.guard))
                 for one in subterms(term)]  # fmt: skip
        for one in dict.fromkeys(one for law in laws for one in law_variables(law)):
            base = "S" if one.sort == STATE else self._parameter(one, terms)
            name, number = base, 2
            while name in found.values():
                name, number = f"{base}{number}", number + 1
            found[one] = name
        return found

    def _parameter(self, variable: Var, terms: Sequence[Term]) -> str:
        for term in terms:
            if isinstance(term, Apply) and variable in term.args[1:]:
                given = self._operations[term.operation].given
                return given[term.args[1:].index(variable)].name
        return "value"

    def _constant(self, value: int) -> str:
        raised = self._values.raised(value)
        return short_name(raised) if raised else super()._constant(value)

    def _applied(self, term: Apply, names: Mapping[Var, str]) -> str:
        operation = self._operations[term.operation]
        if operation.is_constructor:
            return f"{operation.name}({', '.join(self.term(arg, names) for arg in term.args[1:])})"
        receiver, *args = [self.term(arg, names) for arg in term.args]
        operator = operation.operator
        changes = self._profiles[term.operation].is_mutator
        if term.part == "value" and not changes:
            if operator == "in":
                return f"{args[0]} in {receiver}"
            if operator == "[]":
                return f"{receiver}[{args[0]}]"
        if operator in _INFIX and len(args) == 1:
            return f"({receiver} {operator} {args[0]})"
        if operator == "neg":
            return f"-({receiver})" if receiver.startswith("-") else f"-{receiver}"
        text = f"{operation.name}({', '.join([receiver, *args])})"
        return f"{text}.result" if term.part == "value" and changes else text

    def _atom(self, atom: Atom, names: Mapping[Var, str]) -> str:
        left, right = self.term(atom.left, names), self._operand(atom.right, names)
        if isinstance(atom.left, Apply) and atom.left.part == "outcome":
            return f"{left} returns"
        if atom.operator == "==" and right == "True":
            return self._negated(left) if atom.negated else left
        sign = {"==": ("==", "!="), "<": ("<", ">=")}[atom.operator][atom.negated]
        return f"{self._operand(atom.left, names)} {sign} {right}"

    def _negated(self, text: str) -> str:
        words = text.split(" in ")
        return " not in ".join(words) if len(words) == 2 else f"not {text}"  # noqa: PLR2004


def is_comparison(term: Term, operations: Sequence[Operation]) -> bool:
    """Does its text compare two values?  Python would read it and another ``==`` as a chain."""
    if isinstance(term, Apply):
        return term.part == "value" and operations[term.operation].operator == "in"
    return isinstance(term, Test)


def short_name(cls: str) -> str:
    """The name of a class without its module."""
    return cls.rpartition(":")[2].rpartition(".")[2]
