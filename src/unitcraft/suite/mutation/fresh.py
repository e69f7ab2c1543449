"""Mutants of code that runs while a suite is collected: tried in processes that import it anew.

Invariant: a mutant is tried where none of the subjects has been imported: in a fork of a pytest
that has loaded its plugins and no conftest file, or, when a plugin has imported one, of a process
before that.
"""

from __future__ import annotations

import contextlib
import importlib
import marshal
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from unitcraft.execute import forking
from unitcraft.suite.mutation import trials
from unitcraft.suite.mutation.probes import Finder
from unitcraft.suite.mutation.running import FACTOR, Watch, limited, quick_reports
from unitcraft.suite.mutation.session import PATIENCE, WALL, Say, Session
from unitcraft.suite.mutation.sources import ModuleSource, SourceMutant
from unitcraft.suite.mutation.trials import Continued, Ending, Trial

#: CPU seconds for a fresh import, beside what the tests take.
COLLECTING: Final = 2.0
#: So many mutants are worth no preparation.
FEW: Final = 3

#: What the session leaves: ids of mutants, tests that fail without one, CPU seconds of the tests,
#: and names of installed modules that it had loaded.
Left = tuple[list[str], list[str], float, list[str]]

#: Runs pytest with plugins from where this process stands; its exit status.
Pytest = Callable[[list[Any]], int]


def enter(slot: int) -> None:
    """Give a child its own temporary folder."""
    folder = Path(os.environ.get("TMPDIR", tempfile.gettempdir()), f"slot{slot}")
    folder.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None


class Answers:
    """A fork that may fork, and the pipe on which it answers."""

    def __init__(self) -> None:
        self._out, self._in = os.pipe()
        self.pid = forking.fork(again=True)
        os.close(self._out if self.pid == 0 else self._in)

    def leave(self, answer: Left | None) -> None:
        """In the fork: answer and end."""
        os.write(self._in, marshal.dumps(answer, 4))
        sys.stdout.flush()
        sys.stderr.flush()
        forking.leave()

    def receive(self) -> Left | None:
        """What the fork answered; None too when it died."""
        data = b""
        while chunk := os.read(self._out, trials.CHUNK):
            data += chunk
        os.close(self._out)
        _, status = os.waitpid(self.pid, 0)
        return None if status or not data else marshal.loads(data)  # noqa: S302 - plain values


class Gate:
    """A pytest plugin that forks the warm session before pytest loads the first conftest files.

    What the session leaves is tried here, unless a plugin has imported a subject already.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: list[ModuleSource],
        session: Session,
        outer: Answers,
    ) -> None:
        self._settings = settings
        self._sources = sources
        self._say = say
        self._session = session
        self._outer = outer
        self.finish: Callable[[int], None] | None = None

    @pytest.hookimpl(tryfirst=True)
    def pytest_load_initial_conftests(self, early_config: pytest.Config) -> None:
        """The session and the children for mutants go on from here; this process does not."""
        if any(name in sys.modules for name in self._settings["modules"]):
            return
        answers = Answers()
        if answers.pid == 0:
            self._outer = answers
            return
        early_config.pluginmanager.unregister(self._session)
        left = answers.receive()
        if left is not None:
            fresh = Fresh(self._settings, self._say, self._sources, left)
            fresh.warm_up()
            try:
                fresh.run()
            except Continued as continued:
                child = continued
                early_config.pluginmanager.register(fresh.plugin)
                self.finish = lambda status: child.answer(fresh.plugin.answer(status))
                return
            left = ([], *left[1:])
        self._outer.leave(left)

    def leave(self, answer: Left | None) -> None:
        """End the session's process."""
        self._outer.leave(answer)


class Fresh:
    """Tries mutants with a whole run of the suite each, up to the first failure.

    ``run``: what runs it; None: the children go on from here, with ``plugin``.
    """

    def __init__(
        self,
        settings: dict[str, Any],
        say: Say,
        sources: list[ModuleSource],
        left: Left,
        run: Pytest | None = None,
    ) -> None:
        self._settings = settings
        self._sources = sources
        self._say = say
        self._wanted, self._failing, self._cpu, self._installed = left
        self._pytest = run
        self.plugin = UpToFailure(self._failing)

    def warm_up(self) -> None:
        """Import what the suite needs of the installed packages, as far as none needs a subject."""
        if len(self._wanted) < FEW:
            return
        names = [one for one in self._installed if one not in sys.modules]
        trial = Trial(0, lambda: self._harmless(names), PATIENCE)
        for _, ending in trials.run([trial], 1, enter):
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

    def run(self) -> None:
        """Try all of them."""
        wanted = frozenset(self._wanted)
        work = []
        for source in self._sources:
            mutants = [one for one in source.mutants if one.about.id in wanted]
            work += [self._trial(source, one) for one in mutants]
        for key, ending in trials.run(work, self._settings["jobs"], enter):
            verdict, test, ran = _read(ending)
            self._say("verdict", id=key, verdict=verdict, test=test, tried=ran, cpu=ending.cpu)

    def _trial(self, source: ModuleSource, mutant: SourceMutant) -> Trial[str]:
        cpu = self._cpu + COLLECTING

        def tried() -> Any:
            sys.meta_path.insert(0, Finder({source.module: source.compiled(mutant)}))
            limited(cpu)
            if self._pytest is None:
                return None
            return self.plugin.answer(self._pytest([self.plugin]))

        seconds = PATIENCE + WALL * FACTOR * cpu
        return Trial(mutant.about.id, tried, seconds, continues=self._pytest is None)


class UpToFailure(Watch):
    """Counts tests, leaves out those that fail without a mutant, keeps the first that fails."""

    def __init__(self, failing: list[str]) -> None:
        super().__init__()
        self._failing = frozenset(failing)
        self._ran = 0
        self._test = ""

    def pytest_configure(self, config: pytest.Config) -> None:
        """Stop at the first failure."""
        config.option.maxfail = 1

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what says nothing."""
        items[:] = [item for item in items if item.nodeid not in self._failing]
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

    def answer(self, status: int) -> Any:
        """(verdict, test, tests that ran)."""
        if self._test:
            return (self.kind, self._test, self._ran)
        kept = status in (int(pytest.ExitCode.OK), int(pytest.ExitCode.NO_TESTS_COLLECTED))
        return ("survived" if kept else "exception", "", self._ran)


def _read(ending: Ending) -> tuple[str, str, int]:
    if ending.timed_out:
        return "timeout", "", 0
    if not ending.answer:
        return "died", "", 0
    verdict, test, ran = ending.answer
    return verdict, test, ran
