"""The lines that make the files of a test, and the variables for their paths."""

from __future__ import annotations

from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Const, Sequence, TempPath
from unitcraft.emit.write.file_setup import set_up_files
from unitcraft.suite import tests


def case(*paths):
    calls = tuple([Call("function", "shop:load", (path,)) for path in paths])
    return tests.Test("shop:load", Sequence(calls), Returned())


def test_a_path_that_is_used_once_and_absent_has_no_variable():
    made = set_up_files(case(TempPath("a.txt")), frozenset(), "    ")
    assert (made.names, made.lines) == ((), ())


def test_a_file_is_written_before_its_use():
    made = set_up_files(case(TempPath("a.txt", Const("one\n"))), frozenset(), "    ")
    (name,) = made.names
    text = "\n".join(line for lines in made.lines for line in lines)
    assert f'{name} = tmp_path / "a.txt"' in text
    assert f'{name}.write_text("one\\n"' in text


def test_a_path_that_is_used_twice_has_a_variable_that_hides_nothing():
    first = set_up_files(case(TempPath("a"), TempPath("a")), frozenset(), "    ")
    again = set_up_files(case(TempPath("a"), TempPath("a")), frozenset(first.names), "    ")
    assert len(first.names) == len(again.names) == 1
    assert first.names != again.names
