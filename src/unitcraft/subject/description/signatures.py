"""Parameters and results of functions, with the best type that is known for each.

Invariant: parameters come from the code object, so no ``__signature__`` of the Subject is
consulted; the receiver is never among them.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

from unitcraft.core.types import ANY, TypeExpr
from unitcraft.subject import static_lookup
from unitcraft.subject.annotations import Hints
from unitcraft.subject.literal_args import literal_of
from unitcraft.subject.model import Parameter, ParameterKind, TypeOrigin
from unitcraft.subject.reading.docstring_types import stated_types

_VAR_POSITIONAL: Final = 0x04
_VAR_KEYWORD: Final = 0x08

_KINDS: Final[Mapping[Any, ParameterKind]] = {
    inspect.Parameter.POSITIONAL_ONLY: "positional_only",
    inspect.Parameter.POSITIONAL_OR_KEYWORD: "positional",
    inspect.Parameter.VAR_POSITIONAL: "var_positional",
    inspect.Parameter.KEYWORD_ONLY: "keyword",
    inspect.Parameter.VAR_KEYWORD: "var_keyword",
}

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

_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class _Slot:
    """A parameter as the code object has it."""

    name: str
    kind: ParameterKind
    default: Any = _MISSING


def parameters_of(
    function: FunctionType, hints: Hints, *, skip: int = 0, doc: str = ""
) -> tuple[Parameter, ...]:
    """The parameters after the first ``skip``; ``doc`` adds to the function's own docstring."""
    stated = stated_types(doc + "\n" + static_lookup.doc_of(function))
    annotations = annotations_of(function)
    slots = tuple(_slots(function))
    dropped = min(skip, sum(slot.kind in ("positional", "positional_only") for slot in slots))
    return tuple([_parameter(slot, annotations, stated, hints) for slot in slots[dropped:]])


def annotations_of(function: Any) -> Mapping[str, Any]:
    """The raw ``__annotations__`` of a function ({} where they cannot be had)."""
    if not static_lookup.is_a(function, FunctionType):
        return {}
    try:
        found = function.__annotations__
    except Exception:  # noqa: BLE001  (lazily evaluated annotations may raise)
        return {}
    return found if type(found) is dict else {}


def _slots(function: FunctionType) -> Iterator[_Slot]:
    code = function.__code__
    names = code.co_varnames
    defaults = function.__defaults__ or ()
    keyword_defaults = function.__kwdefaults__ or {}
    without = code.co_argcount - len(defaults)
    for at, name in enumerate(names[: code.co_argcount]):
        kind: ParameterKind = "positional_only" if at < code.co_posonlyargcount else "positional"
        yield _Slot(name, kind, defaults[at - without] if at >= without else _MISSING)
    end = code.co_argcount + code.co_kwonlyargcount
    if code.co_flags & _VAR_POSITIONAL:
        yield _Slot(names[end], "var_positional")
    for name in names[code.co_argcount : end]:
        yield _Slot(name, "keyword", keyword_defaults.get(name, _MISSING))
    if code.co_flags & _VAR_KEYWORD:
        yield _Slot(names[end + bool(code.co_flags & _VAR_POSITIONAL)], "var_keyword")


def _parameter(
    slot: _Slot, annotations: Mapping[str, Any], stated: Mapping[str, str], hints: Hints
) -> Parameter:
    type_, origin = _typed(slot, annotations, stated, hints)
    required = slot.default is _MISSING and not slot.kind.startswith("var_")
    default = None if slot.default is _MISSING else literal_of(slot.default, hints.homes)
    return Parameter(slot.name, slot.kind, type_, required, default, origin)


def _typed(
    slot: _Slot, annotations: Mapping[str, Any], stated: Mapping[str, str], hints: Hints
) -> tuple[TypeExpr, TypeOrigin]:
    annotated = slot.name in annotations
    declared = hints.type_of(annotations[slot.name]) if annotated else ANY
    if declared == ANY and slot.name in stated:
        found = hints.type_of(stated[slot.name])
        if found != ANY:
            return found, "docstring"
    if annotated:
        return declared, "annotation"
    weak = _WEAK.get(type(slot.default))
    return (weak, "default") if weak is not None else (ANY, "")


def result_of(function: Any, hints: Hints) -> TypeExpr:
    """The annotated result, or ANY."""
    annotations = annotations_of(function)
    return hints.type_of(annotations["return"]) if "return" in annotations else ANY


def native_parameters(value: Any, *, skip: int = 0) -> tuple[Parameter, ...]:
    """The parameters of C code or a partial, as far as ``inspect`` knows them."""
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
