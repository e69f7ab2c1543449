"""Shows a run on the terminal while it happens: a live line, or plain lines without one.

Invariant: everything here goes to standard error, so that standard output holds only
what was asked for; dropping all of it changes no result.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Self

from unitcraft.app.generate import generate_report
from unitcraft.app.terminal_text import counted, escape_control, say
from unitcraft.core.events import Progress

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress
    from rich.progress import TaskID

    from unitcraft.app.generate.generate_targets import TargetFailure, TargetResult


def is_live(*, quiet: bool) -> bool:
    """Is standard error a terminal that may show a moving line?"""
    return not quiet and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


class PlainConsole:
    """One line when a target is finished; with ``verbose`` one for each phase too."""

    def __init__(self, cwd: Path, *, quiet: bool = False, verbose: bool = False) -> None:
        self._cwd = cwd
        self._quiet = quiet
        self._verbose = verbose
        self._place = ""
        self._phase = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing is open."""

    def started(self, label: str, position: int, count: int) -> None:
        """Remember the position of the target."""
        self._place = f"[{position}/{count}]" if count > 1 else ""
        self._phase = ""
        if self._verbose:
            self._line(f"{label} ...")

    def finished(self, result: TargetResult) -> None:
        """Print the result of the target."""
        if not self._quiet:
            self._line(outcome_line(result, self._cwd))
        if self._verbose and not result.stored and result.generated.phases:
            self._line(f"  {phases_line(result)}")
            if result.generated.mutants.all:
                self._line(f"  {mutants_line(result)}")
            if result.generated.variations:
                self._line(f"  {variations_line(result)}")

    def failed(self, failure: TargetFailure) -> None:
        """Print the error, in quiet runs too."""
        known = failure.label in failure.error.what
        say(f"error: {'' if known else failure.label + ': '}{failure.error}")

    def progress(self, event: Progress) -> None:
        """Print the name of a phase when it begins."""
        if self._verbose and event.phase != self._phase:
            self._phase = event.phase
            self._line(f"  {event.phase} {event.note}".rstrip())

    def _line(self, text: str) -> None:
        say(f"{self._place} {text}".lstrip())


class LiveConsole(PlainConsole):
    """A moving line with phase, bar and time; finished targets stay above it."""

    def __init__(self, cwd: Path, *, verbose: bool = False) -> None:
        super().__init__(cwd, verbose=verbose)
        self._bar: RichProgress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> Self:
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        self._bar = Bars(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def started(self, label: str, position: int, count: int) -> None:
        """Begin the line of a target."""
        super().started(label, position, count)
        if self._bar is not None:
            if self._task is not None:
                self._bar.remove_task(self._task)
            self._task = self._bar.add_task(f"{self._place} {label}".lstrip(), total=None)

    def progress(self, event: Progress) -> None:
        """Move the line."""
        super().progress(event)
        if self._bar is not None and self._task is not None:
            text = f"{self._place} {event.target}: {event.phase} {event.note}".strip()
            self._bar.update(
                self._task, description=text, completed=event.done, total=event.total or None
            )

    def _line(self, text: str) -> None:
        if self._bar is None:
            super()._line(text)
        else:
            line = escape_control(f"{self._place} {text}".lstrip())
            self._bar.console.print(line, markup=False, highlight=False, soft_wrap=True)


def phases_line(result: TargetResult) -> str:
    """The seconds of each phase."""
    return ", ".join(f"{name} {seconds:.1f} s" for name, seconds in result.generated.phases)


def mutants_line(result: TargetResult) -> str:
    """The mutants that the tests kill, and those that nothing here could kill."""
    found = result.generated.mutants
    note = f" ({found.at_import} of code that the import runs)" if found.at_import else ""
    return f"mutants: {found.killed} of {found.all} killed{note}"


def variations_line(result: TargetResult) -> str:
    """What each kind of variation cost and won."""
    parts = [
        f"{kind} {runs} runs, {sites} sites" for kind, runs, _, sites in result.generated.variations
    ]
    return f"varied: {'; '.join(parts)}"


def outcome_line(result: TargetResult, cwd: Path) -> str:
    """One sentence about a finished target."""
    made = result.generated
    if not made.text:
        return f"{result.label}: nothing to test"
    share = (
        f", {100 * made.branches_covered // made.branches}% of branches" if made.branches else ""
    )
    time = "from the store" if result.stored else f"{made.seconds:.1f} s"
    where = generate_report.shown_path(result, cwd)
    status = f" -> {where}" if where else ""
    same = {"unchanged": " (unchanged)", "stale": " (out of date)"}.get(result.delivered.status, "")
    tests = counted(made.tests, "test")
    return f"{result.label}: {tests}{share}, {time}{status}{same}"
