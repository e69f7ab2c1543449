"""The members of a class that a caller can use, and its constructor.

A base in another module is that module's to test, but a member that reads what the Subject's class
defines (a constant, a hook method) behaves as this class says: ``describe`` of a base that formats
``self.KIND`` is behaviour of each class that sets ``KIND``.  What a public base in the same module
defines counts there, not again for each heir.

Invariant: a name is listed once, with its nearest definition by the method resolution order;
the order is that of the classes, then of the source.  Names are compared, nothing is run.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import (
    ClassMethodDescriptorType,
    DynamicClassAttribute,
    FunctionType,
    MemberDescriptorType,
    MethodDescriptorType,
    WrapperDescriptorType,
)
from typing import Any, Final

from unitcraft.core.operators import SPECIAL_METHODS
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind, is_callable_wrapper
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.model import Invocable, InvocableKind
from unitcraft.subject.source_files import does_nothing, only_refuses

#: Modules outside the package whose classes give a subclass members worth testing.
MIXIN_MODULES: Final = frozenset({"collections.abc", "_collections_abc", "numbers", "collections"})
#: Builtin containers whose methods a subclass inherits for testing.
CONTAINER_BASES: Final = frozenset({"dict", "list", "set", "deque", "OrderedDict", "defaultdict"})

#: Special methods that are members only if a class of the package defines them.
OWN_ONLY: Final = frozenset(
    {"__hash__", "__repr__", "__str__", "__ne__", "__format__", "__eq__", "__getattr__",
     "__getattribute__", "__setattr__", "__delattr__", "__getstate__", "__setstate__",
     "__reduce__", "__reduce_ex__", "__getnewargs__"}
)  # fmt: skip

#: Heirs that all define a method which does nothing, so that it is theirs to write: where there is
#: one, others may need nothing.
MIN_HEIRS: Final = 2
#: Comparisons that ``dict`` defines but that always return NotImplemented.
ORDERING: Final = frozenset({"__lt__", "__le__", "__gt__", "__ge__"})

_NATIVE: Final = (MethodDescriptorType, WrapperDescriptorType, ClassMethodDescriptorType)
_NAMED_FIELD: Final = type(__import__("collections").namedtuple("_Named", "x").__dict__["x"])


@dataclass(frozen=True, slots=True)
class Member:
    """A raw attribute of a class, how it is used (``kind``), and the class that defines it."""

    name: str
    kind: InvocableKind
    raw: Any
    base: type
    inside: bool  # is ``base`` a class of the package?


def members_of(cls: type, package: str) -> tuple[Member, ...]:
    """All usable members of ``cls`` except its constructor, private names included."""
    return tuple(_members(cls, package))


def _members(cls: type, package: str) -> Iterator[Member]:
    seen: set[str] = set()
    for base in static_lookup.mro(cls)[:-1]:
        inside = static_lookup.top_package(static_lookup.module_name(base)) == package
        counts = inside or is_mixin(base)
        for name, raw in tuple(static_lookup.own_dict(base).items()):
            if type(name) is not str or name in seen:
                continue
            seen.add(name)
            named_only = base is dict and name in ORDERING
            kind = _kind(name, raw) if counts and not named_only else None
            if kind and _is_member(name, raw, inside=inside) and not _is_of_tuples(base, raw):
                yield Member(name, kind, raw, base, inside)


def abstract_members(cls: type, package: str) -> Iterator[Member]:
    """The members that a subclass has to define, in source order."""
    missing = static_lookup.own_dict(cls).get("__abstractmethods__", frozenset())
    for base in static_lookup.mro(cls)[:-1]:
        inside = static_lookup.top_package(static_lookup.module_name(base)) == package
        for name, raw in tuple(static_lookup.own_dict(base).items()):
            is_nearest = name in missing and static_lookup.lookup(cls, name) == (raw, base)
            kind = _kind(name, raw) if is_nearest else None
            if kind is not None:
                yield Member(name, kind, raw, base, inside)


def is_mixin(base: type) -> bool:
    """Is it an abstract collection, a class of ``numbers`` or a builtin container?"""
    module = static_lookup.module_name(base)
    if module == "builtins":
        return static_lookup.qualname(base) in CONTAINER_BASES
    return module in MIXIN_MODULES


def _is_member(name: str, raw: Any, *, inside: bool) -> bool:
    if name.startswith("__") and name.endswith("__"):
        if name not in SPECIAL_METHODS or raw is None:
            return False
        return not _is_generated(raw) and (name not in OWN_ONLY or inside)
    if name.startswith("_"):
        sunder = "__" in name or name.endswith("_")
        hidden = sunder or static_lookup.is_instance(raw, (MemberDescriptorType, _NAMED_FIELD))
        return inside and not hidden and not _is_generated(raw)
    return not _is_generated(raw)


def _is_of_tuples(base: type, raw: Any) -> bool:
    """Is it what ``collections.namedtuple`` put into the class ``base``?"""
    function = function_behind(raw)
    is_named = "_field_defaults" in static_lookup.own_dict(base)
    return is_named and function is not None and function.__module__ == "collections"


def _is_generated(raw: Any) -> bool:
    """Was the code compiled at run time (by dataclasses, attrs, namedtuple)?"""
    function = function_behind(raw)
    file = function.__code__.co_filename if function is not None else ""
    return file.startswith("<") and not file.startswith("<frozen")


def _kind(name: str, raw: Any) -> InvocableKind | None:
    if raw is None or static_lookup.is_class(raw):
        return None
    if static_lookup.is_instance(raw, staticmethod):
        return "staticmethod"
    if static_lookup.is_instance(raw, (classmethod, ClassMethodDescriptorType)):
        return "classmethod"
    if static_lookup.is_instance(raw, (property, functools.cached_property, DynamicClassAttribute)):
        return "property"
    if static_lookup.is_instance(raw, (MemberDescriptorType, _NAMED_FIELD)):
        return "field"
    if is_callable_wrapper(raw) or static_lookup.is_instance(raw, _NATIVE):
        return "method"
    special = name.startswith("__")
    has_get = static_lookup.lookup(type(raw), "__get__") is not None
    return "property" if has_get and not special else None


def constructor_of(cls: type) -> tuple[Any, type] | None:
    """(the Python ``__init__`` or ``__new__`` with the constructor's parameters, its class).

    None if that constructor is C code or there is none.
    """
    order = static_lookup.mro(cls)
    for base in order:
        names = static_lookup.own_dict(base)
        for name in ("__init__", "__new__"):
            raw = names.get(name)
            if raw is not None and base is not object and is_python(raw):
                if static_lookup.module_name(base) in (
                    "typing",
                    "typing_extensions",
                ) or _is_typing_init(raw):
                    continue
                return raw, base
        native = [names[name] for name in ("__init__", "__new__") if name in names]
        if base is not object and any(not is_python(raw) for raw in native):
            return None
    return None


def _is_typing_init(raw: Any) -> bool:
    """Is it the ``__init__`` that ``typing`` gives to Protocol classes, which raises?"""
    function = function_behind(raw)
    return function is not None and function.__module__ in ("typing", "typing_extensions")


def is_python(raw: Any) -> bool:
    """Is a raw ``__init__`` or ``__new__`` Python code?"""
    if static_lookup.is_instance(raw, staticmethod):
        raw = raw.__func__
    return is_callable_wrapper(raw)


def is_settable(raw: Any) -> bool:
    """May the attribute be assigned on an instance?"""
    if static_lookup.is_instance(raw, property):
        return property.__dict__["fset"].__get__(raw) is not None
    if static_lookup.is_instance(raw, (functools.cached_property, _NAMED_FIELD)):
        return False
    return static_lookup.lookup(type(raw), "__set__") is not None


def mark_own_use(cls: type, module: str, members: list[Invocable]) -> list[Invocable]:
    """``members`` of ``cls``, a class that the Subject's ``module`` defines, with ``uses_own`` set.

    It is set where code of another module uses a name that ``cls`` defines.
    """
    own = _own_names(cls)
    by_name = {member.name: member for member in members}
    using = {name for name, member in by_name.items() if own.intersection(member.reads)}
    grown = True
    while grown:
        more = {
            name
            for name, member in by_name.items()
            if name not in using and name not in own and using.intersection(member.reads)
        }
        using |= more
        grown = bool(more)
    return [
        replace(member, uses_own=True)
        if member.module not in ("", module) and member.name in using
        else member
        for member in members
    ]


def _own_names(cls: type) -> frozenset[str]:
    """Names that ``cls`` defines, and its private bases in the same module."""
    home = static_lookup.module_name(cls)
    return frozenset(
        [
            name
            for base in static_lookup.mro(cls)
            if base is cls or (static_lookup.module_name(base) == home and _is_private(base))
            for name in tuple(static_lookup.own_dict(base))
            if type(name) is str and not (name.startswith("__") and name.endswith("__"))
        ]
    )


def _is_private(cls: type) -> bool:
    return static_lookup.qualname(cls).rpartition(".")[2].startswith("_")


def leaves_to_heirs(view: DescriptionContext, cls: type, heirs: list[type]) -> bool:
    """Has the class a method that heirs have to write?

    It only raises NotImplementedError, or it does nothing and each of several ``heirs`` defines it.
    """
    functions = [one for one in static_lookup.own_dict(cls).values() if type(one) is FunctionType]
    written = [static_lookup.own_dict(heir) for heir in heirs] if len(heirs) >= MIN_HEIRS else []
    for one in functions:
        node = view.sources.function(one.__code__)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (
            only_refuses(node)
            or (written and does_nothing(node) and all(node.name in own for own in written))
        ):
            return True
    return False
