"""The warm session: a pytest run that, instead of running its tests, tries mutants on them.

Everything is imported and collected once.  The tests then run in forked children only: twice on the
original code, traced and not (what they reach, what they cost, whether they agree), then the tests
that reach a mutant, in a child of its own with the changed code swapped in.

Invariant: no test ever runs in the session itself, so that every child begins where a fresh pytest
stands after collection.  A mutant of code that ran during collection is left to a fresh process.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, Final

import pytest

from unitcraft.suite.mutation import trials
from unitcraft.suite.mutation.digest import digest_of
from unitcraft.suite.mutation.patching import identity, inner_codes, live_functions
from unitcraft.suite.mutation.reach import Key, Reach
from unitcraft.suite.mutation.running import FACTOR, FLOOR, Watch, limited, quick_reports, run_items
from unitcraft.suite.mutation.sources import ModuleSource, SourceMutant
from unitcraft.suite.mutation.trials import Ending, Trial

#: Mutants after which the order of tests is made anew: the same for any number of children.
BATCH: Final = 16
#: Wall seconds for a child, beside what its tests may take in CPU seconds.
PATIENCE: Final = 20.0
#: Wall seconds for a second of CPU time.
WALL: Final = 4.0

Say = Callable[..., None]


@dataclass(slots=True)
class Tests:
    """The collected tests that pass, by number in collection order, and what is known of them."""

    items: list[pytest.Item]
    cpu: list[float] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    passing: list[bool] = field(default_factory=list)
    reach: dict[Key, list[int]] = field(default_factory=dict)
    kills: list[int] = field(default_factory=list)
    kills_of: dict[tuple[str, int], int] = field(default_factory=dict)
    alone: dict[int, bool] = field(default_factory=dict)

    def reaching(self, keys: list[Key], function: str) -> list[int]:
        """Passing tests that run one of the lines, the most telling and cheapest first."""
        everywhere = self.reach.get(EVERYTHING, [])
        found = {test for key in keys for test in self.reach.get(key, ())} | {*everywhere}
        usable = [
            test for test in sorted(found) if self.passing[test] and self.alone.get(test, True)
        ]
        return sorted(usable, key=lambda test: self._order(function, test))

    def _order(self, function: str, test: int) -> tuple[int, ...]:
        here = self.kills_of.get((function, test), 0)
        return (-here, -self.kills[test], self.calls[test], test)

    def killed(self, function: str, test: int) -> None:
        """A test has killed a mutant of a function."""
        self.kills[test] += 1
        self.kills_of[function, test] = self.kills_of.get((function, test), 0) + 1


#: Stands for all code: tests whose trace is incomplete.
EVERYTHING: Final[Key] = ("", "", 0)


@dataclass(slots=True)
class Work:
    """A mutant that is to be tried on the tests that run one of the lines ``keys``."""

    mutant: SourceMutant
    code: CodeType
    keys: list[Key]


class Session:
    """Runs the campaign when pytest has collected; ``fresh`` are the ids left for fresh processes.

    ``settings``: ``modules`` {name: file}, ``jobs``, ``known`` {digest: ids not to be tried
    again}, ``lines`` {name: [[first, last], …]} or null, ``only`` (ids) or null.
    """

    def __init__(
        self, settings: dict[str, Any], say: Say, collecting: Reach, enter: Callable[[int], None]
    ) -> None:
        self._settings = settings
        self._say = say
        self._collecting = collecting
        self._enter = enter
        self._watch = Watch()
        self._lives: dict[str, dict[tuple[str, int], list[FunctionType]]] = {}
        self.fresh: list[str] = []
        self.failing: list[str] = []
        self.seconds = 0.0
        self.ran = False

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Tell what could not be collected."""
        if report.failed:
            self._say("problem", text=f"{report.nodeid}: {report.longrepr}"[-2000:])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of the tests: the campaign."""
        imported, _ = self._collecting.take()
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            return True
        session.config.pluginmanager.register(self._watch, "unitcraft-watch")
        tests = Tests(session.items)
        if not self._loaded_from_where_expected():
            return True
        self._lives = {file: live_functions(file) for file in self._settings["modules"].values()}
        gc.collect()
        gc.freeze()
        if not self._baseline(tests):
            return True
        works = self._works(tests, imported)
        gc.freeze()
        for place in range(0, len(works), BATCH):
            self._batch(tests, works[place : place + BATCH])
        self.ran = True
        return True

    def _loaded_from_where_expected(self) -> bool:
        for name, file in self._settings["modules"].items():
            found = getattr(sys.modules.get(name), "__file__", file)
            if found != file:
                self._say("problem", text=f"the tests import {name} from {found}, not from {file}")
                return False
        return True

    # The original.

    def _baseline(self, tests: Tests) -> bool:
        """Run all tests twice on the original; False when there is nothing to go on."""
        files = list(self._settings["modules"].values())
        work = [
            Trial(0, lambda: _traced(tests.items, self._watch, Reach(files, lines=True)), 1e6),
            Trial(1, lambda: _timed(tests.items, self._watch), 1e6),
        ]
        endings = dict(trials.run(work, 1, self._enter))
        traced, timed = endings[0].answer, endings[1].answer
        if not traced or not timed:
            self._say("problem", text="the process ended while the tests ran without a mutant")
            return False
        for number, ((first, counts, complete), (second, cpu)) in enumerate(
            zip(traced, timed, strict=True)
        ):
            tests.passing.append(first == second == "passed")
            tests.cpu.append(cpu)
            tests.calls.append(sum(count for key, count in counts if key[1]))
            tests.kills.append(0)
            for key, _ in counts:
                tests.reach.setdefault(tuple(key), []).append(number)
            if not complete:
                tests.reach.setdefault(EVERYTHING, []).append(number)
        verdicts = [
            (item.nodeid, first if first == second[0] else "flaky", second[1])
            for item, (first, _, _), second in zip(tests.items, traced, timed, strict=True)
        ]
        self.failing = [
            node for node, verdict, _ in verdicts if verdict not in ("passed", "skipped")
        ]
        self.seconds = sum(tests.cpu)
        self._say("tests", tests=verdicts)
        return any(tests.passing)

    # The mutants.

    def _works(self, tests: Tests, imported: dict[Key, int]) -> list[Work]:
        """What is to be tried here; the rest is announced or left for fresh processes."""
        found: list[Work] = []
        announced: list[tuple[Any, ...]] = []
        uncovered: list[str] = []
        for name, file in self._settings["modules"].items():
            source = ModuleSource(name, file, Path(file).read_text(encoding="utf-8"))
            for mutant, code in source.distinct(self._wanted(source)):
                changed = source.changed(mutant, code)
                keys = [(file, *one) for one in changed]
                fresh = name not in sys.modules or self._needs_fresh(code, keys, imported)
                about = mutant.about
                keys = [(file, "", line) for line in source.lines_of(mutant)]
                reaching = [] if fresh else tests.reaching(keys, about.function)
                announced.append((about.id, about.module, about.function, about.line,
                                  about.operator, fresh, len(reaching)))  # fmt: skip
                if fresh:
                    self.fresh.append(about.id)
                elif reaching:
                    found.append(Work(mutant, code, keys))
                else:
                    uncovered.append(about.id)
        reach = _by_function(tests, self._settings["modules"])
        digest = digest_of(self._settings["modules"], [item.nodeid for item in tests.items])
        self._say("mutants", mutants=announced, reach=reach, digest=digest)
        known = set(self._settings["known"].get(digest, ()))
        for one in uncovered:
            if one not in known:
                self._say("verdict", id=one, verdict="not covered", test="", tried=0, cpu=0.0)
        self.fresh = [one for one in self.fresh if one not in known]
        return [work for work in found if work.mutant.about.id not in known]

    def _wanted(self, source: ModuleSource) -> list[SourceMutant]:
        only, lines = self._settings["only"], self._settings["lines"]
        mutants = source.mutants
        if lines is not None:
            spans = lines.get(source.module, [])
            mutants = [
                one
                for one in mutants
                if any(one.node.lineno <= last and (one.node.end_lineno or 0) >= first
                       for first, last in spans)
            ]  # fmt: skip
        return mutants if only is None else [one for one in mutants if one.about.id in set(only)]

    def _needs_fresh(self, code: CodeType, changed: list[Key], imported: dict[Key, int]) -> bool:
        """Would swapping come too late, or be ambiguous?"""
        if any(key in imported for key in changed):
            return True
        names = [identity(one) for one in inner_codes(code)]
        lives = self._lives[code.co_filename]
        for one in inner_codes(code):
            for function in lives.get(identity(one), ()):
                if names.count(identity(one)) > 1:
                    return True
                if function.__code__.co_freevars != one.co_freevars:
                    return True
        return False

    def _batch(self, tests: Tests, works: list[Work]) -> None:
        """Try mutants; again those whose killer fails on its own on the original too."""
        todo = works
        while todo:
            orders = {
                work.mutant.about.id: tests.reaching(work.keys, work.mutant.about.function)
                for work in todo
            }
            by_id = {work.mutant.about.id: work for work in todo}
            pieces = [self._trial(work, orders[work.mutant.about.id], tests) for work in todo]
            endings = dict(trials.run(pieces, self._settings["jobs"], self._enter))
            results = {key: _read(endings[key], orders[key]) for key in by_id}
            self._check_alone(tests, [test for _, test, _ in results.values() if test is not None])
            todo = []
            for key, (verdict, test, tried) in results.items():
                if test is not None and not tests.alone[test]:
                    todo.append(by_id[key])
                    continue
                if test is not None:
                    tests.killed(by_id[key].mutant.about.function, test)
                node = tests.items[test].nodeid if test is not None else ""
                self._say("verdict", id=key, verdict=verdict, test=node, tried=tried,
                          cpu=endings[key].cpu)  # fmt: skip

    def _trial(self, work: Work, order: list[int], tests: Tests) -> Trial[str]:
        lives = self._places(work.code)
        cpu = sum(tests.cpu[test] for test in order)
        seconds = PATIENCE + WALL * (FLOOR + FACTOR * cpu)

        def tried() -> Any:
            for function, code in lives:
                function.__code__ = code
            return _until_failure(order, tests, self._watch)

        return Trial(work.mutant.about.id, tried, seconds)

    def _places(self, code: CodeType) -> list[tuple[FunctionType, CodeType]]:
        """The live functions that a mutant changes, and their new code."""
        lives = self._lives[code.co_filename]
        inner = inner_codes(code)
        return [(function, one) for one in inner for function in lives.get(identity(one), ())]

    def _check_alone(self, tests: Tests, killers: list[int]) -> None:
        """Does each of them pass on the original when no other test runs before it?"""
        unknown = [test for test in dict.fromkeys(sorted(killers)) if test not in tests.alone]
        work = [
            Trial(test, partial(_until_failure, [test], tests, self._watch), PATIENCE)
            for test in unknown
        ]
        for test, ending in trials.run(work, self._settings["jobs"], self._enter):
            tests.alone[test] = bool(ending.answer) and ending.answer[0] == "survived"
            if not tests.alone[test]:
                self._say("dependent", test=tests.items[test].nodeid)


def _by_function(tests: Tests, modules: dict[str, str]) -> dict[str, list[int]]:
    """Module and outermost function -> the tests that enter it."""
    names = {file: module for module, file in modules.items()}
    found: dict[str, set[int]] = {}
    for (file, qualname, _), reaching in tests.reach.items():
        if file in names and qualname:
            outermost = qualname.partition(".<locals>")[0]
            found.setdefault(f"{names[file]}:{outermost}", set()).update(reaching)
    return {name: sorted(found[name]) for name in sorted(found)}


def _traced(items: list[pytest.Item], watch: Watch, reach: Reach) -> Any:
    """(verdict, [(key, entries)], is that all) of each item."""
    found = []
    for _ in run_items(items, watch, lambda _: reach.start()):
        counts, complete = reach.take()
        found.append((watch.verdict, list(counts.items()), complete))
    return found


def _timed(items: list[pytest.Item], watch: Watch) -> Any:
    """(verdict, CPU seconds) of each item."""
    return [(watch.verdict, cpu) for _, cpu in run_items(items, watch)]


def _until_failure(order: list[int], tests: Tests, watch: Watch) -> Any:
    """(verdict, position of the test that failed or -1, tests that ran)."""
    items = [tests.items[test] for test in order]
    quick_reports(items)
    cpu = {item.nodeid: tests.cpu[test] for item, test in zip(items, order, strict=True)}
    ran = 0
    for _ in run_items(items, watch, lambda item: limited(cpu[item.nodeid])):
        ran += 1
        if watch.verdict == "failed":
            return (watch.kind, ran - 1, ran)
    return ("survived", -1, ran)


def _read(ending: Ending, order: list[int]) -> tuple[str, int | None, int]:
    """(verdict, test, tests that ran) of a trial."""
    if ending.timed_out:
        return "timeout", None, 0
    if not ending.answer:
        return "died", None, 0
    verdict, position, ran = ending.answer
    return verdict, order[position] if position >= 0 else None, ran
