"""The kinds of parameters by which code looks something up in what it keeps.

``self.sections.setdefault(header["name"].strip(), {})`` says that the keys of ``sections`` are
texts, and so is ``section`` where a method asks ``self.sections.get(section)``; whoever hands its
own parameter on to that method has it asked of that one.

Invariant: nothing is run; fields whose keys are of two kinds say nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from unitcraft.subject.description.callee_types import kinds_of
from unitcraft.subject.model import ParameterUse, Subject
from unitcraft.subject.passing.called_invocables import invocables_by_line
from unitcraft.subject.passing.expression_kinds import ExpressionTypes
from unitcraft.subject.passing.name_bindings import Scope
from unitcraft.subject.source_files import first_line

#: Steps from a field to what is looked up in it: a dictionary of dictionaries, by one name.  With
#: key kinds ``settings_file`` needs 13,500 runs of six seeds, 23,800 without.
MAX_NESTED: Final = 3
#: Methods of a dictionary whose first argument is a key.
_KEYED: Final = ("get", "pop", "setdefault")
#: Kinds of keys that people write.
_KINDS: Final = ("str", "int", "bytes")

#: (path of the class, name) of a field.
_Field = tuple[str, str]
#: (Invocable, name) of a parameter.
_Parameter = tuple[str, str]


def key_kinds(types: ExpressionTypes, subject: Subject) -> Iterator[ParameterUse]:
    """The uses that say so, of those that ask and of those that hand on to them."""
    stored, asked, handed = _read(types, subject)
    told: dict[_Parameter, str] = {}
    for place, fields in asked.items():
        kinds = {kind for field in fields for kind in stored.get(field, ())}
        if len(kinds) == 1:
            told[place] = kinds.pop()
    for giver, taker in handed.items():
        if taker in told:
            told.setdefault(giver, told[taker])
    open_ = {
        (one.id, part.name)
        for one in subject.invocables for part in one.parameters if part.origin == ""
    }  # fmt: skip
    for (invocable, path), kind in told.items():
        if (invocable, path) in open_:
            yield ParameterUse(invocable, path, "argument", kind, certain=False)


def _read(
    types: ExpressionTypes, subject: Subject
) -> tuple[dict[_Field, set[str]], dict[_Parameter, set[_Field]], dict[_Parameter, _Parameter]]:
    """The kinds of the keys of each field; where each parameter is looked up, and handed on to."""
    stored: dict[_Field, set[str]] = {}
    asked: dict[_Parameter, set[_Field]] = {}
    handed: dict[_Parameter, _Parameter] = {}
    at_line = invocables_by_line(subject)
    for scope in types.scopes.scopes:
        owners = at_line.get(first_line(scope.node), []) if scope.node is not None else []
        for field, key in _look_ups(scope):
            kind = kinds_of(types.type_of(key, scope))
            if kind in _KINDS:
                stored.setdefault(field, set()).add(kind)
            if isinstance(key, ast.Name):
                for one in owners:
                    asked.setdefault((one.id, key.id), set()).add(field)
        for name, taker in _handed_on(types, scope) if owners else ():
            for one in owners:
                handed.setdefault((one.id, name), taker)
    return stored, asked, handed


def _handed_on(types: ExpressionTypes, scope: Scope) -> Iterator[tuple[str, _Parameter]]:
    """(name, parameter that it is handed to) in the calls of a function."""
    for call in scope.calls:
        called, receivers = types.called(call.func, scope)
        taken = [one.name for one in called.parameters] if called is not None else []
        for name, arg in zip(taken, call.args[receivers:], strict=False):
            if isinstance(arg, ast.Name) and called is not None:
                yield arg.id, (called.id, name)


def _look_ups(scope: Scope) -> Iterator[tuple[_Field, ast.expr]]:
    """(field, key) of what a function stores in its fields and looks up there."""
    for node in ast.walk(scope.node) if scope.node is not None else ():
        match node:
            case ast.Subscript(held, key):
                pass
            case ast.Call(ast.Attribute(held, method), [key, *_]) if method in _KEYED:
                pass
            case ast.Compare(key, [ast.In() | ast.NotIn()], [held]):
                pass
            case _:
                continue
        field = _field_of(held, scope, MAX_NESTED)
        if field:
            yield (scope.owner, field), key


def _field_of(held: ast.expr, scope: Scope, depth: int) -> str:
    """The field that an expression stands for, ``[]`` behind it for what is under its keys."""
    match held:
        case ast.Attribute(ast.Name(name), field) if name == scope.receiver != "":
            return field
        case ast.Subscript(outer, _) | ast.Call(ast.Attribute(outer, "get" | "setdefault" | "pop")):
            inner = _field_of(outer, scope, depth - 1) if depth else ""
            return f"{inner}[]" if inner else ""
        case ast.Name(name) if depth:
            bound = [one.node for one in scope.bindings.get(name, ()) if one.node is not None]
            found = [_field_of(one, scope, depth - 1) for one in bound]
            return next(filter(None, found), "")
    return ""
