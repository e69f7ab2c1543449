"""Branch negation: repeat a kept run on proxies, negate its branches, and propose the inputs.

A run that reached a new Goal is repeated once with its constants as symbolic inputs.  Runs of one
Skeleton share a constraint tree, so that a branch which another kept run took is not asked for.
The other branches are negated, unless that was tried often enough at this site, and the inputs
that the solver finds replace the constants of the run.  A comparison of numbers is also solved for
its boundary: equal operands, and the neighbouring integer.

Invariant: a proposal is run like any other, on plain values; nothing is concluded from the run on
proxies.  Which branches are negated depends on the runs alone, in their order; a leaf of a tree is
asked for at most once.

Source: JTESTCRAFT, section 3.1; differs: each outcome of a site is negated a bounded number of
times, so a feasible branch may be missed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.containment import Containment, TimeGuard
from unitcraft.core.sequences import Const, Sequence
from unitcraft.explore.concolic.concolic_run import (
    ConcolicRun,
    RunRequest,
    Skeleton,
    run_on_workers,
    skeleton_of,
    solve_leaf,
)
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs
from unitcraft.explore.execution import is_readable
from unitcraft.solve.protocol import Query, Sat
from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.solve.statistics import Statistics
from unitcraft.symbolic.terms.constraint_tree import ConstraintTree, Diverged
from unitcraft.symbolic.terms.term import SAME, evaluate

if TYPE_CHECKING:
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.execution import Execution
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
    from unitcraft.symbolic.terms.term import Constraint

#: Times that one outcome of one site is asked for, over all runs of an Invocable.
#: Halved and doubled: no site of 153, 29 runs fewer and 23 more of 9,800.
MAX_NEGATIONS: Final = 4
#: Questions to the solver about one run.  Halved: no site of 153, 20 runs fewer.
MAX_QUERIES: Final = 24
#: Nodes of terms that the solver visits while a run is made, and the runs that can be made while z3
#: answers a Query (a millisecond each).
WORK_OF_A_RUN: Final = 1_000
Z3_QUERY_CHARGE: Final = 10
#: Events of a run that are looked at, from the first; later branches are not negated.
MAX_EVENTS: Final = 600
#: Symbolic inputs of a run; a run with more constants is not repeated.
MAX_INPUTS: Final = 60
#: Nodes of all trees together (about a kilobyte each); beyond, all trees are forgotten.
MAX_NODES: Final = 60_000

#: Comparisons that have a boundary.
_ORDERS: Final = frozenset({"<", "<=", ">", ">="})


@dataclass(frozen=True, slots=True)
class _KeptRun:
    """A run of the search, and the same run on proxies."""

    kept: Execution
    run: ConcolicRun
    tree: ConstraintTree


class BranchNegation:
    """Proposes Sequences that take other branches than the runs they are made from.

    Abstract state: how often each outcome of each site was asked for, the constraint tree of each
    Skeleton, and what was asked for: leaves (node, 0), and boundaries of decisions (node, 1 or 2).
    """

    def __init__(
        self,
        pool: Pool,
        solver: Solver,
        contained: Containment | None = None,
        guard: TimeGuard | None = None,
        statistics: Statistics | None = None,
    ) -> None:
        self._statistics = statistics or Statistics()
        self._charged = 0
        self._contained = contained or Containment()
        self._guard = guard or TimeGuard()
        self._pool = pool
        self._solver = solver
        self._asked: Counter[tuple[Any, ...]] = Counter()
        self._trees: dict[Skeleton, ConstraintTree] = {}
        self._done: set[tuple[TreeNode, int]] = set()

    def proposals(self, runs: list[Execution], allowed: int) -> list[tuple[str, Sequence]]:
        """(Invocable, Sequence) for branches that ``runs`` passed and no kept run took.

        ``allowed`` bounds the proposals and the charge for them together, but for one run's.
        """
        made: list[tuple[str, Sequence]] = []
        for one in self._follow(runs):
            if self._guard.strikes() or self._charge() + len(made) >= allowed:
                break
            with self._contained.part("branch negation"):
                made += [(one.kept.invocable, found) for found in self._negate_branches(one)]
        if sum(tree.nodes for tree in self._trees.values()) > MAX_NODES:
            self._trees.clear()
            self._done.clear()
        return made

    def take_charge(self) -> int:
        """The runs that could have been made while the solver worked since the last time."""
        new = self._charge()
        self._charged += new
        return new

    def _charge(self) -> int:
        counts = self._statistics
        done = counts.work // WORK_OF_A_RUN + counts.total("z3") * Z3_QUERY_CHARGE
        return done - self._charged

    def _follow(self, runs: list[Execution]) -> list[_KeptRun]:
        """``runs`` on proxies of their own constants, all of them in their trees.

        A run that contradicts its tree depends on something else than its inputs: it is dropped.
        """
        programs = [(run, *skeleton_of(run.sequence)) for run in runs]
        programs = [one for one in programs if 0 < len(one[2]) <= MAX_INPUTS]
        requests = [RunRequest(skeleton, values) for _, skeleton, values in programs]
        found: list[_KeptRun] = []
        for (kept, skeleton, _), run in zip(
            programs, run_on_workers(self._pool, requests), strict=True
        ):
            if not isinstance(run, ConcolicRun):
                continue
            short = run._replace(events=run.events[:MAX_EVENTS])
            tree = self._trees.setdefault(skeleton, ConstraintTree())
            try:
                tree.insert(short.events, short)
            except Diverged:
                continue
            found.append(_KeptRun(kept, short, tree))
        return found

    def _negate_branches(self, one: _KeptRun) -> list[Sequence]:
        """Sequences for the branches beside a run, the deepest first."""
        made: list[Sequence] = []
        places = _decided_sites(one.run)
        beside = one.tree.beside(one.run.events)
        left = MAX_QUERIES
        for number in range(len(beside) - 1, -1, -1):
            for which, negation in enumerate(_negations(one.run.events[number], one.run.values)):
                place = (one.kept.invocable, places[number], _query_key(negation))
                if not left or self._asked[place] >= MAX_NEGATIONS:
                    continue
                if not self._ask_once(beside[number], which):
                    continue
                self._asked[place] += 1
                left -= 1
                leaf = beside[number] if not which else None
                values = self._solve(one.run, number, negation, leaf)
                if values is not None and all(is_readable(Const(value)) for value in values):
                    made.append(fill_inputs(one.kept.sequence, values))
        return made

    def _ask_once(self, leaf: TreeNode, which: int) -> bool:
        """Is ``leaf`` (0) or a boundary of its decision (1, 2) still to be asked for?"""
        node = leaf
        if not which and leaf.status != "unexplored":
            return False
        if which and leaf.origin is not None:
            node = leaf.origin[0]
        if (node, which) in self._done:
            return False
        self._done.add((node, which))
        return True

    def _solve(
        self, run: ConcolicRun, number: int, negation: Constraint, leaf: TreeNode | None
    ) -> tuple[Any, ...] | None:
        """Inputs that reach ``leaf``, or else satisfy ``negation`` in place of event ``number``."""
        constraints = leaf.condition() if leaf is not None else (*run.events[:number], negation)
        query = Query(constraints, run.skeleton.kinds, run.values)
        if leaf is not None:
            values = solve_leaf(self._solver, leaf, query)
        else:
            verdict = self._solver.solve(query)
            values = verdict.values if isinstance(verdict, Sat) else None
        return None if values is None else make_readable(constraints, query.kinds, values)


def _decided_sites(run: ConcolicRun) -> list[int]:
    """For each event the site that was marked next: the branch that the event decided, or -1."""
    places = [-1] * len(run.events)
    marks = iter(run.marks)
    mark = next(marks, None)
    for number in range(len(places)):
        while mark is not None and mark[1] <= number:
            mark = next(marks, None)
        places[number] = mark[0] if mark is not None else -1
    return places


def _negations(event: Constraint, values: tuple[Any, ...]) -> list[Constraint]:
    """The other outcome of an event, and after it the boundary of a comparison of numbers."""
    term, outcome = event
    negations: list[Constraint] = [(term, not outcome)]
    if term[0] in _ORDERS:
        kinds = {type(evaluate(part, values)) for part in term[1:]}
        if kinds <= {int, float}:
            negations.append((("==", term[1], term[2]), True))
        if kinds == {int}:
            step = ("+", term[2], -1 if term[0] in ("<", ">=") else 1)
            negations.append((("==", term[1], step), True))
    return negations


def _query_key(negation: Constraint) -> tuple[Any, ...]:
    """The operation and the outcome that are asked for, whatever the inputs."""
    term, outcome = negation
    return (term[0], outcome, repr(term[2]) if term[0] == SAME else "")
