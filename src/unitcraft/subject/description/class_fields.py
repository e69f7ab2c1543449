"""The fields of a class: the names and types of its attributes, and those that users store.

Invariant: only annotations, slots and source are read, no object is made.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.description.field_effects import assigned_fields
from unitcraft.subject.description.invocables import field_type
from unitcraft.subject.description.open_fields import open_fields
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import Invocable, Parameter


def fields_of_class(
    view: DescriptionContext, cls: type, home: str
) -> Iterator[tuple[str, TypeExpr]]:
    """(name, type) of annotated and slot names of all bases, then of fields that methods assign."""
    seen: set[str] = set()
    for name in [*_declared_names(cls, view.package), *_assigned_names(view, cls)]:
        if name not in seen:
            seen.add(name)
            kind = field_type(view, cls, home, name)
            yield name, kind if kind != ANY else _assigned_type(view, cls, home, name)


def _declared_names(cls: type, package: str) -> Iterator[str]:
    for base in reversed(static_lookup.mro(cls)):
        names = static_lookup.own_dict(base)
        if (
            static_lookup.top_package(static_lookup.module_name(base)) != package
            or "_member_map_" in names
        ):
            continue
        annotations, slots = names.get("__annotations__"), names.get("__slots__", ())
        for group in (annotations, (slots,) if type(slots) is str else slots):
            if type(group) in (dict, list, tuple):
                yield from [name for name in group if type(name) is str]  # type: ignore[union-attr]


def _assigned_names(view: DescriptionContext, cls: type) -> Iterator[str]:
    for base in static_lookup.mro(cls):
        tree = _class_tree(view, base)
        yield from assigned_fields(tree) if tree is not None else ()


def _assigned_type(view: DescriptionContext, cls: type, home: str, name: str) -> TypeExpr:
    for base in static_lookup.mro(cls):
        tree = _class_tree(view, base)
        mark = assigned_fields(tree).get(name) if tree is not None else None
        if mark is not None:
            return view.hints(
                static_lookup.module_name(base), home, static_lookup.own_dict(base)
            ).type_of(mark)
    return ANY


def _class_tree(view: DescriptionContext, cls: type) -> ast.ClassDef | None:
    module = static_lookup.module_name(cls)
    if static_lookup.top_package(module) != view.package:
        return None
    path = static_lookup.qualname(cls)
    file = view.file if module == view.module else view.file_of(module)
    found = view.sources.class_named(file, path)
    if found is None and static_lookup.resolve(view.module, path) is cls:
        found = view.sources.class_named(
            view.file, path
        )  # __module__ states a package that re-exports it
    return found


def data_fields(
    view: DescriptionContext, cls: type, home: str, tags: tuple[str, ...], known: set[str]
) -> list[Invocable]:
    """Fields of dataclasses and attrs classes that are not descriptors of the class."""
    if "dataclass" not in tags:
        return []
    found = []
    frozen = _is_frozen(cls)
    for name in dict.fromkeys(_declared_names(cls, view.package)):
        if name in known or name.startswith("_"):
            continue
        kind = field_type(view, cls, home, name)
        value = () if frozen else (Parameter("value", "positional_only", kind),)
        found.append(
            Invocable(
                f"{home}.{name}",
                "field",
                name,
                owner=home,
                parameters=value,
                returns=kind,
            )
        )
    return found


def _is_frozen(cls: type) -> bool:
    settings = static_lookup.own_dict(cls).get("__dataclass_params__")
    return bool(getattr(settings, "frozen", False)) or "__attrs_attrs__" in static_lookup.own_dict(
        cls
    )


def stored_fields(
    view: DescriptionContext, cls: type, home: str, tags: tuple[str, ...], known: set[str]
) -> Iterator[Invocable]:
    """The open fields of a class as Invocables that store them (see ``open_fields``)."""
    if not {"dataclass", "namedtuple", "enum", "protocol", "collaborator"}.isdisjoint(tags):
        return
    setter = static_lookup.lookup(cls, "__setattr__")
    if setter is not None and setter[1] is not object:
        return
    trees = [tree for base in static_lookup.mro(cls) if (tree := _class_tree(view, base))]
    for name in open_fields(trees):
        if name not in known:
            kind = field_type(view, cls, home, name)
            kind = kind if kind != ANY else _assigned_type(view, cls, home, name)
            value = Parameter(name, "positional_only", kind)
            yield Invocable(
                f"{home}.{name}",
                "field",
                name,
                owner=home,
                parameters=(value,),
                returns=kind,
                writes=(name,),
            )
