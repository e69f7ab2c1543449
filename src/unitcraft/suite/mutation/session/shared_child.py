"""A child process shared by many mutants: swap in, run tests until one fails, swap out, restore.

Invariant: a mutant counts as killed here only when the test that failed on it passes directly
afterwards on the original, in the same process.  It counts as surviving only when all its tests
pass twice, the second time in a process for survivors only, and each of them reaches the changed
code.  Every other mutant is left to a child of its own.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import pytest

from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session.hookless_runner import HooklessRunner, Unclear
from unitcraft.suite.mutation.session.item_runner import (
    CHILD_WALL_SECONDS,
    CPU_FACTOR,
    CPU_FLOOR,
    WALL_PER_CPU_SECOND,
    OutcomeWatch,
    limit_cpu,
    run_until_failure,
    skip_failure_reports,
)
from unitcraft.suite.mutation.session.line_probes import Line, LineProbes
from unitcraft.suite.mutation.session.state_restore import SharedState, project_modules

#: Mutants in one chunk.  Tests that killed a mutant run first on the later mutants of the same
#: chunk, and a chunk is never split, so that verdicts do not depend on the number of children.
MAX_CHUNK: Final = 64
#: CPU seconds assumed for a test whose cost is not yet known, from which its limit is computed.
UNKNOWN_CPU: Final = 60.0


@dataclass(frozen=True, slots=True)
class SoloRun:
    """A test run alone on the original: does it pass, and in how many CPU seconds.

    ``hookless``: it can run without pytest's hooks.  ``shares``: the state that it leaves can be
    restored, so that other tests may run in the same process.
    """

    passes: bool = False
    cpu: float = 0.0
    hookless: bool = False
    shares: bool = False


@dataclass(slots=True)
class CollectedTests:
    """The collected tests, numbered in collection order, with the results on the original.

    ``calls``: functions entered by each test.  ``passing``: does the test pass both in collection
    order and alone; ``in_order``: the tests that pass at least in collection order.  ``reach``:
    line -> tests that run it.  ``alone``: test -> its run alone.
    """

    items: list[pytest.Item]
    calls: list[int] = field(default_factory=list)
    passing: list[bool] = field(default_factory=list)
    in_order: list[int] = field(default_factory=list)
    reach: dict[Line, list[int]] = field(default_factory=dict)
    alone: dict[int, SoloRun] = field(default_factory=dict)

    def reaching(self, lines: list[Line]) -> list[int]:
        """The passing tests that run one of ``lines``, in ascending order of calls."""
        found = {test for line in lines for test in self.reach.get(line, ())}
        usable = [test for test in found if self.passing[test]]
        return sorted(usable, key=lambda test: (self.calls[test], test))

    def depends(self, lines: list[Line]) -> bool:
        """Does a test that passes only after other tests run one of ``lines``?"""
        found = {test for line in lines for test in self.reach.get(line, ())}
        return any(test in found and not self.passing[test] for test in self.in_order)

    def wall_seconds(self, order: list[int]) -> float:
        """The wall time in seconds that these tests may take on a mutant."""
        return CHILD_WALL_SECONDS + WALL_PER_CPU_SECOND * (
            CPU_FLOOR + CPU_FACTOR * sum(self.alone[test].cpu for test in order)
        )

    def run_until_failure(self, order: list[int], watch: OutcomeWatch) -> Any:
        """Run these tests under pytest's hooks; see ``item_runner.run_until_failure``."""
        items = {test: self.items[test] for test in order}
        alone = self.alone
        cpu = {one: alone[one].cpu if one in alone else CHILD_WALL_SECONDS for one in order}
        return run_until_failure(items, cpu, watch)


@dataclass(slots=True)
class MutantTask:
    """A mutant, the CodeSwap that holds it, and the numbers of the tests that reach it.

    ``lines``: one of them runs whenever the changed code does.  ``collection_independent``: tests
    whose collection runs none of the lines, so that a kill by them needs no new collection.
    ``depends``: only a run of all tests in collection order can show that the mutant survives.
    ``chunk``: see ``MAX_CHUNK``.
    """

    mutant: SourceMutant
    swap: CodeSwap
    tests: list[int]
    lines: frozenset[Line]
    collection_independent: frozenset[int]
    depends: bool
    chunk: int = 0


def partition_by_chunk(tasks: Sequence[MutantTask], lists: int) -> list[list[MutantTask]]:
    """Number the chunks of mutants of one function or statement; distribute them over lists."""
    last, size, chunk = None, 0, -1
    for work in tasks:
        function = (work.mutant.about.module, work.mutant.statement.lineno)
        if function != last or size == MAX_CHUNK:
            last, size, chunk = function, 0, chunk + 1
        size += 1
        work.chunk = chunk
    return [[work for work in tasks if work.chunk % lists == number] for number in range(lists)]


def tests_by_function(tests: CollectedTests, sources: list[ModuleSource]) -> dict[str, list[int]]:
    """Module and outermost function -> the tests that run a line of it."""
    by_file = {source.file: source for source in sources}
    found: dict[str, set[int]] = {}
    for (file, line), reaching in tests.reach.items():
        function = by_file[file].function_at(line)
        if function is not None:
            found.setdefault(f"{by_file[file].module}:{function}", set()).update(reaching)
    return {name: sorted(found[name]) for name in sorted(found)}


class SharedChild:
    """The functions that serve ``forked_children``: tests alone, mutants, survivors, credits.

    Each takes a list, the earlier answers, and a function that sends one answer; each returns
    early when the process cannot be used any more.
    """

    def __init__(
        self, tests: CollectedTests, watch: OutcomeWatch, subjects: list[str], probes: LineProbes
    ) -> None:
        self._tests = tests
        self._probes = probes
        self._watch = watch
        self._modules = project_modules(subjects)

    def _begin(self) -> tuple[HooklessRunner, SharedState]:
        items = self._tests.items
        skip_failure_reports(items)
        return HooklessRunner(items[0].config, self._watch), SharedState(items, self._modules)

    def alone(
        self, numbers: Sequence[int], _: Sequence[tuple[int, Any]], say: Callable[[Any], None]
    ) -> None:
        """Answer each test with the fields of a SoloRun."""
        runner, state = self._begin()
        for number in numbers:
            item = self._tests.items[number]
            hookless = runner.can_run(item)
            limit_cpu(UNKNOWN_CPU)
            passes, cpu = _time(runner, item, hookless=hookless)
            shares = state.restore()
            if hookless and shares and not passes:
                hookless = False
                passes, cpu = _time(runner, item, hookless=False)
                shares = state.restore()
            say((passes and shares, cpu, hookless, shares))
            if not shares:
                return

    def mutants(
        self,
        tasks: Sequence[MutantTask],
        before: Sequence[tuple[MutantTask, Any]],
        say: Callable[[Any], None],
    ) -> None:
        """Answer each mutant with (verdict, test, tests that ran, CPU seconds), or with None."""
        runner, state = self._begin()
        kills: defaultdict[int, Counter[int]] = defaultdict(Counter)
        for work, answer in before:
            kills[work.chunk].update(_killers(answer))
        for work in tasks:
            answer, usable = self._try_mutant(runner, state, work, kills[work.chunk])
            kills[work.chunk].update(_killers(answer))
            say(answer)
            if not usable:
                return

    def _try_mutant(
        self, runner: HooklessRunner, state: SharedState, work: MutantTask, kills: Counter[int]
    ) -> tuple[Any, bool]:
        """The answer about one mutant, and whether this process can be used for the next."""
        alone = self._tests.alone
        order = [test for test in work.tests if alone[test].shares]
        order.sort(key=lambda test: (test not in work.collection_independent, -kills[test]))
        started = time.process_time()
        if not work.swap.apply(work.mutant):
            return None, True
        try:
            verdict, ran = self._until_failure(runner, order)
        except Unclear:
            return None, False
        work.swap.restore()
        usable = state.restore()
        if not verdict or not usable:
            return None, usable
        test = order[ran - 1]
        try:
            holds = not self._until_failure(runner, [test])[0]
        except Unclear:
            return None, False
        if not holds or not state.restore():
            return None, False
        return (verdict, test, ran, time.process_time() - started), True

    def survivors(
        self,
        tasks: Sequence[MutantTask],
        _: Sequence[tuple[MutantTask, Any]],
        say: Callable[[Any], None],
    ) -> None:
        """Answer each mutant with (tests that ran, CPU seconds) when it survives, or with None.

        A test counts only if it reaches the changed code.
        """
        runner, state = self._begin()
        for work in tasks:
            started = time.process_time()
            work.swap.apply(work.mutant, marked=True)
            try:
                lives = self._survives(runner, work)
            except Unclear:
                say(None)
                return
            work.swap.restore()
            usable = state.restore()
            say((len(work.tests), time.process_time() - started) if lives and usable else None)
            if not usable:
                return

    def credits(
        self,
        numbers: Sequence[int],
        _: Sequence[tuple[int, Any]],
        say: Callable[[Any], None],
        tasks: Sequence[MutantTask],
    ) -> None:
        """Answer each test with the id of a mutant that it kills, or '' when it kills none.

        None when that is unknown, or when the test reaches no mutant.
        """
        runner, state = self._begin()
        for number in numbers:
            reached = [work for work in tasks if number in work.tests]
            judged = reached and all(number in work.collection_independent for work in reached)
            found = "" if judged else None
            usable = True
            for work in reached:
                alone = replace(work, tests=[number])
                answer, usable = self._try_mutant(runner, state, alone, Counter())
                if isinstance(answer, tuple) and number in work.collection_independent:
                    found = work.mutant.about.id
                elif not usable:
                    found = None
                if found or not usable:
                    break
            say(found)
            if not usable:
                return

    def _survives(self, runner: HooklessRunner, work: MutantTask) -> bool:
        alone = [self._tests.alone[test] for test in work.tests]
        items = [self._tests.items[test] for test in work.tests]
        if not all(one.shares for one in alone):
            return False
        with contextlib.closing(runner.run(items, [one.hookless for one in alone])) as running:
            for one in alone:
                limit_cpu(one.cpu)
                ENTROPY.restart()
                self._probes.forget()
                if next(running) or work.lines.isdisjoint(self._probes.take()[0]):
                    return False
        return True

    def _until_failure(self, runner: HooklessRunner, order: list[int]) -> tuple[str, int]:
        """Run tests up to the first failure: its kind ('' when none failed), and how many ran."""
        items = [self._tests.items[test] for test in order]
        alone = [self._tests.alone[test] for test in order]
        with contextlib.closing(runner.run(items, [one.hookless for one in alone])) as running:
            for ran, one in enumerate(alone, 1):
                limit_cpu(one.cpu)
                ENTROPY.restart()
                verdict = next(running)
                if verdict:
                    return verdict, ran
        return "", len(order)


def _killers(answer: Any) -> list[int]:
    return [answer[1]] if isinstance(answer, tuple) else []


def _time(runner: HooklessRunner, item: pytest.Item, *, hookless: bool) -> tuple[bool, float]:
    started = time.process_time()
    ENTROPY.restart()
    try:
        verdicts = list(runner.run([item], [hookless]))
    except Unclear:
        verdicts = ["unclear"]
    return verdicts == [""], time.process_time() - started
