"""Static flow through calls and fields: what all functions that are handed a parameter do with it.

A parameter is handed on to functions of the module and of its package, and kept in fields that
other methods use; each of them says something of its kind.

Invariant: only the source of the module's own package is read, and none of it is run; a use counts
for each parameter of the module that reaches it, and for none of another module.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from unitcraft.subject import static_lookup
from unitcraft.subject.model import Invocable, ParameterUse, Subject
from unitcraft.subject.reading.node_operations import (
    Callee,
    Callees,
    fields_used,
    head_of,
    of_kept,
    tells_kind,
)
from unitcraft.subject.reading.parameter_uses import MAX_USES, Flow, walk_function
from unitcraft.subject.source_files import FunctionSource

#: Callees of callees that count.
MAX_PASSES: Final = 3
#: Functions of other modules of the package whose source is read: a bound for large packages.
MAX_ELSEWHERE: Final = 60

#: The function of an id that ``Callees`` answered and what finds its callees, where it is another
#: module's.
Elsewhere = Callable[[str], tuple[FunctionSource, Callees] | None]


def uses_of(
    functions: list[FunctionSource],
    callees: Callees = lambda *_: Callee(),
    elsewhere: Elsewhere = lambda _: None,
    stored: Sequence[Invocable] = (),
) -> tuple[ParameterUse, ...]:
    """The uses of the parameters of ``functions``, in their order.

    What methods do with a field counts for the parameter of the same class's methods that is kept
    in it, and for those ``stored`` that store it.  ``callees`` finds what callees outside of
    ``functions`` accept, ``elsewhere`` the source of those in other modules.
    """
    flows = [walk_function(function, callees) for function in functions]
    by_field: dict[tuple[str, str], list[ParameterUse]] = {}
    used = {(one.owner, name) for one in functions if one.owner for name in fields_used(one.node)}
    for flow in flows:
        for row in flow.rows if flow.function.owner else ():
            head, _, rest = row.path.partition(".")
            if head == flow.receiver and rest:
                name = rest.partition(".")[0].partition("[")[0].partition("(")[0]
                if row.operation != "flag" or (flow.function.owner, name) not in used:
                    by_field.setdefault((flow.function.owner, name), []).append(row)
    found: list[ParameterUse] = []
    for flow in flows:
        found += _own_rows(flow)
        found += _kept_uses(flow, by_field)
        found += _decorated(flow.function)
    others = list(_read_elsewhere(found, {one.id for one in functions}, elsewhere))
    found += [row for flow in others for row in _own_rows(flow)]
    for _ in range(MAX_PASSES):
        more = _passed_on(functions, [flow.function for flow in others], found)
        if len(more) == len(found):
            break
        found = more
    for field in stored:
        found += _stored_uses(field, by_field.get((field.owner, field.name), []))
    known = {*[one.id for one in functions], *[one.id for one in stored]}
    return tuple([row for row in found if row.invocable in known])


def handed_on(
    rows: Iterable[ParameterUse], functions: list[FunctionSource]
) -> tuple[tuple[str, str, str, str], ...]:
    """(Invocable, path, other Invocable, its parameter) of what is handed on to ``functions``.

    The path is a parameter, or its items.
    """
    places = {one.id: one.parameters for one in functions}
    found: dict[tuple[str, str, str, str], None] = {}
    for row in rows:
        name, _, keyword = row.operand.partition("=")
        parameters = places.get(name, ()) if row.operation == "pass" else ()
        taken = keyword or next(iter(parameters[row.arity :][:1]), "")
        if taken in parameters and row.path in (head := head_of(row.path), f"{head}[]"):
            found[row.invocable, row.path, name, taken] = None
    return tuple(found)


def uses_of_fields(uses: Iterable[ParameterUse], subject: Subject) -> Iterator[ParameterUse]:
    """What code does with the fields of records that it is given, as uses of their constructors.

    A record is an object of a dataclass or a named tuple, which keeps its arguments; it is known by
    the names of the attributes that are read of it, where one class alone has them all.
    """
    makers = {one.id: one for one in subject.invocables if one.kind == "constructor"}
    records = [
        (one.id, frozenset(part.name for part in makers[one.id].parameters))
        for one in subject.classes
        if one.id in makers and not {"namedtuple", "dataclass"}.isdisjoint(one.tags)
    ]
    rows = list(dict.fromkeys(uses)) if records else []
    asked: dict[tuple[str, str], set[str]] = {}
    for row in rows:
        if row.operation == "attribute":
            asked.setdefault((row.invocable, row.path), set()).add(row.operand)
    for (invocable, path), names in asked.items():
        fitting = [maker for maker, fields in records if names <= fields]
        for row in rows if len(fitting) == 1 else ():
            rest = row.path.removeprefix(path + ".")
            if row.invocable == invocable and rest != row.path and head_of(rest) in names:
                yield replace(row, invocable=fitting[0], path=rest, certain=False)


def with_classes_behind(
    uses: Iterable[ParameterUse], names: Mapping[str, Any]
) -> Iterator[ParameterUse]:
    """``uses``, where what ``isinstance`` names is a table of classes with one for each of them.

    ``names`` is the namespace of the module: ``isinstance(number, NUMBERS)`` asks for what
    ``NUMBERS`` holds, ``isinstance(text, text_type)`` for what the other name of a class means.
    """
    for use in uses:
        held = names.get(use.operand) if use.operation == "isinstance" else None
        classes = held if type(held) is tuple else (held,)
        known = [static_lookup.qualname(one) for one in classes if static_lookup.is_class(one)]
        named = [name.rpartition(".")[2] for name in known]
        yield from [replace(use, operand=name) for name in named] or [use]


def _decorated(function: FunctionSource) -> Iterator[ParameterUse]:
    """The use of what a function that another made is given, and answers: it decorates functions.

    Its id ends with the call that makes it: see ``returned_functions``.
    """
    if not function.id.endswith("()") or len(function.parameters) != 1:
        return
    (name,) = function.parameters
    for node in ast.walk(function.node):
        answers = node.value if isinstance(node, ast.Return) else None
        parts = answers.elts if isinstance(answers, ast.Tuple) else [answers]
        if any(isinstance(part, ast.Name) and part.id == name for part in parts):
            yield ParameterUse(function.id, name, "argument", "function", certain=False)
            break


def _own_rows(flow: Flow) -> list[ParameterUse]:
    """The uses of the function's parameters, without those of its receiver's fields."""
    return [row for row in flow.rows if head_of(row.path) in flow.function.parameters]


def _read_elsewhere(
    rows: list[ParameterUse], known: set[str], elsewhere: Elsewhere
) -> Iterator[Flow]:
    """What functions of other modules do that parameters are handed on to, and their callees."""
    seen = set(known)
    for _ in range(MAX_PASSES):
        asked = [row.operand.partition("=")[0] for row in rows if row.operation == "pass"]
        rows = []
        for name in [one for one in dict.fromkeys(asked) if ":" in one and one not in seen]:
            seen.add(name)
            read = elsewhere(name) if len(seen) < len(known) + MAX_ELSEWHERE else None
            if read is not None:
                flow = walk_function(*read)
                rows += _own_rows(flow)
                yield flow


def _kept_uses(
    flow: Flow, by_field: dict[tuple[str, str], list[ParameterUse]]
) -> Iterator[ParameterUse]:
    """What the class does with the fields that keep a parameter, or have it as an item."""
    for (name, as_item), parameter in flow.kept.items():
        for row in by_field.get((flow.function.owner, name), []):
            after = of_kept(row.path.partition(f".{name}")[2], as_item=as_item)
            if after is not None:
                path = parameter + after
                yield replace(row, invocable=flow.function.id, path=path, certain=False)


def _stored_uses(field: Invocable, rows: list[ParameterUse]) -> Iterator[ParameterUse]:
    """What the class does with an open field, as uses of the value that is stored in it."""
    for row in rows:
        path = field.name + row.path.partition(f".{field.name}")[2]
        yield replace(row, invocable=field.id, path=path, certain=False)


def _passed_on(
    functions: list[FunctionSource], others: list[FunctionSource], found: list[ParameterUse]
) -> list[ParameterUse]:
    """``found``, and what callees do with a parameter that is passed on to them.

    Those of the module are known by their last names, too, ``others`` by their ids.  Several of one
    name count where they take the same: they implement one method.
    """
    by_name: dict[str, list[FunctionSource]] = {one.id: [one] for one in others}
    for function in functions:
        by_name.setdefault(function.id, []).append(function)
        by_name.setdefault(function.id.partition(":")[2].rpartition(".")[2], []).append(function)
    rows: dict[tuple[str, str], list[ParameterUse]] = {}
    for row in found:
        rows.setdefault((row.invocable, head_of(row.path)), []).append(row)
    kept: dict[str, list[ParameterUse]] = {one.id: [] for one in (*functions, *others)}
    for row in found:
        kept[row.invocable].append(row)
    for row in found:
        name, _, keyword = row.operand.partition("=")
        callees = by_name.get(name, []) if row.operation == "pass" else []
        are_alike = len({one.parameters for one in callees}) == 1
        if are_alike and (keyword or row.arity < len(callees[0].parameters)):
            parameter = keyword or callees[0].parameters[row.arity]
            used = [use for one in callees for use in rows.get((one.id, parameter), [])]
            sure = row.certain and len(callees) == 1
            tests = any(one.operation == "isinstance" and one.path == parameter for one in used)
            if not (tests and tells_kind(rows[row.invocable, head_of(row.path)], row.path)):
                kept[row.invocable] += [
                    replace(other, invocable=row.invocable, certain=other.certain and sure,
                            path=row.path + other.path[len(parameter) :])
                    for other in used
                ]  # fmt: skip
    return [row for own in kept.values() for row in list(dict.fromkeys(own))[:MAX_USES]]
