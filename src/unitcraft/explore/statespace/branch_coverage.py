"""Branch coverage of symbolic runs, and the uncovered branches next to those of a run.

Invariant: the set of covered sites depends on the runs that were recorded alone; it only grows.

Source: ROSTRA, "Heuristics": "favor paths that potentially lead to uncovered branches".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unitcraft.core.encoding import Plain

#: Kinds of Sites that are branches of statements.
BRANCHES = frozenset({"if", "loop", "case", "handler", "entry"})


class BranchCoverage:
    """The Sites of a Subject that runs have hit; mutable.

    ``sites`` is a SiteTable as plain data.  Two Sites lie beside one another when they are
    outcomes at one line of one kind.
    """

    def __init__(self, sites: Sequence[Plain]) -> None:
        self._sites = tuple(sites)
        self._hit = bytearray(len(sites))
        rows: dict[Plain, list[int]] = {}
        for number, site in enumerate(sites):
            rows.setdefault(tuple(site[:4]), []).append(number)
        self._rows = [rows[tuple(site[:4])] for site in sites]

    def note(self, hit: Iterable[int]) -> bool:
        """Record the sites that a run hit; was any of them new?"""
        new = [site for site in hit if not self._hit[site]]
        for site in new:
            self._hit[site] = 1
        return bool(new)

    def beside(self, hit: Iterable[int]) -> int:
        """The number of Sites beside those in ``hit`` that no run has hit."""
        near = dict.fromkeys(other for site in hit for other in self._rows[site])
        return sum(not self._hit[site] for site in near)

    def branches(self) -> tuple[int, int]:
        """How many branches of statements were hit, and how many there are."""
        found = [n for n, site in enumerate(self._sites) if site[3] in BRANCHES and site[1]]
        return sum(self._hit[number] for number in found), len(found)
