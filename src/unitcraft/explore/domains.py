"""Argument lists for exploration: which values each parameter takes.

Invariant: the lists are finite and ordered; every combination is given exactly once, in the
order of the parameters, the last one varying fastest.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.sequences import Arg, Build, Call, Const, Ref, Symbol

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.types import TypeExpr
    from unitcraft.subject.model import Invocable, Parameter, Subject

#: Objects of one class that are tried as an argument: each multiplies the calls of a method.
MAX_OBJECTS: Final = 4

#: Names of types that the integer domain serves.
_INTEGER_LIKE = frozenset({"int", "any", "float", "complex"})


@dataclass(frozen=True, slots=True)
class Domains:
    """Values by parameter name, else integers where the type accepts them, else ``otherwise``.

    ``otherwise`` gives the values of a type from another source (a Subject's pools); an empty
    answer means that the source has none.  ``floats`` take the place of the integers where a
    float is declared; ``texts`` are for parameters that take a str.
    """

    ints: tuple[int, ...] = ()
    by_name: Mapping[str, tuple[Arg, ...]] = field(default_factory=dict)
    otherwise: Callable[[TypeExpr], tuple[Arg, ...]] | None = None
    floats: tuple[float, ...] = ()
    texts: tuple[str, ...] = ()

    def values(self, parameter: Parameter) -> tuple[Arg, ...]:
        """The values of ``parameter``; none when there is no domain for it."""
        if parameter.name in self.by_name:
            return self.by_name[parameter.name]
        return self._of_type(parameter.type) or self._elsewhere(parameter.type)

    def _elsewhere(self, kind: TypeExpr) -> tuple[Arg, ...]:
        return self.otherwise(kind) if self.otherwise is not None else ()

    def _of_type(self, kind: TypeExpr) -> tuple[Arg, ...]:
        if kind.name == "float" and self.floats:
            return tuple(Const(value) for value in self.floats)
        if kind.name in _INTEGER_LIKE or kind.cls == "builtins:object":
            return tuple(Const(value) for value in self.ints)
        if kind.name == "str":
            return tuple([Const(value) for value in self.texts])
        if kind.name == "bool":
            return (Const(False), Const(True))  # noqa: FBT003
        if kind.name == "none":
            return (Const(None),)
        if kind.name == "literal":
            return kind.literals
        if kind.name == "union":
            return tuple(value for part in kind.args for value in self._of_type(part))
        return ()


def with_own_classes(domains: Domains, subject: Subject) -> Domains:
    """``domains`` that also have the members of the Subject's enums and objects of its classes.

    An object is made by its constructor, from values of ``domains``.
    """
    classes = {info.id: info for info in subject.classes}
    by_id = {invocable.id: invocable for invocable in subject.invocables}

    def values(kind: TypeExpr, within: tuple[str, ...] = ()) -> tuple[Arg, ...]:
        known = domains.otherwise(kind) if domains.otherwise is not None else ()
        info = classes.get(kind.cls)
        if known or info is None or kind.cls in within:
            return known
        if info.enum_members:
            names = [f"{info.qualname}.{name}" for name in info.enum_members]
            return tuple([Symbol(info.module, name) for name in names])
        made = [by_id[one] for one in info.members if one in by_id]
        constructor = next((one for one in made if one.kind == "constructor"), None)
        if constructor is None:
            return ()
        inner = replace(domains, otherwise=lambda other: values(other, (*within, kind.cls)))
        try:
            calls = calls_of(constructor, inner)
        except UnitcraftError:
            return ()
        made_by = Symbol(info.module, info.qualname)
        return tuple([Build(made_by, call.args, call.kwargs) for call in calls[:MAX_OBJECTS]])

    return replace(domains, otherwise=values)


def calls_of(invocable: Invocable, domains: Domains) -> tuple[Call, ...]:
    """Every Call of a method (on ``Ref(0)``) or a constructor over ``domains``.

    Parameters with a default are left out unless the domains name them.  Raises UnitcraftError
    (``no-domain``) when a required parameter has no values.
    """
    chosen = [one for one in invocable.parameters if _is_given(one, domains)]
    lists = [_required_values(invocable, parameter, domains) for parameter in chosen]
    return tuple(_call(invocable, chosen, values) for values in itertools.product(*lists))


def _is_given(parameter: Parameter, domains: Domains) -> bool:
    if parameter.kind in ("var_positional", "var_keyword"):
        return False
    return parameter.required or parameter.name in domains.by_name


def _required_values(
    invocable: Invocable, parameter: Parameter, domains: Domains
) -> tuple[Arg, ...]:
    values = domains.values(parameter)
    if not values:
        raise UnitcraftError(
            "no-domain",
            f"{invocable.id}: there are no values for the parameter {parameter.name!r}",
            cause=f"no domain covers its type, {parameter.type.cls or parameter.type.name!r}",
            advice="give integers with --ints, or leave the method out with --methods",
        )
    return values


def _call(invocable: Invocable, chosen: list[Parameter], values: tuple[Arg, ...]) -> Call:
    pairs = list(zip(chosen, values, strict=True))
    positional = _positional_count(invocable, chosen)
    args = tuple(value for _, value in pairs[:positional])
    kwargs = tuple((parameter.name, value) for parameter, value in pairs[positional:])
    then = invocable.continuation(drains=invocable.is_generator)
    if invocable.kind == "constructor":
        return Call("function", invocable.owner, args, kwargs, then)
    return Call("method", invocable.name, (Ref(0), *args), kwargs, then)


def _positional_count(invocable: Invocable, chosen: list[Parameter]) -> int:
    """How many of ``chosen`` can be passed by position: up to the first one left out."""
    for place, (parameter, given) in enumerate(zip(invocable.parameters, chosen, strict=False)):
        if parameter is not given or parameter.kind == "keyword":
            return place
    return len(chosen)
