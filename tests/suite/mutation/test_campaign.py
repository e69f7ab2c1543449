"""A campaign on a small suite: every verdict, and the same verdicts as plain pytest gives."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.command.guarded_command import Completed
from unitcraft.suite.mutation import campaign as campaigns
from unitcraft.suite.mutation.campaign import CampaignPlan, run_campaign
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.verdicts import count_verdicts, mutation_score
from unitcraft.suite.recording.record import SuiteSpec

SHOP = """\
import functools
import os


def loud(function):
    extra = 1

    @functools.wraps(function)
    def wrapper(*args):
        return function(*args) + extra

    return wrapper


@loud
def price(count, each):
    if count > each:
        return count - each
    return count * 2


def table():
    return {1: "one", 2: "two"}


NAMES = table()


@functools.cache
def doubled(number):
    return number + number


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        left = 2
        while left:
            left -= 1
        return sum(self.items)


class Big(Cart):
    def __init__(self):
        super().__init__()
        self.size = 1

    def leave(self, really):
        if really > 5:
            os._exit(3)
        return self.size


def never(number):
    return number + 1


def silent(number):
    return number + 1  # pragma: no mutate


def ignored(number):  # unitcraft: ignore
    number = number + 1
    return number * 2
"""

TESTS = """\
import shop

SEEN = []


def test_price():
    assert shop.price(3, 1) == 3
    assert shop.price(1, 3) == 3


def test_doubled():
    assert shop.doubled(4) == 8
    assert shop.doubled(4) == 8


def test_cart():
    cart = shop.Big()
    assert cart.total() == 0
    assert cart.leave(5) == 1


def test_names():
    SEEN.append(1)
    assert shop.NAMES[1] == "one"


def test_silent():
    assert shop.silent(1) == 2
    assert shop.ignored(1) == 4


def test_broken():
    assert False
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop").resolve()
    (folder / "shop.py").write_text(SHOP)
    (folder / "test_shop.py").write_text(TESTS)
    return folder


def campaign(folder, jobs=1, **more):
    suite = SuiteSpec((), ("shop",), str(folder), (str(folder),))
    return run_campaign(CampaignPlan(suite, {"shop": str(folder / "shop.py")}, jobs, **more))


@pytest.fixture(scope="module")
def progress(project):
    return campaign(project)


def verdicts(progress, function):
    return [one.verdict for one in progress.in_order() if one.mutant.function == function]


def test_every_mutant_has_a_verdict(progress):
    assert [one.mutant.id for one in progress.in_order()] == list(progress.mutants)
    assert sum(count_verdicts(progress.in_order()).values()) == len(progress.mutants)


def test_tests_that_fail_on_the_original_are_left_out(progress):
    known = {node: verdict for node, verdict, _ in progress.tests}
    assert known["test_shop.py::test_broken"] == "failed"
    assert all(one.test != "test_shop.py::test_broken" for one in progress.in_order())


def test_code_that_no_test_enters_is_not_covered(progress):
    assert set(verdicts(progress, "never")) == {"not covered"}


LATE = """\
def used(number):
    return number + 1


LIMIT = 3


def limited(number=LIMIT):
    return number < LIMIT
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("pass", {"not covered"}),
        ("import late; assert late.LIMIT == 3", {"not covered", "assertion"}),
        ("import late; assert late.used(1) == 2", {"not covered", "assertion", "survived"}),
    ],
)
def test_mutants_of_a_module_that_no_test_imports_are_not_covered(tmp_path, body, expected):
    (tmp_path / "late.py").write_text(LATE)
    (tmp_path / "test_late.py").write_text(f"def test_late():\n    {body}\n")
    suite = SuiteSpec((), ("late",), str(tmp_path), (str(tmp_path),))
    found = run_campaign(CampaignPlan(suite, {"late": str(tmp_path / "late.py")}, 1))
    assert {one.verdict for one in found.in_order()} == expected


def test_endless_loops_and_exits_are_verdicts(progress):
    assert "timeout" in verdicts(progress, "Cart.total")
    assert "died" in verdicts(progress, "Big.leave")


def test_code_of_collection_gets_a_fresh_import(progress):
    fresh = {one.mutant.function for one in progress.in_order() if one.mutant.fresh}
    assert fresh == {"loud", "table"}
    assert "assertion" in verdicts(progress, "table")


def test_caches_are_those_of_a_fresh_process(progress):
    assert set(verdicts(progress, "doubled")) <= {"assertion", "exception"}


def test_a_mutant_that_loses_its_closure_variable_is_tried(progress):
    """Without ``super()`` there is no ``__class__``; the live function has one."""
    lost = [one for one in progress.in_order() if one.mutant.id == "shop:Big.__init__:1"]
    assert [(one.verdict, one.mutant.fresh) for one in lost] == [("exception", False)]


def test_pragmas_keep_mutants_away(progress):
    assert verdicts(progress, "silent") == verdicts(progress, "ignored") == []


def test_killers_reach_the_function(progress):
    for one in progress.in_order():
        if one.test and not one.mutant.fresh:
            numbers = progress.reach[f"shop:{one.mutant.function}"]
            assert one.test in [progress.tests[test][0] for test in numbers]


def test_any_number_of_children_gives_the_same_verdicts(project, progress):
    other = campaign(project, jobs=3)

    def told(which):
        return [(one.mutant, one.verdict, one.test, one.tried) for one in which.in_order()]

    assert told(other) == told(progress)


def test_known_verdicts_are_not_tried_again(project, progress):
    known = {progress.digest: progress.in_order()[3:]}
    heard = []
    suite = SuiteSpec((), ("shop",), str(project), (str(project),))
    plan = CampaignPlan(suite, {"shop": str(project / "shop.py")}, 1, known)
    again = run_campaign(plan, lambda _, judged: heard.append(judged))
    assert sorted(one.mutant.id for one in heard if one) == sorted(list(progress.mutants)[:3])
    assert mutation_score(again.in_order()) == mutation_score(progress.in_order())


def test_only_functions_with_changed_lines_are_tried(project):
    line = SHOP.splitlines().index("def never(number):") + 1
    progress = campaign(project, lines={"shop": [(line, line + 1)]})
    assert {mutant.function for mutant, _ in progress.mutants.values()} == {"never"}


def test_a_suite_that_cannot_run_is_an_error(tmp_path):
    (tmp_path / "shop.py").write_text("def f(a):\n    return a + 1\n")
    (tmp_path / "test_shop.py").write_text("import nothing_of_that_name\n")
    with pytest.raises(UnitcraftError) as info:
        campaign(tmp_path.resolve())
    assert info.value.slug == "suite-not-run"


def test_a_suite_of_which_no_test_passes_is_an_error_that_says_why(tmp_path):
    folder = tmp_path.resolve()
    (folder / "shop.py").write_text("def f(a):\n    return a + 1\n")
    (folder / "test_shop.py").write_text(
        "import os\nimport shop\n\ndef test_f():\n    os.mkdir('made')\n    assert shop.f(2) == 3\n"
    )
    with pytest.raises(UnitcraftError) as info:
        campaign(folder)
    assert info.value.slug == "suite-not-run"
    assert "none of 1 test(s) passes" in str(info.value)
    assert "test_shop.py::test_f fails: " in info.value.cause
    assert "unitcraft refused os.mkdir" in info.value.cause
    assert "before any test ran" not in info.value.cause


#: CPU seconds of one run, which takes 0.3; a mutant that loops for ever is ended by them, however
#: long the machine takes.
MAX_CPU_SECONDS = 3


def fails_in_plain_pytest(folder):
    bounded = ["sh", "-c", f'ulimit -t {MAX_CPU_SECONDS}; exec "$@"', "sh"]
    command = [*bounded, sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider",
               "--deselect", "test_shop.py::test_broken"]  # fmt: skip
    env = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = subprocess.run(
        command, cwd=folder, capture_output=True, env=env, timeout=60, check=False
    )
    return done.returncode != 0


def test_verdicts_are_those_of_plain_pytest(progress, tmp_path):
    source = ModuleSource("shop", "shop.py", SHOP)
    mutants = {one.about.id: one for one in source.mutants}
    (tmp_path / "test_shop.py").write_text(TESTS)
    sample = progress.in_order()[::4]
    wrong = []
    for one in sample:
        text = ast.unparse(source.mutated(mutants[one.mutant.id]))
        Path(tmp_path, "shop.py").write_text(text)
        if fails_in_plain_pytest(tmp_path) != one.is_killed:
            wrong.append(one)
    assert len(sample) > 10
    assert wrong == []


VALUES = """\
LIMIT = 3
TOP = 5
SIZES = {"a": 1, "b": 20}


def size(name, times=2):
    return SIZES[name] * times + LIMIT


def top():
    return TOP


class Box:
    depth = 4

    def volume(self, *, side=10):
        return self.depth * side


def lost(step=7):
    return step
"""

VALUE_TESTS = """\
import shop
from shop import TOP


def test_size():
    assert shop.size("a") == 5


def test_top():
    shop.top()
    assert TOP == 5


def test_box():
    assert shop.Box().volume() == 40
"""


@pytest.fixture(scope="module")
def valued(tmp_path_factory):
    folder = tmp_path_factory.mktemp("values").resolve()
    (folder / "shop.py").write_text(VALUES)
    (folder / "test_shop.py").write_text(VALUE_TESTS)
    return campaign(folder, jobs=2)


def value_verdicts(progress, label):
    return {
        one.verdict for key, one in progress.judged.items() if key.startswith(f"shop:{label}=:")
    }


@pytest.mark.parametrize("label", ["LIMIT", "size(times)", "Box.depth", "Box.volume(side)"])
def test_values_and_defaults_are_mutated(valued, label):
    assert value_verdicts(valued, label)
    assert value_verdicts(valued, label) <= {"assertion", "exception"}


def test_a_value_that_a_test_has_copied_is_changed_before_the_import(valued):
    assert value_verdicts(valued, "TOP") == {"assertion"}
    assert {one.mutant.fresh for key, one in valued.judged.items() if ":TOP=:" in key} == {True}


def test_values_that_no_test_looks_at_survive_or_are_not_covered(valued):
    assert value_verdicts(valued, "SIZES") == {"assertion", "exception", "survived"}
    assert value_verdicts(valued, "lost(step)") == {"not covered"}


def test_verdicts_on_data_are_those_of_plain_pytest(valued, tmp_path):
    source = ModuleSource("shop", "shop.py", VALUES)
    (tmp_path / "test_shop.py").write_text(VALUE_TESTS)
    data = [one for one in source.mutants if one.value is not None]
    for one in data[::4]:
        Path(tmp_path, "shop.py").write_text(ast.unparse(source.mutated(one)))
        assert fails_in_plain_pytest(tmp_path) == valued.judged[one.about.id].is_killed, one.about


def test_files_of_the_subject_may_have_names_that_pytest_takes_for_tests(tmp_path, progress):
    """pytest rewrites assertions in every file that ``python_files`` matches, and loads it so."""
    (tmp_path / "shop.py").write_text(SHOP)
    (tmp_path / "test_shop.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text("[pytest]\npython_files = *.py\n")
    (tmp_path / "conftest.py").write_text("")
    suite = SuiteSpec(("test_shop.py",), ("shop",), str(tmp_path), (str(tmp_path),))
    again = run_campaign(CampaignPlan(suite, {"shop": str(tmp_path / "shop.py")}))
    verdicts = [
        {key: one.verdict for key, one in each.judged.items()} for each in (progress, again)
    ]
    assert verdicts[0] == verdicts[1]


def test_a_mutant_that_leaves_out_a_seed_has_the_same_verdict_each_time(tmp_path):
    names = "abcdefghij"
    drawn = [f"def {name}(seed):\n    return random.Random(seed).random()" for name in names]
    (tmp_path / "chance.py").write_text("import random\n\n" + "\n\n".join(drawn) + "\n")
    tests = [f"def test_{name}():\n    assert chance.{name}(1) < 0.5" for name in names]
    (tmp_path / "test_chance.py").write_text("import chance\n\n" + "\n\n".join(tests) + "\n")
    suite = SuiteSpec(("test_chance.py",), ("chance",), str(tmp_path), (str(tmp_path),))
    plan = CampaignPlan(suite, {"chance": str(tmp_path / "chance.py")})
    first, again = [
        {one.mutant.id: one.verdict for one in run_campaign(replace(plan, jobs=jobs)).in_order()}
        for jobs in (1, 2)
    ]
    assert first == again
    assert len(first) >= 10


@pytest.mark.parametrize("has_mutants", [True, False])
def test_what_was_judged_when_the_time_was_over_is_the_result(tmp_path, monkeypatch, has_mutants):
    """Where no mutant was known yet, the suite did not run."""
    about = [["m:f:1", "m", "f", 1, "constant", 2], ["m:f:2", "m", "f", 1, "constant", 2]]
    frames = [
        {"kind": "mutants", "digest": "d", "mutants": about, "reach": {}, "files": {}},
        {"kind": "verdict", "id": "m:f:1", "verdict": "assertion", "test": "t", "tried": 1,
         "cpu": 0.5},
    ]  # fmt: skip

    def run_session(_plan, report):
        lines = frames if has_mutants else []
        report.write_text("".join(json.dumps(one) + "\n" for one in lines))
        return Completed(-9, "", "", timed_out=True)

    monkeypatch.setattr(campaigns, "_run_session", run_session)
    plan = CampaignPlan(SuiteSpec(("t",), ("m",), str(tmp_path)), {"m": "m.py"})
    if not has_mutants:
        with pytest.raises(UnitcraftError, match="it took too long"):
            run_campaign(plan)
        return
    found = run_campaign(plan)
    assert found.is_cut
    assert (list(found.mutants), list(found.judged), found.cpu) == (
        ["m:f:1", "m:f:2"],
        ["m:f:1"],
        0.5,
    )
