"""Command lines: what the calls of ``add_argument`` declare, and who takes them."""

from __future__ import annotations

import ast

import pytest

from unitcraft.subject.reading.command_lines import MAX_LINES, command_lines, takers
from unitcraft.subject.reading.declared_options import option_of
from unitcraft.subject.reading.declared_parsers import declared_parser

PARSER = """
import sys

def main(argv, other=1):
    parser.add_argument("name")
    parser.add_argument("-c", "--count", type=int)
    parser.add_argument("--mode", choices=["fast", "slow"], required=True)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("files", nargs="*")
    return parser.parse_args(argv)

def run():
    parser.parse_args()

def first():
    return sys.argv[1]

def nested():
    return parser.parse_args(words)
"""


def test_the_shortest_accepted_line_comes_first_then_each_option():
    assert command_lines(PARSER) == (
        ("name", "--mode", "fast"),
        ("name", "--mode", "fast", "--count", "3"),
        ("name", "--mode", "fast", "--verbose"),
        ("name", "notes.txt", "--mode", "fast"),
        ("name", "--mode", "fast", "--count", "-1"),
        ("name", "--mode", "slow"),
        (),
        ("--unknown",),
    )


def test_functions_take_words_by_a_parameter_or_from_the_process():
    assert takers(PARSER) == (("main", "argv"), ("run", ""), ("first", ""))


SCRIPT = """
def main():
    args = read_words()
    return int(args.number) * float(args.unit_price) if args.name else 0

def read_words():
    parser.add_argument("number")
    parser.add_argument("--unit-price", required=True)
    parser.add_argument("name")
    return parser.parse_args()

class Program:
    def start(self):
        return self.main()

    def other(self):
        return start()

    main = read_words
"""


def test_what_calls_such_a_function_takes_words_too():
    assert {*takers(SCRIPT)} == {
        ("read_words", ""), ("main", ""), ("start", ""), ("other", ""),
    }  # fmt: skip


def test_what_the_code_makes_a_number_of_is_given_one():
    assert command_lines(SCRIPT)[0] == ("3", "name", "--unit-price", "1.5")


@pytest.mark.parametrize("source", ["", "def f(:", "x = 1"])
def test_without_a_parser_there_are_no_lines(source):
    assert command_lines(source) == ()
    assert takers(source) == ()


def test_lines_are_few():
    many = "\n".join(f"p.add_argument('--option{number}')" for number in range(30))
    assert len(command_lines(many)) == MAX_LINES


COMMANDS = """
def main(argv=None):
    parser = ArgumentParser()
    parser.add_argument("--quiet", action="store_true")
    commands = parser.add_subparsers(dest="command")
    p = commands.add_parser("add")
    p.add_argument("title")
    p.add_argument("--priority", choices=["low", "normal"], default="low")
    p = commands.add_parser("done")
    p.add_argument("number", type=int)
    p = commands.add_parser("list")
    args = parser.parse_args(argv)
"""


def test_the_shortest_line_of_each_sub_command_comes_first_then_options_in_turns():
    assert command_lines(COMMANDS) == (
        ("add", "title"),
        ("done", "3"),
        ("list",),
        ("add", "title", "--priority", "normal"),
        ("done", "-1"),
        ("--quiet", "add", "title"),
        (),
        ("--unknown",),
    )


#: Statements that declare options -> lines that they lead to, the first ones.
DECLARED = [
    # a parser is followed through names, chains, groups and functions
    ("parser.add_subparsers().add_parser('go').add_argument('where')", [("go", "where")]),
    (
        (
            "self.parser = ArgumentParser()\n"
            "self.sub = self.parser.add_subparsers()\n"
            "self.sub.add_parser(name='go')"
        ),
        [("go",)],
    ),
    (
        (
            "p = commands.add_parser('go')\n"
            "p.add_argument_group('places').add_argument('where')\n"
            "p = commands.add_parser('stop')\n"
            "p.set_defaults(func=stop)"
        ),
        [("go", "where"), ("stop",)],
    ),
    (
        (
            "inner = commands.add_parser('remote').add_subparsers()\n"
            "inner.add_parser('add').add_argument('url')\n"
            "inner.add_parser('drop')"
        ),
        [("remote", "add", "url"), ("remote", "drop")],
    ),
    (
        (
            "def place(parser, word='x'):\n"
            "    parser.add_argument('where')\n"
            "    return parser\n"
            "go = place(commands.add_parser('go'))\n"
            "go.add_argument('when')\n"
            "commands.add_parser('stop')"
        ),
        [("go", "where", "when"), ("stop",)],
    ),
    ("def add_all(parser):\n    parser.add_argument('where')", [("where",)]),
    (
        (
            "for name, text in [('go', 'a'), ('stop', 'b')]:\n"
            "    commands.add_parser(name).add_argument('where')"
        ),
        [("go", "where"), ("stop", "where")],
    ),
    (
        (
            "for name in names:\n    commands.add_parser(name).add_argument('where')\n"
            "commands.add_parser('go')"
        ),
        [("go",)],
    ),
    (
        (
            "common = ArgumentParser(add_help=False)\n"
            "common.add_argument('where')\n"
            "commands.add_parser('go', parents=[common])\n"
            "commands.add_parser('stop')"
        ),
        [("go", "where"), ("stop",)],
    ),
    # options of an exclusive group are never combined, and one is there if one has to be
    (
        (
            "g = parser.add_mutually_exclusive_group(required=True)\n"
            "g.add_argument('--fast', action='store_true')\n"
            "g.add_argument('--slow', action='store_true')"
        ),
        [("--fast",), ("--slow",), ()],
    ),
    # numbers of values
    ("parser.add_argument('names', nargs='+')", [("names",)]),
    ("parser.add_argument('names', nargs=argparse.REMAINDER)", [(), ("names",)]),
    ("parser.add_argument('--at', nargs=2, type=int)", [(), ("--at", "3", "4")]),
    ("parser.add_argument('--at', nargs=3)", [(), ("--at", "at", "other", "at")]),
    (
        "parser.add_argument('--at', nargs='?')\nparser.add_argument('x')",
        [("x",), ("x", "--at", "at")],
    ),
    # an option with values without an end does not take the name of the sub-command
    (
        "parser.add_argument('--tags', nargs='*')\ncommands.add_parser('go')",
        [("go",), (), ("--unknown",)],
    ),
    (
        "parser.add_argument('--color', action=argparse.BooleanOptionalAction)",
        [(), ("--color",), ("--no-color",)],
    ),
    # files; one that is there whatever is given is named, as a test names it
    ("parser.add_argument('config')", [("notes.txt",)]),
    ("parser.add_argument('source', type=argparse.FileType('r'))", [("notes.txt",)]),
    ("parser.add_argument('--log-file')", [(), ("--log-file", "notes.txt")]),
    ("parser.add_argument('--store', default='todo.json')", [("--store", "todo.json"), ()]),
    ("parser.add_argument('--store', default='~/.json')", [("--store", "data.json"), ()]),
    (
        (
            "STORE = Path('a') / 'b'\nplace = Path('~/notes.toml')\n"
            "parser.add_argument('--store', default=place)"
        ),
        [("--store", "notes.toml"), ()],
    ),
    ("parser.add_argument('--host', default='example.org')", [(), ("--host", "host")]),
]


@pytest.mark.parametrize(("source", "lines"), DECLARED)
def test_lines_follow_what_is_declared(source, lines):
    assert list(command_lines(source)[: len(lines)]) == lines


def test_every_sub_command_has_a_line_before_any_has_its_options():
    many = "\n".join(
        f"p = c.add_parser('do{number}')\np.add_argument('--a')\np.add_argument('--b')"
        for number in range(15)
    )
    lines = command_lines(many)
    assert len(lines) == MAX_LINES
    assert lines[:15] == tuple((f"do{number}",) for number in range(15))
    assert lines[-2:] == ((), ("--unknown",))


def test_helpers_that_hand_a_parser_to_each_other_come_to_an_end():
    source = "def f(p):\n    p.add_argument('x')\n    g(p)\ndef g(p):\n    f(p)\nf(parser)"
    assert command_lines(source)[0] == ("x",)
    assert declared_parser(source).options == [option_of(call_of("p.add_argument('x')"), {}, {})]


def test_an_option_without_a_name_is_none():
    assert option_of(call_of("p.add_argument(*names)"), {}, {}) is None


def call_of(text):
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    return call
