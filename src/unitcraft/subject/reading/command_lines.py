"""Command lines that a program takes, made of the options that its parsers or commands declare.

Invariant: every command line is made of the words that ``add_argument`` and ``add_parser``, or
commands of click, declare and of values of their types; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import Final

from unitcraft.subject.model import Command, CommandOption
from unitcraft.subject.reading.declared_options import (
    CommandLine,
    DeclaredOption,
    option_of_command,
)
from unitcraft.subject.reading.declared_parsers import DeclaredParser, declared_parser

#: Command lines of one module: a bound, as each is a run.  In 141 files of installed projects that
#: have sub-commands, no parser has more than 13.
MAX_LINES: Final = 24
#: Sub-commands below each other: in 119 of those files one or two, in the others four.
MAX_DEPTH: Final = 3
#: A text that is no number.
NO_NUMBER: Final = "abc"
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


def lines_of_command(command: Command) -> tuple[tuple[CommandLine, str], ...]:
    """(words, what a person types) for a command of click; the last is one that it refuses.

    Where a person is asked for an option, one line has it, and the others have the answer typed.
    """
    asked = [one for _, options in command.parts for one in options if one.prompts]
    lines = [_shifted(line) for line in dict.fromkeys(_lines(_way_to(command), 0, 1))]
    if any(one.count < 0 and not one.required for _, options in command.parts for one in options):
        lines.append(_names(command))
    typed = [_answers(line, asked) for line in lines]
    answers = ("y\n", "n\n") if command.asks else ("",)
    found = dict.fromkeys(
        (line, text + answer) for answer in answers for line, text in zip(lines, typed, strict=True)
    )
    refused = [(line, "") for line in [refused_line(command)] if line]
    return (*list(found)[: MAX_LINES - len(refused)], *refused)


def refused_line(command: Command) -> CommandLine:
    """The words of a line that a command of click refuses: no number, or not what it requires."""
    way = _way_to(command)
    for option, known in zip(command.parts[-1][1], way[-1].options, strict=True):
        if option.kind in ("int", "float"):
            return _line(way, (known, (*known.words[:-1], NO_NUMBER)))
    is_asked = any(one.required for _, options in command.parts for one in options)
    return _names(command) if is_asked else ()


def _names(command: Command) -> CommandLine:
    return tuple([name for name, _ in command.parts if name])


def _way_to(command: Command) -> tuple[DeclaredParser, ...]:
    return tuple(
        [DeclaredParser(name, list(map(option_of_command, own))) for name, own in command.parts]
    )


def _shifted(line: CommandLine) -> CommandLine:
    """``line`` with a number below zero behind all options, from which ``--`` tells it."""
    if "--" not in line:
        return line
    at = line.index("--")
    return (*line[:at], *line[at + 2 :], *line[at : at + 2])


def _answers(line: CommandLine, asked: list[CommandOption]) -> str:
    """What a person types who is ``asked`` for options, of which ``line`` has some."""
    left = [one for one in asked if one.name not in line]
    return "".join(f"{option_of_command(one).words[-1]}\n" * one.prompts for one in left)


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
