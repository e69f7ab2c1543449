"""Variables of the environment that a project needs: `env` in the settings, ``--env``, the hint."""

from __future__ import annotations

import click
import pytest

from unitcraft.app.config import Config, load
from unitcraft.app.project_flags import project_flags, with_project
from unitcraft.core.errors import UnitcraftError

#: As Django does: the settings are looked up by a variable when they are first read.
LAZY = """\
import importlib
import os


class Settings:
    def __getattr__(self, name):
        module = os.environ.get("SHOP_SETTINGS_MODULE")
        if not module:
            raise LookupError("settings are not configured")
        return getattr(importlib.import_module(module), name)


settings = Settings()
"""

MODELS = """\
from lazy import settings

CURRENCY = settings.CURRENCY


def price(amount: int) -> str:
    return f"{amount} {CURRENCY}"


def shipping(amount: int) -> int:
    return 0 if amount >= settings.FREE_FROM else 5
"""

TEST = """\
from models import price


def test_price():
    assert price(3) == "3 EUR"
"""


@pytest.fixture
def shop(tmp_path, monkeypatch):
    monkeypatch.delenv("SHOP_SETTINGS_MODULE", raising=False)
    (tmp_path / "lazy.py").write_text(LAZY)
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "shop_settings.py").write_text('CURRENCY = "EUR"\nFREE_FROM = 50\n')
    return tmp_path


def test_a_failed_import_names_the_variable_that_it_missed(shop, run):
    done = run("generate", "models.py")
    assert "[import-failed]" in done.stderr
    assert "--env SHOP_SETTINGS_MODULE=VALUE" in done.stderr


def test_variables_of_the_interpreter_are_no_advice(tmp_path, run):
    (tmp_path / "early.py").write_text(
        "import sysconfig\n\nsysconfig.get_config_vars()\nsysconfig.get_paths()\n"
        "raise RuntimeError('the registry is not ready')\n"
    )
    told = run("generate", "early.py").stderr
    assert "[import-failed]" in told
    assert "PYTHON" not in told


def test_code_and_suite_see_the_variables_of_the_settings(shop, run):
    table = 'env = { SHOP_SETTINGS_MODULE = "shop_settings" }'
    (shop / "pyproject.toml").write_text(f"[tool.unitcraft]\n{table}\n")
    done = run("generate", "models.py", "--stdout", "--no-cache", "--no-symbolic", "-q")
    assert "EUR" in done.stdout
    assert "(50, 0)" in done.stdout or "shipping(50) == 0" in done.stdout


def test_a_suite_that_misses_a_variable_is_told_of_the_flag(shop, run, monkeypatch):
    (shop / "test_models.py").write_text(TEST)
    monkeypatch.setenv("SHOP_SETTINGS_MODULE", "shop_settings")
    words = ("check", "test_models.py", "-s", "models", "--select", "UC1")
    assert "--env SHOP_SETTINGS_MODULE" in run(*words).stderr
    assert run(*words, "--env", "SHOP_SETTINGS_MODULE").returncode == 0


def test_flags_add_to_the_table_and_need_a_value(tmp_path, monkeypatch):
    monkeypatch.setenv("PRESENT", "here")
    monkeypatch.delenv("ABSENT", raising=False)
    seen = []

    @click.command()
    @project_flags
    def command(**flags):
        seen.append(with_project(Config(tmp_path, env=(("A", "0"), ("B", "0"))), flags, tmp_path))

    command(["--env", "A=1=2", "--env", "PRESENT"], standalone_mode=False)
    assert seen[0].env == (("A", "1=2"), ("B", "0"), ("PRESENT", "here"))
    for wrong in ("ABSENT", "=1"):
        with pytest.raises(click.BadParameter, match="NAME=VALUE"):
            command(["--env", wrong], standalone_mode=False)


def test_the_table_holds_texts(tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.unitcraft]\nenv = { PORT = 80 }\n")
    with pytest.raises(UnitcraftError, match="env must be a table of strings"):
        load(tmp_path)
