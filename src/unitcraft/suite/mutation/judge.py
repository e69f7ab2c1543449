"""The worker's side of mutation: which tests notice which mutants.

Invariant: a test notices a mutant when what it would assert (outcome, result,
observers of what changed) differs from what it was on the original code.
"""

from __future__ import annotations

import importlib
import random
from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Final

from unitcraft.core.wire import Plain
from unitcraft.execute import steps
from unitcraft.explore import agent
from unitcraft.explore.observing import Observer
from unitcraft.suite.mutation.patching import Patches

SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}
#: Steps that one test may take on a mutant.
STEPS_FOR_TEST: Final = 20_000
#: Tests that notice a mutant after which no more are tried: selection has a choice by then.
ENOUGH: Final = 8
OUTCOME: Final = "outcome"
RESULT: Final = "result"


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
    SERVICES.update({"baseline": judge.baseline, "judge": judge.judge})
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
        """(test, positions of the parts that differ) for the tests that notice a mutant.

        ``item`` is (mutant number, [(test, calls, parts on the original)]).  A test that
        exhausts its steps notices it by its outcome (position 0) and ends the trial.
        """
        number, tests = item
        if not self.patches.apply(number):
            return None
        found: list[Plain] = []
        try:
            for test, calls, expected in tests:
                steps.start(STEPS_FOR_TEST)
                try:
                    differing = _differing(expected, self.baseline(calls))
                except steps.StepsExhausted:
                    steps.start(STEPS_FOR_TEST)
                    found.append((test, (0,)))
                    break
                if differing:
                    found.append((test, differing))
                if len(found) >= ENOUGH:
                    break
        finally:
            self.patches.restore()
        return tuple(found)


def _differing(expected: Plain, seen: Plain) -> tuple[int, ...]:
    now = dict(seen)
    if now.get(OUTCOME) != expected[0][1]:
        return (0,)
    return tuple(position for position, (key, mark) in enumerate(expected) if now.get(key) != mark)


def _mark(value: object) -> bytes:
    return blake2b(repr(value).encode("utf-8", "surrogatepass"), digest_size=10).digest()


def parts(after: Plain) -> Plain:
    """((key, mark), …) of an ``after`` answer: outcome first, then result, then observations.

    The key of an observation is the ``repr`` of its encoded Call.
    """
    if after is None:
        return ()
    outcome, term, kind, same, focus = after
    if outcome is not None:
        kept = [look for entry in focus[:1] for look in entry[2][:1]]
        return ((OUTCOME, _mark(outcome[:3])), *((repr(c), _mark(t)) for c, t in kept))
    seen = [look for _, changed, looks in focus if changed for look in looks]
    return (
        (OUTCOME, b"returned"),
        (RESULT, _mark((term, kind, same))),
        *((repr(call), _mark(value)) for call, value in seen),
    )
