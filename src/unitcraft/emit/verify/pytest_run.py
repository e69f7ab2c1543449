"""One guarded run of a test file and what it reported.

Invariant: a test that was not reported as finished is never counted as passed.
"""

from __future__ import annotations

import ast
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from unitcraft.core.encoding import decode_arg
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.core.sequences import Arg
from unitcraft.execute.command.guarded_command import Completed, run_guarded
from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox.elsewhere import ELSEWHERE_UMASK, HERE_UMASK
from unitcraft.suite.conftest_lines import write_conftest
from unitcraft.suite.suite_figures import ReachedLines

#: Wall seconds for one test.
TEST_SECONDS: Final = 10.0

#: Wall seconds for the start of the interpreter, pytest and the Subject.
START_SECONDS: Final = 60.0

#: What ``verifier_main`` imports.
LOADS: Final = (
    "unitcraft.emit.verify.leaked_state",
    "unitcraft.execute.isolation.own_state",
    "unitcraft.subject.literal_args",
)

#: Nothing of the user's pytest set-up counts.
PYTEST_ENV: Final = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_ADDOPTS": ""}

#: A test function (``test_x`` or ``TestA::test_x``) and a row of it, from 0.
RowKey = tuple[str, int]


@dataclass(frozen=True, slots=True)
class RunConditions:
    """The settings in which runs of one file differ.

    ``cover_lines``: the first and last line that coverage is measured of; None: the whole file.
    ``elsewhere``: in another current folder and home, with another mode of new files.
    ``apart``: the package whose state is put back after each test; '' for none.
    ``collects``: garbage is collected after each test, not when all have run.
    ``repeats``: all tests run once more after the last.
    ``plain``: asserts are those of the interpreter, which keeps no object alive for a message.
    """

    reverse: bool = False
    hash_seed: int = 0
    clock_shift: float = 0.0
    cover: str = ""
    cover_lines: tuple[int, int] | None = None
    env: tuple[tuple[str, str], ...] = ()
    elsewhere: bool = False
    apart: str = ""
    collects: bool = False
    repeats: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class RunEnvironment:
    """The settings that all runs of one file share."""

    paths: tuple[str, ...] = ()
    policy: Policy | None = None
    memory_mb: int = 2048
    python: Interpreter = OWN
    warnings: tuple[str, ...] = ()
    env: tuple[tuple[str, str], ...] = ()
    before_import: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RowFailure:
    """Why a row did not pass: the exception's class, or '' when the process ended in it.

    ``line`` is 0 when no line of the file is to blame.  ``left`` names what a row that
    ran left changed in the interpreter.
    """

    error: str
    line: int = 0
    left: str = ""


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A name of the project that a row left with another value than ``held``."""

    module: str
    qualname: str
    held: Arg


@dataclass(frozen=True, slots=True)
class MeasuredCoverage:
    """The figures of coverage.py for the Subject's file; ``missing`` are (from, to) line pairs."""

    branches_covered: int = 0
    branches: int = 0
    lines_covered: int = 0
    lines: int = 0
    missing: tuple[tuple[int, int], ...] = ()
    reached: ReachedLines = field(default_factory=ReachedLines)


@dataclass(frozen=True, slots=True)
class RunReport:
    """The result of one run: CPU ``seconds`` of each finished row, and the failures.

    ``ended``: pytest came to its end and the process then exited with pytest's status.
    ``changed`` are the places that each row left changed, where they were put back.
    ``chokes``: finalizers of what the rows left raised or did not end.  ``again`` are the rows that
    failed when they ran once more.
    """

    seconds: dict[RowKey, float]
    failures: dict[RowKey, RowFailure]
    collection: str
    coverage: MeasuredCoverage
    ended: bool = True
    changed: dict[RowKey, list[ChangedPlace]] = field(default_factory=dict)
    chokes: bool = False
    again: frozenset[RowKey] = frozenset()

    def passed(self, case: RowKey) -> bool:
        """Did this row run to its end without a failure?"""
        return case in self.seconds and case not in self.failures


def run_file(
    text: str, file_name: str, conditions: RunConditions, environment: RunEnvironment
) -> RunReport:
    """Run ``text`` under plain pytest in one fresh guarded process."""
    with tempfile.TemporaryDirectory(prefix="unitcraft-verify-") as name:
        folder = Path(name).resolve()
        tests = folder / file_name
        tests.write_text(text, encoding="utf-8")
        write_conftest(folder, environment.before_import)
        lines = text.count("\n")
        settings = {
            "tests": str(tests),
            "roots": environment.paths,
            "report": str(folder / "report.jsonl"),
            "figures": str(folder / "figures.json"),
            "reverse": conditions.reverse,
            "seconds": TEST_SECONDS,
            "cover": conditions.cover,
            "warnings": environment.warnings,
            "apart": conditions.apart,
            "collects": conditions.collects,
            "repeats": conditions.repeats,
            "plain": conditions.plain,
            "umask": ELSEWHERE_UMASK if conditions.elsewhere else HERE_UMASK,
        }
        place, home = _folders(folder, elsewhere=conditions.elsewhere)
        completed = run_guarded(
            ["-m", "unitcraft.emit.verify.verifier_main", json.dumps(settings)],
            policy=environment.policy,
            paths=environment.paths,
            cwd=str(place),
            env={
                **PYTEST_ENV,
                "TEMP": str(folder),
                **home,
                **dict(conditions.env),
                **dict(environment.env),
            },
            writable=[str(folder)],
            hash_seed=conditions.hash_seed,
            clock_shift=conditions.clock_shift,
            timeout=START_SECONDS + TEST_SECONDS + 0.1 * lines,
            memory_mb=environment.memory_mb,
            python=environment.python,
            loads=(*LOADS, "coverage") if conditions.cover else LOADS,
        )
        return _report(folder, completed, conditions.cover_lines)


def _folders(folder: Path, *, elsewhere: bool) -> tuple[Path, dict[str, str]]:
    """The current folder of a run, and the variable of its home where that differs too."""
    if not elsewhere:
        return folder, {}
    place, home = folder / "another" / "place", folder / "person"
    place.mkdir(parents=True)
    home.mkdir()
    return place, {"HOME": str(home)}


def _report(folder: Path, completed: Completed, lines: tuple[int, int] | None) -> RunReport:
    records = _records(folder / "report.jsonl")
    seconds: dict[RowKey, float] = {}
    failures: dict[RowKey, RowFailure] = {}
    collection = ""
    started: RowKey | None = None
    status: int | None = None
    for record in records:
        case = (record.get("node", ""), record.get("row", 0))
        if record["kind"] == "start":
            started = case
        elif record["kind"] == "fail":
            failures.setdefault(case, RowFailure(record["error"], record["line"]))
        elif record["kind"] == "left":
            failures[case] = RowFailure("", left=record["what"])
        elif record["kind"] == "end":
            seconds[case] = record["seconds"]
            started = None
        elif record["kind"] == "collect":
            collection = record["message"]
        elif record["kind"] == "done":
            status = record["status"]
    if started is not None:
        failures.setdefault(started, RowFailure(""))
    if not records:
        collection = "the test process ended before it began"
    ended = status is not None and completed.returncode == status
    figures = _figures(folder / "figures.json", lines)
    changed, chokes = _changed_places(records), _chokes(records)
    again = frozenset((one["node"], one["row"]) for one in records if one["kind"] == "again")
    return RunReport(seconds, failures, collection, figures, ended, changed, chokes, again)


def _chokes(records: list[dict[str, Any]]) -> bool:
    """Was garbage collected at the end, and did that raise or not end?"""
    found = [one for one in records if one["kind"] in ("collecting", "collected")]
    return bool(found) and found[-1].get("failures") != 0


def _changed_places(records: list[dict[str, Any]]) -> dict[RowKey, list[ChangedPlace]]:
    found: dict[RowKey, list[ChangedPlace]] = {}
    for record in records:
        if record["kind"] == "own":
            module, qualname, held = ast.literal_eval(record["place"])
            places = found.setdefault((record["node"], record["row"]), [])
            places.append(ChangedPlace(module, qualname, decode_arg(held)))
    return found


def _records(path: Path) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    found: list[dict[str, Any]] = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            break
        if not isinstance(record, dict) or "kind" not in record:
            break
        found.append(record)
    return found


def _figures(path: Path, lines: tuple[int, int] | None) -> MeasuredCoverage:
    if not path.exists():
        return MeasuredCoverage()
    data = json.loads(path.read_text(encoding="utf-8"))
    if "totals" not in data:
        return MeasuredCoverage()
    reached = _reached_lines(list(data["files"].values()))
    if lines is not None:
        return replace(_figures_between(list(data["files"].values()), *lines), reached=reached)
    totals = data["totals"]
    missing = [
        (int(first), int(last))
        for file in data["files"].values()
        for first, last in file.get("missing_branches", [])
    ]
    return MeasuredCoverage(
        totals["covered_branches"],
        totals["num_branches"],
        totals["covered_lines"],
        totals["num_statements"],
        tuple(missing),
        reached,
    )


def _reached_lines(files: list[dict[str, Any]]) -> ReachedLines:
    """What a run did to the one file of ``files``."""
    file = files[0] if files else {}
    tests: dict[str, list[int]] = {}
    for line, names in sorted(file.get("contexts", {}).items(), key=lambda item: int(item[0])):
        for name in names:
            if name:
                tests.setdefault(name, []).append(int(line))

    def pairs(name: str) -> tuple[tuple[int, int], ...]:
        return tuple((int(first), int(last)) for first, last in file.get(name, ()))

    return ReachedLines(
        tuple(file.get("executed_lines", ())), tuple(file.get("missing_lines", ())),
        pairs("executed_branches"), pairs("missing_branches"),
        tuple((name, tuple(found)) for name, found in sorted(tests.items())),
    )  # fmt: skip


def _figures_between(files: list[dict[str, Any]], start: int, end: int) -> MeasuredCoverage:
    """The figures of the lines from ``start`` to ``end``."""

    def lines(name: str) -> int:
        return sum(start <= line <= end for file in files for line in file.get(name, ()))

    def branches(name: str) -> list[tuple[int, int]]:
        pairs = [(int(a), int(b)) for file in files for a, b in file.get(name, ())]
        return [pair for pair in pairs if start <= pair[0] <= end]

    missing = branches("missing_branches")
    covered = branches("executed_branches")
    executed = lines("executed_lines")
    return MeasuredCoverage(
        len(covered), len(covered) + len(missing), executed, executed + lines("missing_lines"),
        tuple(missing),
    )  # fmt: skip


def subject_file(file: str, paths: Sequence[str]) -> str:
    """The Subject's file as an absolute path; a relative one is looked up below ``paths``."""
    places = [Path(path, file) for path in ("", *paths)]
    return str(next((place for place in places if place.exists()), Path(file)).resolve())
