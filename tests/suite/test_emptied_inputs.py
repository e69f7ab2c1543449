"""Containers that code only puts into, and files that it only writes, hold nothing before."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Display, Sequence, Symbol
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.suite.telling.emptied_inputs import (
    buffered_texts,
    with_empty_buffers,
    with_empty_containers,
)

SOURCE = """
def log(rows, name): rows.append(name); rows.extend([name, "end"])
def store(table, key): table[key] = 1
def log_twice(rows, name): log(rows, name)
def log_new(rows, name):
    if name not in rows: rows.append(name)
def last(rows, name): rows.append(name); return rows[-1]
"""
ROWS = Display("list", (Const(3), Const(1), Const(2)))
TABLE = Display("dict", (Const("a"), Const(1)))


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("log", ROWS, Display("list", ())),
        ("store", TABLE, Display("dict", ())),
        ("log_twice", ROWS, Display("list", ())),
        ("log", Display("list", ()), None),
        ("log_new", ROWS, None),
        ("last", ROWS, None),
        ("log", Const("abc"), None),
    ],
)
def test_what_is_only_put_into_is_empty(name, given, expected, lab):
    one = lab(SOURCE)
    call = Call("function", f"sample:{name}", (given, Const("a")))
    found = with_empty_containers(Sequence((call,)), Plausibility(one.subject))
    assert (found and found.calls[0].args[0]) == expected
    assert found is None or found.calls[0].args[1] == Const("a")


def test_a_file_in_memory_is_emptied():
    file = Build(Symbol("io", "StringIO"), (Const("abc"),))
    sequence = Sequence((Call("function", "m:write", (file, Const("text"))),))
    assert buffered_texts(sequence) == [Const("abc")]
    found = with_empty_buffers(sequence)
    assert found is not None
    assert found.calls[0].args == (Build(file.callee), Const("text"))
    assert with_empty_buffers(found) is None
