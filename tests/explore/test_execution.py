"""The reading cost of a Sequence, and the Execution of an answer."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Source, Symbol
from unitcraft.explore.execution import (
    RunFailure,
    cost,
    describe_failure,
    execution_of,
    weight,
)

INT = Display("list", (Const(1), Const(2)))


@pytest.mark.parametrize(
    ("cheap", "dear"),
    [
        (Const(1), Const(12345)),
        (Const(1), Const(-1)),
        (Const("abc"), Const("a")),
        (Const("abc"), Const("ROR")),
        (Const(b"abc"), Const(b"ROR")),
        (Const("abc"), Const("abcd")),
        (Const("a"), Const("")),
        (Const(1), Const(0)),
        (Display("list", (Const(1),)), Display("list", ())),
        (Const("abc"), Const(None)),
        (Const("abc"), Symbol("builtins", "int")),
        (Const("abc"), Const("a\x00c")),
        (Const("abc"), Const("äöü")),
        (Const("abc"), Const("1.5")),
        (Const("abc"), Const(" abc ")),
        (Const(" abc "), Const(" ab")),
        (Const(b"\x00\x00\x00\x05"), Const(b"asrt")),
        (Const(b"abc"), Const(b"\x05\x01\x00\x06")),
        (Const(b"abc"), Const(b"\x00\xff")),
        (
            Build(Symbol("builtins", "OSError"), (Const("abc"),)),
            Build(Symbol("builtins", "OSError"), (Const("a"),)),
        ),
        (Const("arg"), Const("a.b")),
        (Display("list", (Const("abc"), Const("def"))), Display("list", ())),
        (
            Build(Symbol("decimal", "Decimal"), (Const("1"),)),
            Build(Symbol("decimal", "Decimal"), (Const("3"),)),
        ),
        (Source("lambda x: x + 1"), Source("lambda x: x")),
        (Symbol("builtins", "str"), Source("lambda x: x")),
        (Symbol("builtins", "str"), Symbol("builtins", "int")),
        (Display("dict", (Const("abc"), Const("def"))), Display("dict", ())),
        (Const(b"abc"), Const(b"\xff\xfe\xfd")),
        (Ref(0), Const("some text")),
        (Const(0), Const(0.125)),
        (Const(10**20), Const(10**31)),
        (INT, Build(Symbol("m", "f"), (INT,))),
        (Build(Symbol("m", "f"), (Const(1),)), Build(Symbol("m", "f"), (), (("a", Const(1)),))),
        (Source("len"), Source("lambda first, second: first + second")),
        (Const("3"), Const("333")),
    ],
)
def test_readable_values_weigh_less(cheap, dear):
    assert weight(cheap) < weight(dear)


def test_every_call_and_every_keyword_costs():
    short = Sequence((Call("function", "m:f"),))
    assert cost(Sequence(())) == 0
    assert cost(Sequence(short.calls * 2)) == 2 * cost(short)
    named = Sequence((Call("function", "m:f", (), (("number", Const(1)),)),))
    placed = Sequence((Call("function", "m:f", (Const(1),)),))
    assert cost(short) < cost(placed) < cost(named)


def test_an_answer_becomes_an_execution():
    sequence = Sequence((Call("function", "m:f"),))
    run = execution_of("m:f", sequence, (-1, "int1", (3, 1), (1, 5), ((1, "<", 2, 3),), []))
    assert (run.returned, run.behaviour, run.hits, run.last_hits) == (
        True,
        "int1",
        (1, 3, 5),
        (1, 5),
    )
    outcome = ("builtins:OSError", None, 2, 7, "m")
    raised = execution_of("m:f", sequence, (0, outcome, (), (), (), ()))
    assert (raised.returned, raised.behaviour) == (False, "")
    assert raised.failed == RunFailure(0, "builtins:OSError", None, 2, 7, "m")


@pytest.mark.parametrize(
    ("message", "expected"),
    [("no\nmore", "ValueError: no"), (None, "ValueError"), ("", "ValueError"),
     ("x" * 200, "ValueError: " + "x" * 100)],
)  # fmt: skip
def test_a_failure_is_described_in_one_line(message, expected):
    assert describe_failure(RunFailure(0, "builtins:ValueError", message, 2, 1, "m")) == expected


def test_an_option_of_a_command_line_is_not_easier_to_read_for_being_cut_short():
    assert weight(Const("--f")) == weight(Const("--file"))
