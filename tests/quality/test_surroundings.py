"""Code that lives on its surroundings gets tests with the fixtures of pytest."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KINDS = Path(__file__).resolve().parent / "kinds"


@pytest.fixture(scope="module")
def suite(kind_suite):
    """The text of the suite of a module of ``kinds``, by its name."""
    return lambda name, **options: kind_suite(name, **options).text


def test_what_is_printed_is_asserted(suite):
    text = suite("shout")
    assert 'capsys.readouterr().out == "hello ' in text
    assert 'capsys.readouterr().out == "HELLO ' in text
    assert 'capsys.readouterr().err == "negative count\\n"' in text
    assert 'capsys.readouterr().out == "1 files\\n"' in text


def test_a_variable_that_an_argument_names_is_set_and_taken_away(suite):
    text = suite("located")
    name = r'"([A-Za-z]\w*)"'
    unset = rf"delenv\({name}, raising=False\)\n    with pytest.raises\(ValueError.*\1"
    assert re.search(unset, text, re.DOTALL)
    assert re.search(rf'setenv\({name}, "(\w+)"\)\n    assert expand\(.*\1.* == ".*\2', text)


def test_files_are_arranged_below_tmp_path_and_what_is_written_is_asserted(suite):
    text = suite("storage")
    assert 'assert load_settings(str(tmp_path / "data.json")) == {"debug": False}' in text
    assert '"version": ' in text
    assert 'match=r"^no version$"' in text
    assert ".read_text() == " in text
    assert "== [str(tmp_path / " in text
    calls = [line for line in text.splitlines() if "load_settings(" in line or "_files(" in line]
    own = ("(str(path))", "(str(tmp_path", "def ")
    assert all(any(mark in line for mark in own) for line in calls)


def test_what_an_exception_holds_is_asserted(suite):
    text = suite("orders")
    assert re.search(
        r'match=r"\^no such order\$"\) as excinfo:\n\s+check\(400\)\n'
        r"\s+assert excinfo\.value\.status == 400",
        text,
    )
    assert "assert excinfo.value.retry is True" in text
    assert "excinfo.value.detail" not in text  # the message says it


def test_what_a_cache_asked_for_is_asserted_unless_stand_ins_are_not_wanted(suite):
    text, plain = suite("memory"), suite("memory", mocks=False)
    assert re.search(r"assert \w+(\([^()]+\))? is \w+|call_count == 1|call_args_list", text)
    assert "memoize(" in plain
    assert "Mock" not in plain


def test_variables_that_are_read_are_set_or_removed(suite):
    text = suite("regions")
    assert 'monkeypatch.delenv("APP_USER", raising=False)\n    assert user() == "nobody"' in text
    set_here = r'setenv\("REGION", "eu-'
    from_a_row = r'parametrize\([^@]*"eu-[^@]*setenv\("REGION", \w+\)'
    assert re.search(f"{set_here}|{from_a_row}", text)
    assert text.count("monkeypatch.") >= text.count(" region()") + text.count("user()")


def test_variables_that_are_set_are_asserted_and_are_the_tests_own(suite):
    text = suite("modes")
    assert re.search(
        r'monkeypatch.setenv\("SHOP_MODE", ""\)\n    set_mode\(.*True\)\n'
        r'    assert os.environ\["SHOP_MODE"\] == "auto"',
        text,
    )
    assert text.count('setenv("SHOP_MODE", "")') == text.count("    set_mode(") == 2
    assert 'monkeypatch.setenv("SHOP_HOME", "")\n    monkeypatch.delenv("SHOP_HOME"' in text


def test_command_lines_and_answers_are_given(suite):
    text = suite("tool")
    assert '"--count", "-1"]) == 1' in text
    assert 'capsys.readouterr().err == "count must not be negative\\n"' in text
    assert 'monkeypatch.setattr("sys.argv", ["prog"])\n    with pytest.raises(SystemExit' in text
    # one in upper case, as the code changes the case of what is answered
    accepted = r'Y\\n"\)\)\n    assert ask\(.*\) is True'
    refused = r'YES\\n"\)\)\n    with pytest.raises\(ValueError, match=r"\^no answer: yes\$"'
    assert re.search(rf'"sys.stdin", StringIO\("(?:{accepted}|{refused})', text)
    assert 'StringIO("n\\n"))' in text


def test_sub_commands_are_run_in_a_row_on_a_file_of_the_test(suite):
    text = suite("notes")
    path = r'\["--store", str\(path\), '
    assert re.search(rf'main\({path}"add", "\w+"\]\)\n.* main\({path}"remove", "1"\]\) == 0', text)
    assert 'capsys.readouterr().err == "no such note\\n"' in text
    assert re.search(r'"remove", "-?\d"\]\) == 1', text)
    assert '"--s"' not in text


def test_processes_and_the_network_are_replaced_and_what_they_were_asked_is_asserted(suite):
    text = suite("release")
    assert 'monkeypatch.setattr("release.subprocess.run", run)' in text
    assert 'run.call_args.args == (["send", ' in text
    assert '"--quiet"]' in text
    assert 'match=r"^upload failed$"' in text
    assert 'monkeypatch.setattr("release.urlopen", ' in text
    assert {"True),", "False),"} <= set(text.split()), "rows of a table"
    assert "assert is_known(name) is expected" in text
    assert 'urlopen.call_args.args == ("https://example.org/names",)' in text


@pytest.mark.parametrize("name", ["release", "machine", "mirror", "wires"])
def test_without_mocks_nothing_is_replaced(suite, name):
    text = suite(name, mocks=False)
    assert "Mock" not in text
    assert "SimpleNamespace" not in text
    assert "monkeypatch" not in text


def test_what_the_code_catches_is_raised_by_what_it_calls(suite):
    text = suite("mirror")
    assert "get=Mock(side_effect=TimeoutError(" in text
    assert '== "late"' in text
    assert "HTTPError(" in text
    assert "no first page: 404" in text
    assert "gave up" in text


def test_commands_that_are_asked_in_turn_each_get_an_answer_of_their_form(suite):
    text = suite("machine")
    words, number = r'\(0, "[\d ]*\d *", ""\)', r'\(0, "\d+", ""\)'
    pair = rf'"vmstat \| tail -1": {words},\s*"getconf PAGESIZE": {number},?\s*}}.get\b'
    assert re.search(pair, text)
    assert 'match=r"^no page size$"' in text


def test_one_run_is_answered_differently_by_what_it_asks(suite):
    text = suite("machine")
    assert '"/sys/family": "RHV"' in text or '"/sys/vendor": "Red Hat"' in text
    assert '== "rhv"' in text or '"rhv",' in text
    assert 'path == "/run/systemd"' in text or 'path != "/sbin/openrc"' in text
    assert '== "systemd"' in text


def test_what_has_the_methods_of_texts_only_is_a_text(suite):
    text = suite("machine")
    assert "startswith" not in text
    assert "strip=" not in text
    assert "first_word(" in text


def test_what_a_call_changed_in_its_module_is_asserted_and_put_back(suite):
    text = suite("registry")
    # what was changed by earlier Calls alone is asserted by no test
    for place, assertion in (
        ("registry._handlers", r"assert registry\._handlers == \{\"\w+\": \"\w+\"\}"),
        ("registry.history", r"assert registry\.history == \["),
        ("registry._total", r"add\((\d+)\)\n    assert total\(\) == \1\n"),
        ("registry.level", r"assert registry\.level == "),
        ("registry.Shape.count", r"assert Shape\.count == 1"),
        ("registry.config.words", r"assert registry\.config\.words == \["),
    ):
        assert re.search(
            f'monkeypatch.setattr\\("{re.escape(place)}", .*\n(?:.+\n)*.*{assertion}', text
        )
    assert "assert registry._squares" not in text  # how a result is found is nobody's affair
    assert "import registry\nfrom registry import " in text


def test_warnings_are_expected_and_the_suite_passes_where_they_are_errors(suite, tmp_path):
    text = suite("ageing")
    expected = (
        'with pytest.warns(DeprecationWarning, match=r"^old_name is deprecated, use new_name$")'
    )
    assert expected in " ".join(text.split()).replace("( ", "(").replace(" )", ")")
    assert "_warns():\n    with pytest.warns(UserWarning, match=" in text
    assert 'with pytest.warns(UserWarning), pytest.raises(ValueError, match=r"^no flag$"):' in text
    ignored = '@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")\ndef test_double'
    assert ignored in text
    assert text.count("pytest.warns") + text.count("filterwarnings") < text.count("def test_")
    shutil.copy(KINDS / "ageing.py", tmp_path)
    (tmp_path / "test_ageing.py").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_a_second_call_shows_what_the_first_one_left(suite):
    text = suite("naming")
    assert re.search(r"    (numbered\(.+\))\n    assert \1 == \"\w+_1\"\n", text)
    assert text.count("assert is_first(") == 2
    assert text.count("is_first(word)") == 0
