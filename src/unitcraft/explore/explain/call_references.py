"""Method-call nodes by reference: the paths of a recursive function in terms of each other.

Invariant: a path is described by the constraints that its own run met; it refers to another path
only by the number under which that one is listed.

Source: JTESTCRAFT, section 3.3.1; simplified: the references serve the reader, not the solver.
See ``symbolic.terms.call_summaries``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unitcraft.symbolic.terms.call_summaries import CallSummaries, PathStep
from unitcraft.symbolic.terms.pretty import constraint_text, term_text

if TYPE_CHECKING:
    from unitcraft.explore.concolic.path_forest import Path
    from unitcraft.subject.model import Invocable


class CallReferences:
    """Knows under which number each path of ``target`` is listed."""

    def __init__(self, target: Invocable, paths: Sequence[Path]) -> None:
        self._target = target.id
        self._summaries = CallSummaries()
        self._numbers: dict[int, int] = {}
        self._own: dict[int, int] = {}
        for number, path in enumerate(paths, start=1):
            if target.kind == "function" and path.met.whole:
                self._add(path, number)

    def _add(self, path: Path, number: int) -> None:
        inputs = len(path.job.variant.holes)
        own = self._summaries.add(self._target, inputs, path.condition, path.met.calls)
        self._numbers.setdefault(own, number)
        self._own[id(path)] = own

    def condition(self, path: Path) -> tuple[str, ...]:
        """The condition of ``path`` with a reference to another; () when it has none."""
        own = self._own.get(id(path))
        if own is None:
            return ()
        steps = self._summaries.trees[self._target].steps(own)
        if not any(self._number_of(step) for step in steps):
            return ()
        names = path.job.variant.holes
        texts: dict[str, None] = {}
        for step in steps:
            for text in self._texts(step, names, path):
                texts[text] = None
        return tuple(texts)

    def _number_of(self, step: PathStep) -> int | None:
        return self._numbers.get(step.path) if step.function == self._target else None

    def _texts(self, step: PathStep, names: Sequence[str], path: Path) -> list[str]:
        if step.constraint is not None:
            return [constraint_text(step.constraint, names, path.met.values)]
        number = self._number_of(step)
        if number is not None:
            given = ", ".join(term_text(term, names) for term in step.terms)
            return [f"{self._target.rpartition(':')[2]}({given}) takes path {number}"]
        written = self._summaries.written_out(step)
        return [constraint_text(one, names, path.met.values) for one in written]
