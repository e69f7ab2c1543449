"""Runs an existing suite in a guarded process and assembles the Recording.

Invariant: a test that was not reported as ended counts as died, never as passed; the parent reads
plain frames and imports nothing of the suite.
"""

from __future__ import annotations

import json
import marshal
import os
import tempfile
from array import array
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.command.guarded_command import Completed, run_guarded
from unitcraft.execute.policy import Policy
from unitcraft.suite.recording.recordings import (
    SITE_BYTES,
    UNLIKE,
    WIDTH,
    Assumption,
    Effect,
    RecordedTest,
    Recording,
    TestLocation,
)
from unitcraft.suite.recording.run_progress import following
from unitcraft.suite.surroundings import free_variables

Mode = Literal["record", "cover", "run", "heaps"]

#: What ``recorder_main`` imports.
LOADS: Final = (
    "coverage",
    "unitcraft.suite.recording.guest.recorder",
    "unitcraft.suite.recording.representations.equality_representations",
)

#: Variables that pytest itself looks up.
_PYTEST: Final = ("BUILD_NUMBER", "CI", "FORCE_COLOR", "NO_COLOR", "PY_COLORS")

#: Variable with the folder of Hypothesis's examples: writes outside the scratch folder are refused.
HYPOTHESIS: Final = "HYPOTHESIS_STORAGE_DIRECTORY"


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """A suite and how to run it.

    ``arguments`` are pytest's: files, folders, node ids, options.  ``subjects`` are the modules
    (with all below them) whose functions are recorded.  ``paths`` come first on ``sys.path``;
    ``cwd`` is where pytest starts.  ``seconds`` bounds the whole run (wall time).  ``inner``: count
    the executions that the subjects make themselves too.  ``hash_seed``, ``clock_shift`` (seconds)
    and ``reverse`` (the order of the tests) are conditions that no test should notice.  ``classes``
    are those whose heaps are recorded: (class, ((class, fields), ...) in the order of forms).
    ``progress`` is told how many tests ended, of how many, now and then, in another thread.
    """

    arguments: tuple[str, ...]
    subjects: tuple[str, ...]
    cwd: str
    paths: tuple[str, ...] = ()
    policy: Policy = field(default_factory=Policy)
    env: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 600.0
    memory_mb: int = 4096
    inner: bool = False
    hash_seed: int = 0
    clock_shift: float = 0.0
    reverse: bool = False
    python: Interpreter = OWN
    classes: Plain = ()
    progress: Callable[[int, int], None] | None = field(default=None, compare=False)


def record_suite(spec: SuiteSpec) -> Recording:
    """Run the suite in a guarded process and return what its tests executed.

    Raises UnitcraftError (``suite-not-run``) when pytest did not come to run a test.
    """
    frames, completed = run_suite(spec, "record")
    recording = assemble_recording(frames)
    if not recording.tests:
        raise not_run_error(frames, completed)
    return recording


def record_heaps(spec: SuiteSpec) -> dict[str, list[Plain]]:
    """The forms of the heaps that calls of the suite were given, each once, by class.

    Raises UnitcraftError (``suite-not-run``) when pytest did not come to run a test.
    """
    frames, completed = run_suite(spec, "heaps")
    ended = [frame for frame in frames if frame["kind"] == "end"]
    if not ended:
        raise not_run_error(frames, completed)
    found: dict[str, list[Plain]] = {}
    for frame in ended:
        for name, form in frame["heaps"]:
            found.setdefault(name, []).append(form)
    return found


def time_suite(spec: SuiteSpec) -> float:
    """Wall seconds of the same run without recording, the start of the interpreter not counted."""
    frames, completed = run_suite(spec, "run")
    if not frames or frames[-1]["kind"] != "done":
        raise not_run_error(frames, completed)
    return float(frames[-1]["seconds"])


def run_suite(spec: SuiteSpec, mode: Mode) -> tuple[list[dict[str, Any]], Completed]:
    """The frames of one run, complete or not, and how the process ended."""
    with tempfile.TemporaryDirectory(prefix="unitcraft-record-") as folder:
        report = Path(folder).resolve() / "frames"
        report.mkdir()
        ended = report.with_name("ended")
        settings = {
            "arguments": spec.arguments,
            "subjects": spec.subjects,
            "inner": spec.inner,
            "mode": mode,
            "reverse": spec.reverse,
            "classes": spec.classes,
            "report": str(report),
            "ended": str(ended),
        }
        with following(ended, spec.progress):
            completed = run_guarded(
                ["-m", "unitcraft.suite.recording.guest.recorder_main", json.dumps(settings)],
                policy=spec.policy,
                paths=spec.paths,
                cwd=spec.cwd,
                env={HYPOTHESIS: folder, **spec.env},
                writable=[folder],
                hash_seed=spec.hash_seed,
                clock_shift=spec.clock_shift,
                timeout=spec.seconds,
                memory_mb=spec.memory_mb,
                python=spec.python,
                loads=LOADS,
            )
        return list(_frames(report)), completed


def _frames(report: Path) -> Iterator[dict[str, Any]]:
    """The complete frames of a report, file by file."""
    for file in sorted(report.iterdir()):
        data = file.read_bytes()
        place = 0
        while place + 4 <= len(data):
            size = int.from_bytes(data[place : place + 4], "big")
            frame = data[place + 4 : place + 4 + size]
            if len(frame) < size:
                return
            yield marshal.loads(frame)  # noqa: S302 - marshal builds plain values only
            place += 4 + size


def assemble_recording(frames: list[dict[str, Any]]) -> Recording:
    """The Recording of the frames that a run left, complete or not."""
    tests: list[RecordedTest] = []
    invocables: list[str] = []
    digests: dict[bytes, int] = {UNLIKE: 0}
    numbers = array("I")
    broken: list[Assumption] = []
    problems: list[str] = []
    deselected: list[TestLocation] = []
    started, seconds = "", 0.0
    for frame in frames:
        if frame["kind"] == "start":
            started = frame["node"]
        elif frame["kind"] == "problem":
            problems.append(frame["text"])
        elif frame["kind"] == "deselected":
            deselected += [TestLocation(*place) for place in frame["places"]]
        elif frame["kind"] == "done":
            seconds = frame["seconds"]
        elif frame["kind"] == "end":
            first = len(numbers) // WIDTH
            numbers.extend(_numbers(frame["rows"], digests))
            invocables += frame["sites"]
            broken += [Assumption(*one) for one in frame["assumptions"]]
            last = len(numbers) // WIDTH
            tests.append(_test(frame, frame["verdict"], first, last))
            started = ""
    if started:
        last = len(numbers) // WIDTH
        tests.append(_test({"node": started, "seconds": 0.0, "calls": 0}, "died", last, last))
    return Recording(
        tuple(tests),
        tuple(invocables),
        (None, *list(digests)[1:]),
        numbers,
        tuple(broken),
        tuple(problems),
        seconds,
        tuple(deselected),
    )


def _numbers(rows: bytes, known: dict[bytes, int]) -> Iterator[int]:
    """The numbers of some rows; new digests get the next number."""
    step = len(UNLIKE)
    size = SITE_BYTES + (WIDTH - 1) * step
    for row in range(0, len(rows), size):
        yield int.from_bytes(rows[row : row + SITE_BYTES], "big")
        for at in range(row + SITE_BYTES, row + size, step):
            yield known.setdefault(rows[at : at + step], len(known))


def _test(frame: dict[str, Any], verdict: Any, first: int, last: int) -> RecordedTest:
    place = frame.get("place")
    return RecordedTest(
        frame["node"],
        verdict,
        frame["seconds"],
        first,
        last,
        frame["calls"],
        frame.get("foreign", False),
        TestLocation(*place) if place else None,
        tuple(Effect(*one) for one in frame.get("effects", ())),
    )


def not_run_error(frames: list[dict[str, Any]], completed: Completed) -> UnitcraftError:
    """The error of a run in which no test ran."""
    problems = [frame["text"] for frame in frames if frame["kind"] == "problem"]
    words = problems[0] if problems else (completed.stderr or completed.stdout).strip()
    how = "it took too long" if completed.timed_out else f"status {completed.returncode}"
    return UnitcraftError(
        "suite-not-run",
        f"pytest ran no test ({how})",
        cause=words[-1000:],
        advice=_advice_on_variables(frames) or "run the same tests with pytest first",
    )


def _advice_on_variables(frames: list[dict[str, Any]]) -> str:
    """How to hand on the variables that the suite looked up and that only we have."""
    missed = [name for frame in frames if frame["kind"] == "missed" for name in frame["names"]]
    ours = [name for name in free_variables(missed) if name in os.environ and name not in _PYTEST]
    flags = " ".join(f"--env {name}" for name in ours)
    return f"guarded tests do not see our environment: hand it on with {flags}" if ours else ""
