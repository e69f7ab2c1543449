"""Command lines that a program takes, read off the calls that declare its options.

Invariant: every command line is made of the words that ``add_argument`` declares and of values of
their types; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

#: Command lines of one module: a bound, as each is a run.
MAX_LINES: Final = 10
#: A value for each type that an option names.
_VALUES: Final = {"int": "3", "float": "1.5", "Path": "notes.txt", "open": "notes.txt"}
#: Actions of options that take no value.
_FLAGS: Final = ("store_true", "store_false", "store_const", "append_const", "count", "version")

CommandLine = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeclaredOption:
    """One option or positional argument, and the words that give it."""

    words: CommandLine
    required: bool


def command_lines(source: str) -> tuple[CommandLine, ...]:
    """Command lines for the parser of ``source``, the shortest that is accepted first."""
    options = list(_options(source))
    needed = [word for option in options if option.required for word in option.words]
    lines = [tuple(needed)]
    lines += [(*needed, *option.words) for option in options if not option.required]
    lines += [(*line[:-1], "-1") for line in lines if line[-1:] == (_VALUES["int"],)]
    lines += [(), ("--unknown",)]
    return tuple(dict.fromkeys(lines))[:MAX_LINES] if options else ()


def takers(source: str) -> tuple[tuple[str, str], ...]:
    """(function, parameter) where a function hands a parameter to ``parse_args``.

    The parameter is '' where the words come from ``sys.argv``, also of what calls such a function.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return ()
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found: dict[tuple[str, str], None] = {}
    for function in functions:
        names = {one.arg for one in (*function.args.posonlyargs, *function.args.args)}
        for word in _words_taken(function):
            if not word or word in names:
                found[function.name, word] = None
    calls = [(function.name, frozenset(_called(function))) for function in functions]
    size = 0
    while size != len(found):
        size = len(found)
        reading = {name for name, word in found if not word}
        found.update({(name, ""): None for name, called in calls if called & reading})
    return tuple(found)


def _called(function: ast.FunctionDef) -> Iterator[str]:
    """The functions that ``function`` calls by their names, and the methods of its own object."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Name(name)) | ast.Call(ast.Attribute(ast.Name("self"), name)):
                yield name


def _words_taken(function: ast.FunctionDef) -> Iterator[str]:
    """The names that ``function`` hands to ``parse_args``; '' for the words of the process."""
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(attr="parse_args" | "parse_known_args"), args):
                given = [one.id for one in args[:1] if isinstance(one, ast.Name)]
                yield given[0] if given else ""
            case ast.Attribute(ast.Name("sys"), "argv"):
                yield ""


def _options(source: str) -> Iterator[DeclaredOption]:
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    calls = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "add_argument"
    ]
    numbers = dict(_made_numbers(tree))
    for node in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
        names = [one.value for one in node.args if isinstance(one, ast.Constant)]
        texts = [name for name in names if isinstance(name, str) and name]
        if texts:
            settings = {word.arg: word.value for word in node.keywords if word.arg}
            kind = numbers.get(max(texts, key=len).lstrip("-").replace("-", "_"))
            yield _option(texts, {"type": ast.Name(kind), **settings} if kind else settings)


def _made_numbers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(attribute, type) of what the code makes a number of: ``int(args.count)``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("int" | "float" as kind), [ast.Attribute(attr=name)]):
                yield name, kind


def _option(names: list[str], settings: dict[str, ast.expr]) -> DeclaredOption:
    name = max(names, key=len)
    if not name.startswith("-"):
        optional = _text(settings.get("nargs")) in ("?", "*")
        return DeclaredOption((_value(name, settings),), not optional)
    required = _text(settings.get("required")) == "True"
    if _text(settings.get("action")) in _FLAGS:
        return DeclaredOption((name,), required)
    return DeclaredOption((name, _value(name.lstrip("-"), settings)), required)


def _value(name: str, settings: dict[str, ast.expr]) -> str:
    match settings.get("choices"):
        case ast.List([ast.Constant(value), *_]) | ast.Tuple([ast.Constant(value), *_]):
            return str(value)
    match settings.get("type"):
        case ast.Name(kind) | ast.Attribute(_, kind) if kind in _VALUES:
            return _VALUES[kind]
    return name


def _text(node: ast.expr | None) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""
