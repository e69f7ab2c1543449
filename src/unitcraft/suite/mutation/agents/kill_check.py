"""The worker side of mutation analysis: runs tests on mutants and reports which ones they kill.

Invariant: a test kills a mutant if the outcome, the result, or an observation that the test would
assert differs from the one on the original.
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
from unitcraft.suite.mutation.agents.code_swap import CodeSwap
from unitcraft.suite.mutation.agents.kill_evidence import (
    KillEvidence,
    common_parts,
    killed_by,
    parts,
)
from unitcraft.suite.mutation.mutants.code_objects import live_functions
from unitcraft.suite.mutation.mutants.data_mutants import DataSwap, mutants_of_data
from unitcraft.suite.mutation.mutants.function_mutants import MutantPlace

SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}
#: Steps that one test may take on a mutant; a mutant that exhausts them is killed.
MAX_STEPS: Final = 20_000
#: Tests that have to kill a mutant before no further one is tried: selection has a choice by then.
MIN_KILLING_TESTS: Final = 8
#: Tests among them that have to kill it by a Check.
MIN_KILLING_CHECKS: Final = 4


def prepare(options: Plain) -> Plain:
    """Prepare as the search agent does; answers {"mutants": […]}: see ``KillCheck.places``."""
    search_agent.prepare({**options, "rewrite": True})
    name: str = options["module"]
    module = importlib.import_module(name)
    file = str(module.__file__)
    source = Path(file).read_text(encoding="utf-8")
    rng = random.Random(options["seed"])  # noqa: S311 - a sample, not a secret
    patches = CodeSwap(source, file, name, options["limit"], rng, options.get("only"))
    found = [] if options.get("only") else mutants_of_data(ast.parse(source, file), file, rng)
    judge = KillCheck(
        name.partition(".")[0], patches, DataSwap(found, module, live_functions(file))
    )
    SERVICES.update(search_agent.SERVICES)
    SERVICES.update({"baseline": judge.baseline, "judge": judge.judge, "again": judge.again})
    return {
        "mutants": [
            (place.function, place.first, place.line, place.operator, place.variant, users)
            for place, users in judge.places()
        ]
    }


class KillCheck:
    """Runs tests on the original and on mutants of one module (mutable while a mutant is in).

    Mutants are numbered: first the mutants of functions, then those of data.
    """

    __slots__ = ("_code", "_data", "observer")

    def __init__(self, package: str, code: CodeSwap, data: DataSwap) -> None:
        self.observer = Observer(package)
        self._code = code
        self._data = data

    def places(self) -> Iterator[tuple[MutantPlace, tuple[str, ...]]]:
        """The place of each mutant, and the outermost functions that a test has to enter."""
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
        """The parts of a test on the current code: see ``kill_evidence.parts``."""
        return parts(self.observer.after(calls))

    def judge(self, item: Plain) -> Plain:
        """(test, positions, by a Check?) for the tests that kill a mutant: see ``killed_by``.

        ``item`` is (mutant number, [(test, calls, parts on the original)]).  A test that
        exhausts its steps kills the mutant by its outcome and ends the trial.
        """
        number, tests = item
        if not self._apply(number):
            return None
        found: list[Plain] = []
        checked = 0
        try:
            for test, calls, expected in tests:
                seen = self._run_bounded(calls, whole=True)
                notice = ((0,), False) if seen is None else killed_by(expected, seen)
                if notice is not None:
                    found.append((test, *notice))
                    checked += notice[1]
                if seen is None or (
                    len(found) >= MIN_KILLING_TESTS and checked >= MIN_KILLING_CHECKS
                ):
                    break
        finally:
            self._restore()
        return tuple(found)

    def again(self, item: Plain) -> Plain:
        """(parts, [(mutant, positions, by a Check?)]) of a test that replaces another.

        ``item`` is (calls, parts, [(mutant number, by a Check?)]): the parts in another process,
        and the mutants that the replaced test kills.  None when this one does not kill them all,
        or not by a Check where that one does.
        """
        calls, elsewhere, wanted = item
        first = self._run_bounded(calls)
        expected = common_parts(first, elsewhere) if first else ()
        found: list[Plain] = []
        for number, by_check in wanted if expected else ():
            notice = self._on_mutant(number, calls, expected)
            if notice is None or (by_check and not notice[1]):
                return None
            found.append((number, *notice))
        return (expected, tuple(found)) if expected else None

    def _on_mutant(self, number: int, calls: Plain, expected: Plain) -> KillEvidence | None:
        if not self._apply(number):
            return None
        try:
            seen = self._run_bounded(calls, whole=True)
        finally:
            self._restore()
        return ((0,), False) if seen is None else killed_by(expected, seen)

    def _run_bounded(self, calls: Plain, *, whole: bool = False) -> Plain:
        """The parts of ``calls``; None when it exhausts its steps."""
        steps.start(MAX_STEPS)
        try:
            return parts(self.observer.after(calls), whole=whole)
        except steps.StepsExhausted:
            steps.start(MAX_STEPS)
            return None
