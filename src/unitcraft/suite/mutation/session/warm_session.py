"""The warm session: a pytest run that imports and collects a suite once, then runs it on mutants.

Tests run in forked children only.  First on the original, in collection order with line probes
(which lines each test reaches, which tests pass), and each test alone without probes (its CPU time,
whether it passes without the others).  Then, for each mutant, the tests that reach it: many mutants
in one child, and the unclear ones in a child of their own.

Invariant: no test runs in the session process itself, so that every child starts in the state of a
pytest run right after collection.  A mutant of code that ran during collection is left to
``reimport_trials``.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import partial
from types import FunctionType
from typing import Any

import pytest

from unitcraft.suite.mutation.code_digest import content_of, digest_of, installed_modules
from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.mutant_sample import sample_data
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session import assert_rewrite_cache, forked_children
from unitcraft.suite.mutation.session.collection_coverage import CollectionCoverage
from unitcraft.suite.mutation.session.forked_children import Ended, Trial, run_trials
from unitcraft.suite.mutation.session.item_runner import (
    CHILD_WALL_SECONDS,
    CPU_FACTOR,
    CPU_FLOOR,
    WALL_PER_CPU_SECOND,
    OutcomeWatch,
    run_items,
)
from unitcraft.suite.mutation.session.line_probes import Line, LineProbes
from unitcraft.suite.mutation.session.reimport_trials import (
    PendingMutant,
    Say,
    SessionRemainder,
)
from unitcraft.suite.mutation.session.shared_child import (
    CollectedTests,
    MutantTask,
    SharedChild,
    SoloRun,
    partition_by_chunk,
    tests_by_function,
)


class WarmSession:
    """A pytest plugin that runs the campaign in place of the tests (mutable).

    ``settings``: ``modules`` {name: file}, ``jobs``, ``known`` {digest: ids of mutants with a
    stored verdict}, ``lines`` {name: [[first, last], …]} or null, ``only`` (ids) or null, and
    ``each``: whether to report for each test if it kills a mutant.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: list[ModuleSource],
        enter: Callable[[int], None],
    ) -> None:
        self._settings = settings
        self._say = say
        self._sources = sources
        self._probes = LineProbes(sources)
        self._unprobed = self._probes.start()
        self._imported: set[str] = set()
        self._enter = enter
        self._watch = OutcomeWatch()
        self._swaps: dict[str, CodeSwap] = {}
        self._pending: dict[str, PendingMutant] = {}
        self._rewritten: assert_rewrite_cache.RewriteCache = {}
        assert_rewrite_cache.use_cache(self._rewritten)
        self.collected = CollectionCoverage(self._probes)
        self._failing: list[str] = []
        self._order_dependent: list[MutantTask] = []
        self._known: set[str] = set()
        self._killers: set[str] = set()
        self._cpu: dict[str, float] = {}
        self.reached = False
        self.ran = False

    def forget(self) -> None:
        """Remove the import probes, in a process that does not continue this session."""
        self._probes.swap_out([])

    def left(self) -> SessionRemainder:
        """The mutants that need another process, and what that process has to know."""
        fresh = [(one.id, one.late, one.test) for one in self._pending.values()]
        rewritten = self._rewritten if fresh else {}
        installed = installed_modules()
        names = {*installed, *self._settings["modules"]}
        own = [name for name, module in list(sys.modules.items())
               if name not in names
               and getattr(module, "__file__", None) not in self._rewritten]  # fmt: skip
        return SessionRemainder(fresh, self._failing, self._cpu, installed, own, rewritten)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report a collection error."""
        if report.failed:
            self._say("problem", text=f"{report.nodeid}: {report.longrepr}"[-2000:])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the campaign in place of the tests."""
        self.reached = True
        self.collected.finish()
        if session.testsfailed and not session.config.option.continue_on_collection_errors:
            return True
        session.config.pluginmanager.register(self._watch, "unitcraft-watch")
        tests = CollectedTests(session.items)
        if not self._is_loaded_from_expected_files():
            return True
        gc.collect()
        self._swaps = {source.module: CodeSwap(source) for source in self._sources}
        gc.freeze()
        if not self._baseline(tests):
            return True
        tasks = self._plan_tasks(tests)
        gc.freeze()
        self._try_mutants(tests, [one for one in tasks if one.mutant.about.id not in self._known])
        if self._settings["each"]:
            self._credit_tests(tests, tasks)
        self.ran = True
        return True

    def _is_loaded_from_expected_files(self) -> bool:
        for name, file in self._settings["modules"].items():
            found = getattr(sys.modules.get(name), "__file__", file)
            if found != file:
                self._say("problem", text=f"the tests import {name} from {found}, not from {file}")
                return False
        return True

    # The original.

    def _baseline(self, tests: CollectedTests) -> bool:
        """Run all tests twice on the original; False when no test passes both times."""
        if self._unprobed:
            self._probes.swap_in(self._functions())
        work = [Trial(0, lambda: self._trace(tests.items), 1e6)]
        traced, imported = dict(run_trials(work, 1, self._enter))[0].answer or ((), ())
        self._imported.update(imported)
        self._probes.swap_out(self._functions())
        if not traced:
            self._say("problem", text="the process ended while the tests ran without a mutant")
            return False
        for number, (_, lines, calls, _) in enumerate(traced):
            tests.calls.append(calls)
            for line in lines:
                tests.reach.setdefault(line, []).append(number)
        verdicts = [one[0] for one in traced]
        found = self._run_alone(
            tests, [test for test, one in enumerate(verdicts) if one == "passed"]
        )
        tests.passing = [verdict == "passed" and found[test].passes
                         for test, verdict in enumerate(verdicts)]  # fmt: skip
        tests.alone = found
        tests.in_order = list(found)
        told = [
            (item.nodeid, verdict, found[test].cpu if test in found else 0.0)
            for test, (item, verdict) in enumerate(zip(tests.items, verdicts, strict=True))
        ]
        for test, one in found.items():
            if not one.passes:
                self._say("dependent", test=tests.items[test].nodeid)
        self._failing = [node for node, verdict, _ in told if verdict not in ("passed", "skipped")]
        self._cpu = {tests.items[test].nodeid: one.cpu for test, one in found.items()}
        self._say("tests", tests=told)
        if not any(tests.passing):
            self._say("problem", text=_why_none_passes(told, [one[-1] for one in traced]))
        return any(tests.passing)

    def _trace(self, items: list[pytest.Item]) -> Any:
        """(verdict, lines reached, number of calls, what a failure said) of each item.

        And the subjects that were imported up to the end of the last.
        """
        running = run_items(items, self._watch, lambda _: self._probes.forget())
        rows = [(self._watch.verdict, *self._probes.take(), self._watch.said) for _ in running]
        return rows, sorted(self._probes.imported)

    def _run_alone(self, tests: CollectedTests, numbers: list[int]) -> dict[int, SoloRun]:
        """Run each of these tests on the original from a state in which no other test ran."""
        sharing = SharedChild(tests, self._watch, list(self._settings["modules"]), self._probes)
        found: dict[int, SoloRun] = {}
        endings = forked_children.run(
            [numbers], sharing.alone, lambda _: CHILD_WALL_SECONDS, self._enter, 1
        )
        for test, answer in endings:
            found[test] = SoloRun(*answer) if isinstance(answer, tuple) else SoloRun()
        doubted = [test for test, one in found.items() if not one.passes]
        work = [
            Trial(test, partial(tests.run_until_failure, [test], self._watch), CHILD_WALL_SECONDS)
            for test in doubted
        ]
        for test, ending in run_trials(work, self._settings["jobs"], self._enter):
            passes = ending.verdict[0] == "survived"
            found[test] = SoloRun(passes, ending.cpu, hookless=False, shares=False)
        return found

    # The mutants.

    def _plan_tasks(self, tests: CollectedTests) -> list[MutantTask]:
        """The mutants to try here; those whose code ran during collection go to ``_pending``."""
        found: list[MutantTask] = []
        announced: list[tuple[Any, ...]] = []
        uncovered: list[str] = []
        for source in self._sources:
            name = source.module
            unseen = name not in sys.modules or name in self._unprobed
            swap = self._swaps[name]
            for mutant in swap.load(self._wanted(source)):
                keys = [(source.file, line) for line in source.lines_of(mutant)]
                swappable = not unseen and swap.fits(mutant)
                about = mutant.about
                reaching = tests.reaching(keys) if swappable else []
                depends = swappable and tests.depends(keys)
                fresh = not swappable or self.collected.ran(keys)
                fresh |= not mutant.is_swappable and (bool(reaching) or depends)
                fresh &= name in sys.modules or self._is_used_late(mutant, keys, tests)
                announced.append((about.id, about.module, about.function, about.line,
                                  about.operator, fresh, len(reaching)))  # fmt: skip
                if fresh:
                    late = swappable and mutant.is_swappable
                    late &= not self.collected.ran_before(keys)
                    self._pending[about.id] = PendingMutant(about.id, late)
                if reaching or (depends and not fresh):
                    items = tests.items
                    independent = [
                        one for one in reaching if self.collected.is_independent(keys, items[one])
                    ]
                    found.append(MutantTask(mutant, swap, reaching, frozenset(keys),
                                      frozenset(independent), depends))  # fmt: skip
                elif not fresh:
                    uncovered.append(about.id)
        reach = tests_by_function(tests, self._sources)
        digest = digest_of(self._settings["modules"], [item.nodeid for item in tests.items])
        files = content_of(self._settings["modules"])
        self._say("mutants", mutants=announced, reach=reach, digest=digest, files=files)
        known = self._known = set(self._settings["known"].get(digest, ()))
        for one in uncovered:
            if one not in known:
                self._say("verdict", id=one, verdict="not covered", test="", tried=0, cpu=0.0)
        self._pending = {key: one for key, one in self._pending.items() if key not in known}
        return found

    def _is_used_late(self, mutant: SourceMutant, keys: list[Line], tests: CollectedTests) -> bool:
        """Does a test use what ``mutant`` changes, of a module that is not imported before?"""
        if mutant.value is not None:
            return mutant.about.module in self._imported
        return bool(tests.reaching(keys)) or tests.depends(keys) or self.collected.ran(keys)

    def _wanted(self, source: ModuleSource) -> list[SourceMutant]:
        """The mutants of code, and a sample of those of data; only those that are asked for."""
        only, lines = self._settings["only"], self._settings["lines"]
        if only is not None:
            return [one for one in source.mutants if one.about.id in set(only)]
        code = [one for one in source.mutants if one.value is None]
        mutants = [*code, *sample_data(source.mutants)]
        if lines is None:
            return mutants
        spans = lines.get(source.module, [])
        return [
            one
            for one in mutants
            if any(one.statement.lineno <= last and (one.statement.end_lineno or 0) >= first
                   for first, last in spans)
        ]  # fmt: skip

    def _functions(self) -> list[FunctionType]:
        """All live functions of the subjects."""
        return [one for swap in self._swaps.values() for one in swap.functions()]

    def _try_mutants(self, tests: CollectedTests, tasks: list[MutantTask]) -> None:
        """Try mutants in shared children, then survivors once more, then doubtful cases alone."""
        jobs = self._settings["jobs"]
        sharing = SharedChild(tests, self._watch, list(self._settings["modules"]), self._probes)
        lists = partition_by_chunk(tasks, jobs)
        unclear: list[MutantTask] = []
        for work, answer in forked_children.run(
            lists, sharing.mutants, self._patience(tests), self._enter, jobs
        ):
            fresh = work.mutant.about.id in self._pending
            if fresh and not (
                isinstance(answer, tuple) and answer[1] in work.collection_independent
            ):
                if isinstance(answer, tuple):
                    self._note_killer(work, tests.items[answer[1]])
            elif isinstance(answer, Ended) and answer.exceeded_cpu:
                self._report_verdict(work, "timeout", "", 0, 0.0)
            elif isinstance(answer, tuple):
                verdict, test, ran, cpu = answer
                self._pending.pop(work.mutant.about.id, None)
                self._report_verdict(work, verdict, tests.items[test].nodeid, ran, cpu)
            else:
                unclear.append(work)
        unclear = self._confirm_survivors(sharing, tests, unclear)
        self._try_in_own_children(tests, [(work, work.tests) for work in unclear])
        depending, self._order_dependent = self._order_dependent, []
        self._try_in_own_children(tests, [(work, tests.in_order) for work in depending], last=True)

    def _credit_tests(self, tests: CollectedTests, tasks: list[MutantTask]) -> None:
        """Report for each test that has killed no mutant so far whether it kills any."""
        sharing = SharedChild(tests, self._watch, list(self._settings["modules"]), self._probes)
        numbers = [
            number
            for number, one in tests.alone.items()
            if one.passes and one.shares and tests.items[number].nodeid not in self._killers
        ]
        jobs = self._settings["jobs"]
        serve = partial(sharing.credits, tasks=tasks)
        seconds = sum(one.cpu for one in tests.alone.values())
        patience = CHILD_WALL_SECONDS + WALL_PER_CPU_SECOND * len(tasks) * (
            CPU_FLOOR + CPU_FACTOR * seconds
        )
        lists = [numbers[slot::jobs] for slot in range(jobs)]
        for number, answer in forked_children.run(
            lists, serve, lambda _: patience, self._enter, jobs
        ):
            if isinstance(answer, str):
                self._say("credit", test=tests.items[number].nodeid, mutant=answer)

    def _try_in_own_children(
        self,
        tests: CollectedTests,
        tasks: list[tuple[MutantTask, list[int]]],
        *,
        last: bool = False,
    ) -> None:
        """Try each mutant in its own child, under pytest's hooks, on these tests in this order."""
        by_id = {work.mutant.about.id: work for work, _ in tasks}
        pieces = [self._trial(work, order, tests) for work, order in tasks]
        for key, ending in run_trials(pieces, self._settings["jobs"], self._enter):
            work = by_id[key]
            verdict, test, ran = ending.verdict
            node = tests.items[test].nodeid if test is not None else ""
            self._report_verdict(work, verdict, node, ran, ending.cpu, last=last)

    def _confirm_survivors(
        self, sharing: SharedChild, tests: CollectedTests, tasks: list[MutantTask]
    ) -> list[MutantTask]:
        """Run survivors again and report those that survive; the mutants that stay unclear."""
        jobs = self._settings["jobs"]
        lists = [tasks[slot::jobs] for slot in range(jobs)]
        rest: list[MutantTask] = []
        for work, answer in forked_children.run(
            lists, sharing.survivors, self._patience(tests), self._enter, jobs
        ):
            if isinstance(answer, tuple):
                self._report_verdict(work, "survived", "", *answer)
            else:
                rest.append(work)
        return rest

    def _note_killer(self, work: MutantTask, item: pytest.Item) -> None:
        """Remember a test that kills the mutant when it is swapped in after collection."""
        key = work.mutant.about.id
        self._pending[key] = PendingMutant(key, self._pending[key].late, item.nodeid)

    def _report_verdict(
        self, work: MutantTask, verdict: str, node: str, ran: int, cpu: float, *, last: bool = False
    ) -> None:
        if verdict == "survived" and work.depends and not last:
            self._order_dependent.append(work)
            return
        self._killers.add(node)
        self._say("verdict", id=work.mutant.about.id, verdict=verdict, test=node, tried=ran,
                  cpu=cpu)  # fmt: skip

    @staticmethod
    def _patience(tests: CollectedTests) -> Callable[[MutantTask], float]:
        return lambda work: tests.wall_seconds(work.tests)

    def _trial(self, work: MutantTask, order: list[int], tests: CollectedTests) -> Trial[str]:
        def tried() -> Any:
            work.swap.apply(work.mutant)
            return tests.run_until_failure(order, self._watch)

        return Trial(work.mutant.about.id, tried, tests.wall_seconds(order))


def _why_none_passes(told: list[tuple[str, str, float]], said: list[str]) -> str:
    """Why no test can judge a mutant: what the first that fails says, if any fails."""
    for (node, verdict, _), text in zip(told, said, strict=True):
        if verdict == "failed":
            return f"under guard and without a mutant, {node} fails: {text}"
    return "each test is skipped, or passes only after others" if told else "no test was selected"
