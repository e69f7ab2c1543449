"""Projects that a function sets up before they can be imported: `before-import` and its flag."""

from __future__ import annotations

import click
import pytest

from unitcraft.app.config import Config, load
from unitcraft.app.exploration.target_host import describing_host
from unitcraft.app.generate.generate_targets import _key
from unitcraft.app.generate.generated_suite import Options
from unitcraft.app.project_flags import project_flags, with_project
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN
from unitcraft.subject.locate import Located
from unitcraft.suite.conftest_lines import conftest_text

#: As Django does: modules can be imported once ``setup`` was called, which imports them itself.
FRAMEWORK = """\
import importlib

REGISTRY = []


def register(name):
    if not REGISTRY:
        raise LookupError("the registry is not ready")
    REGISTRY.append(name)


def setup():
    REGISTRY.append("ready")
    importlib.import_module("models")


class Config:
    setup = staticmethod(setup)


def broken():
    raise RuntimeError("no settings")
"""

MODELS = """\
import framework

framework.register("models")


def shipping(amount: int) -> int:
    return 0 if amount >= 50 else 5


class Stack:
    def __init__(self) -> None:
        self.count = 0

    def push(self) -> int:
        self.count += 1
        return self.count

    def pop(self) -> int:
        if self.count == 0:
            raise IndexError("empty")
        self.count -= 1
        return self.count

    def repok(self) -> bool:
        return self.count >= 0
"""

CONFTEST = conftest_text(["framework:setup"])

TEST = """\
from models import Stack, shipping


def test_shipping():
    assert shipping(0) == 5


def test_push():
    assert Stack().push() == 1
"""

#: Few executions: what the function sets up is needed by the first as by the last.
SETTINGS = "[tool.unitcraft]\nexecutions = 100\n"
GENERATE = ("generate", "models.py", "--no-symbolic", "--seed", "0")
SETUP = ("--before-import", "framework:setup")


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "framework.py").write_text(FRAMEWORK)
    (tmp_path / "models.py").write_text(MODELS)
    (tmp_path / "pyproject.toml").write_text(SETTINGS)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        (*GENERATE, "--stdout"),
        ("generate", "models.py:Stack", "--stdout", "--criterion", "field,law,mutant"),
        ("explain", "models:shipping"),
        ("explain", "models:shipping", "--inputs"),
        ("explain", "models:Stack", "--effects"),
        ("explain", "models:Stack", "--summary"),
        ("explain", "models:Stack.pop", "--sequences", "2"),
        ("explore", "models:Stack", "--iterations", "2"),
        ("explore", "models:Stack", "--iterations", "2", "--symbolic"),
        ("heaps", "models:Stack", "--scope", "1"),
        ("heaps", "models:Stack", "--scope", "1", "--rep-ok", "inferred"),
        ("specs", "models:Stack"),
    ],
    ids=lambda words: " ".join(words[:3]),
)
def test_every_command_that_imports_calls_the_function_first(shop, run, words):
    failed = run(*words)
    assert failed.returncode == 2
    assert "LookupError: the registry is not ready" in failed.stdout + failed.stderr
    done = run(*words, *SETUP)
    assert done.returncode == 0, done.stderr
    assert "registry" not in done.stdout + done.stderr


def test_commands_about_a_suite_have_what_its_conftest_does(shop, run):
    (shop / "conftest.py").write_text(CONFTEST)
    (shop / "test_models.py").write_text(TEST)
    for words in (
        ("check",),
        ("minimize",),
        ("assess", "--criterion", "field"),
        ("mutants", "run"),
    ):
        done = run(*words, "test_models.py", "-s", "models", *SETUP)
        assert done.returncode in (0, 1), done.stderr
        assert "registry" not in done.stdout + done.stderr
    assert "models.py" not in run("mutants", "list").stderr
    killed = run("mutants", "kill", "--all", *SETUP)
    assert "killed by" in killed.stdout


def test_what_was_written_runs_where_a_conftest_does_the_same(shop, run):
    (shop / "pyproject.toml").write_text(f'{SETTINGS}before-import = ["framework:setup"]\n')
    written = run(*GENERATE)
    assert written.returncode == 0, written.stderr
    assert "conftest.py can: import framework; framework.setup()" in written.stdout
    (shop / "conftest.py").write_text(CONFTEST)
    (shop / "tests/test_models.py").unlink()
    again = run(*GENERATE)
    assert "conftest" not in again.stdout
    assert "shipping" in (shop / "tests/test_models.py").read_text()


def test_functions_of_settings_and_flags_are_called_in_turn(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.unitcraft]\nbefore-import = ["a:f"]\n')
    config = load(tmp_path)
    seen = []

    @click.command()
    @project_flags
    def command(**flags):
        seen.append(with_project(config, flags, tmp_path).before_import)

    command(["--before-import", "b.c:K.f", "--before-import", "a:f"], standalone_mode=False)
    assert seen == [("a:f", "b.c:K.f")]
    for wrong in ("django.setup", ":setup", "django:", "a:b()"):
        with pytest.raises(click.BadParameter, match="MODULE:FUNCTION"):
            command(["--before-import", wrong], standalone_mode=False)
        (tmp_path / "pyproject.toml").write_text(f"[tool.unitcraft]\nbefore_import = ['{wrong}']\n")
        with pytest.raises(UnitcraftError, match="before_import must be a list of MODULE:FUNCTION"):
            load(tmp_path)


def test_the_host_of_an_explanation_knows_the_function(tmp_path):
    config = Config(tmp_path, before_import=("a:f",))
    located = Located("shop", tmp_path / "shop.py", tmp_path, "price")
    assert describing_host(located, config, OWN).before_import == ("a:f",)


def test_a_function_that_is_not_there_or_fails_is_named(shop, run):
    for place in ("frame:setup", "framework:Config.sets"):
        told = run(*GENERATE, "--before-import", place).stderr
        assert f"there is no function {place}" in told
        assert "[no-such-function]" in told
    told = run(*GENERATE, "--before-import", "framework:broken").stderr
    assert "RuntimeError: no settings" in told
    assert run(*GENERATE, "--stdout", "--before-import", "framework:Config.setup").returncode == 0


def test_an_import_that_misses_django_names_the_option(tmp_path, run):
    (tmp_path / "django/core").mkdir(parents=True)
    for package in ("django", "django/core"):
        (tmp_path / package / "__init__.py").touch()
    (tmp_path / "django/core/exceptions.py").write_text(
        "class AppRegistryNotReady(Exception): pass\n"
    )
    (tmp_path / "models.py").write_text(
        "from django.core.exceptions import AppRegistryNotReady\n"
        "raise AppRegistryNotReady('no apps')\n"
    )
    told = run("generate", "models.py").stderr
    assert "[import-failed]" in told
    assert "--before-import django:setup" in told


def test_stored_results_depend_on_the_functions_and_what_settings_name(shop):
    (shop / "plain.py").write_text("def f(): pass\n")
    located = Located("plain", shop / "plain.py", shop)

    def key(**given):
        return _key(located, Options(**given))

    plain, by_function = key(), key(before_import=("setup_shop:run",))
    assert plain != by_function
    (shop / "setup_shop.py").write_text("def run(): pass\n")
    assert key(before_import=("setup_shop:run",)) != by_function
    env = (("SHOP_SETTINGS", "shop_settings"),)
    by_variable = key(env=env)
    (shop / "shop_settings.py").write_text("A = 1\n")
    assert key(env=env) != by_variable
    assert key() == plain


def test_the_lines_of_a_conftest_import_each_module_once():
    text = conftest_text(["a.b:f", "a.b:C.g", "d:h"])
    assert text == "import a.b\nimport d\n\na.b.f()\na.b.C.g()\nd.h()\n"
    assert conftest_text([]) == ""
