"""Trials of mutants whose code runs during collection: each child imports and collects anew.

Invariant: the verdict of a mutant comes from a process in which the mutant was in place before
tests were collected.  Killed: a test fails that passes in the same conditions without the mutant.
Survived: the whole suite passes in a process that imported the mutated source.
"""

from __future__ import annotations

import _thread
import contextlib
import importlib
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, Final

import pytest

from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session.forked_children import (
    Continued,
    Ending,
    Endings,
    Trial,
    run_trials,
)
from unitcraft.suite.mutation.session.item_runner import (
    CHILD_WALL_SECONDS,
    CPU_FACTOR,
    WALL_PER_CPU_SECOND,
    OutcomeWatch,
    limit_cpu,
    skip_failure_reports,
)
from unitcraft.suite.mutation.session.line_probes import CodeFinder
from unitcraft.suite.mutation.verdicts import KILLED

#: CPU seconds allowed for import and collection, in addition to those of the tests.
COLLECTION_CPU: Final = 2.0

Say = Callable[..., None]
#: Runs pytest with some plugins in this process; its exit status.
Pytest = Callable[[list[Any]], int]


@dataclass(frozen=True, slots=True)
class PendingMutant:
    """A mutant that has no verdict yet.

    ``late``: none of its lines runs before collection, so that it may be swapped in right before
    collection.  ``test``: a test that killed it when it was swapped in after collection, or ''.
    """

    id: str
    late: bool = False
    test: str = ""

    @property
    def file(self) -> str:
        """That of the test."""
        return self.test.partition("::")[0]


@dataclass(frozen=True, slots=True)
class SessionRemainder:
    """The pending mutants of the warm session, and facts about the suite; plain values only.

    ``open``: the fields of each PendingMutant.  ``failing``: tests that fail on the original.
    ``cpu``: CPU seconds of each test that runs on the original.  ``installed``: loaded modules of
    installed packages, ``own`` the others, without those of tests; in the order of loading.
    ``rewritten``: see ``assert_rewrite_cache``.
    """

    open: list[tuple[str, bool, str]]
    failing: list[str]
    cpu: dict[str, float]
    installed: list[str]
    own: list[str]
    rewritten: dict[str, bytes]

    def as_plain(self) -> tuple[Any, ...]:
        """The fields as a tuple of plain values."""
        return self.open, self.failing, self.cpu, self.installed, self.own, self.rewritten

    @property
    def seconds(self) -> float:
        """CPU seconds for collection and all tests."""
        return COLLECTION_CPU + sum(self.cpu.values())


def use_slot_folder(slot: int) -> None:
    """Use the temporary folder of ``slot`` in this child."""
    folder = Path(os.environ.get("TMPDIR", tempfile.gettempdir()), f"slot{slot}")
    folder.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None


def import_mutant(source: ModuleSource, mutant: SourceMutant) -> None:
    """Have the next import of the module load it with the mutant."""
    sys.meta_path.insert(0, CodeFinder({source.module: source.compiled(mutant)}))


def independent_modules(
    names: Iterable[str], subjects: Iterable[str], enter: Callable[[int], None]
) -> list[str]:
    """Those of ``names`` that can be imported in this order without a subject; found in a fork."""
    missing = [name for name in names if name not in sys.modules]
    trial = Trial(0, lambda: _import_without(missing, frozenset(subjects)), CHILD_WALL_SECONDS)
    endings = run_trials([trial] if missing else [], 1, enter)
    return [name for _, ending in endings for name in ending.answer or ()]


def import_all(names: Iterable[str]) -> None:
    """Import the modules that can be imported."""
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def _import_without(names: Sequence[str], subjects: frozenset[str]) -> list[str]:
    refusal = Refusal(subjects)
    sys.meta_path.insert(0, refusal)
    found = []
    for name in names:
        threads = _thread._count()  # noqa: SLF001 - a fork would lose a thread
        with contextlib.suppress(Exception):
            importlib.import_module(name)
            if name not in refusal.dependent and _thread._count() == threads:  # noqa: SLF001
                found.append(name)
        refusal.forget_dependent()
    return found


class Refusal(MetaPathFinder):
    """An import finder that refuses subjects; ``dependent``: modules that look for one (mutable).

    These are all that are being imported when a subject is looked for.
    """

    def __init__(self, subjects: frozenset[str]) -> None:
        self._subjects = subjects
        self.dependent: set[str] = set()

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> None:
        """Find no module.  Raises ImportError for a subject."""
        del path, target
        if fullname in self._subjects:
            self.dependent |= {
                name
                for name, module in list(sys.modules.items())
                if getattr(getattr(module, "__spec__", None), "_initializing", False)
            }
            raise ImportError(fullname)

    def forget_dependent(self) -> None:
        """Have dependent modules that were imported nevertheless look for the subject again."""
        for name in self.dependent:
            sys.modules.pop(name, None)
            package, _, short = name.rpartition(".")
            with contextlib.suppress(AttributeError, KeyError):
                delattr(sys.modules[package], short)
        self.dependent.clear()


class ReimportTrials:
    """Tries mutants in children that collect the suite and run it up to the first failure.

    ``run`` runs pytest in a child; when it is None, a child leaves by ``Continued`` and goes on
    with the pytest run of its parent, in which ``plugin`` is registered.  ``put`` puts a mutant in
    place.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: Sequence[ModuleSource],
        left: SessionRemainder,
        run: Pytest | None = None,
        put: Callable[[ModuleSource, SourceMutant], None] = import_mutant,
    ) -> None:
        self._settings = settings
        self._say = say
        self._sources = sources
        self._left = left
        self._pytest = run
        self._put = put
        self.plugin = UpToFailure(left)

    def narrow(self, wanted: Sequence[PendingMutant]) -> list[PendingMutant]:
        """Run the one known test of each mutant that has one; the mutants that it does not kill.

        A test counts only if it passes without the mutant in the same conditions.
        """
        tests = {one.id: one.test for one in wanted if one.test}
        endings = dict(self._run(tests))
        killed = {key: ending for key, ending in endings.items() if ending.verdict[0] in KILLED}
        controls = [Trial(test, self._work(None, None, test), self._seconds, self._continues)
                    for test in dict.fromkeys(tests[key] for key in killed)]  # fmt: skip
        trials = run_trials(controls, self._settings["jobs"], use_slot_folder)
        holds = {test for test, ending in trials if ending.verdict[0] == "survived"}
        for key, ending in killed.items():
            if tests[key] in holds:
                self._tell(key, ending)
        return [one for one in wanted if one.id not in killed or one.test not in holds]

    def all(self, wanted: Sequence[PendingMutant]) -> None:
        """Report a verdict for each mutant: by its known test, or by the whole suite."""
        self.judge(self.narrow(wanted))

    def holds(self) -> bool:
        """Does the whole suite pass without a mutant in the same conditions?"""
        control = Trial("", self._work(None, None, ""), self._seconds, self._continues)
        endings = dict(run_trials([control], 1, use_slot_folder))
        return endings[""].verdict[0] == "survived"

    def judge(self, rest: Sequence[PendingMutant]) -> None:
        """Report a verdict for each mutant by the whole suite.

        Tests that killed other mutants run first.  That order changes only after fixed numbers of
        kills, between batches, so that verdicts do not depend on the number of children.
        """
        killers: Counter[str] = Counter()
        while rest:
            size = 1 + killers.total()
            batch, rest = rest[:size], rest[size:]
            self.plugin.first = [test for test, _ in killers.most_common()]
            killers.update(self.whole(batch))

    def whole(self, wanted: Sequence[PendingMutant]) -> list[str]:
        """Run the whole suite on each mutant; for each the test that killed it, or ''."""
        endings = dict(self._run({one.id: "" for one in wanted}))
        for key, ending in endings.items():
            self._tell(key, ending)
        return [endings[one.id].verdict[1] or "" for one in wanted]

    def _tell(self, key: str, ending: Ending) -> None:
        verdict, test, ran = ending.verdict
        self._say("verdict", id=key, verdict=verdict, test=test or "", tried=ran, cpu=ending.cpu)

    def _run(self, tests: dict[str, str]) -> Endings[str]:
        work = [
            Trial(
                one.about.id,
                self._work(source, one, tests[one.about.id]),
                self._seconds,
                self._continues,
            )
            for source in self._sources
            for one in source.mutants
            if one.about.id in tests
        ]
        return run_trials(work, self._settings["jobs"], use_slot_folder)

    @property
    def _continues(self) -> bool:
        return self._pytest is None

    @property
    def _seconds(self) -> float:
        return CHILD_WALL_SECONDS + WALL_PER_CPU_SECOND * CPU_FACTOR * self._left.seconds

    def _work(
        self, source: ModuleSource | None, mutant: SourceMutant | None, test: str
    ) -> Callable[[], Any]:
        def tried() -> Any:
            if source is not None and mutant is not None:
                self._put(source, mutant)
            self.plugin.only = test
            limit_cpu(self._left.seconds)
            if self._pytest is None:
                return None
            return self.plugin.answer(self._pytest([self.plugin]))

        return tried

    def go_on(self, child: Continued) -> Callable[[int], None]:
        """In a child, where ``plugin`` is registered: what to call with pytest's exit status."""
        self.plugin.failed = lambda: child.answer(self.plugin.answer(1))
        return lambda status: child.answer(self.plugin.answer(status))


class UpToFailure(OutcomeWatch):
    """A pytest plugin that runs up to the first failure, without the tests that always fail.

    Each test has the CPU time that it has when a mutant is swapped in after collection.
    ``only``: the node id of the only test to run, or ''; ``file``: the only file to collect, or ''.
    ``first``: tests to run first.  ``failed``: called at the first failure.
    """

    def __init__(self, left: SessionRemainder) -> None:
        super().__init__()
        self._left = left
        self._failing = frozenset(left.failing)
        self._ran = 0
        self._test = ""
        self._broken = False
        self.only = ""
        self.file = ""
        self.first: list[str] = []
        self.failed: Callable[[], None] = lambda: None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Stop at the first failure; collect only ``only``, or ``file``, where it is set."""
        session.config.option.maxfail = 1
        if self.only or self.file:
            session.config.args = [str(session.config.rootpath / (self.only or self.file))]

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        """Do not render why something cannot be collected."""
        skip_failure_reports([collector])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record that nothing can be collected where the test is."""
        if report.failed:
            self._broken = True
            self.failed()

    @pytest.hookimpl(tryfirst=True)
    def pytest_pycollect_makeitem(self, name: str) -> list[pytest.Item] | None:
        """Make no items but ``only`` and what it stands in."""
        parts = self.only.partition("[")[0].split("::")[1:]
        return [] if parts and name not in parts else None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Deselect all but ``only``, and tests that fail on the original; put ``first`` first."""
        items[:] = [
            item
            for item in items
            if item.nodeid not in self._failing and self.only in ("", item.nodeid)
        ]
        ranks = {test: rank for rank, test in enumerate(self.first)}
        items.sort(key=lambda item: ranks.get(item.nodeid, len(ranks)))
        skip_failure_reports(items)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Reset the outcome, unless a test has failed; limit the test's time."""
        if not self._test:
            self.reset()
        limit_cpu(self._left.cpu.get(nodeid, self._left.seconds))

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Record the first failure; the time between tests is that of collection."""
        self._ran += 1
        limit_cpu(self._left.seconds)
        if self.verdict == "failed" and not self._test:
            self._test = nodeid
            self.failed()

    def answer(self, status: int) -> Any:
        """(verdict, test that failed, tests that ran), given pytest's exit status."""
        if self._test:
            return (self.kind, self._test, self._ran)
        if self.only and self._broken:
            return ("exception", "", 0)
        if self.only and (status == int(pytest.ExitCode.USAGE_ERROR) or not self._ran):
            return ("unknown", "", 0)
        kept = status in (int(pytest.ExitCode.OK), int(pytest.ExitCode.NO_TESTS_COLLECTED))
        return ("survived" if kept else "exception", "", self._ran)
