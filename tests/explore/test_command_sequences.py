"""Command lines in a row: which ones follow a run on the file that it left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.core.sequences import Call, Const, Display, Sequence, TempPath
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.surroundings.command_sequences import (
    calls_behind,
    command_calls,
    lines_behind,
    refused_lines,
)
from unitcraft.subject.model import Command, CommandOption, Invocable, Subject

LINES = (("--file", "a.json", "add", "x"), ("list",), ("--file", "a.json", "done", "3"))


def line_of(*words):
    items = tuple([one if isinstance(one, TempPath) else Const(one) for one in words])
    return Call("function", "m:main", (Display("list", items),))


def run(*calls, failed=None):
    return Execution("m:main", Sequence(calls), failed, "", (), (), (), ())


OWN = TempPath("a.json", None, is_text=True)
ADDING = line_of("--file", OWN, "add", "x")


def test_lines_that_name_a_file_of_a_run_follow_it_on_the_same_file():
    assert list(lines_behind(run(ADDING), LINES)) == [
        Sequence((ADDING, ADDING)),
        Sequence((ADDING, line_of("--file", OWN, "done", "3"))),
    ]


@pytest.mark.parametrize(
    "other",
    [
        run(ADDING, ADDING),
        run(line_of("--file", "a.json", "add", "x")),
        run(line_of("--file", TempPath("b.json", None, is_text=True), "add", "x")),
        run(Call("function", "m:main", (OWN,))),
        run(Call("function", "m:main", ())),
        run(ADDING, failed=RunFailure(0, "builtins:ValueError", "", 0, 1, "m")),
    ],
)
def test_nothing_follows_other_runs(other):
    assert list(lines_behind(other, LINES)) == []


NUMBER = CommandOption("number", "int", required=True)
COMMAND = Command("m:cli", (("", ()), ("double", (NUMBER,))))


def test_a_command_is_run_on_its_lines_and_refuses_the_last():
    calls = list(command_calls(COMMAND))
    assert [[one.value for one in call.args[0].items] for call in calls] == [
        ["double", "3"],
        ["double", "--", "-3"],
        ["double", "abc"],
    ]
    assert {(call.kind, call.name, call.kwargs) for call in calls} == {("invoke", "m:cli", ())}
    invocable = Invocable("m:double", "function", "double", command=COMMAND)
    subject = Subject("m", "m.py", (), (invocable,))
    assert refused_lines(subject) == {Sequence((calls[-1],)).key}


def test_what_a_person_types_is_the_input_of_a_command():
    asking = Command("m:ask", (("", ()),), asks=True)
    assert [call.kwargs for call in command_calls(asking)] == [
        (("input", Const("y\n")),),
        (("input", Const("n\n")),),
    ]


def test_another_command_finds_what_one_left_in_a_file():
    def invoked(*words):
        return replace(line_of(*words), kind="invoke", name="m:cli")

    others = [invoked("--file", "a.json", "done", "3"), invoked("list")]
    first = invoked("--file", OWN, "add", "x")
    assert list(calls_behind(run(first), others)) == [
        Sequence((first, invoked("--file", OWN, "done", "3")))
    ]
