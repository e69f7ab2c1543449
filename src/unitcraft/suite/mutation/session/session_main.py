"""The guarded process of a campaign: forks the warm session, then tries the pending mutants.

Invariant: this process imports pytest and unitcraft only; the suite and its subjects are imported
in forks of it.

Usage: ``python -m unitcraft.suite.mutation.session.session_main FILE`` with a JSON object: the
settings of ``WarmSession``, ``texts`` {name: source}, ``arguments`` (for pytest), and ``report`` (a
file of JSON lines that
is appended to).
"""

from __future__ import annotations

import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

import pytest

from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource
from unitcraft.suite.mutation.session.fork_points import AnsweringFork, ForkPoints
from unitcraft.suite.mutation.session.line_probes import FoundFirst
from unitcraft.suite.mutation.session.reimport_trials import (
    PendingMutant,
    ReimportTrials,
    SessionRemainder,
    use_slot_folder,
)
from unitcraft.suite.mutation.session.warm_session import WarmSession
from unitcraft.suite.recording.pytest_options import pytest_command_line


class Report:
    """A file of JSON lines; each line is written at once, before anything else happens."""

    def __init__(self, file: str) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def say(self, kind: str, **facts: Any) -> None:
        """Append one line."""
        os.write(self._descriptor, json.dumps({"kind": kind, **facts}).encode() + b"\n")


def main() -> int:
    """Run the campaign; the exit status is 0 when it was completed."""
    settings = json.loads(Path(sys.argv[1]).read_text())
    report = Report(settings["report"])
    ENTROPY.install(0)
    asked = ["--capture=sys", *settings["arguments"]]
    arguments = pytest_command_line(asked)
    sources = [
        ModuleSource(name, file, settings["texts"][name], number)
        for number, (name, file) in enumerate(settings["modules"].items())
    ]
    answers = AnsweringFork()
    if answers.pid == 0:
        _run_session(settings, report, sources, arguments, answers)
    plain = answers.receive()
    if plain is None:
        report.say("done", status=2)
        return 2
    left = SessionRemainder(*plain)
    run = lambda plugins: pytest.main(  # noqa: E731
        pytest_command_line(asked), [*plugins, FoundFirst()]
    )
    ReimportTrials(settings, report.say, sources, left, run).all(
        [PendingMutant(*one) for one in left.open]
    )
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    report.say("done", status=0, cpu=sum(one.ru_utime + one.ru_stime for one in usage))
    return 0


def _run_session(
    settings: dict[str, Any],
    report: Report,
    sources: list[ModuleSource],
    arguments: list[str],
    answers: AnsweringFork,
) -> None:
    """Run pytest with the campaign as a plugin, answer with the remainder, and end the process."""
    session = WarmSession(settings, report.say, sources, use_slot_folder)
    points = ForkPoints(settings, report.say, sources, session, answers)
    plugins = [session, session.collected, points, FoundFirst()]
    status = int(pytest.main(arguments, plugins=plugins))
    if points.finish is not None:
        points.finish(status)
    answer = session.left().as_plain() if session.ran else None
    if not session.reached:
        report.say("problem", text=f"pytest ended with status {status} before any test ran")
    points.leave(answer)


if __name__ == "__main__":
    sys.exit(main())
