"""Three classes about numbers, on which inference was not run before their laws were written."""

# ruff: noqa: ANN001, ANN201, ANN204, D102 - a reader sees from the code what each method does
from __future__ import annotations

from datetime import timedelta


class Polynomial:
    """A sum of powers; only those whose factor is not zero are kept."""

    def __init__(self):
        self._factors = {}

    def add_term(self, power, factor):
        if power < 0:
            raise ValueError("power")
        total = self._factors.get(power, 0) + factor
        if total:
            self._factors[power] = total
        else:
            self._factors.pop(power, None)

    def factor(self, power):
        return self._factors.get(power, 0)

    def degree(self):
        return max(self._factors, default=-1)

    def terms(self):
        return len(self._factors)

    def is_zero(self):
        return not self._factors

    def at(self, x):
        return sum(factor * x**power for power, factor in self._factors.items())

    def negate(self):
        self._factors = {power: -factor for power, factor in self._factors.items()}

    def clear(self):
        self._factors.clear()


class Ranges:
    """A set of integers, kept as ranges that do not touch."""

    def __init__(self) -> None:
        self._ranges: list[tuple[int, int]] = []

    def add(self, low: int, high: int) -> None:
        if high < low:
            raise ValueError("high")
        kept = []
        for first, last in self._ranges:
            if last < low - 1 or high + 1 < first:
                kept.append((first, last))
            else:
                low, high = min(low, first), max(high, last)
        self._ranges = sorted([*kept, (low, high)])

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self._ranges)

    def __len__(self) -> int:
        return sum(last - first + 1 for first, last in self._ranges)

    def pieces(self) -> int:
        return len(self._ranges)

    def lowest(self) -> int:
        if not self._ranges:
            raise LookupError("empty")
        return self._ranges[0][0]

    def highest(self) -> int:
        if not self._ranges:
            raise LookupError("empty")
        return self._ranges[-1][1]

    def clear(self) -> None:
        self._ranges = []


class Timesheet:
    """Time that was worked on projects."""

    def __init__(self) -> None:
        self._worked: dict[str, timedelta] = {}

    def book(self, project: str, time: timedelta) -> None:
        if time <= timedelta():
            raise ValueError("time")
        self._worked[project] = self._worked.get(project, timedelta()) + time

    def worked(self, project: str) -> timedelta:
        return self._worked.get(project, timedelta())

    def total(self) -> timedelta:
        return sum(self._worked.values(), timedelta())

    def projects(self) -> list[str]:
        return sorted(self._worked)

    def drop(self, project: str) -> timedelta:
        if project not in self._worked:
            raise KeyError(project)
        return self._worked.pop(project)
