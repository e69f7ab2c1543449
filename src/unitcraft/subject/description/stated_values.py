"""Values that a module states for a parameter: texts that it is compared with, keys of tables.

Where ``if mode == "fast"`` stands, "fast" is what a caller passes; where ``TABLE[name]`` does, a
key of the table.  A function that hands its parameter on states what the callee does.  What
examples in texts of the module (``protocol: tcp``) and choices of its options show stands for any
parameter or key of that name.  A declared class of another project is not described; where it needs
no argument, a call of it is a value.

Invariant: nothing is run, no class called; the order is that of the source, for sets that of their
sorted texts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from unitcraft.core.sequences import Arg, Const, Display, arg_key
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import COMPARED, JOINED, STATED, CallerValue, Invocable
from unitcraft.subject.source_files import FunctionSource
from unitcraft.subject.static_lookup import is_class, mro, own_dict

#: Values kept for one parameter or name: later ones are seldom tried.
MAX_STATED: Final = 4
#: Callees of callees whose values count for a parameter that is passed on.
MAX_PASSES: Final = 3
#: Texts of a table that stand for all.
MAX_OF_TABLE: Final = 3
#: Lines ``name: value`` from which on a text of the module is an example of data, not prose.
MIN_LINES: Final = 3
#: Characters and words of a value in a text: a longer one is prose.
MAX_LENGTH: Final = 30
MAX_WORDS: Final = 2
_LINE: Final = re.compile(r"^\s*(?:- )?(\w+): +(.+?)\s*$", re.MULTILINE)
#: A text that describes options, where ``type: str`` is no value of anything.
_IS_REFERENCE: Final = re.compile(r"^\s*description:", re.MULTILINE)
_NUMBER: Final = re.compile(r"-?\d{1,6}")
#: Words of a document that stand for truth values.
_TRUTH: Final = {"true": True, "yes": True, "false": False, "no": False}
#: Methods after which a text still is what the caller passed, but for case and blanks.
_SAME: Final = frozenset(("lower", "upper", "strip", "casefold"))
#: Keys for an item of one's own, the first that the container lacks.
_KEYS = ("name", "key", "other")
#: Methods that put what they are given beside what is there.
_JOINING = ("update", "extend")
#: Parameter -> its values, of one function.
_Found = dict[str, dict[Arg, None]]


def compared_values(
    functions: list[FunctionSource], names: Mapping[str, Any]
) -> Iterator[CallerValue]:
    """What each parameter is compared with: texts, and what tables hold.

    ``names`` is the module's namespace.
    """
    found: dict[str, _Found] = {}
    for function in functions:
        own: _Found = {}
        for name, stated in _comparisons(function.node, _Names(names, function.owner)):
            if name in function.parameters:
                own.setdefault(name, {}).update(dict.fromkeys([Const(value) for value in stated]))
        found[function.id] = own
    named: dict[str, list[FunctionSource]] = {}
    for function in functions:
        named.setdefault(_called_name(function), []).append(function)
    handed = [(one, list(_calls_within(one, named))) for one in functions]
    for _ in range(MAX_PASSES):
        for function, calls in handed:
            _pass_on(function, calls, found)
    for id_, own in found.items():
        for name, values in own.items():
            for value in list(values)[:MAX_STATED]:
                yield CallerValue(id_, name, value, COMPARED)


class _Names(NamedTuple):
    """The module's namespace, and the class id of the function that looks things up in it."""

    of_module: Mapping[str, Any]
    owner: str

    def value(self, node: ast.expr) -> Any:
        """What a name, or a variable of a class, stands for; None where that is unknown."""
        match node:
            case ast.Name(id=name):
                return self.of_module.get(name)
            case ast.Attribute(value=ast.Name(id=holder), attr=name):
                own = self.owner.rpartition(":")[2] if holder in ("self", "cls") else holder
                cls = self.of_module.get(own)
                homes = mro(cls) if cls is not None and is_class(cls) else ()
                return next((own_dict(one)[name] for one in homes if name in own_dict(one)), None)
        return None


def _comparisons(node: ast.AST, names: _Names) -> Iterator[tuple[str, tuple[str | int, ...]]]:
    """(name, values) for each place where the code compares a name, or looks it up in a table."""
    for inner in ast.walk(node):
        match inner:
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                if isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
                    is_member = isinstance(op, ast.In | ast.NotIn)
                    yield _name(left), _members(right, names) if is_member else _texts(right)
            case ast.Subscript(value=table, slice=index, ctx=ast.Load()):
                yield _name(index), _members(table, names)
            case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[index, *_]):
                yield _name(index), _members(table, names)
            case ast.Match(subject=subject, cases=cases):
                for case in cases:
                    if isinstance(case.pattern, ast.MatchValue):
                        yield _name(subject), _texts(case.pattern.value)


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=inner, attr=method), args=[]) if method in _SAME:
            return _name(inner)
    return ""


def _texts(*nodes: ast.expr) -> tuple[str, ...]:
    """The texts among ``nodes``, but for empty ones."""
    values = [node.value for node in nodes if isinstance(node, ast.Constant)]
    return tuple([value for value in values if isinstance(value, str) and value])


def _members(node: ast.expr, names: _Names) -> tuple[str | int, ...]:
    """The first texts or numbers of a display, or of a table of the module or of a class."""
    if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict):
        nodes = node.keys if isinstance(node, ast.Dict) else node.elts
        stated = _telling(
            one.value if isinstance(one, ast.Constant) else names.value(one)
            for one in nodes if one is not None
        )  # fmt: skip
        return stated[:MAX_OF_TABLE] if isinstance(node, ast.Dict) else stated
    table = names.value(node)
    if type(table) not in (dict, list, tuple, set, frozenset):
        return ()
    is_ordered = type(table) not in (set, frozenset)
    return _telling(table if is_ordered else sorted(table, key=repr))[:MAX_OF_TABLE]


def _telling(values: Iterable[object]) -> tuple[str | int, ...]:
    """The texts with something in them, or the numbers: those of the class of the first."""
    kept = [one for one in values if type(one) is int or (type(one) is str and one)]
    return tuple([one for one in kept if type(one) is type(kept[0])])


def _calls_within(
    function: FunctionSource, named: Mapping[str, list[FunctionSource]]
) -> Iterator[tuple[FunctionSource, ast.Call]]:
    """The calls in ``function`` that name one function of the module, and that function."""
    for node in ast.walk(function.node):
        match node:
            case ast.Call(
                func=ast.Name(id=called) | ast.Attribute(value=ast.Name(id="self"), attr=called)
            ):
                alike = named.get(called, ())
                yield from [(one, node) for one in alike if len(alike) == 1]


def _pass_on(
    function: FunctionSource,
    calls: list[tuple[FunctionSource, ast.Call]],
    found: dict[str, _Found],
) -> None:
    """Add what a callee of the module states for a parameter that is handed on to it."""
    own = found[function.id]
    for callee, node in calls:
        pairs = list(zip(callee.parameters, node.args, strict=False))
        pairs += [(one.arg, one.value) for one in node.keywords if one.arg]
        for parameter, arg in pairs:
            stated = found[callee.id].get(parameter)
            if stated and isinstance(arg, ast.Name) and arg.id in function.parameters:
                own.setdefault(arg.id, {}).update(stated)


def _called_name(function: FunctionSource) -> str:
    return function.id.partition(":")[2].rpartition(".")[2]


def named_values(tree: ast.Module, invocables: tuple[Invocable, ...]) -> Iterator[CallerValue]:
    """What examples and choices of the module show under a name.

    Those without an Invocable are for keys of that name.
    """
    found: dict[str, dict[str, Arg]] = {}
    for name, value in (*_choices(tree), *_examples(tree)):
        held = found.setdefault(name, {})
        if len(held) < MAX_STATED:
            held.setdefault(arg_key(value), value)
    for name, values in found.items():
        takers = [one.id for one in invocables for each in one.parameters if each.name == name]
        for taker in ("", *takers):
            yield from (CallerValue(taker, name, value, STATED) for value in values.values())


def _examples(tree: ast.Module) -> Iterator[tuple[str, Arg]]:
    """(name, value) of the lines ``name: value`` in texts that the module gives a name."""
    for node in tree.body:
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found = _LINE.findall(value.value)
            if len(found) >= MIN_LINES and not _IS_REFERENCE.search(value.value):
                yield from ((name, arg) for name, text in found for arg in _scalars(text))


def _scalars(text: str) -> Iterator[Arg]:
    """The value that a line of a document gives, if it is a plain one."""
    text = text.partition(" #")[0].strip()
    if text[:1] in "\"'" and text[-1:] == text[:1]:
        text = text[1:-1]
    if _NUMBER.fullmatch(text):
        yield Const(int(text))
    elif text.lower() in _TRUTH:
        yield Const(_TRUTH[text.lower()])
    elif text[:1].isalnum() and len(text) <= MAX_LENGTH and len(text.split()) <= MAX_WORDS:
        yield Const(text)


def _choices(tree: ast.Module) -> Iterator[tuple[str, Arg]]:
    """(name, value) of choices and defaults that options of a command or of a table list.

    ``name=dict(choices=[...])`` and ``{"name": {"choices": [...]}}`` are such tables.
    """
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(attr="add_argument" | "option"), keywords=keywords):
                flags = [text for text in _texts(*node.args) if text.startswith("--")]
                for flag in flags[:1]:
                    yield from _option(flag.strip("-").replace("-", "_"), keywords)
            case ast.keyword(arg=str(name), value=ast.Call(func=ast.Name(id="dict")) as table):
                yield from _option(name, table.keywords)
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(value, ast.Dict) and isinstance(key, ast.Constant):
                        yield from _option(str(key.value), _as_keywords(value))


def _as_keywords(node: ast.Dict) -> list[ast.keyword]:
    return [
        ast.keyword(arg=key.value, value=value)
        for key, value in zip(node.keys, node.values, strict=True)
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    ]


def _option(name: str, keywords: list[ast.keyword]) -> Iterator[tuple[str, Arg]]:
    """(name, value) for the first of the choices, and for a default that says something."""
    stated = {one.arg: one.value for one in keywords}
    choices = stated.get("choices")
    nodes = choices.elts[:MAX_OF_TABLE] if isinstance(choices, ast.List | ast.Tuple) else []
    for node in (*nodes, *([stated["default"]] if "default" in stated else [])):
        value = literal_in(node)
        if isinstance(value, Const) and value.value not in (None, ""):
            yield name, value


def joined_values(functions: list[FunctionSource]) -> Iterator[CallerValue]:
    """A value for each parameter that is joined to a container of the function's own."""
    for function in functions:
        shown: dict[str, Arg] = {}
        for node in ast.walk(function.node):
            match node:
                case ast.Assign([ast.Name(name)], value):
                    like = _like(value)
                    if like is not None:
                        shown[name] = like
        for name, parameter in _joined(function.node):
            if name in shown and parameter in function.parameters:
                yield CallerValue(function.id, parameter, shown[name], JOINED)


def _joined(node: ast.AST) -> Iterator[tuple[str, str]]:
    """(container, what is joined to it), both names."""
    for inner in ast.walk(node):
        match inner:
            case ast.Call(ast.Attribute(ast.Name(name), method), [ast.Name(other)], []):
                if method in _JOINING:
                    yield name, other
            case ast.AugAssign(ast.Name(name), ast.Add() | ast.BitOr(), ast.Name(other)):
                yield name, other


def _like(node: ast.expr) -> Arg | None:
    """A container with one item as those of the display ``node`` are; None of all else."""
    shown = _literal(node)
    if not isinstance(shown, Display) or not shown.items:
        return None
    if shown.kind != "dict":
        return Display(shown.kind, shown.items[:1])
    keys = [one.value for one in shown.items[::2] if isinstance(one, Const)]
    free = [key for key in _KEYS if key not in keys]
    is_named = len(keys) == len(shown.items[::2]) and all(isinstance(key, str) for key in keys)
    return Display("dict", (Const(free[0]), shown.items[1])) if is_named and free else None


def _literal(node: ast.expr) -> Arg | None:
    """The display ``node``, also where it is written ``dict(name=...)``; None: it is no literal."""
    if not isinstance(node, ast.Call):
        return literal_in(node)
    if not isinstance(node.func, ast.Name) or node.func.id != "dict" or node.args:
        return None
    items: list[Arg] = []
    for one in node.keywords:
        value = _literal(one.value)
        if one.arg is None or value is None:
            return None
        items += (Const(one.arg), value)
    return Display("dict", tuple(items))
