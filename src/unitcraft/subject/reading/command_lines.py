"""Command lines that a program takes, made of the options that its parsers declare.

Invariant: every command line is made of the words that ``add_argument`` and ``add_parser`` declare
and of values of their types; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import Final

from unitcraft.subject.reading.declared_options import CommandLine, DeclaredOption
from unitcraft.subject.reading.declared_parsers import DeclaredParser, declared_parser

#: Command lines of one module: a bound, as each is a run.  In 141 files of installed projects that
#: have sub-commands, no parser has more than 13.
MAX_LINES: Final = 24
#: Sub-commands below each other: in 119 of those files one or two, in the others four.
MAX_DEPTH: Final = 3
#: Lines that most parsers refuse.
_REFUSED: Final = ((), ("--unknown",))

#: An option, and words that give it.
_Given = tuple[DeclaredOption, CommandLine]
#: One that a line is to have.
_Choice = _Given | None


def command_lines(source: str) -> tuple[CommandLine, ...]:
    """Command lines for the parser of ``source``, the shortest that is accepted first.

    Those of several sub-commands have turns: first comes the shortest of each.
    """
    root = declared_parser(source)
    if not root.options and not root.commands:
        return ()
    ways = list(_ways((root,)))
    lines = [_lines(way, at, len(ways)) for at, way in enumerate(ways)]
    in_turns = chain.from_iterable(zip_longest(*lines))
    accepted = dict.fromkeys(line for line in in_turns if line is not None)
    refused = [line for line in _REFUSED if line not in accepted]
    return (*list(accepted)[: MAX_LINES - len(refused)], *refused)


def _ways(way: tuple[DeclaredParser, ...]) -> Iterator[tuple[DeclaredParser, ...]]:
    """The parsers that read one line each, from the root to the last sub-command."""
    commands = way[-1].commands if len(way) <= MAX_DEPTH else []
    if not commands:
        yield way
    for command in commands:
        yield from _ways((*way, command))


def _lines(way: tuple[DeclaredParser, ...], at: int, count: int) -> Iterator[CommandLine]:
    """Lines of one sub-command, the ``at``-th of ``count``.

    It has all values of its own options, and its share of those of the parsers above it.
    """
    yield _line(way)
    above = [option for parser in way[:-1] for option in parser.options]
    own = [*way[-1].options, *above[at::count]]
    for option in own:
        yield _line(way, (option, option.words))
    for choice in _others(own):
        yield _line(way, choice)


def _others(options: list[DeclaredOption]) -> Iterator[_Given]:
    """Further values, the first of each option first."""
    rows = [[(option, words) for words in option.others] for option in options]
    yield from (one for one in chain.from_iterable(zip_longest(*rows)) if one is not None)


def _line(way: tuple[DeclaredParser, ...], choice: _Choice = None) -> CommandLine:
    """The words that the parsers of ``way`` require, in order, and those of a choice."""
    words: list[str] = []
    for parser in way:
        given = sorted(_given(parser.options, choice), key=lambda one: _place(one[0], choice))
        words += [parser.name] if parser.name else []
        for option, own in given:
            words += own if parser is way[-1] or not option.takes_rest else ()
    return tuple(words)


def _place(option: DeclaredOption, choice: _Choice) -> tuple[bool, ...]:
    """Where an option stands: behind those known by their place, what is chosen last of all."""
    if option.is_positional:
        return (False,)
    return (True, option.takes_rest, choice is not None and option is choice[0])


def _given(options: list[DeclaredOption], choice: _Choice) -> Iterator[_Given]:
    """The options of one parser that a line has, each with its words.

    Those that name a file when they are left out are among them: which file of that name there is
    in the current folder depends on where a test runs.
    """
    groups = [choice[0].group] if choice is not None and choice[0] in options else []
    for option in options:
        if choice is not None and option is choice[0]:
            yield choice
        elif option.group and option.group in groups:
            continue
        elif option.required or option.has_file:
            groups.append(option.group)
            yield option, option.words


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
