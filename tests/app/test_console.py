from __future__ import annotations

from pathlib import Path

import pytest
from made_results import failure, made, result

from unitcraft.app.generate import console
from unitcraft.app.generate.console import LiveConsole, PlainConsole, is_live, outcome_line
from unitcraft.app.generate.phase_times import PhaseTimes
from unitcraft.core.events import Progress
from unitcraft.suite.suite_figures import MutantFigures

CWD = Path("/somewhere")


def played(listener):
    """One target that works and one that fails."""
    with listener:
        listener.started("signs", 1, 2)
        for done in range(3):
            listener.progress(Progress("signs", "explore", done, 3, "4 goals"))
        listener.progress(Progress("signs", "verify"))
        listener.finished(result(made()))
        listener.started("bank", 2, 2)
        listener.failed(failure("bank"))


FAILED = "error: bank: there is no lost [target-not-found]\n  cause: a typo\n  next:  look again\n"
DONE = "[1/2] signs: 1 test, 75% of branches, 1.2 s -> tests/test_signs.py\n"


def test_plain_lines(capsys):
    played(PlainConsole(CWD))
    shown = capsys.readouterr()
    assert (shown.out, shown.err) == ("", DONE + FAILED)


def test_verbose_lines_name_each_phase_once(capsys):
    played(PlainConsole(CWD, verbose=True))
    assert capsys.readouterr().err == (
        f"[1/2] signs ...\n[1/2]   explore 4 goals\n[1/2]   verify\n{DONE}[2/2] bank ...\n{FAILED}"
    )


def test_verbose_lines_end_with_the_seconds_of_each_phase(capsys):
    PlainConsole(CWD, verbose=True).finished(
        result(made(phases=(("import", 0.44), ("explore", 2.0))))
    )
    assert capsys.readouterr().err.splitlines()[1:] == ["import 0.4 s, explore 2.0 s"]


def test_verbose_lines_say_what_each_kind_of_variation_cost_and_won(capsys):
    shown = made(phases=(("import", 0.4),), variations=(("texts", 90, 4, 2), ("keys", 8, 0, 0)))
    PlainConsole(CWD, verbose=True).finished(result(shown))
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.strip() == "varied: texts 90 runs, 2 sites; keys 8 runs, 0 sites"


def test_verbose_lines_say_how_many_mutants_the_tests_kill(capsys):
    for figures, note in (
        (MutantFigures(9, 4, 3), " (3 of code that the import runs)"),
        (MutantFigures(9, 4), ""),
    ):
        shown = made(phases=(("import", 0.4),), mutants=figures)
        PlainConsole(CWD, verbose=True).finished(result(shown))
        last = capsys.readouterr().err.splitlines()[-1]
        assert last.strip() == f"mutants: 4 of 9 killed{note}"


def test_stored_results_took_no_time(capsys):
    shown = result(made(phases=(("import", 0.44),)), stored=True)
    PlainConsole(CWD, verbose=True).finished(shown)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_phases_are_timed_by_the_events(capsys):
    clock = iter([1.0, 2.0, 4.0, 4.5])
    times = PhaseTimes(PlainConsole(CWD, verbose=True), lambda: next(clock))
    for phase in ("import", "explore", "explore", "import"):
        times.progress(Progress("signs", phase))
    assert times.seconds() == (("import", 1.5), ("explore", 2.0))
    assert capsys.readouterr().err == "import\nexplore\nimport\n"


def test_quiet_prints_errors_only(capsys):
    played(PlainConsole(CWD, quiet=True))
    assert capsys.readouterr().err == FAILED


def test_live_line_leaves_what_is_finished(capsys):
    played(LiveConsole(CWD))
    shown = capsys.readouterr()
    assert shown.out == ""
    assert DONE in shown.err
    assert FAILED in shown.err


@pytest.mark.parametrize(
    ("tty", "env", "quiet", "expected"),
    [
        (True, {}, False, True),
        (False, {}, False, False),
        (True, {"NO_COLOR": "1"}, False, True),  # rich leaves the colours out
        (True, {"TERM": "dumb"}, False, False),
        (True, {}, True, False),
    ],
)
def test_live_needs_a_terminal_that_wants_it(monkeypatch, tty, env, quiet, expected):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(console.sys.stderr, "isatty", lambda: tty, raising=False)
    assert is_live(quiet=quiet) is expected


def test_outcomes():
    assert outcome_line(result(made(text="")), CWD) == "signs: nothing to test"
    assert outcome_line(result(made(branches=0), stored=True, status="unchanged"), CWD) == (
        "signs: 1 test, from the store -> tests/test_signs.py (unchanged)"
    )
    assert outcome_line(result(made(tests=2), path=None), CWD) == (
        "signs: 2 tests, 75% of branches, 1.2 s"
    )
