"""Branch coverage of each test, measured by one guarded run of the suite.

Invariant: the numbers of a test are indexes into ``taken``; a run that did not reach its end has
no coverage.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from unitcraft.suite.recording.record import SuiteSpec, not_run_error, run_suite


@dataclass(frozen=True, slots=True)
class SuiteCoverage:
    """Branch coverage: the branches ``taken``, as ``file:from->to``, and the number of missed ones.

    ``by_test``: node id -> indexes of its branches; ``verdicts``: node id -> its verdict.
    """

    taken: tuple[str, ...] = ()
    missing: int = 0
    by_test: dict[str, frozenset[int]] = field(default_factory=dict)
    verdicts: dict[str, str] = field(default_factory=dict)

    def of(self, nodes: Iterable[str]) -> frozenset[int]:
        """The branches that these tests take together."""
        return frozenset[int]().union(*(self.by_test.get(node, frozenset()) for node in nodes))

    @property
    def names(self) -> frozenset[str]:
        """The branches that any test takes."""
        return frozenset(self.taken[number] for number in self.of(self.by_test))


def cover_suite(spec: SuiteSpec) -> SuiteCoverage:
    """Run the suite in a guarded process and return the branches of its tests.

    Raises UnitcraftError (``suite-not-run``) when pytest did not come to its end.
    """
    frames, completed = run_suite(spec, "cover")
    if not frames or frames[-1]["kind"] != "done":
        raise not_run_error(frames, completed)
    measured = [frame for frame in frames if frame["kind"] == "branches"]
    nothing: dict[str, Any] = {"taken": (), "missing": 0}
    total = next((frame for frame in measured if not frame["node"]), nothing)
    return SuiteCoverage(
        tuple(total["taken"]),
        total["missing"],
        {one["node"]: frozenset(one["numbers"]) for one in measured if one["node"]},
        {one["node"]: one["verdict"] for one in frames if one["kind"] == "end"},
    )
