"""Collects the regular expressions of a module with their flags.

Invariant: every pattern collected compiles with its flags on this interpreter.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Const
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.model import Regex
from unitcraft.subject.scopes import callee_name, is_docstring, walk_scopes

#: Functions of ``re`` whose first argument is a pattern.
_FUNCTIONS: Final = frozenset(
    [
        "compile",
        "match",
        "search",
        "fullmatch",
        "sub",
        "subn",
        "findall",
        "finditer",
        "split",
        "template",
    ]
)

#: Those among them, and methods of what is compiled, that look a text up.
_LOOKING_UP: Final = frozenset({"match", "search", "fullmatch", "findall", "finditer"})

#: A text that contains this counts as a regex although it is not passed to ``re`` directly.
_LOOKS_LIKE: Final = re.compile(
    r"\(\?[:iPsmx=!<]|\\[dwsbDWSAZ]|\[\^?[^\]]+\][+*{$)]|^\^.|[^\s]\$$|\.[*+]"
)

#: The same where the module does not use ``re``: what only a helper of others can take as one.
_MUST_BE: Final = re.compile(r"\(\?(?:P<|[:=!])|\[\^[^\]]+\][+*]|\((?:\\[dwsS]|\.)[+*]")

MAX_PATTERN: Final = 2000  # characters of a pattern; longer ones take long to parse


def regexes_in(tree: ast.Module) -> tuple[Regex, ...]:
    """The Regexes of a module in source order, without repeats in one scope."""
    found: dict[tuple[str, str], Regex] = {}
    for one in _passed_to_re(tree):
        found.setdefault((repr(one.pattern), one.scope), one)
    uses_re = _imports_re(tree)
    patterns = [repr(one.pattern) for one in found.values()]
    for one in _lookalikes(tree):
        is_one = uses_re or _MUST_BE.search(str(one.pattern))
        if is_one and repr(one.pattern) not in patterns:
            found.setdefault((repr(one.pattern), one.scope), one)
    return tuple(found.values())


def _passed_to_re(tree: ast.Module) -> Iterator[Regex]:
    """The first arguments of ``re`` functions; a name stands for the text assigned to it."""
    named = _named_texts(tree)
    for node, scope in walk_scopes(tree):
        found = _given_to(node, named)
        if found is not None:
            yield replace(found, scope=scope)


def regexes_of_calls(tree: ast.Module) -> dict[tuple[int, int], Regex]:
    """(line, column) of each call that looks a text up -> the Regex by which it does.

    It is a call of ``re``, of what a name stands for that ``re.compile`` made, or of a helper that
    is given what looks like a regex, or several of them.
    """
    named = _named_texts(tree)
    compiled: dict[str, Regex] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name() | ast.Attribute() as target], ast.Call() as call):
                made = _given_to(call, named) if callee_name(call) == "compile" else None
                if made is not None:
                    compiled[_last_name(target)] = made
    found: dict[tuple[int, int], Regex] = {}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        regex = None
        if callee_name(node) in _LOOKING_UP:
            owner = _last_name(node.func.value) if isinstance(node.func, ast.Attribute) else ""
            regex = compiled.get(owner) or _given_to(node, named)
        elif callee_name(node) not in _FUNCTIONS:
            regex = _given_to_helper(node, named)
        if regex is not None:
            found[node.lineno, node.col_offset] = regex
    return found


def _given_to_helper(node: ast.Call, named: dict[str, str | bytes]) -> Regex | None:
    """The first argument that looks like a regex, or the first item of one of several."""
    for arg in node.args:
        first = arg.elts[0] if isinstance(arg, ast.Tuple | ast.List) and arg.elts else arg
        text = _text(first, named)
        if isinstance(text, str) and looks_like_regex(text) and is_valid_regex(text, 0):
            return Regex(text, 0, "")
    return None


def _last_name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _given_to(node: ast.AST, named: dict[str, str | bytes]) -> Regex | None:
    """The Regex, of no scope, that a call of ``re`` is given."""
    if not isinstance(node, ast.Call) or callee_name(node) not in _FUNCTIONS or not node.args:
        return None
    pattern = _text(node.args[0], named) if _may_be_re(node) else None
    flags = _flags(node)
    is_one = pattern is not None and is_valid_regex(pattern, flags)
    return Regex(pattern, flags, "") if pattern is not None and is_one else None


def _may_be_re(node: ast.Call) -> bool:
    if isinstance(node.func, ast.Attribute):
        owner = node.func.value
        return isinstance(owner, ast.Name) and owner.id in ("re", "regex", "_re", "sre")
    return True


def _lookalikes(tree: ast.Module) -> Iterator[Regex]:
    documentation = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and is_docstring(node)
    }
    for node, scope in walk_scopes(tree):
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            value = node.value
            if isinstance(value, str) and looks_like_regex(value) and is_valid_regex(value, 0):
                yield Regex(value, 0, scope)


def looks_like_regex(text: str) -> bool:
    """Does a text look like a regex, and not like a format template with ``{name}`` fields?"""
    return bool(_LOOKS_LIKE.search(text)) and not re.search(r"\{[A-Za-z_]\w*\}", text)


def _named_texts(tree: ast.Module) -> dict[str, str | bytes]:
    found: dict[str, str | bytes] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                text = _text(value, found)
                if text is not None:
                    found[name] = text
    return found


def _text(node: ast.expr, named: dict[str, str | bytes]) -> str | bytes | None:
    match node:
        case ast.Name(id=name):
            return named.get(name)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            first, second = _text(left, named), _text(right, named)
            if isinstance(first, str) and isinstance(second, str):
                return first + second
            return None
    value = literal_in(node)
    text = value.value if isinstance(value, Const) else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
        text = node.value  # longer than an argument may be
    return text if isinstance(text, str | bytes) and len(text) <= MAX_PATTERN else None


def _flags(node: ast.Call) -> int:
    keywords = [part.value for part in node.keywords if part.arg == "flags"]
    at = {"sub": 4, "subn": 4, "split": 3, "compile": 1}.get(callee_name(node), 2)
    flags = 0
    for part in [*keywords, *node.args[at : at + 1]]:
        for inner in ast.walk(part):
            name = inner.attr if isinstance(inner, ast.Attribute) else getattr(inner, "id", "")
            flag = re.RegexFlag.__members__.get(str(name))
            flags |= int(flag) if flag is not None and flag.name != "DEBUG" else 0
    return flags


def is_valid_regex(pattern: str | bytes, flags: int) -> bool:
    """Is it a valid regular expression?"""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern, flags)
    except (re.error, ValueError, OverflowError, RecursionError, TypeError):
        return False
    return True


def _imports_re(tree: ast.Module) -> bool:
    return any(
        (
            isinstance(node, ast.Import)
            and any(alias.name in ("re", "regex") for alias in node.names)
        )
        or (isinstance(node, ast.ImportFrom) and node.module in ("re", "regex"))
        for node in ast.walk(tree)
    )
