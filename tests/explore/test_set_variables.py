"""Variables of the environment: which Sequences say what they hold."""

from __future__ import annotations

from dataclasses import replace

from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, connected_calls
from unitcraft.execute.sandbox.audit import EVERY_VARIABLE
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.surroundings.set_variables import (
    VariableChoice,
    arranged_variables,
    is_arranged,
    named_in_texts,
    with_variables,
    without_variables,
)
from unitcraft.instrument.sites import BranchSite

MAKE = Call("function", "m:C")
USE = Call("method", "f", (Ref(0),))
BARE = Sequence((MAKE, USE))
UNSET = Call("arrange", "delenv", (Const("MODE"),))
SET = Call("arrange", "setenv", (Const("MODE"), Const("fast")))


def run(sequence, *variables):
    return Execution("m:C.f", sequence, None, "", (), (), (), (), variables=variables)


def test_the_values_take_turns_once_a_run_has_looked_the_variable_up():
    choice = VariableChoice(["MODE", "PYTHONPATH"], {"MODE": "fast"})
    assert choice.arrange("m:C.f", BARE) == BARE
    assert not choice.note("m:C.f", run(BARE, "PYTHONPATH", "OTHER"))
    assert choice.note("m:C.f", run(BARE, "MODE"))
    assert not choice.note("m:C.f", run(BARE, "MODE"))
    first, second = [choice.arrange("m:C.f", BARE) for _ in range(2)]
    assert first.calls == (UNSET, MAKE, Call("method", "f", (Ref(1),)))
    assert second.calls[0] == SET
    assert choice.arrange("m:C.g", BARE) == BARE
    assert [one.calls[0] for one in choice.variants(run(BARE, "MODE"))][:2] == [UNSET, SET]
    plain = Call("arrange", "setenv", (Const("MODE"), Const("abc")))
    assert [one.calls[0] for one in choice.variants(run(BARE, "MODE"))][2] == plain


def test_what_a_sequence_sets_stands_first_and_once():
    late = Sequence((MAKE, SET, UNSET, Call("method", "f", (Ref(0),))))
    assert with_variables(late, {"MODE": UNSET}).calls[:2] == (SET, MAKE)
    assert without_variables(late) == BARE
    assert connected_calls(late, (3,)) == (0, 1, 2, 3)


def test_a_run_that_leaves_a_variable_open_is_not_arranged():
    choice = VariableChoice(["MODE"])
    assert is_arranged(run(BARE, "OTHER"), choice)
    assert not is_arranged(run(BARE, "MODE"), choice)
    own = with_variables(BARE, {"MODE": SET})
    assert is_arranged(run(own, "MODE"), choice)
    assert arranged_variables(own) == {"MODE"}
    choice.take_words("m:C.f", [])
    assert not is_arranged(run(own, "MODE"), choice)


def test_a_run_that_calls_what_reads_the_command_line_says_what_that_is():
    choice = VariableChoice()
    choice.take_words("m:parse", [["--all"]])
    calling = Sequence((Call("function", "m:parse"), *BARE.calls))
    assert not is_arranged(run(calling), choice)
    assert is_arranged(run(choice.arrange("m:C.f", calling)), choice)
    assert is_arranged(run(BARE), choice)


def test_a_run_that_reads_what_tells_of_a_missing_module_says_what_it_holds():
    choice = VariableChoice()
    sites = [BranchSite(name, "C.f", 1, "entry", "entered") for name in ("m", "n")]
    choice.watch("m", sites, {"C.f": ("m.HAS_YAML",)}, {"m.HAS_YAML": Const(value=False)})
    reading = replace(run(BARE), hits=(0,))
    assert is_arranged(run(BARE), choice)
    assert is_arranged(replace(run(BARE), hits=(1,)), choice)
    assert not is_arranged(reading, choice)
    (made,) = choice.take_function("m:C.f", reading, "m.HAS_YAML")
    missing = Call("arrange", "setattr", (Const("m.HAS_YAML"), Const(value=False)))
    assert made.calls[0] == missing
    assert is_arranged(replace(reading, sequence=made), choice)


def test_words_and_answers_are_replaced_like_variables():
    choice = VariableChoice([], {})
    choice.take_words("m:main", [["a", "--x"]])
    first = choice.arrange("m:main", BARE).calls[0]
    words = Display("list", (Const("prog"), Const("a"), Const("--x")))
    assert first == Call("arrange", "setattr", (Const("sys.argv"), words))
    assert choice.note_refusal("m:ask", BARE, "open:a") == []
    answers = choice.note_refusal("m:ask", BARE, "builtins.input:sure?")
    assert [one.calls[0].args[0] for one in answers] == [Const("sys.stdin")] * len(answers)
    assert choice.arrange("m:ask", BARE) == answers[0]


def test_a_function_that_some_runs_can_do_without_is_replaced_in_every_second_one():
    choice = VariableChoice()
    first = choice.take_function("m:C.f", run(BARE), "m.fetch", always=False)
    assert all(arranged_variables(one) == {"m.fetch"} for one in first)
    made = [arranged_variables(choice.arrange("m:C.f", BARE)) for _ in range(4)]
    assert made == [{"m.fetch"}, set(), {"m.fetch"}, set()]
    choice.take_function("m:C.g", run(BARE), "m.fetch")
    assert all(arranged_variables(choice.arrange("m:C.g", BARE)) for _ in range(4))


def test_a_variable_that_a_text_names_is_set_where_a_run_looked_at_it():
    def given(text, *variables):
        return run(Sequence((Call("function", "m:load", (Const(text),)),)), *variables)

    assert named_in_texts(given("${A}/$B_1/C", EVERY_VARIABLE)) == ["A", "B_1"]
    assert named_in_texts(given("${A}/$B", "B", "C")) == ["B"]
    assert named_in_texts(given("${A}")) == []
    assert named_in_texts(given("$PYTHONPATH", EVERY_VARIABLE)) == []
    choice, asked = VariableChoice(["MODE"]), given("${A}", EVERY_VARIABLE)
    assert not is_arranged(asked, choice)
    assert choice.note("m:load", asked)
    assert not choice.note("m:load", asked)
    unset, *others = choice.variants(asked)
    assert unset.calls[0] == Call("arrange", "delenv", (Const("A"),))
    assert {one.calls[0].name for one in others} == {"setenv"}
    assert is_arranged(run(unset, EVERY_VARIABLE), choice)
    assert choice.arrange("m:load", asked.sequence) == asked.sequence, "others name other ones"
