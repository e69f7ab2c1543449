"""Each cause for which searches miss branches: what does without them finds every branch.

One module of ``tests/quality/causes`` for each cause, each with three variants that differ in form.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from unitcraft.app.generate import engine
from unitcraft.app.generate.engine import Options, host_spec, open_search
from unitcraft.core.events import SilentListener
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.subject.locate import locate

CAUSES = Path(__file__).resolve().parent / "causes"
NAMES = sorted(path.stem for path in CAUSES.glob("*.py"))
#: Runs of one search; the dearest takes 2,400 of them, 4 s of CPU time.
EXECUTIONS = 6_000
#: Outcomes that are no branches, and entries that only an heir comes to.
OTHER_KINDS = ("condition", "entry")


class EverythingFoundError(Exception):
    """No branch is missed: the search may end."""


class EagerSearch(GoalSearch):
    """A search that ends when no branch is missed."""

    missed: tuple[tuple[int, str, str], ...] = ()

    def _run(self, plan):
        super()._run(plan)
        type(self).missed = tuple(
            (site.line, site.kind, site.outcome)
            for site in self.findings.goals.missed()
            if site.kind not in OTHER_KINDS
        )
        if self.findings.executions and not self.missed:
            raise EverythingFoundError


@pytest.mark.parametrize("name", NAMES)
def test_every_branch_is_found(name, monkeypatch):
    monkeypatch.setattr(engine, "GoalSearch", EagerSearch)
    located = locate(f"{name}.py", CAUSES)[0]
    options = Options(executions=EXECUTIONS)
    with (
        pytest.raises(EverythingFoundError),
        open_search(host_spec(located, options), located, options, SilentListener()),
    ):
        pytest.fail(f"missed: {EagerSearch.missed}")
