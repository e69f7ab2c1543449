"""Input shapes: the forms that a value of a type can take, with symbolic inputs for its atoms.

Numbers and texts are symbolic inputs.  Everything else about a value is a choice among shapes:
None or not, which member of a Union, how long a list is, which class an object has.

Invariant: the shapes of a type are finite, ordered from plain to rich, and the same for the
same Subject.  Every Const of a number or text in a shape is a symbolic input; a fixed number or
text is a Source.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Const,
    Display,
    DisplayKind,
    Source,
    Symbol,
    arg_key,
)
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.concolic.combinations import by_rank
from unitcraft.subject.model import ClassInfo, Parameter, Subject
from unitcraft.subject.values.value_pools import ValuePools

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
#: Nesting of objects in objects and of containers in containers, at most.
MAX_DEPTH: Final = 3

#: The first value of a symbolic input, by type.
_START: Final[Mapping[str, Arg]] = {
    "int": Const(0), "float": Const(0.0), "str": Const(""), "bytes": Const(b""),
}  # fmt: skip
_INT, _STR = TypeExpr("int"), TypeExpr("str")
#: Types that are tried for a parameter without a type or hint.
UNTYPED: Final = (_INT, _STR, TypeExpr("list", (_INT,)))
#: The display that makes a container, by type.
_DISPLAYS: Final[Mapping[str, DisplayKind]] = {
    "list": "list", "sequence": "list", "iterable": "list", "iterator": "list", "set": "set",
    "vartuple": "tuple", "frozenset": "frozenset",
}  # fmt: skip


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
        start = _START.get(type_.name)
        if start is not None:
            yield InputShape((), start, (name,))
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
            yield InputShape((f"{name} == {text_of(value)}",), without_inputs(value))

    def _union(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        only = [member for member in type_.args if member.name != "none"]
        columns = [
            [
                _with_type(form, name, member, alone=len(only) == 1)
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
            yield _joined((), Display("tuple", _args(forms)), forms)

    def _container(
        self, type_: TypeExpr, scope: str, name: str, depth: int
    ) -> Iterator[InputShape]:
        element = type_.args[0] if type_.args and type_.args[0] != ANY else _INT
        kind = _DISPLAYS[type_.name]
        for length in range(self._longest + 1):
            parts = [
                self.of(element, scope, f"{name}[{place}]", depth + 1) for place in range(length)
            ]
            for forms in _combinations(parts):
                made: Arg = Display(kind, _args(forms))
                if type_.name == "iterator":
                    made = Build(Symbol("builtins", "iter"), (made,))
                yield _joined((_of_length(name, length, kind),), made, forms)

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
                when = _of_length(name, length, "dict")
                yield _joined((when,), Display("dict", _args(forms)), forms)

    def _typed_dict(
        self, type_: TypeExpr, scope: str, name: str, depth: int
    ) -> Iterator[InputShape]:
        keys = type_.literals
        parts = [
            self.of(part, scope, f"{name}[{text_of(key)}]", depth + 1)
            for key, part in zip(keys, type_.args[2:], strict=False)
        ]
        for forms in _combinations(parts):
            items = [
                part
                for pair in zip(map(without_inputs, keys), _args(forms), strict=False)
                for part in pair
            ]
            yield _joined((), Display("dict", tuple(items)), forms)

    def _class(self, type_: TypeExpr, scope: str, name: str, depth: int) -> Iterator[InputShape]:
        info = self._classes.get(type_.cls)
        if info is None or "enum" in info.tags:
            yield from self._from_pools(type_, scope, name)
            return
        heirs = [one for one in info.concrete if one in self._classes]
        for cls in heirs if "abstract" in info.tags or "protocol" in info.tags else [info.id]:
            told = (f"type({name}) is {cls.rpartition(':')[2]}",) if len(heirs) > 1 else ()
            for form in self.made(self._classes[cls], scope, name, depth + 1):
                yield InputShape((*told, *form.when), form.arg, form.holes, cls)

    def made(self, info: ClassInfo, scope: str, name: str, depth: int = 0) -> Iterator[InputShape]:
        """Fresh objects of a class: its constructor with shapes of its parameters."""
        constructor = self._constructors.get(info.id)
        parameters = constructor.parameters if constructor is not None else ()
        callee = Symbol(info.module, info.qualname)
        for given in self.argument_lists(parameters, scope, f"{name}.", depth):
            args, kwargs = bind_arguments(parameters, given)
            yield _joined((), Build(callee, args, kwargs), given, info.id)

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
            yield InputShape((f"{name} {relation} {text_of(value)}",), without_inputs(value))


def _is_of_type(form: InputShape, default: Const) -> bool:
    return (
        isinstance(form.arg, Const)
        and type(form.arg.value) is type(default.value)
        and bool(form.holes)
    )


def _with_type(form: InputShape, name: str, member: TypeExpr, *, alone: bool) -> InputShape:
    """``form`` with its type among its conditions, unless a condition implies the type.

    ``alone``: None is the only other member of the Union.
    """
    if form.when and form.when[0].startswith((f"{name} is ", f"{name} == ")):
        return form
    if alone:
        return InputShape((f"{name} is not None", *form.when), form.arg, form.holes, form.cls)
    kind = member.cls.rpartition(":")[2] if member.name == "class" else member.name
    return InputShape((f"isinstance({name}, {kind})", *form.when), form.arg, form.holes, form.cls)


def _of_length(name: str, length: int, kind: str) -> str:
    """A set or a dictionary may be smaller than its display."""
    if kind in ("set", "frozenset", "dict") and length > 1:
        return f"{length} items in {name}"
    return f"len({name}) == {length}"


def _joined(
    when: tuple[str, ...], arg: Arg, forms: Sequence[InputShape], cls: str = ""
) -> InputShape:
    inner = tuple(text for form in forms for text in form.when)
    return InputShape(
        (*when, *inner), arg, tuple(hole for form in forms for hole in form.holes), cls
    )


def _args(forms: Sequence[InputShape]) -> tuple[Arg, ...]:
    return tuple(form.arg for form in forms if form.arg is not None)


def _combinations(
    columns: Sequence[Sequence[InputShape]], limit: int = MAX_COMBINATIONS
) -> Iterator[tuple[InputShape, ...]]:
    """Combinations of one shape of each column, those of plainer shapes first."""
    return islice(by_rank(columns), limit)


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


def text_of(arg: Arg) -> str:
    """``arg`` as a person writes it, without the modules of names."""
    if isinstance(arg, Const):
        return repr(arg.value)
    if isinstance(arg, Source):
        return arg.text
    if isinstance(arg, Symbol):
        return arg.qualname
    if isinstance(arg, Display):
        return _display(arg)
    if isinstance(arg, Build):
        named = [f"{name}={text_of(item)}" for name, item in arg.kwargs]
        return f"{arg.callee.qualname}({', '.join([*map(text_of, arg.args), *named])})"
    return f"_{arg.index}"


def _display(arg: Display) -> str:
    parts = [text_of(item) for item in arg.items]
    if arg.kind == "dict":
        return "{" + ", ".join(map(": ".join, zip(parts[::2], parts[1::2], strict=True))) + "}"
    inner = ", ".join(parts)
    if arg.kind == "tuple":
        return f"({inner},)" if len(parts) == 1 else f"({inner})"
    if arg.kind == "list":
        return f"[{inner}]"
    return (
        f"frozenset({{{inner}}})"
        if arg.kind == "frozenset"
        else f"{{{inner}}}"
        if parts
        else "set()"
    )


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
