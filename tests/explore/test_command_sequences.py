"""Command lines in a row: which ones follow a run on the file that it left."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Display, Sequence, TempPath
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.surroundings.command_sequences import lines_behind

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
