"""Describes functions, members and constructors as Invocables.

Invariant: an id is how a caller reaches the Invocable; module and lines are those of the
Python code that runs, which may be another module of the package.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import FunctionType
from typing import Any, Final

from unitcraft.core.operators import OF_ATTRIBUTES, OF_STATES, OPERATORS, SPECIAL_METHODS
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.decorators import function_behind, nature_of, takes_arguments_by_place
from unitcraft.subject.description.field_effects import (
    acts_on_receiver,
    effects_of,
    stores_keywords,
)
from unitcraft.subject.description.members import Member, constructor_of, is_settable
from unitcraft.subject.description.signatures import (
    Callee,
    annotations_of,
    callee_of,
    keywords_of,
    native_parameters,
    parameters_of,
    result_of,
)
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.known_types import BYTES, COMPLEX, FLOAT, INT, NONE, STR, union
from unitcraft.subject.model import Invocable, InvocableKind, Parameter
from unitcraft.subject.reading.docstring_types import parameter_lines
from unitcraft.subject.source_files import does_nothing

#: Functions that hand on to one another what they are given.
MAX_HANDED: Final = 3
#: Parameters of the last of them: of 30 options a search tries few, and loses what ``*args`` alone
#: reach (a branch of tqdm.rich, in twice the time).
MAX_TAKEN: Final = 8
_ITERABLE: Final = TypeExpr("iterable")
_PAIRS: Final = union(TypeExpr("dict"), TypeExpr("iterable", (TypeExpr("tuple", (ANY, ANY)),)))

#: Builtin class -> the type of the one argument of the constructor that subclasses inherit.
_NATIVE_ARGUMENT: Final = {
    "dict": _PAIRS,
    "OrderedDict": _PAIRS,
    "list": _ITERABLE,
    "set": _ITERABLE,
    "frozenset": _ITERABLE,
    "tuple": _ITERABLE,
    "deque": _ITERABLE,
    "Counter": _ITERABLE,
    "int": union(INT, STR),
    "float": union(FLOAT, STR),
    "str": STR,
    "bytes": BYTES,
    "complex": COMPLEX,
}


def function_invocable(view: DescriptionContext, name: str, value: Any) -> Invocable:
    """The Invocable of a module-level function ``name``."""
    function = function_behind(value, name)
    home = static_lookup.module_name(function) if function is not None else view.module
    hints = view.hints(home)
    parameters = _handed_on(view, function, _parameters(value, function, hints, skip=0))
    return _invocable(
        view,
        (f"{view.module}:{name}", "function", name),
        value,
        function,
        parameters,
        result_of(function, hints),
    )


def member_invocable(view: DescriptionContext, cls: type, owner: str, member: Member) -> Invocable:
    """The Invocable of ``member`` reached through the class with id ``owner``."""
    function = function_behind(member.raw, member.name)
    hints = _hints(view, member.base, owner)
    skip = 0 if member.kind == "staticmethod" else 1
    parameters: tuple[Parameter, ...] = ()
    returns = ANY if member.kind == "field" else result_of(function, hints)
    if member.kind in ("property", "field"):
        if member.kind == "field":
            returns = field_type(view, cls, owner, member.name)
        parameters = _value_parameter(member, hints, returns) if is_settable(member.raw) else ()
    else:
        parameters = _parameters(member.raw, function, hints, skip=skip)
        parameters = _handed_on(view, function, parameters, cls, member.base)
        parameters = _with_operands(member.name, parameters)
    identity = (f"{owner}.{member.name}", member.kind, member.name)
    made = _invocable(
        view,
        identity,
        member.raw,
        function if member.inside else None,
        parameters,
        returns,
        owner=owner,
    )
    return replace(made, beside_length=member.name == "__iter__" and _has_acting_length(view, cls))


def _has_acting_length(view: DescriptionContext, cls: type) -> bool:
    """Does asking for the length of an object do something with it first?"""
    found = static_lookup.lookup(cls, "__len__")
    length = function_behind(found[0], "__len__") if found is not None else None
    node = view.sources.function(length.__code__) if length is not None else None
    return node is not None and acts_on_receiver(node)


def constructor_invocable(view: DescriptionContext, cls: type, owner: str) -> Invocable:
    """The Invocable that makes an instance of ``cls``, the class with id ``owner``."""
    found = constructor_of(cls)
    function = function_behind(found[0], "__init__") if found else None
    parameters = _native_constructor(cls) if found is None else ()
    if found is not None and function is not None:
        hints = _hints(view, found[1], owner)
        parameters = parameters_of(function, hints, skip=1, doc=static_lookup.doc_of(cls))
        parameters = _handed_on(view, function, parameters, cls, found[1])
        if not view.module_of(function.__code__):
            parameters = _from_fields(view, cls, owner, parameters)
        elif stores_keywords(view.sources.function(function.__code__)):
            parameters = _with_fields(view, cls, owner, parameters)
    span_of = function
    if function is not None and function.__code__.co_filename.startswith("<"):
        hook = static_lookup.lookup(cls, "__post_init__") or static_lookup.lookup(
            cls, "__attrs_post_init__"
        )
        span_of = function_behind(hook[0]) if hook else None
    name = owner.partition(":")[2].rpartition(".")[2]
    returns = TypeExpr("class", cls=owner)
    identity: tuple[str, InvocableKind, str] = (owner, "constructor", name)
    made = _invocable(view, identity, span_of, span_of, parameters, returns, owner=owner)
    lines = parameter_lines(static_lookup.doc_of(cls))
    return replace(made, doc=f"{made.doc}\n{lines}") if lines else made


def _from_fields(
    view: DescriptionContext, cls: type, owner: str, parameters: tuple[Parameter, ...]
) -> tuple[Parameter, ...]:
    """Keyword parameters for the annotated fields, if ``__init__`` takes only ``**data``.

    Such an ``__init__`` comes from a base outside the package, as in pydantic models.
    """
    if not parameters or any(not one.kind.startswith("var_") for one in parameters):
        return parameters
    found = [
        Parameter(name, "keyword", kind, is_required, None, "annotation")
        for name, kind, is_required in _annotated_fields(view, cls, owner)
    ]
    return tuple(found) or parameters


def _with_fields(
    view: DescriptionContext, cls: type, owner: str, parameters: tuple[Parameter, ...]
) -> tuple[Parameter, ...]:
    """``parameters`` with keywords for the annotated fields, which ``**kwargs`` stands for."""
    known = {one.name for one in parameters}
    named = [
        Parameter(name, "keyword", kind, required=False, origin="annotation")
        for name, kind, _ in _annotated_fields(view, cls, owner)
        if name not in known and not name.startswith("_")
    ]
    return (*parameters[:-1], *named, parameters[-1])


def _annotated_fields(
    view: DescriptionContext, cls: type, owner: str
) -> Iterator[tuple[str, TypeExpr, bool]]:
    """(name, type, has it no default?) of the fields that classes of the package annotate."""
    for base in reversed(static_lookup.mro(cls)):
        names = static_lookup.own_dict(base)
        annotations = names.get("__annotations__")
        inside = static_lookup.top_package(static_lookup.module_name(base)) == view.package
        for name in annotations if inside and type(annotations) is dict else ():
            yield name, field_type(view, cls, owner, name), name not in names


def storing_invocable(owner: str, name: str, kind: TypeExpr) -> Invocable:
    """What stores the open field ``name`` of an object of the class with id ``owner``."""
    value = Parameter(name, "positional_only", kind)
    return Invocable(f"{owner}.{name}", "field", name, owner, (value,), kind, writes=(name,))


def field_type(view: DescriptionContext, cls: type, owner: str, name: str) -> TypeExpr:
    """The annotated type of an instance attribute, or ANY."""
    for base in static_lookup.mro(cls):
        annotations = static_lookup.own_dict(base).get("__annotations__")
        if type(annotations) is dict and name in annotations:
            return _hints(view, base, owner).type_of(annotations[name])
    return ANY


def _hints(view: DescriptionContext, base: type, owner: str) -> AnnotationReader:
    return view.hints(static_lookup.module_name(base), owner, static_lookup.own_dict(base))


def _parameters(
    value: Any, function: FunctionType | None, hints: AnnotationReader, *, skip: int
) -> tuple[Parameter, ...]:
    if function is None:
        return native_parameters(value, skip=skip)
    if type(value).__name__ in ("partial", "partialmethod"):
        return native_parameters(value)
    found = parameters_of(function, hints, skip=skip)
    if not takes_arguments_by_place(value, function):
        return found
    return tuple(
        [replace(one, kind="positional_only") if one.kind == "positional" else one for one in found]
    )


def _handed_on(
    view: DescriptionContext,
    function: FunctionType | None,
    parameters: tuple[Parameter, ...],
    cls: type | None = None,
    base: type | None = None,
    depth: int = 0,
) -> tuple[Parameter, ...]:
    """``parameters``; in place of ``*args`` alone, or with ``**kwargs``, those of who gets them.

    Where only the ``**kwargs`` go on as they are, those by name.
    """
    is_any = bool(parameters) and all(one.kind.startswith("var_") for one in parameters)
    if not is_any or function is None or depth == MAX_HANDED:
        return parameters
    callee = callee_of(view, function, cls, base)
    if callee is not None:
        taken = _taken(view, callee, cls, depth)
        return taken if len(taken) <= MAX_TAKEN else parameters
    by_name = keywords_of(view, function, cls, base)
    if by_name is None:
        return parameters
    taken = _taken(view, by_name[0], cls, depth)
    named = [
        replace(one, kind="keyword") if one.kind == "positional" else one
        for one in taken[by_name[1] :]
        if one.kind in ("positional", "keyword", "var_keyword") and one.name not in by_name[2]
    ]
    rest = [one for one in parameters if one.kind == "var_positional"]
    return (*rest, *named) if len(named) <= MAX_TAKEN else parameters


def _taken(
    view: DescriptionContext, callee: Callee, cls: type | None, depth: int
) -> tuple[Parameter, ...]:
    """What the ``callee`` takes of a function that hands on to it what it is given."""
    function, base = callee
    cls = cls if cls is not None and base in static_lookup.mro(cls) else base
    hints = view.hints(static_lookup.module_name(function))
    if base is not None:
        hints = _hints(view, base, view.homes.id_of(base) or "")
    found = parameters_of(function, hints, skip=int(base is not None))
    return _handed_on(view, function, found, cls, base, depth + 1)


def _with_operands(name: str, parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """The operands of a special method that takes any (``__setitem__(self, *args)``).

    An operator always passes as many as its text has places.
    """
    operator, _ = SPECIAL_METHODS.get(name, ("", False))
    operands = OPERATORS.get(operator, "").count("{") - 1
    if operator in OF_STATES:
        return ()  # what is copied is asked for its state, and given one
    if operator in OF_ATTRIBUTES and parameters:
        return (replace(parameters[0], type=STR), *parameters[1:])
    by_place = [one for one in parameters if one.kind in ("positional", "positional_only")]
    takes_any = any(one.kind == "var_positional" for one in parameters)
    if operator == "call" or not takes_any or len(by_place) >= operands:
        return parameters
    names = ("key", "value") if operands > 1 or operator in ("[]", "del[]") else ("other",)
    missing = names[len(by_place) : operands]
    return (*by_place, *(Parameter(one, "positional_only", ANY) for one in missing))


def _value_parameter(
    member: Member, hints: AnnotationReader, returns: TypeExpr
) -> tuple[Parameter, ...]:
    """The parameter of a property or field that can be assigned: the new value."""
    if static_lookup.is_instance(member.raw, property):
        setter = function_behind(property.__dict__["fset"].__get__(member.raw))
        found = parameters_of(setter, hints, skip=1)[:1] if setter is not None else ()
        if found and found[0].type != ANY:
            return found
    return (Parameter("value", "positional_only", returns),)


def _native_constructor(cls: type) -> tuple[Parameter, ...]:
    for base in static_lookup.mro(cls)[:-1]:
        module, name = static_lookup.module_name(base), static_lookup.qualname(base)
        if name == "defaultdict":
            return (Parameter("default_factory", "positional_only", TypeExpr("callable", (ANY,))),)
        if module in ("builtins", "collections") and name in _NATIVE_ARGUMENT:
            kind = _NATIVE_ARGUMENT[name]
            return (Parameter("value", "positional_only", kind, required=False),)
        if module == "builtins" and issubclass(base, BaseException):
            return (Parameter("args", "var_positional", STR, required=False),)
        if module in sys.stdlib_module_names and "__init__" in static_lookup.own_dict(base):
            told = native_parameters(base)
            return () if any(one.kind.startswith("var_") for one in told) else told
    return ()


def _invocable(
    view: DescriptionContext,
    identity: tuple[str, InvocableKind, str],
    value: Any,
    function: FunctionType | None,
    parameters: tuple[Parameter, ...],
    returns: TypeExpr,
    *,
    owner: str = "",
) -> Invocable:
    module, first, last = view.span(function)
    nature = nature_of(value, function)
    node = view.sources.function(function.__code__) if function is not None and module else None
    reads, writes = effects_of(node) if node is not None and owner else ((), ())
    trivial = (
        node is not None and function is not None and view.sources.is_trivial(function.__code__)
    )
    is_written = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not (
        trivial or does_nothing(node)
    )
    if returns == NONE and not is_written and "return" not in annotations_of(function):
        returns = ANY  # others override it
    return Invocable(
        *identity,
        owner=owner,
        parameters=parameters,
        returns=returns,
        module=module,
        first=first,
        last=last,
        is_async=nature.is_async,
        is_generator=nature.generates,
        manages=nature.manages,
        public=not identity[2].startswith("_") or identity[2].endswith("__"),
        doc=static_lookup.doc_of(function) if function is not None else "",
        reads=reads,
        writes=writes,
        trivial=trivial,
    )
