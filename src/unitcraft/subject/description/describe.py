"""Describes a loaded module as a Subject.

The Subject holds the classes and functions that the module defines, the classes of the package
that building arguments may need (collaborators), and the constants, regexes and docstring
examples of the source.

Invariant: describing runs none of the Subject's functions; the answer depends on the
module's objects and source only, in source order, so it is the same in every process.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from unitcraft.core import rule_codes
from unitcraft.core.sequences import arg_key
from unitcraft.subject import static_lookup
from unitcraft.subject.decorators import function_behind, is_callable_wrapper
from unitcraft.subject.description.callee_types import CalleeTypes
from unitcraft.subject.description.caught_errors import (
    block_errors,
    caught_errors,
    ending_methods,
)
from unitcraft.subject.description.classes import (
    describe_class,
    heirs_at_hand,
    implementers,
    is_protocol,
    is_template,
    nested_classes,
    stand_ins,
)
from unitcraft.subject.description.command_objects import command_invocables, replaced_functions
from unitcraft.subject.description.invocables import function_invocable
from unitcraft.subject.description.parameter_flow import (
    handed_on,
    uses_of,
    uses_of_fields,
    with_classes_behind,
)
from unitcraft.subject.description.returned_functions import returned_functions
from unitcraft.subject.description.stated_values import (
    compared_values,
    joined_values,
    named_values,
)
from unitcraft.subject.description_context import DescriptionContext, context_of
from unitcraft.subject.model import CallerValue, ClassInfo, Constant, Invocable, Regex, Subject
from unitcraft.subject.reading.callers.call_sites import read_call_sites
from unitcraft.subject.reading.callers.docstring_examples import (
    example_names,
    examples_of,
    module_names,
)
from unitcraft.subject.reading.constants import collect_references, constants_in
from unitcraft.subject.reading.regexes import regexes_in
from unitcraft.subject.source_files import FunctionSource, Origin, definitions

MAX_COLLABORATORS: Final = 40  # classes of the package that the module does not define
MAX_FOREIGN: Final = 12  # classes of other distributions that annotations ask for


@dataclass(slots=True)
class _Described:
    """The classes and Invocables described so far (mutable)."""

    classes: list[ClassInfo] = field(default_factory=list)
    objects: list[tuple[str, type]] = field(default_factory=list)
    invocables: list[Invocable] = field(default_factory=list)
    skipped: list[tuple[str, str, str]] = field(default_factory=list)

    def has(self, cls: type) -> bool:
        """Has the identical class been described?"""
        return any(seen is cls for _, seen in self.objects)


def describe(module: ModuleType) -> Subject:
    """The Subject of a loaded module.  Never raises; ``skipped`` lists what cannot be described."""
    view = context_of(module)
    tree = view.sources.tree(view.file)
    described = _Described()
    origins = definitions(tree)
    own = tuple(_own_definitions(view, origins))
    for name, value in own:
        view.homes.assign(value, _id_of_definition(view, name, value))
    for name, value in own:
        _describe_name(view, described, name, value)
    commands = command_invocables(view, origins)
    described.invocables += commands
    described.skipped += replaced_functions(view, origins, commands)
    _describe_collaborators(view, described)
    named = collect_references(view, tree)
    _link_inherited(described.classes, named.calls)
    classes = [_with_stand_ins(info, described) for info in described.classes]
    subject = Subject(
        module=view.module,
        file=view.file,
        classes=tuple(classes),
        invocables=tuple(described.invocables),
        constants=_unique_constants(
            (*constants_in(tree), *named.constants, *_inherited_constants(view, described))
        ),
        regexes=_all_regexes(view, described, (*regexes_in(tree), *named.regexes)),
        calls=tuple([(scope, tuple(callees)) for scope, callees in named.calls.items()]),
        skipped=(*described.skipped, *_abstract_classes(classes)),
    )
    functions = _functions(view, subject)
    ids = {(one.module, one.first): one.id for one in subject.invocables}
    inner = list(returned_functions(view, functions, subject.invocables))
    found = [*functions, *[source for _, source in inner]]
    types = CalleeTypes(view, ids)
    stored = [one for one in subject.invocables if one.is_open_field]
    read = uses_of(found, types.callee, types.source, stored)
    rows = tuple(with_classes_behind(read, view.names))
    uses = tuple([row for row in rows if row.operation != "pass"])
    uses = (*uses, *types.overriding_uses(functions))
    uses = (*uses, *uses_of_fields(uses, subject))
    returned = tuple([one for one, _ in inner])
    handed = handed_on(rows, found)
    subject = _publish_private(replace(subject, uses=uses, returned=returned, handed=handed))
    names, find = example_names(view, subject)
    examples = examples_of(subject, _docstrings(view, described), names, module_names(view), find)
    subject = replace(subject, examples=examples)
    shown, callers = read_call_sites(subject, find, _root(view), tree)
    stated = (
        *compared_values(functions, view.names),
        *joined_values(functions),
        *named_values(tree, subject.invocables),
    )
    callers = (*callers, *_not_shown(stated, callers))
    subject = replace(subject, examples=(*examples, *shown), callers=callers)
    caught, raised = tuple(caught_errors(view, tree)), block_errors(view, tree)
    subject = replace(subject, caught=caught, block_errors=tuple(raised.items()))
    return replace(subject, endings=tuple(ending_methods(view, tree)))


def _not_shown(
    stated: tuple[CallerValue, ...], callers: tuple[CallerValue, ...]
) -> Iterator[CallerValue]:
    """The stated values that no caller passes, each once."""
    known = {(one.invocable, one.parameter, arg_key(one.value)) for one in callers}
    for one in stated:
        key = (one.invocable, one.parameter, arg_key(one.value))
        if key not in known:
            known.add(key)
            yield one


def _own_definitions(
    view: DescriptionContext, origins: dict[str, Origin]
) -> Iterator[tuple[str, Any]]:
    """(name, object) for each definition of the module, in source order, aliases left out."""
    seen: list[Any] = []
    for name, origin in origins.items():
        value = view.names.get(name)
        if value is None or any(value is other for other in seen):
            continue
        if _is_own(view, value, origin):
            seen.append(value)
            yield name, value


def _is_own(view: DescriptionContext, value: Any, origin: Origin) -> bool:
    is_class = static_lookup.is_class(value)
    if not is_class and not is_callable_wrapper(value):
        return False
    if origin in ("def", "class"):
        return True
    if origin != "assign":
        return False
    function = None if is_class else function_behind(value)
    home = static_lookup.module_name(value if is_class else function)
    own_code = function is not None and bool(view.module_of(function.__code__))
    return home == view.module or own_code


def _id_of_definition(view: DescriptionContext, name: str, value: Any) -> str:
    """The id of a definition; a class may state a package that re-exports it as its module."""
    if static_lookup.is_class(value):
        stated, path = static_lookup.module_name(value), static_lookup.qualname(value)
        inside = static_lookup.top_package(stated) == view.package
        if stated != view.module and inside and static_lookup.resolve(stated, path) is value:
            return f"{stated}:{path}"
    return f"{view.module}:{name}"


def _describe_name(view: DescriptionContext, described: _Described, name: str, value: Any) -> None:
    try:
        if static_lookup.is_class(value):
            _describe_class(view, described, value, view.homes.id_of(value))
        else:
            described.invocables.append(function_invocable(view, name, value))
    except Exception as error:  # noqa: BLE001  (the Subject's objects may do anything)
        described.skipped.append(
            (
                f"{view.module}:{name}",
                rule_codes.NO_ARGUMENT,
                f"cannot be introspected: {type(error).__name__}",
            )
        )


def _describe_class(
    view: DescriptionContext,
    described: _Described,
    cls: type,
    home: str,
    extra: tuple[str, ...] = (),
) -> None:
    if described.has(cls):
        return
    described.objects.append((home, cls))
    info, members = describe_class(view, cls, home, extra)
    described.classes.append(info)
    described.invocables.extend(members)
    for name, inner in nested_classes(cls):
        _describe_class(view, described, inner, f"{home}.{name}", extra)


def _describe_collaborators(view: DescriptionContext, described: _Described) -> None:
    """Describe classes of the package that annotations or the module's namespace mention.

    Heirs stand in for those elsewhere that leave methods to them.
    """
    for value in view.names.values():
        if (
            static_lookup.is_class(value)
            and static_lookup.top_package(static_lookup.module_name(value)) == view.package
        ):
            view.homes.of_class(value)
    at = 0
    while at < len(view.homes.asked) and at < MAX_COLLABORATORS:
        cls = view.homes.asked[at]
        at += 1
        try:
            _describe_class(view, described, cls, view.homes.id_of(cls), ("collaborator",))
            is_elsewhere = static_lookup.module_name(cls) != view.module
            is_asked = static_lookup.is_abstract(cls) or is_protocol(cls) or is_template(view, cls)
            if is_elsewhere and is_asked:
                home = static_lookup.module_name(cls)
                at_hand = [*heirs_at_hand(cls, view.package), *implementers(cls, [home])]
                for heir in at_hand:
                    view.homes.of_class(heir)
        except Exception as error:  # noqa: BLE001
            described.skipped.append(
                (view.homes.id_of(cls), rule_codes.NO_ARGUMENT, type(error).__name__)
            )
    _describe_foreign(view, described)


def _describe_foreign(view: DescriptionContext, described: _Described) -> None:
    """Describe how classes of other distributions are made that annotations ask for."""
    at = 0
    while at < len(view.homes.asked_of_others) and at < MAX_FOREIGN:
        cls = view.homes.asked_of_others[at]
        at += 1
        with suppress(Exception):  # their objects may do anything
            _describe_class(view, described, cls, view.homes.id_of(cls), ("collaborator",))


def _with_stand_ins(info: ClassInfo, described: _Described) -> ClassInfo:
    if not {"abstract", "protocol"} & set(info.tags):
        return info
    cls = next(cls for home, cls in described.objects if home == info.id)
    return replace(info, concrete=stand_ins(cls, described.objects))


def _link_inherited(classes: list[ClassInfo], calls: dict[str, dict[str, None]]) -> None:
    """Add to the call graph ``calls`` an edge from each inherited member to the base's member."""
    for info in classes:
        for member in info.members:
            name = member.rpartition(".")[2]
            paths = [f"{base.partition(':')[2]}.{name}" for base in info.bases]
            calls.setdefault(f"{info.qualname}.{name}", {}).update(dict.fromkeys(paths))


def _abstract_classes(classes: list[ClassInfo]) -> Iterator[tuple[str, str, str]]:
    for info in classes:
        if "collaborator" in info.tags or info.concrete or info.unimplemented:
            continue
        if {"abstract", "protocol"} & set(info.tags):
            yield info.id, rule_codes.ABSTRACT, "abstract, and no concrete subclass is at hand"


def _publish_private(subject: Subject) -> Subject:
    """``subject``, with private names made public if the module has no public name at all."""
    own = [info for info in subject.classes if "collaborator" not in info.tags]
    functions = [found for found in subject.invocables if not found.owner]
    if any(info.public for info in own) or any(found.public for found in functions):
        return subject
    homes = {info.id for info in own}
    return replace(
        subject,
        classes=tuple(
            [replace(info, public=True) if info.id in homes else info for info in subject.classes]
        ),
        invocables=tuple(
            [found if found.owner else replace(found, public=True) for found in subject.invocables]
        ),
    )


def _inherited_constants(view: DescriptionContext, described: _Described) -> Iterator[Constant]:
    """Constants in functions of the modules from which the classes inherit members."""
    modules = dict.fromkeys([one.module for one in described.invocables])
    for module in modules:
        if module and module != view.module:
            found = constants_in(view.sources.tree(view.file_of(module)))
            yield from [one for one in found if one.scope]


def _unique_constants(found: tuple[Constant, ...]) -> tuple[Constant, ...]:
    all_: dict[tuple[str, str], Constant] = {}
    for one in found:
        all_.setdefault((repr(one.value), one.scope), one)
    return tuple(all_.values())


def _all_regexes(
    view: DescriptionContext, described: _Described, found: tuple[Regex, ...]
) -> tuple[Regex, ...]:
    """``found`` in the source, then compiled patterns in the namespaces of module and classes."""
    all_: dict[tuple[str, str], Regex] = {(repr(one.pattern), one.scope): one for one in found}
    spaces: list[tuple[str, Mapping[str, Any]]] = [("", view.names)]
    spaces += [
        (home.partition(":")[2], static_lookup.own_dict(cls)) for home, cls in described.objects
    ]
    for scope, names in spaces:
        for value in tuple(names.values()):
            if type(value) is re.Pattern:
                one = Regex(value.pattern, value.flags, scope)
                all_.setdefault((repr(one.pattern), scope), one)
    return tuple(all_.values())


def _root(view: DescriptionContext) -> Path | None:
    """The folder that holds the module's package, or None."""
    if not view.file:
        return None
    depth = view.module.count(".") + view.file.endswith("__init__.py")
    return Path(view.file).parents[depth]


def _functions(view: DescriptionContext, subject: Subject) -> list[FunctionSource]:
    """The Invocables whose source is at hand, and special methods, which use what others keep."""
    found = []
    for one in subject.invocables:
        if one.command is not None:  # its parameters are those of a command line
            continue
        node = view.sources.function_at(view.file_of(one.module), one.first) if one.module else None
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            names = tuple([parameter.name for parameter in one.parameters
                           if not parameter.kind.startswith("var_")])  # fmt: skip
            owner = "" if one.kind == "staticmethod" else one.owner
            found.append(FunctionSource(one.id, names, node, owner))
    known = {one.id for one in found}
    for info in subject.classes:
        cls = view.sources.class_named(view.file_of(info.module), info.qualname)
        for inner in cls.body if cls is not None else ():
            if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef):
                home, name = f"{info.id}.{inner.name}", inner.name.strip("_")
                if inner.name == f"__{name}__" and name not in ("init", "new"):
                    found += [FunctionSource(home, (), inner, info.id)] * (home not in known)
    return found


def _docstrings(view: DescriptionContext, described: _Described) -> tuple[tuple[str, str], ...]:
    """(scope id, docstring) of the module, its classes and its functions."""
    own = static_lookup.module_dict(view.names).get("__doc__") or view.names.get("__doc__")
    docs = [(view.module + ":", own if type(own) is str else "")]
    docs += [(home, static_lookup.doc_of(cls)) for home, cls in described.objects]
    docs += [(one.id, one.doc) for one in described.invocables]
    return tuple([(home, doc) for home, doc in docs if doc])
