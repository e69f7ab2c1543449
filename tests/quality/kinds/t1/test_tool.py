"""Tests of tool."""

# Written by unitcraft 0.1.0 for tool; a test that you edit is kept.

from io import StringIO

import pytest
from tool import ask, first_word, main


def test_main_with_count():
    assert main(["abc", "--count", "0"]) == 0


def test_main_negative_count(capsys):
    assert main(["abc", "--count", "-1"]) == 1
    assert capsys.readouterr().err == "count must not be negative\n"


def test_main_with_shout(capsys):
    assert main(["abc", "--shout"]) == 0
    assert capsys.readouterr().out == "ABC\n"


def test_first_word_fewer_than_2_sys_argv_raises_system_exit(monkeypatch):
    monkeypatch.setattr("sys.argv", ["prog"])
    with pytest.raises(SystemExit, match=r"^usage: tool WORD$"):
        first_word()


@pytest.mark.parametrize(
    ("argv", "expected"),
    [(["prog", "name"], "Name"), (["prog", "abc", "--count", "3"], "Abc")],
)
def test_first_word(argv, expected, monkeypatch):
    monkeypatch.setattr("sys.argv", argv)
    assert first_word() == expected


def test_ask_raises_value_error_no_answer(monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("yes\n"))
    with pytest.raises(ValueError, match=r"^no answer: yes$"):
        ask("question")


def test_ask_returns_true(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("Y\n"))
    assert ask("question") is True
    assert capsys.readouterr().out == "question [y/n] "


def test_ask_returns_false(monkeypatch):
    monkeypatch.setattr("sys.stdin", StringIO("n\n"))
    assert ask("question") is False


# unitcraft: sz5ijJSBMMENI3EpLtDF1ahHCXVkNx4I
