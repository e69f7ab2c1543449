"""The command line itself: flags, settings, messages and exit codes, without the engine."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields

import click
import pytest

from unitcraft import __version__
from unitcraft.app import cli
from unitcraft.app.cli import exit_code
from unitcraft.app.commands import cli_generate
from unitcraft.app.commands.cli_generate import overridden
from unitcraft.app.config import Config
from unitcraft.core.errors import UnitcraftError


@pytest.fixture
def here(project, monkeypatch):
    monkeypatch.chdir(project)
    return project


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_version(flag, capsys):
    assert exit_code([flag]) == 0
    assert capsys.readouterr().out == f"unitcraft {__version__}\n"


def test_shells_complete_the_command_line(capsys, monkeypatch):
    monkeypatch.setenv("_UNITCRAFT_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", "unitcraft gen")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit):
        exit_code([])
    assert capsys.readouterr().out == "plain,generate\n"


@pytest.mark.parametrize("words", [["--help"], ["generate", "-h"], ["explore", "--help"]])
def test_help_has_examples(words, capsys):
    assert exit_code(words) == 0
    shown = capsys.readouterr().out
    assert "Examples:\n    unitcraft " in shown or "Examples:\n  unitcraft " in shown


def test_group_help_names_every_command(capsys):
    exit_code(["--help"])
    shown = capsys.readouterr().out
    assert all(f"  {name}  " in shown for name in cli.COMMANDS)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["generate", "--sed", "1"], "'--seed'"),
        (["generate", "--seed", "x", "signs"], "Invalid value for '--seed'"),
        (["generate", "-j", "0", "signs"], "Invalid value for '-j' / '--jobs'"),
        (["generate", "--budget", "0", "signs"], "Invalid value for '--budget'"),
        (["generate", "--sandbox", "loose", "signs"], "'strict', 'standard', 'off'"),
        (["generate", "--criterion", "brench", "signs"], "did you mean 'branch'?"),
        (["generate", "--stdout", "--diff", "signs"], "--stdout excludes --diff and --check"),
        (["generate"], "name a TARGET"),
        (["explore", "signs:S", "--ints", "5..1"], "neither a range"),
        (["explore"], "Missing argument"),
        (["create"], "No such command 'create'"),
    ],
)
def test_wrong_usage_is_one_message_and_exit_code_2(words, message, here, capsys):
    assert exit_code(words) == 2
    shown = capsys.readouterr()
    assert message in shown.err
    assert shown.out == ""
    assert "Traceback" not in shown.err


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["generate", "lost"], "writing tests for lost"),
        (["mutants", "run", "t", "-s", "lost"], "running t without a mutant first"),
        (["mutants", "kill", "lost:f:1"], "looking for tests that kill lost:f:1"),
        (["explore", "lost:C"], "exploring lost:C"),
        (["specs", "lost:C"], "running lost:C to see which laws hold"),
        (["heaps", "lost:C", "--scope", "2"], "generating heaps of lost:C"),
        (["explain", "lost:f"], "running lost:f to explain it"),
        (["assess", "t", "-s", "lost"], "running t, guarded and recorded"),
    ],
)
def test_a_command_says_what_it_does_before_it_does_it(words, first, here, capsys):
    assert exit_code(words) == 2
    assert capsys.readouterr().err.splitlines()[0] == first


def test_unknown_config_key_is_one_message_and_exit_code_2(here, capsys):
    (here / "pyproject.toml").write_text("[tool.unitcraft]\nsede = 1\n")
    assert exit_code(["generate", "signs"]) == 2
    assert capsys.readouterr().err == (
        f"error: {here}/pyproject.toml: [tool.unitcraft] has no key 'sede' [unknown-config-key]\n"
        "  next:  did you mean 'seed'?\n"
    )


def test_missing_factories_file_is_reported(here, capsys):
    (here / "pyproject.toml").write_text("[tool.unitcraft]\nfactories = 'lost.py'\n")
    assert exit_code(["generate", "signs"]) == 2
    assert "[missing-factories]" in capsys.readouterr().err


def given(**flags):
    names = (
        "targets", "jobs", "seed", "steps", "budget", "sandbox", "output", "criterion", "scope",
        "rep_ok", "transcope", "symbolic", "mocks", "python",
    )  # fmt: skip
    several = ("targets", "allow", "env", "before_import")
    return {**dict.fromkeys(names), **dict.fromkeys(several, ()), **flags}


def test_flags_override_settings(tmp_path):
    config = Config(root=tmp_path, seed=1, targets=("a",), allow=("x:1",), output="o")
    changed = overridden(
        config, tmp_path / "sub", given(seed=2, targets=("b",), allow=("y:2",), output="p")
    )
    assert (changed.seed, changed.targets, changed.allow) == (2, ("b",), ("x:1", "y:2"))
    assert changed.output == str(tmp_path / "sub" / "p")


def test_flags_that_are_not_given_leave_the_settings(tmp_path):
    config = Config(root=tmp_path, seed=1, targets=("a",), budget=3.0)
    assert overridden(config, tmp_path, given()) == config


def test_criteria_on_the_command_line_take_the_place_of_the_setting(tmp_path):
    config = Config(root=tmp_path, criterion=("path",))
    changed = overridden(config, tmp_path, given(criterion=("branch", "exception")))
    assert changed.criterion == ("branch", "exception")
    assert overridden(config, tmp_path, given(criterion=())).criterion == ("path",)


def test_the_engine_can_be_left_out(tmp_path):
    assert overridden(Config(root=tmp_path), tmp_path, given()).symbolic
    assert not overridden(Config(root=tmp_path), tmp_path, given(symbolic=False)).symbolic


def test_each_option_that_is_a_setting_too_overrides_it(tmp_path):
    """``--no-mocks`` was read and forgotten once."""
    config = Config(root=tmp_path)
    both = {field.name for field in fields(Config)} & {
        one.name for one in cli_generate.command.params
    }
    kept = both - {"allow", "output", "python", "env", "before_import"}
    assert {"mocks", "symbolic", "seed", "scope"} <= kept
    for name in kept:
        other = {True: False, False: True}.get(getattr(config, name), ("line",))
        changed = overridden(config, tmp_path, given(**{name: other}))
        assert getattr(changed, name) == other, name


def test_seed_zero_on_the_command_line_counts(tmp_path):
    assert overridden(Config(root=tmp_path, seed=1), tmp_path, given(seed=0)).seed == 0


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (UnitcraftError("disk-full", "no space"), 2, "error: no space [disk-full]"),
        (ZeroDivisionError("oops"), 2, "[internal-error]"),
        (BrokenPipeError(), 2, ""),
    ],
)
def test_every_ending_has_its_exit_code(monkeypatch, capfd, here, error, code, message):
    def fail(_):
        raise error

    monkeypatch.setattr(cli_generate.settings, "load", fail)
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    assert exit_code(["generate", "signs"]) == code
    assert message in capfd.readouterr().err


def test_module_can_be_run():
    shown = subprocess.check_output([sys.executable, "-m", "unitcraft.app", "--version"], text=True)
    assert shown == f"unitcraft {__version__}\n"


def test_start_does_not_load_the_engine():
    show = (
        "import sys, unitcraft.app.cli as c; c.exit_code(['generate', '--help']);"
        "print([m for m in ('rich', 'sqlite3', 'coverage', 'pytest', 'unitcraft.explore')"
        " if m in sys.modules])"
    )
    shown = subprocess.check_output([sys.executable, "-c", show], text=True)
    assert shown.splitlines()[-1] == "[]"


def commands_of(group):
    context = click.Context(group)
    for one in (group.get_command(context, name) for name in group.list_commands(context)):
        yield from commands_of(one) if isinstance(one, click.Group) else [one]


def test_every_command_that_runs_code_can_be_quiet():
    flags = {
        one.name: {flag for o in one.params for flag in o.opts} for one in commands_of(cli.cli)
    }
    running = [name for name, have in flags.items() if "--python" in have]
    assert "kill" in running
    assert [name for name in running if not {"-q", "--quiet"} <= flags[name]] == []
