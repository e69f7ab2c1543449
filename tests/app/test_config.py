from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.app.config import KEYS, Config, load
from unitcraft.core import criteria
from unitcraft.core.errors import UnitcraftError


def written(directory, text):
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "pyproject.toml").write_text(text)
    return directory


def refused(directory):
    with pytest.raises(UnitcraftError) as caught:
        load(directory)
    return caught.value


def test_without_a_file_defaults_apply_here(tmp_path):
    assert load(tmp_path) == Config(root=tmp_path)


def test_values_of_every_kind_are_read(tmp_path):
    written(
        tmp_path,
        "[tool.unitcraft]\ntargets = ['shop']\nseed = 3\nbudget = 5\nsandbox = 'strict'\n"
        "allow = ['open:/etc/mime.types']\ncriterion = ['branch', 'path']\n",
    )
    assert load(tmp_path) == Config(
        root=tmp_path,
        source=tmp_path / "pyproject.toml",
        targets=("shop",),
        seed=3,
        budget=5.0,
        sandbox="strict",
        allow=("open:/etc/mime.types",),
        criterion=("branch", "path"),
    )


def test_nearest_table_above_wins(tmp_path):
    written(tmp_path, "[tool.unitcraft]\nseed = 1\n")
    written(tmp_path / "a", "[tool.unitcraft]\nseed = 2\n")
    written(tmp_path / "a" / "b", "[project]\nname = 'b'\n")
    config = load(tmp_path / "a" / "b")
    assert (config.seed, config.root) == (2, tmp_path / "a")


def test_unknown_key_is_refused_with_the_nearest_known_one(tmp_path):
    error = refused(written(tmp_path, "[tool.unitcraft]\nsandboxx = 'off'\n"))
    assert (error.slug, error.advice) == ("unknown-config-key", "did you mean 'sandbox'?")
    assert str(tmp_path / "pyproject.toml") in error.what


def test_unknown_key_like_no_other_lists_all(tmp_path):
    error = refused(written(tmp_path, "[tool.unitcraft]\nzzz = 1\n"))
    assert error.advice == "the keys are: " + ", ".join(KEYS)


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("seed = true", "an integer >= 0"),
        ("seed = -1", "an integer >= 0"),
        ("steps = 0", "an integer >= 1"),
        ("budget = '1'", "a number > 0"),
        ("budget = 0", "a number > 0"),
        ("targets = 'shop'", "a list of strings"),
        ("targets = [1]", "a list of strings"),
        ("output = 1", "a string"),
        ("sandbox = 'loose'", "one of strict, standard, off"),
        ("criterion = 'branch'", "a list of " + ", ".join(criteria.NAMES)),
        ("criterion = ['brench']", "a list of " + ", ".join(criteria.NAMES)),
    ],
)
def test_value_of_the_wrong_kind_is_refused(tmp_path, line, kind):
    error = refused(written(tmp_path, f"[tool.unitcraft]\n{line}\n"))
    assert error.slug == "wrong-config-value"
    assert f"{line.split()[0]} must be {kind}, not " in error.what


def test_tables_that_are_none_are_refused(tmp_path):
    assert refused(written(tmp_path, "[tool]\nunitcraft = 3\n")).slug == "wrong-config-value"


@pytest.mark.parametrize("content", [b"[tool.unitcraft\n", b"x = '\xff'\n"])
def test_file_that_cannot_be_read_is_refused(tmp_path, content):
    (tmp_path / "pyproject.toml").write_bytes(content)
    error = refused(tmp_path)
    assert error.slug == "config-not-readable"
    assert error.cause


def test_config_is_a_value():
    assert hash(Config(root=Path("x"))) == hash(Config(root=Path("x")))


def test_paths_have_to_exist(tmp_path):
    written(tmp_path, "[tool.unitcraft]\npaths = ['lib']\n")
    error = refused(tmp_path)
    assert error.slug == "wrong-config-value"
    assert "paths must be folders that exist, not 'lib'" in str(error)
    (tmp_path / "lib").mkdir()
    assert load(tmp_path).paths == ("lib",)
