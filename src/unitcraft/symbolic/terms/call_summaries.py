"""Method calls by reference: paths that name the paths of the functions they called.

A path is a row of steps: constraints on the formal arguments, and calls with the number of the
path that the callee took.  The paths of one function form a tree; paths that begin alike
share its nodes, and a callee's path is stored once, however many callers take it.

Invariant: writing a path out (``expanded``) gives back the constraints of the run in their
order; formal arguments stand for equal terms only.

Source: JTESTCRAFT, section 3.3.1; built from finished paths instead of during execution, so it
saves memory and shows structure, and does not save solving.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from unitcraft.symbolic.terms.term import VARIABLE, Constraint, Term, substitute, variable

#: (number of events before, function or '' at its end, terms of the arguments).
CallEvent = tuple[int, str, tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class PathStep:
    """A constraint; or, when ``function`` is named, a call of it that took its path ``path``.

    ``terms`` are what its formal arguments stand for, in the formals of the caller.
    """

    constraint: Constraint | None = None
    function: str = ""
    path: int = -1
    terms: tuple[Term, ...] = ()


@dataclass(eq=False, slots=True)
class _Node:
    parent: _Node | None
    step: PathStep | None
    children: dict[str, _Node] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class FunctionTree:
    """The paths of one function: leaves of a tree of Steps, numbered from 0."""

    root: _Node = field(default_factory=lambda: _Node(None, None))
    leaves: list[_Node] = field(default_factory=list)
    nodes: int = 1

    def add(self, steps: Sequence[PathStep]) -> int:
        """The number of the path with these Steps, old or new."""
        node = self.root
        for step in [*steps, END]:
            name = repr(step)
            if name not in node.children:
                node.children[name] = _Node(node, step)
                self.nodes += step is not END
                if step is END:
                    self.leaves.append(node.children[name])
            node = node.children[name]
        return self.leaves.index(node)

    def steps(self, path: int) -> tuple[PathStep, ...]:
        """The Steps of a path."""
        found: list[PathStep] = []
        node: _Node | None = self.leaves[path].parent
        while node is not None and node.step is not None:
            found.append(node.step)
            node = node.parent
        return tuple(reversed(found))


#: The last Step of every path, so that one path may be a prefix of another.
END: Final = PathStep(path=-2)


class CallSummaries:
    """The trees of all functions that the added runs entered; mutable."""

    def __init__(self) -> None:
        self.trees: dict[str, FunctionTree] = {}

    def add(
        self, function: str, formals: int, events: Sequence[Constraint], calls: Sequence[CallEvent]
    ) -> int:
        """Add a run of ``function`` on inputs 0 to ``formals`` - 1; the number of its path."""
        terms = tuple(variable(number) for number in range(formals))
        path, _ = self._added(function, terms, list(events), 0, list(calls))
        return path

    def _added(
        self,
        function: str,
        terms: tuple[Term, ...],
        events: list[Constraint],
        first: int,
        calls: list[CallEvent],
    ) -> tuple[int, tuple[Term, ...]]:
        """Add the events of one call; its path, and the terms that its formals stand for.

        Takes from ``calls`` up to the end of this call.
        """
        formals = _Formals(terms)
        steps: list[PathStep] = []
        while calls:
            place, name, args = calls.pop(0)
            steps += [formals.step(event) for event in events[first:place]]
            first = place
            if not name:
                break
            end = _end_of_call(calls, len(events))
            path, stood = self._added(name, args, events, first, calls)
            inner = tuple(formals.abstract(term) for term in stood)
            steps.append(PathStep(None, name, path, inner))
            first = end
        else:
            steps += [formals.step(event) for event in events[first:]]
        tree = self.trees.setdefault(function, FunctionTree())
        return tree.add(steps), tuple(formals.terms)

    def expanded(self, function: str, path: int) -> tuple[Constraint, ...]:
        """The constraints of a path with its calls written out."""
        steps = self.trees[function].steps(path)
        return tuple(event for step in steps for event in self.written_out(step))

    def written_out(self, step: PathStep) -> tuple[Constraint, ...]:
        """The constraints of a Step, in the formals of its function."""
        if step.constraint is not None:
            return (step.constraint,)
        parts = dict(enumerate(step.terms))
        inner = self.expanded(step.function, step.path)
        return tuple((substitute(term, parts), outcome) for term, outcome in inner)

    @property
    def nodes(self) -> int:
        """Nodes of all trees."""
        return sum(tree.nodes for tree in self.trees.values())


def _end_of_call(calls: Sequence[CallEvent], length: int) -> int:
    """The number of events before the end of the call that was entered last."""
    depth = 1
    for place, name, _ in calls:
        depth += 1 if name else -1
        if not depth:
            return place
    return length


class _Formals:
    """The formal arguments of one call; terms that reach it otherwise become further ones."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self.terms = list(terms)
        self._known: dict[str, int] = {}
        for number, term in enumerate(self.terms):
            if type(term) is tuple and term[0] != "object":
                self._known.setdefault(repr(term), number)

    def step(self, event: Constraint) -> PathStep:
        """The Step of an event, in formals."""
        return PathStep((self.abstract(event[0]), event[1]))

    def abstract(self, term: Term) -> Term:
        """``term`` with formals in place of the terms they stand for, outermost first."""
        if type(term) is not tuple or term[0] == "object":
            return term
        name = repr(term)
        if name in self._known:
            return variable(self._known[name])
        if term[0] == VARIABLE:
            self._known[name] = len(self.terms)
            self.terms.append(term)
            return variable(self._known[name])
        return (term[0], *[self.abstract(part) for part in term[1:]])
