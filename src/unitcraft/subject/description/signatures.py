"""Describes the parameters and results of functions, with the best known type of each.

Invariant: parameters come from the code object, never from a ``__signature__`` of the
Subject; the receiver is not among them.  The type is that of the annotation, else of the
docstring, else of the default value.

A function that hands on all that it is given takes what its callee takes: ``__new__(cls, *args,
**kwargs)`` that ends in ``instance.initialize(*args, **kwargs)``.  Where calls hand on to several
functions, none is found.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from opcode import opmap, opname
from types import CodeType, FunctionType
from typing import Any, Final, cast

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.decorators import function_behind
from unitcraft.subject.description.members import constructor_of
from unitcraft.subject.description_context import DescriptionContext
from unitcraft.subject.known_types import NONE
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import Parameter, ParameterKind, TypeOrigin
from unitcraft.subject.reading.docstring_types import stated_types

_VAR_POSITIONAL: Final = inspect.CO_VARARGS
_VAR_KEYWORD: Final = inspect.CO_VARKEYWORDS

_KINDS: Final[Mapping[Any, ParameterKind]] = {
    inspect.Parameter.POSITIONAL_ONLY: "positional_only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "var_keyword",
}

#: Class of a default value -> the type that it suggests; a run may contradict it.
_WEAK: Final[Mapping[type, TypeExpr]] = {
    bool: TypeExpr("bool"),
    int: TypeExpr("int"),
    float: TypeExpr("float"),
    str: TypeExpr("str"),
    bytes: TypeExpr("bytes"),
    complex: TypeExpr("complex"),
    list: TypeExpr("list"),
    dict: TypeExpr("dict"),
    set: TypeExpr("set"),
}

#: Containers by which docstrings mean all of ``*args`` or ``**kwargs``.
_OF_ALL: Final = ("list", "vartuple", "sequence", "iterable", "dict", "mapping")

#: Functions that return what is iterated or awaited.
_SUSPENDED: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
#: What ends a function.
_RETURNING: Final = [opmap[one] for one in ("RETURN_VALUE", "RETURN_CONST") if one in opmap]
_EXTENDED: Final = opmap["EXTENDED_ARG"]

#: A function and the class whose receiver it takes; None of one that takes none.
Callee = tuple[FunctionType, type | None]
_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class _RawParameter:
    """A parameter of a code object; ``default`` is _MISSING if there is none."""

    name: str
    kind: ParameterKind
    default: Any = _MISSING


def parameters_of(
    function: FunctionType, hints: AnnotationReader, *, skip: int = 0, doc: str = ""
) -> tuple[Parameter, ...]:
    """The parameters after the first ``skip`` positional ones.

    ``doc`` is read for types in addition to the function's own docstring.
    """
    stated = stated_types(doc + "\n" + static_lookup.doc_of(function))
    annotations = annotations_of(function)
    raw = tuple(_raw_parameters(function))
    dropped = min(skip, sum(part.kind in ("positional", "positional_only") for part in raw))
    return tuple([_parameter(part, annotations, stated, hints) for part in raw[dropped:]])


def annotations_of(function: Any) -> Mapping[str, Any]:
    """The raw ``__annotations__`` of a function ({} if they cannot be read)."""
    if not static_lookup.is_instance(function, FunctionType):
        return {}
    try:
        found = function.__annotations__
    except Exception:  # noqa: BLE001  (lazily evaluated annotations may raise)
        return {}
    return found if type(found) is dict else {}


def _raw_parameters(function: FunctionType) -> Iterator[_RawParameter]:
    code = function.__code__
    names = code.co_varnames
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    without = code.co_argcount - len(defaults)
    for at, name in enumerate(names[: code.co_argcount]):
        kind: ParameterKind = "positional_only" if at < code.co_posonlyargcount else "positional"
        yield _RawParameter(name, kind, defaults[at - without] if at >= without else _MISSING)
    end = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & _VAR_POSITIONAL:
        yield _RawParameter(names[end], "var_positional")
    for name in names[code.co_argcount : end]:
        yield _RawParameter(name, "keyword", keyword_defaults.get(name, _MISSING))
    if code.co_flags & _VAR_KEYWORD:
        yield _RawParameter(names[end + bool(code.co_flags & _VAR_POSITIONAL)], "var_keyword")


def _parameter(
    part: _RawParameter,
    annotations: Mapping[str, Any],
    stated: Mapping[str, str],
    hints: AnnotationReader,
) -> Parameter:
    type_, origin = _type_and_origin(part, annotations, stated, hints)
    required = part.default is _MISSING and not part.kind.startswith("var_")
    default = None if part.default is _MISSING else literal_of(part.default, hints.homes)
    return Parameter(part.name, part.kind, type_, required, default, origin)


def _type_and_origin(
    part: _RawParameter,
    annotations: Mapping[str, Any],
    stated: Mapping[str, str],
    hints: AnnotationReader,
) -> tuple[TypeExpr, TypeOrigin]:
    annotated = part.name in annotations
    declared = hints.type_of(annotations[part.name]) if annotated else ANY
    if declared == ANY and part.name in stated:
        found = _of_each(part, hints.type_of(stated[part.name]))
        if found != ANY:
            return found, "docstring"
    if annotated:
        return declared, "annotation"
    weak = _WEAK.get(type(part.default))
    return (weak, "default") if weak is not None else (ANY, "")


def _of_each(part: _RawParameter, stated: TypeExpr) -> TypeExpr:
    """The type of one argument, where a docstring may state that of all of ``*args`` together."""
    if not part.kind.startswith("var_") or stated.name not in _OF_ALL:
        return stated
    return stated.args[-1] if stated.args else ANY


def result_of(function: Any, hints: AnnotationReader) -> TypeExpr:
    """The annotated result, None where the code does something and answers nothing, or ANY."""
    annotations = annotations_of(function)
    if "return" in annotations:
        return hints.type_of(annotations["return"])
    return NONE if type(function) is FunctionType and _is_procedure(function.__code__) else ANY


def _is_procedure(code: CodeType) -> bool:
    """Does the code return nothing but None?"""
    steps = code.co_code
    if code.co_flags & _SUSPENDED:
        return False
    ends = [at for at in range(0, len(steps), 2) if steps[at] in _RETURNING]
    constants = [at if opname[steps[at]] == "RETURN_CONST" else at - 2 for at in ends]
    return bool(ends) and all(
        opname[steps[at]] in ("LOAD_CONST", "RETURN_CONST") and steps[at - 2] != _EXTENDED
        and code.co_consts[steps[at + 1]] is None
        for at in constants
    )  # fmt: skip


def native_parameters(value: Any, *, skip: int = 0) -> tuple[Parameter, ...]:
    """The parameters of C code or a partial by ``inspect``; ``*args`` if it knows none."""
    try:
        found = list(inspect.signature(value).parameters.values())[skip:]
    except Exception:  # noqa: BLE001  (no signature, or one that raises)
        return (Parameter("args", "var_positional", required=False),)
    return tuple([_native(part) for part in found])


def _native(part: inspect.Parameter) -> Parameter:
    kind = _KINDS[part.kind]
    given = part.default is not inspect.Parameter.empty
    weak = _WEAK.get(type(part.default), ANY) if given else ANY
    return Parameter(
        part.name,
        kind,
        weak,
        not given and not kind.startswith("var_"),
        literal_of(part.default) if given else None,
        "" if weak == ANY else "default",
    )


def callee_of(
    view: DescriptionContext, function: FunctionType, cls: type | None, base: type | None
) -> Callee | None:
    """The only function of the package that is given all of the ``*args`` of ``function``.

    ``cls`` is the class through which ``function`` is reached, ``base`` the one that defines it.
    """
    node, arguments = _source_of(view, function)
    rest = arguments.vararg.arg if arguments is not None and arguments.vararg else ""
    calls = [call for call in ast.walk(node) if isinstance(call, ast.Call)] if rest else []
    found = [
        _resolved(call.func, cls, base, _names_of(function))
        for call in calls
        if [_starred(arg) for arg in call.args] == [rest]
        and all(one.arg is None for one in call.keywords)
    ]
    return _only(view, function, found)


def keywords_of(
    view: DescriptionContext, function: FunctionType, cls: type | None, base: type | None
) -> tuple[Callee, int, frozenset[str]] | None:
    """The only function of the package that is given all of the ``**kwargs`` of ``function``.

    With it the number of arguments that it is given by place beside them, and the names of others.
    """
    node, arguments = _source_of(view, function)
    rest = arguments.kwarg.arg if arguments is not None and arguments.kwarg else ""
    calls = [
        call
        for call in (ast.walk(node) if rest else ())
        if isinstance(call, ast.Call)
        and not any(map(_starred, call.args))
        and any(one.arg is None and _name(one.value) == rest for one in call.keywords)
    ]
    found = _only(
        view, function, [_resolved(one.func, cls, base, _names_of(function)) for one in calls]
    )
    if found is None or len(calls) != 1:
        return None
    given = frozenset(one.arg for one in calls[0].keywords if one.arg)
    return found, len(calls[0].args), given


def _source_of(
    view: DescriptionContext, function: FunctionType
) -> tuple[ast.AST, ast.arguments | None]:
    node = view.sources.function(function.__code__)
    arguments = getattr(node, "args", None)
    return node or ast.Pass(), arguments if isinstance(arguments, ast.arguments) else None


def _names_of(function: FunctionType) -> dict[str, Any]:
    return static_lookup.module_dict(sys.modules.get(static_lookup.module_name(function)))


def _only(
    view: DescriptionContext, function: FunctionType, found: Iterable[Callee | None]
) -> Callee | None:
    """The one function of the package among ``found``, if it is one and another."""
    others = {
        callee[0].__code__: callee
        for callee in found
        if callee is not None and view.module_of(callee[0].__code__) and callee[0] is not function
    }
    return next(iter(others.values())) if len(others) == 1 else None


def _starred(arg: ast.expr) -> str:
    return _name(arg.value) if isinstance(arg, ast.Starred) else ""


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _resolved(
    called: ast.expr, cls: type | None, base: type | None, names: dict[str, Any]
) -> Callee | None:
    match called:
        case ast.Name(name):
            value = names.get(name)
            if static_lookup.is_class(value):
                return _function_of(constructor_of(cast("type", value)))
            return (value, None) if type(value) is FunctionType else None
        case ast.Attribute(ast.Call(ast.Name("super")), name) if cls is not None:
            order = static_lookup.mro(cls)
            later = order[order.index(base) + 1 :] if base in order else ()
            held = [(static_lookup.own_dict(one).get(name), one) for one in later]
            return _function_of(next((pair for pair in held if pair[0] is not None), None))
        case ast.Attribute(ast.Name(receiver), name) if cls is not None and receiver not in names:
            return _function_of(static_lookup.lookup(cls, name))
    return None


def _function_of(found: tuple[Any, type] | None) -> Callee | None:
    """The function of a member that takes a receiver."""
    if found is None or static_lookup.is_instance(found[0], staticmethod):
        return None
    function = function_behind(found[0])
    return (function, found[1]) if function is not None else None
