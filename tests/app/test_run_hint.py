"""What plain pytest could import, and the setting that mends it."""

from __future__ import annotations

import pytest
from made_results import made

from unitcraft.app.config import Config
from unitcraft.app.generate.delivery import Delivered
from unitcraft.app.generate.generate_targets import TargetResult
from unitcraft.app.generate.run_hint import hint, missing_roots, write_config
from unitcraft.app.pytest_settings import pytest_settings
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import Interpreter

PYTHON = Interpreter("python", (3, 11), ("/lib/python3.11",))

#: Files of a project (name: text), the folder of its code, and whether pytest would miss it.
CASES = {
    "a src layout": ({"pyproject.toml": ""}, "src", True),
    "a src layout that pytest knows": (
        {"pytest.ini": "[pytest]\npythonpath = src\n"}, "src", False,
    ),
    "beside the tests' folder": ({"pyproject.toml": ""}, ".", True),
    "beside a package of tests": ({"tests/__init__.py": ""}, ".", False),
    "beside a conftest": ({"pyproject.toml": "", "conftest.py": ""}, ".", False),
    "a conftest elsewhere": ({"pyproject.toml": "", "conftest.py": ""}, "src", True),
    "in the folder of the tests": ({"pyproject.toml": ""}, "tests", False),
}  # fmt: skip


def results(tmp_path, root):
    path = tmp_path / "tests" / "test_signs.py"
    return [TargetResult("signs", made(), Delivered("written", path), root=tmp_path / root)]


@pytest.mark.parametrize("name", CASES)
def test_roots_that_pytest_lacks(name, tmp_path, monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    files, root, missing = CASES[name]
    for file, text in files.items():
        (tmp_path / file).parent.mkdir(exist_ok=True)
        (tmp_path / file).write_text(text)
    found = missing_roots(results(tmp_path, root), Config(tmp_path), tmp_path, PYTHON)
    assert found == ([tmp_path / root] if missing else [])


def test_pythonpath_and_installed_packages_are_known(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "src"))
    made_here = results(tmp_path, "src")
    assert missing_roots(made_here, Config(tmp_path), tmp_path, PYTHON) == []
    monkeypatch.delenv("PYTHONPATH")
    installed = Interpreter("python", (3, 11), (str(tmp_path / "src"),))
    assert missing_roots(made_here, Config(tmp_path), tmp_path, installed) == []


def test_the_line_has_both_ways(tmp_path):
    line = hint([tmp_path / "src"], Config(tmp_path), tmp_path, tmp_path / "build/tests")
    assert "PYTHONPATH=src pytest build/tests" in line
    assert 'pythonpath = ["src"]' in line
    assert hint([], Config(tmp_path), tmp_path, tmp_path) == ""


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("pyproject.toml", "[project]\nname = 'a'\n"),
        ("pyproject.toml", "[tool.pytest.ini_options]\naddopts = '-q'\n\n[tool.x]\ny = 1\n"),
        ("pytest.ini", "[pytest]\naddopts = -q\n"),
        ("setup.cfg", "[tool:pytest]\naddopts = -q\n"),
        ("other.txt", ""),
    ],
)
def test_the_setting_is_written_where_settings_stand(tmp_path, file, text):
    (tmp_path / file).write_text(text)
    write_config([tmp_path / "src"], Config(tmp_path, source=tmp_path / "x"), tmp_path)
    assert pytest_settings(tmp_path).paths == (str(tmp_path / "src"),)
    assert [line for line in text.splitlines() if line not in _texts(tmp_path)] == []


def _texts(folder):
    return "\n".join(one.read_text() for one in folder.iterdir()).splitlines()


def test_a_setting_that_stands_there_is_left(tmp_path):
    file = tmp_path / "pytest.ini"
    file.write_text("[pytest]\npythonpath = lib\n")
    with pytest.raises(UnitcraftError, match="add there: pythonpath = src") as caught:
        write_config([tmp_path / "src"], Config(tmp_path), tmp_path)
    assert caught.value.slug == "config-not-written"
    assert "src" not in file.read_text()
