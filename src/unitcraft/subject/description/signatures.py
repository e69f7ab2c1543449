"""Describes the parameters and results of functions, with the best known type of each.

Invariant: parameters come from the code object, never from a ``__signature__`` of the
Subject; the receiver is not among them.  The type is that of the annotation, else of the
docstring, else of the default value.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import AnnotationReader
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import Parameter, ParameterKind, TypeOrigin
from unitcraft.subject.reading.docstring_types import stated_types

_VAR_POSITIONAL: Final = 0x04  # CO_VARARGS of ``co_flags``
_VAR_KEYWORD: Final = 0x08  # CO_VARKEYWORDS

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
    """The annotated result, or ANY."""
    annotations = annotations_of(function)
    return hints.type_of(annotations["return"]) if "return" in annotations else ANY


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
