"""Transcoping: measures taken in small scopes, extrapolated to a large one.

Sizes of field extensions are extrapolated by a line, a parabola or their average; the work after
which no pair is new by a parabola, an exponential or their average.  Work is counted in candidates
run, not in seconds, so that a suite does not depend on the machine.

Invariant: a fit is exact rational least squares (of the logarithm, for the exponential).

Deviation: the paper's second measure is time; candidates take about the same time each.

Source: FIELDCOVERAGE, section III, algorithms 1 and 2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import exp, log
from typing import TYPE_CHECKING, Final

from unitcraft.heaps.field_coverage import FieldExtensions, PairReader

if TYPE_CHECKING:
    from unitcraft.heaps.heap_generation import ValidHeap

#: Scopes that are searched in full before anything is extrapolated.
SMALL_SCOPES: Final = 5
#: A predicted size that is an integer may come out less by rounding when averaged.
ROUNDING: Final = 1e-9

Points = Sequence[tuple[int, float]]


def fit_polynomial(points: Points, degree: int) -> Callable[[int], float]:
    """The polynomial of least squares through ``points``; of a lower degree if they are few."""
    degree = min(degree, len(points) - 1)
    size = degree + 1
    rows = [
        [*[Fraction(sum(x ** (i + j) for x, _ in points)) for j in range(size)],
         sum((Fraction(y) * x**i for x, y in points), Fraction(0))]
        for i in range(size)
    ]  # fmt: skip
    for i in range(size):
        pivot = next(place for place in range(i, size) if rows[place][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [cell / rows[i][i] for cell in rows[i]]
        for other in range(size):
            if other != i:
                factor = rows[other][i]
                rows[other] = [
                    cell - factor * own for cell, own in zip(rows[other], rows[i], strict=True)
                ]
    weights = [row[-1] for row in rows]
    return lambda x: float(sum((weight * x**i for i, weight in enumerate(weights)), Fraction(0)))


def fit_exponential(points: Points) -> Callable[[int], float]:
    """The exponential through ``points``: least squares of their logarithms."""
    line = fit_polynomial([(x, log(max(y, 1.0))) for x, y in points], 1)
    return lambda x: exp(line(x))


def predict_size(points: Points, scope: int, method: str) -> float:
    """The size of an extension in ``scope``, by ``linear``, ``quadratic`` or ``average``."""
    line, parabola = fit_polynomial(points, 1)(scope), fit_polynomial(points, 2)(scope)
    return {"linear": line, "quadratic": parabola, "average": (line + parabola) / 2}[method]


def predict_work(points: Points, scope: int, method: str) -> float:
    """The work for ``scope``, by ``quadratic``, ``exponential`` or ``average``."""
    parabola, grown = fit_polynomial(points, 2)(scope), fit_exponential(points)(scope)
    return {"quadratic": parabola, "exponential": grown, "average": (parabola + grown) / 2}[method]


@dataclass(frozen=True, slots=True)
class StopRule:
    """When to stop: ``measure`` is ``size`` or ``time``, ``method`` how it is extrapolated."""

    measure: str
    method: str


@dataclass(frozen=True, slots=True)
class ScopeCoverage:
    """After one scope: the size of each extension, and the work after which no pair was new."""

    scope: int
    sizes: dict[str, int]
    work: int


class FieldSuite:
    """Takes heaps in ascending order and keeps those that add pairs, until the rule says stop.

    Abstract state: the suite, the coverage after each scope that is complete, and the predictions
    for the last scope once the small ones are complete.
    """

    def __init__(
        self, reader: PairReader, scopes: Sequence[int], rule: StopRule | None = None
    ) -> None:
        self._last = scopes[-1]
        self._rule = rule
        self._scope = scopes[0]
        self._predicts = scopes[0] == 1 and scopes[-1] > SMALL_SCOPES
        self._work = 0
        self.extensions = FieldExtensions(reader)
        self.suite: list[ValidHeap] = []
        self.visited = 0
        self.coverage: list[ScopeCoverage] = []
        self.predicted: dict[str, float] = {}
        self.predicted_work = 0.0
        self.stopped = False

    def take(self, heaps: Iterator[ValidHeap]) -> None:
        """Take heaps until there are no more, or the rule says stop."""
        for heap in heaps:
            if heap.scope > self._scope:
                self._begin(heap.scope)
            if self._is_reached(heap):
                self.stopped = True
                return
            self.visited += 1
            if self.extensions.add(heap.form):
                self.suite.append(heap)
                self._work = heap.explored
        self._begin(self._last + 1)

    def _begin(self, scope: int) -> None:
        """All scopes below ``scope`` are complete."""
        for done in range(self._scope, scope):
            self.coverage.append(ScopeCoverage(done, self.extensions.sizes(), self._work))
        self._scope = scope
        if self._predicts and len(self.coverage) >= SMALL_SCOPES and not self.predicted:
            self._predict()

    def _predict(self) -> None:
        small = self.coverage[:SMALL_SCOPES]
        rule = self._rule or StopRule("size", "average")
        size = rule.method if rule.measure == "size" else "average"
        for label in self.extensions.pairs:
            points = [(one.scope, float(one.sizes[label])) for one in small]
            self.predicted[label] = predict_size(points, self._last, size)
        work = rule.method if rule.measure == "time" else "average"
        points = [(one.scope, float(one.work)) for one in small]
        self.predicted_work = predict_work(points, self._last, work)

    def _is_reached(self, heap: ValidHeap) -> bool:
        if self._rule is None or not self.predicted:
            return False
        if self._rule.measure == "time":
            return heap.explored > self.predicted_work
        sizes = self.extensions.sizes()
        return all(sizes[label] >= size - ROUNDING for label, size in self.predicted.items())
