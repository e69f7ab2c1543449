"""Uncovered branches, each with the reason why no path took it.

The reasons: proven infeasible, not decided by the solver, beyond a bound, or never reached.

Invariant: "infeasible" is said only where the solver proved it for every path that came to the
branch and no path is left unexplored; "clashing" where all paths that came to the branch are
refuted but others are unexplored.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from unitcraft.explore.explain.implied_constraints import find_clash
from unitcraft.subject.source_files import parse
from unitcraft.symbolic.terms.pretty import constraint_text
from unitcraft.symbolic.terms.term import OK, RAISES, SAME

if TYPE_CHECKING:
    from unitcraft.explore.concolic.path_forest import PathForest, PathTask
    from unitcraft.instrument.sites import BranchSite
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
    from unitcraft.symbolic.terms.term import Constraint

Why = Literal["infeasible", "clashing", "unknown", "bound", "fixed", "unreached"]

#: Clashes that are reported for one branch, the shortest ones.
MAX_CLASHES: Final = 3
#: Leaves of one branch that are asked for a clash: a solver call or more each.
MAX_LEAVES: Final = 12

#: Stands for the line of a leaf whose last constraint decides no marked branch.
_NOWHERE: Final = -1
#: Sites that are branches by themselves.
_BRANCHES: Final = ("if", "loop", "case", "handler")


@dataclass(frozen=True, slots=True)
class UncoveredBranch:
    """A branch that no path took; ``details`` has clashes, or the solver's reasons."""

    line: int
    kind: str
    outcome: str
    why: Why
    details: tuple[str, ...] = ()


def branch_sites(
    sites: Sequence[BranchSite], module: str, lines: tuple[int, int], source: str
) -> list[int]:
    """The numbers of the sites that are branches of the code at ``lines`` (first and last).

    Tests of conditional expressions, comprehensions and assertions count, other comparisons and
    look-ups do not.
    """
    tested = decided_lines(source)
    return [
        number
        for number, site in enumerate(sites)
        if site.module == module
        and lines[0] <= site.line <= lines[1]
        and (site.kind in _BRANCHES or (site.kind == "condition" and site.line in tested))
    ]


def decided_lines(source: str) -> set[int]:
    """The lines on which a test without a statement of its own begins.

    None in syntax that is newer than this Python.
    """
    found: set[int] = set()
    for node in ast.walk(parse(source)):
        match node:
            case ast.IfExp(test=test) | ast.Assert(test=test):
                found.add(test.lineno)
            case ast.comprehension(ifs=tests):
                found.update(test.lineno for test in tests)
    return found


def find_uncovered(
    forest: PathForest, sites: Sequence[BranchSite], numbers: Sequence[int], solver: Solver
) -> list[UncoveredBranch]:
    """The branches ``numbers`` that no path of ``forest`` took, with the reason."""
    taken = {site for path in forest.found for site, _ in path.marks}
    taken_lines = {(sites[site].kind, sites[site].line) for site in taken}
    shown: set[tuple[int, str]] = set()
    open_ = _by_line(forest, sites)
    everything = [one for line in sorted(open_) for one in open_[line]]
    undecided = _undecided(forest, sites)
    found = []
    for number in numbers:
        site = sites[number]
        reached = (site.kind, site.line) in taken_lines
        if number in taken or (site.kind == "condition" and not reached):
            continue
        if (site.line, site.outcome) in shown and site.kind == "condition":
            continue
        shown.add((site.line, site.outcome))
        near = open_[site.line]
        if site.kind in ("case", "handler"):
            reached = True
            near = [one for line in open_ if line in (_NOWHERE, site.line) for one in open_[line]]
            near += [one for one in everything if one[1].status != "infeasible"]
        settled = [] if site.line in undecided else near
        near = [one for one in near if one[1].status != "infeasible" or one in settled]
        why, details = _reason(near, solver, forest, reached=reached)
        found.append(UncoveredBranch(site.line, site.kind, site.outcome, why, details))
    return found


def _by_line(
    forest: PathForest, sites: Sequence[BranchSite]
) -> defaultdict[int, list[tuple[PathTask, TreeNode]]]:
    """Leaves that are not paths, by the line of the branch that their last constraint decides."""
    found: defaultdict[int, list[tuple[PathTask, TreeNode]]] = defaultdict(list)
    for job in forest.jobs:
        for leaf in job.paths.tree.leaves():
            if leaf.status in ("infeasible", "unknown", "unexplored") and leaf.run is not None:
                marks = _decided(leaf)
                found[sites[marks[0]].line if marks else _NOWHERE].append((job, leaf))
    return found


def _decided(leaf: TreeNode) -> list[int]:
    """The site that was decided by the event whose other outcome ``leaf`` is, if any.

    The site is marked right after its event; an error that did not happen and a concretized
    value decide no branch by themselves.
    """
    if leaf.origin is None or leaf.origin[1][0][0] in (OK, RAISES, SAME):
        return []
    return [site for site, count in leaf.run.marks if count == leaf.depth][:1]


def _undecided(forest: PathForest, sites: Sequence[BranchSite]) -> set[int]:
    """Lines of branches that some path passed without an event that decided them.

    The entry of a function is no branch, though it has the line of the first statement.
    """
    found: set[int] = set()
    for path in forest.found:
        before, line = 0, 0
        for site, count in path.marks:
            if sites[site].kind == "entry":
                continue
            if count == before and sites[site].line != line:
                found.add(sites[site].line)
            before, line = count, sites[site].line
    return found


def _reason(
    near: list[tuple[PathTask, TreeNode]], solver: Solver, forest: PathForest, *, reached: bool
) -> tuple[Why, tuple[str, ...]]:
    unknown = [leaf.reason or "bound" for _, leaf in near if leaf.status != "infeasible"]
    reasons = tuple(dict.fromkeys(unknown))
    if any(reason != "bound" for reason in reasons):
        return "unknown", reasons
    if reasons:
        return "bound", ()
    if near:
        return "clashing" if _is_open(forest) else "infeasible", _clashes(near, solver)
    if not reached and _is_open(forest):
        return "bound", ()
    return ("fixed" if reached else "unreached"), ()


def _is_open(forest: PathForest) -> bool:
    """May there be further paths?"""
    counts = forest.counts
    return bool(counts.unknown or counts.cut or counts.diverged or forest.blocked) or any(
        True for _ in forest.leaves("unexplored")
    )


def _clashes(near: list[tuple[PathTask, TreeNode]], solver: Solver) -> tuple[str, ...]:
    told: dict[str, None] = {}
    for job, leaf in near[:MAX_LEAVES]:
        constraints, kinds = job.paths.tree.constraints(leaf), job.paths.skeleton.kinds
        found = find_clash(constraints, kinds, leaf.run.values, solver)
        if found:
            told[_text(found, job, leaf)] = None
    return tuple(sorted(told, key=len)[:MAX_CLASHES])


def _text(found: Sequence[Constraint], job: PathTask, leaf: TreeNode) -> str:
    texts = [constraint_text(one, job.variant.holes, leaf.run.values) for one in found]
    wanted, before = texts[-1], [text for text in texts[:-1] if text != texts[-1]]
    if not before:
        return f"{wanted} never holds"
    return f"{wanted} contradicts {' and '.join(before)}"
