"""A campaign from the outside: starts the guarded session and reads its report while it grows.

Invariant: this process imports nothing of the suite; a verdict that was reported is kept, whatever
happens to the session afterwards.
"""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.command.guarded_command import Completed, run_guarded
from unitcraft.suite.mutation.verdicts import Judged, Mutant, as_verdict
from unitcraft.suite.recording.record import SuiteSpec

#: Seconds between two looks at the report.
LOOK: Final = 0.1


@dataclass(frozen=True, slots=True)
class Plan:
    """What to try: ``modules`` are names and files.

    ``known`` verdicts are taken as they are when the digest of all code involved, their key, is
    the same.  ``lines``: only functions that have one of these (first, last) lines of their module.
    ``only``: only these ids.  ``each``: find out of each test whether it kills a mutant.
    """

    suite: SuiteSpec
    modules: Mapping[str, str]
    jobs: int = 1
    known: Mapping[str, Sequence[Judged]] = field(default_factory=dict)
    lines: Mapping[str, Sequence[tuple[int, int]]] | None = None
    only: Sequence[str] | None = None
    each: bool = False


@dataclass(slots=True)
class Progress:
    """What a running campaign has reported so far; ``reach``: module:function -> tests.

    ``credits``: test -> a mutant that it kills, or ''; tests that killed first are not in it.
    ``files``: file -> digest of the content that all this is about.
    """

    tests: list[tuple[str, str, float]] = field(default_factory=list)
    dependent: list[str] = field(default_factory=list)
    mutants: dict[str, tuple[Mutant, int]] = field(default_factory=dict)
    reach: dict[str, list[int]] = field(default_factory=dict)
    judged: dict[str, Judged] = field(default_factory=dict)
    credits: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    digest: str = ""
    cpu: float | None = None

    def in_order(self) -> list[Judged]:
        """The verdicts in the order of the source."""
        return [self.judged[key] for key in self.mutants if key in self.judged]


Told = Callable[[Progress, Judged | None], None]


def run(plan: Plan, told: Told = lambda _progress, _judged: None) -> Progress:
    """Try the mutants; ``told`` hears of each verdict, in another thread, as soon as it is there.

    Raises UnitcraftError (``suite-not-run``) when no test passed on the original.
    """
    progress = Progress()
    with tempfile.TemporaryDirectory(prefix="unitcraft-mutants-") as folder:
        report = Path(folder).resolve() / "report"
        report.touch()
        reader = _Reader(report, progress, plan.known, told)
        reader.start()
        try:
            completed = _session(plan, report)
        finally:
            reader.finish()
    if reader.error is not None:
        raise reader.error
    if progress.cpu is None:
        raise _not_run(progress, completed)
    return progress


def _session(plan: Plan, report: Path) -> Completed:
    suite = plan.suite
    settings = report.with_name("settings")
    settings.write_text(
        json.dumps(
            {
                "arguments": suite.arguments,
                "modules": dict(plan.modules),
                "jobs": plan.jobs,
                "known": {
                    digest: [one.mutant.id for one in judged]
                    for digest, judged in plan.known.items()
                },
                "lines": plan.lines,
                "only": plan.only,
                "each": plan.each,
                "report": str(report),
            }
        )
    )
    return run_guarded(
        ["-m", "unitcraft.suite.mutation.session.session_main", str(settings)],
        policy=suite.policy,
        paths=suite.paths,
        cwd=suite.cwd,
        env=suite.env,
        writable=[str(report.parent)],
        timeout=suite.seconds,
        memory_mb=suite.memory_mb,
        forks=True,
    )


class _Reader(threading.Thread):
    """Follows the report; ``finish`` reads it to its end."""

    def __init__(
        self, report: Path, progress: Progress, known: Mapping[str, Sequence[Judged]], told: Told
    ) -> None:
        super().__init__(daemon=True)
        self._stream = report.open("rb")
        self._progress = progress
        self._known = known
        self._told = told
        self._ended = threading.Event()
        self._rest = b""
        self.error: Exception | None = None

    def run(self) -> None:
        """Look again and again."""
        try:
            while not self._ended.wait(LOOK):
                self._look()
            self._look()
        except Exception as error:  # noqa: BLE001 - raised by the thread that waits
            self.error = error
        finally:
            self._stream.close()

    def finish(self) -> None:
        """Read what is there, and stop."""
        self._ended.set()
        self.join()

    def _look(self) -> None:
        *lines, self._rest = (self._rest + self._stream.read()).split(b"\n")
        for line in lines:
            for judged in _taken(json.loads(line), self._progress, self._known):
                self._told(self._progress, judged)


def _taken(
    frame: dict[str, Any], progress: Progress, known: Mapping[str, Sequence[Judged]]
) -> Iterator[Judged | None]:
    """Take one line of the report in; what there is to tell."""
    kind = frame["kind"]
    if kind == "tests":
        progress.tests = [(node, verdict, cpu) for node, verdict, cpu in frame["tests"]]
        yield None
    elif kind == "mutants":
        progress.digest = frame["digest"]
        same = {one.mutant.id: one for one in known.get(progress.digest, ())}
        for *about, reaching in frame["mutants"]:
            mutant = Mutant(*about)
            progress.mutants[mutant.id] = (mutant, reaching)
            if mutant.id in same:
                progress.judged[mutant.id] = same[mutant.id]
        progress.reach = frame["reach"]
        progress.files = frame["files"]
        yield None
    elif kind == "verdict":
        yield _judged(frame, progress)
    elif kind == "problem":
        progress.problems.append(frame["text"])
    elif kind == "dependent":
        progress.dependent.append(frame["test"])
    elif kind == "credit":
        progress.credits[frame["test"]] = frame["mutant"]
    elif kind == "done":
        progress.cpu = frame.get("cpu")


def _judged(frame: dict[str, Any], progress: Progress) -> Judged:
    mutant, reaching = progress.mutants[frame["id"]]
    one = Judged(
        mutant, as_verdict(frame["verdict"]), frame["test"], reaching, frame["tried"], frame["cpu"]
    )
    progress.judged[mutant.id] = one
    return one


def _not_run(progress: Progress, completed: Completed) -> UnitcraftError:
    words = "\n".join(progress.problems) or (completed.stderr or completed.stdout).strip()
    how = "it took too long" if completed.timed_out else f"status {completed.returncode}"
    return UnitcraftError(
        "suite-not-run",
        f"pytest ran no test ({how})",
        cause=words[-1000:],
        advice="run the same tests with pytest first",
    )
