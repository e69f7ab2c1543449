"""What ``generate_module`` says of the members that a search could not use."""

from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.app.generate.generated_suite import Options, is_first_party
from unitcraft.app.generate.reasons import condensed, empty_suite_finding, search_findings
from unitcraft.core.events import Finding
from unitcraft.core.outcomes import Rejected
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.search_result import BlockedRun, SearchResult
from unitcraft.explore.search.values.object_pool import ObjectPool
from unitcraft.subject.locate import Located
from unitcraft.subject.model import ClassInfo, Invocable, Subject

METHODS = (
    Invocable("m:C.used", "method", "used", "m:C", module="m"),
    Invocable("m:C.lost", "method", "lost", "m:C", module="m"),
    Invocable("app:App.lent", "method", "lent", "app:App", module="m"),
    Invocable("m:_Base.shared", "method", "shared", "m:_Base", module="m"),
)
CLASSES = (
    ClassInfo("m:C", "m", "C"),
    ClassInfo("m:_Base", "m", "_Base", public=False),
    ClassInfo("app:App", "app", "App", tags=("collaborator",)),
)


def test_only_members_that_the_search_was_to_call_are_reported():
    subject = Subject("m", "m.py", CLASSES, METHODS)
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    assert [(one.code, one.target) for one in search_findings(found, subject, "")] == [
        ("UC501", "m:C.lost")
    ]


def test_a_member_whose_runs_were_all_misuse_is_reported():
    subject = Subject("m", "m.py", CLASSES, METHODS[:1])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    found.tried["m:C.used"] = 7
    found.misused["m:C.used"] = "TypeError: no"
    (finding,) = search_findings(found, subject, "")
    assert finding.code == "UC502"
    assert finding.message == "all 7 runs ended as misuse, the last with TypeError: no"
    found.misused["m:C.used"] = "AttributeError: 'dict' object has no attribute 'status_code'"
    (finding,) = search_findings(found, subject, "")
    assert finding.message == (
        "none of 7 runs had arguments with what the code uses; "
        "the last: AttributeError: 'dict' object has no attribute 'status_code'"
    )


def test_a_target_of_one_class_has_no_findings_about_another():
    subject = Subject("m", "m.py", CLASSES, METHODS)
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    blocked = Rejected("open")
    found.blocked += [BlockedRun("m:D.__init__", blocked), BlockedRun("m:C.used", blocked)]
    targets = [one.target for one in search_findings(found, subject, "C.used")]
    assert "m:C.used" in targets
    assert "m:D.__init__" not in targets


def test_what_a_guard_ended_is_no_misuse_as_well():
    subject = Subject("m", "m.py", CLASSES, METHODS[:1])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    found.tried["m:C.used"] = 2
    found.blocked.append(BlockedRun("m:C.used", Rejected("builtins.input:y")))
    assert [one.code for one in search_findings(found, subject, "")] == ["UC503"]


def test_a_callable_of_which_no_run_returned_is_reported():
    subject = Subject("m", "m.py", CLASSES, METHODS[:1])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    found.tried["m:C.used"], found.sensible["m:C.used"] = 3, 1
    found.raised["m:C.used"] = "ValueError: bad"
    (finding,) = search_findings(found, subject, "")
    assert (finding.code, finding.message) == (
        "UC515", "all 3 runs raised, the last ValueError: bad"
    )  # fmt: skip
    found.returned["m:C.used"] = 1
    assert search_findings(found, subject, "") == []


def test_a_module_without_code_of_its_own_has_a_reason():
    subject = Subject("m", "m.py", CLASSES, METHODS[:1])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.tried["m:C"] = 3
    (finding,) = empty_suite_finding(found, subject)
    assert (finding.code, finding.target) == ("UC517", "m")
    assert finding.message == "what runs is inherited or imported: C"


def test_what_the_end_of_time_left_untried_is_not_blamed():
    subject = Subject("m", "m.py", CLASSES, METHODS[:2])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}), truncated=True)
    found.proposed.add("m:C.used")
    found.tried["m:C.used"] = 0
    (finding,) = search_findings(found, subject, "")
    assert finding.code == "UC505"
    assert finding.message == "not tried, the time was over: m:C.lost, m:C.used"


def test_refusals_that_differ_in_arguments_are_one_finding():
    asked = [Finding("UC503", "m:f", f"blocked: builtins.input:{text}", "m.py:1") for text in "abb"]
    other = [Finding("UC503", "m:f", "blocked: open:a", "m.py:1"), Finding("UC509", "m", "a: b: c")]
    assert [one.message for one in condensed((*asked, *other))] == [
        "blocked: builtins.input:a and 1 more arguments", "blocked: open:a", "a: b: c"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("root", "project", "expected"),
    [("", ".", True), ("src", ".", True), ("lib", ".", False), ("", "", False)],
)
def test_modules_where_ruff_looks_for_them_are_first_party(tmp_path, root, project, expected):
    located = Located("m", Path("m.py"), tmp_path / root)
    options = Options(project=str(tmp_path / project) if project else "")
    assert is_first_party(located, options) is expected
