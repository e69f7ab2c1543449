"""Heirs whose class attributes say what an object has: schemas, forms, models.

A base class whose metaclass, or whose ``__init_subclass__``, picks the attributes of one class out
of its heirs shows nothing without an heir that has such attributes.

Invariant: an heir declares two fields at most, each an object that needs no argument.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Ref, Sequence, Symbol
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.subject.model import ClassInfo, Subject
from unitcraft.subject.source_files import parse

#: Fields of an heir, and what an object of it is given for each.
_FIELDS: Final[tuple[tuple[str, Arg], ...]] = (("name", Const("abc")), ("size", Const(1)))
#: Functions that see the attributes of a class when it is made.
_MAKERS: Final = frozenset(("__new__", "__init__", "__prepare__", "__init_subclass__"))
_OF_HEIRS: Final = "__init_subclass__"


def heirs_with_fields(
    subject: Subject, source: str, name_of: dict[str, str]
) -> Iterator[tuple[str, list[ObjectHistory]]]:
    """(class id, ways to objects of an heir with fields) for each class that picks fields.

    ``name_of``: class id -> what its heir is called.
    """
    tree = parse(source)
    infos = {info.id: info for info in subject.classes}
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    picked = {node.name: list(_picked(node)) for node in classes}
    for node in classes:
        info = infos.get(f"{subject.module}:{node.name}")
        kinds = [kind for maker in _makers_of(node) for kind in picked.get(maker, ())]
        fields = list(_fields(subject, kinds)) if info is not None and kinds else []
        if info is not None and fields and info.id in name_of:
            yield info.id, list(_ways(subject, info, name_of[info.id], fields))


def _makers_of(node: ast.ClassDef) -> Iterator[str]:
    """The metaclass of a class, and the class itself where it sees its heirs made."""
    for keyword in node.keywords:
        if keyword.arg == "metaclass" and isinstance(keyword.value, ast.Name):
            yield keyword.value.id
    if any(isinstance(one, ast.FunctionDef) and one.name == _OF_HEIRS for one in node.body):
        yield node.name


def _picked(node: ast.ClassDef) -> Iterator[str]:
    """The classes by which a metaclass tells attributes apart: ``isinstance(value, Field)``."""
    for function in node.body:
        if isinstance(function, ast.FunctionDef) and function.name in _MAKERS:
            for inner in ast.walk(function):
                match inner:
                    case ast.Call(ast.Name("isinstance"), [_, ast.Name(name)]):
                        yield name
                    case ast.Call(ast.Name("isinstance"), [_, ast.Tuple(elts)]):
                        yield from [one.id for one in elts if isinstance(one, ast.Name)]


def _fields(subject: Subject, kinds: list[str]) -> Iterator[Build]:
    """Fields of the classes ``kinds``, of their heirs first: they say more than what they share."""
    wanted = {info.id for info in subject.classes if info.qualname in kinds}
    found = [info for info in subject.classes if wanted & {info.id, *info.bases}]
    for info in sorted(found, key=lambda one: one.id in wanted):
        if "abstract" not in info.tags and _needs_nothing(subject, info):
            yield Build(Symbol(info.module, info.qualname))


def _needs_nothing(subject: Subject, info: ClassInfo) -> bool:
    made = [one for one in subject.invocables if one.owner == info.id and one.kind == "constructor"]
    needed = [part for one in made for part in one.parameters if part.required]
    return all(part.kind.startswith("var") for part in needed)


def _ways(
    subject: Subject, info: ClassInfo, name: str, fields: list[Build]
) -> Iterator[ObjectHistory]:
    """Objects of the heir: without arguments, with one for each field, with a dictionary."""
    chosen = [fields[number % len(fields)] for number in range(len(_FIELDS))]
    lines = [f"    {field} = {{{at}}}" for at, (field, _) in enumerate(_FIELDS, start=1)]
    text = "\n".join([f"class {name}({{0}}):", *lines])
    define = Call("define", text, (Symbol(info.module, info.qualname), *chosen))
    yield ObjectHistory(Sequence((define, Call("operator", "call", (Ref(0),)))), 1)
    made = [one for one in subject.invocables if one.owner == info.id and one.kind == "constructor"]
    if any(part.kind == "var_keyword" for one in made for part in one.parameters):
        for given in (_FIELDS, _FIELDS[:1]):
            make = Call("operator", "call", (Ref(0),), given)
            yield ObjectHistory(Sequence((define, make)), 1)
