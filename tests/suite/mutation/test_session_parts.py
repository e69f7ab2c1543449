"""Parts of a campaign's processes: children, runs of items, state, digests, coverage, verdicts."""

from __future__ import annotations

import importlib
import json
import logging
import marshal
import os
import signal
import subprocess
import sys
import tempfile
import time
import types
import unittest
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from _pytest import unittest as unittest_items
from _pytest.assertion import rewrite

from unitcraft.core.encoding import encode_sequence
from unitcraft.execute import steps
from unitcraft.suite.mutation.agents.kill_check import KillCheck
from unitcraft.suite.mutation.code_digest import (
    content,
    content_of,
    digest_of,
    installed_modules,
    own_modules,
)
from unitcraft.suite.mutation.mutants.code_swap import exchange_codes
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.session import (
    assert_rewrite_cache,
    fork_points,
    hookless_runner,
    reimport_trials,
    session_main,
    shared_child,
    state_restore,
    warm_session,
)
from unitcraft.suite.mutation.session.collection_coverage import CollectionCoverage
from unitcraft.suite.mutation.session.fixture_plan import plan_of
from unitcraft.suite.mutation.session.forked_children import Ended, Ending, Trial, run_trials
from unitcraft.suite.mutation.session.hookless_runner import HooklessRunner
from unitcraft.suite.mutation.session.item_runner import OutcomeWatch, kind_of, run_items
from unitcraft.suite.mutation.session.reimport_trials import (
    COLLECTION_CPU,
    PendingMutant,
    SessionRemainder,
    UpToFailure,
)
from unitcraft.suite.mutation.session.shared_child import (
    MAX_CHUNK,
    CollectedTests,
    MutantTask,
    SoloRun,
    partition_by_chunk,
)
from unitcraft.suite.mutation.session.state_restore import (
    PROCESS_SAVERS,
    SharedState,
    project_modules,
)

PASSED = SimpleNamespace(excinfo=None)


def failing(error):
    return SimpleNamespace(excinfo=SimpleNamespace(type=error))


# -- forked children ------------------------------------------------------------------


def endings(*trials, jobs=2):
    return dict(run_trials(trials, jobs, lambda _slot: None))


def test_children_answer_end_and_are_killed():
    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    found = endings(
        Trial("fine", lambda: (1, "a"), 60),
        Trial("raising", lambda: 1 / 0, 60),
        Trial("dying", die, 60),
        Trial("hanging", lambda: time.sleep(600), 0.2),
    )
    assert (found["fine"].answer, found["fine"].timed_out) == ((1, "a"), False)
    assert (found["raising"].answer, found["raising"].timed_out) == (None, False)
    assert found["fine"].cpu > 0.0
    assert found["raising"].cpu > 0.0
    assert not found["dying"].timed_out
    assert found["hanging"].timed_out


def test_running_children_have_slots_of_their_own():
    slots = []
    trials = [Trial(n, lambda: slots[-1], 60) for n in range(4)]
    found = dict(run_trials(trials, 2, slots.append))
    assert {one.answer for one in found.values()} <= {0, 1}
    assert slots == []


def test_a_limit_of_cpu_time_is_a_timeout():
    assert Ended(signal.SIGPROF).timed_out
    assert Ended(signal.SIGKILL, hung=True).timed_out
    assert not Ended(signal.SIGSEGV).timed_out
    assert not Ended(signal.SIGKILL, hung=True).exceeded_cpu


def test_a_fork_sends_one_answer():
    code = (
        f"from {fork_points.__name__} import AnsweringFork\n"
        "one = AnsweringFork()\n"
        "if one.pid == 0: one.leave([1, 'a'])\n"
        "print(one.receive())\n"
        "two = AnsweringFork()\n"
        "if two.pid == 0:\n    import os; os._exit(3)\n"
        "print(two.receive())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["[1, 'a']", "None"], done.stderr


# -- runs of items --------------------------------------------------------------------


class Hooks:
    """``pytest_runtest_protocol`` for items whose name says how they end."""

    def __init__(self, watch):
        self.watch = watch

    def pytest_runtest_protocol(self, item, nextitem):
        del nextitem
        if item.nodeid.startswith("fail"):
            self.watch.verdict, self.watch.kind = "failed", "assertion"


def items_of(watch, *names):
    config = SimpleNamespace(hook=Hooks(watch))
    return [SimpleNamespace(nodeid=name, config=config) for name in names]


def collected(watch, *names):
    tests = CollectedTests(items_of(watch, *names))
    tests.calls, tests.passing = list(range(len(names)))[::-1], [True] * len(names)
    tests.alone = {n: SoloRun(passes=True, cpu=0.5) for n in range(len(names))}
    return tests


def test_kinds_of_failures():
    assert (
        kind_of(failing(AssertionError)) == kind_of(failing(pytest.fail.Exception)) == "assertion"
    )
    assert (kind_of(failing(KeyError)), kind_of(PASSED)) == ("exception", "assertion")


def test_an_item_runs_through_the_hooks_with_its_cpu_time():
    watch, before = OutcomeWatch(), []
    ran = [
        (item.nodeid, watch.verdict)
        for item, cpu in run_items(items_of(watch, "a", "fail", "b"), watch, before.append)
        if cpu >= 0
    ]
    assert ran == [("a", "passed"), ("fail", "failed"), ("b", "passed")]
    assert len(before) == 3


def test_a_child_stops_at_the_first_failure(monkeypatch):
    monkeypatch.setattr(signal, "setitimer", lambda *_: None)
    watch = OutcomeWatch()
    tests = collected(watch, "a", "fail", "b")
    assert tests.run_until_failure([0, 2], watch) == ("survived", None, 2)
    assert tests.run_until_failure([2, 1, 0], watch) == ("assertion", 1, 2)
    assert tests.wall_seconds([0, 1]) > tests.wall_seconds([0])


@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        (Ending(("assertion", 7, 2), 0.1), ("assertion", 7, 2)),
        (Ending(("survived", None, 2), 0.1), ("survived", None, 2)),
        (Ending(None, 0.1, timed_out=True), ("timeout", None, 0)),
        (Ending(None, 0.1), ("died", None, 0)),
    ],
)
def test_verdicts_of_endings(ending, expected):
    assert ending.verdict == expected


class TestHookless:
    """The runner without hooks, on an item of this very run."""

    @pytest.fixture
    def runner(self, request):
        made = HooklessRunner(request.config, OutcomeWatch())
        made._is_only_pytest_running = True
        return made

    def test_plain_items_can_run_without_hooks(self, runner, request):
        assert runner.can_run(request.node)
        request.node.add_marker(pytest.mark.filterwarnings("default"))
        assert not runner.can_run(request.node)

    def test_items_of_other_classes_and_plugins_cannot(self, runner, request):
        assert not runner.can_run(SimpleNamespace())
        runner._is_only_pytest_running = False
        assert not runner.can_run(request.node)

    def test_an_outcome_that_hooks_decide_is_unclear(self, request, monkeypatch):
        monkeypatch.setattr(request.node, "obj", lambda: pytest.skip("elsewhere"))
        plan = SimpleNamespace(values=lambda _: {})
        with pytest.raises(hookless_runner.Unclear):
            hookless_runner._run_plan(request.node, plan, {})
        monkeypatch.setattr(request.node, "obj", lambda: None)
        assert hookless_runner._run_plan(request.node, plan, {}) == ""
        monkeypatch.setattr(request.node, "obj", lambda: {}["missing"])
        assert hookless_runner._run_plan(request.node, plan, {}) == "exception"


class Cases(unittest.TestCase):
    """Collected by hand below."""

    __test__ = False

    def test_passes(self):
        assert len(self.id()) > 0

    def test_fails(self):
        assert len(self.id()) == 0

    def test_raises(self):
        raise KeyError(self.id())

    def test_skips(self):
        self.skipTest("elsewhere")


@pytest.mark.parametrize(
    ("name", "kind"),
    [("passes", ""), ("fails", "assertion"), ("raises", "exception"), ("skips", "unclear")],
)
def test_a_method_of_a_test_case_runs_without_hooks(name, kind, request, monkeypatch):
    monkeypatch.setattr(Cases, "__test__", True)
    parent = request.node.getparent(pytest.Module)
    case = unittest_items.UnitTestCase.from_parent(parent, name="Cases", obj=Cases)
    item = unittest_items.TestCaseFunction.from_parent(case, name=f"test_{name}")
    runner = HooklessRunner(request.config, OutcomeWatch())
    runner._is_only_pytest_running = True
    assert runner.can_run(item)
    assert [hookless_runner._call(item) for _ in range(2)] == [kind, kind]
    monkeypatch.setitem(sys.modules, "twisted.trial.unittest", types.ModuleType("trial"))
    assert not runner.can_run(item)


class Prepared(Cases):
    """Its class needs to be set up."""

    @classmethod
    def setUpClass(cls):
        cls.ready = True


class Registering(Cases):
    """Leaves something to be cleaned up after its class."""

    def test_registers(self):
        self.addClassCleanup(print)


def collected_item(request, cases, name):
    """The item as it is where no conftest file has a fixture for every test."""
    parent = request.node.getparent(pytest.Module)
    case = unittest_items.UnitTestCase.from_parent(parent, name=cases.__name__, obj=cases)
    item = next(item for item in case.collect() if item.name == name)
    item.fixturenames[:] = [one for one in item.fixturenames if one.startswith("_unittest")]
    assert item.fixturenames
    return item


def test_a_test_case_without_setup_has_a_plan(request, monkeypatch):
    monkeypatch.setattr(Cases, "__test__", True)
    assert plan_of(collected_item(request, Cases, "test_passes")) is not None
    assert plan_of(collected_item(request, Prepared, "test_passes")) is None
    item = collected_item(request, Cases, "test_fails")
    monkeypatch.setattr(item, "fixturenames", [*item.fixturenames, "tmp_path"])
    assert plan_of(item) is None


def test_a_test_case_runs_by_its_plan_on_an_object_of_its_own(request, monkeypatch):
    monkeypatch.setattr(Cases, "__test__", True)
    for name, kind in [
        ("test_passes", ""),
        ("test_fails", "assertion"),
        ("test_raises", "exception"),
    ]:
        item = collected_item(request, Cases, name)
        plan = plan_of(item)
        assert plan is not None
        found = [hookless_runner._run_plan(item, plan, {}) for _ in range(2)]
        assert found == [kind, kind]
        assert "_instance" not in vars(item)
    item = collected_item(request, Registering, "test_registers")
    with pytest.raises(hookless_runner.Unclear):
        hookless_runner._run_plan(item, plan_of(item), {})
    Registering.doClassCleanups()


# -- collected tests and mutants ------------------------------------------------------

SHOP = """\
def price(n):
    if n > 3:
        return n - 1
    return n


def other(n):
    return n + 1
"""


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "shop_x.py"
    file.write_text(SHOP)
    return ModuleSource("shop_x", str(file), SHOP)


def test_tests_that_reach_lines_come_cheapest_first(source):
    tests = collected(OutcomeWatch(), "a", "b", "c")
    tests.passing, tests.in_order = [True, True, False], [0, 1, 2]
    tests.reach = {(source.file, 2): [0, 1, 2], (source.file, 8): [0]}
    assert tests.reaching([(source.file, 2)]) == [1, 0]
    assert tests.depends([(source.file, 2)])
    assert not tests.depends([(source.file, 8)])
    assert shared_child.tests_by_function(tests, [source]) == {
        "shop_x:other": [0],
        "shop_x:price": [0, 1, 2],
    }


def tasks_of(source):
    return [
        MutantTask(one, None, [0], frozenset(), frozenset(), depends=False)
        for one in source.mutants
    ]


def test_chunks_are_whole_and_of_one_function(source):
    tasks = tasks_of(source)
    lists = partition_by_chunk(tasks, 2)
    assert sum(map(len, lists)) == len(tasks)
    assert {work.mutant.about.function for work in lists[0]} == {"price"}
    assert {work.mutant.about.function for work in lists[1]} == {"other"}
    many = tasks_of(source)[:1] * (MAX_CHUNK + 1)
    assert [len(one) for one in partition_by_chunk(many, 2)] == [0, MAX_CHUNK + 1]


def test_code_is_swapped_in_and_out():
    def one():
        return 1

    def two():
        return 2

    original = one.__code__
    exchange_codes([one, two], {original: two.__code__})
    assert (one(), two()) == (2, 2)
    exchange_codes([one], {two.__code__: original})
    assert one() == 1


# -- trials that import anew ----------------------------------------------------------


def test_a_mutant_is_loaded_by_the_next_import(source, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    monkeypatch.delitem(sys.modules, "shop_x", raising=False)
    mutant = next(one for one in source.mutants if one.about.function == "other")
    reimport_trials.import_mutant(source, mutant)
    try:
        assert importlib.import_module("shop_x").other(1) != 2
    finally:
        sys.modules.pop("shop_x", None)


def test_each_slot_has_a_temporary_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    reimport_trials.use_slot_folder(3)
    assert tempfile.gettempdir() == str(tmp_path / "slot3")


def left_over(*failing, **cpu):
    return SessionRemainder([], list(failing), cpu, [], [], {})


@pytest.fixture
def limits(monkeypatch):
    """The CPU seconds on the original for which time is granted, one after another."""
    found = []
    monkeypatch.setattr(reimport_trials, "limit_cpu", found.append)
    return found


def test_a_suite_runs_up_to_the_first_failure(limits):
    plugin = UpToFailure(left_over("always"))
    plugin.first = ["b"]
    items = [SimpleNamespace(nodeid=name) for name in ("a", "always", "b")]
    plugin.pytest_collection_modifyitems(items)
    assert [item.nodeid for item in items] == ["b", "a"]
    assert plugin.answer(0) == ("survived", "", 0)
    plugin.pytest_runtest_logstart("b")
    plugin.verdict, plugin.kind = "failed", "exception"
    plugin.pytest_runtest_logfinish("b")
    assert plugin.answer(1) == ("exception", "b", 1)


def test_a_test_has_its_own_time_and_what_stands_between_tests_that_of_all(limits):
    plugin = UpToFailure(left_over(a=0.5, b=1.5))
    for node in ("a", "b", "new"):
        plugin.pytest_runtest_logstart(node)
        plugin.pytest_runtest_logfinish(node)
    whole = COLLECTION_CPU + 2.0
    assert limits == [0.5, whole, 1.5, whole, whole, whole]


def test_a_run_of_one_test_that_was_not_found_tells_nothing():
    plugin = UpToFailure(left_over())
    plugin.only = "gone"
    assert plugin.answer(int(pytest.ExitCode.USAGE_ERROR)) == ("unknown", "", 0)
    assert UpToFailure(left_over()).answer(int(pytest.ExitCode.INTERRUPTED)) == ("exception", "", 0)


def test_a_run_of_one_test_makes_no_other_items():
    plugin = UpToFailure(left_over())
    assert plugin.pytest_pycollect_makeitem("test_a") is None
    plugin.only = "tests/test_x.py::TestX::test_a[x::y]"
    plugin.pytest_collection(SimpleNamespace(config=SimpleNamespace(
        option=SimpleNamespace(maxfail=0), rootpath=Path("/"), args=[])))  # fmt: skip
    made = [plugin.pytest_pycollect_makeitem(name) for name in ("TestX", "test_a", "test_b")]
    assert made == [None, None, []]
    plugin.pytest_collectreport(SimpleNamespace(failed=True))
    assert plugin.answer(int(pytest.ExitCode.USAGE_ERROR)) == ("exception", "", 0)


def test_what_a_session_leaves_is_plain():
    left = SessionRemainder([("m:f:1", True, "")], ["t"], {"a": 1.5}, ["json"], ["m"], {"p": b"x"})
    assert SessionRemainder(*marshal.loads(marshal.dumps(left.as_plain(), 4))) == left
    assert PendingMutant(*left.open[0]).late


def test_a_report_is_written_line_by_line(tmp_path):
    report = session_main.Report(str(tmp_path / "report"))
    report.say("verdict", id="m:f:1")
    report.say("done")
    lines = (tmp_path / "report").read_text().splitlines()
    assert [json.loads(line)["kind"] for line in lines] == ["verdict", "done"]


def test_a_session_reports_modules_from_other_files(monkeypatch):
    said = []
    session = object.__new__(warm_session.WarmSession)
    session._settings = {"modules": {"json": "/elsewhere/json.py", "not_loaded_x": "/x.py"}}
    session._say = lambda kind, **facts: said.append((kind, facts["text"]))
    assert not session._is_loaded_from_expected_files()
    assert said[0][1].startswith("the tests import json from ")
    session._settings = {"modules": {"not_loaded_x": "/x.py"}}
    assert session._is_loaded_from_expected_files()


def test_what_needs_no_subject_is_found_in_order(tmp_path, monkeypatch):
    texts = {
        "free_x": "", "subject_x": "", "user_x": "import subject_x", "through_x": "import user_x",
        "lenient_x": "try: import subject_x\nexcept ImportError: pass", "late_x": "import free_x",
        "after_x": "import lenient_x", "broken_x": "1 / 0",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = reimport_trials.independent_modules(texts, ["subject_x"], lambda _: None)
    assert found == ["free_x", "late_x"]
    assert texts.keys().isdisjoint(sys.modules)


@pytest.mark.parametrize(
    ("line", "before"), [(2, ["A"]), (3, ["A", "B"]), (5, ["A", "B"]), (6, ["A", "B", "f"])]
)
def test_an_import_forks_before_the_statement_that_changes(tmp_path, monkeypatch, line, before):
    text = "A = 1\nB = 2\n@str\ndef f():\n    return 1\nC = B + A\n"
    (tmp_path / "forked_x.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    source = ModuleSource("forked_x", str(tmp_path / "forked_x.py"), text)
    mutant = SimpleNamespace(about=SimpleNamespace(id="m", line=line))
    source.mutants = [mutant]
    made, seen = fork_points.ImportFork([source]), []
    made.install(["m"], lambda: seen.extend(vars(sys.modules["forked_x"])))
    module = importlib.import_module("forked_x")
    sys.modules.pop("forked_x")
    assert [name for name in seen if not name.startswith("_")] == before
    assert (module.C, made.waits) == (3, False)


# -- what is shared -------------------------------------------------------------------


def test_rewritten_test_modules_are_kept(monkeypatch):
    made, kept = [], {}
    monkeypatch.setattr(
        rewrite,
        assert_rewrite_cache.REWRITE_FUNCTION,
        lambda path, _: made.append(path) or (path, 1),
    )
    assert_rewrite_cache.use_cache(kept)
    rewritten = getattr(rewrite, assert_rewrite_cache.REWRITE_FUNCTION)
    assert rewritten("a.py", None) == rewritten("a.py", None) == ("a.py", 1)
    assert made == ["a.py"]
    assert list(kept) == ["a.py"]


def test_process_settings_are_put_back(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    savers = [save() for save in PROCESS_SAVERS]
    limit, handler = sys.getrecursionlimit(), signal.getsignal(signal.SIGUSR2)
    os.chdir("/")
    sys.setrecursionlimit(limit + 77)
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)
    for put_back in savers:
        put_back()
    assert Path.cwd() == tmp_path
    assert (sys.getrecursionlimit(), signal.getsignal(signal.SIGUSR2)) == (limit, handler)


def test_modules_and_loggers_are_restored(monkeypatch):
    module = types.ModuleType("shared_x")
    module.TABLE, module.COUNT = {"a": [1]}, Counter("a")
    monkeypatch.setitem(sys.modules, "shared_x", module)
    # the modules of a whole run of tests have more objects than a walk looks at
    monkeypatch.setattr(state_restore, "own_modules", list)
    logger = logging.getLogger("shared_x")
    state = SharedState([], project_modules(["shared_x"]))
    module.TABLE["a"].append(2)
    module.NEW = 1
    module.COUNT["b"] = 5
    logger.setLevel(logging.ERROR)
    assert state.restore()
    assert (module.TABLE, module.COUNT, hasattr(module, "NEW")) == ({"a": [1]}, Counter("a"), False)
    assert logger.level == logging.NOTSET


def test_digests_depend_on_code_and_tests(tmp_path):
    file = tmp_path / "shop.py"
    file.write_text("x = 1\n")
    modules = {"shop": str(file)}
    first = digest_of(modules, ["t::a"])
    assert digest_of(modules, ["t::a"]) == first
    assert digest_of(modules, ["t::b"]) != first
    file.write_text("x = 2\n")
    assert digest_of(modules, ["t::a"]) != first
    assert content_of(modules)[str(file)] == content(str(file)) != ""
    assert content(str(tmp_path / "missing")) == ""


def test_modules_of_the_project_and_installed_ones():
    own = {module.__name__ for module in own_modules()}
    assert "json" in installed_modules()
    assert not own & set(installed_modules())
    assert not any(name.startswith("unitcraft.") for name in own)


class Probes:
    """Lines that the next ``take`` gives."""

    def __init__(self):
        self.lines, self.importing = [], frozenset({("m", 9)})

    def take(self):
        taken, self.lines = self.lines, []
        return taken, 0


def test_lines_of_collection_belong_to_a_module_or_to_all():
    probes = Probes()
    coverage = CollectionCoverage(probes)
    probes.lines = [("m", 1)]
    coverage.pytest_collection()
    module = SimpleNamespace(path="t.py", obj=None)
    steps_of_report = coverage.pytest_make_collect_report(
        SimpleNamespace(getparent=lambda _: module)
    )
    next(steps_of_report)
    probes.lines = [("m", 2)]
    with pytest.raises(StopIteration):
        steps_of_report.send("report")
    probes.lines = [("m", 3)]
    coverage.finish()
    inside, outside = SimpleNamespace(path="t.py"), SimpleNamespace(path="u.py")
    assert coverage.ran([("m", 2)])
    assert not coverage.ran([("m", 5)])
    assert coverage.ran_before([("m", 1)])
    assert coverage.ran_before([("m", 9)])
    assert [coverage.is_independent([("m", 2)], item) for item in (inside, outside)] == [
        False,
        True,
    ]
    assert not coverage.is_independent([("m", 3)], outside)


# -- kills ----------------------------------------------------------------------------


class Swap:
    """One mutant: inside it ``function`` has other code."""

    def __init__(self, function, mutant):
        self.function, self.codes = function, (function.__code__, mutant.__code__)

    def mark_lines(self, hit):
        hit(2)
        return (9,)

    def apply(self, _mutant):
        self.function.__code__ = self.codes[1]
        return True

    def restore(self):
        self.function.__code__ = self.codes[0]


@pytest.fixture
def step_budget():
    """A trial arms the step budget of its process; here that is the process of the tests."""
    steps.start(10**6)
    yield
    steps.COUNTER.stop()


@pytest.mark.usefixtures("step_budget")
def test_tests_kill_a_mutant_when_they_see_a_difference(lab):
    one = lab("def f(n):\n    return n + 1\n")
    swap = Swap(one.module.f, lambda n: n + 1 if n else 7)
    judge = KillCheck("sample", swap, [None])
    tests = [(n, encode_sequence(one.sequence(f"f({n})"))) for n in (0, 5)]
    expected = [(n, calls, judge.baseline(calls)[0]) for n, calls in tests]
    assert [judge.baseline(calls)[1] for _, calls in tests] == [(2, 9), (2, 9)]
    found = judge.judge((0, expected))
    assert [row[0] for row in found] == [0]
    assert one.module.f(0) == 1
    assert judge.again((tests[0][1], expected[0][2], [(0, False)], True))[1][0][0] == 0
    assert judge.again((tests[1][1], expected[1][2], [(0, False)], True)) is None
    assert judge.again((tests[1][1], expected[1][2], [(0, False)], False)) == (expected[1][2], ())
