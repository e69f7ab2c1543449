"""Runs collected pytest items in a forked child, and says which failed and how.

Invariant: an item runs through the hooks that pytest itself would call, so that fixtures, marks,
filters and plugins mean what they always mean; a child stops at the first failure.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, Final

import pytest

#: CPU seconds that one test may take on a mutant: what it takes on the original times FACTOR, more.
FACTOR: Final = 10.0
FLOOR: Final = 0.3


class Watch:
    """A pytest plugin that keeps the worst outcome of the item that runs, and its kind.

    A failure that was expected is passed: on a mutant, it can be missed.
    """

    def __init__(self) -> None:
        self.verdict = "passed"
        self.kind = ""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Note how the first phase that fails does."""
        del item
        report: Any = yield
        if report.failed and self.verdict != "failed":
            self.verdict = "failed"
            self.kind = kind_of(call)
        elif report.skipped and self.verdict == "passed" and not hasattr(report, "wasxfail"):
            self.verdict = "skipped"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Reports that plugins make themselves (subtests) count too."""
        if report.failed and self.verdict != "failed":
            self.verdict, self.kind = "failed", "assertion"

    def reset(self) -> None:
        """Before the next item."""
        self.verdict, self.kind = "passed", ""


def kind_of(call: pytest.CallInfo[Any]) -> str:
    """``assertion`` when the test itself says that something is wrong, else ``exception``."""
    if call.excinfo is None:
        return "assertion"
    kinds = (AssertionError, pytest.fail.Exception)
    return "assertion" if issubclass(call.excinfo.type, kinds) else "exception"


def run_items(
    items: Sequence[pytest.Item],
    watch: Watch,
    before: Callable[[pytest.Item], None] = lambda _item: None,
) -> Iterator[tuple[pytest.Item, float]]:
    """Run the items in order; each with its CPU seconds when it has ended."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        watch.reset()
        before(item)
        started = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        yield item, time.process_time() - started


def limited(cpu: float) -> None:
    """End this process when it uses much more CPU time from now on than ``cpu`` seconds."""
    signal.setitimer(signal.ITIMER_PROF, FLOOR + FACTOR * cpu)


def quick_reports(items: Sequence[pytest.Item]) -> None:
    """Nobody reads what a failure of these items looks like: do not write it up."""
    for item in items:
        vars(item)["repr_failure"] = _said
        vars(item)["_repr_failure_py"] = _said


def _said(excinfo: Any, style: Any = None) -> str:
    del style
    return str(excinfo.type.__name__)
