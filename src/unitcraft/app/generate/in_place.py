"""Runs a written file where it lives, with the project's own conftest, settings and plugins.

Invariant: a run that did not come to the tests condemns none of them, nor does one in which every
test fails: then the project's set-up does not work in a guarded process.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from unitcraft.app.config import Config
from unitcraft.app.search_path import suite_path
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.subject.locate import Located
from unitcraft.suite.conftest_lines import conftest_text

#: Wall seconds for one run: the file has passed before, in fewer.
MAX_SECONDS: Final = 120.0


@dataclass(frozen=True, slots=True)
class PlaceReport:
    """``failed`` has the tests that did not pass, as ``test_x`` or ``TestA.test_x``, and how.

    ``problem`` is why the file could not be run, '' when it could.
    """

    failed: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""


@dataclass(frozen=True, slots=True)
class PlaceCheck:
    """Runs files of one project."""

    config: Config
    python: Interpreter = OWN

    def matters(self, file: Path) -> bool:
        """Is there a ``conftest.py`` that bears on ``file``, or something to do before imports?"""
        if self.config.before_import:
            return True
        root = self.config.root
        folders = [folder for folder in file.parents if folder.is_relative_to(root)]
        return any((folder / "conftest.py").is_file() for folder in folders)

    def run(self, file: Path, located: Located) -> PlaceReport:
        """How ``file`` does under pytest as the project has it."""
        from unitcraft.suite.recording.record import SuiteSpec, run_suite

        config = self.config
        spec = SuiteSpec(
            (str(file),),
            (located.module,),
            str(config.root),
            suite_path(config, [located.root], config.root, self.python),
            read_policy(config.sandbox, config.allow),
            env=dict(config.env),
            seconds=MAX_SECONDS,
            python=self.python,
        )
        report = report_of(run_suite(spec, "run")[0])
        lines = [line for line in conftest_text(config.before_import).splitlines() if line]
        if not report.problem or not lines:
            return report
        advice = f"if nothing sets the project up, conftest.py can: {'; '.join(lines)}"
        return PlaceReport(problem=f"{report.problem} - {advice}")


def report_of(frames: list[dict[str, Any]]) -> PlaceReport:
    """What the frames of a run say."""
    failed: dict[str, str] = {}
    problems: list[str] = []
    passed = 0
    started = ""
    for frame in frames:
        if frame["kind"] == "problem":
            problems.append(_last_line(frame["text"]))
        elif frame["kind"] == "start":
            started = frame["node"]
        elif frame["kind"] == "end":
            started = ""
            passed += frame["verdict"] != "failed"
            if frame["verdict"] == "failed":
                failed[_name(frame["node"])] = problems[-1] if problems else "failed"
    if started:
        failed[_name(started)] = "the process ended in it"
    if passed:
        return PlaceReport(failed)
    return PlaceReport(problem=problems[-1] if problems else "pytest ran no test")


def _name(node: str) -> str:
    """``TestA.test_x`` of ``tests/test_m.py::TestA::test_x[1-2]``."""
    return ".".join(node.partition("[")[0].split("::")[1:])


def _last_line(text: str) -> str:
    """The last line of a traceback that is no detail (``+  where``), without pytest's margin."""
    lines = [line.removeprefix("E").strip() for line in text.strip().splitlines()]
    return next((line for line in reversed(lines) if line and line[0] != "+"), "")
