"""Runs collected pytest items under pytest's hooks in a forked child, and classifies failures.

Invariant: an item runs through the hooks that pytest itself would call, so that fixtures, marks,
filters and plugins mean what they always mean; a child stops at the first failure.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, Final

import pytest

from unitcraft.execute.isolation.entropy import ENTROPY

#: A test may take this many times the CPU seconds on a mutant that it takes on the original.
CPU_FACTOR: Final = 10.0
#: CPU seconds added to that limit, for tests that take next to none on the original.
CPU_FLOOR: Final = 0.3
#: Wall seconds that every child may take, in addition to those for its CPU time.
CHILD_WALL_SECONDS: Final = 20.0
#: Wall seconds allowed for each second of CPU time: the machine may be busy.
WALL_PER_CPU_SECOND: Final = 4.0


class OutcomeWatch:
    """A pytest plugin that keeps the worst outcome of the running item and its kind (mutable).

    ``said`` has the words of the first failure.
    An expected failure (xfail) counts as passed, so that its absence on a mutant is a difference.
    """

    def __init__(self) -> None:
        self.verdict = "passed"
        self.kind = ""
        self.said = ""

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, Any]:
        """Record the kind of the first failure among the phases."""
        del item
        report: Any = yield
        if report.failed and self.verdict != "failed":
            self.verdict = "failed"
            self.kind = kind_of(call)
            self.said = call.excinfo.exconly() if call.excinfo is not None else ""
        elif report.skipped and self.verdict == "passed" and not hasattr(report, "wasxfail"):
            self.verdict = "skipped"
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record failures that plugins report themselves (subtests)."""
        if report.failed and self.verdict != "failed":
            self.verdict, self.kind = "failed", "assertion"

    def reset(self) -> None:
        """Forget the outcome, before the next item."""
        self.verdict, self.kind, self.said = "passed", "", ""


def kind_of(call: pytest.CallInfo[Any]) -> str:
    """``assertion`` for an AssertionError or ``pytest.fail``, else ``exception``."""
    if call.excinfo is None:
        return "assertion"
    kinds = (AssertionError, pytest.fail.Exception)
    return "assertion" if issubclass(call.excinfo.type, kinds) else "exception"


def run_items(
    items: Sequence[pytest.Item],
    watch: OutcomeWatch,
    before: Callable[[pytest.Item], None] = lambda _item: None,
) -> Iterator[tuple[pytest.Item, float]]:
    """Run the items in order; yields each with its CPU seconds when it has ended."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        watch.reset()
        ENTROPY.restart()
        before(item)
        started = time.process_time()
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        yield item, time.process_time() - started


def run_until_failure(
    items: Mapping[int, pytest.Item], cpu: Mapping[int, float], watch: OutcomeWatch
) -> tuple[str, int | None, int]:
    """Run items within their ``cpu`` seconds: (verdict, number of the failed one, number run)."""
    skip_failure_reports(list(items.values()))
    limits = {item.nodeid: cpu[number] for number, item in items.items()}
    running = run_items(list(items.values()), watch, lambda item: limit_cpu(limits[item.nodeid]))
    for ran, (number, _) in enumerate(zip(items, running, strict=True), start=1):
        if watch.verdict == "failed":
            return (watch.kind, number, ran)
    return ("survived", None, len(items))


def limit_cpu(cpu: float) -> None:
    """Set the CPU timer of this process for a test that takes ``cpu`` seconds on the original."""
    signal.setitimer(signal.ITIMER_PROF, CPU_FLOOR + CPU_FACTOR * cpu)


def skip_failure_reports(items: Sequence[pytest.Item | pytest.Collector]) -> None:
    """Do not render failures of these items: nobody reads the text, and it is costly."""
    for item in items:
        vars(item)["repr_failure"] = _type_name
        vars(item)["_repr_failure_py"] = _type_name


def _type_name(excinfo: Any, style: Any = None) -> str:
    del style
    return str(excinfo.type.__name__)
