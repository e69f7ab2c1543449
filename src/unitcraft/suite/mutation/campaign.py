"""The parent side of a mutation campaign: starts the guarded session and reads its report.

Invariant: this process imports nothing of the suite; a reported verdict is kept, whatever happens
to the session afterwards.
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
from unitcraft.subject.source_files import read_source
from unitcraft.suite.mutation.verdicts import JudgedMutant, Mutant, parse_verdict
from unitcraft.suite.recording.record import SuiteSpec

#: Seconds between two reads of the report.
POLL_SECONDS: Final = 0.1


@dataclass(frozen=True, slots=True)
class CampaignPlan:
    """A suite and the mutants to try on it: ``modules`` are names and files.

    ``known`` verdicts, by the digest of all code involved, are reused when the digest is the same.
    ``lines``: only functions with one of these (first, last) lines of their module.  ``only``: only
    the mutants with these ids.  ``each``: find out for each test whether it kills a mutant.
    """

    suite: SuiteSpec
    modules: Mapping[str, str]
    jobs: int = 1
    known: Mapping[str, Sequence[JudgedMutant]] = field(default_factory=dict)
    lines: Mapping[str, Sequence[tuple[int, int]]] | None = None
    only: Sequence[str] | None = None
    each: bool = False


@dataclass(slots=True)
class Progress:
    """The report of a campaign so far (mutable).

    ``tests``: (node id, verdict, CPU seconds) of each test.  ``dependent``: tests that pass only
    after others.  ``mutants``: id -> the mutant and the number of tests that reach it.  ``reach``:
    module:function -> numbers of tests.  ``credits``: test -> a mutant that it kills, or ''; tests
    that are named in a verdict are left out.  ``files``: file -> digest of its content.  ``cpu``:
    its seconds, at least.  ``is_cut``: the time was over before all mutants were tried.
    """

    tests: list[tuple[str, str, float]] = field(default_factory=list)
    dependent: list[str] = field(default_factory=list)
    mutants: dict[str, tuple[Mutant, int]] = field(default_factory=dict)
    reach: dict[str, list[int]] = field(default_factory=dict)
    judged: dict[str, JudgedMutant] = field(default_factory=dict)
    credits: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    digest: str = ""
    cpu: float | None = None
    is_cut: bool = False

    def in_order(self) -> list[JudgedMutant]:
        """The verdicts in the order of the source."""
        return [self.judged[key] for key in self.mutants if key in self.judged]


OnVerdict = Callable[[Progress, JudgedMutant | None], None]


def run_campaign(
    plan: CampaignPlan, on_verdict: OnVerdict = lambda _progress, _judged: None
) -> Progress:
    """Try the mutants; ``on_verdict`` is called for each verdict at once, in another thread.

    Raises UnitcraftError (``suite-not-run``) when no test passed on the original.
    """
    progress = Progress()
    with tempfile.TemporaryDirectory(prefix="unitcraft-mutants-") as folder:
        report = Path(folder).resolve() / "report"
        report.touch()
        reader = _Reader(report, progress, plan.known, on_verdict)
        reader.start()
        try:
            completed = _run_session(plan, report)
        finally:
            reader.finish()
    if reader.error is not None:
        raise reader.error
    if progress.cpu is None and completed.timed_out and progress.mutants:
        progress.is_cut = True
        progress.cpu = sum(one.cpu for one in progress.judged.values())
    if progress.cpu is None:
        raise _not_run(progress, completed)
    return progress


def _run_session(plan: CampaignPlan, report: Path) -> Completed:
    suite = plan.suite
    settings = report.with_name("settings")
    settings.write_text(
        json.dumps(
            {
                "arguments": suite.arguments,
                "modules": dict(plan.modules),
                "texts": {name: read_source(file) for name, file in plan.modules.items()},
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
        python=suite.python,
    )


class _Reader(threading.Thread):
    """A thread that reads the report as it grows; ``finish`` reads it to its end."""

    def __init__(
        self,
        report: Path,
        progress: Progress,
        known: Mapping[str, Sequence[JudgedMutant]],
        on_verdict: OnVerdict,
    ) -> None:
        super().__init__(daemon=True)
        self._stream = report.open("rb")
        self._progress = progress
        self._known = known
        self._on_verdict = on_verdict
        self._ended = threading.Event()
        self._rest = b""
        self.error: Exception | None = None

    def run(self) -> None:
        """Read the report until ``finish`` is called."""
        try:
            while not self._ended.wait(POLL_SECONDS):
                self._poll()
            self._poll()
        except Exception as error:  # noqa: BLE001 - raised by the thread that waits
            self.error = error
        finally:
            self._stream.close()

    def finish(self) -> None:
        """Read the rest, and end the thread."""
        self._ended.set()
        self.join()

    def _poll(self) -> None:
        *lines, self._rest = (self._rest + self._stream.read()).split(b"\n")
        for line in lines:
            for judged in _read_frame(json.loads(line), self._progress, self._known):
                self._on_verdict(self._progress, judged)


def _read_frame(
    frame: dict[str, Any], progress: Progress, known: Mapping[str, Sequence[JudgedMutant]]
) -> Iterator[JudgedMutant | None]:
    """Add one line of the report to ``progress``; yields what to report to the caller."""
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
        yield _read_verdict(frame, progress)
    elif kind == "problem":
        progress.problems.append(frame["text"])
    elif kind == "dependent":
        progress.dependent.append(frame["test"])
    elif kind == "credit":
        progress.credits[frame["test"]] = frame["mutant"]
    elif kind == "done":
        progress.cpu = frame.get("cpu")


def _read_verdict(frame: dict[str, Any], progress: Progress) -> JudgedMutant:
    mutant, reaching = progress.mutants[frame["id"]]
    one = JudgedMutant(
        mutant,
        parse_verdict(frame["verdict"]),
        frame["test"],
        reaching,
        frame["tried"],
        frame["cpu"],
    )
    progress.judged[mutant.id] = one
    return one


def _not_run(progress: Progress, completed: Completed) -> UnitcraftError:
    words = "\n".join(progress.problems) or (completed.stderr or completed.stdout).strip()
    how = "it took too long" if completed.timed_out else f"status {completed.returncode}"
    told = f"pytest ran no test ({how})"
    if progress.tests and progress.problems and not completed.timed_out:
        told = f"none of {len(progress.tests)} test(s) passes, so none can kill a mutant"
    return UnitcraftError(
        "suite-not-run",
        told,
        cause=words[-1000:],
        advice="run the same tests with pytest first; let effects that they need through with"
        " --allow EVENT:ARG or --sandbox off",
    )
