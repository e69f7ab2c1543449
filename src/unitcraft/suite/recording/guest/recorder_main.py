"""Runs a suite under pytest inside a guarded process and records what its tests execute.

Invariant: the start and the end of each test are reported by one frame each, written to the disk at
once, so that a process that dies leaves a record of all tests before the one that ended it.

Usage: ``python -m unitcraft.suite.recording.guest.recorder_main SETTINGS`` with a JSON object:
``arguments`` (for pytest), ``subjects`` (module names), ``inner``, ``mode`` (``record``, ``cover``,
``heaps`` or ``run``), ``reverse`` (the order of the tests), ``classes`` (those whose heaps are
recorded), ``report`` (the folder for files of frames) and ``ended`` (a file that grows by a byte
for each test that ended, after a line with the number of all).
"""

from __future__ import annotations

import json
import marshal
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from unittest import TestCase

import pytest

from unitcraft.execute.sandbox import audit
from unitcraft.execute.sandbox.elsewhere import watch_environment
from unitcraft.state.heap.class_plans import make_opaque
from unitcraft.suite.recording.guest.recorder import Recorder
from unitcraft.suite.recording.guest.test_branches import Branches
from unitcraft.suite.recording.guest.test_locations import CallsOfTests, location_of
from unitcraft.suite.recording.pytest_options import pytest_command_line
from unitcraft.suite.recording.recorded_functions import Subjects
from unitcraft.suite.recording.representations.equality_representations import (
    EqualityRepresentations,
)

if TYPE_CHECKING:
    from unitcraft.suite.recording.guest.heap_recorder import HeapRecorder

#: Bytes after which the frames go on in another file: guarded processes write no large ones.
MAX_FILE_BYTES: Final = 16_000_000

#: Effects of one test that are reported.
MAX_EFFECTS: Final = 16

#: Characters of a failure that are kept.
MAX_FAILURE_CHARS: Final = 2000


class RecordingPlugin:
    """A pytest plugin that brackets each test for the Recorder (mutable: an open file)."""

    def __init__(
        self,
        recorder: Recorder | HeapRecorder | None,
        branches: Branches | None,
        settings: dict[str, Any],
    ) -> None:
        self._recorder = recorder
        self._variables: Callable[[], tuple[str, ...]] | None = watch_environment()
        self._branches = branches
        self._is_reversed = bool(settings["reverse"])
        self._effects: dict[tuple[str, str, str, bool], None] = {}
        self._report = Path(settings["report"])
        self._files = 0
        self._stream = self._next_file()
        self._ended = Path(settings["ended"]).open("ab", buffering=0)  # noqa: SIM115
        self._verdict = ""
        self._modules = 0

    def say(self, kind: str, **facts: Any) -> None:
        """One frame, on the disk before anything else happens."""
        data = marshal.dumps({"kind": kind, **facts}, 4)
        if self._stream.tell() > MAX_FILE_BYTES:
            self._stream.close()
            self._stream = self._next_file()
        self._stream.write(len(data).to_bytes(4, "big") + data)
        self._stream.flush()

    def report_missed_variables(self) -> None:
        """Report the variables of the environment that were looked up in vain, once."""
        if self._variables is not None:
            names, self._variables = self._variables(), None
            self.say("missed", names=[name for name in names if name not in os.environ])

    def _next_file(self) -> BinaryIO:
        self._files += 1
        return (self._report / f"{self._files:06}").open("wb")

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Begin to record the modules that the suite has imported, those of tests excepted."""
        self.report_missed_variables()
        self._ended.write(b"%d\n" % len(session.items))
        if self._recorder is not None:
            self._recorder.exclude(_test_modules(session), _test_files(session))
            for kind in _framework(session):
                make_opaque(kind)
        self._divert()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Reverse the order where that is asked for."""
        if self._is_reversed:
            items.reverse()

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Report the locations of deselected tests."""
        self.say("deselected", places=[place for item in items if (place := location_of(item))])

    def hear(self, event: str, argument: str, where: str, was_refused: bool) -> None:  # noqa: FBT001
        """The guard saw an effect."""
        if len(self._effects) < MAX_EFFECTS:
            self._effects[event, argument, where, was_refused] = None

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report a collection error."""
        if report.failed:
            self.say("problem", text=f"{report.nodeid}: {report.longrepr}"[-MAX_FAILURE_CHARS:])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test, its fixtures included."""
        self._verdict = "passed"
        self.say("start", node=item.nodeid)
        self._effects.clear()
        if self._branches is not None:
            self._branches.begin(item.nodeid)
        self._divert()
        started = time.perf_counter()
        if self._recorder is not None:
            self._recorder.begin()
        try:
            return (yield)
        finally:
            facts = self._recorder.end() if self._recorder is not None else {}
            facts["seconds"] = time.perf_counter() - started
            facts["effects"] = list(self._effects)
            facts["place"] = location_of(item)
            self.say("end", node=item.nodeid, verdict=self._verdict, **facts)
            self._ended.write(b".")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the worst that a phase of the test came to."""
        if report.failed:
            self._verdict = "failed"
            self.say("problem", text=f"{report.nodeid}: {report.longrepr}"[-MAX_FAILURE_CHARS:])
        elif report.skipped and self._verdict == "passed":
            self._verdict = "skipped"

    def _divert(self) -> None:
        """Look for subject modules when modules were imported."""
        if self._recorder is not None and len(sys.modules) != self._modules:
            self._modules = len(sys.modules)
            self._recorder.divert_loaded()


def _framework(session: pytest.Session) -> list[type]:
    """Classes of objects that hold the whole run: a closure that reaches one is unlike others."""
    kinds = [type(session), type(session.config), *map(type, session.items)]
    cases = [kind for item in session.items if isinstance(kind := getattr(item, "cls", None), type)]
    return list(dict.fromkeys([*kinds, *(kind for kind in cases if issubclass(kind, TestCase))]))


def _test_modules(session: pytest.Session) -> set[str]:
    """The modules of the collected tests, doctests excepted, and their ``conftest`` modules."""
    modules = [getattr(item, "module", None) for item in session.items]
    modules += session.config.pluginmanager.get_plugins()
    return {str(module.__name__) for module in modules if isinstance(module, ModuleType)}


def _test_files(session: pytest.Session) -> list[str]:
    """The files of the collected tests and of their ``conftest`` modules."""
    plugins = [getattr(one, "__file__", None) for one in session.config.pluginmanager.get_plugins()]
    conftests = [str(file) for file in plugins if Path(str(file)).name == "conftest.py"]
    return list(dict.fromkeys([*(str(item.path) for item in session.items), *conftests]))


def main() -> int:
    """Run the suite; the exit status is pytest's."""
    settings = json.loads(sys.argv[1])
    recorder: Recorder | HeapRecorder | None = None
    branches = None
    if settings["mode"] == "record":
        subjects = Subjects(tuple(settings["subjects"]))
        calls = CallsOfTests.where_needed(subjects)
        recorder = Recorder(subjects, EqualityRepresentations, calls, inner=settings["inner"])
    elif settings["mode"] == "heaps":
        # It loads the proxies of symbolic runs, which no other mode needs.
        from unitcraft.suite.recording.guest.heap_recorder import HeapRecorder  # noqa: PLC0415

        layouts = {
            root: {name: (at, tuple(fields)) for at, (name, fields) in enumerate(classes)}
            for root, classes in settings["classes"]
        }
        recorder = HeapRecorder(Subjects(tuple(settings["subjects"])), layouts)
    elif settings["mode"] == "cover":
        branches = Branches(settings["subjects"])
    plugin = RecordingPlugin(recorder, branches, settings)
    audit.LISTENERS.append(plugin.hear)
    started = time.perf_counter()
    status = int(pytest.main(pytest_command_line(settings["arguments"]), plugins=[plugin]))
    plugin.report_missed_variables()
    if branches is not None:
        for frame in branches.end():
            plugin.say("branches", **frame)
    plugin.say("done", status=status, seconds=time.perf_counter() - started)
    return status


if __name__ == "__main__":
    sys.exit(main())
