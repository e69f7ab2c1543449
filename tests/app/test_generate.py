"""``unitcraft generate`` from the outside: suites for small modules, and every bad input."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import pytest


def pytest_run(directory):
    """The last line of pytest for the suites of a directory, without unitcraft on the path."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=directory, env={**os.environ, "PYTHONPATH": str(directory)}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def one_message(done, slug, code=2):
    assert done.returncode == code, done.stdout + done.stderr
    assert done.stderr.count(f"[{slug}]") == 1, done.stderr
    assert done.stderr.count("error:") == 1
    assert "Traceback" not in done.stderr


def test_suites_are_written_pass_and_are_reported(project, run):
    done = run("generate", ".", "-j", "2")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in (project / "tests").iterdir()) == [
        "test_bank.py",
        "test_signs.py",
    ]
    assert "import pytest\n\nfrom bank import" in (project / "tests/test_bank.py").read_text()
    rows = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line}
    assert rows["signs"][2:4] == ["2/2", "100%"]
    assert rows["bank"][2:4] == ["2/2", "100%"]
    code, shown = pytest_run(project)
    assert code == 0, shown


def test_second_run_takes_everything_from_the_store(project, run):
    first = run("generate", "signs.py", "bank.py", "--format", "json")
    files = {path: path.read_bytes() for path in (project / "tests").glob("*.py")}
    second = run("generate", "signs.py", "bank.py", "--output-format", "json")
    before, after = json.loads(first.stdout)["targets"], json.loads(second.stdout)["targets"]
    assert [one["stored"] for one in before + after] == [False, False, True, True]
    assert [one["status"] for one in after] == ["unchanged", "unchanged"]
    assert {path: path.read_bytes() for path in files} == files


def test_a_run_without_anything_new_loads_no_engine(project, run):
    run("generate", "signs.py")
    records = sorted((project / ".unitcraft/runs").glob("generate-*.json"))
    run("generate", "signs.py")  # the record tells of a stored suite now
    before = {path: path.stat().st_mtime_ns for path in records}
    code = (
        "import sys; from unitcraft.app.cli import exit_code\n"
        "print(exit_code(sys.argv[1:]), 'unitcraft.app.generate.engine' in sys.modules, "
        "'unitcraft.app.generate.generated_suite' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "generate", "signs.py", "-q"],
        cwd=project, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout == "0 False True\n", done.stdout + done.stderr
    assert {path: path.stat().st_mtime_ns for path in records} == before


def test_without_the_store_nothing_is_kept(project, run):
    done = run("generate", "signs.py", "--no-cache", "--stdout")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in project.iterdir()) == ["bank.py", "signs.py"]
    assert "def test_" in done.stdout
    assert "signs" in done.stderr


def test_diff_shows_what_would_change(project, run, signs_suite):
    (project / "tests").mkdir()
    (project / "tests" / "test_signs.py").write_text(signs_suite)
    (project / "signs.py").write_text("def sign(number: int) -> bool:\n    return number > 0\n")
    file = project / "tests" / "test_signs.py"
    before = file.read_text()
    done = run("generate", "signs.py", "--diff")
    assert done.returncode == 0
    assert done.stdout.startswith("--- a/tests/test_signs.py\n+++ b/tests/test_signs.py\n")
    assert "\n-" in done.stdout
    assert file.read_text() == before
    again = run("generate", "signs.py", "--check")  # from the store
    assert again.returncode == 1, again.stderr
    assert "out of date: signs" in again.stderr
    (project / "change.patch").write_text(done.stdout)
    subprocess.run(["git", "apply", "change.patch"], cwd=project, check=True)
    assert run("generate", "signs.py", "--check").returncode == 0


def test_edited_test_is_kept_and_named(project, run, signs_suite):
    (project / "tests").mkdir()
    file, text = project / "tests" / "test_signs.py", signs_suite
    assert '"zero"' in text
    file.write_text(text.replace('"zero"', '"ze" + "ro"'))
    (project / "signs.py").write_text((project / "signs.py").read_text() + "\n# changed\n")
    done = run("generate", "signs.py")
    assert '"ze" + "ro"' in file.read_text()
    assert "Kept as edited in signs: test_" in done.stdout


def test_configured_targets_and_output(project, run):
    (project / "pyproject.toml").write_text(
        "[tool.unitcraft]\ntargets = ['signs.py']\noutput = 'checks'\n"
    )
    assert run("generate").returncode == 0
    assert (project / "checks" / "test_signs.py").is_file()


def test_missing_module(run, project):
    one_message(run("generate", "sings.py"), "target-not-found")


def test_syntax_error(run, project):
    (project / "broken.py").write_text("def f(:\n")
    one_message(run("generate", "broken.py"), "syntax-error")


def test_import_that_raises_leaves_the_other_targets(run, project):
    (project / "broken.py").write_text("raise RuntimeError('not today')\n")
    done = run("generate", "broken.py", "signs.py")
    one_message(done, "import-failed")
    assert "not today" in done.stderr
    assert (project / "tests" / "test_signs.py").is_file()
    assert not (project / "tests" / "test_broken.py").exists()
    assert run("generate", "broken.py", "signs.py", "--exit-zero").returncode == 0


def test_hostile_message_is_shown_harmlessly_and_other_modules_of_a_directory_are_served(
    run, project
):
    (project / "broken.py").write_text("raise RuntimeError('\\x1b[2J \\udc80')\n")
    (project / "worse.py").write_text("def f(:\n")
    done = run("generate", ".", PYTHONIOENCODING="ascii")
    assert done.returncode == 2
    assert r"\x1b[2J \udc80" in done.stderr
    assert done.stderr.count("error:") == 2
    assert len(list((project / "tests").iterdir())) == 2


@pytest.mark.parametrize("text", ["", "LIMIT = 3\n", "import os\nfrom bank import Account\n"])
def test_nothing_to_test(run, project, text):
    (project / "empty.py").write_text(text)
    one_message(run("generate", "empty.py"), "nothing-to-test")


def test_a_module_elsewhere_is_not_gone_once_its_suite_is_written(run, project, tmp_path_factory):
    there = tmp_path_factory.mktemp("elsewhere") / "far.py"
    there.write_text("def sign(n: int):\n    return -1 if n < 0 else 1\n")
    done = run("generate", str(there))
    assert done.returncode == 0
    assert "tests/test_far.py" in done.stdout + done.stderr
    assert "is gone" not in done.stdout + done.stderr


def test_directory_without_modules(run, project):
    (project / "data").mkdir()
    one_message(run("generate", "data/"), "nothing-to-test")


def test_output_that_cannot_be_written_keeps_the_result(run, project):
    (project / "tests").write_text("a file of mine")
    one_message(run("generate", "signs.py"), "output-not-writable")
    assert (project / "tests").read_text() == "a file of mine"
    done = run("generate", "signs.py", "-o", "elsewhere", "--output-format", "json")
    assert json.loads(done.stdout)["targets"][0]["stored"]


SMALL_FILES = """
import resource, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
"""

NO_SPACE = """
import errno, os
def fsync(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
os.fsync = fsync
"""


@pytest.mark.parametrize("disk", [SMALL_FILES, NO_SPACE])
def test_full_disk_keeps_the_old_file_and_the_result(run, project, disk):
    run("generate", "signs.py")
    file = project / "tests" / "test_signs.py"
    head = file.read_text().partition("import pytest")[0]
    file.write_text(head)
    code = f"{disk}\nfrom unitcraft.app.cli import main; main(['generate', 'signs.py'])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=project, capture_output=True, text=True, check=False
    )
    one_message(done, "disk-full")
    assert file.read_text() == head
    assert [path.name for path in file.parent.iterdir()] == ["test_signs.py"]
    again = run("generate", "signs.py", "--output-format", "json")
    assert json.loads(again.stdout)["targets"][0]["stored"]
    assert "def test_" in file.read_text()


def test_damaged_store_costs_a_warning_only(run, project):
    (project / ".unitcraft").mkdir()
    (project / ".unitcraft" / "store-1.sqlite3").write_bytes(b"garbage" * 100)
    done = run("generate", "signs.py")
    assert done.returncode == 0
    assert done.stderr.count("warning:") == 1


def test_truncating_budget_is_reported_and_its_result_not_stored(run, project):
    """A search that has hardly begun when its time is over."""
    lines = [f"    if a * {n} == b and b > 9**{n}:\n        return {n}\n" for n in range(2, 60)]
    text = "def search(a: int, b: int) -> int:\n" + "".join(lines) + "    return 0\n"
    (project / "hard.py").write_text(text)
    done = run("generate", "hard.py", "--budget", "0.01", "--output-format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["targets"][0]["truncated"]
    again = run("generate", "hard.py", "--budget", "0.01")
    assert "UC505 a bound of time ended the work on hard" in again.stdout
    assert "from the store" not in again.stderr


def test_code_that_is_loaded_while_it_runs_has_no_place_of_its_own(project, run):
    """A sibling that a function imports late brings sites that the search never heard of."""
    package = project / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rates.py").write_text("def rate(n):\n    return 2 if n % 2 else 3\n")
    (package / "prices.py").write_text(
        "def price(n: int) -> int:\n"
        "    from shop.rates import rate\n"
        "    if n > 10:\n"
        "        return rate(n) * n\n"
        "    return n\n"
    )
    done = run("generate", "shop/prices.py")
    assert done.returncode == 0, done.stderr
    assert "2/2 100%" in done.stdout
    shown = run("explain", "shop.prices:price")
    assert shown.returncode == 0, shown.stderr
    assert "n > 10" in shown.stdout


MONEY = """\
from __future__ import annotations

import weakref
from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    cents: int
    currency: str = "EUR"

    def __add__(self, other: object) -> Money:
        if not isinstance(other, Money):
            return NotImplemented
        if other.currency != self.currency:
            raise ValueError("currency")
        return Money(self.cents + other.cents, self.currency)


class Node:
    def __init__(self, name: str) -> None:
        self.name = name


class Watcher:
    def __init__(self, node: Node) -> None:
        self._ref = weakref.ref(node)

    def name(self) -> str:
        node = self._ref()
        return node.name if node is not None else "gone"
"""


def test_what_explain_finds_is_tested_and_temporaries_that_pytest_keeps_fail_nothing(tmp_path, run):
    (tmp_path / "money.py").write_text(MONEY)
    run("generate", "money.py")
    assert 'match=r"^currency$"' in (tmp_path / "tests/test_money.py").read_text()
    code, shown = pytest_run(tmp_path)
    assert code == 0, shown


PRICES = """\
class Cart:
    def __init__(self) -> None:
        self.items: list[str] = []

    def add(self, name: str) -> int:
        self.items.append(name)
        return len(self.items)


def discount(total: int) -> int:
    return total - 10 if total > 100 else total
"""


def test_another_constant_changes_the_tests_of_its_function_alone(tmp_path, run):
    def tests_by_name():
        text = (tmp_path / "tests/test_prices.py").read_text()
        tree = ast.parse(text)
        functions = [one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)]
        return {one.name: ast.unparse(one) for one in functions}

    (tmp_path / "prices.py").write_text(PRICES)
    assert run("generate", "prices.py", "--seed", "0").returncode == 0
    before = tests_by_name()
    (tmp_path / "prices.py").write_text(PRICES.replace("100", "250"))
    assert run("generate", "prices.py", "--seed", "0").returncode == 0
    after = tests_by_name()
    assert list(before) == list(after)
    changed = [name for name in before if before[name] != after[name]]
    assert changed
    assert all("discount" in name for name in changed)
