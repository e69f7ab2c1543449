"""Reports made of results by hand: explanations, counts, checks, comparisons, mutants."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from types import SimpleNamespace
from xml.etree import ElementTree as ET

import pytest
from report_schema import check_document

from unitcraft.app.commands import cli_check
from unitcraft.app.config import Config
from unitcraft.app.exploration import explain_command, explore_command
from unitcraft.app.exploration.explain_command import Explanation, ShownPath
from unitcraft.app.exploration.explain_report import MAX_CONSTRAINTS, as_plain, as_text
from unitcraft.app.exploration.message_pages import page
from unitcraft.app.exploration.program_text import outcome_text
from unitcraft.app.mutants import kill_mutant, mutants_command
from unitcraft.app.mutants.verdict_store import (
    KillCounts,
    ReachingTests,
    StoredVerdict,
    VerdictStore,
)
from unitcraft.app.suites.baseline import only_changed, without_known, write_baseline
from unitcraft.app.suites.check_command import Checked, CheckRequest, first_few
from unitcraft.app.suites.check_report import render_report
from unitcraft.app.suites.compare_command import (
    Selection,
    render_order,
    render_selection,
)
from unitcraft.app.suites.existing_suite import SuiteRequest, location_of, relative_path, spec_of
from unitcraft.app.suites.plugin_modes import Modes
from unitcraft.app.suites.suite_flags import request_of
from unitcraft.core.call_text import call_text
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, Progress
from unitcraft.core.outcomes import Exhausted, Rejected
from unitcraft.core.program_lines import program_lines
from unitcraft.core.rule_codes import TITLES
from unitcraft.core.sequences import Build, Call, Const, Display, Ref, Sequence, Symbol
from unitcraft.execute.spec import Reply
from unitcraft.explore.explain.uncovered_branches import UncoveredBranch
from unitcraft.suite.existing.prioritise import RankedTest
from unitcraft.suite.existing.redundancy import RedundantTest
from unitcraft.suite.mutation.verdicts import JudgedMutant, Mutant
from unitcraft.suite.recording import recordings
from unitcraft.suite.recording.recordings import REPRESENTATIONS, RecordedTest, Recording

# -- explain --------------------------------------------------------------------------

PATH = ShownPath(
    ("push",),
    ("a: int",),
    ("a > 1",),
    ("stack = Stack()",),
    "stack.push(2)",
    "returns 2",
    raised=False,
)
UNTAKEN = UncoveredBranch(7, "if", "true", "infeasible", ("a < 0 contradicts a > 1",))
EXPLANATION = Explanation("m:f", (PATH,), 2, 1, (UNTAKEN,), ("a note",))


def test_an_explanation_as_text():
    assert as_text(EXPLANATION).splitlines() == [
        "m:f: 1 path",
        "",
        "1. after push: a: int and a > 1",
        "     stack = Stack()",
        "     stack.push(2)  # returns 2",
        "",
        "2 more paths found and not listed (--paths).",
        "1 branch left unexplored by the bound (--paths).",
        "",
        "Branches that no path took:",
        "  line 7, if true: infeasible: no input takes it",
        "    a < 0 contradicts a > 1",
        "",
        "note: a note",
    ]


def test_a_long_condition_is_cut_and_counted():
    many = ShownPath(
        (),
        (),
        tuple(f"c{n}" for n in range(MAX_CONSTRAINTS + 3)),
        (),
        "f()",
        "returns 1",
        raised=False,
    )
    text = as_text(Explanation("m:f", (many,), 0, 0, (), ()))
    assert " and 3 more\n" in text
    assert f"c{MAX_CONSTRAINTS}" not in text


def test_an_explanation_as_data_holds_the_same_paths():
    plain = json.loads(json.dumps(as_plain(EXPLANATION)))
    assert plain["paths"][0]["call"] == "stack.push(2)"
    assert (plain["not_listed"], plain["unexplored"]) == (2, 1)
    assert plain["branches_not_taken"][0]["why"] == "infeasible"


def test_a_target_has_to_name_one_callable(tmp_path):
    (tmp_path / "m.py").write_text("def f(): pass\n")
    request = explain_command.ExplainRequest("m.py", 1, 1, 1, Config(tmp_path))
    with pytest.raises(UnitcraftError) as caught:
        explain_command.run_explain(request, tmp_path, None)
    assert caught.value.slug == "not-a-callable"


@pytest.mark.parametrize("form", ["text", "json"])
def test_every_code_has_a_page(form):
    for code in TITLES:
        assert code in page(code, form)
    with pytest.raises(UnitcraftError, match="no message with the code UC999"):
        page("UC999", form)


def test_programs_read_as_code():
    make = Call("function", "m:Box", (Const(1),))
    put = Call("method", "put", (Ref(0), Display("list", (Ref(0),))), (("n", Const("a")),))
    look = Call("operator", "len", (Ref(0),))
    assert program_lines(Sequence((make, put, look))) == (
        "box = Box(1)",
        "box.put([box], n='a')",
        "len(box)",
    )
    assert call_text(Call("set", "size", (Ref(0), Const(2))), ("box",)) == "box.size = 2"
    built = Call("function", "m:f", (Build(Symbol("m", "C"), (Const(1),)),), then="drain")
    assert call_text(built).startswith("list(f(")


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        (Reply((None, ("c", 7), "builtins:int", -1, ())), ("returns 7", "")),
        (
            Reply(((0, "builtins:ValueError", "no", 1, 3, "m"), None, "", -1, ())),
            ("raises ValueError: no at line 3", "builtins:ValueError"),
        ),
        (
            Reply(failure=Rejected("open", "m.py:1")),
            ("is refused by the sandbox: open", "rejected"),
        ),
        (Reply(failure=Exhausted("time")), ("does not end (time)", "exhausted")),
        (Reply(None), ("ends before the call", "lost")),
    ],
)
def test_outcomes_in_words(reply, expected):
    assert outcome_text(reply, "m") == expected


# -- explore --------------------------------------------------------------------------


def test_counts_of_states():
    row = SimpleNamespace(iteration=1, states=2, tests=30, seconds=0.25)
    exploration = SimpleNamespace(iterations=[row], blocked=[("time", 4)])
    shown = explore_command.render_counts(exploration, "m:C", "text").splitlines()
    assert shown[0] == "m:C"
    assert shown[2].split() == ["1", "2", "30", "0.25"]
    assert shown[3] == "4 tests ended by: time"
    plain = json.loads(explore_command.render_counts(exploration, "m:C", "json"))
    assert plain["blocked"] == {"time": 4}


def test_flags_that_are_not_given_have_their_defaults():
    flags = dict.fromkeys(
        ("shuffle", "sample", "seed", "paths", "compare", "merge", "prefer_uncovered")
    )
    found = explore_command.heuristics_of(flags, 9)
    assert (found.compare, found.choices.seed) == ("implication", 9)
    other = explore_command.heuristics_of({**flags, "seed": 3, "sample": 0.5, "paths": 7}, 9)
    assert (other.choices.seed, other.choices.sample, other.choices.paths) == (3, 0.5, 7)


# -- check ----------------------------------------------------------------------------


def recorded(name, verdict="passed", line=0):
    place = recordings.TestLocation("/here/t.py", line) if line else None
    return RecordedTest(f"t.py::{name}", verdict, 0.1, 0, 1, 1, place=place)


@pytest.fixture
def checked():
    tests = (recorded("test_a", line=3), recorded("test_b", "failed"))
    finding = Finding("UC102", "t.py::test_a", "repeats 100% of\nt.py::test_b", "t.py:3")
    counts = dict.fromkeys(REPRESENTATIONS, 1)
    recording = Recording(tests, (), (), ())
    return Checked(
        recording, counts, (finding,), {"t.py::test_a": ("t.py::test_b",)}, (), 2, ("a note",)
    )


def test_forms_of_a_check(checked):
    assert render_report(checked, "concise").startswith("t.py::test_a: UC102 repeats")
    full = render_report(checked, "full")
    assert "not judged: 1 test that did not pass" in full
    assert "2 tests with calls of others" in full
    assert full.endswith("note: a note")
    assert json.loads(render_report(checked, "json"))["findings"][0]["repeats"] == ["t.py::test_b"]
    case = ET.fromstring(render_report(checked, "junit"))
    assert (case.get("tests"), case.get("failures")) == ("2", "1")
    assert render_report(checked, "github").startswith("::warning file=t.py,line=3,title=UC102::")
    assert "100%25 of%0A" in render_report(checked, "github")
    sarif = json.loads(render_report(checked, "sarif"))["runs"][0]["results"][0]
    assert sarif["locations"][0]["physicalLocation"]["region"]["startLine"] == 3
    (form,) = [one for one in cli_check.command.params if one.name == "form"]
    assert len({render_report(checked, name) for name in form.type.choices}) == 6


def suite_request(config, **changes):
    values = {
        "tests": ("t",),
        "options": ("-x",),
        "subjects": ("shop",),
        "technique": "WholeState",
        "inner": False,
        "sandbox": "standard",
        "allow": (),
        "seconds": 5.0,
        "config": config,
    }
    return SuiteRequest(**{**values, **changes})


def test_codes_are_chosen_by_their_beginnings(tmp_path):
    request = CheckRequest(suite_request(Config(tmp_path)), ("UC1", "UC301"), ("UC102",))
    assert [request.wants(code) for code in ("UC101", "UC102", "UC301", "UC302")] == [
        True,
        False,
        True,
        False,
    ]
    assert first_few(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def test_the_run_of_pytest_for_a_suite(tmp_path):
    (tmp_path / "shop.py").write_text("")
    spec = spec_of(suite_request(Config(tmp_path), env=(("A", "1"),)), tmp_path)
    assert (spec.arguments, spec.subjects, spec.env) == (("t", "-x"), ("shop",), {"A": "1"})
    assert str(tmp_path) in spec.paths
    assert relative_path(str(tmp_path / "a" / "t.py"), tmp_path) == "a/t.py"
    assert relative_path("/elsewhere/t.py", tmp_path) == "/elsewhere/t.py"
    assert location_of(recorded("test_a"), tmp_path) == ""


def test_settings_and_flags_make_one_request(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pyproject.toml").write_text(
        '[tool.unitcraft]\nsandbox = "strict"\nallow = ["a:b"]\n'
    )
    flags = {
        "options": (),
        "subjects": ("shop",),
        "technique": "wholeseq",
        "inner": True,
        "sandbox": None,
        "allow": ("c:d",),
        "seconds": 3.0,
        "python": None,
        "env": (),
        "before_import": (),
    }
    found = request_of(("t",), flags)
    assert (found.technique, found.sandbox, found.allow) == ("WholeSeq", "strict", ("a:b", "c:d"))
    assert capsys.readouterr().err == "running t, guarded and recorded\n"


def test_the_counts_of_each_iteration_are_told_once(capsys):
    teller = explore_command.CountTeller()
    for done, note in (
        (1, "4 states, 7 tests"),
        (1, "4 states, 7 tests"),
        (2, ""),
        (2, "9 states"),
    ):
        teller.progress(Progress("m:C", "explore", done, 2, note))
    assert capsys.readouterr().err == (
        "iteration 1 of 2: 4 states, 7 tests\niteration 2 of 2: 9 states\n"
    )


def test_a_mode_of_the_plugin_fails_a_passing_run_with_findings(tmp_path, checked):
    config = SimpleNamespace(
        invocation_params=SimpleNamespace(dir=tmp_path), args=["t"], getoption=lambda _, one: one
    )
    mode = Modes(config, "check", ("shop",), "MARK")
    mode.pytest_collection_modifyitems(config, [])
    session = SimpleNamespace(exitstatus=0, config=config)
    mode.pytest_sessionfinish(session, 0)
    assert session.exitstatus == 0
    mode._checked = checked
    mode.pytest_sessionfinish(session, 0)
    assert session.exitstatus == 1
    lines = []
    mode.pytest_terminal_summary(SimpleNamespace(section=lines.append, write_line=lines.append))
    assert lines[0] == "unitcraft"
    assert any("UC102" in line for line in lines)


# -- comparisons ----------------------------------------------------------------------


def test_selections_and_orders():
    one, two = recorded("test_a"), recorded("test_b")
    selection = Selection((one,), (RedundantTest(two, (one,)),))
    assert render_selection(selection, "nodes") == "t.py::test_a"
    assert json.loads(render_selection(selection, "json")) == {
        "format": "unitcraft select 1",
        "selected": ["t.py::test_a"],
        "redundant": {"t.py::test_b": ["t.py::test_a"]},
    }
    assert render_selection(selection, "full").endswith("1 of 2 tests add something.")
    order = (RankedTest(two, 3, 4), RankedTest(one, 0, 1))
    assert render_order(order, "nodes").splitlines() == ["t.py::test_b", "t.py::test_a"]
    assert render_order(order, "full").splitlines()[1].split() == ["t.py::test_b", "3", "4"]


# -- mutants --------------------------------------------------------------------------


def verdict(number=1, what="survived", module="shop"):
    mutant = Mutant(f"{module}:f:{number}", module, "f", 2, "compare")
    test = "t.py::test_a" if what != "survived" else ""
    return JudgedMutant(mutant, what, test, 1, 1, 0.1)


def test_verdicts_are_kept_and_forgotten_with_the_code(tmp_path):
    file = tmp_path / "shop.py"
    file.write_text("x = 1\n")
    store = VerdictStore(tmp_path)
    store.add(StoredVerdict(verdict(1), str(file), "old"))
    store.add(StoredVerdict(verdict(2, "assertion"), str(file), "new"))
    store.reach(ReachingTests("shop", str(file), {"shop:f": ("t.py::test_a",)}, {"seconds": 1}))
    again = VerdictStore(tmp_path)
    assert list(again.kept) == ["shop:f:1", "shop:f:2"]
    assert again.reaching["shop"].tests == {"shop:f": ("t.py::test_a",)}
    assert [one.mutant.id for one in again.known("new")] == ["shop:f:2"]
    again.settle({"shop": str(file)}, "new")
    assert list(VerdictStore(tmp_path).kept) == ["shop:f:2"]


def test_lines_that_cannot_be_read_are_ignored(tmp_path):
    store = VerdictStore(tmp_path)
    store.add(StoredVerdict(verdict(), "shop.py", "d"))
    path = next((tmp_path / ".unitcraft").glob("*.jsonl"))
    path.write_text('{"broken\n{"mutant": 1}\n' + path.read_text())
    assert list(VerdictStore(tmp_path).kept) == ["shop:f:1"]
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_kill_counts_hold_while_the_files_do(tmp_path):
    file = tmp_path / "shop.py"
    file.write_text("x = 1\n")
    assert not KillCounts({}, {str(file): "other"}).is_current
    assert KillCounts({}, {}).is_current


def finished(*judged):
    progress = SimpleNamespace(
        is_cut=False, tests=[("t.py::test_a", "passed", 0.1)], dependent=[], problems=[], cpu=1.0
    )
    return mutants_command.Finished(judged, 0, progress)


def test_living_mutants_are_listed_and_the_score_is_told():
    report = finished(verdict(1), verdict(2, "assertion"))
    assert mutants_command.render_report(report, "concise") == "shop:f:1: line 2 compare: survived"
    assert "mutation score 50.0 % (1 of 2)" in mutants_command.render_report(report, "full")
    assert json.loads(mutants_command.render_report(report, "json"))["score"] == 0.5
    assert "no mutants" in mutants_command.render_report(finished(), "full")


def test_stored_mutants_are_listed_by_verdict(tmp_path):
    store = VerdictStore(tmp_path)
    store.add(StoredVerdict(verdict(1), "shop.py", "d"))
    store.add(StoredVerdict(verdict(2, "timeout"), "shop.py", "d"))
    listed = mutants_command.list_mutants(tmp_path, ("killed",), "", "", "concise")
    assert listed == "shop:f:2: line 2 compare: killed by a timeout t.py::test_a"
    assert mutants_command.list_mutants(tmp_path, (), "other", "", "concise") == "no mutants"
    with pytest.raises(UnitcraftError, match="no verdict is called dead"):
        mutants_command.list_mutants(tmp_path, ("dead",), "", "", "concise")


def test_a_mutant_that_is_killed_already_needs_no_search(tmp_path):
    VerdictStore(tmp_path).add(StoredVerdict(verdict(1, "assertion"), "shop.py", "d"))
    done = kill_mutant.kill(tmp_path, "shop:f:1", tmp_path, Config(tmp_path), None)
    assert (done.path, done.text, done.why) == (
        None,
        "",
        "shop:f:1 is killed already by t.py::test_a",
    )
    with pytest.raises(UnitcraftError, match="no mutant shop:f:9"):
        kill_mutant.kill(tmp_path, "shop:f:9", tmp_path, Config(tmp_path), None)


def test_a_baseline_hides_what_it_knows(tmp_path, checked):
    file = tmp_path / "known.json"
    one, two = Finding("UC201", "t.py::test_a", "no"), Finding("UC301", "t.py::test_a", "no")
    made = replace(checked, findings=(one,))
    assert write_baseline(file, made) == 1
    check_document(file.read_text())
    left = without_known(file, replace(checked, findings=(one, two)))
    assert left.findings == (two,)
    assert left.notes[-1] == "not reported: 1 finding of the baseline"
    file.write_text("[]")
    with pytest.raises(UnitcraftError, match="no baseline"):
        without_known(file, made)


def test_since_leaves_findings_about_changed_tests(tmp_path, checked):
    file = tmp_path / "test_m.py"
    text = "def test_{}():\n    x = 1\n    assert x\n\n\n"
    file.write_text(text.format("a") + text.format("b"))
    who = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), (*who, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    file.write_text(text.format("a") + text.format("b").replace("x = 1", "x = 2"))
    tests = [
        replace(recorded(name), place=recordings.TestLocation(str(file), line))
        for name, line in (("test_a", 1), ("test_b", 6))
    ]
    found = tuple(Finding("UC201", test.node, "no") for test in tests)
    recording = replace(checked.recording, tests=tuple(tests))
    left = only_changed(replace(checked, findings=found, recording=recording), "HEAD")
    assert left.findings == found[1:]
    assert left.notes[-1] == "not reported: 1 finding about tests as in HEAD"
