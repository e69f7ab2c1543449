"""The map from written lines back to Tests and Checks."""

from __future__ import annotations

import ast
from dataclasses import replace
from random import Random

import pytest
from dsl import subject_of
from random_tests import SUBJECT, random_suite

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import RAISES, Call, Const, Display, Ref, Sequence, TempPath
from unitcraft.emit.write.writer import write
from unitcraft.suite import tests


@pytest.mark.parametrize("seed", range(40))
def test_every_assertion_belongs_to_a_check(seed):
    written = write(SUBJECT, random_suite(Random(seed)))
    lines = written.text.splitlines()
    mapped = {line for rows in written.nodes.values() for row in rows for line in row.checks}
    asserts = {
        node.lineno for node in ast.walk(ast.parse(written.text)) if isinstance(node, ast.Assert)
    }
    assert asserts <= mapped
    assert all("def test_" not in lines[line - 1] for line in mapped)


@pytest.mark.parametrize("seed", range(40))
def test_every_test_is_in_the_file_once(seed):
    tests = random_suite(Random(seed))
    written = write(SUBJECT, tests)
    found = [test for rows in written.nodes.values() for row in rows for test in row.tests]
    assert len(found) == len({repr(test) for test in found})
    again = write(SUBJECT, found)
    assert again.text == written.text


def test_an_exception_class_of_a_function_cannot_be_written():
    call = Call("function", "shop.models:parse", (Const("a"),))
    raised = Raised("shop.models:parse.<locals>.Oops", "no")
    test = tests.Test("shop.models:parse", Sequence((call,)), raised)
    assert write(SUBJECT, [test]).unwritable == (test,)


def test_the_result_of_a_statement_without_value_is_not_asserted():
    made = Call("function", "shop.models:Box")
    deleted = Call("operator", "del[]", (Ref(0), Const(1)))
    check = tests.Check(Ref(1), "is", Const(None))
    test = tests.Test("shop.models:Box", Sequence((made, deleted)), Returned(), (check,))
    text = write(SUBJECT, [test]).text
    assert "[1]" in text
    assert "assert" not in text


def _in_block(*calls, outcome=None, checks=()):
    made = Call("function", "shop.models:Box")
    opened = Call("method", "__enter__", (Ref(0),))
    test = tests.Test(
        "shop.models:Box", Sequence((made, opened, *calls)), outcome or Returned(), checks
    )
    lines = write(SUBJECT, [test]).text.splitlines()
    first = next(at for at, line in enumerate(lines) if line.lstrip().startswith("with "))
    return [line.strip() for line in lines[first:] if line.strip()], lines[first + 1]


def test_what_follows_stands_in_the_block():
    put = Call("method", "put", (Ref(0), Const(1)))
    check = tests.Check(Call("method", "size", (Ref(0),)), "==", Const(1))
    lines, second = _in_block(put, checks=(check,))
    assert lines[:3] == ["with result:", "result.put(1)", "assert result.size() == 1"]
    assert second.startswith("    " * 2)


def test_an_exception_is_expected_in_the_block():
    put = Call("method", "put", (Ref(1), Const(1)))
    lines, _ = _in_block(put, outcome=Raised("builtins:ValueError", "no"))
    assert lines[0] == "with Box() as result:"
    assert lines[1].startswith("with pytest.raises(ValueError")
    assert lines[2] == "result.put(1)"


def test_a_block_in_which_nothing_follows_is_empty():
    assert _in_block()[0][:2] == ["with Box():", "pass"]


def test_what_fails_by_an_assertion_comes_first():
    call = Call("function", "shop.models:parse", (Const("a"),))
    check = tests.Check(Ref(0), "==", Const(1))
    refused = Raised("builtins:ValueError", "no")

    def text(returning, raising):
        one = ("shop.models:parse", Sequence((call,)))
        return write(SUBJECT, [
            tests.Test(*one, refused, clarity=raising),
            tests.Test(*one, Returned(), (check,), clarity=returning),
        ]).text  # fmt: skip

    def raising_first(text):
        return text.index("pytest.raises") < text.index("== 1")

    assert raising_first(text(0.1, 1.0))
    assert raising_first(text(0.6, 0.9))
    assert not raising_first(text(1.0, 0.1))
    assert not raising_first(text(0.9, 1.0))  # both are clear: as the source has it
    assert text(0.9, 0.9) == text(0.1, 0.1)


@pytest.mark.parametrize("many", [False, True])
def test_a_changed_argument_has_the_name_of_its_parameter(many):
    rows = [((3, 0), (3,)), ((7, 1, 5), (7,))][: 2 if many else 1]
    found = []
    for given, left in rows:
        items, rest = (Display("list", tuple(map(Const, row))) for row in (given, left))
        named = Call("operator", "itself", (items,))
        call = Call("function", "shop.models:drop", (Ref(0),))
        checks = (tests.Check(Ref(0), "==", rest),)
        found.append(tests.Test("shop.models:drop", Sequence((named, call)), Returned(), checks))
    subject = subject_of("def drop(items): ...", "shop.models")
    text = write(subject, found).text
    assert ("    items = [3, 0]\n" in text) is not many
    assert "    drop(items)\n    assert items == " in text
    compile(text, "suite", "exec")


def test_a_long_literal_has_one_name():
    rows = Display("list", tuple(Const(number) for number in range(1000, 1009)))
    calls = (Call("operator", "itself", (rows,)), Call("function", "shop.models:drop", (Ref(0),)))
    checks = (tests.Check(Ref(0), "==", Display("list", ())),)
    test = tests.Test("shop.models:drop", Sequence(calls), Returned(), checks)
    text = write(subject_of("def drop(items): ...", "shop.models"), [test]).text
    assert "    items = [1000, 1001," in text


def test_a_note_stands_above_the_first_line_of_its_own_tests_only():
    subject = subject_of("def drop(item): ...", "shop.models")
    made = [
        tests.Test(
            "shop.models:drop",
            Sequence((Call("function", "shop.models:drop", (Const(number),)),)),
            Returned(),
            (tests.Check(Ref(0), "==", Const(number)),),
            note=note,
        )
        for number, note in enumerate(("", "", "Made by hand.", "Made by hand."))
    ]
    lines = write(subject, made).text.splitlines()
    (at,) = [place for place, line in enumerate(lines) if line == "    # Made by hand."]
    assert lines[at - 1].startswith("def test_")
    assert sum(line.startswith("@pytest") for line in lines) == 2


def test_what_was_printed_is_asserted_before_an_observer_can_print_more():
    made = Call("function", "shop.models:Box")
    size = tests.Check(Call("operator", "len", (Ref(0),)), "==", Const(0))
    shown = tests.Check(Call("output", "out"), "==", Const("a box\n"))
    test = tests.Test("shop.models:Box", Sequence((made,)), Returned(), (size, shown))
    text = write(SUBJECT, [test]).text
    assert "(capsys):\n" in text
    assert text.index('capsys.readouterr().out == "a box\\n"') < text.index("len(")


def written_body(*args, checks=()):
    call = Call("function", "shop.models:parse", args)
    test = tests.Test("shop.models:parse", Sequence((call,)), Returned(), checks)
    lines = write(SUBJECT, [test]).text.partition("def ")[2].splitlines()
    assert lines[0].endswith("(tmp_path):")
    return [line.strip() for line in lines[1:] if line.startswith("    ")]


def test_a_file_that_a_test_needs_is_written_first():
    same = TempPath("a.ini", None, is_text=True)
    body = written_body(
        TempPath("a.ini", Const("[a]\n"), is_text=True),
        checks=(tests.Check(Ref(0), "==", same),),
    )
    assert body == [
        'path = tmp_path / "a.ini"',
        'path.write_text("[a]\\n")',
        "assert parse(str(path)) == str(path)",
    ]


def test_a_folder_is_filled_and_what_was_written_there_is_read():
    tree = Display("dict", (Const("b"), Display("dict", (Const("c.txt"), Const("é")))))
    observed = Call("method", "read_text", (TempPath("out.txt"),))
    body = written_body(TempPath("", tree), checks=(tests.Check(observed, "==", Const("done")),))
    assert body == [
        '(tmp_path / "b").mkdir()',
        '(tmp_path / "b/c.txt").write_text("é", encoding="utf-8")',
        "parse(tmp_path)",
        'assert (tmp_path / "out.txt").read_text() == "done"',
    ]


def test_a_path_without_a_file_has_no_variable():
    body = written_body(TempPath("a"), checks=(tests.Check(Ref(0), "is", Const(None)),))
    assert body == ['assert parse(tmp_path / "a") is None']


def test_variables_are_set_by_monkeypatch_before_the_calls():
    unset = Call("arrange", "delenv", (Const("MODE"),))
    set_ = Call("arrange", "setenv", (Const("TOKEN"), Const("a")))
    call = Call("function", "shop.models:parse", (Const("x"),))
    check = tests.Check(Ref(2), "is", Const(None))
    test = tests.Test("shop.models:parse", Sequence((unset, set_, call)), Returned(), (check,))
    lines = write(SUBJECT, [test]).text.partition("def ")[2].splitlines()
    assert [line.strip() for line in lines[:4]] == [
        "test_parse(monkeypatch):",
        'monkeypatch.delenv("MODE", raising=False)',
        'monkeypatch.setenv("TOKEN", "a")',
        'assert parse("x") is None',
    ]


def test_what_leads_to_a_node_has_names_of_syntax():
    calls = (
        Call("function", "ast:parse", (Const("import os"),)),
        Call("get", "body", (Ref(0),)),
        Call("operator", "[]", (Ref(1), Const(0))),
        Call("get", "names", (Ref(2),)),
        Call("operator", "[]", (Ref(3), Const(0))),
        Call("function", "shop.models:rename", (Ref(4),)),
    )
    checks = (tests.Check(Ref(5), "is", Ref(4)),)
    test = tests.Test("shop.models:rename", Sequence(calls), Returned(), checks)
    text = write(subject_of("def rename(node): ...", "shop.models"), [test]).text
    assert 'name = parse("import os").body[0].names[0]' in text or (
        'statement = parse("import os").body[0]\n    name = statement.names[0]' in text
    )
    assert "assert rename(name) is name" in text


def _raises(number, kind, line):
    call = Call("function", "shop.models:parse", (Const(str(number)),))
    raised = Raised(f"builtins:{kind}", f"no {number}", inside=True, line=line)
    return tests.Test("shop.models:parse", Sequence((call,)), raised)


def test_exceptions_that_one_line_raises_are_one_table_whatever_their_class():
    kinds = ("KeyError", "LookupError", "OSError")
    text = write(SUBJECT, [_raises(at, kind, 7) for at, kind in enumerate(kinds)]).text
    assert text.count("def test_") == 1
    assert '"error", "message")' in text
    assert '("1", LookupError, r"^no 1$"),' in text
    assert "with pytest.raises(error, match=message):" in text
    apart = write(SUBJECT, [_raises(at, kind, 7 + at) for at, kind in enumerate(kinds)]).text
    assert apart.count("def test_") == len(kinds)


def _looks(test, **expected):
    checks = [
        tests.Check(Call("get", name, (Ref(0),)), "==", Const(value))
        for name, value in expected.items()
    ]
    return replace(test, checks=tuple(checks))


def test_the_exception_that_checks_look_at_is_caught_under_a_name():
    text = write(SUBJECT, [_looks(_raises(1, "OSError", 7), errno=5, filename="a")]).text
    assert 'with pytest.raises(OSError, match=r"^no 1$") as excinfo:\n        parse("1")\n' in text
    assert 'assert excinfo.value.errno == 5\n    assert excinfo.value.filename == "a"' in text
    rows = [_looks(_raises(at, "OSError", 7), errno=at + 3) for at in range(3)]
    table = write(SUBJECT, rows).text
    assert table.count("def test_") == 1
    assert "with pytest.raises(OSError, match=message) as excinfo:" in table
    assert "assert excinfo.value.errno == expected" in table


def test_an_exception_that_is_no_more_looked_at_has_no_name():
    assert " as " not in write(SUBJECT, [_raises(1, "OSError", 7)]).text.partition("with ")[2]


def test_a_function_inside_a_test_stands_apart_from_the_lines_above_it():
    made = Call("function", "shop.models:Box", (Display("list", (Const(1),)),))
    opened = Call("method", "opened", (Ref(0),), then="await enter")
    check = tests.Check(Ref(1), "is", Ref(0))
    test = tests.Test("shop.models:Box", Sequence((made, opened)), Returned(), (check,))
    lines = write(SUBJECT, [test]).text.splitlines()
    at = next(number for number, line in enumerate(lines) if "async def" in line)
    assert lines[at - 1] == ""
    assert lines[at - 2].strip().endswith("Box([1])")
    alone = tests.Test(
        "shop.models:Box", Sequence((Call("function", "shop.models:lease", then="await enter"),)),
        Returned(), (),
    )  # fmt: skip
    lines = write(SUBJECT, [alone]).text.splitlines()
    at = next(number for number, line in enumerate(lines) if "async def" in line)
    assert lines[at - 1].startswith("def test_")


def test_calls_after_one_that_is_awaited_share_a_loop():
    made = Call("function", "shop.models:Box", (Display("list", (Const(1),)),))
    drained = Call("method", "drained", (Ref(0),), then="await")
    held = Call("method", "pop", (Ref(0),))
    check = tests.Check(Ref(2), "==", Const(1))
    calls = (made, drained, held)
    test = tests.Test("shop.models:Box.pop", Sequence(calls), Returned(), (check,))
    text = write(SUBJECT, [test]).text
    assert (
        """
    async def scenario():
        result = Box([1])
        await result.drained()
        assert result.pop() == 1

    asyncio.run(scenario())
"""
        in text
    )
    last = tests.Test("shop.models:Box.drained", Sequence(calls[:2]), Returned(), ())
    assert "asyncio.run(Box([1]).drained())" in write(SUBJECT, [last]).text


def test_an_asynchronous_manager_is_entered_where_its_loop_runs():
    made = Call("function", "shop.models:lease", ())
    opened = Call("method", "__aenter__", (Ref(0),), then="await")
    listed = Call("function", "shop.models:each", (Ref(1),), then="collect")
    within = Sequence((made, opened, listed))
    text = write(SUBJECT, [tests.Test("shop.models:each", within, Returned(), ())]).text
    assert "async with lease() as" in text
    assert "[item async for item in each(" in text
    raised = Raised("builtins:KeyError", "no key", inside=True)
    text = write(
        SUBJECT, [tests.Test("shop.models:lease", Sequence((made, opened)), raised, ())]
    ).text
    assert "with pytest.raises(KeyError" in text
    assert text.index("pytest.raises") < text.index("async with lease():")


def _expecting(*expected):
    box = "shop.models:Box"
    made = Call("function", box)
    calls = [
        Call("method", "put", (Ref(0), Const(value)), then=f"{RAISES}{error}")
        for value, error in expected
    ]
    last = Call("method", "get", (Ref(0),))
    check = tests.Check(Ref(len(calls) + 1), "==", Const(1))
    return tests.Test(f"{box}.get", Sequence((made, *calls, last)), Returned(), (check,))


def test_a_call_that_is_expected_to_raise_has_a_block_and_the_test_goes_on():
    text = write(SUBJECT, [_expecting((1, "builtins:KeyError"))]).text
    assert (
        "    result = Box()\n"
        "    with pytest.raises(KeyError):\n"
        "        result.put(1)\n"
        "    assert result.get() == 1\n"
    ) in text


def test_a_call_that_is_expected_to_raise_again_is_in_a_loop():
    one = (2, "builtins:KeyError")
    text = write(SUBJECT, [_expecting((1, "builtins:KeyError"), one, one, one)]).text
    assert (
        "        result.put(1)\n"
        "    for _ in range(3):\n"
        "        with pytest.raises(KeyError):\n"
        "            result.put(2)\n"
        "    assert result.get() == 1\n"
    ) in text


LINE = Call("invoke", "shop.models:cli", (Display("list", (Const("3"),)),))


def line_text(outcome, *codes):
    look = Call("get", "exit_code", (Ref(0),))
    checks = tuple([tests.Check(look, "==", Const(code)) for code in codes])
    return write(SUBJECT, [tests.Test("shop.models:Box", Sequence((LINE,)), outcome, checks)]).text


def test_a_command_is_run_by_the_runner_of_click():
    text = line_text(Returned(), 3)
    assert "from click.testing import CliRunner\n" in text
    assert '    assert CliRunner().invoke(cli, ["3"]).exit_code == 3\n' in text


def test_the_runner_lets_out_only_what_a_test_expects():
    text = line_text(Raised("builtins:KeyError", "'a'"))
    assert 'CliRunner().invoke(cli, ["3"], catch_exceptions=False)' in text
