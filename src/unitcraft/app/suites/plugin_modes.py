"""The modes of the pytest plugin: check, select and prioritize.

Invariant: the tests are recorded in a guarded process of their own; of the run that pytest makes,
only the choice, the order and the report of tests change.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from unitcraft.app.config import load
from unitcraft.app.suites.check_command import Checked, CheckRequest, run_check
from unitcraft.app.suites.check_report import render_report
from unitcraft.app.suites.compare_command import run_prioritize
from unitcraft.app.suites.existing_suite import SuiteRequest, spec_of
from unitcraft.app.terminal_text import counted
from unitcraft.core.errors import UnitcraftError
from unitcraft.suite.existing.assertion_normal_form import normal_forms_in
from unitcraft.suite.existing.minimise import asserts_nothing_new
from unitcraft.suite.existing.redundancy import redundant_tests
from unitcraft.suite.recording.record import record_suite


class Modes:
    """One mode in a run of pytest (mutable: it keeps the findings and notes).

    ``mark`` is set in the environment of the recording runs.
    """

    def __init__(
        self, config: pytest.Config, mode: str, subjects: tuple[str, ...], mark: str
    ) -> None:
        if _is_distributed(config) and mode != "check":
            raise pytest.UsageError(
                f"--unitcraft={mode} does not reach the processes of pytest-xdist: leave out -n, "
                f"or hand `unitcraft {mode} --format nodes` to pytest"
            )
        self._cwd = config.invocation_params.dir
        self._mode = mode
        settings = replace(load(self._cwd), python=sys.executable)  # it runs the suite already
        self._wish = SuiteRequest(
            tuple(config.args),
            (),
            subjects,
            "WholeState",
            inner=False,
            sandbox=settings.sandbox,
            allow=settings.allow,
            seconds=600.0,
            config=settings,
            env=((mark, "1"),),
        )
        self._checked: Checked | None = None
        self._notes: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Choose or order the tests."""
        if items:
            self._settle(config, items)

    def _settle(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Do the work of the mode."""
        try:
            if self._mode == "select":
                self._select(config, items)
            elif self._mode == "prioritize":
                self._prioritize(items)
            else:
                self._checked = run_check(CheckRequest(self._wish), self._cwd)
        except UnitcraftError as error:
            raise pytest.UsageError(str(error)) from error

    def _select(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        recording = record_suite(spec_of(self._wish, self._cwd))
        redundant = redundant_tests(recording, self._wish.representation)
        normal_forms = normal_forms_in(recording)
        gone = {one.test.node for one in redundant if asserts_nothing_new(one, normal_forms)}
        left_out = [item for item in items if item.nodeid in gone]
        items[:] = [item for item in items if item.nodeid not in gone]
        config.hook.pytest_deselected(items=left_out)
        self._notes.append(f"{counted(len(left_out), 'redundant test')} left out")

    def _prioritize(self, items: list[pytest.Item]) -> None:
        order = run_prioritize(self._wish, self._cwd)
        places = {one.test.node: place for place, one in enumerate(order)}
        items.sort(key=lambda item: places.get(item.nodeid, len(places)))
        adding = sum(one.branches > 0 for one in order)
        self._notes.append(f"the first {adding} tests take all branches that the suite takes")

    def pytest_sessionfinish(self, session: pytest.Session, exitstatus: int) -> None:
        """Fail a run that passed otherwise when there are findings.

        Where pytest-xdist runs the tests, nothing was collected here, and they are judged now.
        """
        if self._checked is None and self._mode == "check" and _is_distributed(session.config):
            self._settle(session.config, [])
        if self._checked is not None and self._checked.findings and exitstatus == 0:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the notes and findings."""
        lines = list(self._notes)
        if self._checked is not None:
            lines += render_report(self._checked, "full").splitlines()
        if lines:
            terminalreporter.section("unitcraft")
        for line in lines:
            terminalreporter.write_line(line)


def _is_distributed(config: pytest.Config) -> bool:
    """Does pytest-xdist run the tests in other processes?"""
    return bool(config.getoption("dist", "no") != "no")
