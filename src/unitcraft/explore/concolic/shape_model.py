"""One input shape: a form of a value, with the conditions that tell it from the other forms.

Invariant: the symbolic inputs of a shape are named in source order, those of its parts included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unitcraft.core.sequences import Arg, Build, Const, Display, Source
from unitcraft.core.types import TypeExpr
from unitcraft.subject.model import Parameter


@dataclass(frozen=True, slots=True)
class InputShape:
    """One shape of a value.

    ``when`` has the conditions, as Python text, that tell this shape from the others; ``holes``
    names its symbolic inputs in source order; ``cls`` is the class id of a fresh object.  ``arg``
    is None for a parameter that is left out.
    """

    when: tuple[str, ...]
    arg: Arg | None
    holes: tuple[str, ...] = ()
    cls: str = ""


def without_inputs(arg: Arg) -> Arg:
    """``arg`` with every number and text fixed, so that none is a symbolic input."""
    if isinstance(arg, Const) and type(arg.value) in (int, float, str, bytes):
        text = repr(arg.value)
        return Source(f"float({text!r})" if text in ("nan", "inf", "-inf") else text)
    if isinstance(arg, Display):
        return Display(arg.kind, tuple(without_inputs(item) for item in arg.items))
    if isinstance(arg, Build):
        named = tuple((name, without_inputs(item)) for name, item in arg.kwargs)
        return Build(arg.callee, tuple(without_inputs(item) for item in arg.args), named)
    return arg


def with_type(form: InputShape, name: str, member: TypeExpr, *, alone: bool) -> InputShape:
    """``form`` with its type among its conditions, unless a condition implies the type.

    ``alone``: None is the only other member of the Union.
    """
    if form.when and form.when[0].startswith((f"{name} is ", f"{name} == ")):
        return form
    if alone:
        return InputShape((f"{name} is not None", *form.when), form.arg, form.holes, form.cls)
    kind = member.cls.rpartition(":")[2] if member.name == "class" else member.name
    return InputShape((f"isinstance({name}, {kind})", *form.when), form.arg, form.holes, form.cls)


def length_condition(name: str, length: int, kind: str) -> str:
    """How many items ``name`` has: a set or a dictionary may be smaller than its display."""
    if kind in ("set", "frozenset", "dict") and length > 1:
        return f"{length} items in {name}"
    return f"len({name}) == {length}"


def joined(
    when: tuple[str, ...], arg: Arg, forms: Sequence[InputShape], cls: str = ""
) -> InputShape:
    """The shape of ``arg``, whose parts have the shapes ``forms``; ``when`` comes first."""
    inner = tuple(text for form in forms for text in form.when)
    return InputShape(
        (*when, *inner), arg, tuple(hole for form in forms for hole in form.holes), cls
    )


def args_of(forms: Sequence[InputShape]) -> tuple[Arg, ...]:
    """The values of ``forms``, without those that are left out."""
    return tuple(form.arg for form in forms if form.arg is not None)


def bind_arguments(
    parameters: Sequence[Parameter], forms: Sequence[InputShape]
) -> tuple[tuple[Arg, ...], tuple[tuple[str, Arg], ...]]:
    """Positional and named arguments: named from the first one on that is left out."""
    args: list[Arg] = []
    kwargs: list[tuple[str, Arg]] = []
    for parameter, form in zip(parameters, forms, strict=True):
        if form.arg is None:
            continue
        by_name = parameter.kind == "keyword" or len(args) < _place_of(parameters, parameter)
        if by_name and parameter.kind != "positional_only":
            kwargs.append((parameter.name, form.arg))
        else:
            args.append(form.arg)
    return tuple(args), tuple(kwargs)


def _place_of(parameters: Sequence[Parameter], parameter: Parameter) -> int:
    return next(place for place, one in enumerate(parameters) if one is parameter)
