"""``unitcraft mutants`` from the outside: run, resume, list, show, kill, and what goes wrong."""

from __future__ import annotations

import json
import subprocess

import pytest

SIGNS = """\
def sign(number):
    if number < 0:
        return "negative"
    return "positive" if number else "zero"


def twice(number):
    return number * 2
"""

TESTS = """\
import signs


def test_sign():
    assert signs.sign(-2) == "negative"
    assert signs.sign(2) == "positive"


def test_twice():
    assert signs.twice(2) == 4
"""


@pytest.fixture
def signs(tmp_path):
    (tmp_path / "signs.py").write_text(SIGNS, encoding="utf-8-sig")  # some editors do
    (tmp_path / "test_signs.py").write_text(TESTS)
    return tmp_path


@pytest.fixture
def tried(signs, run):
    done = run("mutants", "run", "-s", "signs", "--format", "json", "-j", "2")
    assert done.returncode == 1, done.stderr
    return json.loads(done.stdout)


def living(report):
    return [one["id"] for one in report["mutants"] if not one["killed"]]


def test_run_tells_score_and_living_mutants(tried):
    counts = tried["verdicts"]
    assert counts["survived"] == len(living(tried)) > 0
    total = sum(counts.values())
    assert tried["score"] == (total - counts["survived"]) / total
    assert {one["test"] for one in tried["mutants"] if one["function"] == "twice"} >= {
        "test_signs.py::test_twice"
    }


def test_a_subject_may_be_a_part_of_a_module(signs, run):
    done = run("mutants", "run", "-s", "signs:twice", "--format", "json")
    assert {one["function"] for one in json.loads(done.stdout)["mutants"]} == {"twice"}


def test_second_run_resumes(tried, run):
    again = json.loads(run("mutants", "run", "-s", "signs", "--format", "json").stdout)
    assert (again["mutants"], again["resumed"]) == (tried["mutants"], len(tried["mutants"]))


def test_a_changed_source_is_tried_anew(tried, signs, run):
    more = "\n\ndef test_zero():\n    assert signs.sign(0) == 'zero'\n"
    (signs / "test_signs.py").write_text(TESTS + more)
    again = json.loads(run("mutants", "run", "-s", "signs", "--format", "json").stdout)
    assert again["resumed"] == 0
    assert len(living(again)) < len(living(tried))


def test_list_filters(tried, run):
    done = run("mutants", "list", "--verdict", "survived", "--format", "json")
    assert sorted(one["id"] for one in json.loads(done.stdout)["mutants"]) == sorted(living(tried))
    assert run("mutants", "list", "--function", "nothing").stdout == "no mutants\n"
    assert "[unknown-verdict]" in run("mutants", "list", "--verdict", "alive").stderr


def test_show_has_the_change_and_the_tests(tried, run):
    lines = run("mutants", "show", living(tried)[0]).stdout.splitlines()
    assert any(line.startswith("-    ") for line in lines)
    assert any(line.startswith("+    ") for line in lines)
    assert "  test_signs.py::test_sign" in lines
    assert lines[0] == "--- a/signs.py"
    assert all("  ->  " in one["change"] for one in tried["mutants"])


def test_show_knows_what_it_does_not_know(tried, signs, run):
    assert "[unknown-mutant]" in run("mutants", "show", "signs:sign:999").stderr
    (signs / "signs.py").write_text("x = 1\n")
    assert "[mutant-outdated]" in run("mutants", "show", living(tried)[0]).stderr


def test_kill_writes_the_missing_test(tried, signs, run):
    name = next(one for one in tried["mutants"] if one["id"] in living(tried) and one["line"] == 4)
    done = run("mutants", "kill", name["id"])
    assert done.returncode == 0, done.stdout + done.stderr
    (file,) = (signs / "tests").glob("test_*.py")
    assert '== "zero"' in file.read_text()
    more = run("mutants", "kill", "--all")
    assert f"signs: {len(living(tried)) - 1} mutants killed by " in more.stdout, more.stderr
    assert run("mutants", "list", "--verdict", "survived").stdout == "no mutants\n"
    quiet = run("mutants", "kill", "--all", "-q")
    assert (quiet.stdout, quiet.stderr) == ("no mutant lives\n", "")
    again = json.loads(run("mutants", "run", "-s", "signs", "--format", "json").stdout)
    assert living(again) == []


CART = """\
class Cart:
    def __init__(self):
        self.items = {}

    def add(self, name, count=1):
        self.items[name] = self.items.get(name, 0) + count

    def discount(self):
        if sum(self.items.values()) >= 10:
            return 20
        return 0
"""

CART_TESTS = """\
import cart


def test_discount():
    one = cart.Cart()
    assert one.discount() == 0
    one.add("a", 11)
    assert one.discount() == 20


def test_nothing():
    try:
        cart.Cart().add("a")
    except Exception:
        pass
"""


@pytest.fixture
def cart(tmp_path):
    (tmp_path / "cart.py").write_text(CART)
    (tmp_path / "test_cart.py").write_text(CART_TESTS)
    return tmp_path


EARLY = """
def double(number):
    return number * 2

LIMIT = double(3)
"""


def test_mutants_of_code_that_runs_at_import_are_told_apart(tmp_path, run):
    (tmp_path / "early.py").write_text(EARLY)
    (tmp_path / "test_early.py").write_text(
        "import early\n\ndef test_limit():\n    assert early.LIMIT == 6\n"
    )
    report = json.loads(run("mutants", "run", "-s", "early", "--format", "json").stdout)
    found = [(one["fresh"], one["killed"]) for one in report["mutants"]]
    assert set(found) == {(True, True)}
    shown = run("mutants", "run", "-s", "early").stdout.splitlines()[-1]
    assert shown == (
        f"note: code that runs at import: {len(found)} mutants ({len(found)} killed), "
        "of which `generate` counts what kills it after the import"
    )


def test_kill_brings_objects_into_the_state_that_it_takes(cart, run):
    report = json.loads(run("mutants", "run", "-s", "cart", "--format", "json").stdout)
    alive = next(one for one in report["mutants"] if (one["line"], one["killed"]) == (9, False))
    done = run("mutants", "kill", alive["id"], "--stdout")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ".add(" in done.stdout
    assert ".discount()" in done.stdout


def test_check_knows_tests_that_kill_nothing_as_long_as_files_stay(cart, run):
    words = ("check", "-s", "cart", "--select", "UC203", "--format", "concise")
    assert run(*words).stdout.strip() == ""
    run("mutants", "run", "-s", "cart", "--each-test")
    found = "test_cart.py::test_nothing: UC203 kills no mutant that it reaches"
    assert run(*words).stdout.strip() == found
    (cart / "cart.py").write_text(CART + "\n")
    assert run(*words).stdout.strip() == ""


def test_since_needs_a_revision(signs, run):
    done = run("mutants", "run", "-s", "signs", "--since", "HEAD~1")
    assert (done.returncode, "[no-revision]" in done.stderr) == (2, True)


def test_since_tries_changed_functions_only(signs, run):
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.com"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *words], cwd=signs, check=True)
    changed = SIGNS.replace("* 2", "* 2 + 0")
    (signs / "signs.py").write_text(changed, encoding="utf-8-sig")
    done = run("mutants", "run", "-s", "signs", "--since", "HEAD", "--format", "json")
    assert {one["function"] for one in json.loads(done.stdout)["mutants"]} == {"twice"}


TIMERS = """\
import time
from dataclasses import dataclass

LOG = []


@dataclass
class Timer:
    text: str = "took {seconds}"
    began: float = 0.0

    def start(self):
        self.began = time.perf_counter()

    def stop(self):
        seconds = time.perf_counter() - self.began
        told = {"seconds": seconds, "minutes": seconds / 60}
        print(self.text.format(**told))
        return seconds


def fill(count):
    for number in range(count * 2):
        LOG.append(number * 3)
"""


def test_run_scores_what_generate_counts(tmp_path, run):
    (tmp_path / "timers.py").write_text(TIMERS)
    done = run("generate", "timers", "--output-format", "json")
    (made,) = json.loads(done.stdout)["targets"]
    ran = json.loads(run("mutants", "run", "-s", "timers", "--format", "json").stdout)
    assert made["mutants"]["all"] == len(ran["mutants"])
    killed = sum(one["killed"] for one in ran["mutants"])
    assert made["mutants"]["killed"] == killed > len(ran["mutants"]) * 0.8
