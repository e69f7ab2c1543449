"""Input shapes: the forms that a value of a type can take, with symbolic inputs for its atoms.

Numbers and texts are symbolic inputs.  Everything else about a value is a choice among shapes:
None or not, which member of a Union, how long a list is, which class an object has.

Invariant: the shapes of a type are finite, ordered from plain to rich, and the same for the
same Subject.  Every Const of a number or text in a shape is a symbolic input; a fixed number or
text is a Source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest
from typing import Final

from unitcraft.core.call_text import arg_text
from unitcraft.core.sequences import Arg, Build, Const, Display, DisplayKind, Symbol, arg_key
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.concolic.combinations import by_likeness, by_rank
from unitcraft.explore.concolic.shape_model import (
    InputShape,
    args_of,
    bind_arguments,
    joined,
    length_condition,
    with_type,
    without_inputs,
)
from unitcraft.subject.model import ClassInfo, Parameter, Subject
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.symbolic.kinds.kinds import KINDS

#: Elements of a container, at most: each length is a shape of its own.
MAX_ELEMENTS: Final = 3
#: Shapes of one value, at most.
MAX_SHAPES: Final = 24
#: Combinations of the shapes of the parts of one value, at most.
MAX_COMBINATIONS: Final = 8
#: Shapes of a parameter without an annotation, at most.
MAX_UNTYPED_SHAPES: Final = 12
#: Values of a type without symbolic inputs (a date, a function), at most.
MAX_VALUES: Final = 3
#: Heirs of a class that are tried in its place: each multiplies the choices of shapes.
MAX_HEIRS: Final = 6
#: Nesting of objects in objects and of containers in containers, at most.
MAX_DEPTH: Final = 3

#: The first value of a symbolic input, by type.
_EMPTY_VALUES: Final[Mapping[str, Arg]] = {name: Const(kind.empty) for name, kind in KINDS.items()}
_INT, _STR = TypeExpr("int"), TypeExpr("str")
#: Types that are tried for a parameter without a type or hint.
UNTYPED: Final = (_INT, _STR, TypeExpr("list", (_INT,)))
#: The display that makes a container, by type.
_DISPLAYS: Final[Mapping[str, DisplayKind]] = {
    "list": "list", "sequence": "list", "iterable": "list", "iterator": "list", "set": "set",
    "vartuple": "tuple", "frozenset": "frozenset",
}  # fmt: skip


class InputShapes:
    """The shapes of the types of one Subject.

    ``hints`` are observed types, by (scope, parameter name), for parameters without a type.
    Containers have up to ``longest`` elements.
    """

    def __init__(
        self,
        subject: Subject,
        hints: Mapping[tuple[str, str], Sequence[TypeExpr]] | None = None,
        longest: int = MAX_ELEMENTS,
    ) -> None:
        self._longest = longest
        self._pools = ValuePools(subject)
        self._classes = {info.id: info for info in subject.classes}
        self._constructors = {
            one.owner: one for one in subject.invocables if one.kind == "constructor"
        }
        self._places = {
            one.id: (one.module, one.first)
            for one in subject.invocables
            if one.kind in ("method", "property")
        }
        self._hints = hints or {}

    def of_parameter(self, parameter: Parameter, scope: str, name: str) -> tuple[InputShape, ...]:
        """The shapes of ``parameter``, called ``name``; an optional one can also be left out."""
        found = self._of_any(parameter, scope, name)
        default = parameter.default
        if parameter.required:
            return found
        if isinstance(default, Const):
            started = [place for place, form in enumerate(found) if _is_of_type(form, default)]
            if started:
                place = started[0]
                first = InputShape(found[place].when, default, found[place].holes)
                return (first, *found[:place], *found[place + 1 :])
            if any(
                form.arg is not None and arg_key(form.arg) == arg_key(without_inputs(default))
                for form in found
            ):
                return found
        return (InputShape((f"{name} left out",), None), *found)

    def _of_any(self, parameter: Parameter, scope: str, name: str) -> tuple[InputShape, ...]:
        if parameter.kind == "var_positional":
            return ()
        if parameter.origin == "annotation" and parameter.type != ANY:
            return self.of(parameter.type, scope, name)
        seen = self._hints.get((scope, parameter.name), ())
        told = (parameter.type,) if parameter.type != ANY else ()
        wanted = tuple(dict.fromkeys((*told, *seen, *(UNTYPED[:2] if seen else UNTYPED))))
        return tuple(
            islice(self._union(TypeExpr("union", wanted), scope, name, 0), MAX_UNTYPED_SHAPES)
        )

    def of(self, type_: TypeExpr, scope: str, name: str, depth: int = 0) -> tuple[InputShape, ...]:
        """The shapes of a value of ``type_`` called ``name``; () when none is known."""
        if depth > MAX_DEPTH:
            return ()
        return tuple(islice(self._forms(type_, scope, name, depth), MAX_SHAPES))

    def _forms(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        if type_.name in _EMPTY_VALUES:
            yield InputShape((), _EMPTY_VALUES[type_.name], (name,))
        elif type_.name in _DISPLAYS:
            yield from self._container(type_, scope, name, depth)
        elif type_.name in _MAKERS:
            yield from _MAKERS[type_.name](self, type_, scope, name, depth)
        else:
            yield from self._from_pools(type_, scope, name)

    # -- one method for each name of a type ----------------------------------------

    def _none(self, _type: TypeExpr, _scope: str, name: str, _depth: int) -> Iterator[InputShape]:
        yield InputShape((f"{name} is None",), Const(None))

    def _bool(self, _type: TypeExpr, _scope: str, name: str, _depth: int) -> Iterator[InputShape]:
        yield InputShape((f"{name} is False",), Const(value=False))
        yield InputShape((f"{name} is True",), Const(value=True))

    def _literal(
        self, type_: TypeExpr, _scope: str, name: str, _depth: int
    ) -> Iterator[InputShape]:
        for value in type_.literals:
            yield InputShape((f"{name} == {arg_text(value)}",), without_inputs(value))

    def _union(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        only = [member for member in type_.args if member.name != "none"]
        columns = [
            [
                with_type(form, name, member, alone=len(only) == 1)
                for form in self.of(member, scope, name, depth + 1)
            ]
            for member in type_.args
        ]
        for place in range(MAX_SHAPES):
            yield from (column[place] for column in columns if place < len(column))

    def _any(self, _type: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        yield from self._union(TypeExpr("union", UNTYPED), scope, name, depth)

    def _tuple(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        parts = [
            self.of(part, scope, f"{name}[{place}]", depth + 1)
            for place, part in enumerate(type_.args)
        ]
        for forms in _combinations(parts):
            yield joined((), Display("tuple", args_of(forms)), forms)

    def _container(
        self, type_: TypeExpr, scope: str, name: str, depth: int
    ) -> Iterator[InputShape]:
        element = type_.args[0] if type_.args and type_.args[0] != ANY else _INT
        kind = _DISPLAYS[type_.name]
        for length in range(self._longest + 1):
            parts = [
                self.of(element, scope, f"{name}[{place}]", depth + 1) for place in range(length)
            ]
            for forms in islice(by_likeness(parts), MAX_COMBINATIONS):
                made: Arg = Display(kind, args_of(forms))
                if type_.name == "iterator":
                    made = Build(Symbol("builtins", "iter"), (made,))
                yield joined((length_condition(name, length, kind),), made, forms)

    def _dict(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        if type_.literals:
            yield from self._typed_dict(type_, scope, name, depth)
            return
        key, value = type_.args[:2] if len(type_.args) > 1 else (_STR, _INT)
        key, value = (_STR if key == ANY else key), (_INT if value == ANY else value)
        for length in range(self._longest + 1):
            parts = [
                self.of(part, scope, f"{name}.{word}[{place}]", depth + 1)
                for place in range(length)
                for part, word in ((key, "keys"), (value, "values"))
            ]
            for forms in _combinations(parts):
                when = length_condition(name, length, "dict")
                yield joined((when,), Display("dict", args_of(forms)), forms)

    def _typed_dict(
        self, type_: TypeExpr, scope: str, name: str, depth: int
    ) -> Iterator[InputShape]:
        keys = type_.literals
        parts = [
            self.of(part, scope, f"{name}[{arg_text(key)}]", depth + 1)
            for key, part in zip(keys, type_.args[2:], strict=False)
        ]
        for forms in _combinations(parts):
            items = [
                part
                for pair in zip(map(without_inputs, keys), args_of(forms), strict=False)
                for part in pair
            ]
            yield joined((), Display("dict", tuple(items)), forms)

    def _class(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        info = self._classes.get(type_.cls)
        if info is None or "enum" in info.tags:
            yield from self._from_pools(type_, scope, name)
            return
        kinds = self._kinds_of(info)
        columns = [
            [
                InputShape((*told, *form.when), form.arg, form.holes, cls)
                for form in self.made(self._classes[cls], scope, name, depth + 1)
            ]
            for cls in kinds
            for told in [(f"type({name}) is {_short(cls)}",) if len(kinds) > 1 else ()]
        ]
        for row in zip_longest(*columns):
            yield from [form for form in row if form is not None]

    def _kinds_of(self, info: ClassInfo) -> list[str]:
        """The classes whose objects stand for one of ``info``: itself, heirs that override."""
        if "abstract" in info.tags or "protocol" in info.tags:
            return [one for one in info.concrete if one in self._classes]
        heirs = [
            one.id
            for one in self._classes.values()
            if info.id in one.bases and "abstract" not in one.tags
            and not self._code_of(info) >= self._code_of(one)
        ]  # fmt: skip
        return [info.id, *heirs[:MAX_HEIRS]]

    def _code_of(self, info: ClassInfo) -> set[tuple[str, int]]:
        """Where the code of the methods of a class begins."""
        found = [self._places[one] for one in info.members if one in self._places]
        return {(module, line) for module, line in found if line}

    def made(self, info: ClassInfo, scope: str, name: str, depth: int = 0) -> Iterator[InputShape]:
        """Fresh objects of a class: its constructor with shapes of its parameters."""
        constructor = self._constructors.get(info.id)
        parameters = constructor.parameters if constructor is not None else ()
        callee = Symbol(info.module, info.qualname)
        for given in self.argument_lists(parameters, scope, f"{name}.", depth):
            args, kwargs = bind_arguments(parameters, given)
            yield joined((), Build(callee, args, kwargs), given, info.id)

    def argument_lists(
        self, parameters: Sequence[Parameter], scope: str, prefix: str, depth: int = 0
    ) -> Iterator[tuple[InputShape, ...]]:
        """Combinations of shapes of ``parameters``, plain first; none if one has no shape."""
        if depth > MAX_DEPTH:
            return
        columns: list[tuple[InputShape, ...]] = []
        for parameter in parameters:
            if parameter.kind in ("var_positional", "var_keyword"):
                columns.append((InputShape((), None),))
            else:
                columns.append(self.of_parameter(parameter, scope, prefix + parameter.name))
        yield from _combinations(
            columns, MAX_SHAPES * MAX_COMBINATIONS if not depth else MAX_COMBINATIONS
        )

    def _from_pools(self, type_: TypeExpr, scope: str, name: str) -> Iterator[InputShape]:
        """Fixed values from the pools."""
        limit = MAX_SHAPES if type_.cls in self._classes else MAX_VALUES
        for value in self._pools.values(type_, scope, limit, name=name.rpartition(".")[2]):
            relation = "is" if isinstance(value, Symbol) else "=="
            yield InputShape((f"{name} {relation} {arg_text(value)}",), without_inputs(value))


def _short(cls: str) -> str:
    return cls.rpartition(":")[2]


def _is_of_type(form: InputShape, default: Const) -> bool:
    return (
        isinstance(form.arg, Const)
        and type(form.arg.value) is type(default.value)
        and bool(form.holes)
    )


def _combinations(
    columns: Sequence[Sequence[InputShape]], limit: int = MAX_COMBINATIONS
) -> Iterator[tuple[InputShape, ...]]:
    """Combinations of one shape of each column, those of plainer shapes first."""
    return islice(by_rank(columns), limit)


_Maker = Callable[[InputShapes, TypeExpr, str, str, int], Iterator[InputShape]]
#: The method that makes the shapes of a type, by the type's name.
_MAKERS: Final[Mapping[str, _Maker]] = {
    "none": InputShapes._none,  # noqa: SLF001 - the table belongs to the class
    "bool": InputShapes._bool,  # noqa: SLF001
    "literal": InputShapes._literal,  # noqa: SLF001
    "union": InputShapes._union,  # noqa: SLF001
    "any": InputShapes._any,  # noqa: SLF001
    "tuple": InputShapes._tuple,  # noqa: SLF001
    "dict": InputShapes._dict,  # noqa: SLF001
    "mapping": InputShapes._dict,  # noqa: SLF001
    "class": InputShapes._class,  # noqa: SLF001
}
