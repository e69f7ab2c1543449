"""Reads what the user gives: pragma comments and factory functions.

Invariant: both are read from source text; no code of the Subject or of the factories runs here.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from unitcraft.core.sequences import Arg, Build, Symbol
from unitcraft.subject.literal_args import literal_in
from unitcraft.subject.source_files import first_line, parse, read_source

FACTORIES_FILE: Final = "unitcraft_factories.py"

_PRAGMA: Final = re.compile(r"#\s*unitcraft:\s*(.+)$")
_WORD: Final = re.compile(r"^(skip|keep|pure|ignore)\b(?:\[([\w\s,]*)\])?", re.ASCII)
_VALUES: Final = re.compile(r"^values\s+(\w+)\s*=\s*(.+)$")


@dataclass(frozen=True, slots=True)
class Pragma:
    """A pragma about an Invocable or class; ``word`` is one of ``skip keep pure ignore values``.

    ``scope`` is the qualname ('': the whole module).  ``codes`` are the rule codes of ``ignore``
    (none: all); ``name`` and ``values`` the parameter and values of ``values``.  ``line`` is
    that of the comment.
    """

    scope: str
    word: str
    codes: tuple[str, ...] = ()
    name: str = ""
    values: tuple[Arg, ...] = ()
    line: int = 0


@dataclass(frozen=True, slots=True)
class Factory:
    """A function without required parameters that makes an instance of ``cls``.

    ``cls`` is the class id ``pkg.mod:Name`` if an import of the factory file names the module,
    else a guess: the class name, or the function's name without ``make_`` and the like, in
    lower case without underscores.
    """

    cls: str
    symbol: Symbol


@dataclass(frozen=True, slots=True)
class UserValues:
    """The pragmas and factories that the user gave for one Subject."""

    pragmas: tuple[Pragma, ...] = ()
    factories: tuple[Factory, ...] = ()

    def for_parameter(self, scope: str, name: str) -> tuple[Arg, ...]:
        """The values given for parameter ``name`` of the Invocable with qualname ``scope``."""
        if not name:
            return ()
        given = [one for one in self.pragmas if one.word == "values" and one.name == name]
        fitting = [one for one in given if one.scope in ("", scope)]
        return tuple([value for one in fitting for value in one.values])

    def of_class(self, home: str) -> tuple[Arg, ...]:
        """Calls of the factories that make instances of the class with id ``home``."""
        path = home.partition(":")[2]
        plain = path.rpartition(".")[2].lower().replace("_", "")
        return tuple([Build(one.symbol) for one in self.factories if one.cls in (home, plain)])

    def wishes(self, scope: str, word: str) -> tuple[Pragma, ...]:
        """The pragmas ``word`` that hold for ``scope``: its own, its class's, the module's."""
        return tuple(
            [
                one
                for one in self.pragmas
                if one.word == word
                and (one.scope in ("", scope) or scope.startswith(one.scope + "."))
            ]
        )


def read_user_values(source: str, factories: Path | None = None) -> UserValues:
    """The UserValues of a module's source text and of a factory file, if there is one."""
    made = tuple(_factories(read_source(str(factories)))) if factories is not None else ()
    return UserValues(tuple(pragmas_in(source)), made)


def find_factories(start: Path) -> Path | None:
    """The nearest ``tests/unitcraft_factories.py`` at or above ``start``, or None."""
    for folder in (start, *start.parents):
        for candidate in (folder / "tests" / FACTORIES_FILE, folder / FACTORIES_FILE):
            if candidate.is_file():
                return candidate
    return None


def pragmas_in(source: str) -> Iterator[Pragma]:
    """The Pragmas of a source text, by line.

    A comment on a line of its own belongs to the definition directly below it, else to the module
    if it is not indented; a comment after code belongs to the definition in whose head it is.
    """
    comments = dict(_comments(source))
    if not comments:
        return
    spans = list(_spans(parse(source), ""))
    lines = source.splitlines()
    for line, text in comments.items():
        scope = _scope_of_comment(spans, lines, line)
        if scope is not None:
            yield from _parse_pragma(text, scope, line)


def _comments(source: str) -> Iterator[tuple[int, str]]:
    if "unitcraft:" not in source:
        return
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            match = _PRAGMA.search(token.string) if token.type == tokenize.COMMENT else None
            if match:
                yield token.start[0], match.group(1).strip()
    except (tokenize.TokenError, SyntaxError):
        return


def _parse_pragma(text: str, scope: str, line: int) -> Iterator[Pragma]:
    word = _WORD.match(text)
    if word:
        listed = [code.strip() for code in (word.group(2) or "").split(",")]
        yield Pragma(scope, word.group(1), tuple([code for code in listed if code]), line=line)
    values = _VALUES.match(text)
    if values:
        yield Pragma(scope, "values", (), values.group(1), _elements_of(values.group(2)), line)


def _elements_of(text: str) -> tuple[Arg, ...]:
    """The literal elements of a list or tuple display; () for other texts."""
    body = parse(text).body
    node = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
    elements = node.elts if isinstance(node, ast.List | ast.Tuple) else []
    found = [literal_in(part) for part in elements]
    return tuple([value for value in found if value is not None])


def _spans(tree: ast.AST, prefix: str) -> Iterator[tuple[int, int, str]]:
    """(first line, last line of the head, qualname) of each definition, outer first."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            path = prefix + node.name
            yield first_line(node), max(node.lineno, first_line(node.body[0]) - 1), path
            yield from _spans(node, path + ".")
        elif not isinstance(node, ast.expr):
            yield from _spans(node, prefix)


def _scope_of_comment(spans: list[tuple[int, int, str]], lines: list[str], line: int) -> str | None:
    """The qualname to which a comment on ``line`` (from 1) belongs, or None."""
    here = lines[line - 1]
    if not here.lstrip().startswith("#"):
        return next((path for first, last, path in spans if first <= line <= last), None)
    below = line
    while below < len(lines) and lines[below].lstrip().startswith("#"):
        below += 1
    owner = next((path for first, _, path in spans if first == below + 1), None)
    return "" if owner is None and here.startswith("#") else owner


def _factories(source: str) -> Iterator[Factory]:
    tree = parse(source)
    imported = {
        alias.asname or alias.name: f"{node.module}:{alias.name}"
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and not node.level
        for alias in node.names
    }
    for node in tree.body:
        if (
            isinstance(node, ast.FunctionDef)
            and not _has_required_parameters(node)
            and node.name[0] != "_"
        ):
            yield Factory(_class_made_by(node, imported), Symbol(FACTORIES_FILE[:-3], node.name))


def _has_required_parameters(node: ast.FunctionDef) -> bool:
    positional = len(node.args.posonlyargs) + len(node.args.args)
    return positional > len(node.args.defaults) or None in node.args.kw_defaults


def _class_made_by(node: ast.FunctionDef, imported: dict[str, str]) -> str:
    match node.returns:
        case ast.Name(id=name) | ast.Constant(value=str(name)):
            return imported.get(name, _normalise(name))
        case ast.Attribute(value=module, attr=name):
            return f"{ast.unparse(module)}:{name}"
    return _normalise(node.name.removeprefix("make_").removeprefix("create_").removeprefix("a_"))


def _normalise(name: str) -> str:
    return name.lower().replace("_", "")
