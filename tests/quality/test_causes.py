"""Each cause for which searches miss branches: what does without them finds every branch.

One module of ``tests/quality/causes`` for each cause, each with three variants that differ in form.
The modules of ``tests/quality/programs`` are as people write them, two of a kind: containers in
chunks, parsers of sections and indentation, serializers with hooks, classes of fifteen options,
state machines in dictionaries.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.app.generate import engine
from unitcraft.app.generate.engine import Options, host_spec, open_search
from unitcraft.core.events import SilentListener
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.subject.locate import locate

HERE = Path(__file__).resolve().parent
CAUSES, PROGRAMS = HERE / "causes", HERE / "programs"
#: Runs of one search; the dearest takes 2,400 of them, 4 s of CPU time.
EXECUTIONS = 6_000
#: The share of the branches of a program that its search may miss.
MAX_MISSED = 0.05
#: Outcomes that are no branches, and entries that only an heir comes to.
OTHER_KINDS = ("condition", "entry")


class EnoughFoundError(Exception):
    """Few enough branches are missed: the search may end."""


def names(folder):
    return sorted(path.stem for path in folder.glob("*.py"))


@pytest.fixture
def search_until(monkeypatch):
    """Search a module until a share of its branches, or none, is missed."""

    def search(folder, name, share):
        missed: list[tuple[int, str, str]] = []
        counts: list[int] = []

        class EagerSearch(GoalSearch):
            def _run(self, plan):
                super()._run(plan)
                missed[:] = [
                    (site.line, site.kind, site.outcome)
                    for site in self.findings.goals.missed()
                    if site.kind not in OTHER_KINDS
                ]
                if not self.findings.executions:
                    counts.append(len(missed))
                elif len(missed) <= share * max(counts, default=0):
                    raise EnoughFoundError

        monkeypatch.setattr(engine, "GoalSearch", EagerSearch)
        located = locate(f"{name}.py", folder)[0]
        options = Options(executions=EXECUTIONS)
        with (
            pytest.raises(EnoughFoundError),
            open_search(host_spec(located, options), located, options, SilentListener()),
        ):
            pytest.fail(f"missed: {missed}")

    return search


@pytest.mark.parametrize("name", names(CAUSES))
def test_every_branch_is_found(search_until, name):
    search_until(CAUSES, name, 0)


@pytest.mark.parametrize("name", names(PROGRAMS))
def test_most_branches_of_what_people_write_are_found(search_until, name):
    search_until(PROGRAMS, name, MAX_MISSED)
