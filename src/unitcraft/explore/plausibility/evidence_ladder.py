"""Evidence for the kind of a parameter, combined on one ladder.

Each rung says which types it speaks for and how loudly: what the docstring states, what the code
tests for by ``isinstance``, what callers pass, the default, and what the code does with the value.
The weights of all rungs are added up, so that two weak witnesses may outweigh a stronger one.

Invariant: the ladder is a function of the Subject and of recorded probes; a type that cannot do
what the code certainly does with the parameter is no candidate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Source, Symbol, TempPath
from unitcraft.core.types import ANY, TypeExpr
from unitcraft.explore.plausibility.namesakes import Namesakes
from unitcraft.explore.plausibility.operands import is_operand, owner_of
from unitcraft.explore.plausibility.overrides import at_its_place, overrides_of
from unitcraft.explore.plausibility.parameter_evidence import WEIGHTS, Candidate, Evidence
from unitcraft.explore.plausibility.parameter_names import ParameterNames
from unitcraft.subject.ducktypes.kind_support import (
    has_attribute,
    has_method,
    is_class,
    kind_of_type,
    supports,
)
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import (
    COMMON_ATTRIBUTES,
    guess_types,
    types_accepted,
)
from unitcraft.subject.known_types import NONE
from unitcraft.subject.model import (
    COMPARED,
    JOINED,
    PASSED,
    STATED,
    CallerValue,
    ClassInfo,
    Invocable,
    Parameter,
    ParameterUse,
    Subject,
)
from unitcraft.subject.reading.docstring_types import described_types
from unitcraft.subject.runtime_types import type_of_class
from unitcraft.subject.values.stdlib_values import VALUES, values_of_class

#: Types kept that flow suggests; later ones have few points.  One: no site of 153, 1 % fewer runs.
MAX_FLOW_TYPES: Final = 4
#: What a description says -> the type.
_DESCRIBED: Final = {
    **{one: TypeExpr(one) for one in ("int", "float", "str", "bytes", "bool")},
    **{one: TypeExpr(one) for one in ("list", "dict", "set")},
    "tuple": TypeExpr("vartuple"), "Callable": TypeExpr("callable"),
    "Path": TypeExpr("class", cls="pathlib:Path"),
}  # fmt: skip
#: Place of a value that others than callers state -> the rung that it counts on.
_RUNG_OF_PLACE: Final = {COMPARED: "flow", JOINED: "flow", STATED: "name"}
#: Containers of items of one type.
OF_ITEMS: Final = frozenset({"list", "set", "frozenset", "iterable", "sequence", "vartuple"})
_CONTAINERS: Final = OF_ITEMS | {"dict"}
#: Operations of flow after which None is an expected value.
_ASKS_FOR_NONE: Final = frozenset({("is", "NoneType"), ("eq", "NoneType"), ("ne", "NoneType")})


class EvidenceLadder:
    """The Evidence for the parameters of one Subject (immutable once made)."""

    def __init__(self, subject: Subject) -> None:
        self._classes = subject.classes
        self._by_name = {info.qualname.rpartition(".")[2]: info.id for info in subject.classes}
        self._bases = {info.id: info.bases for info in subject.classes}
        self._makers = {one.id: one for one in subject.invocables if one.kind == "constructor"}
        self._uses: dict[str, list[ParameterUse]] = {}
        self._passed: dict[tuple[str, str], str] = {}
        for use in subject.uses:
            if use.operation == PASSED:
                self._passed[use.invocable, use.path] = use.operand
            else:
                self._uses.setdefault(use.invocable, []).append(use)
        self._overrides = overrides_of(subject)
        self._callers: dict[tuple[str, str], list[CallerValue]] = {}
        self._names = ParameterNames(subject)
        self._namesakes = Namesakes(subject, self._own_type)
        for value in subject.callers:
            shown = type_of_arg(value.value)
            if shown is not None and shown != NONE and value.place not in (COMPARED, JOINED):
                self._names.note(value.parameter, shown)
            self._callers.setdefault((value.invocable, value.parameter), []).append(value)

    def evidence(self, invocable: Invocable, parameter: Parameter) -> Evidence:
        """All that speaks for the kind of ``parameter``.

        Where the code says nothing of it, what overrides of the method say counts: whoever calls
        the method of a base passes what each heir can take.  Else its namesakes are asked.
        """
        own = self._own_evidence(invocable, parameter)
        if own.candidates or own.uses:
            return self._with_items_of_namesakes(own, invocable)
        for kin in self._overrides.get(invocable.id, ()) if invocable.kind != "constructor" else ():
            other = at_its_place(parameter, invocable, kin)
            found = self._own_evidence(kin, other) if other is not None else own
            if found.candidates:
                return _of_kin(found, parameter, takes_none=own.takes_none)
        type_ = self._namesakes.type_of(invocable, parameter)
        told = (Candidate(type_, WEIGHTS["namesake"], ("namesake",)),) if type_ else ()
        return replace(own, candidates=told)

    def _with_items_of_namesakes(self, own: Evidence, invocable: Invocable) -> Evidence:
        """``own`` with the items that namesakes hold, where its best type is a bare container."""
        best = own.candidates[0] if own.candidates else None
        if best is None or not _is_bare(best.type):
            return own
        other = self._namesakes.type_of(invocable, own.parameter)
        if other is None or other.name != best.type.name or _is_bare(other):
            return own
        return replace(own, candidates=(replace(best, type=other), *own.candidates[1:]))

    def _own_type(self, invocable: Invocable, parameter: Parameter) -> TypeExpr | None:
        ranked = self._own_evidence(invocable, parameter).candidates
        return ranked[0].type if ranked else None

    def _own_evidence(self, invocable: Invocable, parameter: Parameter) -> Evidence:
        """What the Invocable itself says of ``parameter``."""
        rows = self._uses.get(invocable.id, [])
        own = tuple([row for row in rows if _is_below(row.path, parameter.name)])
        found: dict[TypeExpr, dict[str, int]] = {}
        of_items = self._names.type_of_items(parameter.name)
        for type_, rung, weight in self._witnesses(invocable, parameter, own):
            type_ = _holding(type_, of_items)  # noqa: PLW2901
            for part in type_.args if type_.name == "union" else (type_,):
                if part == ANY or (part == NONE and rung in ("sibling", "caller")):
                    continue  # a parameter is not None alone
                if _can(part, own, parameter.name):
                    held = found.setdefault(part, {})
                    held[rung] = max(held.get(rung, 0), weight)
        ranked = sorted(
            [Candidate(one, sum(rungs.values()), tuple(rungs)) for one, rungs in _told(found)],
            key=lambda one: -one.weight,
        )
        given_none = Const(None) in [one.value for one in self.callers(invocable, parameter)]
        takes_none = given_none or _takes_none(parameter, own)
        return Evidence(parameter, tuple(ranked), own, takes_none, owner_of(invocable))

    def callers(self, invocable: Invocable, parameter: Parameter) -> list[CallerValue]:
        """What others pass, in the order in which it was found."""
        return self._callers.get((invocable.id, parameter.name), [])

    def texts_of_callers(self) -> tuple[str, ...]:
        """The texts that others pass, to whatever parameter, each once."""
        values = [one.value for found in self._callers.values() for one in found]
        texts = [one.value for one in values if isinstance(one, Const)]
        return tuple(dict.fromkeys(text for text in texts if isinstance(text, str)))

    def _witnesses(
        self, invocable: Invocable, parameter: Parameter, own: tuple[ParameterUse, ...]
    ) -> Iterator[tuple[TypeExpr, str, int]]:
        """(type, rung, weight) of each witness, loudest rung first."""
        if parameter.origin:
            yield parameter.type, parameter.origin, WEIGHTS[parameter.origin]
        elif parameter.type != ANY:
            yield parameter.type, "annotation", WEIGHTS["annotation"]
        yield from self._passed_types(invocable, parameter)
        yield from self._tested(parameter, own)
        for value in self.callers(invocable, parameter):
            type_ = type_of_arg(value.value)
            if value.place == JOINED and isinstance(value.value, Display):
                type_ = _with_items(value.value)
            rung = _RUNG_OF_PLACE.get(value.place, "caller")
            if type_ is not None:
                yield type_, rung, WEIGHTS[rung]
        described = described_types(invocable.doc).get(parameter.name, "")
        yield _DESCRIBED.get(described, ANY), "description", WEIGHTS["description"]
        operations = tuple([_as_operation(row) for row in own])
        guessed = [
            one for one in guess_types(operations, parameter.name, self._classes)
            if self._has_attributes(one, own, parameter.name)
            and not self._asks_for_itself(one, invocable, parameter, own)
        ]  # fmt: skip
        if not any(_can(one, own, parameter.name) for one in guessed):
            guessed = list(_library_classes(own, parameter.name))
        for place, type_ in enumerate(guessed[:MAX_FLOW_TYPES]):
            yield type_, "flow", WEIGHTS["flow"] - place
        if is_operand(invocable, parameter, own):
            yield TypeExpr("class", cls=invocable.owner), "operand", WEIGHTS["operand"]
        for type_, rung in self._names.witnesses(invocable, parameter):
            yield type_, rung, WEIGHTS[rung]

    def _passed_types(
        self, invocable: Invocable, parameter: Parameter
    ) -> Iterator[tuple[TypeExpr, str, int]]:
        """What the module passes itself, with the type of items; no class without values."""
        whole, items = [
            tuple([
                one for one in types_accepted(self._passed.get((invocable.id, path), ""))
                if not one.cls or one.cls in self._bases or values_of_class(one.cls)
            ])
            for path in (parameter.name, f"{parameter.name}[]")
        ]  # fmt: skip
        for type_ in whole:
            holds = type_.name in OF_ITEMS and len(items) == 1
            yield replace(type_, args=items) if holds else type_, "passed", WEIGHTS["passed"]

    def _tested(
        self, parameter: Parameter, own: tuple[ParameterUse, ...]
    ) -> Iterator[tuple[TypeExpr, str, int]]:
        """What ``isinstance`` asks for, and what callees that are handed the argument declare.

        What it asks of items it asks of those of a list.
        """
        asked = {(row.path, row.operation) for row in own}
        for row in own:
            if row.operation == "isinstance" and row.path in (
                parameter.name,
                parameter.name + "[]",
            ):
                tested = self._class_named(row.operand)
                if tested is not None and row.path == parameter.name:
                    yield tested, "isinstance", WEIGHTS["isinstance"]
                elif tested is not None and (parameter.name, "iterate") in asked:
                    yield TypeExpr("list", (tested,)), "isinstance", WEIGHTS["isinstance"]
            elif row.path == parameter.name and row.operation == "argument":
                for type_ in types_accepted(row.operand):
                    yield type_, "callee", WEIGHTS["callee"]

    def _class_named(self, name: str) -> TypeExpr | None:
        if name in self._by_name:
            return TypeExpr("class", cls=self._by_name[name])
        for module in ("builtins", "collections.abc"):
            found = type_of_class(f"{module}:{name}")
            if found.name != "class":
                return found
        homes = [home for home in VALUES if home.rpartition(":")[2] == name]
        return TypeExpr("class", cls=homes[0]) if homes else None

    def _has_attributes(self, type_: TypeExpr, own: tuple[ParameterUse, ...], path: str) -> bool:
        """Has a class the public attributes that the code reads?"""
        info = next((one for one in self._classes if one.id == type_.cls), None)
        if info is not None:
            return not missing_attributes(info, own, path)
        asked = [use.operand for use in own if use.operation == "attribute" and use.path == path]
        return type_.cls not in VALUES or all(has_attribute(type_.cls, name) for name in asked)

    def _asks_for_itself(
        self,
        type_: TypeExpr,
        invocable: Invocable,
        parameter: Parameter,
        own: tuple[ParameterUse, ...],
    ) -> bool:
        """Is it a class whose objects cannot be made before there is one to pass?

        A class that hands calls on to an argument has the members that it calls, and each heir of
        it has; none of them is the object that they all wrap.
        """
        maker = self._makers.get(type_.cls)
        if invocable.kind != "constructor" or maker is None or _takes_none(parameter, own):
            return False
        asked = next((one for one in maker.parameters if one.name == parameter.name), None)
        is_kin = (
            (maker.module, maker.first) == (invocable.module, invocable.first)
            or maker.id in self._bases.get(invocable.id, ())
            or invocable.id in self._bases.get(maker.id, ())
        )
        return is_kin and asked is not None and asked.required and not asked.origin


def _of_kin(found: Evidence, parameter: Parameter, *, takes_none: bool) -> Evidence:
    """The Evidence for a parameter of an override, as Evidence for ``parameter``."""
    cut = len(found.parameter.name)
    uses = [replace(use, path=parameter.name + use.path[cut:], certain=False) for use in found.uses]
    candidates = [
        Candidate(one.type, min(one.weight, WEIGHTS["kin"]), ("kin",)) for one in found.candidates
    ]
    taken = takes_none or found.takes_none
    return Evidence(parameter, tuple(candidates), tuple(uses), taken, found.owner)


def missing_attributes(info: ClassInfo, uses: Iterable[ParameterUse], path: str) -> tuple[str, ...]:
    """The public attributes that code reads at ``path`` and objects of the class lack."""
    known = info.names()
    if "__getattr__" in known or "__getattribute__" in known:
        return ()
    asked = [use.operand for use in uses if use.operation == "attribute" and use.path == path]
    return tuple([name for name in asked if name not in known and not name.startswith("_")])


def _library_classes(own: tuple[ParameterUse, ...], path: str) -> Iterator[TypeExpr]:
    """The classes of the standard library, of which there are values, that have the attributes.

    What is called is a method there, and what is read is none.  ``x.text`` alone is no evidence.
    """
    named = [use.operand for use in own if use.operation == "attribute" and use.path == path]
    asked = dict.fromkeys(name for name in named if not name.startswith("_"))
    called = {use.path for use in own if use.operation == "call"}
    for home in VALUES if asked.keys() - COMMON_ATTRIBUTES else ():
        if all(has_attribute(home, name) for name in asked) and all(
            has_method(home, name) is (f"{path}.{name}" in called) for name in asked
        ):
            yield TypeExpr("class", cls=home)


def type_of_arg(arg: Arg) -> TypeExpr | None:
    """The type of a value that a caller passes, or None if it says nothing."""
    match arg:
        case Const(value):
            name = "none" if value is None else type(value).__name__
            return TypeExpr(name) if name != "ellipsis" else None
        case Display("tuple"):
            return TypeExpr("vartuple")
        case Display(kind):
            return TypeExpr(kind)
        case Source(text) if text.startswith("lambda"):
            return TypeExpr("callable")
        case Build(Symbol(module, name)):
            home = f"{module}:{name}"
            owner, _, method = home.rpartition(".")
            if is_class(home) is False:  # a function, or a class method that makes an object
                return TypeExpr("class", cls=owner) if is_class(owner) and method else None
            return TypeExpr("class", cls=home)
        case TempPath(is_text=is_text):
            return TypeExpr("str") if is_text else TypeExpr("class", cls="pathlib:Path")
    return None


def _with_items(arg: Display) -> TypeExpr:
    """The type of a container with one item, with the types of what it holds."""
    held = tuple([type_of_arg(item) or ANY for item in arg.items])
    return TypeExpr("vartuple" if arg.kind == "tuple" else arg.kind, held)


def _as_operation(row: ParameterUse) -> ProbeOperation:
    return ProbeOperation(row.path, row.operation, row.operand, row.arity)


def _is_below(path: str, name: str) -> bool:
    return path == name or (path.startswith(name) and path[len(name)] in ".[(")


def _holding(type_: TypeExpr, of_items: TypeExpr | None) -> TypeExpr:
    """A container of which nothing is known of its items, as one of items of that type."""
    return replace(type_, args=(of_items,)) if of_items is not None and _is_bare(type_) else type_


def _told(found: dict[TypeExpr, dict[str, int]]) -> Iterator[tuple[TypeExpr, dict[str, int]]]:
    """(type, weight by rung), where a bare container speaks for the first whose items are known."""
    first = {one.name: one for one in reversed(found) if one.args and one.name in _CONTAINERS}
    bare = {one: first[one.name] for one in found if not one.args and one.name in first}
    for type_, rungs in found.items():
        alike = [rungs, *[found[one] for one, known in bare.items() if known == type_]]
        if type_ not in bare:
            names = dict.fromkeys(rung for one in alike for rung in one)
            yield type_, {rung: max(one.get(rung, 0) for one in alike) for rung in names}


def _is_bare(type_: TypeExpr) -> bool:
    """Is it a container of which nothing is known of its items?"""
    return type_.name in OF_ITEMS and type_.args in ((), (ANY,))


def _can(type_: TypeExpr, uses: tuple[ParameterUse, ...], path: str) -> bool:
    """Can values of the type do what the code certainly does at ``path``?"""
    kind = kind_of_type(type_)
    if not kind or type_ == NONE:
        return True
    return not any(supports(kind, use) is False for use in uses if use.certain and use.path == path)


def _takes_none(parameter: Parameter, uses: tuple[ParameterUse, ...]) -> bool:
    if parameter.default == Const(None) and not parameter.required:
        return True
    return any(
        use.path == parameter.name and (use.operation, use.operand) in _ASKS_FOR_NONE
        for use in uses
    )
