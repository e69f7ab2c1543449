"""An existing suite as the flags name it, and the run of pytest for it.

Invariant: nothing of the suite is imported here.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import cast

from unitcraft.app.config import Config
from unitcraft.app.project_python import find_python
from unitcraft.app.search_path import suite_path
from unitcraft.app.targets import locate_targets
from unitcraft.app.terminal_text import counted, first_few, is_quiet, say
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.policy import Level
from unitcraft.suite.existing.redundancy import RedundantTest
from unitcraft.suite.recording.record import SuiteSpec
from unitcraft.suite.recording.recordings import RecordedTest, Representation, TestLocation


@dataclass(frozen=True, slots=True)
class SuiteRequest:
    """A suite: ``tests`` and ``options`` go to pytest; ``technique`` is the most generous used."""

    tests: tuple[str, ...]
    options: tuple[str, ...]
    subjects: tuple[str, ...]
    technique: str
    inner: bool
    sandbox: str
    allow: tuple[str, ...]
    seconds: float
    config: Config
    env: tuple[tuple[str, str], ...] = ()

    @property
    def representation(self) -> Representation:
        """The technique, by its name."""
        return cast("Representation", self.technique)


def spec_of(wish: SuiteRequest, cwd: Path) -> SuiteSpec:
    """The run of pytest that records the suite.

    Raises the UnitcraftErrors of ``locate``.
    """
    config = wish.config
    python = find_python(config, wish.subjects, cwd)
    located = locate_targets(wish.subjects, cwd, config, python)
    return SuiteSpec(
        (*wish.tests, *wish.options),
        tuple(dict.fromkeys(one.module for one in located)),
        str(cwd),
        suite_path(config, [one.root for one in located], cwd, python),
        read_policy(cast("Level", wish.sandbox), wish.allow),
        env={**dict(config.env), **dict(wish.env)},
        seconds=wish.seconds,
        inner=wish.inner,
        python=python,
        progress=None if is_quiet() else _say_ended,
    )


def _say_ended(ended: int, total: int) -> None:
    say(f"{ended} of {counted(total, 'test')} ended")


def location_of(test: RecordedTest, cwd: Path) -> str:
    """``file:line`` of a test, as seen from ``cwd``; '' when its function is not known."""
    return "" if test.place is None else _location(test.place, cwd)


def _location(place: TestLocation, cwd: Path) -> str:
    """``file:line`` of a place, as seen from ``cwd``."""
    return f"{relative_path(place.file, cwd)}:{place.line}"


def relative_path(file: str, cwd: Path) -> str:
    """The path of a file, relative to ``cwd`` where it is below it."""
    path = Path(file)
    return str(path.relative_to(cwd)) if path.is_relative_to(cwd) else file


def repeats_text(redundant: RedundantTest) -> str:
    """Which tests a redundant one repeats, in words."""
    return f"repeats {first_few([test.node for test in redundant.by])}"
