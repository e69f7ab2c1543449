"""Mutants of code that runs while a suite is collected: tried in processes that collect it anew.

Invariant: the verdict of a mutant comes from a process in which it was in place before tests were
collected.  Killed: a test fails that passes in the same circumstances without the mutant; survived:
the whole suite passes in a process that imported the mutated source.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pytest

from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.session import forked_trials
from unitcraft.suite.mutation.session.forked_trials import Continued, Ending, Trial
from unitcraft.suite.mutation.session.item_runner import FACTOR, Watch, limited, quick_reports
from unitcraft.suite.mutation.session.line_probes import Finder

#: CPU seconds for a fresh import, beside what the tests take.
COLLECTING: Final = 2.0
#: Wall seconds for a child, beside what its tests may take in CPU seconds.
PATIENCE: Final = 20.0
#: Wall seconds for a second of CPU time.
WALL: Final = 4.0
#: So many mutants are worth no preparation.
FEW: Final = 3

Say = Callable[..., None]
#: Runs pytest with plugins from where this process stands; its exit status.
Pytest = Callable[[list[Any]], int]


@dataclass(frozen=True, slots=True)
class Open:
    """A mutant without a verdict; ``test``: a test that kills it when it comes too late.

    ``late``: none of its lines runs before tests are collected.
    """

    id: str
    late: bool = False
    test: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What the session leaves: plain values only.

    ``failing``: tests that fail without a mutant; ``seconds``: CPU time of all tests;
    ``installed``: modules of installed packages that it had loaded; ``rewritten``: see there.
    """

    open: list[tuple[str, bool, str]]
    failing: list[str]
    seconds: float
    installed: list[str]
    rewritten: dict[str, bytes]

    def as_plain(self) -> tuple[Any, ...]:
        """The fields."""
        return self.open, self.failing, self.seconds, self.installed, self.rewritten


def enter(slot: int) -> None:
    """Give a child its own temporary folder."""
    folder = Path(os.environ.get("TMPDIR", tempfile.gettempdir()), f"slot{slot}")
    folder.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None


def imported_anew(source: ModuleSource, mutant: SourceMutant) -> None:
    """Put a mutant in place where its module has not been imported."""
    sys.meta_path.insert(0, Finder({source.module: source.compiled(mutant)}))


class Fresh:
    """Tries mutants in children that collect the suite and run it up to the first failure.

    ``run``: what runs it; None: the children go on from here, by ``Continued``, with ``plugin``.
    ``put``: puts a mutant in place.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: Sequence[ModuleSource],
        left: Left,
        run: Pytest | None = None,
        put: Callable[[ModuleSource, SourceMutant], None] = imported_anew,
    ) -> None:
        self._settings = settings
        self._say = say
        self._sources = sources
        self._left = left
        self._pytest = run
        self._put = put
        self.plugin = UpToFailure(left.failing)

    def warm_up(self) -> None:
        """Import what the suite needs of the installed packages, as far as none needs a subject."""
        if len(self._left.open) < FEW:
            return
        names = [one for one in self._left.installed if one not in sys.modules]
        trial = Trial(0, lambda: self._harmless(names), PATIENCE)
        for _, ending in forked_trials.run([trial], 1, enter):
            for name in ending.answer or ():
                with contextlib.suppress(Exception):
                    importlib.import_module(name)

    def _harmless(self, names: list[str]) -> list[str]:
        """The first of ``names``, up to one that imports a subject."""
        found = []
        for name in names:
            with contextlib.suppress(Exception):
                importlib.import_module(name)
                if any(subject in sys.modules for subject in self._settings["modules"]):
                    break
                found.append(name)
        return found

    def narrow(self, wanted: Sequence[Open]) -> list[Open]:
        """Run one test for each that has one; those that are not killed by it."""
        tests = {one.id: one.test for one in wanted if one.test}
        endings = dict(self._run(tests))
        killed = {key: ending for key, ending in endings.items() if _read(ending)[0] in KILLS}
        controls = [Trial(test, self._work(None, None, test), self._seconds, self._continues)
                    for test in dict.fromkeys(tests[key] for key in killed)]  # fmt: skip
        holds = {test for test, ending in forked_trials.run(controls, self._settings["jobs"], enter)
                 if _read(ending)[0] == "survived"}  # fmt: skip
        for key, ending in killed.items():
            if tests[key] in holds:
                self._tell(key, ending)
        return [one for one in wanted if one.id not in killed or one.test not in holds]

    def all(self, wanted: Sequence[Open]) -> None:
        """A verdict for each: by its test, or by all tests, those first that killed others.

        What killed is known after 1, 2, 4, … mutants, so that any number of children agrees.
        """
        rest = self.narrow(wanted)
        killers: Counter[str] = Counter()
        while rest:
            size = 1 + killers.total()
            batch, rest = rest[:size], rest[size:]
            self.plugin.first = [test for test, _ in killers.most_common()]
            killers.update(self.whole(batch))

    def whole(self, wanted: Sequence[Open]) -> list[str]:
        """Run the whole suite for each; the tests that killed, or '', in the order of mutants."""
        endings = dict(self._run({one.id: "" for one in wanted}))
        for key, ending in endings.items():
            self._tell(key, ending)
        return [_read(endings[one.id])[1] for one in wanted]

    def _tell(self, key: str, ending: Ending) -> None:
        verdict, test, ran = _read(ending)
        self._say("verdict", id=key, verdict=verdict, test=test, tried=ran, cpu=ending.cpu)

    def _run(self, tests: dict[str, str]) -> forked_trials.Endings[str]:
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
        return forked_trials.run(work, self._settings["jobs"], enter)

    @property
    def _continues(self) -> bool:
        return self._pytest is None

    @property
    def _seconds(self) -> float:
        return PATIENCE + WALL * FACTOR * (self._left.seconds + COLLECTING)

    def _work(
        self, source: ModuleSource | None, mutant: SourceMutant | None, test: str
    ) -> Callable[[], Any]:
        def tried() -> Any:
            if source is not None and mutant is not None:
                self._put(source, mutant)
            self.plugin.only = test
            limited(self._left.seconds + COLLECTING)
            if self._pytest is None:
                return None
            return self.plugin.answer(self._pytest([self.plugin]))

        return tried

    def go_on(self, config: pytest.Config, child: Continued) -> Callable[[int], None]:
        """In a child: go on with pytest; what is to be called in the end."""
        config.pluginmanager.register(self.plugin)
        self.plugin.failed = lambda: child.answer(self.plugin.answer(1))
        return lambda status: child.answer(self.plugin.answer(status))


class UpToFailure(Watch):
    """Counts tests, leaves out those that fail without a mutant, keeps the first that fails.

    ``only``: the node id of the only test to collect.  ``first``: tests to begin with.  ``failed``:
    called when the only test has failed.
    """

    def __init__(self, failing: list[str]) -> None:
        super().__init__()
        self._failing = frozenset(failing)
        self._ran = 0
        self._test = ""
        self.only = ""
        self.first: list[str] = []
        self.failed: Callable[[], None] = lambda: None

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self, session: pytest.Session) -> None:
        """Stop at the first failure; collect what is wanted."""
        session.config.option.maxfail = 1
        if self.only:
            session.config.args = [str(session.config.rootpath / self.only)]

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what says nothing."""
        items[:] = [item for item in items if item.nodeid not in self._failing]
        ranks = {test: rank for rank, test in enumerate(self.first)}
        items.sort(key=lambda item: ranks.get(item.nodeid, len(ranks)))
        quick_reports(items)

    def pytest_runtest_logstart(self) -> None:
        """Begin another test."""
        if not self._test:
            self.reset()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Note the first failure."""
        self._ran += 1
        if self.verdict == "failed" and not self._test:
            self._test = nodeid
            if self.only:
                self.failed()

    def answer(self, status: int) -> Any:
        """(verdict, test, tests that ran)."""
        if self._test:
            return (self.kind, self._test, self._ran)
        if self.only and (status == int(pytest.ExitCode.USAGE_ERROR) or not self._ran):
            return ("unknown", "", 0)
        kept = status in (int(pytest.ExitCode.OK), int(pytest.ExitCode.NO_TESTS_COLLECTED))
        return ("survived" if kept else "exception", "", self._ran)


#: Verdicts of a test that noticed something.
KILLS: Final = frozenset({"assertion", "exception", "timeout", "died"})


def _read(ending: Ending) -> tuple[str, str, int]:
    if ending.timed_out:
        return "timeout", "", 0
    if not ending.answer:
        return "died", "", 0
    verdict, test, ran = ending.answer
    return verdict, test, ran
