"""What a mixin needs of the class that it is mixed into: names of ``self`` that nothing defines.

A class of the module whose methods call such names cannot work alone; a test defines a host for
it, an heir that has them.  Where it only reads some, a test sets them (``complete_objects``).

Invariant: a name counts as missing only where all bases of the class are known, and none of their
code defines it, by a member, an attribute of the class or a store into ``self``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from unitcraft.subject.model import ClassInfo, Invocable, Parameter, Subject
from unitcraft.subject.source_files import parse

#: Names that a host defines for one mixin: more of them are no mixin's, but a broken class's.  No
#: run comes to it in five searches of 20,000 runs.
MAX_MISSING: Final = 8


@dataclass(slots=True)
class _Names:
    """Names of ``self``: ``defined``, and ``used`` with the call that uses them first, if any."""

    defined: set[str] = field(default_factory=set)
    used: dict[str, ast.Call | None] = field(default_factory=dict)
    awaited: set[str] = field(default_factory=set)
    is_open: bool = False


def missing_members(subject: Subject, source: str) -> dict[str, tuple[Invocable, ...]]:
    """Class id -> its constructor and the members that a host has to define."""
    tree = parse(source)
    nodes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    if not nodes:
        return {}
    known = {info.id: info for info in subject.classes}
    parents = {base for info in subject.classes for base in info.bases}
    made = {one.owner: one for one in subject.invocables if one.kind == "constructor"}
    names = {name: _names_of(node) for name, node in nodes.items()}
    found: dict[str, tuple[Invocable, ...]] = {}
    for info in subject.classes:
        if info.id in parents or info.qualname not in nodes or info.module != subject.module:
            continue
        if info.id in made and not info.unimplemented and "enum" not in info.tags:
            members = _missing(info, known, names, nodes[info.qualname])
            if members and len(members) <= MAX_MISSING:
                found[info.id] = (made[info.id], *members)
    return found


def _missing(
    info: ClassInfo, known: dict[str, ClassInfo], names: dict[str, _Names], node: ast.ClassDef
) -> tuple[Invocable, ...]:
    """The members that a host of ``info`` has to define; () where a base is not known."""
    family = [names.get(known[one].qualname) if one in known else None for one in info.bases]
    bases = len(node.bases) - sum(ast.unparse(one) in ("object", "Generic") for one in node.bases)
    if node.keywords or node.decorator_list or bases > len(family):
        return ()
    own = names[info.qualname]
    defined = {*own.defined, *[member.rpartition(".")[2] for member in info.members]}
    for one in family:
        if one is None:
            return ()
        defined |= one.defined
    if own.is_open:
        return ()
    missing = {
        name: call
        for name, call in own.used.items()
        if name not in defined and not name.startswith("__")
    }
    if not any(missing.values()):
        return ()
    return tuple([
        _member(info, name, call, is_async=name in own.awaited) for name, call in missing.items()
    ])  # fmt: skip


def _member(info: ClassInfo, name: str, call: ast.Call | None, *, is_async: bool) -> Invocable:
    if call is None:
        return Invocable(f"{info.id}.{name}", "field", name, owner=info.id, module=info.module)
    return Invocable(
        f"{info.id}.{name}", "method", name, owner=info.id, module=info.module,
        parameters=tuple(_parameters(call)), is_async=is_async,
    )  # fmt: skip


def _parameters(call: ast.Call) -> Iterator[Parameter]:
    """Parameters that take the arguments of ``call``, named as these are."""
    taken: set[str] = {"self"}
    if any(isinstance(one, ast.Starred) for one in call.args) or any(
        one.arg is None for one in call.keywords
    ):
        yield Parameter("args", "var_positional", required=False)
        yield Parameter("kwargs", "var_keyword", required=False)
        return
    for number, arg in enumerate(call.args):
        word = arg.id if isinstance(arg, ast.Name) else ""
        name = word if word and word not in taken else f"value_{number + 1}"
        taken.add(name)
        yield Parameter(name, "positional")
    for given in call.keywords:
        yield Parameter(given.arg or "", "keyword")


def _names_of(node: ast.ClassDef) -> _Names:
    found = _Names()
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            found.defined.add(one.name)
            found.is_open = found.is_open or one.name in ("__getattr__", "__getattribute__")
            _read_method(one, found)
        elif isinstance(one, ast.ClassDef):
            found.defined.add(one.name)
        else:
            found.defined |= {
                each.id for each in ast.walk(one)
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            }  # fmt: skip
    return found


def _read_method(method: ast.FunctionDef | ast.AsyncFunctionDef, found: _Names) -> None:
    """Note what a method does with the attributes of its first argument."""
    first = next(iter([*method.args.posonlyargs, *method.args.args]), None)
    if first is None or method.decorator_list:
        return
    calls = {id(one.func): one for one in ast.walk(method) if isinstance(one, ast.Call)}
    awaits = {id(one.value) for one in ast.walk(method) if isinstance(one, ast.Await)}
    for one in ast.walk(method):
        match one:
            case ast.Call(ast.Name("setattr"), [ast.Name(owner), ast.Constant(str() as name), _]):
                found.defined |= {name} if owner == first.arg else set()
        if not (isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name)):
            continue
        if one.value.id != first.arg:
            continue
        if not isinstance(one.ctx, ast.Load):
            found.defined.add(one.attr)
            continue
        call = calls.get(id(one))
        if found.used.get(one.attr) is None:
            found.used[one.attr] = call
        if call is not None and id(call) in awaits:
            found.awaited.add(one.attr)
