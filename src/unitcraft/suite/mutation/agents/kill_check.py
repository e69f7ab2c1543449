"""The worker side of mutation analysis: runs tests on mutants and reports which ones they kill.

Invariant: a test kills a mutant if the outcome, the result, or an observation that the test would
assert differs from the one on the original.  On a mutant only those are observed.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.execute import steps
from unitcraft.execute.isolation.entropy import ENTROPY, STREAMS
from unitcraft.explore.agents.observers import Observer, are_equal
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.step_probes import StepProbes, counting_steps
from unitcraft.subject.source_files import read_source
from unitcraft.suite.mutation.agents.kill_evidence import (
    MESSAGE,
    OUTCOME,
    RESULT,
    KillEvidence,
    asserted_parts,
    common_evidence,
    common_parts,
    killed_by,
    parts,
    split_held,
    with_held,
)
from unitcraft.suite.mutation.mutants.code_swap import CodeSwap
from unitcraft.suite.mutation.mutants.mutant_sample import sample_code, sample_data
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant

SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}
#: Steps that one test may take on a mutant; a mutant that exhausts them is killed.
MAX_STEPS: Final = 20_000
#: Tests that have to kill a mutant before no further one is tried: selection has a choice by then.
MIN_KILLING_TESTS: Final = 8
#: Tests among them that have to kill it by a Check.
MIN_KILLING_CHECKS: Final = 4
#: Keys of parts that no observer shows.
_NO_OBSERVERS: Final = frozenset((OUTCOME, MESSAGE, RESULT))


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import a module that counts its steps.

    Answers {"mutants": [(id, users, first, last line)], "gone": number of others}.  A mutant of
    code does nothing in a run that enters none of the lines; one of data has none.  The others are
    of functions that only the import could call.
    """
    name: str = options["module"]
    hook = Hook(name, StepProbes())
    hook.install()
    module = import_subject(name)
    hook.choice.settle()
    hook.choice.load_late()
    file = str(module.__file__)
    source = ModuleSource(name, file, read_source(file))
    swap = CodeSwap(source, counting_steps)
    swap.compile_marks()
    chosen = swap.load(_chosen(source, options))
    mutants = [one for one in chosen if swap.is_live(one)]
    judge = KillCheck(name, swap, mutants, source.text)
    SERVICES.update({"baseline": judge.baseline, "judge": judge.judge, "again": judge.again})
    rows = [(one.about.id, one.users, *_span(source, one)) for one in mutants]
    return {"mutants": rows, "gone": len(chosen) - len(mutants)}


def _span(source: ModuleSource, mutant: SourceMutant) -> tuple[int, int]:
    """The first and the last line of the statement that a mutant of code changes, else (0, 0)."""
    lines = () if mutant.value is not None else source.lines_of(mutant)
    return (lines[0], lines[-1]) if lines else (0, 0)


def _chosen(source: ModuleSource, options: Plain) -> list[SourceMutant]:
    """The mutants with the ids ``only``, or a sample of those that code ``within`` a name has."""
    if options.get("only"):
        return [one for one in source.mutants if one.about.id in options["only"]]
    rng = random.Random(options["seed"])  # noqa: S311 - a sample, not a secret
    mutants = [one for one in source.mutants if _is_used_within(options.get("within", ""), one)]
    code = sample_code(mutants, options["limit"], rng)
    return [*code, *sample_data(mutants)]


def _is_used_within(name: str, mutant: SourceMutant) -> bool:
    """Does the function or class ``name`` ('' for the module) have or use the mutant's code?"""
    return not name or any(f"{user}.".startswith(f"{name}.") for user in mutant.users)


class KillCheck:
    """Runs tests on the original and on ``mutants`` of one module (mutable while one is in)."""

    __slots__ = ("_lines", "_mutants", "_swap", "observer")

    def __init__(
        self, module: str, swap: CodeSwap, mutants: list[SourceMutant], source: str = ""
    ) -> None:
        self.observer = Observer(module.partition(".")[0], module, source)
        self._lines: set[int] = set()
        self._swap = swap
        self._mutants = mutants

    def baseline(self, calls: Plain) -> Plain:
        """(parts, lines) of a test on the current code: see ``kill_evidence.parts``.

        ``lines`` are those of the module's statements that ran, and all of functions that cannot
        tell.
        """
        self._lines.clear()
        blind = self._swap.mark_lines(self._lines.add)
        try:
            seen = self._asserted(calls)
        finally:
            self._swap.restore()
        return seen, (*sorted(self._lines), *blind)

    def judge(self, item: Plain) -> Plain:
        """(test, positions, by a Check?) for the tests that kill a mutant: see ``killed_by``.

        ``item`` is (mutant number, [(test, calls, parts on the original)]).  A test that
        exhausts its steps kills the mutant by its outcome and ends the trial.
        """
        number, tests = item
        if not self._swap.apply(self._mutants[number]):
            return None
        found: list[Plain] = []
        checked = 0
        try:
            for test, calls, expected in tests:
                notice, is_endless = self._notice(calls, expected)
                if notice is not None:
                    found.append((test, *notice))
                    checked += notice[1]
                if is_endless or (
                    len(found) >= MIN_KILLING_TESTS and checked >= MIN_KILLING_CHECKS
                ):
                    break
        finally:
            self._swap.restore()
        return tuple(found)

    def again(self, item: Plain) -> Plain:
        """(parts, [(mutant, positions, by a Check?)]) of a test that replaces another.

        ``item`` is (calls, parts, [(mutant number, by a Check?)], all?): the parts in another
        process, and the mutants that the replaced test kills.  None when this one does not kill
        them all, or not by a Check where that one does, unless some of them will do.  Only what was
        seen there is observed here: to find observers takes several times as long as to ask them.
        """
        calls, elsewhere, wanted, whole = item
        first = _bounded(lambda: self._seen_of(calls, elsewhere)) if elsewhere else ()
        expected = common_parts(elsewhere, first) if first else ()
        found: list[Plain] = []
        for number, by_check in wanted if expected else ():
            notice = self._on_mutant(number, calls, expected)
            if whole and (notice is None or (by_check and not notice[1])):
                return None
            if notice is not None:
                found.append((number, *notice))
        return (expected, tuple(found)) if expected else None

    def _on_mutant(self, number: int, calls: Plain, expected: Plain) -> KillEvidence | None:
        if not self._swap.apply(self._mutants[number]):
            return None
        try:
            return self._notice(calls, expected)[0]
        finally:
            self._swap.restore()

    def _notice(self, calls: Plain, expected: Plain) -> tuple[KillEvidence | None, bool]:
        """(evidence that the test kills the mutant that is in, did it exhaust its steps?).

        Where the run draws random values, what other draws show as well.
        """
        ENTROPY.start()
        notice, is_endless = self._notice_once(calls, expected)
        if notice is None or not ENTROPY.drawn():
            return notice, is_endless
        for number in range(1, STREAMS):
            ENTROPY.restart(number)
            again, _ = self._notice_once(calls, expected)
            notice = common_evidence(notice, again)
            if notice is None:
                break
        ENTROPY.restart()
        return notice, is_endless and notice is not None

    def _notice_once(self, calls: Plain, expected: Plain) -> tuple[KillEvidence | None, bool]:
        def judge() -> Plain:
            seen = parts(self._observe(calls, expected))
            return killed_by(expected, seen, are_equal), False

        found: tuple[KillEvidence | None, bool] | None = _bounded(judge)
        return (((0,), False), True) if found is None else found

    def _seen_of(self, calls: Plain, expected: Plain) -> Plain:
        """The parts of ``calls`` now, of the observations those of ``expected``."""
        after = self._observe(calls, expected)
        return with_held(parts(after), after, len(calls) - 1)

    def _observe(self, calls: Plain, expected: Plain) -> Plain:
        """An ``AfterAnswer`` of ``calls`` with the observers of the parts ``expected``."""
        shown, _ = split_held(expected)
        wanted = [_observer_of(key) for key, _ in shown if key not in _NO_OBSERVERS]
        return self.observer.after_as_known(calls, wanted)

    def _asserted(self, calls: Plain) -> Plain:
        """The parts of ``calls`` that a test asserts, where two runs have them in common."""
        after = self.observer.after(calls)
        return with_held(asserted_parts(after, calls), after, len(calls) - 1)


def _bounded(run: Callable[[], Plain]) -> Plain:
    steps.start(MAX_STEPS)
    try:
        return run()
    except steps.StepsExhausted:
        steps.start(MAX_STEPS)
        return None


@cache
def _observer_of(key: str) -> Plain:
    """The Call of the observation ``key``, which is its ``repr``."""
    return ast.literal_eval(key)
