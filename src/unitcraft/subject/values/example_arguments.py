"""Arguments that docstring examples and other callers pass to parameters.

Invariant: only self-contained Args (without a Ref) are kept, in the order of the examples.
"""

from __future__ import annotations

from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Source, Symbol, refs_in
from unitcraft.core.types import TypeExpr
from unitcraft.subject.model import Invocable, Subject
from unitcraft.subject.reading.callers.call_sites import bind_arguments
from unitcraft.subject.values.stdlib_values import makes_object
from unitcraft.subject.values.texts.example_table import EXAMPLES


class ExampleArguments:
    """The arguments of examples, by Invocable and by parameter name (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        self._own: dict[tuple[str, str], list[Arg]] = {}
        self._by_name: dict[str, list[Arg]] = {}
        known = {one.id: one for one in subject.invocables}
        for example in subject.examples:
            invocable = known.get(example.invocable)
            if invocable is not None:
                self._add(invocable, example.sequence.calls[-1])

        for value in subject.callers:
            if value.invocable in known:
                self._keep(known[value.invocable], value.parameter, value.value)

    def _keep(self, invocable: Invocable, name: str, arg: Arg) -> None:
        scope = invocable.id.partition(":")[2]
        for held in (
            self._own.setdefault((scope, name), []), self._by_name.setdefault(name, []),
        ):  # fmt: skip
            if arg not in held:
                held.append(arg)

    def _add(self, invocable: Invocable, call: Call) -> None:
        for parameter, arg in bind_arguments(invocable, call):
            if not refs_in(arg):
                self._keep(invocable, parameter.name, arg)

    def of(self, scope: str, name: str) -> list[Arg]:
        """The arguments for parameter ``name`` in examples of the Invocable itself."""
        return self._own.get((scope, name), [])

    def alike(self, name: str, type_: TypeExpr) -> list[Arg]:
        """The arguments of all examples for a parameter of this name, if they fit the type."""
        return [arg for arg in self._by_name.get(name, []) if fits(arg, type_)]


def given_to_name(name: str, type_: TypeExpr) -> tuple[Arg, ...]:
    """The text that people give to a parameter of that name first, if the type takes texts.

    Numbers are not among them: small ones lead to more.
    """
    first = [one for one in EXAMPLES.get(name, ()) if isinstance(one, str)][:1]
    return tuple([Const(one) for one in first if fits(Const(one), type_)])


def fits(arg: Arg, type_: TypeExpr) -> bool:
    """Can the value be of the type, judged by its outermost constructor?"""
    match type_.name:
        case "any":
            return True
        case "union":
            return any(fits(arg, part) for part in type_.args)
        case "literal":
            return arg in type_.literals
    match arg:
        case Const(value):
            names = {"NoneType": "none", "int": "int float"}.get(type(value).__name__)
            return type_.name in (names or type(value).__name__).split()
        case Display(kind):
            return type_.name in _DISPLAY_TYPES[kind]
        case Build(Symbol("unittest.mock")):
            return type_.name == "callable"
        case Build(callee):
            return makes_object(callee, type_.cls)
        case Source(text):
            return type_.name == "callable" and text.startswith("lambda")
    return type_.name in ("callable", "type")


_DISPLAY_TYPES = {
    "list": ("list", "sequence", "iterable"),
    "tuple": ("tuple", "vartuple", "sequence", "iterable"),
    "set": ("set", "iterable"),
    "frozenset": ("frozenset", "iterable"),
    "dict": ("dict", "mapping", "iterable"),
}
