"""Which functions each Invocable entered first: code that is reached through others.

A private helper, or a method that an inherited one calls, has no calls of its own; its missing
sites are those of whatever leads to it.

Invariant: a function has one Invocable that leads to it, the first that did.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from unitcraft.instrument.sites import BranchSite


class EnteredFunctions:
    """The functions that runs entered, by Invocable (mutable: it learns)."""

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
