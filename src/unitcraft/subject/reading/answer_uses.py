"""What the code does with the answer of each call: where it uses it, and what it makes of it.

``rc, out, err = module.run_command("uptime")`` followed by ``out.split(",")[2]`` says that the
answer has three items, and that the second is a text with three parts.  A stand-in for
``run_command`` can answer so at once.

Invariant: nothing is run; an answer is followed by its names, until they are bound again.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from unitcraft.core.sequences import Atom
from unitcraft.subject.model import Regex
from unitcraft.subject.reading.regexes import regexes_of_calls
from unitcraft.subject.scopes import (
    callee_name,
    head_expressions,
    statement_blocks,
    word_set,
)
from unitcraft.subject.source_files import FunctionSource

#: The name of an answer that the code gives none.
ANSWER: Final = "answer"
#: Statements behind a call in which its answer is followed: a bound for generated code.
MAX_FOLLOWED: Final = 60
MAX_CALLS: Final = 2_000  # of one module whose answers are followed: the same
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINITIONS: Final = (*_FUNCTIONS, ast.ClassDef)
#: Nodes whose names are remembered: those of one long function.
MAX_KNOWN: Final = 8_192
#: Builtin functions, and methods of texts and containers, are not what a test replaces.
_OF_BUILTINS: Final = frozenset(dir(builtins)).union(
    name for cls in (str, list, dict, set) for name in dir(cls) if name not in ("get", "index")
)
#: Methods of a text that take its parts.
_SPLITS: Final = word_set("split rsplit partition rpartition")
_NUMBERS: Final = word_set("int float")
#: Methods that texts and bytes alone have.
_OF_TEXTS: Final = frozenset([*dir(str), "decode"]).difference(dir(list), dir(dict))


@dataclass(slots=True)
class PartUse:
    """What becomes of one named part of an answer (mutable: it is read step by step).

    ``separators``: at which texts it is split, the first one first, and how many parts are asked
    for.  ``compared``: the literals that it is compared with.  ``is_number``: a number is read from
    it, or from a part of it.  ``texts``: the names of it
    and of its parts as texts, ``looked_up``: where calls that are given these stand, ``regexes``:
    those by which they look them up.
    """

    name: str
    lines: set[int] = field(default_factory=set)
    separators: dict[str, int] = field(default_factory=dict)
    compared: list[Atom] = field(default_factory=list)
    is_number: bool = False
    texts: set[str] = field(default_factory=set)
    looked_up: list[tuple[int, int]] = field(default_factory=list)
    regexes: list[Regex] = field(default_factory=list)


class AnswerUse(NamedTuple):
    """The answer of one call of ``name`` in ``scope``, whose first argument is one of ``keys``.

    ``keys`` is () where the source does not tell it.  ``lines`` are those that use the answer;
    ``function`` does with its parameters, the ``parts``, what the code does with them.
    ``is_unpacked``: the parts are the items of the answer.
    """

    scope: str
    name: str
    keys: tuple[str, ...]
    lines: frozenset[int]
    parts: tuple[PartUse, ...]
    function: FunctionSource
    is_unpacked: bool


def answer_uses(tree: ast.Module) -> tuple[AnswerUse, ...]:
    """The answers of the calls in the functions of a module, in the order of the source."""
    found: list[AnswerUse] = []
    regexes = regexes_of_calls(tree)
    for function, scope in _functions(tree, ""):
        texts = _bound_texts(function)
        for statement, after in _statements(function.body, []):
            for call in _calls_in(statement):
                name = callee_name(call)
                if name and name not in _OF_BUILTINS and len(found) < MAX_CALLS:
                    found.append(_use_of(call, name, _keys(call, texts), scope, statement, after))
    for part in [part for use in found for part in use.parts]:
        part.regexes += [regexes[at] for at in part.looked_up if at in regexes]
    return tuple(found)


def _functions(node: ast.AST, scope: str) -> Iterator[tuple[ast.FunctionDef, str]]:
    """(function, its scope) of a module and its classes; nested functions count to theirs."""
    for child in ast.iter_child_nodes(node):
        inner = f"{scope}.{child.name}" if scope and isinstance(child, _DEFINITIONS) else scope
        if isinstance(child, _FUNCTIONS):
            yield child, inner or child.name  # type: ignore[misc]  # both have what is read
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, inner or child.name)
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _functions(child, scope)


def _bound_texts(function: ast.AST) -> dict[str, tuple[str, ...]]:
    """Name -> the texts that a loop or an assignment binds it to."""
    found: dict[str, tuple[str, ...]] = {}
    for node in ast.walk(function):
        match node:
            case ast.For(ast.Name(name), ast.List(parts) | ast.Tuple(parts)):
                found[name] = tuple(_texts(parts))
            case ast.Assign([ast.Name(name)], ast.Constant(str(text))):
                found[name] = (*found.get(name, ()), text)
    return found


def _texts(parts: list[ast.expr]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str):
            yield part.value


def _keys(call: ast.Call, bound: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    match call.args[:1]:
        case [ast.Constant(str(text))]:
            return (text,)
        case [ast.Name(name)]:
            return bound.get(name, ())
    return ()


def _statements(
    body: list[ast.stmt], after: list[ast.stmt]
) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    """(statement, what runs after it): the rest of its block, then of those around it."""
    for at, statement in enumerate(body):
        rest = [*body[at + 1 : at + 1 + MAX_FOLLOWED], *after][:MAX_FOLLOWED]
        yield statement, rest
        if not isinstance(statement, _DEFINITIONS):
            for inner in statement_blocks(statement):
                yield from _statements(inner, rest)


def _heads(statement: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """(field, expression) that a statement evaluates itself, not in its blocks."""
    for name, value in ast.iter_fields(statement):
        if isinstance(value, ast.expr):
            yield name, value


def _calls_in(statement: ast.stmt) -> Iterator[ast.Call]:
    for head in head_expressions(statement):
        for node in ast.walk(head):
            if isinstance(node, ast.Call):
                yield node


def _use_of(
    call: ast.Call,
    name: str,
    keys: tuple[str, ...],
    scope: str,
    statement: ast.stmt,
    after: list[ast.stmt],
) -> AnswerUse:
    names, is_unpacked, body = [ANSWER], False, after
    match statement:
        case ast.Assign([ast.Tuple(targets) | ast.List(targets)], value) if value is call and all(
            isinstance(one, ast.Name) for one in targets
        ):
            names = [one.id for one in targets if isinstance(one, ast.Name)]
            is_unpacked = True
        case ast.Assign([ast.Name(bound)], value) if value is call:
            names = [bound]
        case _:
            body = [_with_name(statement, call), *after]
    parts = tuple([_follow(one, body) for one in names])
    lines = set(range(statement.lineno, (call.end_lineno or call.lineno) + 1))
    lines = lines.union(*[part.lines for part in parts])
    body = list(_statements_about(set(names), body))
    made = ast.FunctionDef(
        name, ast.arguments([], [ast.arg(one) for one in names], None, [], [], None, []), body, []
    )
    function = FunctionSource(f"{scope}:{name}", tuple(names), made)
    return AnswerUse(scope, name, keys, frozenset(lines), parts, function, is_unpacked)


def _statements_about(names: set[str], body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that name one of ``names``, or what such a statement made of it."""
    for one in body:
        if not _names_in(one).isdisjoint(names):
            yield one
            match one:
                case ast.Assign([ast.Name(name)]):
                    names.add(name)


class _Naming(ast.NodeTransformer):
    """Puts a name in the place of one call."""

    def __init__(self, call: ast.Call) -> None:
        self.at = (call.lineno, call.col_offset, call.end_col_offset)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """The name, or the call with what is inside it visited."""
        if (node.lineno, node.col_offset, node.end_col_offset) == self.at:
            return ast.copy_location(ast.Name(ANSWER, ast.Load()), node)
        return self.generic_visit(node)


def _with_name(statement: ast.stmt, call: ast.Call) -> ast.stmt:
    """``statement`` with the name of the answer in place of ``call``; its blocks are shared."""
    made = copy.copy(statement)
    for name, value in _heads(statement):
        if any(node is call for node in ast.walk(value)):
            setattr(made, name, _Naming(call).visit(copy.deepcopy(value)))
    return made


def _follow(name: str, body: list[ast.stmt]) -> PartUse:
    """What ``body`` does with the part ``name``, until it is bound to something else."""
    _follow_in(use := PartUse(name, texts={name}), {name: ""}, body)
    return use


def _follow_in(use: PartUse, known: dict[str, str], body: list[ast.stmt]) -> None:
    """Note what ``body`` does with the names in ``known``, of the part or made of it.

    The value of a name in ``known`` is the text at which it was split, '' if it was not.
    """
    for statement in body:
        if isinstance(statement, _DEFINITIONS) or not _mentions(statement, known):
            continue
        for _, head in _heads(statement):
            if _mentions(head, known):
                _note_all(use, known, head)
        match statement:
            case ast.Assign(targets, value):
                for target in targets:
                    _bind(use, known, target, value)
            case ast.For(target, over):
                _bind(use, known, target, over)
        for inner in statement_blocks(statement):
            _follow_in(use, known, inner)


def _note_all(use: PartUse, known: dict[str, str], head: ast.expr) -> None:
    use.lines.update(range(head.lineno, (head.end_lineno or head.lineno) + 1))
    for node in ast.walk(head):
        _bind_in_comprehension(use, known, node)
    for node in ast.walk(head):
        _note(use, known, node)


def _mentions(node: ast.AST, known: dict[str, str]) -> bool:
    return not _names_in(node).isdisjoint(known)


@lru_cache(maxsize=MAX_KNOWN)
def _names_in(node: ast.AST) -> frozenset[str]:
    return frozenset([one.id for one in ast.walk(node) if isinstance(one, ast.Name)])


def _bind_in_comprehension(use: PartUse, known: dict[str, str], node: ast.AST) -> None:
    if isinstance(node, ast.comprehension) and _mentions(node.iter, known):
        is_text = _is_text_of(node.iter, use.texts)
        for one in ast.walk(node.target):
            if isinstance(one, ast.Name):
                known[one.id] = ""
                use.texts.update([one.id] if is_text else ())


def _is_text_of(node: ast.expr, texts: set[str]) -> bool:
    """Is ``node`` one of ``texts``, or what methods of texts and indexes make of one?"""
    match node:
        case ast.Name(name):
            return name in texts
        case ast.Call(ast.Attribute(receiver, attr)):
            return attr in _OF_TEXTS and _is_text_of(receiver, texts)
        case ast.Subscript(value, ast.Slice() | ast.Constant(int())):
            return _is_text_of(value, texts)
    return False


def _bind(use: PartUse, known: dict[str, str], target: ast.expr, value: ast.expr) -> None:
    """Note what ``target`` is from now on: made of the part, or something else."""
    is_made_of_it = _mentions(value, known)
    separator = _separator(value, known)
    is_text = _is_text_of(value, use.texts)
    if separator and isinstance(target, ast.Tuple):
        use.separators[separator] = max(use.separators.get(separator, 0), len(target.elts))
    for node in ast.walk(target):
        if isinstance(node, ast.Name) and is_made_of_it:
            known[node.id] = separator if node is target else ""
        elif isinstance(node, ast.Name):
            known.pop(node.id, None)
        if isinstance(node, ast.Name):
            (use.texts.add if is_text else use.texts.discard)(node.id)


def _separator(node: ast.expr, known: dict[str, str]) -> str:
    """The text at which ``node`` has split the part, or something made of it ('' for none)."""
    match node:
        case ast.Name(name):
            return known.get(name, "")
        case ast.Call(ast.Attribute(receiver, attr), args) if attr in _SPLITS:
            if _mentions(receiver, known):
                return next(_texts(args[:1]), "" if args else " ")
    return ""


def _note(use: PartUse, known: dict[str, str], node: ast.AST) -> None:
    match node:
        case ast.Call() if separator := _separator(node, known):
            use.separators.setdefault(separator, 0)
        case ast.Call(ast.Name(name), [first, *_]) if name in _NUMBERS and _mentions(first, known):
            use.is_number = True
        case ast.Call(_, args) if any(_is_text_of(one, use.texts) for one in args):
            use.looked_up.append((node.lineno, node.col_offset))
        case ast.Subscript(value, ast.Constant(int(index))):
            if (separator := _separator(value, known)) and index >= 0:
                use.separators[separator] = max(use.separators.get(separator, 0), index + 1)
        case ast.Compare(ast.Name(name), [_], [ast.Constant(value)]) if name == use.name:
            use.compared.append(value)
