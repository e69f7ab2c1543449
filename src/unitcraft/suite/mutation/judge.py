"""The worker's side of mutation: which tests notice which mutants.

Invariant: a test notices a mutant when what it would assert (outcome, result,
observers of what changed) differs from what it was on the original code.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from unitcraft.core.wire import Plain
from unitcraft.execute import steps
from unitcraft.explore import agent
from unitcraft.explore.observing import Observer
from unitcraft.suite.mutation.notices import Notice, agreed, noticed, parts
from unitcraft.suite.mutation.patching import Patches

SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}
#: Steps that one test may take on a mutant.
STEPS_FOR_TEST: Final = 20_000
#: Tests that notice a mutant, and those of them that notice it by a Check, after which no more
#: are tried: selection has a choice by then.
ENOUGH: Final = 8
ENOUGH_CHECKED: Final = 4


def prepare(options: Plain) -> Plain:
    """As the search's agent; answers {"mutants": [(function, first, line, operator, variant)]}."""
    agent.prepare({**options, "rewrite": True})
    name: str = options["module"]
    module = importlib.import_module(name)
    file = str(module.__file__)
    source = Path(file).read_text(encoding="utf-8")
    rng = random.Random(options["seed"])  # noqa: S311 - a sample, not a secret
    patches = Patches(source, file, name, options["limit"], rng, options.get("only"))
    judge = Judge(name.partition(".")[0], patches)
    SERVICES.update(agent.SERVICES)
    SERVICES.update({"baseline": judge.baseline, "judge": judge.judge, "again": judge.again})
    return {
        "mutants": [
            (place.function, place.first, place.line, place.operator, place.variant)
            for place in judge.patches.places
        ]
    }


class Judge:
    """Runs tests on the original and on mutants of one module."""

    __slots__ = ("observer", "patches")

    def __init__(self, package: str, patches: Patches) -> None:
        self.observer = Observer(package)
        self.patches = patches

    def baseline(self, calls: Plain) -> Plain:
        """What a test may assert, on the code as it is now: see ``parts``."""
        return parts(self.observer.after(calls))

    def judge(self, item: Plain) -> Plain:
        """(test, positions, by a Check?) for the tests that notice a mutant: see ``noticed``.

        ``item`` is (mutant number, [(test, calls, parts on the original)]).  A test that
        exhausts its steps notices it by its outcome and ends the trial.
        """
        number, tests = item
        if not self.patches.apply(number):
            return None
        found: list[Plain] = []
        checked = 0
        try:
            for test, calls, expected in tests:
                seen = self._bounded(calls)
                notice = ((0,), False) if seen is None else noticed(expected, seen)
                if notice is not None:
                    found.append((test, *notice))
                    checked += notice[1]
                if seen is None or (len(found) >= ENOUGH and checked >= ENOUGH_CHECKED):
                    break
        finally:
            self.patches.restore()
        return tuple(found)

    def again(self, item: Plain) -> Plain:
        """(parts, [(mutant, positions, by a Check?)]) of a test that replaces another.

        ``item`` is (calls, [(mutant number, by a Check?)]): what the other one notices.  None when
        this one does not notice it all, in that way.
        """
        calls, wanted = item
        first, second = self._bounded(calls), self._bounded(calls)
        expected = agreed(first, second) if first and second else ()
        found: list[Plain] = []
        for number, by_check in wanted if expected else ():
            notice = self._on_mutant(number, calls, expected)
            if notice is None or (by_check and not notice[1]):
                return None
            found.append((number, *notice))
        return (expected, tuple(found)) if expected else None

    def _on_mutant(self, number: int, calls: Plain, expected: Plain) -> Notice | None:
        if not self.patches.apply(number):
            return None
        try:
            seen = self._bounded(calls)
        finally:
            self.patches.restore()
        return ((0,), False) if seen is None else noticed(expected, seen)

    def _bounded(self, calls: Plain) -> Plain:
        """``baseline`` of ``calls``; None when it exhausts its steps."""
        steps.start(STEPS_FOR_TEST)
        try:
            return self.baseline(calls)
        except steps.StepsExhausted:
            steps.start(STEPS_FOR_TEST)
            return None
