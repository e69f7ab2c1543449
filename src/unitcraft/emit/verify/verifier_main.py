"""Runs one test file under pytest inside a guarded process and reports each test.

Invariant: a test is announced in the report before it starts, so that a process which
dies names the test that killed it.

Usage: ``python -m unitcraft.emit.verify.verifier_main SETTINGS`` with a JSON object: ``tests`` (the
file), ``roots`` (folders of the Subject), ``report`` (JSON lines go there), ``reverse``,
``seconds`` (the limit of one test), ``warnings`` (filters of pytest), ``umask``, ``apart`` (the
package whose state is put back after each test, or empty), ``collects`` (is garbage collected
after each test?), and ``cover`` (the file to measure, or empty) with ``figures`` (where its figures
go).
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import pytest

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.sequences import Build, Symbol
from unitcraft.emit.verify.leaked_state import LeakDetector
from unitcraft.execute.isolation.own_state import OwnState
from unitcraft.subject.literal_args import literal_of

#: Options that make pytest independent of whatever surrounds the file.
OPTIONS: Final = (
    "-q", "--no-header", "--no-summary", "--tb=no", "--show-capture=no",
    "-c", os.devnull, "-p", "no:cacheprovider", "-p", "no:faulthandler", "-p", "no:doctest",
    "-p", "no:pastebin", "-p", "no:junitxml",
)  # fmt: skip

#: Wall seconds that the process may take to end after the last test: on a machine with six times
#: as much work as processors, 5 were too few for one that ends by itself.
ENDING_SECONDS: Final = 20.0

#: Objects that the tests may leave behind in cycles before any are collected.  What one test leaves
#: alive is what another must not depend on: the collector comes at another time in each process.
KEPT_OBJECTS: Final = 1_000_000

#: Characters of a literal that a test states; what is larger is copied.
MAX_LITERAL: Final = 80


class Reporter:
    """A pytest plugin that writes what happens as JSON lines (mutable: it holds the open file)."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self._file = os.path.realpath(settings["tests"])
        self._reverse = bool(settings["reverse"])
        self._seconds = float(settings["seconds"])
        self._leftovers = LeakDetector(settings["roots"])
        self._own = OwnState(settings["apart"]) if settings["apart"] else None
        self._stream = Path(settings["report"]).open("a", encoding="utf-8")  # noqa: SIM115
        self._started = 0.0
        self._finalizers = _FinalizerFailures()
        self._collects = bool(settings["collects"])
        self._repeats = bool(settings["repeats"])
        self._again = False
        if not self._collects:
            gc.set_threshold(KEPT_OBJECTS)
        self.cover: Any = None

    def say(self, **record: Any) -> None:
        """One line, on the disk before anything else happens."""
        self._stream.write(json.dumps(record) + "\n")
        self._stream.flush()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Reverse the order where that is asked for."""
        if self._reverse:
            items.reverse()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtestloop(self, session: pytest.Session) -> Iterator[None]:
        """Run all tests once more where that is asked for: what then fails met its own traces."""
        yield
        self._again = self._repeats
        items = session.items if self._again else []
        for item, following in zip_longest(items, items[1:]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Report why the file could not be imported."""
        if report.failed:
            self.say(kind="collect", message=str(report.longrepr)[-4000:])

    def pytest_runtest_logstart(self) -> None:
        """Start the time limit of the test."""
        _start_watchdog(self._seconds)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Report that the test starts."""
        self.say(kind="start", node=_node(item), row=_row(item))
        if self.cover is not None:
            self.cover.switch_context(item.nodeid.partition("::")[2])
        self._started = time.process_time()

    @pytest.hookimpl(tryfirst=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> bool:
        """Call the test, and report what it leaves changed."""
        names = pyfuncitem._fixtureinfo.argnames  # noqa: SLF001 - as pytest's own caller does
        arguments = {name: pyfuncitem.funcargs[name] for name in names}
        patches = arguments.get("monkeypatch")
        if self._own is not None:
            self._own.save()
        with self._finalizers as unraisable:
            left = self._leftovers.call(_undoing(pyfuncitem.obj, patches), arguments)
            if self._collects:
                gc.collect(1)  # what a test made is young, and may be part of a cycle
        if self._again:
            pass
        elif left:
            self.say(kind="left", node=_node(pyfuncitem), row=_row(pyfuncitem), what=left)
        elif unraisable:
            name = f"{unraisable[0]} in a finalizer"
            self.say(kind="fail", node=_node(pyfuncitem), row=_row(pyfuncitem), line=0, error=name)
        return True

    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        """Report how a phase of the test ended."""
        if call.excinfo is not None and self._again:
            self.say(kind="again", node=_node(item), row=_row(item))
        elif call.excinfo is not None:
            line = self._line(call.excinfo.tb)
            name = call.excinfo.type.__name__
            self.say(kind="fail", node=_node(item), row=_row(item), line=line, error=name)
        if call.when == "call" and self._own is not None:
            changed = self._own.changed()
            self._own.put_back()
            for place in changed:
                said = repr((*place[:2], as_it_was(*place)))
                self.say(kind="own", node=_node(item), row=_row(item), place=said)
        if call.when == "teardown":
            _start_watchdog(ENDING_SECONDS)  # until the next test starts, or to the end
            seconds = time.process_time() - self._started
            self.say(kind="end", node=_node(item), row=_row(item), seconds=round(seconds, 3))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        """Collect what the tests left, and report whether that can be done quietly."""
        self.say(kind="collecting")
        with self._finalizers as unraisable:
            gc.collect()
        self.say(kind="collected", failures=len(unraisable))

    def _line(self, traceback: TracebackType | None) -> int:
        """The innermost line of the test file in the traceback; 0 when there is none."""
        line = 0
        while traceback is not None:
            if os.path.realpath(traceback.tb_frame.f_code.co_filename) == self._file:
                line = traceback.tb_lineno
            traceback = traceback.tb_next
        return line


class _FinalizerFailures:
    """The types of the exceptions that finalizers raised in the block, which nobody can catch.

    pytest shows them as warnings of whichever test runs when the garbage is collected, or fails.
    Mutable: ``seen`` belongs to the last block.
    """

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._note = self._append  # always the same object: hooks are compared by identity

    def _append(self, failure: Any) -> None:
        self.seen.append(failure.exc_type.__name__)

    def __enter__(self) -> list[str]:
        self.seen = []
        self._hook, sys.unraisablehook = sys.unraisablehook, self._note
        return self.seen

    def __exit__(self, *_error: object) -> None:
        sys.unraisablehook = self._hook


def _undoing(function: Callable[..., object], patches: Any) -> Callable[..., object]:
    """``function``, whose patches are undone at its end: they are none that it leaves behind."""
    if not isinstance(patches, pytest.MonkeyPatch):
        return function

    def call(**arguments: Any) -> None:
        try:
            function(**arguments)
        finally:
            patches.undo()

    return call


def as_it_was(module: str, qualname: str, value: Any) -> Plain:
    """What a place held as an Arg: a literal, or a copy of what it holds."""
    literal = literal_of(value)
    if literal is not None and len(repr(value)) <= MAX_LITERAL:
        return encode(literal)
    return encode(Build(Symbol("builtins", type(value).__name__), (Symbol(module, qualname),)))


def _node(item: pytest.Item) -> str:
    name = getattr(item, "originalname", item.name)
    owner = getattr(item, "cls", None)
    return f"{owner.__name__}::{name}" if owner is not None else str(name)


def _row(item: pytest.Item) -> int:
    indices = getattr(getattr(item, "callspec", None), "indices", {})
    return max(indices.values(), default=0)


def main() -> int:
    """Run the file; the exit status is pytest's."""
    settings = json.loads(sys.argv[1])
    os.umask(settings["umask"])
    cover = _coverage(settings["cover"]) if settings["cover"] else None
    reporter = Reporter(settings)
    reporter.cover = cover
    folder = str(Path(settings["tests"]).parent)  # nothing above it is read or collected from
    more = ["--rootdir", folder, "--confcutdir", folder]
    more += ["--basetemp", str(Path(folder, "basetemp"))]  # no folder that users share
    more += ["-o", "\n".join(["filterwarnings=", *settings["warnings"]])]
    more += ["--assert=plain"] if settings["plain"] else []
    status = int(pytest.main([*OPTIONS, *more, settings["tests"]], plugins=[reporter]))
    faulthandler.cancel_dump_traceback_later()
    if cover is not None:
        _report_coverage(cover, settings["figures"])
    reporter.say(kind="done", status=status)
    _start_watchdog(ENDING_SECONDS)
    return status


def _start_watchdog(seconds: float) -> None:
    """End the process when it is still there after some wall time."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=2)


def _coverage(file: str) -> Any:
    """Coverage measurement of ``file``, started; None where coverage.py is not installed."""
    try:
        import coverage  # noqa: PLC0415 - only one of the two runs measures
    except ImportError:
        return None
    measured = coverage.Coverage(
        branch=True, include=[file], data_file=None, config_file=False, messages=False
    )
    measured.start()
    return measured


def _report_coverage(measured: Any, figures: str) -> None:
    import coverage  # noqa: PLC0415

    measured.stop()
    try:
        measured.json_report(outfile=figures, show_contexts=True)
    except coverage.CoverageException as error:
        Path(figures).write_text(json.dumps({"error": str(error)}), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
