"""Laws as Python expressions that evaluate to True, over ``S`` and the variables of the law.

``PRELUDE`` defines the four functions that the expressions call: ``after`` (the object that calls
on a copy leave), ``returned`` (the object that a call on a copy returns), ``raised`` (the name of
the exception that a call raises) and ``state`` (the fields of an object, where its class has no
``==`` to be trusted).

Invariant: an expression changes none of its variables: every call that might runs on a copy.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.core.call_text import arg_text, call_text
from unitcraft.core.sequences import Arg, Build, Call, Source, Symbol, arguments, children, refs_of
from unitcraft.infer.algebraic.law_terms import (
    STATE,
    Apply,
    Atom,
    Constant,
    Law,
    Term,
    Test,
    Var,
    is_state,
)
from unitcraft.infer.output.law_text import TermText, short_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from unitcraft.infer.universe.class_operations import Operation
    from unitcraft.infer.universe.profiles import Profile
    from unitcraft.infer.universe.values import Values

#: What every expression may call.
PRELUDE: Final = '''\
import copy
from math import inf, nan


def after(receiver, *calls):
    """A copy of ``receiver``, after ``calls``."""
    receiver = copy.deepcopy(receiver)
    for call in calls:
        call(receiver)
    return receiver


def returned(receiver, call):
    """What ``call`` returns for a copy of ``receiver``."""
    return call(copy.deepcopy(receiver))


def raised(call):
    """The name of the exception that ``call`` raises; '' when it returns."""
    try:
        call()
    except Exception as error:
        return type(error).__name__
    return ""


def state(value, seen=()):
    """The fields of an object and of the objects in them, as values that can be compared."""
    if any(value is one for one in seen):
        return "..."
    seen = (*seen, value)
    if isinstance(value, dict):
        items = [(state(key, seen), state(item, seen)) for key, item in value.items()]
        return sorted(items, key=repr)
    if isinstance(value, (list, tuple)):
        return [type(value), *[state(item, seen) for item in value]]
    if hasattr(value, "__dict__") and not isinstance(value, type) and not callable(value):
        fields = sorted(vars(value).items())
        return [type(value), *[(name, state(item, seen)) for name, item in fields]]
    names = [name for cls in type(value).__mro__ for name in getattr(cls, "__slots__", ())]
    if names:
        return [type(value), *[state(getattr(value, name, None), seen) for name in names]]
    return value
'''


class LawExpressions(TermText):
    """The expressions of the laws of one class."""

    def __init__(
        self,
        operations: Sequence[Operation],
        profiles: Sequence[Profile],
        values: Values,
        *,
        uses_equals: bool,
    ) -> None:
        super().__init__(operations, profiles, values)
        self._uses_equals = uses_equals

    def law(self, law: Law, names: Mapping[Var, str]) -> str:
        """Both sides, compared; the guard apart."""
        name = self._values.raised(law.right.value) if isinstance(law.right, Constant) else ""
        if name and isinstance(law.left, Apply):
            return f"raised(lambda: {self._call(law.left, names)}) == {short_name(name)!r}"
        left, right = self.term(law.left, names), self.term(law.right, names)
        if is_state(law.left) and not self._uses_equals:
            return f"state({left}) == state({right})"
        if isinstance(law.left, Test) and right == "True":
            return left
        if isinstance(law.right, Test) or isinstance(law.left, Test):
            return f"({left}) is ({right})"
        left = f"({left})" if " in " in left else left
        return f"{left} == {self._operand(law.right, names)}"

    def guard(self, law: Law, names: Mapping[Var, str]) -> str:
        """The guard; '' when there is none."""
        return f" {law.guard.joined} ".join(self._atom(one, names) for one in law.guard.atoms)

    def _applied(self, term: Apply, names: Mapping[Var, str]) -> str:
        return self._state(term, names) if term.part == "state" else self._call(term, names)

    def _state(self, term: Term, names: Mapping[Var, str]) -> str:
        """A state as an expression for a new object, or the name of the receiver."""
        if not isinstance(term, Apply):
            return names[term] if isinstance(term, Var) else ""
        calls: list[str] = []
        if isinstance(term, Apply) and self._operations[term.operation].is_constructor:
            return self._operate(term, "", names)
        while isinstance(term, Apply) and not self._profiles[term.operation].makes:
            calls.append(f"lambda s: {self._operate(term, 's', names)}")
            term = term.args[0]
        calls.reverse()
        if isinstance(term, Apply):
            inner = self._state(term.args[0], names)
            made = f"returned({inner}, lambda s: {self._operate(term, 's', names)})"
            return f"after({', '.join([made, *calls])})" if calls else made
        return f"after({', '.join([names[term], *calls])})"  # type: ignore[index]

    def _call(self, term: Apply, names: Mapping[Var, str]) -> str:
        """What a call returns; one that may change its receiver runs on a copy."""
        if self._operations[term.operation].is_constructor:
            return self._operate(term, "", names)
        receiver = self._state(term.args[0], names)
        if not isinstance(term.args[0], Apply) and not self._profiles[term.operation].pure:
            receiver = f"after({receiver})"
        return self._operate(term, receiver, names)

    def step(self, term: Apply, names: Mapping[Var, str]) -> str:
        """A call on ``S`` itself, which it may change."""
        return self._operate(term, "S", names)

    def _operate(self, term: Apply, receiver: str, names: Mapping[Var, str]) -> str:
        """The call itself, as an expression on ``receiver``."""
        operation = self._operations[term.operation]
        args = [Source(self._argument(arg, names)) for arg in term.args[1:]]
        call = operation.call(Source(receiver), args)
        if call.kind == "set":
            return f"setattr({receiver}, {call.name!r}, {args[0].text})"
        special = {"[]=": "__setitem__", "del[]": "__delitem__"}.get(call.name)
        if call.kind == "operator" and special:
            return f"{receiver}.{special}({', '.join(arg.text for arg in args)})"
        return call_text(call)

    def _argument(self, arg: Term, names: Mapping[Var, str]) -> str:
        """An argument; a mutable one is copied, so that no call sees another's changes."""
        text = self.term(arg, names)
        return f"copy.deepcopy({text})" if isinstance(arg, Var) and arg.sort in _MUTABLE else text

    def _atom(self, atom: Atom, names: Mapping[Var, str]) -> str:
        if isinstance(atom.left, Apply) and atom.left.part == "outcome":
            return f"raised(lambda: {self._call(atom.left, names)}) == ''"
        left, right = self.term(atom.left, names), self.term(atom.right, names)
        if atom.operator == "==" and right == "True":
            return f"not ({left})" if atom.negated and " " in left else (
                f"not {left}" if atom.negated else left
            )  # fmt: skip
        sign = {"==": ("==", "!="), "<": ("<", ">=")}[atom.operator][atom.negated]
        left, right = (self._operand(side, names) for side in (atom.left, atom.right))
        return f"{left} {sign} {right}"


#: Sorts whose values may be changed by a call.
_MUTABLE: Final = (STATE, "own", "list", "dict", "set")


def statements(calls: Sequence[Call], result: int, given: Iterable[tuple[str, Arg]]) -> list[str]:
    """Statements that bind ``S`` to a result of ``calls`` and each name to its Arg."""
    names = [f"r{place}" for place in range(len(calls))]
    made: list[str] = []
    used = {result, *(ref for call in calls for ref in refs_of(call))}
    for place, call in enumerate(calls):
        text = call_text(call, names)
        is_statement = call.kind == "set" or call.name in ("[]=", "del[]")
        made.append(text if is_statement or place not in used else f"{names[place]} = {text}")
    rows = [f"{name} = {arg_text(arg)}" for name, arg in given]
    return [*made, f"S = {names[result]}", *rows]


def imports_for(args: Iterable[Arg], calls: Iterable[Call]) -> list[str]:
    """The import statements for the names that these need, sorted."""
    needed: dict[tuple[str, str], None] = {}
    todo = [*args, *(arg for call in calls for arg in arguments(call))]
    for call in calls:
        if call.kind == "function":
            home, _, qualname = call.name.partition(":")
            needed[home, qualname.partition(".")[0]] = None
    while todo:
        arg = todo.pop()
        symbol = arg.callee if isinstance(arg, Build) else arg
        if isinstance(symbol, Symbol) and symbol.module != "builtins":
            needed[symbol.module, symbol.qualname.partition(".")[0]] = None
        todo += children(arg)
    return [f"from {home} import {name}" for home, name in sorted(needed)]
