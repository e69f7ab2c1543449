"""Options that a run gives, the run without one, and data on which options show."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, TempPath
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.subject.values.telling_texts import changed_forms, in_form, telling_texts
from unitcraft.suite.mutation.mutants.mutation_operators import TEXT_FORMS
from unitcraft.suite.telling.telling_options import (
    LINES,
    MAX_DATA,
    Option,
    options_given,
    telling_data,
    without_option,
)

READ = Invocable(
    "shop:read", "function", "read", "",
    (
        Parameter("name"),
        Parameter("mode", required=False, default=Const("r")),
        Parameter("expand", required=False, default=Const(value=True)),
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def plausibility():
    return Plausibility(Subject("shop", "shop.py", (), (READ,)))


def read(*args, **kwargs):
    return Sequence((Call("function", "shop:read", args, tuple(kwargs.items())),))


NO = Const(value=False)


@pytest.mark.parametrize(
    ("given", "option", "expected"),
    [
        (read(Const("a"), expand=NO), "expand", read(Const("a"))),
        (read(Const("a"), Const("w"), NO), "expand", read(Const("a"), Const("w"))),
        (read(Const("a"), Const("w"), NO), "mode", read(Const("a"), expand=NO)),
        (read(Const("a"), Const("w"), expand=NO), "mode", read(Const("a"), expand=NO)),
    ],
)
def test_an_option_is_left_out_and_the_others_stay(plausibility, given, option, expected):
    known = list(options_given(given, plausibility))
    assert Option(0, option) in known
    assert Option(0, "name") not in known
    assert without_option(given, Option(0, option), plausibility).key == expected.key


def data(sequence, *tokens):
    found = telling_data(sequence, (Option(0, "expand"),), tokens)
    return [one.calls[-1].args[0] for one in found]


def test_texts_get_what_the_code_looks_for_between_words():
    assert {"~", "pear~apple"} <= {one.value for one in data(read(Const("a"), expand=NO), "~")}


def test_containers_get_items_in_no_order_and_numbers_digits_to_lose():
    one, two = Const(1), Const(2)
    assert data(read(Display("list", (one, two)), expand=NO))[0] == Display(
        "list", (Const(3), one, two, Const(3))
    )
    assert Const(2.567) in data(read(Const(1.5), expand=NO))


def test_a_file_gets_lines_and_a_name_to_expand_with_the_variable_that_it_names():
    path = TempPath("notes.txt", Const("a"))
    first, second = telling_data(read(path, expand=NO), (Option(0, "expand"),), ("$NAME",))[:2]
    assert first.calls[-1].args == (TempPath("notes.txt", LINES),)
    assert second.calls[-1].args == (TempPath("$NAME.txt", Const("a")),)
    assert second.calls[0] == Call("arrange", "setenv", (Const("NAME"), Const("value")))


def test_what_is_arranged_stays_and_references_follow_a_new_call():
    made = Call("function", "shop:read", (Const("a"),))
    arranged = Call("arrange", "setenv", (Const("HOME"), Const("b")))
    last = Call("function", "shop:read", (Ref(1), Const("c")), (("expand", NO),))
    found = telling_data(Sequence((arranged, made, last)), (Option(2, "expand"),), ("$NAME",))
    assert len(found) <= MAX_DATA
    assert all(arranged in one.calls and one.rep_ok() for one in found)


def test_the_option_itself_is_no_datum():
    sequence = read(Const(1.5), expand=Const(2.5))
    found = telling_data(sequence, (Option(0, "expand"),), ())
    assert {one.calls[-1].kwargs for one in found} == {(("expand", Const(2.5)),)}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "import os\nos.path.expandvars(name)\ntext.strip()\nother.strip()",
            {"": ("$NAME", " pear ")},
        ),
        ("class A:\n    def f(self): return self.x.lower()", {"A.f": ("PEAR",)}),
        ("print(1)", {}),
        ("def", {}),
    ],
)
def test_texts_that_called_functions_change(source, expected):
    assert telling_texts(source) == expected


def test_methods_that_change_the_form_of_a_text():
    source = "def f(a, b):\n    return a.strip().lower(), b.split(','), b.strip()\n"
    assert changed_forms(source) == {"f": ("lower", "strip")}


@pytest.mark.parametrize("method", sorted(TEXT_FORMS))
def test_a_text_has_a_form_in_which_a_mutant_without_the_method_shows(method):
    assert changed_forms(f"text.{method}()") == {"": (method,)}
    given = in_form("Abc", method)
    assert getattr(given, method)() != given
    assert given.strip().lower() == "abc"
