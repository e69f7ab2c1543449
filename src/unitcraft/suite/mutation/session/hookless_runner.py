"""Runs test functions without pytest's hooks and reports: fixture setup, the call, teardown.

Invariant: a test runs without hooks only where no plugin or conftest file implements a hook of
running tests, so that a test function that raises here raises under pytest's hooks too.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import warnings
from collections.abc import Generator, Sequence
from itertools import groupby
from typing import Any, Final

import pytest
from _pytest.logging import catching_logs
from _pytest.unittest import TestCaseFunction
from _pytest.warnings import catch_warnings_for_item

from unitcraft.suite.mutation.session.fixture_plan import FixturePlan, plan_of, suspends
from unitcraft.suite.mutation.session.item_runner import OutcomeWatch

#: Hooks of running a test: an implementation outside pytest may change an outcome.
HOOKS: Final = (
    "pytest_runtest_protocol", "pytest_runtest_setup", "pytest_runtest_call",
    "pytest_runtest_teardown", "pytest_runtest_makereport", "pytest_runtest_logreport",
    "pytest_runtest_logstart", "pytest_runtest_logfinish", "pytest_pyfunc_call",
    "pytest_fixture_setup", "pytest_fixture_post_finalizer", "pytest_exception_interact",
)  # fmt: skip
#: Marks that change the outcome of a test.
MARKS: Final = ("skip", "skipif", "xfail", "filterwarnings")
#: Fixtures that rely on the hooks.
HOOK_FIXTURES: Final = frozenset(
    {"capsys", "capfd", "capsysbinary", "capfdbinary", "capteesys", "caplog", "pytester",
     "testdir", "subtests", "record_property", "record_xml_attribute"}
)  # fmt: skip
#: Exceptions that are not failures, or that end more than the test: pytest itself has to run it.
NOT_FAILURES: Final = (
    pytest.skip.Exception, pytest.xfail.Exception, pytest.exit.Exception, KeyboardInterrupt
)  # fmt: skip


_UNCLEAR: Final = "unclear"


class Unclear(Exception):  # noqa: N818 - says what happened
    """A test ended in a way whose outcome only pytest's hooks can decide."""


class HooklessRunner:
    """Runs items, with or without hooks (mutable); ``watch`` is registered with pytest."""

    def __init__(self, config: pytest.Config, watch: OutcomeWatch) -> None:
        self._config = config
        self._watch = watch
        self._is_only_pytest_running = _is_only_pytest(config)
        self._logging: Any = config.pluginmanager.get_plugin("logging-plugin")
        self._capture: Any = config.pluginmanager.get_plugin("capturemanager")
        self._log: list[Any] = []
        self._plans: dict[pytest.Item, FixturePlan | None] = {}
        self._session_values: dict[Any, Any] = {}
        self._unhandled: list[Any] = []
        with catch_warnings_for_item(config=config, ihook=config.hook, when="runtest", item=None):
            self._filters = list(warnings.filters)

    def can_run(self, item: pytest.Item) -> bool:
        """Can the item run without hooks?"""
        if (
            not self._is_only_pytest_running
            or not isinstance(item, pytest.Function)
            or type(item) not in (pytest.Function, TestCaseFunction)
            or not hasattr(item, "_request")
            or (type(item) is TestCaseFunction and "twisted.trial.unittest" in sys.modules)
        ):
            return False
        if any(item.get_closest_marker(name) is not None for name in MARKS):
            return False
        return not suspends(item.obj) and HOOK_FIXTURES.isdisjoint(item.fixturenames)

    @contextlib.contextmanager
    def _pytest_surroundings(self) -> Generator[None, None, None]:
        """What pytest sets up around each test: captured streams and logs, warning filters."""
        with contextlib.ExitStack() as stack:
            if self._capture is not None:
                self._capture.resume_global_capture()
                stack.callback(self._suspend_capture)
            if self._logging is not None:
                for handler in (self._logging.caplog_handler, self._logging.report_handler):
                    stack.enter_context(catching_logs(handler, level=self._logging.log_level))
                    handler.reset()
            self._log = stack.enter_context(warnings.catch_warnings(record=True)) or []
            stack.callback(setattr, sys, "unraisablehook", sys.unraisablehook)
            stack.callback(setattr, threading, "excepthook", threading.excepthook)
            sys.unraisablehook = threading.excepthook = self._unhandled.append
            yield

    def _suspend_capture(self) -> None:
        self._capture.suspend_global_capture()
        self._capture.read_global_capture()

    def run(
        self, items: Sequence[pytest.Item], hookless_flags: Sequence[bool]
    ) -> Generator[str, None, None]:
        """Run items in order; for each '' when it passed, else ``assertion`` or ``exception``.

        Closing the iterator early tears down all fixtures.  Raises UnclearOutcome.
        """
        state: Any = items[0].session._setupstate if items else None  # noqa: SLF001
        followings = [*items[1:], None]
        try:
            for hookless, group in groupby(
                zip(items, followings, hookless_flags, strict=True), _is_hookless
            ):
                with self._pytest_surroundings() if hookless else contextlib.nullcontext():
                    for item, following, _ in group:
                        run = self._hookless if hookless else self._hooked
                        yield run(item, following)
        finally:
            self._session_values.clear()
            with contextlib.suppress(Exception):
                state.teardown_exact(None)

    def _hookless(self, item: pytest.Item, following: pytest.Item | None) -> str:
        warnings.filters[:] = self._filters  # type: ignore[index]
        warnings._filters_mutated()  # type: ignore[attr-defined]  # noqa: SLF001
        self._log.clear()
        self._watch.reset()  # subtests report to it
        os.environ["PYTEST_CURRENT_TEST"] = f"{item.nodeid} (call)".replace("\0", "(null)")
        try:
            plan = self._plan(item)
            if plan is not None:
                failed = _run_plan(item, plan, self._session_values)
            else:
                if following is not None and self._plan(following) is not None:
                    following = None
                failed = _run_with_setup(item, following)
            if self._unhandled:
                self._unhandled.clear()
                raise Unclear
            return failed or (self._watch.kind if self._watch.verdict == "failed" else "")
        finally:
            os.environ.pop("PYTEST_CURRENT_TEST", None)

    def _plan(self, item: pytest.Item) -> FixturePlan | None:
        if item not in self._plans:
            self._plans[item] = plan_of(item)
        return self._plans[item]

    def _hooked(self, item: pytest.Item, following: pytest.Item | None) -> str:
        self._watch.reset()
        _renew_instance(item)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        return self._watch.kind if self._watch.verdict == "failed" else ""


def _is_hookless(one: tuple[Any, Any, bool]) -> bool:
    return one[2]


def _is_only_pytest(config: pytest.Config) -> bool:
    """Are all implementations of the hooks of running tests in ``_pytest`` or unitcraft?"""
    if config.getoption("usepdb", default=False) or config.getoption("setuponly", default=False):
        return False
    ours = ("_pytest.", "unitcraft.")
    implementations = [one for name in HOOKS for one in getattr(config.hook, name).get_hookimpls()]
    return all(getattr(one.function, "__module__", "").startswith(ours) for one in implementations)


def _run_plan(item: Any, plan: FixturePlan, session_values: dict[Any, Any]) -> str:
    failed = ""
    try:
        if type(item) is TestCaseFunction:
            failed = _run_test_case(item)
        else:
            result = item.obj(**plan.values(session_values))
            failed = "" if result is None else _UNCLEAR
    except BaseException as error:  # noqa: BLE001 - whatever a test raises
        failed = _kind_of_failure(error)
    if failed == _UNCLEAR:
        raise Unclear
    return failed


def _run_test_case(item: TestCaseFunction) -> str:
    """Run a test whose class needs no setup, unless the test leaves something to clean up."""
    _renew_instance(item)
    try:
        failed = _call(item)
    finally:
        _renew_instance(item)
    return _UNCLEAR if getattr(item.cls, "_class_cleanups", None) else failed


def _renew_instance(item: Any) -> None:
    """Drop the cached instance of a test class, so that the next run makes a new one."""
    if getattr(item, "cls", None) is not None:
        vars(item).pop("_instance", None)
        vars(item).pop("_obj", None)


def _run_with_setup(item: Any, following: pytest.Item | None) -> str:
    _renew_instance(item)
    state = item.session._setupstate  # noqa: SLF001
    if not item._request:  # noqa: SLF001
        item._initrequest()  # noqa: SLF001
    failed = ""
    try:
        try:
            state.setup(item)
            failed = _call(item)
        except BaseException as error:  # noqa: BLE001 - whatever a test raises
            failed = _kind_of_failure(error)
        try:
            state.teardown_exact(following)
        except BaseException as error:  # noqa: BLE001
            failed = failed or _kind_of_failure(error)
    finally:
        item._request = False  # noqa: SLF001
        item.funcargs = None
    if failed == _UNCLEAR:
        raise Unclear
    return failed


def _call(item: Any) -> str:
    """Call the function of an item that is set up: the kind of its failure, or ''."""
    if type(item) is TestCaseFunction:
        item.runtest()
        caught = vars(item).pop("_excinfo", None)  # where unittest reports to
        return _kind_of_failure(caught[0].value) if caught else ""
    given = item.funcargs
    result = item.obj(**{name: given[name] for name in item._fixtureinfo.argnames})  # noqa: SLF001
    return "" if result is None else _UNCLEAR


def _kind_of_failure(error: BaseException) -> str:
    if isinstance(error, NOT_FAILURES) or type(error).__name__ == "SkipTest":
        return _UNCLEAR
    kinds = (AssertionError, pytest.fail.Exception)
    return "assertion" if isinstance(error, kinds) else "exception"
