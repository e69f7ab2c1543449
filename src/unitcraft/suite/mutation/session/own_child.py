"""Runs tests under pytest's hooks up to the first failure, in a child that tries one mutant.

Invariant: a test runs as it does in a plain run of pytest, except that its CPU time may be limited
and that its failure is not rendered.
"""

from __future__ import annotations

from typing import Any

import pytest

from unitcraft.suite.mutation.session.forked_trials import Ending
from unitcraft.suite.mutation.session.item_runner import (
    FACTOR,
    FLOOR,
    Watch,
    limited,
    quick_reports,
    run_items,
)
from unitcraft.suite.mutation.session.line_probes import Probes
from unitcraft.suite.mutation.session.reimport_trials import PATIENCE, WALL
from unitcraft.suite.mutation.session.shared_child import Tests


def wall_seconds(order: list[int], tests: Tests) -> float:
    """The wall time in seconds that these tests may take on a mutant."""
    return PATIENCE + WALL * (FLOOR + FACTOR * sum(tests.alone[test].cpu for test in order))


def trace(items: list[pytest.Item], watch: Watch, probes: Probes) -> Any:
    """(verdict, lines reached, number of calls) of each item."""
    running = run_items(items, watch, lambda _: probes.forget())
    return [(watch.verdict, *probes.take()) for _ in running]


def run_until_failure(order: list[int], tests: Tests, watch: Watch) -> Any:
    """(verdict, position of the test that failed or -1, tests that ran)."""
    items = [tests.items[test] for test in order]
    quick_reports(items)
    cpu = {item.nodeid: tests.alone[test].cpu if test in tests.alone else PATIENCE
           for item, test in zip(items, order, strict=True)}  # fmt: skip
    ran = 0
    for _ in run_items(items, watch, lambda item: limited(cpu[item.nodeid])):
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
