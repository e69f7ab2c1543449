"""Command lines: what the calls of ``add_argument`` declare, and who takes them."""

from __future__ import annotations

import pytest

from unitcraft.subject.reading.command_lines import MAX_LINES, command_lines, takers

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
        ("name", "--mode", "fast", "files"),
        ("name", "--mode", "fast", "--count", "-1"),
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
    assert command_lines(SCRIPT)[0] == ("3", "--unit-price", "1.5", "name")


@pytest.mark.parametrize("source", ["", "def f(:", "x = 1"])
def test_without_a_parser_there_are_no_lines(source):
    assert command_lines(source) == ()
    assert takers(source) == ()


def test_lines_are_few():
    many = "\n".join(f"p.add_argument('--option{number}')" for number in range(30))
    assert len(command_lines(many)) == MAX_LINES
