"""Words for files and variables that a test arranges."""

from __future__ import annotations

import pytest

from unitcraft.core.outcomes import Raised, Returned
from unitcraft.core.sequences import (
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    TempPath,
)
from unitcraft.emit.naming.surroundings_words import (
    exit_words,
    failing_stand_in_words,
    file_words,
    replaced_words,
    variable_words,
)
from unitcraft.suite import tests


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, ["missing_file"]),
        (Const(""), ["empty_file"]),
        (Const(b"x"), ["json_file", "file"]),
        (Display("dict", ()), ["empty_folder"]),
        (Display("dict", (Const("a"), Const(""))), ["folder"]),
    ],
)
def test_what_stands_at_a_path(content, expected):
    assert file_words(TempPath("data.json", content)) == expected


def test_a_file_without_an_ending_is_a_file():
    assert file_words(TempPath("README", Const("x"))) == ["file"]


def test_variables_are_set_or_removed():
    calls = (
        Call("arrange", "setenv", (Const("API_TOKEN"), Const("a"))),
        Call("arrange", "delenv", (Const("HOME"),)),
        Call("arrange", "setattr", (Const("sys.argv"), Display("list", ()))),
        Call("arrange", "setattr", (Const("m.Registry._known"), Display("dict", ()))),
        Call("function", "m:f"),
    )
    found = variable_words(tests.Test("m:f", Sequence(calls), Returned()))
    assert found == ["with_api_token", "with_argv", "without_home"]
    reset = tests.Test("m:f", Sequence(calls), Returned(), resets=frozenset(calls[2:]))
    assert variable_words(reset) == ["with_api_token", "without_home"]


@pytest.mark.parametrize(
    ("function", "answer", "expected"),
    [
        ("os.path.exists", True, "when_path_exists"),
        ("os.path.isdir", False, "when_folder_is_missing"),
        ("m.is_open", False, "when_not_open"),
        ("m.is_open", True, "when_open"),
    ],
)
def test_what_a_predicate_answers_is_the_situation(function, answer, expected):
    put = mock(return_value=Const(answer))
    calls = (Call("arrange", "setattr", (Const(function), put)), Call("function", "m:f"))
    assert variable_words(tests.Test("m:f", Sequence(calls), Returned())) == [expected]


def mock(**options):
    return Build(Symbol("unittest.mock", "Mock"), (), tuple(options.items()))


@pytest.mark.parametrize(
    ("put", "situation", "replaced"),
    [
        (
            mock(side_effect=Build(Symbol("builtins", "OSError"), (Const(5),))),
            ["when_read_raises_os_error"],
            [],
        ),
        (mock(side_effect=Source("lambda key: {}.get(key)")), [], []),
        (Source("iter(['a']).__next__"), [], []),
        (mock(return_value=Const(value=False)), ["when_not_read"], ["with_read"]),
        (mock(return_value=Const(None)), [], ["when_read_returns_none"]),
        (mock(return_value=Display("list", ())), [], ["when_read_returns_nothing"]),
        (mock(return_value=Const("a")), [], ["with_read"]),
    ],
)
def test_of_a_replaced_function_the_answer_is_the_situation(put, situation, replaced):
    calls = (Call("arrange", "setattr", (Const("m.read"), put)), Call("function", "m:f"))
    test = tests.Test("m:f", Sequence(calls), Returned())
    assert variable_words(test) == situation
    assert replaced_words(test) == replaced


@pytest.mark.parametrize(("name", "said"), [("sleep", []), ("read", ["when_read_returns_none"])])
def test_that_nothing_comes_of_what_answers_nothing_is_no_situation(name, said):
    put = mock(return_value=Const(None))
    calls = (
        Call("arrange", "setattr", (Const(f"m.{name}"), put)), Call("function", "m:f"),
    )  # fmt: skip
    assert replaced_words(tests.Test("m:f", Sequence(calls), Returned())) == said


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        (Raised("builtins:OSError", None), ["when_read_fails"]),
        (Returned(), ["when_read_raises_os_error"]),
    ],
)
def test_what_a_stand_in_raises_is_told_by_the_name_of_the_function(outcome, expected):
    error = Build(Symbol("builtins", "OSError"), (Const("x"),))
    inner = mock(read=mock(side_effect=error), name=Const("a"))
    entered = Build(Symbol("contextlib", "nullcontext"), (inner,))
    calls = (Call("function", "m:f", (Const(1), entered)),)
    assert failing_stand_in_words(tests.Test("m:f", Sequence(calls), outcome)) == expected
    put = Call("arrange", "setattr", (Const("m.urlopen"), mock(return_value=entered)))
    arranged = tests.Test("m:f", Sequence((put, Call("function", "m:f"))), outcome)
    assert variable_words(arranged) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"exit_json": "SystemExit", "run": None}, "calls_exit_json"),
        ({"exit_json": "SystemExit", "fail_json": "SystemExit"}, ""),
        ({"exit_json": "ValueError"}, ""),
    ],
)
def test_a_function_that_ends_the_process_is_said_to_be_called(given, expected):
    """That it raises is what the test arranged."""
    errors = {
        name: Symbol("builtins", error) if error else Const(1) for name, error in given.items()
    }
    module = Build(
        Symbol("types", "SimpleNamespace"), (),
        tuple((name, mock(side_effect=error)) for name, error in errors.items()),
    )  # fmt: skip
    put = Call("arrange", "setattr", (Const("m.Module"), mock(return_value=module)))
    called = Call("function", "m:main")
    for calls in ((put, called), (Call("function", "m:main", (module,)),)):
        for kind, said in (("SystemExit", expected), ("ValueError", "")):
            one = tests.Test("m:main", Sequence(calls), Raised(f"builtins:{kind}", None))
            assert exit_words(one) == said


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("HAS_YAML", False, "without_yaml"),
        ("HAS_YAML", True, "with_yaml"),
        ("IS_WINDOWS", True, "when_windows"),
        ("IS_WINDOWS", False, "when_not_windows"),
        ("DEBUG", False, "without_debug"),
        ("default_timeout", None, "without_default_timeout"),
        ("default_timeout", 0, "with_default_timeout"),
    ],
)
def test_a_variable_of_the_module_that_is_off_is_not_there(name, value, words):
    setting = Call("arrange", "setattr", (Const(f"shop.{name}"), Const(value)))
    test = tests.Test("shop:f", Sequence((setting, Call("function", "shop:f"))), Returned())
    assert variable_words(test) == [words]


@pytest.mark.parametrize(
    ("words", "code", "expected"),
    [(["a"], 0, ""), (["a"], 3, "fails"), (["a"], 2, "fails"), (["abc"], 2, "rejects_word"),
     (["abc"], 1, "fails"), (["a"], None, "")],
)  # fmt: skip
def test_a_command_that_ends_by_another_number_than_zero_fails(words, code, expected):
    line = Call("invoke", "m:cli", (Display("list", tuple(map(Const, words))),))
    look = Call("get", "exit_code", (Ref(0),))
    checks = () if code is None else (tests.Check(look, "==", Const(code)),)
    assert exit_words(tests.Test("m:run", Sequence((line,)), Returned(), checks)) == expected
