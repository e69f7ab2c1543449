"""From settings to the options of the engine."""

from __future__ import annotations

import pytest

from unitcraft.app.config import Config, cores
from unitcraft.app.generate.generated_suite import Options, options_of
from unitcraft.core.errors import UnitcraftError


def test_defaults_are_those_of_the_engine(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    assert options_of(Config(root=tmp_path, jobs=1)) == Options(project=str(tmp_path))


def test_settings_reach_the_engine_with_absolute_paths(tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    (tmp_path / "values.py").write_text("")
    config = Config(
        root=tmp_path, seed=3, jobs=2, steps=9, executions=7, budget=1.5, sandbox="strict",
        allow=("open:x",), paths=("lib",), factories="values.py", criterion=("path",),
    )  # fmt: skip
    assert options_of(config) == Options(
        seed=3, jobs=2, steps=9, executions=7, budget=1.5, sandbox="strict", allow=("open:x",),
        paths=(str(tmp_path / "lib"),), factories=str(tmp_path / "values.py"),
        criterion=("path",), project=str(tmp_path),
    )  # fmt: skip


def test_jobs_are_one_for_each_core_unless_given(tmp_path):
    assert options_of(Config(root=tmp_path)).jobs == cores() >= 1


def test_factories_are_found_in_their_usual_place(tmp_path):
    file = tmp_path / "tests" / "unitcraft_factories.py"
    file.parent.mkdir()
    file.write_text("")
    assert options_of(Config(root=tmp_path)).factories == str(file)


def test_named_factories_must_exist(tmp_path):
    with pytest.raises(UnitcraftError, match=r"lost\.py does not exist \[missing-factories\]"):
        options_of(Config(root=tmp_path, factories="lost.py"))
