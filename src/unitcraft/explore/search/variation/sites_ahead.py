"""The sites that lie ahead of a search: no run hit them, but some run hit one beside them.

Invariant: a site is ahead at most once; the order is that of the source.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from unitcraft.explore.execution import Execution
from unitcraft.instrument.sites import BranchSite

#: Sites whose other outcome has no site: a run comes near to them by what stands before.
_UNPAIRED: Final = frozenset({"handler", "case"})

#: Times that a run counts as further at one line of a function, by the comparisons made there:
#: those of a loop have no end.  Halved: one site of 759 fewer, 9 % fewer runs.
MAX_AT_LINE: Final = 4

#: A module and a function in it.
_Scope = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SiteAhead:
    """A missing site in the function ``scope``, and the site ``beside`` it that was hit.

    ``line``: where the missing site is; ``other``: where only a misuse came to it, the other
    outcome of its branch, -1 if no run hit that.
    """

    number: int
    beside: int
    scope: str
    is_branch: bool
    line: int = 0
    other: int = -1


def find_sites_ahead(
    sites: Sequence[BranchSite],
    own: Sequence[bool],
    hit: Sequence[int],
    touched: Sequence[int],
) -> list[SiteAhead]:
    """The missing ones of the ``own`` sites beside ``touched`` ones.

    Beside a site stands the other outcome of its branch, or what comes before it in its function;
    or itself, where only a misuse came to it.  What follows the last site of a function that was
    touched, or the last one before a handler, is ahead too: each run that came there raised before
    the next.
    """
    found: list[SiteAhead] = []
    before: dict[_Scope, int] = {}
    ends = _ends(sites, own, touched)
    for number, site in enumerate(sites):
        if not own[number]:
            continue
        scope = (site.module, site.scope)
        if touched[number]:
            before[scope] = number
        if hit[number]:
            continue
        beside = _beside(sites, touched, number)
        if beside < 0 and (site.kind in _UNPAIRED or before.get(scope, -1) in ends):
            last = before.get(scope, -1)
            ends.discard(last)
            beside = _in_body(sites, touched, last)
        if beside >= 0:
            other = _other(sites, hit, number) if beside == number else -1
            is_branch = site.kind != "condition"
            found.append(SiteAhead(number, beside, site.scope, is_branch, site.line, other))
    return found


def _ends(sites: Sequence[BranchSite], own: Sequence[bool], touched: Sequence[int]) -> set[int]:
    """The last site of each function that was touched, and the last before each such handler."""
    last: dict[_Scope, int] = {}
    ends: set[int] = set()
    for number, site in enumerate(sites):
        if own[number] and touched[number]:
            scope = (site.module, site.scope)
            if site.kind == "handler" and scope in last:
                ends.add(last[scope])
            last[scope] = number
    return ends.union(last.values())


def _beside(sites: Sequence[BranchSite], touched: Sequence[int], number: int) -> int:
    """The touched one of a site and its other outcome; -1 if there is none."""
    return number if touched[number] else _other(sites, touched, number)


def _in_body(sites: Sequence[BranchSite], touched: Sequence[int], last: int) -> int:
    """What leads into the body of a loop, where the ``last`` site is that it ended."""
    is_end = last >= 0 and (sites[last].kind, sites[last].outcome) == ("loop", "ended")
    entered = _other(sites, touched, last) if is_end else -1
    return entered if entered >= 0 else last


def _other(sites: Sequence[BranchSite], touched: Sequence[int], number: int) -> int:
    """The other outcome of the branch of a site, if it was touched; else -1."""
    here = sites[number]
    for other in (number - 1, number + 1):
        if 0 <= other < len(sites) and touched[other]:
            there = sites[other]
            same = (here.scope, here.line, here.kind) == (there.scope, there.line, there.kind)
            if same and here.outcome != there.outcome:
                return other
    return -1


class Advances:
    """How far functions came that have never returned (mutable: it learns).

    A constructor that checks a dozen arguments, each in the same helper, shows no site that is new
    when it accepts one more of them: that its own next line is reached is what counts.
    """

    def __init__(self) -> None:
        self._furthest: dict[str, _Place] = {}
        self._times: Counter[tuple[str, int]] = Counter()
        self._last: Execution | None = None

    def note(self, run: Execution) -> bool:
        """Did a function that has never returned come to a later line of its own than ever?

        Or did the helper that it called there come further?
        """
        name, place = run.invocable, _place_of(run)
        known = self._furthest.get(name, _Place(0, 0, 0))
        self._furthest[name] = max(known, place)
        is_further = run.failed is not None and known < place
        self._times[name, place.line] += is_further
        is_further = is_further and self._times[name, place.line] <= MAX_AT_LINE
        self._last = run if is_further else None
        return is_further

    def is_last(self, run: Execution) -> bool:
        """Is ``run`` the last one noted, and did it come further?"""
        return run is self._last


class _Place(NamedTuple):
    """Where a run ended: the line of a function, that of a helper, the comparisons until then."""

    line: int
    inner: int
    comparisons: int


def _place_of(run: Execution) -> _Place:
    if run.failed is None:
        return _Place(sys.maxsize, 0, 0)
    return _Place(run.failed.outermost, run.failed.line, len(run.comparisons))


class EnteredFunctions:
    """The functions that runs entered, by the Invocable that led there first (mutable: it learns).

    A private helper, or a method that an inherited one calls, has no calls of its own: its missing
    sites are those of whatever leads to it.
    """

    def __init__(self, sites: Sequence[BranchSite]) -> None:
        self._scopes = [(site.module, site.scope) for site in sites]
        self._numbers: dict[tuple[str, str], list[int]] = {}
        self._led: dict[str, list[tuple[str, str]]] = defaultdict(list)

    def note(self, invocable: str, entered: Iterable[int]) -> None:
        """A run of ``invocable`` was the first to hit the sites ``entered``."""
        for number in entered:
            scope = self._scopes[number]
            if scope not in self._numbers:
                self._numbers[scope] = [
                    other for other, one in enumerate(self._scopes) if one == scope
                ]
                self._led[invocable].append(scope)

    def leads_to(self, invocable: str) -> Iterable[int]:
        """The sites of the functions to which ``invocable`` led first."""
        return (number for scope in self._led[invocable] for number in self._numbers[scope])
