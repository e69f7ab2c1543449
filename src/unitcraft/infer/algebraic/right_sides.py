"""What the left side of a law is compared with: constants, arguments, what was shown before.

Invariant: a right side has no variable that the left side lacks, and is smaller in the order of
terms, but for two calls in the other order.

Source: HENKEL, axiom templates; MUTUAL, differencing axioms; DAIKON, the families of sequences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Compute,
    Constant,
    Term,
    TermOrder,
    size,
    variables,
)
from unitcraft.infer.universe.class_operations import OWN
from unitcraft.infer.universe.values import NUMBERS, UNDEFINED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.enumeration import Enumerated
    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.profiles import Profile

#: Constants that a left side is compared with, the most frequent values.
MAX_CONSTANTS: Final = 4
#: Values that stand for a case; 0 and 1 are among them, as they equal False and True.
_CASES: Final = (None, True, False)


class RightSides:
    """The right sides for one universe, the simplest of each left side first."""

    def __init__(
        self, rows: Rows, profiles: Sequence[Profile], terms: Enumerated, order: TermOrder
    ) -> None:
        self._rows = rows
        self._profiles = profiles
        self._terms = terms
        self._order = order
        self._table = rows.universe.table
        self._states = [one for one in terms.states if size(one) == 1]
        self._values = [one for one in terms.values if size(one) <= 1]
        self._none = Constant(self._table.values.of_plain(None))

    def of(self, left: Apply, vector: Sequence[int]) -> Iterator[Term]:
        """The terms that ``left`` is compared with, the simplest first."""
        given = set(variables(left))
        if left.part == "outcome":
            yield from map(Constant, self._profiles[left.operation].raises)
            return
        swapped = self._swapped(left)
        if left.part == "state":
            small: list[Term] = [RECEIVER, *self._inner(left)]
            small += self._states
            small += swapped
            small += [one for one in variables(left) if one.sort == OWN]
        else:
            values = self._values
            constants = self._constants(vector)
            cases = [one for one in constants if self._is_case(one.value)]
            small = [*variables(left)[1:], *cases, *values, *self._differences(left, values)]
            small += [one for one in constants if one not in cases]
            small += self._ends(left)
        seen: set[Term] = {left}
        for term in small:
            fits = set(variables(term)) <= given and self._order(term) < self._order(left)
            if term not in seen and (fits or term in swapped):
                seen.add(term)
                yield term

    def _is_case(self, value: int) -> bool:
        """Is it a truth value or None, which no observer says better?"""
        return getattr(self._table.values.arg(value), "value", 0) in _CASES

    def _constants(self, vector: Sequence[int]) -> list[Constant]:
        """Frequent values; where there are many, those that code treats as special."""
        counts: dict[int, int] = {}
        for value in vector:
            if value > UNDEFINED:
                counts[value] = counts.get(value, 0) + 1
        common = sorted(counts, key=lambda value: (-counts[value], value))
        if len(counts) > 2 * MAX_CONSTANTS:
            common = [value for value in common if self._is_telling(value)]
        return [Constant(value) for value in common[:MAX_CONSTANTS]]

    def _is_telling(self, value: int) -> bool:
        """Is it a value that is not one of many numbers or texts?"""
        arg = self._table.values.arg(value)
        return getattr(arg, "value", 1) in (None, True, False, 0, -1, "")

    def _inner(self, left: Apply) -> list[Term]:
        """The state that the outer call of ``left`` is on."""
        return [left.args[0]] if size(left) > 1 else []

    def _swapped(self, left: Apply) -> list[Term]:
        """Both calls in the other order."""
        inner = left.args[0]
        if left.part != "state" or not isinstance(inner, Apply) or inner.args[0] != RECEIVER:
            return []
        outer = Apply(left.operation, (RECEIVER, *left.args[1:]), "state")
        return [Apply(inner.operation, (outer, *inner.args[1:]), "state")]

    def _differences(self, left: Apply, values: Sequence[Term]) -> Iterator[Term]:
        """The same observer before, plus or minus one or a variable; with an item added."""
        inner = left.args[0]
        before: list[Term] = []
        if isinstance(inner, Apply):
            before = [Apply(left.operation, (inner.args[0], *left.args[1:]), "value")]
        elif not self._profiles[left.operation].pure:
            known = set(variables(left))
            before = [one for one in values if known.issuperset(variables(one))]
        yield from before
        if isinstance(inner, Apply) and len(left.args) == 1 and self.kinds(left) <= NUMBERS:
            yield from (
                Compute(one, "negated", self._none) for one in values
                if isinstance(one, Apply) and one.args == (RECEIVER,) and one not in before
                and self.kinds(one) <= NUMBERS
            )  # fmt: skip
        given = variables(left)[1:]
        steps = self._steps(left, before, values)
        for term in before:
            kinds = self.kinds(term)
            if bool in kinds:
                yield Compute(term, "not", self._none)
                continue
            if kinds & {"list", "set", "frozenset", "tuple"}:
                yield from self._changed(term, variables(left)[1:])
                if not isinstance(inner, Apply) and self.kinds(left) == {int}:
                    yield Compute(term, "len", self._none)
            for operator in ("+", "-"):
                yield from (Compute(term, operator, by) for by in steps)
            if kinds & NUMBERS:
                yield Compute(term, "negated", self._none)
                yield from self._with_objects(left, term)
                numbers = [by for by in given if self.kinds(by) == {int}]
                yield from (
                    Compute(term, operator, by)
                    for operator in ("*", "smaller", "larger")
                    for by in numbers
                )

    def _ends(self, left: Apply) -> Iterator[Term]:
        """How long a text was before the one call in ``left``; the ends of a list."""
        inner = left.args[0]
        if len(left.args) == 1 and isinstance(inner, Apply) and inner.args[0] == RECEIVER:
            plain = [one for one in self._values if isinstance(one, Apply) and len(one.args) == 1]
            yield from (
                Compute(one, "len", self._none) for one in plain if self.kinds(one) == {str}
            )
            lists = [one for one in plain if self.kinds(one) <= {"list", "tuple"}]
            for one in lists:
                yield from (Compute(one, end, self._none) for end in ("first", "last"))

    def _steps(self, left: Apply, before: Sequence[Term], values: Sequence[Term]) -> list[Term]:
        """What is added or taken away: one, arguments, what the call inside returns or goes by."""
        inner, given = left.args[0], variables(left)[1:]
        steps: list[Term] = [Constant(self._table.values.of_plain(1)), *given]
        steps += [Compute(one, "len", self._none) for one in given
                  if self.kinds(one) & {str, "list"}]  # fmt: skip
        if isinstance(inner, Apply) and inner.args[0] == RECEIVER:
            steps += [one for one in values if isinstance(one, Apply) and one not in before
                      and one.args[0] == RECEIVER and self.kinds(one) <= NUMBERS - {float}
                      and set(one.args) <= set(inner.args)]  # fmt: skip
        if isinstance(inner, Apply) and self._profiles[inner.operation].returns:
            steps.append(Apply(inner.operation, inner.args, "value"))
        return steps

    def _with_objects(self, left: Apply, term: Term) -> Iterator[Term]:
        """What ``term`` shows, plus or minus what an object that is passed shows."""
        for one in variables(left)[1:]:
            if one.sort == OWN:
                shown = Apply(left.operation, (one, *left.args[1:]), "value")
                yield from (Compute(term, operator, shown) for operator in ("+", "-"))

    def _changed(self, term: Term, items: Sequence[Term]) -> Iterator[Term]:
        """A list or set with an item more or less, a list turned round."""
        for operator in ("rest", "start", "reversed", "sorted"):
            yield Compute(term, operator, self._none)
        for item in items:
            for operator in ("append", "prepend", "insert", "remove", "with", "without"):
                yield Compute(term, operator, item)
            yield Compute(Compute(term, "append", item), "rest", self._none)
            yield Compute(Compute(term, "prepend", item), "start", self._none)

    def kinds(self, term: Term) -> frozenset[object]:
        """The kinds of the values of ``term``."""
        found = self._rows.kinds.get(term)
        if found is None:
            kind = self._table.values.kind
            found = frozenset(kind(value) for value in self._rows.distinct(term) if value >= 0)
            self._rows.kinds[term] = found
        return found
