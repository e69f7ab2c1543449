"""The constraint tree of an invocation: every path is explored once.

A node stands for what runs have in common up to an event.  Its children are the outcomes
of that event: two for a branch; for a concretization one for each value that was met, and one for
all other values.  Leaves are *terminal* (a run ended there), *unexplored*, *infeasible* (proven) or
*unknown* (the solver did not decide).

Invariant: the constraints on the way from the root to a leaf are those of every run that ends
there; a leaf is given out for solving at most once.

Source: JTESTCRAFT, section 3.3, with concretizations for the array index constraints of section
3.2 and alternatives at them; time-out nodes are called unknown and say why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from unitcraft.symbolic.terms.interning import opposite
from unitcraft.symbolic.terms.operations import same
from unitcraft.symbolic.terms.term import SAME, Constraint, Term

Status = Literal["inner", "terminal", "unexplored", "infeasible", "unknown", "passed"]

#: Values that one concretization may take; further values are not explored.
MAX_VALUES: Final = 8


class Diverged(Exception):  # noqa: N818
    """A run met other events than its inputs were made for, or than an earlier run met here."""


@dataclass(eq=False, slots=True)
class TreeNode:
    """A node; ``origin`` is its parent and the constraint that leads here.

    ``passed`` is the status of the other values of a concretization once one of them was met.
    ``run`` is the caller's record of the run that ended in a terminal leaf, or that came nearest to
    an unexplored one; ``reason`` says why a leaf is unknown.  ``path`` is the condition of a node
    that leaves below were asked for theirs.
    """

    origin: tuple[TreeNode, Constraint] | None
    depth: int
    status: Status = "unexplored"
    term: Term = None
    children: dict[bool, TreeNode] = field(default_factory=dict)
    values: tuple[tuple[Any, TreeNode], ...] = ()
    run: Any = None
    reason: str = ""
    path: tuple[Constraint, ...] = ()

    def condition(self) -> tuple[Constraint, ...]:
        """The constraints from the root to this node, in order.

        Those of its parent are kept: the leaves below are asked for after those above.
        """
        if self.origin is None:
            return ()
        parent, constraint = self.origin
        found: list[Constraint] = []
        node = parent
        while node.origin is not None and not node.path:
            node, above = node.origin
            found.append(above)
        parent.path = (*node.path, *reversed(found))
        return (*parent.path, constraint)


class ConstraintTree:
    """The paths of one invocation; ``prefix`` holds on all of them and has no alternatives."""

    def __init__(self, prefix: Sequence[Constraint] = ()) -> None:
        self.root = TreeNode(None, 0)
        self.prefix = tuple(prefix)
        self.paths = 0
        self.nodes = 1

    def insert(
        self,
        events: Sequence[Constraint],
        run: Any,
        expected: TreeNode | None = None,
        start: TreeNode | None = None,
    ) -> list[TreeNode]:
        """Add the path of a run; answers the new leaves beside it, deepest last.

        They are unexplored; those of a concretization that took too many values are unknown.
        ``expected`` is the leaf for which the inputs were made.  ``start`` is the node to which
        the run is known to come; ``events`` are those from there on.  Raises Diverged when the
        run does not pass through the leaf, or contradicts the tree; leaves that only such a run
        found are unknown.
        """
        found: list[TreeNode] = []
        try:
            end = self._walk(start or self.root, events, run, expected, found)
        except Diverged:
            for leaf in found:
                leaf.status, leaf.reason = "unknown", "diverged"
            raise
        self.nodes += 2 * len(found)
        if end.status == "unexplored":
            self.paths += 1
            end.status, end.run = "terminal", run
        return found

    @staticmethod
    def _walk(
        node: TreeNode,
        events: Sequence[Constraint],
        run: Any,
        expected: TreeNode | None,
        found: list[TreeNode],
    ) -> TreeNode:
        """Where ``events`` end, from ``node`` on; what they found is added to ``found``."""
        passed = expected is None or expected is node
        for event in events:
            node = _step(node, event, run, found)
            passed = passed or node is expected
        passed = passed or (expected is not None and expected.status == "passed")
        if node.status not in ("unexplored", "terminal") or not passed:
            if node.status == "unexplored":
                found.append(node)
            raise Diverged
        return node

    def constraints(self, leaf: TreeNode) -> tuple[Constraint, ...]:
        """The constraints that inputs must satisfy to reach ``leaf``."""
        return (*self.prefix, *leaf.condition())

    def beside(self, events: Sequence[Constraint]) -> list[TreeNode]:
        """The node of the other outcome of each of ``events``, the path of an inserted run.

        That of a concretization stands for all values that were not met so far.
        """
        found: list[TreeNode] = []
        node = self.root
        for term, outcome in events:
            concretized = term[0] == SAME
            found.append(node.children[False if concretized else not outcome])
            node = (
                next(child for value, child in node.values if same(value, term[2]))
                if concretized
                else node.children[outcome]
            )
        return found

    def leaves(self) -> Iterator[TreeNode]:
        """All leaves, in the order of their first discovery along each path."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            if node.status != "inner":
                yield node
                continue
            below = [*node.children.values(), *[child for _, child in node.values]]
            waiting += reversed(below)

    def rep_ok(self) -> bool:
        """Do all inner nodes have children, and all leaves none?"""
        return all(not leaf.children and not leaf.values for leaf in self.leaves())


def decision_node(leaf: TreeNode) -> TreeNode | None:
    """The node that ``leaf`` is another outcome of; None for the root."""
    while leaf.origin is not None:
        leaf = leaf.origin[0]
        if leaf.status == "inner":
            return leaf
    return None


def _step(node: TreeNode, event: Constraint, run: Any, found: list[TreeNode]) -> TreeNode:
    """The child of ``node`` for ``event``, made if need be with its alternatives."""
    term, outcome = event
    general = term if term[0] != SAME else term[:2]
    if node.status == "inner":
        if node.term is not general and not same(node.term, general):
            raise Diverged
    elif node.status == "unexplored":
        node.status, node.term, node.run = "inner", general, None
    else:
        raise Diverged
    if term[0] == SAME:
        return _step_concretized(node, term, run, found)
    child = node.children.get(outcome)
    if child is None:
        child = node.children[outcome] = TreeNode((node, event), node.depth + 1)
    if (not outcome) not in node.children:
        other = TreeNode((node, opposite(event)), node.depth + 1, run=run)
        node.children[not outcome] = other
        found.append(other)
    return child


def _step_concretized(node: TreeNode, term: Term, run: Any, found: list[TreeNode]) -> TreeNode:
    for value, child in node.values:
        if same(value, term[2]):
            return child
    at = node
    if node.values:
        rest = node.children[False]
        if rest.status == "infeasible":
            raise Diverged
        rest.status, at = "passed", rest
    child = TreeNode((node, (term, True)), node.depth + 1)
    node.values = (*node.values, (term[2], child))
    rest = TreeNode((at, (term, False)), node.depth + 1, run=run)
    if len(node.values) >= MAX_VALUES:
        rest.status, rest.reason = "unknown", "bound"
    if len(node.values) <= MAX_VALUES:
        found.append(rest)
    node.children[False] = rest
    return child
