"""What ``generate_module`` says of the members that a search could not use."""

from __future__ import annotations

from unitcraft.app.generate.generate_module import _search_findings
from unitcraft.core.outcomes import Rejected
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.object_pool import ObjectPool
from unitcraft.explore.search.search_result import BlockedRun, SearchResult
from unitcraft.subject.model import ClassInfo, Invocable, Subject

METHODS = (
    Invocable("m:C.used", "method", "used", "m:C", module="m"),
    Invocable("m:C.lost", "method", "lost", "m:C", module="m"),
    Invocable("app:App.lent", "method", "lent", "app:App", module="m"),
)
CLASSES = (ClassInfo("m:C", "m", "C"), ClassInfo("app:App", "app", "App", tags=("collaborator",)))


def test_only_members_that_the_search_was_to_call_are_reported():
    subject = Subject("m", "m.py", CLASSES, METHODS)
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    assert [(one.code, one.target) for one in _search_findings(found, subject, "")] == [
        ("UC501", "m:C.lost")
    ]


def test_a_member_whose_runs_were_all_misuse_is_reported():
    subject = Subject("m", "m.py", CLASSES, METHODS[:1])
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    found.proposed.add("m:C.used")
    found.tried["m:C.used"] = 7
    found.misused["m:C.used"] = "TypeError: no"
    (finding,) = _search_findings(found, subject, "")
    assert finding.code == "UC502"
    assert finding.message == "all 7 runs ended as misuse, the last with TypeError: no"


def test_a_target_of_one_class_has_no_findings_about_another():
    subject = Subject("m", "m.py", CLASSES, METHODS)
    found = SearchResult(GoalMap(subject, [], []), ObjectPool({}))
    blocked = Rejected("open")
    found.blocked += [BlockedRun("m:D.__init__", blocked), BlockedRun("m:C.used", blocked)]
    targets = [one.target for one in _search_findings(found, subject, "C.used")]
    assert "m:C.used" in targets
    assert "m:D.__init__" not in targets
