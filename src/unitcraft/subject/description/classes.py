"""Describes a class: its ClassInfo and the Invocables of its members.

Invariant: the members of a ClassInfo are the ids of the Invocables described with it, the
constructor first, but for stored fields; abstract classes and Protocols have no constructor.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from unitcraft.core.operators import OF_ATTRIBUTES, SPECIAL_METHODS
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind
from unitcraft.subject.description.field_effects import (
    assigned_fields,
    filled_by_others,
    open_fields,
)
from unitcraft.subject.description.invocables import (
    constructor_invocable,
    field_type,
    member_invocable,
    storing_invocable,
)
from unitcraft.subject.description.members import (
    abstract_members,
    leaves_to_heirs,
    mark_own_use,
    members_of,
)
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import ClassInfo, Invocable, Parameter

#: Heirs of a class that leaves methods to them: a bound for bases of whole frameworks.
MAX_HEIRS: Final = 3
_TYPING: Final = ("typing", "typing_extensions")
_BY_METHOD: Final = (
    ("context", "__enter__"),
    ("iterator", "__next__"),
    ("callable", "__call__"),
    ("descriptor", "__get__"),
    ("setter", "__set__"),
)

#: Tags of classes whose objects are given all that they hold, or that are no part of the module.
_FILLED_AT_ONCE: Final = frozenset({"dataclass", "namedtuple", "enum", "protocol", "collaborator"})
#: Kinds of values that classes hold as data.
_PLAIN: Final = (bool, int, float, str, bytes, tuple, list, dict, set, frozenset, type(None))


def describe_class(
    view: DescriptionContext, cls: type, home: str, extra: tuple[str, ...] = ()
) -> tuple[ClassInfo, tuple[Invocable, ...]]:
    """The ClassInfo of ``cls`` (its id is ``home``) and its Invocables, constructor first."""
    tags = (*_tags(cls), *extra, *(["template"] if is_template(view, cls) else []))
    members = [
        member_invocable(view, cls, home, member)
        for member in members_of(cls, view.package)
        if "enum" not in tags or member.inside
    ]
    if not {"abstract", "protocol"} & set(tags):
        members.insert(0, _constructor(view, cls, home, tags))
    members += _data_fields(view, cls, home, tags, {member.name for member in members})
    if "collaborator" not in tags:
        members = mark_own_use(cls, view.module, members)
    unimplemented: tuple[Invocable, ...] = ()
    if "protocol" in tags:
        rest = list(_unimplemented(view, cls, home))
        unimplemented = (constructor_invocable(view, cls, home), *rest) if rest else ()
    elif "abstract" in tags:
        missing = abstract_members(cls, view.package)
        rest = [member_invocable(view, cls, home, one) for one in missing]
        unimplemented = (constructor_invocable(view, cls, home), *rest)
    module, _, path = home.partition(":")
    info = ClassInfo(
        id=home,
        module=module,
        qualname=path,
        bases=tuple(_bases(view, cls)),
        tags=tags,
        members=tuple([member.id for member in members]),
        fields=tuple(
            [field for field in fields_of_class(view, cls, home) if not field[0].startswith("_")]
        ),
        enum_members=_enum_names(cls) if "enum" in tags else (),
        public=not any(part.startswith("_") for part in path.split(".")),
        unimplemented=unimplemented,
        variables=tuple(_variables(view, cls)),
    )
    return info, (*members, *_stored_fields(view, cls, info))


def is_template(view: DescriptionContext, cls: type) -> bool:
    """Has the class a method that its heirs in the package have to write?"""
    return leaves_to_heirs(view, cls, heirs_at_hand(cls, view.package))


def heirs_at_hand(cls: type, package: str) -> list[type]:
    """The first public classes of the package, in the order in which they were made, below it."""
    found = [
        one
        for one in cast("list[type]", type.__subclasses__(cls))
        if static_lookup.top_package(static_lookup.module_name(one)) == package
        and not static_lookup.qualname(one).startswith("_")
        and "<" not in static_lookup.qualname(one)
    ]
    return found[:MAX_HEIRS]


def nested_classes(cls: type) -> Iterator[tuple[str, type]]:
    """(name, class) for classes defined inside ``cls``, in source order."""
    prefix = static_lookup.qualname(cls) + "."
    for name, raw in tuple(static_lookup.own_dict(cls).items()):
        if static_lookup.is_class(raw) and static_lookup.qualname(raw) == prefix + name:
            yield name, raw


def _constructor(
    view: DescriptionContext, cls: type, home: str, tags: tuple[str, ...]
) -> Invocable:
    made = constructor_invocable(view, cls, home)
    if "enum" not in tags:
        return made
    values = [_enum_value(cls, name) for name in _enum_names(cls)]
    known = tuple([value for value in values if value is not None])
    kind = TypeExpr("literal", literals=known) if known else ANY
    return Invocable(
        made.id,
        "constructor",
        made.name,
        owner=home,
        returns=made.returns,
        parameters=(Parameter("value", "positional_only", kind, origin="annotation"),),
    )


def _enum_value(cls: type, name: str) -> Any:
    member = static_lookup.own_dict(cls).get("_member_map_", {}).get(name)
    return literal_of(static_lookup.own_dict(member).get("_value_")) if member is not None else None


def _enum_names(cls: type) -> tuple[str, ...]:
    found = static_lookup.own_dict(cls).get("_member_names_")
    return tuple([name for name in found if type(name) is str]) if type(found) is list else ()


def _tags(cls: type) -> tuple[str, ...]:
    names = static_lookup.own_dict(cls)
    order = static_lookup.mro(cls)
    checks = (
        ("abstract", static_lookup.is_abstract(cls)),
        ("protocol", is_protocol(cls)),
        ("enum", "_member_map_" in names),
        ("dataclass", "__dataclass_fields__" in names or "__attrs_attrs__" in names),
        ("namedtuple", tuple in order and "_fields" in names),
        ("exception", BaseException in order),
        ("metaclass", type in order),
        *[(tag, static_lookup.lookup(cls, name) is not None) for tag, name in _BY_METHOD],
        ("equatable", _is_defined(cls, "__eq__")),
        ("hashable", _is_hashable(cls)),
    )
    return tuple([tag for tag, holds in checks if holds])


def _is_defined(cls: type, name: str) -> bool:
    found = static_lookup.lookup(cls, name)
    return found is not None and found[0] is not None and found[1] is not object


def _is_hashable(cls: type) -> bool:
    found = static_lookup.lookup(cls, "__hash__")
    return found is not None and found[0] is not None


def _bases(view: DescriptionContext, cls: type) -> Iterator[str]:
    for base in static_lookup.mro(cls)[1:]:
        if base is not object:
            yield (
                view.homes.id_of(base)
                or f"{static_lookup.module_name(base)}:{static_lookup.qualname(base)}"
            )


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


def _variables(view: DescriptionContext, cls: type) -> Iterator[str]:
    """The names of the public data that the class and its bases in the package hold themselves."""
    for base in static_lookup.mro(cls):
        if static_lookup.top_package(static_lookup.module_name(base)) == view.package:
            yield from [
                name
                for name, held in static_lookup.own_dict(base).items()
                if type(name) is str and not name.startswith("_") and type(held) in _PLAIN
            ]


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


def _data_fields(
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


def _stored_fields(view: DescriptionContext, cls: type, info: ClassInfo) -> Iterator[Invocable]:
    """The open fields of a class that has no ``__setattr__`` of its own, as what stores them."""
    trees = [tree for base in static_lookup.mro(cls) if (tree := _class_tree(view, base))]
    setter = static_lookup.lookup(cls, "__setattr__")
    if _FILLED_AT_ONCE.isdisjoint(info.tags) and trees and setter and setter[1] is object:
        near = heirs_at_hand(cls, view.package)
        heirs = [tree for one in near if (tree := _class_tree(view, one))]
        filled = filled_by_others(view.sources.tree(view.file)).union(*map(assigned_fields, heirs))
        for name in open_fields(trees):
            if name not in filled and f"{info.id}.{name}" not in info.members:
                yield storing_invocable(info.id, name, dict(info.fields).get(name, ANY))


def _is_frozen(cls: type) -> bool:
    settings = static_lookup.own_dict(cls).get("__dataclass_params__")
    return bool(getattr(settings, "frozen", False)) or "__attrs_attrs__" in static_lookup.own_dict(
        cls
    )


def is_protocol(cls: type) -> bool:
    """Does a type checker take every class with its names for it?"""
    return static_lookup.own_dict(cls).get("_is_protocol") is True


def stand_ins(cls: type, candidates: list[tuple[str, type]]) -> tuple[str, ...]:
    """The ids of concrete candidates that derive from ``cls`` or have all names of the Protocol."""
    wanted = _required_names(cls) if is_protocol(cls) else ()
    found = []
    for home, other in candidates:
        if other is cls or static_lookup.is_abstract(other) or is_protocol(other):
            continue
        if cls in static_lookup.mro(other) or _has_all(other, wanted):
            found.append(home)
    return tuple(found)


def implementers(cls: type, modules: Iterable[str]) -> list[type]:
    """The first public classes of ``modules`` that have all names of the Protocol ``cls``."""
    wanted = _required_names(cls) if is_protocol(cls) else ()
    found = []
    for module in dict.fromkeys(modules):
        names = static_lookup.module_dict(sys.modules[module]) if module in sys.modules else {}
        for name, value in names.items():
            is_own = static_lookup.is_class(value) and static_lookup.module_name(value) == module
            if not is_own or name.startswith("_") or value is cls:
                continue
            is_abstract = static_lookup.is_abstract(value) or is_protocol(value)
            if not is_abstract and _has_all(value, wanted):
                found.append(value)
    return found[:MAX_HEIRS]


def _unimplemented(view: DescriptionContext, cls: type, home: str) -> Iterator[Invocable]:
    """What a class that derives from the Protocol ``cls`` has to define, in source order.

    Methods whose body does something are inherited; attributes that are only declared are not.
    """
    members = {one.name: one for one in members_of(cls, view.package)}
    abstract = static_lookup.own_dict(cls).get("__abstractmethods__", ())
    for name in _required_names(cls):
        if name in members:
            function = function_behind(members[name].raw)
            node = view.sources.function(function.__code__) if function is not None else None
            if name in abstract or _is_stub(node):
                yield member_invocable(view, cls, home, members[name])
        elif static_lookup.lookup(cls, name) is None:
            kind = field_type(view, cls, home, name)
            yield Invocable(f"{home}.{name}", "field", name, owner=home, returns=kind)


def _is_stub(node: ast.AST | None) -> bool:
    """Does the body say nothing: docstring, ``...``, ``pass``, or that others write it?"""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    for statement in node.body:
        match statement:
            case ast.Pass() | ast.Expr(ast.Constant()):
                pass
            case ast.Raise(
                ast.Name("NotImplementedError") | ast.Call(ast.Name("NotImplementedError"))
            ):
                pass
            case _:
                return False
    return True


def _required_names(cls: type) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for base in static_lookup.mro(cls):
        if is_protocol(base) and static_lookup.module_name(base) not in _TYPING:
            declared = (*static_lookup.own_dict(base), *_annotated(base))
            names.update({name: None for name in declared if _is_required_name(name)})
    return tuple(names)


def _is_required_name(name: str) -> bool:
    if name.startswith("__") and name.endswith("__"):
        is_usual = (
            name in ("__hash__", "__eq__") or SPECIAL_METHODS.get(name, ("",))[0] in OF_ATTRIBUTES
        )
        return name in SPECIAL_METHODS and not is_usual
    return not name.startswith(("_abc_", "_is_"))


def _has_all(cls: type, wanted: tuple[str, ...]) -> bool:
    """Does ``cls`` define or declare all these names, of which there are some?"""
    declared = {name for base in static_lookup.mro(cls) for name in _annotated(base)}
    return bool(wanted) and all(
        name in declared or static_lookup.lookup(cls, name) for name in wanted
    )


def _annotated(cls: type) -> tuple[str, ...]:
    """The names that the body of a class declares."""
    found: Any = static_lookup.own_dict(cls).get("__annotations__")
    return tuple(found) if type(found) is dict else ()
