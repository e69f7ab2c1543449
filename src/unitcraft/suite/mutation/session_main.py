"""The guarded process of a campaign: forks the warm session, then does what needs fresh imports.

Invariant: this process imports pytest and unitcraft only; the suite and its subjects live in the
session, and in children in which a mutated module is imported from the start.

Usage: ``python -m unitcraft.suite.mutation.session_main FILE`` with a JSON object: see ``Session``;
moreover ``arguments`` (for pytest), ``report`` (a file of JSON lines, appended to).
"""

from __future__ import annotations

import json
import marshal
import os
import resource
import sys
import tempfile
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

import pytest

from unitcraft.execute import forking
from unitcraft.suite.mutation import trials
from unitcraft.suite.mutation.reach import Reach
from unitcraft.suite.mutation.running import FACTOR, Watch, limited
from unitcraft.suite.mutation.session import PATIENCE, WALL, Session
from unitcraft.suite.mutation.sources import ModuleSource, SourceMutant
from unitcraft.suite.mutation.trials import Ending, Trial
from unitcraft.suite.recording.recorder_main import OPTIONS, STILLED

#: CPU seconds for a fresh import, beside what the tests take.
COLLECTING: Final = 2.0


class Report:
    """A file of JSON lines, each whole on the disk before anything else happens."""

    def __init__(self, file: str) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def say(self, kind: str, **facts: Any) -> None:
        """One line."""
        os.write(self._descriptor, json.dumps({"kind": kind, **facts}).encode() + b"\n")


def main() -> int:
    """Run the campaign; 0 when it came to its end."""
    settings = json.loads(Path(sys.argv[1]).read_text())
    report = Report(settings["report"])
    silenced = os.open(os.devnull, os.O_WRONLY)
    stilled = [word for name, words in STILLED if find_spec(name) is not None for word in words]
    arguments = [*OPTIONS, "--capture=sys", *stilled, *settings["arguments"]]
    ending = _warm(settings, report, arguments)
    if ending is None:
        report.say("done", status=2)
        return 2
    fresh = Fresh(settings, report, ending, arguments)
    os.dup2(silenced, 1)
    fresh.run()
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    report.say("done", status=0, cpu=sum(one.ru_utime + one.ru_stime for one in usage))
    return 0


def _warm(settings: dict[str, Any], report: Report, arguments: list[str]) -> Any:
    """Fork the session: (ids left, failing tests, CPU seconds of the tests), or None."""
    theirs_out, theirs_in = os.pipe()
    pid = forking.fork(again=True)
    if pid == 0:
        status = 1
        try:
            answer = _session(settings, report, arguments)
            os.write(theirs_in, marshal.dumps(answer, 4))
            status = 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            forking.leave(status)
    os.close(theirs_in)
    data = b""
    while chunk := os.read(theirs_out, trials.CHUNK):
        data += chunk
    _, status = os.waitpid(pid, 0)
    if status:
        report.say("problem", text=f"the session ended with wait status {status}")
        return None
    return marshal.loads(data)  # noqa: S302 - plain values only


def _session(settings: dict[str, Any], report: Report, arguments: list[str]) -> Any:
    collecting = Reach(settings["modules"].values())
    session = Session(settings, report.say, collecting, enter)
    collecting.start()
    status = pytest.main(arguments, plugins=[session])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) or not session.ran:
        report.say("problem", text=f"pytest ended with status {int(status)} before any test ran")
        return None
    return (session.fresh, session.failing, session.seconds)


def enter(slot: int) -> None:
    """Give a child its own temporary folder."""
    folder = Path(os.environ.get("TMPDIR", tempfile.gettempdir()), f"slot{slot}")
    folder.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None


class Fresh:
    """Tries the mutants that need a fresh import: one whole pytest run each, up to a failure."""

    def __init__(
        self, settings: dict[str, Any], report: Report, left: Any, arguments: list[str]
    ) -> None:
        self._settings = settings
        self._report = report
        self._left, self._failing, self._cpu = left
        self._arguments = arguments

    def run(self) -> None:
        """Try all of them."""
        wanted = set(self._left)
        work = []
        for name, file in self._settings["modules"].items():
            source = ModuleSource(name, file, Path(file).read_text(encoding="utf-8"))
            mutants = [one for one in source.mutants if one.about.id in wanted]
            work += [self._trial(source, one) for one in mutants]
        for key, ending in trials.run(work, self._settings["jobs"], enter):
            verdict, test, ran = _read(ending)
            self._report.say("verdict", id=key, verdict=verdict, test=test, tried=ran,
                             cpu=ending.cpu)  # fmt: skip

    def _trial(self, source: ModuleSource, mutant: SourceMutant) -> Trial[str]:
        cpu = self._cpu + COLLECTING

        def tried() -> Any:
            sys.meta_path.insert(0, MutatedFinder(source.module, source.compiled(mutant)))
            limited(cpu)
            plugin = UpToFailure(self._failing)
            status = pytest.main([*self._arguments, "-x"], plugins=[plugin])
            return plugin.answer(int(status))

        return Trial(mutant.about.id, tried, PATIENCE + WALL * FACTOR * cpu)


class UpToFailure(Watch):
    """Counts tests, leaves out those that fail without a mutant, keeps the first that fails."""

    def __init__(self, failing: list[str]) -> None:
        super().__init__()
        self._failing = frozenset(failing)
        self._ran = 0
        self._test = ""

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what says nothing."""
        items[:] = [item for item in items if item.nodeid not in self._failing]

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """Note the first failure."""
        self._ran += 1
        if self.verdict == "failed" and not self._test:
            self._test = nodeid

    def pytest_runtest_logstart(self) -> None:
        """Begin another test."""
        if not self._test:
            self.reset()

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


class MutatedLoader(SourceFileLoader):
    """Loads a module whose code is given."""

    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """The given code."""
        del fullname
        return self._code


class MutatedFinder(MetaPathFinder):
    """Finds one module, and gives it the given code."""

    def __init__(self, name: str, code: CodeType) -> None:
        self._name = name
        self._code = code

    def find_spec(
        self, fullname: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of the mutated module; None for every other."""
        if fullname != self._name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.origin is not None:
            spec.loader = MutatedLoader(fullname, spec.origin, self._code)
        return spec


if __name__ == "__main__":
    sys.exit(main())
