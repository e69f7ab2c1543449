"""The changed lines of stored mutants, and the runs that ``kill_survivors`` chooses."""

from __future__ import annotations

from types import SimpleNamespace

from unitcraft.app.mutants import kill_survivors
from unitcraft.app.mutants.mutant_changes import brief_changes, patch_of
from unitcraft.core.goals import Family, Goal
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

TEXT = "def f(a):\n    return a + 1  # one\n"


def test_changes_are_those_of_the_file_as_it_is(tmp_path):
    file = tmp_path / "m.py"
    file.write_text(TEXT)
    source = ModuleSource("m", str(file), TEXT)
    asked = [(one.about, str(file)) for one in source.mutants]
    found = brief_changes(asked)
    assert set(found) == {one.about.id for one in source.mutants}
    assert "return a + 1  # one  ->  return a - 1  # one" in found.values()
    assert "--- a/m.py" in patch_of(source, source.mutants[0], tmp_path)
    file.write_text("x = (\n")
    assert brief_changes(asked) == {}


def test_each_mutant_has_one_run_and_checks_are_preferred(monkeypatch):
    runs = {key: SimpleNamespace(sequence=key) for key in ("long", "short", "other")}
    monkeypatch.setattr(kill_survivors, "cost", len)
    by_check = {Goal(Family.MUTANT, 1): (), Goal(Family.MUTANT_BY_CHECK, 1): ()}
    reveals = {
        "long": {**by_check, Goal(Family.MUTANT, 2): ()},
        "short": {Goal(Family.MUTANT, 1): ()},
        "other": by_check,
    }
    chosen = kill_survivors._cheapest(runs, reveals)
    assert [run.sequence for run, _ in chosen] == ["long"]


def test_files_of_earlier_runs_stay(tmp_path):
    first = kill_survivors._free_file(tmp_path, "a.b")
    assert first.name == "test_a_b_mutants.py"
    first.write_text("")
    assert kill_survivors._free_file(tmp_path, "a.b").name == "test_a_b_mutants_2.py"
