"""What a campaign has found so far: verdicts are stored as they come, and progress is shown.

Invariant: a verdict is on the disk before the next one is read; the clock decides what is shown,
never what is stored.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from unitcraft.app.mutants.verdict_store import ReachingTests, StoredVerdict, VerdictStore
from unitcraft.app.terminal_text import counted, say
from unitcraft.suite.mutation.campaign import Progress
from unitcraft.suite.mutation.verdicts import JudgedMutant

#: Verdicts between two lines of progress, where they come quickly.
STRIDE: Final = 50
#: Seconds after which a verdict is told whatever its number.
MAX_SILENCE: Final = 5.0


class CampaignFollower:
    """Stores the verdicts of one campaign and shows its progress (mutable).

    ``run_as`` are the settings with which ``kill`` runs the same tests.
    """

    def __init__(
        self,
        store: VerdictStore,
        modules: Mapping[str, str],
        run_as: dict[str, Any],
        *,
        quiet: bool,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._modules = modules
        self._run_as = run_as
        self._quiet = quiet
        self._now = now
        self._announced = False
        self._began = self._told = now()
        self.new = 0

    def record(self, progress: Progress, judged: JudgedMutant | None) -> None:
        """A verdict, or (None) news about tests or mutants."""
        if judged is not None:
            file = self._modules[judged.mutant.module]
            self._store.add(StoredVerdict(judged, file, progress.digest))
            self.new += 1
        elif progress.mutants and not self._announced:
            self._announced = True
            self._began = self._told = self._now()
            for one in _reaching_tests(progress, self._modules, self._run_as):
                self._store.reach(one)
        if not self._quiet:
            self._show(progress, judged)

    def _show(self, progress: Progress, judged: JudgedMutant | None) -> None:
        done, total = len(progress.judged), len(progress.mutants)
        if judged is None and total:
            say(f"{counted(total, 'mutant')}, {done} known from an earlier run")
        elif judged is None and progress.tests:
            passing = sum(verdict == "passed" for _, verdict, _ in progress.tests)
            say(f"{passing} of {len(progress.tests)} tests pass without a mutant")
        elif done % STRIDE == 0 or self._now() - self._told >= MAX_SILENCE:
            self._told = self._now()
            killed = sum(one.is_killed for one in progress.judged.values())
            rest = (self._told - self._began) / self.new * (total - done)
            left = f", about {rest:.0f} s left" if rest >= 1 else ""
            say(f"{done}/{total} mutants, {killed} killed{left}")


def _reaching_tests(
    progress: Progress, modules: Mapping[str, str], run_as: dict[str, Any]
) -> Iterable[ReachingTests]:
    """The tests that enter each function, module by module."""
    nodes = [node for node, _, _ in progress.tests]
    for module, file in modules.items():
        tests = {
            name: tuple(nodes[test] for test in numbers)
            for name, numbers in progress.reach.items()
            if name.partition(":")[0] == module
        }
        yield ReachingTests(module, file, tests, run_as)
