"""Goals of a search and the cheapest Execution for each.

Invariant: a Goal is a text; once reached it stays reached, and its Execution
is only ever replaced by a cheaper one (ties keep the older).
"""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass

from unitcraft.core.encoding import Plain
from unitcraft.explore.execution import MISUSE, Execution, cost
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.model import Subject

#: Distinct paths (sets of sites) of one Invocable that count as Goals.  Off: no site, and 8 % fewer
#: runs, but paths are what a criterion may ask for.
MAX_PATHS = 6
#: Distinct classes of results of one Invocable that count as Goals.  Off: no site of 324.
MAX_BEHAVIOURS = 4
#: Members of a table that count as Goals at one site.
MAX_MEMBERS = 10
#: Patterns that count as Goals at one site.
MAX_PATTERNS = 100
#: Times that a comparison is negated for the sake of its boundary.
MAX_BOUNDARY_NEGATIONS = 40

#: Comparisons whose boundary, equal operands, is a Goal of its own.
_ORDERS = frozenset({"<", "<=", ">", ">="})
#: Comparisons whose boundary, equal and neighbouring integers, counts where a branch depends on it.
_EQUALITIES = frozenset({"==", "!="})


@dataclass(frozen=True, slots=True)
class Aim:
    """The demands of criteria beyond branches.

    ``guards`` are the sites of comparisons that decide a branch; ``pairs`` the def-use pairs
    that the source shows, as (definition, use, lines of functions that lead to the use, title);
    ``paths`` bounds the paths of one Invocable.
    """

    guards: frozenset[int] = frozenset()
    pairs: tuple[tuple[int, int, tuple[int, ...], str], ...] = ()
    paths: int = MAX_PATHS


class GoalMap:
    """Goals reached, by name, with the run that shows each.

    ``raises`` are the (module, first, last) lines of the raise statements.
    """

    def __init__(
        self, subject: Subject, sites: list[BranchSite], raises: list[tuple[str, int, int]]
    ) -> None:
        self.best: dict[str, tuple[int, Execution]] = {}
        self._sites = sites
        self._own = [site.module == subject.module for site in sites]
        self._hit = bytearray(len(sites))
        self._credited: dict[str, list[str]] = {}
        self._counts: Counter[str] = Counter()
        helpers = {i.id for i in subject.classes if "collaborator" in i.tags or not i.public}
        self._tested = {i.id for i in subject.invocables if i.owner not in helpers}
        self._defined = {i.id for i in subject.invocables if i.module == subject.module}
        self._family = {
            i.id: f"{i.module}:{i.first}" if i.first else i.id for i in subject.invocables
        }
        self._raises = {
            (module, line) for module, first, last in raises for line in range(first, last + 1)
        }
        self._aim = Aim()
        self._uses: dict[str, list[tuple[int, int]]] = {}
        self._spans = {i.id: (i.first, i.last) for i in subject.invocables if i.id in self._defined}
        self._code = {
            invocable.id: self._sites_between(invocable.module, invocable.first, invocable.last)
            for invocable in subject.invocables
        }

    def __len__(self) -> int:
        return len(self.best)

    def aim(self, aim: Aim) -> None:
        """Set the Aim of the criteria; to be called before the first offer."""
        self._aim = aim
        self._uses = {
            name: [row[:2] for row in aim.pairs if any(first <= line <= last for line in row[2])]
            for name, (first, last) in self._spans.items()
        }

    def _sites_between(self, module: str, first: int, last: int) -> list[int]:
        return [
            number
            for number, site in enumerate(self._sites)
            if site.module == module and first <= site.line <= last
        ]

    def sensible(self, run: Execution) -> bool:
        """Is the run free of misuse: it returned, or raised something that a caller may see?"""
        failed = run.failed
        if failed is None:
            return run.behaviour != "NotImplemented"
        if failed.position != len(run.sequence) - 1:
            return False
        if failed.inside == 2 and (failed.module, failed.line) in self._raises:  # noqa: PLR2004
            return True
        return bool(failed.inside) and failed.type not in MISUSE

    def offer(self, run: Execution, cost: int) -> bool:
        """Record ``run`` for its Goals; answers whether it reached a new one."""
        new = False
        for goal in self._goals(run):
            held = self.best.get(goal)
            if held is None:
                new = True
                self.best[goal] = (cost, run)
            elif cost < held[0]:
                self.best[goal] = (cost, run)
        for number in run.hits:
            self._hit[number] = 1
        return new

    def _goals(self, run: Execution) -> list[str]:
        own = self._own
        name = run.invocable
        if name not in self._tested:
            return []
        sites = self._sites
        goals = [
            f"{'c' if sites[number].kind == 'condition' else 'b'}:{number}"
            for number in run.hits
            if own[number]
        ]
        if name not in self._defined:
            return goals
        family = self._family[name]
        if run.failed is not None:
            goals.append(f"x:{family}:{run.failed.type}:{run.failed.line}")
        else:
            goals.append(f"o:{family}")
            goals += self._bounded(f"r:{family}", run.behaviour, MAX_BEHAVIOURS)
        for site, kind, item, other in run.comparisons:
            if own[site]:
                goals += self._boundary(site, kind, item, other)
            if kind in ("matched", "member") and own[site]:
                limit = MAX_PATTERNS if kind == "matched" else MAX_MEMBERS
                goals += self._bounded(f"d:{site}", repr(item), limit)
        path = hashlib.blake2b(repr(run.last_hits).encode(), digest_size=6).hexdigest()
        goals += self._bounded(f"p:{family}", path, self._aim.paths)
        goals += [f"u:{defined}:{used}" for defined, used in run.pairs]
        return goals

    def _boundary(self, site: int, kind: str, item: Plain, other: Plain) -> list[str]:
        """Equal operands of an order; equal and neighbouring integers where a branch depends."""
        if kind in _ORDERS and type(item) is not str and item == other:
            return [f"e:{site}"]
        if kind not in _ORDERS and kind not in _EQUALITIES:
            return []
        integers = type(item) is int and type(other) is int
        if integers and abs(item - other) <= 1 and site in self._aim.guards:
            return [f"n:{site}:{item - other}"]
        return []

    def _bounded(self, family: str, member: str, limit: int) -> list[str]:
        goal = f"{family}:{member}"
        if goal not in self.best:
            if self._counts[family] >= limit:
                return []
            self._counts[family] += 1
        return [goal]

    def worth_negating(self, comparison: Plain, *, kept: bool) -> bool:
        """Is an outcome at the comparison's site, or a pattern's match, still missing?"""
        site, kind, _, right = comparison
        if kind == "regex" and f"d:{site}:{right[0]!r}" not in self.best:
            return bool(self._own[site])
        if self._wants_boundary(comparison):
            return True
        return kept or not (self._hit[site] and self._hit[site + 1])

    def _wants_boundary(self, comparison: Plain) -> bool:
        """Is the comparison of integers one whose boundary is asked for and not yet complete?"""
        site, kind, left, right = comparison
        known = kind in _ORDERS or kind in _EQUALITIES
        if not known or site not in self._aim.guards or not type(left) is type(right) is int:
            return False
        equal = f"e:{site}" if kind in _ORDERS else f"n:{site}:0"
        if all(goal in self.best for goal in (equal, f"n:{site}:1", f"n:{site}:-1")):
            return False
        self._counts[f"negated:{site}"] += 1
        return self._counts[f"negated:{site}"] <= MAX_BOUNDARY_NEGATIONS

    def open_in(self, invocable: str) -> bool:
        """Has the Invocable's own code sites that no run hit, or uses of a missing pair?"""
        if any(not self._hit[number] for number in self._code.get(invocable, ())):
            return True
        return any(not self.is_joined(pair) for pair in self._uses.get(invocable, ()))

    def is_joined(self, pair: tuple[int, int]) -> bool:
        """Has a run reached the def-use pair?"""
        return f"u:{pair[0]}:{pair[1]}" in self.best

    def wanted_uses(self, definition: int) -> list[tuple[str, tuple[int, int]]]:
        """(Invocable, pair) for each missing pair of ``definition`` whose use it contains."""
        return [
            (invocable, pair)
            for invocable, pairs in self._uses.items()
            for pair in pairs
            if pair[0] == definition and not self.is_joined(pair)
        ]

    def add_goals(self, run: Execution, found: list[str]) -> None:
        """Record Goals for ``run`` that its own answer does not show: the mutants it kills."""
        key = repr(run.sequence)
        price = cost(run.sequence)
        self._credited.setdefault(key, []).extend(found)
        for goal in found:
            held = self.best.get(goal)
            if held is None or price < held[0]:
                self.best[goal] = (price, run)

    def forget(self, family: str) -> None:
        """Drop the Goals of one family (the text before the first colon)."""
        for goal in [goal for goal in self.best if goal.partition(":")[0] == family]:
            del self.best[goal]

    def goals_of(self, run: Execution) -> list[str]:
        """The reached Goals that ``run`` shows too."""
        credited = self._credited.get(repr(run.sequence), [])
        reached = dict.fromkeys([*self._goals(run), *credited])
        return [goal for goal in reached if goal in self.best]

    def missed_pairs(self) -> list[str]:
        """Titles of the listed def-use pairs that no run covered, each once."""
        missing = [
            title
            for defined, used, _, title in self._aim.pairs
            if not self.is_joined((defined, used))
        ]
        return list(dict.fromkeys(missing))

    def missed(self) -> list[BranchSite]:
        """Sites of the Subject that no run hit, in source order."""
        return [
            site
            for number, site in enumerate(self._sites)
            if self._own[number] and not self._hit[number]
        ]
