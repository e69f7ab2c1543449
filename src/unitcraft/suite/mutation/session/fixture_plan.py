"""Plans for setting up the fixtures of a test function without pytest.

Invariant: a plan exists only for a test function of a module (no class) whose fixtures, and theirs,
are parameters of ``parametrize`` or functions that return a value (no teardown), with function or
session scope; and for a test of a ``unittest.TestCase`` that has no fixture but the one by which
pytest calls ``setUpClass`` and ``tearDownClass``, where these are those of ``unittest`` and do
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from unittest import TestCase

from _pytest.unittest import TestCaseFunction

#: The name of the function that pytest puts behind a parameter of ``parametrize``.
DIRECT_PARAMETER: Final = "get_direct_param_fixture_func"
#: The beginning of the name of the fixture that calls ``setUpClass`` and ``tearDownClass``.
CLASS_FIXTURE: Final = "_unittest_setUpClass_fixture_"
#: What that fixture calls.
CLASS_METHODS: Final = ("setUpClass", "tearDownClass", "doClassCleanups")
#: Code flags of coroutines, generators and asynchronous generators.
SUSPENDING_FLAGS: Final = 0x80 | 0x20 | 0x200


class UnsupportedFixtureError(Exception):
    """A fixture that only pytest can set up."""


@dataclass(frozen=True, slots=True)
class FixtureStep:
    """A fixture: its function with the parameters; ``is_for_session``: it has session scope."""

    name: str
    function: Callable[..., Any]
    parameters: tuple[str, ...]
    is_for_session: bool


@dataclass(frozen=True, slots=True)
class FixturePlan:
    """``parametrize`` values, fixtures in order of setup, and the parameters of the test."""

    direct: Mapping[str, Any]
    steps: Sequence[FixtureStep]
    parameters: tuple[str, ...]

    def values(self, session_values: dict[Any, Any]) -> dict[str, Any]:
        """The arguments of the test; ``session_values`` keeps the values of session scope."""
        found = dict(self.direct)
        for step in self.steps:
            if step.is_for_session and step.function in session_values:
                found[step.name] = session_values[step.function]
                continue
            value = step.function(**{name: found[name] for name in step.parameters})
            found[step.name] = value
            if step.is_for_session:
                session_values[step.function] = value
        return {name: found[name] for name in self.parameters}


def plan_of(item: Any) -> FixturePlan | None:
    """The plan of a pytest item; None when pytest itself has to run it."""
    try:
        if type(item) is TestCaseFunction and _needs_no_setup(item):
            return FixturePlan({}, (), ())
        if item.cls is not None or suspends(item.obj):
            return None
        info = item._fixtureinfo  # noqa: SLF001
        direct = _direct_parameters(item, info.name2fixturedefs)
        steps = {
            step.name: step
            for name in item.fixturenames
            for step in _steps(name, info.name2fixturedefs, direct)
        }
        return FixturePlan(direct, tuple(steps.values()), tuple(info.argnames))
    except (UnsupportedFixtureError, AttributeError):
        return None


def _needs_no_setup(item: TestCaseFunction) -> bool:
    """Is there nothing to set up before the ``run`` of the TestCase, or to tear down after it?"""
    if not hasattr(TestCaseFunction, "_getinstance"):  # an older pytest: its setup makes the object
        return False
    fixtures = [name for name in item.fixturenames if name != "request"]
    return all(name.startswith(CLASS_FIXTURE) for name in fixtures) and all(
        getattr(getattr(item.cls, name), "__func__", None) is vars(TestCase)[name].__func__
        for name in CLASS_METHODS
    )


def _direct_parameters(item: Any, fixtures: Mapping[str, Any]) -> dict[str, Any]:
    spec = getattr(item, "callspec", None)
    params = {} if spec is None else dict(spec.params)
    for name in params:
        if fixtures[name][-1].func.__name__ != DIRECT_PARAMETER:
            raise UnsupportedFixtureError
    return params


def _steps(
    name: str, fixtures: Mapping[str, Any], direct: Mapping[str, Any]
) -> Iterator[FixtureStep]:
    """The steps of the fixtures that ``name`` depends on, then its own."""
    if name in direct:
        return
    if name not in fixtures:
        raise UnsupportedFixtureError
    fixture = fixtures[name][-1]
    parameters = tuple(fixture.argnames)
    if fixture.scope not in {"function", "session"} or fixture.params or suspends(fixture.func):
        raise UnsupportedFixtureError
    if name in parameters:
        raise UnsupportedFixtureError
    for other in parameters:
        yield from _steps(other, fixtures, direct)
    yield FixtureStep(name, fixture.func, parameters, fixture.scope == "session")


def suspends(function: Any) -> bool:
    """Is it a generator or coroutine, or no function at all?"""
    code = getattr(function, "__code__", None)
    return code is None or bool(code.co_flags & SUSPENDING_FLAGS)
