"""The commands: flags become requests, answers become exit codes; no engine runs."""

from __future__ import annotations

import json
from types import SimpleNamespace

import click
import pytest

from unitcraft.app.cli import exit_code
from unitcraft.app.commands import (
    cli_assess,
    cli_explain,
    cli_explore,
    cli_minimize,
    cli_mutants,
    cli_prioritize,
    cli_select,
)
from unitcraft.app.mutants import mutants_command
from unitcraft.app.output_options import OutputOptions
from unitcraft.app.store import RunRecords
from unitcraft.app.suites import check_command, check_report, compare_command, fix, minimize_command
from unitcraft.app.suites.suite_flags import TECHNIQUES
from unitcraft.core.events import Finding


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def asked(monkeypatch):
    """What the engine was asked for; ``answer`` is what it answers."""
    log = SimpleNamespace(calls=[], answer=None)

    def hear(*args, **kwargs):
        log.calls.append((args, kwargs))
        return log.answer

    for module, name in (
        (compare_command, "run_assess"),
        (compare_command, "run_select"),
        (compare_command, "run_prioritize"),
        (check_command, "run_check"),
        (minimize_command, "run_minimize"),
        (fix, "fix_suite"),
        (mutants_command, "run"),
    ):
        monkeypatch.setattr(module, name, hear)
    for module, name in (
        (compare_command, "render_assessments"),
        (compare_command, "render_selection"),
        (compare_command, "render_order"),
        (check_report, "render_report"),
        (minimize_command, "render_report"),
        (mutants_command, "render_report"),
    ):
        monkeypatch.setattr(module, name, lambda *args: f"form {args[-1]}")
    monkeypatch.setattr(check_report, "as_plain", lambda checked: {"count": len(checked.findings)})
    return log


def request(log):
    return log.calls[-1][0][0]


def test_assess_runs_each_suite(asked, capsys):
    assert exit_code(["assess", "one", "two", "-s", "shop", "--format", "json"]) == 0
    assert [call[0][0].tests for call in asked.calls] == [("one",), ("two",)]
    assert capsys.readouterr().out == "form json\n"
    assert cli_assess.command.name == "assess"


def test_select_runs_the_existing_tests_first(asked):
    assert exit_code(["select", "new", "--against", "old", "-s", "shop"]) == 0
    assert request(asked).tests == ("old", "new")
    assert asked.calls[-1][0][1] == ("new",)
    assert exit_code(["select", "new", "-s", "shop"]) == 2
    assert cli_select.command.name == "select"


def test_prioritize_takes_the_flags_of_a_suite(asked):
    words = [
        "prioritize",
        "t",
        "-s",
        "shop",
        "--state-repr",
        "monitorequals",
        "--inner",
        "--pytest-arg=-x",
        "--allow",
        "open:*",
        "--seconds",
        "5",
    ]
    assert exit_code(words) == 0
    found = request(asked)
    assert (found.technique, found.inner, found.options, found.seconds) == (
        "MonitorEquals",
        True,
        ("-x",),
        5.0,
    )
    assert found.allow == ("open:*",)
    assert cli_prioritize.command.name == "prioritize"


def test_the_default_technique_is_one_of_the_literature(asked):
    exit_code(["prioritize", "-s", "shop"])
    assert request(asked).technique in TECHNIQUES
    assert exit_code(["prioritize"]) == 2


def test_minimize_changes_files_only_with_fix(asked, capsys):
    assert exit_code(["minimize", "t", "-s", "shop", "--format", "nodes"]) == 0
    assert capsys.readouterr().out == "form nodes\n"
    asked.answer = "a diff"
    assert exit_code(["minimize", "t", "-s", "shop", "--diff", "--unsafe"]) == 0
    assert asked.calls[-1][1] == {"write": False, "unsafe": True}
    exit_code(["minimize", "t", "-s", "shop", "--fix"])
    assert asked.calls[-1][1] == {"write": True, "unsafe": False}
    assert cli_minimize.command.name == "minimize"


@pytest.mark.parametrize(
    ("findings", "words", "code"), [((), (), 0), ((1,), (), 1), ((1,), ("--exit-zero",), 0)]
)
def test_check_fails_when_there_are_findings(asked, findings, words, code):
    asked.answer = SimpleNamespace(findings=findings)
    assert (
        exit_code(["check", "-s", "shop", "--select", "UC1, UC3", "--ignore", "UC301", *words])
        == code
    )
    assert (request(asked).select, request(asked).ignore) == (("UC1", "UC3"), ("UC301",))


def test_check_reads_kills_from_a_file(asked, tmp_path):
    asked.answer = SimpleNamespace(findings=())
    (tmp_path / "kills.json").write_text(json.dumps({"t.py::test_a": 0}))
    assert exit_code(["check", "-s", "shop", "--kills", "kills.json"]) == 0
    assert request(asked).killed == {"t.py::test_a": 0}
    (tmp_path / "kills.json").write_text("[1]")
    assert exit_code(["check", "-s", "shop", "--kills", "kills.json"]) == 2
    assert RunRecords(tmp_path).of_kind("check") == [{"name": "-s shop", "count": 0}]


@pytest.mark.parametrize(
    ("killed", "words", "code"), [(True, (), 0), (False, (), 1), (False, ("--exit-zero",), 0)]
)
def test_mutants_run_fails_when_mutants_live(asked, killed, words, code):
    asked.answer = SimpleNamespace(judged=[SimpleNamespace(is_killed=killed)])
    assert (
        exit_code(["mutants", "run", "t", "-s", "shop", "--since", "main", "--each-test", *words])
        == code
    )
    found = request(asked)
    assert (found.arguments, found.subjects, found.since, found.each) == (
        ("t",),
        ("shop",),
        "main",
        True,
    )
    assert list(cli_mutants.command.commands) == ["run", "list", "show", "kill"]


def test_explain_tells_codes_without_running_anything(capsys):
    assert exit_code(["explain", "UC509", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["code"] == "UC509"
    assert exit_code(["explain", "import-faild"]) == 2
    assert "import-failed" in capsys.readouterr().err
    assert cli_explain.command.name == "explain"


@pytest.mark.parametrize(
    ("text", "expected"), [("0..2", (0, 1, 2)), ("-1..0", (-1, 0)), ("3", (3,)), ("7,-1", (7, -1))]
)
def test_integers_to_explore(text, expected):
    assert cli_explore.integers(None, None, text) == expected


@pytest.mark.parametrize("text", ["2..1", "a", "1..", ""])
def test_integers_that_are_none(text):
    with pytest.raises(click.BadParameter):
        cli_explore.integers(None, None, text)


def test_values_by_name():
    found = cli_explore.values_by_name(None, None, ("a=None,1", "b='x'"))
    assert found == {"a": ("None", "1"), "b": ("'x'",)}
    with pytest.raises(click.BadParameter):
        cli_explore.values_by_name(None, None, ("a",))


def test_output_options_say_nothing_about_the_suite():
    assert OutputOptions() == OutputOptions(form="full", stdout=False)
    assert Finding("UC1", "t", "m").where == ""
