"""The influence analysis of a Subject: the effects of its Invocables, through all that they call.

Invariant: a call may reach every method of its name that the class of the receiver, a base or a
derived class defines; all methods of that name where the class is unknown.  Fields are compared
by the family of their class.

Source: JTESTCRAFT, section 4.3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from unitcraft.core.types import TypeExpr
from unitcraft.explore.influence.effects import Effects, Slot, Variable
from unitcraft.explore.influence.source_effects import Callee, FunctionFacts, read_function
from unitcraft.explore.influence.source_types import (
    SourceClass,
    SourceModule,
    lineage,
    read_module,
    receiver_of,
)
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.subject.source_files import SourceFiles

#: Modules whose source is read: the Subject's, and those of the classes that it works with.
MAX_MODULES: Final = 24
#: Methods that run when an object is made.
_CONSTRUCTORS: Final = ("__new__", "__init__", "__post_init__")
#: Types whose values may be objects of any class.
_WIDE: Final = ("any",)
#: Types that hold other objects.
_CONTAINERS: Final = (
    "list", "set", "frozenset", "dict", "tuple", "vartuple", "iterable", "iterator", "sequence",
    "mapping",
)  # fmt: skip
#: The ids of the classes whose objects a parameter is likely to be given, by its name.
LikelyClasses = Callable[[Invocable, str], Iterable[str]]
#: Kinds of Invocables that have a receiver.
_BOUND: Final = ("method", "property", "field")


def analyse_influence(
    subject: Subject, likely: LikelyClasses = lambda _invocable, _name: ()
) -> tuple[Effects, ...]:
    """The Effects of the Invocables of ``subject``, in its order.

    ``likely`` are the classes whose objects a parameter of any type is likely to be given.
    Fields are among them only where code stores them on objects other than its receiver, as a
    user of the class may do.
    """
    analysis = InfluenceAnalysis(subject, list(_source_modules(subject)), likely)
    stored = analysis.stored_by_users()
    found = [analysis.effects(one) for one in subject.invocables]
    return tuple([
        one for one in found
        if one.invocable.kind != "field" or any(place in stored for place in one.defines)
    ])  # fmt: skip


def _source_modules(subject: Subject) -> Iterator[SourceModule]:
    """The modules of the Subject whose source can be read, its own first."""
    files = SourceFiles()
    package = Path(subject.file).name == "__init__.py"
    depth = subject.module.count(".") + (1 if package else 0)
    parents = Path(subject.file).absolute().parents
    root = parents[depth] if depth < len(parents) else parents[-1]
    named = [subject.module, *[one.module for one in subject.classes],
             *[one.module for one in subject.invocables]]  # fmt: skip
    for name in [one for one in dict.fromkeys(named) if one][:MAX_MODULES]:
        base = root.joinpath(*name.split("."))
        for file in (base.with_suffix(".py"), base / "__init__.py"):
            if name == subject.module or file.is_file():
                shown = subject.file if name == subject.module else str(file)
                is_package = Path(shown).name == "__init__.py"
                yield read_module(name, files.tree(shown), package=is_package)
                break


class InfluenceAnalysis:
    """The functions of some modules with their facts; a cache of what each leads to."""

    def __init__(
        self,
        subject: Subject,
        modules: Iterable[SourceModule],
        likely: LikelyClasses,
    ) -> None:
        self._likely = likely
        self.modules = {one.name: one for one in modules}
        self.classes: dict[str, SourceClass] = {
            made.id: made for module in self.modules.values() for made in module.classes.values()
        }
        self._infos = {info.id: info for info in subject.classes}
        self._family = _families(self.classes)
        self._facts: dict[tuple[str, str], FunctionFacts] = {}
        for module in self.modules.values():
            self._read(module)
        self._members = [(owner, name) for owner, name in self._facts if owner in self.classes]
        self._owners = _owners_of_fields(self.classes, self._family)
        self._of_classes: frozenset[Variable] = frozenset()
        self._of_classes = frozenset(self._changed_in_classes())
        self._containers = list(
            dict.fromkeys(
                one
                for facts in self._facts.values()
                for variable in facts.stores
                for one in self._resolved(variable)
            )
        )

    def _read(self, module: SourceModule) -> None:
        for name, node in module.functions.items():
            self._facts[f"{module.name}:", name] = read_function(
                node, module, None, "", self.classes
            )
        for made in module.classes.values():
            for name, node in made.methods.items():
                receiver = receiver_of(node)
                is_class = any(
                    getattr(mark, "id", "") == "classmethod" for mark in node.decorator_list
                )
                facts = read_function(node, module, made, receiver, self.classes)
                if is_class and receiver:
                    facts.callees.setdefault(Callee("class", made.id), None)
                self._facts[made.id, name] = facts

    # -- one Invocable --------------------------------------------------------------

    def effects(self, invocable: Invocable) -> Effects:
        """The effects of one Invocable, with those of all that it may call."""
        start = self._start(invocable)
        reached = self._reached(start)
        facts = [self._facts[one] for one in reached]
        fields = self._declared(invocable)
        if invocable.kind == "field":
            return self._field(invocable)
        return Effects(
            invocable,
            self._all([*fields, *[one for each in facts for one in each.defines]]),
            self._all(one for each in facts for one in each.uses),
            self._elements(one for each in facts for one in each.stores),
            self._elements(one for each in facts for one in each.loads),
            tuple(self._slots(invocable, [self._facts[one] for one in start])),
            self._returns(invocable, [self._facts[one] for one in start]),
        )

    def _field(self, invocable: Invocable) -> Effects:
        """A load of a public field; the store where it can be assigned."""
        place = self._all([Variable(invocable.owner, invocable.name)])
        slot = Slot("self", (invocable.owner,))
        return Effects(invocable, place if invocable.parameters else (), place, (), (), (slot,))

    def _start(self, invocable: Invocable) -> list[tuple[str, str]]:
        """Its own code; for what a library defines the special methods that it may call."""
        owner, name = invocable.owner, invocable.id.partition(":")[2].rpartition(".")[2]
        if invocable.kind == "constructor":
            return [one for each in _CONSTRUCTORS for one in self._implementation(owner, each)]
        if not owner:
            module = invocable.id.partition(":")[0]
            return [(f"{module}:", name)] if (f"{module}:", name) in self._facts else []
        found = self._implementation(owner, name)
        if invocable.kind == "property" and invocable.parameters:
            found += self._implementation(owner, f"{name}.setter")
        return found or [(one, each) for one, each in self._members if one == owner and
                         each.startswith("__") and each not in _CONSTRUCTORS]  # fmt: skip

    def _implementation(self, cls: str, name: str) -> list[tuple[str, str]]:
        """The method that an object of ``cls`` has by ``name``; [] where it is not ours."""
        owners = [cls, *getattr(self._infos.get(cls), "bases", ()), *self._bases(cls)]
        return next(([(one, name)] for one in owners if (one, name) in self._facts), [])

    def _bases(self, cls: str) -> list[str]:
        return lineage(cls, self.classes)[1:]

    def _reached(self, start: list[tuple[str, str]]) -> list[tuple[str, str]]:
        reached = list(start)
        known = set(start)
        for one in reached:
            for callee in self._facts[one].callees:
                for target in self._targets(callee):
                    if target not in known:
                        known.add(target)
                        reached.append(target)
        return reached

    def _targets(self, callee: Callee) -> list[tuple[str, str]]:
        if callee.kind == "function":
            module, _, name = callee.owner.partition(":")
            return [(f"{module}:", name)] if (f"{module}:", name) in self._facts else []
        if callee.kind == "class":
            return [one for name in _CONSTRUCTORS
                    for one in self._implementation(callee.owner, name)]  # fmt: skip
        if callee.kind == "inherited":
            return [(base, callee.name) for base in self._bases(callee.owner)
                    if (base, callee.name) in self._facts]  # fmt: skip
        own = self._implementation(callee.owner, callee.name) if callee.owner else []
        derived = [
            (owner, name)
            for owner, name in self._members
            if name == callee.name and (not callee.owner or callee.owner in self._bases(owner))
        ]
        return list(dict.fromkeys([*own, *derived]))

    def _declared(self, invocable: Invocable) -> list[Variable]:
        """The fields that a class body gives to each new object."""
        if invocable.kind != "constructor":
            return []
        owners = [invocable.owner, *self._bases(invocable.owner)]
        return [
            Variable(one, name)
            for one in owners
            if one in self.classes
            for name in self.classes[one].declared
            if Variable(self._family[one], name) not in self._of_classes
        ]

    # -- variables ------------------------------------------------------------------

    def _resolved(self, variable: Variable) -> list[Variable]:
        """The variable by the family of its owner; of all families where that is unknown."""
        if variable.is_shared:
            return [variable]
        name, owners = variable.name, self._owners.get(variable.name, [])
        if variable.owner:
            owners = [self._family.get(variable.owner, variable.owner)]
        found = [Variable(one, name) for one in owners]
        return [replace(one, of_class=True) if one in self._of_classes else one for one in found]

    def _changed_in_classes(self) -> set[Variable]:
        """What classes hold themselves, code changes, and none gives to an object."""
        facts = self._facts.values()
        changed = {one for each in facts for one in (*each.defines, *each.stores)}
        given = {one for each in facts for one in each.foreign}
        names = [(name, made.held, made.stored) for name, made in self.classes.items()]
        held = {Variable(self._family[name], one) for name, found, _ in names for one in found}
        stored = {Variable(self._family[name], one) for name, _, found in names for one in found}
        return held.intersection(self._all(changed)) - stored.union(self._all(given))

    def _all(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        found = [one for variable in variables for one in self._resolved(variable)]
        return tuple(dict.fromkeys(found))

    def _elements(self, variables: Iterable[Variable]) -> tuple[Variable, ...]:
        """The containers whose elements are meant; any container for one that no field holds."""
        found: list[Variable] = []
        for variable in variables:
            found += self._resolved(variable) if variable.name else self._containers
        return tuple([one for one in dict.fromkeys(found) if one in self._containers])

    # -- what it takes and makes ------------------------------------------------------

    def _slots(self, invocable: Invocable, facts: list[FunctionFacts]) -> Iterator[Slot]:
        if invocable.kind in _BOUND:
            yield Slot("self", (invocable.owner,))
        for parameter in invocable.parameters:
            classes = list(_classes_in(parameter.type))
            if parameter.type.name in _WIDE or "object" in parameter.type.cls:
                classes += self._asked_for(parameter, facts)
                classes += self._likely(invocable, parameter.name)
            known = [one for one in dict.fromkeys(classes) if one in self._infos]
            if known:
                optional = not parameter.required or _takes_none(parameter.type)
                many = parameter.type.name in _CONTAINERS or parameter.kind.startswith("var_")
                yield Slot(parameter.name, tuple(known), not optional and not many, many)

    def _asked_for(self, parameter: Parameter, facts: list[FunctionFacts]) -> list[str]:
        """For a parameter of any type: the classes that are tested for, or that fit its use."""
        tested = [cls for each in facts for cls in each.tests.get(parameter.name, ())]
        touched = {attr for each in facts for attr in each.touched.get(parameter.name, ())}
        fitting = [
            cls
            for cls, made in self.classes.items()
            if touched and all(attr in made.methods or attr in made.fields for attr in touched)
        ]
        return [*tested, *fitting]

    def _returns(self, invocable: Invocable, facts: list[FunctionFacts]) -> tuple[str, ...]:
        if invocable.kind == "constructor":
            return (invocable.owner,)
        declared = [one for one in _classes_in(invocable.returns) if one in self._infos]
        seen = [cls for each in facts for cls in each.returns if cls in self._infos]
        return tuple(dict.fromkeys([*declared, *seen]))

    def stored_by_users(self) -> set[Variable]:
        """The fields that code stores on objects other than its receiver."""
        found = [one for facts in self._facts.values() for one in facts.foreign]
        return set(self._all(found))


def _classes_in(type_: TypeExpr) -> Iterator[str]:
    """The ids of the classes that a type names, at any depth."""
    if type_.name == "class":
        yield type_.cls
    elif type_.name not in ("callable", "type", "literal"):
        for part in type_.args:
            yield from _classes_in(part)


def _takes_none(type_: TypeExpr) -> bool:
    return type_.name == "none" or (
        type_.name == "union" and any(part.name == "none" for part in type_.args)
    )


def _families(classes: Mapping[str, SourceClass]) -> dict[str, str]:
    """Class id -> the first class that inheritance connects it with."""
    family = {name: name for name in classes}
    for name, made in classes.items():
        for base in made.bases:
            if base in family:
                old, new = family[name], family[base]
                first, other = (new, old) if _is_before(classes, new, old) else (old, new)
                family = {one: first if head == other else head for one, head in family.items()}
    return family


def _is_before(classes: Mapping[str, SourceClass], one: str, other: str) -> bool:
    order = list(classes)
    return order.index(one) <= order.index(other)


def _owners_of_fields(
    classes: Mapping[str, SourceClass], family: Mapping[str, str]
) -> dict[str, list[str]]:
    """Field name -> the families that have it, in the order of the source."""
    found: dict[str, list[str]] = {}
    for name, made in classes.items():
        for each in made.fields:
            owners = found.setdefault(each, [])
            if family[name] not in owners:
                owners.append(family[name])
    return found
