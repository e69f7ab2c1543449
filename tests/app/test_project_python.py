"""Which interpreter is the project's, what it may borrow, and which one cannot serve."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from environments import install_pytest, interpreters, make_environment, site_packages

from unitcraft.app.config import Config, load
from unitcraft.app.generate.generate_targets import _key
from unitcraft.app.generate.generated_suite import Options
from unitcraft.app.lendable import lent_to
from unitcraft.app.project_flags import project_flags, with_project
from unitcraft.app.project_python import find_python, interpreter_at
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN
from unitcraft.subject.locate import locate


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)


@pytest.fixture(scope="module")
def environment(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("environments") / "other"
    return make_environment(folder, click="__version__ = '7.1.2'")


def prefix(python):
    return Path(python.executable).parents[1]


def project(tmp_path, environment):
    """A project with this environment as its ``.venv``, and a module two folders below it."""
    (tmp_path / ".venv").symlink_to(environment)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'shop'\n")
    file = tmp_path / "src" / "shop" / "cart.py"
    file.parent.mkdir(parents=True)
    file.touch()
    return file


def test_without_an_environment_it_is_our_own(tmp_path):
    assert find_python(Config(root=tmp_path), ["shop"], tmp_path) == OWN


def test_the_environment_beside_pyproject_is_found_from_below(tmp_path, environment):
    file = project(tmp_path, environment)
    for target, cwd in ((str(file), Path("/")), ("src/shop", tmp_path), ("shop.cart", file.parent)):
        found = find_python(Config(root=cwd), [target], cwd)
        assert prefix(found) == tmp_path / ".venv"
        assert found.version == sys.version_info[:2]
        assert str(tmp_path / ".venv") in found.path[-1]


def test_a_folder_without_pyproject_is_no_project(tmp_path, environment):
    file = project(tmp_path, environment)
    (tmp_path / "pyproject.toml").unlink()
    assert find_python(Config(root=tmp_path), [str(file)], tmp_path) == OWN


def test_an_active_environment_goes_before_it_and_the_settings_before_both(
    tmp_path, environment, monkeypatch
):
    other = make_environment(tmp_path / "active")
    file = project(tmp_path, environment)
    monkeypatch.setenv("VIRTUAL_ENV", str(other))
    assert prefix(find_python(Config(root=tmp_path), [str(file)], tmp_path)) == other
    named = Config(root=tmp_path, python=".venv")
    assert prefix(find_python(named, [str(file)], tmp_path)) == tmp_path / ".venv"
    monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path / "gone"))
    assert prefix(find_python(Config(root=tmp_path), [str(file)], tmp_path)) == tmp_path / ".venv"


@pytest.mark.parametrize("name", ["other", "./other/bin/python", "other/bin/python3"])
def test_a_folder_and_an_executable_are_named(environment, name):
    found = find_python(Config(root=environment.parent, python=name), [], Path("/"))
    assert prefix(found).resolve() == environment.resolve()


def test_our_own_is_recognised_by_any_name(monkeypatch):
    assert interpreter_at(Path(sys.prefix, "bin", "python3")) == OWN
    monkeypatch.setenv("VIRTUAL_ENV", sys.prefix)
    assert find_python(Config(root=Path("/")), [], Path("/")) == OWN


def test_the_flag_is_relative_to_the_folder_of_the_command(tmp_path):
    (tmp_path / "env").mkdir()
    config = Config(root=Path("/p"), python="kept")
    given = {None: "kept", "env": str(tmp_path / "env"), "../py": str(tmp_path / "../py"),
             "python3.12": "python3.12"}  # fmt: skip
    for python, found in given.items():
        flags = {"python": python, "env": (), "before_import": ()}
        assert with_project(config, flags, tmp_path).python == found
    assert {"--python", "--env", "--before-import"} <= {
        name for one in project_flags(click.Command("any")).params for name in one.opts
    }


def test_the_key_is_a_setting(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.unitcraft]\npython = '.venv'\n")
    assert load(tmp_path).python == ".venv"


def test_what_is_installed_tells_environments_apart(tmp_path, environment):
    first = interpreter_at(environment / "bin" / "python")
    assert first.digest == interpreter_at(environment / "bin" / "python3").digest
    other = make_environment(tmp_path / "env")
    (site_packages(other) / "click-8.0.dist-info").mkdir()
    assert interpreter_at(other / "bin" / "python").digest != first.digest


def script(folder, text):
    file = folder / "python"
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return str(file)


@pytest.mark.parametrize(
    ("text", "slug", "words"),
    [
        (None, "python-not-found", "nowhere"),
        ("echo Ouch >&2; exit 3", "python-not-usable", "Ouch"),
        ("echo Python 3.12", "python-not-usable", "does not answer"),
        (
            """echo '{"version": [3, 9, 1], "kind": "cpython"}'""",
            "python-not-supported",
            "is cpython 3.9.1",
        ),
        (
            """echo '{"version": [3, 11, 1], "kind": "pypy"}'""",
            "python-not-supported",
            "is pypy 3.11.1",
        ),
    ],
)
def test_what_cannot_serve_is_an_error_with_advice(tmp_path, text, slug, words):
    name = "./nowhere" if text is None else script(tmp_path, text)
    with pytest.raises(UnitcraftError) as caught:
        find_python(Config(root=tmp_path, python=name), [], tmp_path)
    assert caught.value.slug == slug
    assert words in str(caught.value)
    assert "--python" in caught.value.advice


def test_an_old_python_of_the_project_is_an_error(tmp_path):
    old = [place for version, place in interpreters().items() if version < (3, 11)]
    if not old:
        pytest.skip("no Python older than 3.11 is installed")
    with pytest.raises(UnitcraftError, match=r"cpython 3\.\d+.*\[?") as caught:
        interpreter_at(Path(old[0]))
    assert caught.value.slug == "python-not-supported"


def names(lent):
    return [name for name, _ in lent]


def test_pytest_and_coverage_are_lent_with_all_that_they_need():
    lent = lent_to({})
    assert names(lent)[:2] == ["pytest", "_pytest"]
    assert {"pluggy", "iniconfig", "packaging", "coverage"} <= set(names(lent))
    assert all(Path(folder, name).exists() or Path(folder, f"{name}.py").exists()
               for name, folder in lent)  # fmt: skip


def test_nothing_is_lent_to_who_has_it():
    assert lent_to({"pytest": "7.0.1", "coverage": "7.2"}) == ()
    assert lent_to({"pytest": "", "coverage": ""}) == ()
    assert names(lent_to({"pytest": "8.0"})) == ["coverage"]


def test_old_releases_are_replaced_and_suitable_parts_are_not():
    assert "pytest" in names(lent_to({"pytest": "6.2.5", "coverage": "7"}))
    found = names(lent_to({"pluggy": "0.13", "packaging": "99.0", "iniconfig": "", "py": "1.11"}))
    assert "pluggy" in found
    assert not {"packaging", "iniconfig", "py"} & set(found)


def test_an_environment_with_pytest_uses_its_own(tmp_path):
    environment = make_environment(tmp_path / "env")
    install_pytest(environment)
    assert names(interpreter_at(environment / "bin" / "python").lent) == ["coverage"]


def test_a_stored_result_is_of_one_environment(tmp_path, environment):
    (tmp_path / "signs.py").write_text("def sign(n): ...\n")
    (located,) = locate("signs.py", tmp_path)
    other = interpreter_at(environment / "bin" / "python")
    keys = [_key(located, Options(python=one)) for one in (OWN, other, other)]
    assert keys[0] != keys[1] == keys[2]
    assert _key(located, Options(python=replace(other, digest="newer"))) not in keys
