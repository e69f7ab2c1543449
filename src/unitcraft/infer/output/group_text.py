"""The line of a group of laws, and the Python expression that says all of them.

Invariant: both say the same; the expression of a group is that of each of its laws under its own
condition, or under the one that all have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from unitcraft.infer.algebraic.law_terms import Apply, Constant, Law, Term
from unitcraft.infer.output.law_groups import are_opposite, is_kept
from unitcraft.infer.output.law_text import short_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from unitcraft.infer.algebraic.law_terms import Var
    from unitcraft.infer.output.law_expressions import LawExpressions
    from unitcraft.infer.output.law_groups import LawGroup
    from unitcraft.infer.output.law_text import LawText
    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.values import Values


class GroupText:
    """The lines of the groups of one class; ``is_changing`` says which operations are mutators."""

    def __init__(
        self,
        operations: Sequence[Operation],
        values: Values,
        text: LawText,
        expressions: LawExpressions,
        is_changing: Sequence[bool],
    ) -> None:
        self._operations = operations
        self._values = values
        self._text = text
        self._expressions = expressions
        self._is_changing = is_changing

    def line(self, group: LawGroup) -> str:
        """What the laws of ``group`` say."""
        laws, names = group.laws, self._text.names(*group.laws)
        match group.form:
            case "never":
                return f"no call changes {self._name(laws[0])}"
            case "raises":
                return self._raises(laws, names) + self._condition(laws, names)
            case "made":
                return self._made(laws, names) + self._condition(laws, names)
            case "call":
                return self._call(laws, names) + self._condition(laws, names)
            case "chain":
                sides = [self._text.term(one.left, names) for one in laws]
                last = self._text.term(laws[0].right, names)
                return " == ".join([*sides, last]) + self._condition(laws, names)
            case "facts":
                said = ", ".join(self._text.equation(one, names) for one in laws)
                return said + self._condition(laws, names)
            case "cases":
                return self._cases(laws, names)
            case "bounds":
                first = self._text.term(laws[0].left, names)
                others = [self._text.term(one.left.right, names) for one in laws[1:]]  # type: ignore[union-attr]
                return ", ".join([first, *others]) + self._condition(laws, names)
            case "order":
                pairs = ", ".join(dict.fromkeys(self._pair(one) for one in laws))
                return f"in either order: {pairs}{self._condition(laws, names)}"
        return self._text.law(laws[0])

    def expression(self, group: LawGroup) -> tuple[str, str]:
        """The expression and its condition ('': none)."""
        laws, names = group.laws, self._text.names(*group.laws)
        guards = [self._expressions.guard(one, names) for one in laws]
        if len(set(guards)) == 1:
            return self._together(laws, names), guards[0]
        said = [
            f"(not ({guard}) or ({self._expressions.law(one, names)}))" if guard
            else f"({self._expressions.law(one, names)})"
            for one, guard in zip(laws, guards, strict=True)
        ]  # fmt: skip
        return " and ".join(said), ""

    def _together(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        said = [self._expressions.law(one, names) for one in laws]
        return said[0] if len(said) == 1 else " and ".join(f"({one})" for one in said)

    def _condition(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        """The condition that all have; laws of several hold where their calls return."""
        guards = list(dict.fromkeys(self._text.guard(one.guard, names) for one in laws))
        if len(guards) > 1:
            return " where that returns"
        return f" if {guards[0]}" if guards[0] else ""

    def _cases(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        """The right sides of one left side; a condition that is no negation comes first."""
        if are_opposite(laws):
            first, other = sorted(laws, key=lambda one: one.guard.atoms[0].negated)
            said = self._text.equation(first, names)
            right = self._text.term(other.right, names)
            return f"{said} if {self._text.guard(first.guard, names)}, else {right}"
        rights: dict[Term, list[str]] = {}
        for one in laws:
            rights.setdefault(one.right, []).append(self._text.guard(one.guard, names))
        cases = [f"{self._text.term(right, names)} if {', or if '.join(asked)}"
                 for right, asked in rights.items()]  # fmt: skip
        whole = self._text.equation(laws[0], names)
        end = len(whole) - len(self._text.term(laws[0].right, names))
        return whole[:end] + ", ".join(cases)

    def _name(self, law: Law) -> str:
        left = law.left
        return self._operations[left.operation].name if isinstance(left, Apply) else ""

    def _raises(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        calls = ", ".join(dict.fromkeys(self._text.term(one.left, names) for one in laws))
        right = laws[0].right
        raised = self._values.raised(right.value) if isinstance(right, Constant) else ""
        return f"{calls} raise {short_name(raised)}"

    def _made(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        """What observers show of a new object."""
        call = laws[0].left.args[0]  # type: ignore[union-attr]
        said = [self._shown(one, names) for one in laws]
        return f"{self._text.term(call, names)} has {', '.join(said)}"

    def _call(self, laws: Sequence[Law], names: Mapping[Var, str]) -> str:
        """What one call leads to, returns, shows and keeps."""
        calls = [one.left for one in laws if isinstance(one.left, Apply)]
        own = [one for one, call in zip(laws, calls, strict=True) if self._is_own(call)]
        parts = []
        for law, call in zip(laws, calls, strict=True):
            if self._is_own(call) and call.part == "state":
                parts.append(f"is {self._text.term(law.right, names)}")
        for law, call in zip(laws, calls, strict=True):
            if self._is_own(call) and call.part == "value":
                parts.append(f"returns {self._text.term(law.right, names)}")
        others = [one for one in laws if one not in own]
        shown = [self._shown(one, names) for one in others if not is_kept(one)]
        kept = [self._asked(one, names) for one in others if is_kept(one)]
        parts += [f"has {', '.join(shown)}"] if shown else []
        parts += [f"keeps {', '.join(kept)}"] if kept else []
        call = calls[0] if self._is_own(calls[0]) else calls[0].args[0]  # type: ignore[assignment]
        plain = Apply(call.operation, call.args, "state")
        return f"{self._text.term(plain, names)} {', '.join(parts)}"

    def _is_own(self, call: Apply) -> bool:
        """Is it the call on any object, and not what an observer shows after it?"""
        return not isinstance(call.args[0], Apply)

    def _shown(self, law: Law, names: Mapping[Var, str]) -> str:
        return f"{self._asked(law, names)} == {self._text.term(law.right, names)}"

    def _asked(self, law: Law, names: Mapping[Var, str]) -> str:
        """An observer with its arguments; what a call that changes something returns."""
        left = law.left
        given = [self._text.term(arg, names) for arg in left.args[1:]]  # type: ignore[union-attr]
        text = f"{self._name(law)}({', '.join(given)})" if given else self._name(law)
        return f"{text}.result" if self._is_changing[left.operation] else text  # type: ignore[union-attr]

    def _pair(self, law: Law) -> str:
        inner = law.left.args[0]  # type: ignore[union-attr]
        name = self._operations[inner.operation].name  # type: ignore[union-attr]
        return f"{name} and {self._name(law)}"
