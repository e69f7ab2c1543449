"""The sites that lie ahead of a search: no run hit them, but some run hit one beside them.

Invariant: a site is ahead at most once; the order is that of the source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from unitcraft.instrument.sites import BranchSite

#: Sites whose other outcome has no site: a run comes near to them by what stands before.
_UNPAIRED: Final = frozenset({"handler", "case"})

#: A module and a function in it.
_Scope = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SiteAhead:
    """A missing site in the function ``scope``, and the site ``beside`` it that was hit."""

    number: int
    beside: int
    scope: str
    is_branch: bool


def find_sites_ahead(
    sites: Sequence[BranchSite],
    own: Sequence[bool],
    hit: Sequence[int],
    touched: Sequence[int],
) -> list[SiteAhead]:
    """The missing ones of the ``own`` sites beside ``touched`` ones.

    Beside a site stands the other outcome of its branch, or what comes before it in its function;
    or itself, where only a misuse came to it.  What follows the last site of a function that was
    touched is ahead too: each run that came there raised before the next.
    """
    found: list[SiteAhead] = []
    before: dict[_Scope, int] = {}
    last = {
        (site.module, site.scope): number
        for number, site in enumerate(sites)
        if own[number] and touched[number]
    }
    for number, site in enumerate(sites):
        if not own[number]:
            continue
        scope = (site.module, site.scope)
        if touched[number]:
            before[scope] = number
        if hit[number]:
            continue
        beside = _beside(sites, touched, number)
        if beside < 0 and (site.kind in _UNPAIRED or last.get(scope) == before.get(scope)):
            beside = before.get(scope, -1)
            last.pop(scope, None)
        if beside >= 0:
            found.append(SiteAhead(number, beside, site.scope, site.kind != "condition"))
    return found


def _beside(sites: Sequence[BranchSite], touched: Sequence[int], number: int) -> int:
    """The touched one of a site and its other outcome; -1 if there is none."""
    here = sites[number]
    if touched[number]:
        return number
    for other in (number - 1, number + 1):
        if 0 <= other < len(sites) and touched[other]:
            there = sites[other]
            same = (here.scope, here.line, here.kind) == (there.scope, there.line, there.kind)
            if same and here.outcome != there.outcome:
                return other
    return -1
