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
#: Observations that count for a made and for a changed object, as in ``suite.assertions``.
SEEN_OF_OBJECT: Final = 5


def prepare(options: Plain) -> Plain:
    """As the search's agent; answers {"mutants": [(function, first, line, operator, variant)]}."""
    agent.prepare({**options, "rewrite": True})
    name: str = options["module"]
    module = importlib.import_module(name)
    file = str(module.__file__)
    source = Path(file).read_text(encoding="utf-8")
    rng = random.Random(options["seed"])  # noqa: S311 - a sample, not a secret
    judge = Judge(name.partition(".")[0], Patches(source, file, name, options["limit"], rng))
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

    def baseline(self, calls: Plain) -> bytes:
        """The mark of what a test would assert, on the code as it is now."""
        return mark(self.observer.after(calls))

    def judge(self, item: Plain) -> Plain:
        """Numbers of the tests that notice mutant ``item[0]``; ``item[1]`` are (number, calls, mark).

        A test that exhausts its steps notices the mutant too, but is listed as negative
        minus one: nothing but a time-out would tell.
        """
        number, tests = item
        if not self.patches.apply(number):
            return None
        found: list[int] = []
        try:
            for test, calls, expected in tests:
                steps.start(STEPS_FOR_TEST)
                try:
                    if self.baseline(calls) != expected:
                        found.append(test)
                except steps.StepsExhausted:
                    steps.start(STEPS_FOR_TEST)
                    found.append(-test - 1)
                    break
        finally:
            self.patches.restore()
        return tuple(found)


def mark(after: Plain) -> bytes:
    """A digest of what ``suite.assertions`` would write down from an ``after`` answer."""
    if after is None:
        return b""
    outcome, term, kind, same, focus = after
    if outcome is not None:
        seen: Plain = (outcome[:3], [entry[2][:1] for entry in focus[:1]])
    else:
        seen = (
            term,
            kind,
            same,
            [(index, looks[:SEEN_OF_OBJECT]) for index, changed, looks in focus if changed],
        )
    return blake2b(repr(seen).encode("utf-8", "surrogatepass"), digest_size=12).digest()
