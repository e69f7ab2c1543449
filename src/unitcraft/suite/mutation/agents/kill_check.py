"""The worker's side of mutation: which tests notice which mutants.

Invariant: a test notices a mutant when what it would assert (outcome, result,
observers of what changed) differs from what it was on the original code.
"""

from __future__ import annotations

import ast
import importlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.execute import steps
from unitcraft.explore.agents import search_agent
from unitcraft.explore.agents.observers import Observer
from unitcraft.suite.mutation.agents.code_swap import Patches
from unitcraft.suite.mutation.agents.kill_evidence import Notice, agreed, noticed, parts
from unitcraft.suite.mutation.mutants.code_objects import live_functions
from unitcraft.suite.mutation.mutants.data_mutants import DataPatches, mutants
from unitcraft.suite.mutation.mutants.function_mutants import Place

SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}
#: Steps that one test may take on a mutant.
STEPS_FOR_TEST: Final = 20_000
#: Tests that notice a mutant, and those of them that notice it by a Check, after which no more
#: are tried: selection has a choice by then.
ENOUGH: Final = 8
ENOUGH_CHECKED: Final = 4


def prepare(options: Plain) -> Plain:
    """As the search's agent; answers {"mutants": […]}: see ``Judge.places``."""
    search_agent.prepare({**options, "rewrite": True})
    name: str = options["module"]
    module = importlib.import_module(name)
    file = str(module.__file__)
    source = Path(file).read_text(encoding="utf-8")
    rng = random.Random(options["seed"])  # noqa: S311 - a sample, not a secret
    patches = Patches(source, file, name, options["limit"], rng, options.get("only"))
    found = [] if options.get("only") else mutants(ast.parse(source, file), file, rng)
    judge = Judge(name.partition(".")[0], patches, DataPatches(found, module, live_functions(file)))
    SERVICES.update(search_agent.SERVICES)
    SERVICES.update({"baseline": judge.baseline, "judge": judge.judge, "again": judge.again})
    return {
        "mutants": [
            (place.function, place.first, place.line, place.operator, place.variant, users)
            for place, users in judge.places()
        ]
    }


class Judge:
    """Runs tests on the original and on mutants of one module.

    The mutants of code come first, those of data after them.
    """

    __slots__ = ("_code", "_data", "observer")

    def __init__(self, package: str, code: Patches, data: DataPatches) -> None:
        self.observer = Observer(package)
        self._code = code
        self._data = data

    def places(self) -> Iterator[tuple[Place, tuple[str, ...]]]:
        """Where each mutant is, and the outermost functions that a test has to enter."""
        for place in self._code.places:
            yield place, (place.function,)
        for mutant in self._data.found:
            yield mutant.place, mutant.value.users

    def _apply(self, number: int) -> bool:
        count = len(self._code.places)
        return self._code.apply(number) if number < count else self._data.apply(number - count)

    def _restore(self) -> None:
        self._code.restore()
        self._data.restore()

    def baseline(self, calls: Plain) -> Plain:
        """What a test may assert, on the code as it is now: see ``parts``."""
        return parts(self.observer.after(calls))

    def judge(self, item: Plain) -> Plain:
        """(test, positions, by a Check?) for the tests that notice a mutant: see ``noticed``.

        ``item`` is (mutant number, [(test, calls, parts on the original)]).  A test that
        exhausts its steps notices it by its outcome and ends the trial.
        """
        number, tests = item
        if not self._apply(number):
            return None
        found: list[Plain] = []
        checked = 0
        try:
            for test, calls, expected in tests:
                seen = self._bounded(calls, whole=True)
                notice = ((0,), False) if seen is None else noticed(expected, seen)
                if notice is not None:
                    found.append((test, *notice))
                    checked += notice[1]
                if seen is None or (len(found) >= ENOUGH and checked >= ENOUGH_CHECKED):
                    break
        finally:
            self._restore()
        return tuple(found)

    def again(self, item: Plain) -> Plain:
        """(parts, [(mutant, positions, by a Check?)]) of a test that replaces another.

        ``item`` is (calls, parts, [(mutant number, by a Check?)]): the parts in another process,
        and what the other one notices.  None when this one does not notice it all, in that way.
        """
        calls, elsewhere, wanted = item
        first = self._bounded(calls)
        expected = agreed(first, elsewhere) if first else ()
        found: list[Plain] = []
        for number, by_check in wanted if expected else ():
            notice = self._on_mutant(number, calls, expected)
            if notice is None or (by_check and not notice[1]):
                return None
            found.append((number, *notice))
        return (expected, tuple(found)) if expected else None

    def _on_mutant(self, number: int, calls: Plain, expected: Plain) -> Notice | None:
        if not self._apply(number):
            return None
        try:
            seen = self._bounded(calls, whole=True)
        finally:
            self._restore()
        return ((0,), False) if seen is None else noticed(expected, seen)

    def _bounded(self, calls: Plain, *, whole: bool = False) -> Plain:
        """The parts of ``calls``; None when it exhausts its steps."""
        steps.start(STEPS_FOR_TEST)
        try:
            return parts(self.observer.after(calls), whole=whole)
        except steps.StepsExhausted:
            steps.start(STEPS_FOR_TEST)
            return None
