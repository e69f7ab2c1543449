"""What the members of a class that a test writes answer, by the type that they declare.

Invariant: an answer that names a class is an object of it, wherever constructors take what can be
written down; it depends on the Subject, the member and the number of the class only.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Symbol
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.plausibility.parameter_names import type_of_name
from unitcraft.explore.search.surroundings.answer_kinds import kind_of_answer
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.subject.values.value_pools import ValuePools

#: Classes that a test writes for one, which differ in what their members answer and are given.
#: One: no site of 153.
MAX_HEIRS: Final = 3
#: Objects inside of objects that an answer is made of.  No run comes to it in five searches of
#: 20,000 runs.
MAX_DEPTH: Final = 3
_LIST: Final = Display("list", (Const("a"), Const("b")))
#: What members answer that nothing types, in each heir.
_ANSWERS: Final[tuple[Arg, ...]] = (Const(1), Const("a"), _LIST)
#: The same for special methods, whose answer Python types.
_SPECIAL: Final[Mapping[str, Arg]] = MappingProxyType(
    {
        "__len__": Const(2),
        "__contains__": Const(value=True),
        "__bool__": Const(value=True),
        "__iter__": Build(Symbol("builtins", "iter"), (_LIST,)),
        "__next__": Const("a"),
        "__str__": Const("a"),
        "__repr__": Const("a"),
        "__hash__": Const(1),
    }
)
#: Types whose values are lists of what they hold.
_LISTS: Final = frozenset(("list", "sequence", "iterable"))


class MemberAnswers:
    """Answers of members, and arguments of constructors (immutable once made)."""

    def __init__(self, subject: Subject, pools: ValuePools) -> None:
        self._pools = pools
        self._made = {one.owner: one for one in subject.invocables if one.kind == "constructor"}

    def answer(self, member: Invocable, number: int) -> Arg | None:
        """What ``member`` answers in class ``number``; None for nothing."""
        if member.name in _SPECIAL:
            return _SPECIAL[member.name]
        if member.returns.name == "none" or member.name in ("__setitem__", "__delitem__"):
            return None
        if member.returns not in (ANY, TypeExpr("class")):
            return self._typed(member.returns, member.name, number, 0) or _ANSWERS[0]
        if kind_of_answer(member.name) == "bool":
            return Const(value=number != 1)
        return _ANSWERS[number % len(_ANSWERS)]

    def given(self, parameter: Parameter, scope: str, number: int) -> Arg | None:
        """What class ``number`` is given for ``parameter``; None if there is nothing to give."""
        said = type_of_name(parameter.name) if parameter.type == ANY else None
        kind = said or parameter.type
        values = self._pools.values(kind, scope, MAX_HEIRS, name=parameter.name)
        if values:
            return values[min(number, len(values) - 1)]
        return self._typed(kind, parameter.name, number, 0)

    def _typed(self, kind: TypeExpr, name: str, number: int, depth: int) -> Arg | None:
        """A value of ``kind``, another for each number; None if none can be written down."""
        if kind.name == "union":
            order = sorted(kind.args, key=lambda one: one.name == "none")
            return self._typed(order[number % len(order)], name, number // len(order), depth)
        if kind.cls in self._made and not self._pools.values(kind, name, 1):
            return self._object(kind.cls, number, depth)
        if kind.name in _LISTS and any(one.cls in self._made for one in kind.args):
            item = self._typed(kind.args[0], name, number, depth)
            return Display("list", (item,) if item is not None and number != 1 else ())
        found = self._pools.values(kind, name, MAX_HEIRS)
        return found[min(number, len(found) - 1)] if found else None

    def _object(self, cls: str, number: int, depth: int) -> Arg | None:
        """An object of the class with that id, with an argument for each that has no default."""
        made = self._made[cls]
        needed = [one for one in made.parameters if is_needed(one)]
        given = [
            self._typed(one.type, one.name, number, depth + 1) if depth < MAX_DEPTH else None
            for one in needed
        ]
        args = [arg for arg in given if arg is not None]
        if len(args) < len(needed):
            return None
        pairs = list(zip(needed, args, strict=True))
        return Build(
            Symbol(*cls.split(":")),
            tuple([arg for one, arg in pairs if one.kind != "keyword"]),
            tuple([(one.name, arg) for one, arg in pairs if one.kind == "keyword"]),
        )


def is_needed(parameter: Parameter) -> bool:
    """Has a call to pass it?"""
    return parameter.required and not parameter.kind.startswith("var")
