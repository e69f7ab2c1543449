"""What a child does that tries many mutants: swap in, run tests until one fails, swap out, restore.

Invariant: a mutant counts as killed here only when the test that failed on it passes right after on
the original, in the same process; it survives only when all its tests pass twice, the second time
in a process that tries survivors only, and each of them reaches the changed code.  Everything else
is left to a child of its own.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

from unitcraft.suite.mutation.mutants.code_objects import identity, inner_codes
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session.hookless_runner import Quick, Unclear
from unitcraft.suite.mutation.session.item_runner import Watch, limited, quick_reports
from unitcraft.suite.mutation.session.line_probes import Line, Probes
from unitcraft.suite.mutation.session.state_restore import State

#: Mutants of one function that learn from each other which tests kill: the same for any number of
#: children.
CHUNK: Final = 64
#: CPU seconds that a test may take on the original before its cost is known.
UNKNOWN: Final = 60.0


#: Functions and the code that they are to get.
Swap = list[tuple[FunctionType, CodeType]]


@dataclass(frozen=True, slots=True)
class Alone:
    """A test on the original with no other before it: CPU seconds; can it do without hooks?

    ``shares``: it leaves nothing behind that cannot be put back.
    """

    passes: bool = False
    cpu: float = 0.0
    quick: bool = False
    shares: bool = False


@dataclass(slots=True)
class Tests:
    """The collected tests, by number in collection order, and what is known of them.

    ``passing``: in order and alone; ``in_order``: those that pass at least in order.
    """

    items: list[pytest.Item]
    calls: list[int] = field(default_factory=list)
    passing: list[bool] = field(default_factory=list)
    in_order: list[int] = field(default_factory=list)
    reach: dict[Line, list[int]] = field(default_factory=dict)
    alone: dict[int, Alone] = field(default_factory=dict)

    def reaching(self, lines: list[Line]) -> list[int]:
        """Passing tests that run one of the lines, those with the fewest calls first."""
        found = {test for line in lines for test in self.reach.get(line, ())}
        usable = [test for test in found if self.passing[test]]
        return sorted(usable, key=lambda test: (self.calls[test], test))

    def depends(self, lines: list[Line]) -> bool:
        """Does a test run one of the lines that passes only after others?"""
        found = {test for line in lines for test in self.reach.get(line, ())}
        return any(test in found and not self.passing[test] for test in self.in_order)


@dataclass(slots=True)
class Work:
    """A mutant, the live functions with the code that it gives them, and the tests to try.

    ``lines``: one of them runs whenever the changed code does.  ``spared``: tests that are the same
    if the mutant is there when they are collected.  ``depends``: only a run of all tests in order
    shows that it survives.  Mutants of one ``chunk`` learn from each other
    which tests kill.
    """

    source: ModuleSource
    mutant: SourceMutant
    places: Swap
    tests: list[int]
    lines: frozenset[Line]
    spared: frozenset[int]
    depends: bool
    chunk: int = 0

    def marked(self) -> Swap:
        """The same places with code that tells which of its lines run."""
        code = self.source.marked(self.mutant)
        found = {identity(one): one for one in inner_codes(code)} if code is not None else {}
        return [(function, found[identity(one)]) for function, one in self.places]


def swapped(places: Swap) -> Swap:
    """Change the code of functions; what gives them their own back."""
    before = [(function, function.__code__) for function, _ in places]
    for function, code in places:
        function.__code__ = code
    return before


def dealt(works: Sequence[Work], hands: int) -> list[list[Work]]:
    """The chunks, in order, dealt to so many lists."""
    last, size, chunk = None, 0, -1
    for work in works:
        function = (work.mutant.about.module, work.mutant.node.lineno)
        if function != last or size == CHUNK:
            last, size, chunk = function, 0, chunk + 1
        size += 1
        work.chunk = chunk
    return [[work for work in works if work.chunk % hands == hand] for hand in range(hands)]


class Sharing:
    """The lists that children work through: tests on the original, mutants, survivors."""

    def __init__(self, tests: Tests, watch: Watch, subjects: list[str], probes: Probes) -> None:
        self._tests = tests
        self._probes = probes
        self._watch = watch
        self._subjects = subjects

    def _begin(self) -> tuple[Quick, State]:
        items = self._tests.items
        quick_reports(items)
        return Quick(items[0].config, self._watch), State(items, self._subjects)

    def alone(
        self, numbers: Sequence[int], _: Sequence[tuple[int, Any]], say: Callable[[Any], None]
    ) -> None:
        """Answer each test with the fields of an Alone."""
        quick, state = self._begin()
        for number in numbers:
            item = self._tests.items[number]
            hookless = quick.suits(item)
            limited(UNKNOWN)
            passes, cpu = _timed(quick, item, hookless=hookless)
            shares = state.restore()
            if hookless and shares and not passes:
                hookless = False
                passes, cpu = _timed(quick, item, hookless=False)
                shares = state.restore()
            say((passes and shares, cpu, hookless, shares))
            if not shares:
                return

    def mutants(
        self,
        works: Sequence[Work],
        before: Sequence[tuple[Work, Any]],
        say: Callable[[Any], None],
    ) -> None:
        """Answer each mutant with (verdict, test, tests that ran, CPU seconds), or with None."""
        quick, state = self._begin()
        kills: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for work, answer in before:
            kills[work.chunk].update(_killer(answer))
        for work in works:
            answer, usable = self._tried(quick, state, work, kills[work.chunk])
            kills[work.chunk].update(_killer(answer))
            say(answer)
            if not usable:
                return

    def _tried(
        self, quick: Quick, state: State, work: Work, kills: Counter[int]
    ) -> tuple[Any, bool]:
        """The answer about one mutant, and whether this process can be used for another."""
        alone = self._tests.alone
        order = [test for test in work.tests if alone[test].shares]
        order.sort(key=lambda test: (test not in work.spared, -kills[test]))
        started = time.process_time()
        before = swapped(work.places)
        try:
            verdict, ran = self._until_failure(quick, order)
        except Unclear:
            return None, False
        swapped(before)
        usable = state.restore()
        if not verdict or not usable:
            return None, usable
        test = order[ran - 1]
        try:
            holds = not self._until_failure(quick, [test])[0]
        except Unclear:
            return None, False
        if not holds or not state.restore():
            return None, False
        return (verdict, test, ran, time.process_time() - started), True

    def survivors(
        self,
        works: Sequence[Work],
        _: Sequence[tuple[Work, Any]],
        say: Callable[[Any], None],
    ) -> None:
        """Answer each with (tests that ran, CPU seconds) when it survives them all, or with None.

        Each of them has to reach the changed code.
        """
        quick, state = self._begin()
        for work in works:
            started = time.process_time()
            before = swapped(work.marked())
            try:
                lives = self._survives(quick, work)
            except Unclear:
                say(None)
                return
            swapped(before)
            usable = state.restore()
            say((len(work.tests), time.process_time() - started) if lives and usable else None)
            if not usable:
                return

    def credits(
        self,
        numbers: Sequence[int],
        _: Sequence[tuple[int, Any]],
        say: Callable[[Any], None],
        works: Sequence[Work],
    ) -> None:
        """Answer each test with a mutant that it kills, or '' if it kills none that it reaches.

        None when that is not known, or when it reaches none.
        """
        quick, state = self._begin()
        for number in numbers:
            reached = [work for work in works if number in work.tests]
            judged = reached and all(number in work.spared for work in reached)
            found = "" if judged else None
            usable = True
            for work in reached:
                alone = replace(work, tests=[number])
                answer, usable = self._tried(quick, state, alone, Counter())
                if isinstance(answer, tuple) and number in work.spared:
                    found = work.mutant.about.id
                elif not usable:
                    found = None
                if found or not usable:
                    break
            say(found)
            if not usable:
                return

    def _survives(self, quick: Quick, work: Work) -> bool:
        alone = [self._tests.alone[test] for test in work.tests]
        items = [self._tests.items[test] for test in work.tests]
        if not all(one.shares for one in alone):
            return False
        with contextlib.closing(quick.run(items, [one.quick for one in alone])) as running:
            for one in alone:
                limited(one.cpu)
                self._probes.forget()
                if next(running) or work.lines.isdisjoint(self._probes.take()[0]):
                    return False
        return True

    def _until_failure(self, quick: Quick, order: list[int]) -> tuple[str, int]:
        """How the first test fails, or '', and how many ran."""
        items = [self._tests.items[test] for test in order]
        alone = [self._tests.alone[test] for test in order]
        with contextlib.closing(quick.run(items, [one.quick for one in alone])) as running:
            for ran, one in enumerate(alone, 1):
                limited(one.cpu)
                verdict = next(running)
                if verdict:
                    return verdict, ran
        return "", len(order)


def _killer(answer: Any) -> list[int]:
    return [answer[1]] if isinstance(answer, tuple) else []


def _timed(quick: Quick, item: pytest.Item, *, hookless: bool) -> tuple[bool, float]:
    started = time.process_time()
    try:
        verdicts = list(quick.run([item], [hookless]))
    except Unclear:
        verdicts = ["unclear"]
    return verdicts == [""], time.process_time() - started
