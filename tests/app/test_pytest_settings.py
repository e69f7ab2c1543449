"""The settings of a project for pytest, wherever they stand."""

from __future__ import annotations

import pytest

from unitcraft.app.config import Config
from unitcraft.app.pytest_settings import PytestSettings, pytest_settings
from unitcraft.app.search_path import search_path

TOML = """
[tool.pytest.ini_options]
pythonpath = ["src", "lib"]
filterwarnings = ["error", 'ignore:old "thing":DeprecationWarning']
"""

INI = """
[{section}]
addopts = -ra %(oddity)
pythonpath = src lib
filterwarnings =
    error
    ignore:old "thing":DeprecationWarning
"""

FILES = {
    "pyproject.toml": TOML,
    "pytest.ini": INI.format(section="pytest"),
    "tox.ini": INI.format(section="pytest"),
    "setup.cfg": INI.format(section="tool:pytest"),
}


@pytest.mark.parametrize("name", FILES)
def test_paths_and_filters_are_read(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    (tmp_path / "below").mkdir()
    paths = (str(tmp_path / "src"), str(tmp_path / "lib"))
    wanted = PytestSettings(paths, ("error", 'ignore:old "thing":DeprecationWarning'))
    assert pytest_settings(tmp_path / "below") == wanted


@pytest.mark.parametrize("text", ["", "[tool.x]\na = 1\n", "[tool]\npytest = 3\n", "[[[", "\xff"])
def test_a_file_without_settings_is_passed_over(tmp_path, text):
    (tmp_path / "pyproject.toml").write_text(text, encoding="latin-1")
    assert pytest_settings(tmp_path) == PytestSettings()


def test_the_paths_are_on_the_path_of_guarded_processes(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/given")
    (tmp_path / "pyproject.toml").write_text(TOML)
    found = search_path(Config(root=tmp_path, paths=("own",)), ["/root"])
    assert found == ("/root", *(str(tmp_path / one) for one in ("own", "src", "lib")), "/given")
