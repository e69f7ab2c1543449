"""What one observer shows, said by others: ``is_empty(S) == (len(S) == 0)``.

A truth value is compared with comparisons of what others show, an integer with the sum or the
difference of two others, membership with the items of what another shows.

Invariant: a definition holds on all rows and tells something: truth values of both kinds, sums that
vary in each part; it is confirmed like any law.

Source: DAIKON, the families of linear relations and of membership.
"""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Symbol
from unitcraft.infer.algebraic.guards import is_small_machine
from unitcraft.infer.algebraic.law_terms import (
    RECEIVER,
    Apply,
    Atom,
    Compute,
    Constant,
    Law,
    Term,
    Test,
    size,
)
from unitcraft.infer.universe.values import NUMBERS, NoPlainValue

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from unitcraft.infer.algebraic.term_vectors import Rows
    from unitcraft.infer.universe.class_operations import Operation

#: Rows of each truth value, and different values of each part of a sum.
MIN_ROWS: Final = 2
MIN_VALUES: Final = 3
#: Texts or numbers of an observer that name the states of a machine, or a capacity.
MAX_NAMED: Final = 4
#: Comparisons that are joined in pairs.
MAX_IMPLIED: Final = 24
#: Types of what has items.
_CONTAINERS: Final[frozenset[type]] = frozenset({list, tuple, set, frozenset, dict})
#: Different triples of values that make a sum more than chance.
MIN_TRIPLES: Final = 8


class ObserverDefinitions:
    """The search for definitions among the observers ``shown`` on ``rows``.

    Those that are ``fixed`` no call changes; what they show is that of one constructor argument.
    ``answers`` are what calls with one argument return that change something.
    """

    def __init__(
        self,
        rows: Rows,
        shown: Sequence[Term],
        fixed: Sequence[Term] = (),
        answers: Sequence[Term] = (),
    ) -> None:
        self._fixed = fixed
        self._rows = rows
        self._values = rows.universe.table.values
        self._operations = rows.universe.table.operations
        plain = [one for one in shown if isinstance(one, Apply) and size(one) == 1]
        self._own = [one for one in plain if one.args == (RECEIVER,) and self._is_total(one)]
        self._asked = [one for one in plain if one.args[1:] and self._is_total(one)]
        called = [one for one in answers if isinstance(one, Apply) and one.args[0] == RECEIVER]
        self._answers = [one for one in called if one.args[1:] and self._is_total(one)]
        self._numbers = [one for one in self._own if self._types(one) <= NUMBERS]

    def run(self) -> list[Law]:
        """The definitions: of truth values, of membership, of sums."""
        found = []
        for one in [one for one in self._own if self._types(one) == {bool}]:
            tests = list(self._comparisons(one))
            absent = [test for test in tests if self._asks_for_none(test)]
            others = [test for test in tests if test not in absent]
            meant = [*self._first(one, others), *self._first(one, absent)]
            found += meant or self._first(one, self._both(one, tests))
        containers = [one for one in self._own if self._types(one) <= _CONTAINERS]
        for one in self._asked:
            if self._types(one) == {bool}:
                tests = [Test(one.args[1], "in", by) for by in containers]
                tests += list(self._among(one))
                found += [*self._first(one, tests), *self._of_item(one)]
        for one in [*self._asked, *self._answers]:
            known = [law.left for law in found]
            if self._types(one) == {bool} and one not in known and not one.args[2:]:
                found += self._first(one, self._with_item(one))
        return [*found, *self._sums()]

    def _with_item(self, one: Apply) -> Iterator[Test]:
        """That the item of ``one`` is what an observer shows, or how the two compare."""
        item = one.args[1]
        kinds = self._types(item)
        for by in self._own:
            if self._types(by) - {type(None)} == kinds and one.operation != by.operation:
                yield from (Test(by, sign, item) for sign in ("==", "!="))
                if self._types(by) | kinds <= NUMBERS:
                    yield from (Test(item, sign, by) for sign in ("<=", "<"))
                    yield from (Test(by, sign, item) for sign in ("<=", "<"))

    def _among(self, one: Apply) -> Iterator[Test]:
        """That one argument is among what an observer shows that is asked with the other."""
        for by in self._asked:
            first, *rest = by.args[1:]
            if not rest and first in one.args[1:] and self._types(by) <= _CONTAINERS:
                yield from (Test(item, "in", by) for item in one.args[1:] if item != first)

    def _comparisons(self, one: Apply) -> Iterator[Test]:
        """The comparisons that ``one`` may stand for, the simplest first."""
        zero, nothing = (Constant(self._values.of_plain(value)) for value in (0, -1))
        numbers = [by for by in self._numbers if by != one]
        for by in numbers:
            yield from (Test(by, "==", zero), Test(zero, "<", by), Test(by, "!=", zero))
        for by in numbers:
            yield from (Test(by, "==", nothing), Test(by, "!=", nothing))
        for by in [by for by in self._own if by not in numbers and by != one]:
            values = list(self._rows.distinct(by))
            named = len(values) <= MAX_NAMED and self._types(by) in ({str}, {Symbol})
            for value in values:
                if value >= 0 and (named or self._is_special(value)):
                    yield from (Test(by, sign, Constant(value)) for sign in ("==", "!="))
        for left, right in permutations(numbers, 2):
            yield from (Test(left, sign, right) for sign in ("==", "<", "<=", "!="))
        yield from self._equalities([by for by in self._own if by not in numbers and by != one])
        unit = Constant(self._values.of_plain(1))
        changing = [by for by in numbers if by not in self._fixed]
        yield from (Test(by, sign, unit) for by in changing for sign in ("==", "!="))
        for by in changing:
            values = list(self._rows.distinct(by))
            if len(values) <= MAX_NAMED:
                yield from (Test(by, "==", Constant(value)) for value in values)

    def _equalities(self, others: Sequence[Apply]) -> Iterator[Test]:
        """Comparisons of texts, of names, of containers."""
        for left, right in combinations(others, 2):
            if self._types(left) == self._types(right) != {bool}:
                yield from (Test(left, sign, right) for sign in ("==", "!="))

    def _both(self, one: Apply, tests: Sequence[Test]) -> Iterator[Compute]:
        """Two comparisons that hold wherever ``one`` does, joined: ``0 < stock and low <= high``.

        Where both comparisons are of the same two things there is a simpler one.
        """
        rows, true = self._rows, Constant(self._values.of_plain(True))  # noqa: FBT003
        holds = rows.atom(Atom(one, "==", true))[0]
        implied = []
        for test in tests:
            yes, no = rows.atom(Atom(test, "==", true))
            if not holds & ~yes and no:
                implied.append((test, yes))
        for (first, yes), (second, also) in combinations(implied[:MAX_IMPLIED], 2):
            if yes & also == holds and {first.left, first.right} != {second.left, second.right}:
                yield Compute(first, "and", second)

    def _asks_for_none(self, test: Test) -> bool:
        return test.right == Constant(self._values.of_plain(None))

    def _of_item(self, one: Apply) -> list[Law]:
        """What ``one`` may say of its item: that others have an answer; two limits if none has."""
        absent = [Constant(self._values.of_plain(value)) for value in (None, 0)]
        found: list[Law] = []
        for by in self._asked:
            if by.operation != one.operation and by.args == one.args:
                tests = [Test(by, sign, value) for value in absent for sign in ("==", "!=")]
                found += self._first(one, tests)
        return found or self._first(one, self._between(one.args[1]))

    def _between(self, item: Term) -> Iterator[Term]:
        """That ``item`` lies between what two observers show."""
        if self._types(item) <= NUMBERS:
            for low, high in permutations(self._numbers, 2):
                for first, last in product(("<=", "<"), repeat=2):
                    yield Compute(Test(low, first, item), "and", Test(item, last, high))

    def _is_special(self, value: int) -> bool:
        try:
            plain = self._values.plain(value)
        except NoPlainValue:
            return False
        return plain is None or (type(plain) is not bool and not plain)

    def _first(self, one: Apply, tests: Any) -> list[Law]:
        vector = self._rows.vector(one)
        counts = [vector.count(value) for value in dict.fromkeys(vector)]
        least = 1 if is_small_machine(self._rows) else MIN_ROWS
        if len(counts) < 2 or min(counts) < least:  # noqa: PLR2004 - both truth values
            return []
        return next(([Law(one, test)] for test in tests if self._rows.vector(test) == vector), [])

    def _sums(self) -> list[Law]:
        """An integer that is the sum or difference of two others, which are more basic."""
        integers = [one for one in self._numbers if self._types(one) == {int}
                    and len(self._rows.distinct(one)) >= MIN_VALUES]  # fmt: skip
        integers.sort(key=lambda one: -_basis(self._operations[one.operation]))
        found: list[Law] = []
        for place, one in enumerate(integers):
            basic = [by for by in integers[place + 1 :] if by not in [law.left for law in found]]
            found += self._sum_of(one, [by for by in basic if self._is_more_basic(by, one)])
        return found

    def _is_more_basic(self, one: Apply, other: Apply) -> bool:
        return _basis(self._operations[one.operation]) <= _basis(self._operations[other.operation])

    def _sum_of(self, one: Apply, basic: Sequence[Apply]) -> list[Law]:
        vector = self._rows.vector(one)
        for left, right in permutations(basic, 2):
            for sign in ("+", "-"):
                if sign == "+" and basic.index(left) > basic.index(right):
                    continue
                triples = set(
                    zip(vector, self._rows.vector(left), self._rows.vector(right), strict=True)
                )
                total = Compute(left, sign, right)
                if len(triples) >= MIN_TRIPLES and self._rows.vector(total) == vector:
                    return [Law(one, total)]
        return []

    def _is_total(self, one: Apply) -> bool:
        return min(self._rows.distinct(one), default=-1) >= 0

    def _types(self, one: Term) -> set[Any]:
        numbers = self._rows.distinct(one)
        if all(map(self._values.is_name, numbers)):
            return {Symbol}
        try:
            return {type(self._values.plain(value)) for value in numbers}
        except NoPlainValue:
            return {object}


def _basis(operation: Operation) -> int:
    """How many fields an observer reads: one that reads more follows from those that read less."""
    return 0 if operation.invocable.kind == "field" else max(1, len(operation.invocable.reads))
