"""Templates in which everything stands that the code fills in.

A function that formats a text of its caller computes what may stand in it; no test sees a value for
which its text has no place.

Invariant: a template has the places that the code fills by name, in the order of the source, or one
by position where it fills none by name.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.subject.scopes import walk_scopes

#: Places of a template; more are no example of one.
MAX_PLACES: Final = 6
#: How a place is written: by ``format`` and by ``%``.
_BRACED: Final = "{{{}}}"
_PERCENT: Final = "%({})s"


def templates_by_scope(tree: ast.Module) -> dict[str, dict[str, str]]:
    """Scope -> name of the variable or attribute that it formats -> a template for that."""
    found: dict[str, dict[str, str]] = {}
    held = _held_keys(tree)
    for node, scope in walk_scopes(tree):
        match node:
            case ast.Call(ast.Attribute(text, "format"), args, keywords):
                names = [name for one in keywords for name in _names_of(one, held.get(scope, {}))]
                pattern, is_filled = _BRACED, bool(args)
            case ast.BinOp(text, ast.Mod(), right):
                names, pattern, is_filled = _keys(right, held.get(scope, {})), _PERCENT, False
            case _:
                continue
        name = _name(text)
        if name and (names or is_filled):
            places = [pattern.format(one) for one in dict.fromkeys(names)][:MAX_PLACES]
            found.setdefault(scope, {}).setdefault(name, " ".join(places) or "{}")
    return found


def _held_keys(tree: ast.Module) -> dict[str, dict[str, list[str]]]:
    """Scope -> variable -> the keys of the dictionary that is assigned to it there."""
    found: dict[str, dict[str, list[str]]] = {}
    for node, scope in walk_scopes(tree):
        match node:
            case ast.Assign([ast.Name(name)], ast.Dict() as value):
                found.setdefault(scope, {})[name] = _keys(value, {})
    return found


def _names_of(keyword: ast.keyword, held: Mapping[str, list[str]]) -> list[str]:
    return [keyword.arg] if keyword.arg is not None else _keys(keyword.value, held)


def _keys(node: ast.expr, held: Mapping[str, list[str]]) -> list[str]:
    """The texts that are keys of a dictionary, or of the one that a variable holds."""
    match node:
        case ast.Dict(keys):
            constants = [one.value for one in keys if isinstance(one, ast.Constant)]
            return [one for one in constants if isinstance(one, str)]
        case ast.Name(name):
            return held.get(name, [])
        case _:
            return []


def _name(text: ast.expr) -> str:
    """What holds a text is called, without underscores; '' for a text of the code itself."""
    match text:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name.strip("_")
        case _:
            return ""


def with_templates(
    sequence: Sequence, templates: Mapping[str, str], parameters: Callable[[int], tuple[str, ...]]
) -> Iterator[Sequence]:
    """``sequence`` with a template for each parameter that one of its Calls has and that holds one.

    ``parameters`` names the parameters of Call number n that are given by place or by name.
    """
    for at, call in enumerate(sequence.calls):
        names = parameters(at)
        for name, template in templates.items():
            if name in names:
                made = _given(call, names.index(name), name, Const(template))
                yield Sequence((*sequence.calls[:at], made, *sequence.calls[at + 1 :]))


def _given(call: Call, place: int, name: str, value: Const) -> Call:
    """``call`` with ``value`` for its parameter ``name``, number ``place``."""
    first = 1 if call.kind == "method" else 0
    at = first + place
    if at < len(call.args):
        args = (*call.args[:at], value, *call.args[at + 1 :])
        return Call(call.kind, call.name, args, call.kwargs, call.then)
    kwargs = tuple({**dict(call.kwargs), name: value}.items())
    return Call(call.kind, call.name, call.args, kwargs, call.then)
