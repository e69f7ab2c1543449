"""The operations of a class: its methods, properties and operators, as functions of a receiver.

Invariant: the operations follow from the description and the options, in source order, the
class's own before inherited ones; a Call that an operation makes is one that a person would
write.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.operators import OF_ATTRIBUTES, SPECIAL_METHODS
from unitcraft.core.sequences import Arg, Call
from unitcraft.explore.calls import call_of
from unitcraft.subject.model import Invocable

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from unitcraft.core.types import TypeExpr
    from unitcraft.subject.model import ClassInfo, Parameter, Subject

#: Operations of a class that laws are looked for between; pairs of them are composed.
MAX_OPERATIONS: Final = 22
#: Arguments of one operation; with more there are too many rows for each state.
MAX_ARGUMENTS: Final = 2
#: Public attributes that are looked at; each multiplies the terms.
MAX_ATTRIBUTES: Final = 6
#: Operators that speak of the contents of an object.  Equality is the state's own.
OPERATORS: Final = frozenset(
    {
        "len",
        "in",
        "[]",
        "[]=",
        "del[]",
        "list",
        "bool",
        "+",
        "-",
        "*",
        "&",
        "|",
        "^",
        "<",
        "<=",
        "neg",
    }
)
#: Names of operators that change their receiver, as functions.
NAMES: Final = {"[]=": "setitem", "del[]": "delitem", "[]": "getitem", "in": "contains"}
#: Types of parameters with a default that are given a value, too.
DEFAULTED: Final = ("int", "float", "str", "bool")
_VARIADIC: Final = ("var_positional", "var_keyword")
#: The sort of objects of the class itself, and of parameters without a type.
OWN: Final = "own"
UNTYPED: Final = "any"


@dataclass(frozen=True, slots=True)
class Operation:
    """A function of a receiver and arguments; ``sorts`` are those of the ``given`` parameters."""

    name: str
    invocable: Invocable
    given: tuple[Parameter, ...]
    sorts: tuple[str, ...]
    setter: bool = False

    def call(self, receiver: Arg, args: Sequence[Arg]) -> Call:
        """The Call of this operation on ``receiver``."""
        kind = self.invocable.kind
        if kind == "constructor":
            return self._construction(args)
        if kind == "classmethod":
            return Call("function", self.invocable.id, tuple(args))
        if kind in ("property", "field"):
            return Call("set" if args else "get", self.invocable.name, (receiver, *args))
        placed = [a for p, a in zip(self.given, args, strict=True) if p.kind != "keyword"]
        named = [(p.name, a) for p, a in zip(self.given, args, strict=True) if p.kind == "keyword"]
        drains = self.invocable.is_generator
        made = call_of(self.invocable, (receiver,), placed, named, drains=drains)
        return made or Call("method", self.invocable.name, (receiver, *placed), tuple(named))

    @property
    def is_constructor(self) -> bool:
        """Does it make objects from nothing, whatever the receiver?"""
        return self.invocable.kind in ("constructor", "classmethod")

    def _construction(self, args: Sequence[Arg]) -> Call:
        """The Call by position up to the first parameter that is left out."""
        placed: list[Arg] = []
        named: list[tuple[str, Arg]] = []
        for one, arg in zip(self.given, args, strict=True):
            by_place = self.invocable.parameters[: len(placed) + 1][-1:] == (one,)
            if by_place and one.kind != "keyword" and not named:
                placed.append(arg)
            else:
                named.append((one.name, arg))
        return Call("function", self.invocable.owner, tuple(placed), tuple(named))

    @property
    def operator(self) -> str:
        """The operator that it is the method of; '' for others."""
        return operator_of(self.invocable)


def domain_of(
    operations: Sequence[Operation],
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """The methods that are given values, each with its parameters and their sorts."""
    found: dict[str, dict[str, str]] = {}
    for one in operations:
        given = zip(one.given, one.sorts, strict=True)
        known = found.setdefault(one.invocable.name, {})
        known.update({parameter.name: sort for parameter, sort in given})
    return tuple((name, tuple(given.items())) for name, given in found.items() if given)


def operator_of(invocable: Invocable) -> str:
    """The operator behind a special method; '' for any other Invocable."""
    if invocable.kind != "method":
        return ""
    return SPECIAL_METHODS.get(invocable.name, ("", False))[0]


def operations_of(
    subject: Subject, info: ClassInfo, methods: Sequence[str], pinned: Collection[str]
) -> list[Operation]:
    """The operations of ``info``; only those named in ``methods``, if it names any.

    A parameter with a default is given where ``pinned`` names it, and in operations of their own,
    which come last, where its type is one of a few.
    """
    by_id = {invocable.id: invocable for invocable in subject.invocables}
    members = [by_id[member] for member in info.members if member in by_id]
    members.sort(key=lambda one: one.module != subject.module)
    meant = [one for one in members if not methods or one.name in methods]
    found = [operation for member in meant for operation in _operations(member, info, pinned)]
    more = [operation for one in found for operation in _with_default(one, pinned)]
    return [*found, *more][:MAX_OPERATIONS]


def constructors_of(constructor: Invocable, pinned: Collection[str]) -> list[Operation]:
    """The constructor with what it needs, then with one parameter that has a default, then two.

    None where it needs more than MAX_ARGUMENTS, an object of the class, or what has no type.
    """
    given = [one for one in constructor.parameters if one.kind not in _VARIADIC]
    needed = [one for one in given if one.required or one.name in pinned]
    offered = [one for one in given if one not in needed and not one.name.startswith("_")]
    found = []
    choices = [[*needed, *offered[:more]] for more in range(MAX_ARGUMENTS + 1)]
    for parameters in dict.fromkeys(tuple(sorted(one, key=given.index)) for one in choices):
        sorts = tuple(
            f"={one.name}" if one.name in pinned else sort_of(one.type, constructor.owner)
            for one in parameters
        )
        if len(parameters) <= MAX_ARGUMENTS and not {OWN, UNTYPED} & set(sorts):
            name = constructor.owner.partition(":")[2]
            found.append(Operation(name, constructor, parameters, sorts))
    return found


def other_constructors(subject: Subject, info: ClassInfo) -> list[Operation]:
    """The class methods that return an object of the class, with the arguments that they need."""
    found = []
    for one in subject.invocables:
        given = tuple(each for each in one.parameters if each.required)
        sorts = tuple(sort_of(each.type, info.id) for each in given)
        named = not one.name.startswith("_") and one.id in info.members
        makes = one.kind == "classmethod" and sort_of(one.returns, info.id) == OWN
        plain = all(each.kind == "positional" for each in given)
        if named and makes and plain and len(given) <= MAX_ARGUMENTS and UNTYPED not in sorts:
            name = one.id.partition(":")[2]
            found.append(Operation(name, one, given, sorts))
    return [one for one in found if OWN not in one.sorts]


def attributes_of(info: ClassInfo, operations: Sequence[Operation]) -> list[Operation]:
    """Operations that look at the public attributes that methods of ``info`` assign.

    They observe only: assigning from outside is not what a class promises to survive.
    """
    known = {one.name for one in operations}
    known.update(member.rpartition(".")[2] for member in info.members)
    found = [
        Operation(name, Invocable(f"{info.id}.{name}", "field", name, info.id, (), kind), (), ())
        for name, kind in info.fields
        if name not in known and not name.startswith("_")
    ]
    return found[: max(0, min(MAX_ATTRIBUTES, MAX_OPERATIONS - len(operations)))]


def _operations(member: Invocable, info: ClassInfo, pinned: Collection[str]) -> list[Operation]:
    """The operation of ``member``, and that of its setter."""
    if not _is_meant(member):
        return []
    if member.kind in ("property", "field"):
        getter = Operation(member.name, member, (), ())
        if not member.parameters:
            return [getter]
        own = (sort_of(member.parameters[0].type, info.id),)
        setter = Operation(f"set_{member.name}", member, member.parameters[:1], own, setter=True)
        return [getter, setter]
    given = tuple(
        one
        for one in member.parameters
        if one.kind not in _VARIADIC and (one.required or one.name in pinned)
    )
    if len(given) > MAX_ARGUMENTS:
        return []
    sorts = tuple(
        f"={one.name}" if one.name in pinned else sort_of(one.type, info.id) for one in given
    )
    operator = operator_of(member)
    return [Operation(NAMES.get(operator, operator) or member.name, member, given, sorts)]


def _with_default(one: Operation, pinned: Collection[str]) -> list[Operation]:
    """``one`` with its first parameter that has a default, if laws may be about its values."""
    member = one.invocable
    rest = [parameter for parameter in member.parameters if parameter not in one.given]
    if member.kind != "method" or not rest or len(one.given) >= MAX_ARGUMENTS:
        return []
    first = rest[0]
    if first.type.name not in DEFAULTED or first.kind in _VARIADIC or first.name in pinned:
        return []
    return [replace(one, given=(*one.given, first), sorts=(*one.sorts, first.type.name))]


def _is_meant(member: Invocable) -> bool:
    if member.kind not in ("method", "property", "field") or member.is_async or member.manages:
        return False
    operator = operator_of(member)
    if operator:
        is_known = operator in OPERATORS and operator not in OF_ATTRIBUTES
        return is_known and not SPECIAL_METHODS[member.name][1]
    return member.public and not member.name.startswith("_")


def sort_of(type_: TypeExpr, owner: str) -> str:
    """The sort of values of ``type_``: a name that equal types share."""
    if type_.name == "class":
        return OWN if type_.cls == owner else _ANYTHING.get(type_.cls, type_.cls)
    if type_.name in ("complex", UNTYPED):
        return UNTYPED
    inner = "|".join(sort_of(part, owner) for part in type_.args)
    return f"{type_.name}[{inner}]" if inner else type_.name


#: Classes that say nothing about a value.
_ANYTHING: Final = {"builtins:object": UNTYPED}
