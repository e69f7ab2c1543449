"""The entry of the command line: unitcraft's own packages come before those of a project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import unitcraft
from unitcraft.__main__ import own_packages_first

HOME = str(Path(unitcraft.__file__).parents[1])


def test_entries_of_the_project_come_last_in_their_order():
    path = ["", "/site", "/a", "/lib", "/b", "/here"]
    assert own_packages_first(path, "/b:/a", "/here") == ["/site", "/lib", "", "/a", "/b", "/here"]


def test_the_folder_of_unitcraft_keeps_its_place():
    assert own_packages_first([HOME, "/a", "/lib"], f"/a:{HOME}", "/") == [HOME, "/lib", "/a"]


@pytest.mark.parametrize("where", ["PYTHONPATH", "the current folder"])
@pytest.mark.parametrize("module", ["unitcraft", "unitcraft.app"])
def test_a_package_of_the_project_is_not_taken_for_one_of_ours(tmp_path, where, module):
    (tmp_path / "click.py").write_text("raise RuntimeError('the click of a project')\n")
    given = [str(tmp_path)] if where == "PYTHONPATH" else []
    done = subprocess.run(
        [sys.executable, "-m", module, "--version"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join([*given, HOME])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert unitcraft.__version__ in done.stdout
