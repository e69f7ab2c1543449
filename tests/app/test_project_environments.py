"""unitcraft in an environment of its own, and projects in theirs: suites hold where they belong."""

from __future__ import annotations

import json
import marshal
import os
import subprocess
import sys
from pathlib import Path

import pytest
from environments import install_pytest, interpreters, make_environment, site_packages
from in_process import run_here

from unitcraft.core.interpreter import OWN
from unitcraft.execute.command import guarded_command
from unitcraft.execute.frames import MARSHAL_VERSION
from unitcraft.execute.pool import fork_server, host_process

#: A click that the command line of unitcraft could not run with, and what tells where code runs.
CLICK = "__version__ = '7.1.2'\n"

SHOP = """\
import click

try:
    import rich
except ImportError:
    rich = None
try:
    import pytest
except ImportError:
    pytest = None


def label(amount: int) -> str:
    if amount > 100:
        return f"many {click.__version__}"
    return "few" if rich is None else "rich"


def helper() -> bool:
    return rich is None
"""

PYPROJECT = "[project]\nname = 'shop'\nversion = '1'\n"


@pytest.fixture(autouse=True)
def byte_code_of_other_versions_is_kept(monkeypatch):
    """Where PYTHONDONTWRITEBYTECODE is set each guarded process would compile unitcraft anew."""
    for module in (host_process, guarded_command):
        begin = module.BEGIN.replace("dont_write_bytecode = True", "dont_write_bytecode = False")
        monkeypatch.setattr(module, "BEGIN", begin)


@pytest.fixture(autouse=True)
def fork_servers_of_an_environment_end_with_its_test(monkeypatch):
    """They would take the place of those that other tests go on with."""
    servers = fork_server.ForkServers()
    monkeypatch.setattr(fork_server, "SERVERS", servers)
    yield
    servers.close()


@pytest.fixture
def project(tmp_path):
    """A function that writes files and returns their folder."""

    def write(**files):
        (tmp_path / "pyproject.toml").write_text(PYPROJECT)
        for name, text in files.items():
            file = tmp_path / name.replace("__", "/").replace("_py", ".py")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        return tmp_path

    return write


def generate(project, *words, **env):
    """The report and the suites of ``generate``."""
    done = run_here(project, "generate", *words, "--output-format", "json", **env)
    assert done.returncode == 0, done.stderr
    (target,) = json.loads(done.stdout)["targets"]
    (suite,) = (project / "tests").glob("test_*.py")
    return target, suite.read_text()


def user_run(environment, project):
    """pytest as the owner of the project starts it."""
    return subprocess.run(
        [environment / "bin" / "python", "-m", "pytest", "-p", "no:cacheprovider"],
        cwd=project, capture_output=True, text=True, check=False,
        env={key: value for key, value in os.environ.items() if not key.startswith("PYTHON")},
    )  # fmt: skip


def test_a_project_that_pins_an_old_click_and_has_no_pytest(project):
    folder = project(shop_py=SHOP)
    environment = make_environment(folder / ".venv", click=CLICK)
    target, text = generate(folder, "shop.py", "-j", "1")
    assert "many 7.1.2" in text
    assert '"few"' in text
    assert '"rich"' not in text
    assert 'monkeypatch.setattr("shop.rich", None)' in text
    assert target["branches"]["covered"] == target["branches"]["all"] > 0
    install_pytest(environment)
    done = user_run(environment, folder)
    assert done.returncode == 0, done.stdout


def test_the_click_of_an_active_environment_is_not_ours(project):
    folder = project(shop_py=SHOP)
    active = make_environment(folder / "elsewhere", click=CLICK)
    done = run_here(
        folder, "explain", "shop:label", "-j", "1", VIRTUAL_ENV=str(active), PYTHONPATH=OURS_ONLY
    )
    assert done.returncode == 0, done.stderr
    assert "many 7.1.2" in done.stdout


OURS_ONLY = str(Path(__file__).resolve().parents[2] / "src")

RATES = "RATE = 3\n"

PRICE = """\
from ns.two import RATE


def price(amount: int) -> int:
    return amount * RATE if amount > 9 else 0
"""


def test_an_editable_install_and_a_namespace_package_below_src(project):
    """One portion is the project's, known by a .pth; the other is installed."""
    folder = project(src__ns__one__price_py=PRICE)
    environment = make_environment(folder / "env")
    other = site_packages(environment) / "ns" / "two"
    other.mkdir(parents=True)
    (other / "__init__.py").write_text(RATES)
    (site_packages(environment) / "__editable__.shop.pth").write_text(f"{folder / 'src'}\n")
    _, text = generate(folder, "src/ns/one/price.py", "-j", "1", "--python", "env")
    assert "from ns.one.price import price" in text
    install_pytest(environment)
    done = user_run(environment, folder)
    assert done.returncode == 0, done.stdout


def test_an_installed_package_is_found_by_its_name(project, tmp_path_factory):
    """An editable install of another folder, to which the current one does not lead."""
    folder = project()
    home = tmp_path_factory.mktemp("checkout")
    (home / "shop.py").write_text(SHOP)
    environment = make_environment(folder / ".venv", click=CLICK)
    (site_packages(environment) / "shop.pth").write_text(f"{home}\n")
    done = run_here(folder, "explain", "shop:label", "-j", "1")
    assert "many 7.1.2" in done.stdout, done.stderr
    done = run_here(folder, "explain", "rich.align:Align.left", "-j", "1")
    assert "[target-not-found]" in done.stderr


SETTINGS = """
[tool.pytest.ini_options]
addopts = ["-ra", "--strict-markers", "--import-mode=importlib"]
pythonpath = ["src", "support"]
filterwarnings = ["error"]
"""

WARNING = """\
import warnings

import units


def size(number: int) -> str:
    if number > 10:
        warnings.warn("large", DeprecationWarning)
        return "large"
    return f"{number} {units.UNIT}"
"""

CONFTEST = """\
import pytest


@pytest.fixture(autouse=True)
def noted(tmp_path):
    yield tmp_path
"""


def test_the_settings_of_pytest_and_a_conftest_hold_for_the_suite(project):
    folder = project(
        src__sizes_py=WARNING, support__units_py="UNIT = 'cm'\n", tests__conftest_py=CONFTEST
    )
    (folder / "pyproject.toml").write_text(PYPROJECT + SETTINGS)
    environment = make_environment(folder / ".venv")
    install_pytest(environment)
    target, text = generate(folder, "src/sizes.py", "-j", "1")
    assert "cm" in text
    assert 'with pytest.warns(DeprecationWarning, match=r"^large$"):' in text
    assert target["findings"] == []
    done = user_run(environment, folder)
    assert done.returncode == 0, done.stdout
    assert "passed" in done.stdout


#: Syntax of 3.12.
NEWER = """\
type Number = int | float


class Box[T]:
    def __init__(self, item: T) -> None:
        self.item = item

    def doubled(self, count: Number) -> str:
        return f"{"many" if count > 7 else "few"} {self.item!r}"
"""

OLDER = """\
import sys


def version(number: int) -> str:
    return f"{sys.version_info[1]} large" if number > 12 else "small"
"""


@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_another_minor_version(project, version):
    if version not in interpreters():
        pytest.skip(f"Python {version} is not installed")
    newer = version > OWN.version and version >= (3, 12)
    folder = project(boxes_py=NEWER if newer else OLDER)
    make_environment(folder / ".venv", interpreters()[version])
    target, text = generate(folder, "boxes.py", "-j", "1")
    assert ("doubled" if newer else f'"{version[1]} large"') in text
    assert target["branches"]["covered"] == target["branches"]["all"]


#: Every kind of value that messages between processes hold.
PLAIN = (
    None, True, -1, 10**40, 1.5, float("inf"), -0.0, "text", "\ud800", "\U0001f600", b"\xff", (),
    ["a", ("a", ["a"])], {"key": {1: "one"}, ("x", 2): None}, "a" * 300, tuple(range(300)),
)  # fmt: skip

#: Reads a message and answers with the same.
ECHO = """
import marshal, sys
data = marshal.loads(sys.stdin.buffer.read())
sys.stdout.buffer.write(marshal.dumps((repr(data), data), int(sys.argv[1])))
"""


@pytest.mark.parametrize("marshal_version", [MARSHAL_VERSION, 4], ids=["frames", "reports"])
@pytest.mark.parametrize("version", [(3, 11), (3, 12), (3, 13)])
def test_messages_are_the_same_for_every_version_of_python(version, marshal_version):
    """Frames of hosts have version 2 of marshal, those of recorded suites version 4."""
    if version not in interpreters():
        pytest.skip(f"Python {version} is not installed")
    done = subprocess.run(
        [interpreters()[version], "-I", "-c", ECHO, str(marshal_version)],
        input=marshal.dumps(PLAIN, marshal_version), capture_output=True, check=True,
    )  # fmt: skip
    assert marshal.loads(done.stdout) == (repr(PLAIN), PLAIN)


STACK_TESTS = """\
from shop import label


def test_many():
    assert label(101) == "many 7.1.2"


def test_many_again():
    assert label(101) == "many 7.1.2"


def test_few():
    assert label(1) == "few"
"""


@pytest.mark.parametrize("version", [(3, 11), (3, 12)])
def test_commands_about_a_suite_run_it_where_it_belongs(project, version):
    if version not in interpreters():
        pytest.skip(f"Python {version} is not installed")
    folder = project(shop_py=SHOP, test_shop_py=STACK_TESTS)
    make_environment(folder / "env", interpreters()[version], click=CLICK)
    words = ("-s", "shop", "--python", "env", "--format", "json")
    done = run_here(folder, "check", "test_shop.py", *words)
    assert done.returncode == 1, done.stderr
    assert "test_many_again" in done.stdout
    done = run_here(folder, "mutants", "run", "test_shop.py", *words, "-j", "1")
    report = json.loads(done.stdout)
    assert set(report["tests"].values()) == {"passed"}
    assert report["verdicts"]["assertion"] > 0


def test_a_command_that_reads_newer_syntax_itself_says_so(project):
    newer = [version for version in interpreters() if version > OWN.version and version >= (3, 12)]
    if not newer:
        pytest.skip("no newer Python is installed")
    tests = "from boxes import Box\n\n\ndef test_few():\n    assert Box(1).doubled(7) == 'few 1'\n"
    unread = NEWER if OWN.version < (3, 12) else NEWER.replace("[T]", "[T = int]")  # of 3.13
    folder = project(boxes_py=unread, test_boxes_py=tests)
    make_environment(folder / ".venv", interpreters()[newer[-1]])
    done = run_here(folder, "explain", "boxes:Box.doubled", "-j", "1")
    assert done.returncode == 0, done.stderr
    assert "'few" in done.stdout
    done = run_here(folder, "mutants", "run", "-s", "boxes", "-j", "1", "--format", "json")
    mutants = json.loads(done.stdout)["mutants"]
    done = run_here(folder, "mutants", "show", mutants[0]["id"])
    assert "[syntax-error]" in done.stderr


def test_syntax_that_no_version_knows_is_an_error_of_the_file(project):
    newer = [version for version in interpreters() if version > OWN.version]
    if not newer:
        pytest.skip("no newer Python is installed")
    folder = project(boxes_py="def f(:\n")
    environment = make_environment(folder / "env", interpreters()[newer[0]])
    done = run_here(folder, "generate", "boxes.py", "--python", str(environment))
    assert done.returncode == 2
    assert "SyntaxError" in done.stderr
    assert "Traceback" not in done.stderr
    done = run_here(folder, "generate", "boxes.py", "--python", sys.executable)
    assert "[syntax-error]" in done.stderr


def test_the_five_commands_of_the_readme_lead_to_a_suite_that_is_kept(tmp_path):
    """The first is an installation: the tool is in another environment than the project."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    commands = readme.partition("```bash\n")[2].partition("```")[0].splitlines()
    assert [line.split()[0] for line in commands[:3]] == ["pipx", "cd", "unitcraft"]
    shop = tmp_path / "shop"
    (shop / "src/shop").mkdir(parents=True)
    (shop / "src/shop/__init__.py").touch()
    (shop / "src/shop/cart.py").write_text("def total(prices: list[int]) -> int:\n"
                                           "    return sum(prices)\n")  # fmt: skip
    (shop / "pyproject.toml").write_text(PYPROJECT)
    install_pytest(make_environment(shop / ".venv"))
    subprocess.run(["git", "init", "-q", shop], check=True)
    done = run_here(shop, *commands[2].split()[1:])
    assert done.returncode == 0, done.stderr
    who = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a",
           "GIT_COMMITTER_EMAIL": "a@b"}  # fmt: skip
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"} | who
    for line in commands[3:]:
        done = subprocess.run(
            ["sh", "-c", line], cwd=shop, env=environment, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
    kept = subprocess.run(["git", "ls-files"], cwd=shop, capture_output=True, text=True, check=True)
    assert kept.stdout.split() == ["pyproject.toml", "tests/test_shop_cart.py"]
    assert 'pythonpath = ["src"]' in (shop / "pyproject.toml").read_text()
