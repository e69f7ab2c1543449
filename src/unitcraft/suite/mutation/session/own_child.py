"""Runs tests under pytest's hooks up to the first failure, in a child that tries one mutant.

Invariant: a test runs as it does in a plain run of pytest, except that its CPU time may be limited
and that its failure is not rendered.
"""

from __future__ import annotations

from typing import Any

import pytest

from unitcraft.suite.mutation.session.forked_children import Ending
from unitcraft.suite.mutation.session.item_runner import (
    CPU_FACTOR,
    CPU_FLOOR,
    OutcomeWatch,
    limit_cpu,
    run_items,
    skip_failure_reports,
)
from unitcraft.suite.mutation.session.line_probes import LineProbes
from unitcraft.suite.mutation.session.reimport_trials import CHILD_WALL_SECONDS, WALL_PER_CPU_SECOND
from unitcraft.suite.mutation.session.shared_child import CollectedTests


def wall_seconds(order: list[int], tests: CollectedTests) -> float:
    """The wall time in seconds that these tests may take on a mutant."""
    return CHILD_WALL_SECONDS + WALL_PER_CPU_SECOND * (
        CPU_FLOOR + CPU_FACTOR * sum(tests.alone[test].cpu for test in order)
    )


def trace(items: list[pytest.Item], watch: OutcomeWatch, probes: LineProbes) -> Any:
    """(verdict, lines reached, number of calls) of each item."""
    running = run_items(items, watch, lambda _: probes.forget())
    return [(watch.verdict, *probes.take()) for _ in running]


def run_until_failure(order: list[int], tests: CollectedTests, watch: OutcomeWatch) -> Any:
    """(verdict, position of the test that failed or -1, tests that ran)."""
    items = [tests.items[test] for test in order]
    skip_failure_reports(items)
    cpu = {item.nodeid: tests.alone[test].cpu if test in tests.alone else CHILD_WALL_SECONDS
           for item, test in zip(items, order, strict=True)}  # fmt: skip
    ran = 0
    for _ in run_items(items, watch, lambda item: limit_cpu(cpu[item.nodeid])):
        ran += 1
        if watch.verdict == "failed":
            return (watch.kind, ran - 1, ran)
    return ("survived", -1, ran)


def verdict_of(ending: Ending, order: list[int]) -> tuple[str, int | None, int]:
    """(verdict, test, tests that ran) of a trial."""
    if ending.timed_out:
        return "timeout", None, 0
    if not ending.answer:
        return "died", None, 0
    verdict, position, ran = ending.answer
    return verdict, order[position] if position >= 0 else None, ran
