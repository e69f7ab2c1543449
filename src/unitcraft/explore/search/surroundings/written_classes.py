"""Classes that a test writes: heirs, hosts of mixins, owners of descriptors.

Code that takes a class, or becomes a part of one, is shown by a class of a few lines.

Invariant: a class has what the Subject asks it to define and nothing else; what its members answer
are arguments of the Call that defines it, so that they are varied as arguments are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Ref,
    Sequence,
    Source,
    Symbol,
    arguments,
    expected_error,
)
from unitcraft.explore.search.surroundings.declared_fields import heirs_with_fields
from unitcraft.explore.search.surroundings.member_answers import (
    MAX_HEIRS,
    MemberAnswers,
    is_needed,
)
from unitcraft.explore.search.surroundings.mixin_hosts import missing_members
from unitcraft.explore.search.values.object_pool import ObjectHistory, ObjectPool, pool_for
from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject
from unitcraft.subject.scopes import walk_scopes
from unitcraft.subject.source_files import parse
from unitcraft.subject.values.value_pools import ValuePools

#: What a class is called that says nothing but that it is a base.
_BASE: Final = re.compile(
    r"^(?:Abstract|Base)(?=[A-Z])|(?<=[a-z\d])(?:Base|ABC|Mixin|Interface|Protocol)$"
)
#: Kind and name of the Call that makes an instance of a class.
_MADE: Final = ("operator", "call")
#: The method that answers for what is not there.
_MISS: Final = "__missing__"
#: What stands above a member of a kind.
_DECORATORS: Final = {"property": "property", "classmethod": "classmethod",
                      "staticmethod": "staticmethod"}  # fmt: skip


#: A class as an argument.
_POINT: Final = """class Point:
    def __init__(self, x=1, y=2):
        self.x = x
        self.y = y"""
#: A class whose instances are tuples with names.
_PAIR: Final = """class Pair({0}):
    left: int
    right: int"""
#: A class of data.
_PERSON: Final = """@{0}
class Person:
    name: str
    age: int = 1"""
#: A class of members.
_COLOUR: Final = """class Colour({0}):
    RED = 1
    GREEN = 2"""
_ENUM: Final = Call("define", _COLOUR, (Symbol("enum", "Enum"),))
_DATACLASS: Final = Call("define", _PERSON, (Symbol("dataclasses", "dataclass"),))


def _instance(define: Call, *args: Arg) -> ObjectHistory:
    return ObjectHistory(Sequence((define, Call("operator", "call", (Ref(0), *args)))), 1)


#: What the source names -> the id under which objects are passed that make sense to it, and one.
_EXAMPLES: Final = (
    (
        ("is_dataclass", "dataclasses.fields"),
        (
            ("builtins:type", ObjectHistory(Sequence((_DATACLASS,)), 0)),
            ("dataclasses:dataclass", _instance(_DATACLASS, Const("Ann"))),
        ),
    ),
    (
        ("(Enum)", "__members__", "EnumMeta", "EnumType"),
        (
            ("builtins:type", ObjectHistory(Sequence((_ENUM,)), 0)),
            ("enum:Enum", ObjectHistory(Sequence((_ENUM, Call("get", "RED", (Ref(0),)))), 1)),
        ),
    ),
    (
        ("issubclass", "isclass", "(type)", "Type[]", "__mro__", "__bases__"),
        (("builtins:type", ObjectHistory(Sequence((Call("define", _POINT),)), 0)),),
    ),
    (
        ("_fields", "_asdict"),
        (
            (
                "typing:NamedTuple",
                _instance(
                    Call("define", _PAIR, (Symbol("typing", "NamedTuple"),)), Const(1), Const(2)
                ),
            ),
        ),
    ),
)


def _names_in(source: str) -> Iterator[str]:
    """Names, attributes and texts of the code.

    ``(type)``, ``(Enum)``: these are an argument or an element of a tuple.
    """
    for node in ast.walk(parse(source)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name):
                yield name
                if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                    yield f"{node.value.id}.{name}"
            case ast.ImportFrom(module=module, names=names):
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Constant(value=str(text)):
                yield text
            case ast.Subscript(value=ast.Name(id="Type") | ast.Attribute(attr="Type")):
                yield "Type[]"
            case ast.Call(args=items) | ast.Tuple(elts=items):
                last = {getattr(item, "id", getattr(item, "attr", "")) for item in items}
                yield from (f"({name})" for name in ("type", "Enum") if name in last)


def descriptor_uses(run: Sequence) -> list[Sequence]:
    """Programs in which the descriptor that ``run`` makes is a part of a class, and is used."""
    *before, make = run.calls
    given = [f"{{{at}}}" for at in range(1, len(make.args) + 1)]
    rest = range(len(make.args) + 1, len(make.args) + len(make.kwargs) + 1)
    given += [f"{name}={{{at}}}" for at, (name, _) in zip(rest, make.kwargs, strict=True)]
    text = f"class Circle:\n    area = {{0}}({', '.join(given)})"
    define = Call("define", text, (Symbol(*make.name.split(":")), *arguments(make)))
    return _uses_of(tuple(before), define)


def decorator_uses(maker: str, tags: tuple[str, ...]) -> list[Sequence]:
    """Programs in which ``maker`` decorates a method, by what its descriptors have (``tags``)."""
    symbol = Symbol(*maker.split(":"))
    made: list[Sequence] = []
    if "descriptor" in tags:
        text = "class Circle:\n    @{0}\n    def area(self):\n        return "
        made += _uses_of((), Call("define", text + "{1}", (symbol, Const(1))))
        again = Call("define", text + "[1]", (symbol,))  # two lists tell two calls from one
        get = Call("get", "area", (Ref(1),))
        made.append(Sequence((again, Call("operator", "call", (Ref(0),)), get, get)))
    if "setter" in tags:
        text = "class Circle:\n    @{0}\n    def area(self, value):\n        self.size = value"
        define = Call("define", text, (symbol,))
        store = Call("set", "area", (Ref(1), Const(5)))
        make = Call("operator", "call", (Ref(0),))
        made.append(Sequence((define, make, store, Call("get", "size", (Ref(1),)))))
    return made


def _uses_of(before: tuple[Call, ...], define: Call) -> list[Sequence]:
    """Ways to use the attribute ``area`` of the class that ``define`` makes, and of an instance."""
    at = len(before)
    start = (*before, define, Call("operator", "call", (Ref(at),)))
    get = Call("get", "area", (Ref(at + 1),))
    uses = (
        (get,),
        (Call("get", "area", (Ref(at),)),),
        (get, get),
        (Call("set", "area", (Ref(at + 1), Const(5))), get),
        (Call("set", "area", (Ref(at + 1), Const("abc"))), get),
        (get, Call("operator", "del.", (Ref(at + 1), Const("area")))),
    )
    return [Sequence((*start, *use)) for use in uses]


def pool_with_heirs(subject: Subject, pools: ValuePools) -> ObjectPool:
    """The pool of a Subject, with heirs that a test writes: see the module."""
    objects = pool_for(subject, pools.source)
    ways: dict[str, list[ObjectHistory]] = {}
    named = frozenset(_names_in(pools.source))
    for names, examples in _EXAMPLES:
        for key, way in () if named.isdisjoint(names) else examples:
            ways.setdefault(key, []).append(way)
    for key, found in ways.items():
        objects.give(key, found)
    taken = {info.qualname for info in subject.classes}
    hooks = _hooks(subject, pools)
    hosts = missing_members(subject, pools.source)
    heirs = {one.id: heir_name(one.qualname.rpartition(".")[2], taken) for one in subject.classes}
    for owner, found in heirs_with_fields(subject, pools.source, heirs):
        objects.give(owner, found)
    answers = MemberAnswers(subject, pools)
    for info in subject.classes:
        if info.unimplemented and not info.concrete:
            of_fields = any(member.kind == "field" for member in info.unimplemented[1:])
            if "protocol" in info.tags or not of_fields:
                objects.give(info.id, list(_heirs(info, info.unimplemented, taken, answers)))
        elif info.id in hosts:
            members = (*hosts[info.id], *hooks.get(info.id, ())[1:])
            objects.give(info.id, list(_heirs(info, members, taken, answers)))
        elif info.id in hooks and not info.unimplemented:
            objects.give(info.id, list(_heirs(info, hooks[info.id], taken, answers))[:1])
    return objects


def _hooks(subject: Subject, pools: ValuePools) -> dict[str, tuple[Invocable, ...]]:
    """Class id -> its constructor, and the methods that only say that a subclass defines them.

    ``__missing__`` that raises says so of a class and of its heirs.
    """
    missed = _refusing_look_ups(pools.source)
    targets = frozenset(pools.hooks.values())
    made = {one.owner: one for one in subject.invocables if one.kind == "constructor"}
    found: dict[str, tuple[Invocable, ...]] = {}
    for one in subject.invocables:
        if one.id.replace(":", ".") in targets and one.owner in made:
            found[one.owner] = (*found.get(one.owner, (made[one.owner],)), one)
    for info in subject.classes:
        own = next(
            (one for one in (info, *_known_bases(info, subject)) if one.qualname in missed), None
        )
        if own is not None and info.id in made:
            miss = Invocable(f"{info.id}.{_MISS}", "method", _MISS, info.id, (Parameter("key"),))
            found[info.id] = (*found.get(info.id, (made[info.id],)), miss)
    return found


def _known_bases(info: ClassInfo, subject: Subject) -> list[ClassInfo]:
    return [one for base in info.bases for one in subject.classes if one.id == base]


def _refusing_look_ups(source: str) -> frozenset[str]:
    """The classes whose ``__missing__`` only raises: heirs answer what is not there."""
    return frozenset(
        scope
        for node, scope in walk_scopes(parse(source))
        if isinstance(node, ast.FunctionDef) and node.name == _MISS
        and isinstance(node.body[-1], ast.Raise)
    )  # fmt: skip


def _heirs(
    info: ClassInfo, missing: tuple[Invocable, ...], taken: set[str], answers: MemberAnswers
) -> Iterator[ObjectHistory]:
    """Objects of heirs that define what is ``missing``: the constructor and members."""
    constructor, *members = sorted(missing, key=_place)
    needed = [one for one in constructor.parameters if is_needed(one)]
    for number in range(MAX_HEIRS):
        found = [answers.given(one, info.qualname, number) for one in needed]
        given = [arg for arg in found if arg is not None]
        if len(given) == len(needed):
            define = _definition(info, members, number, taken, answers)
            yield ObjectHistory(Sequence((define, _construction(needed, given))), 1)


def _place(member: Invocable) -> int:
    """The constructor, then fields, as a class is written."""
    return {"constructor": 0, "field": 1}.get(member.kind, 2)


def _construction(needed: list[Parameter], given: list[Arg]) -> Call:
    """The Call of the class that the first Call of the Sequence defines."""
    pairs = list(zip(needed, given, strict=True))
    args = [arg for one, arg in pairs if one.kind != "keyword"]
    kwargs = [(one.name, arg) for one, arg in pairs if one.kind == "keyword"]
    return Call("operator", "call", (Ref(0), *args), tuple(kwargs))


def _definition(
    info: ClassInfo, members: list[Invocable], number: int, taken: set[str], answers: MemberAnswers
) -> Call:
    """The Call that defines heir ``number`` of an abstract class or a Protocol."""
    args: list[Arg] = [Symbol(info.module, info.qualname)]
    blocks: list[str] = []
    for member in members:
        answer = answers.answer(member, number)
        blocks.append("\n".join(_member_lines(member, f"{{{len(args)}}}" if answer else "")))
        args += [answer] if answer else []
    text = "\n\n".join(blocks) or "    pass"
    base = info.qualname.rpartition(".")[2]
    name = stub_name(base, taken) if "protocol" in info.tags else heir_name(base, taken)
    return Call("define", f"class {name}({{0}}):\n{text}", tuple(args))


def says_nothing(sequence: Sequence) -> bool:
    """Is the last Call one of what the test itself writes, undecorated, or has set?

    Or is it one after which a test goes on: that it raises is shown where it is the end.
    """
    last = sequence.calls[-1]
    if expected_error(last):
        return True
    if (last.kind, last.name) == _MADE and isinstance(last.args[0], Source):
        return True
    receiver = last.args[0] if last.kind in ("method", "get") else None
    if last.kind == "method" and any(
        (call.kind, call.name, call.args[:1]) == ("set", last.name, (receiver,))
        for call in sequence.calls
    ):
        return True
    made = sequence.calls[receiver.index] if isinstance(receiver, Ref) else None
    cls = made.args[0] if made is not None and (made.kind, made.name) == _MADE else None
    define = sequence.calls[cls.index] if isinstance(cls, Ref) else None
    if define is None or define.kind != "define":
        return False
    lines = define.name.splitlines()
    heads = (f"    def {last.name}(", f"    async def {last.name}(")
    return any(
        line.startswith(heads) and not above.startswith("    @{") for above, line in pairwise(lines)
    )


def heir_name(base: str, taken: set[str]) -> str:
    """A name for an heir of ``base`` that no class of the Subject has."""
    plain = _BASE.sub("", base).lstrip("_")
    is_free = plain != base and not hasattr(builtins, plain)
    options = ([plain] if is_free else []) + [f"Concrete{plain}", f"ConcreteOf{base}"]
    return next((one for one in options if one not in taken), options[-1])


def stub_name(base: str, taken: set[str]) -> str:
    """The same for a Protocol: a stub answers what its test says, whatever it is asked."""
    plain = _BASE.sub("", base).lstrip("_")
    options = [f"Stub{plain}", f"StubOf{base}"]
    return next((one for one in options if one not in taken), options[-1])


def _member_lines(member: Invocable, answer: str) -> Iterator[str]:
    """The lines of a member, indented; ``answer`` is what it returns, '' for nothing."""
    if member.kind == "field":
        yield f"    {member.name} = {answer or None}"
        return
    if member.kind in _DECORATORS:
        yield f"    @{_DECORATORS[member.kind]}"
    first = {"staticmethod": [], "classmethod": ["cls"]}.get(member.kind, ["self"])
    if member.kind != "property":
        first = [*first, *_signature(member.parameters)]
    head = "async def" if member.is_async else "def"
    yield f"    {head} {member.name}({', '.join(first)}):"
    word = "yield" if member.is_generator else "return"
    yield f"        {word} {answer}" if answer else "        pass"


def _signature(parameters: tuple[Parameter, ...]) -> Iterator[str]:
    """The parameters as a person writes them; a default is None."""
    bare = False
    for number, one in enumerate(parameters):
        if one.kind == "keyword" and not bare:
            bare = True
            if not any(other.kind == "var_positional" for other in parameters[:number]):
                yield "*"
        stars = {"var_positional": "*", "var_keyword": "**"}.get(one.kind, "")
        default = "" if one.required or stars else "=None"
        yield f"{stars}{one.name}{default}"
