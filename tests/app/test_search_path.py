"""What guarded processes import from: a dependency that only PYTHONPATH leads to is found."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from in_process import run_here

from unitcraft.app.config import Config
from unitcraft.app.search_path import OURS, search_path, suite_path

LAMP = """\
from voltage import LIMIT


class Lamp:
    def __init__(self) -> None:
        self.level = 0

    def dim(self, level: int) -> int:
        self.level = LIMIT if level > LIMIT else level
        return self.level
"""

TESTS = "from lamp import Lamp\n\n\ndef test_dim():\n    assert Lamp().dim(9) == 7\n"

COMMANDS = {
    "generate": ("generate", "lamp", "-j", "1"),
    "explain": ("explain", "lamp:Lamp.dim", "-j", "1"),
    "explore": ("explore", "lamp:Lamp", "--methods", "dim", "--ints", "0..1", "-j", "1"),
    "check": ("check", "test_lamp.py", "-s", "lamp"),
    "mutants": ("mutants", "run", "-s", "lamp", "-j", "1"),
}


@pytest.fixture
def lamp(tmp_path):
    """A project whose dependency stands in a folder beside it."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "lamp.py").write_text(LAMP)
    (project / "test_lamp.py").write_text(TESTS)
    (tmp_path / "deps").mkdir()
    (tmp_path / "deps" / "voltage.py").write_text("LIMIT = 7\n")
    return project


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_finds_what_stands_on_pythonpath_only(lamp, name):
    path = os.pathsep.join([str(lamp.parent / "deps"), OURS])
    done = run_here(lamp, *COMMANDS[name], PYTHONPATH=path)
    assert done.returncode in (0, 1), done.stderr
    assert "error" not in done.stderr
    if name == "generate":
        text = (lamp / "tests" / "test_lamp.py").read_text()
        assert "7" in text


def test_the_code_under_test_comes_first_then_settings_then_pythonpath(tmp_path, monkeypatch):
    given = os.pathsep.join(["", "/b", "near", "/lib"])
    monkeypatch.setenv("PYTHONPATH", given)
    monkeypatch.chdir(tmp_path)
    config = Config(root=Path("/p"), paths=("a", "/b"))
    found = search_path(config, ["/lib", Path("/root")])
    assert found == ("/lib", "/root", "/p/a", "/b", str(tmp_path / "near"))


def test_our_own_folder_is_searched_only_for_itself(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", f"/a{os.pathsep}{OURS}")
    assert search_path(Config(root=Path("/p"))) == ("/a",)
    assert search_path(Config(root=Path("/p")), [OURS]) == (OURS, "/a")


def test_installed_packages_of_a_suite_keep_their_place(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "/given")
    monkeypatch.setattr(sys, "path", ["/site", "/given"])
    found = suite_path(Config(root=Path("/p")), ["/site", "/given", "/other"], Path("/cwd"))
    assert found == ("/given", "/other", "/cwd")
