"""What it takes to call a test function that needs no teardown: values of its fixtures, in order.

Invariant: a plan exists only for a function of a module whose fixtures are, all the way down,
direct parameters or functions that return a value, with the scope of a function or of the session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

#: The function behind a parameter that is given directly.
DIRECT: Final = "get_direct_param_fixture_func"
#: Coroutines, generators and asynchronous generators.
SUSPENDING: Final = 0x80 | 0x20 | 0x200


class NotPlainError(Exception):
    """A fixture needs what only pytest can give."""


@dataclass(frozen=True, slots=True)
class Step:
    """A fixture: its function and what that takes; ``lasts``: for the session."""

    name: str
    function: Callable[..., Any]
    takes: tuple[str, ...]
    lasts: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Parameters, fixtures in the order of their setup, and what the test function takes."""

    given: Mapping[str, Any]
    steps: Sequence[Step]
    takes: tuple[str, ...]

    def values(self, lasting: dict[Any, Any]) -> dict[str, Any]:
        """The arguments of the test; ``lasting`` holds values that others have made."""
        found = dict(self.given)
        for step in self.steps:
            if step.lasts and step.function in lasting:
                found[step.name] = lasting[step.function]
                continue
            value = step.function(**{name: found[name] for name in step.takes})
            found[step.name] = value
            if step.lasts:
                lasting[step.function] = value
        return {name: found[name] for name in self.takes}


def plan_of(item: Any) -> Plan | None:
    """The plan of a pytest item, or None."""
    try:
        if item.cls is not None or suspends(item.obj):
            return None
        info = item._fixtureinfo  # noqa: SLF001
        given = _given(item, info.name2fixturedefs)
        steps = {
            step.name: step
            for name in item.fixturenames
            for step in _steps(name, info.name2fixturedefs, given)
        }
        return Plan(given, tuple(steps.values()), tuple(info.argnames))
    except (NotPlainError, AttributeError):
        return None


def _given(item: Any, fixtures: Mapping[str, Any]) -> dict[str, Any]:
    spec = getattr(item, "callspec", None)
    params = {} if spec is None else dict(spec.params)
    for name in params:
        if fixtures[name][-1].func.__name__ != DIRECT:
            raise NotPlainError
    return params


def _steps(name: str, fixtures: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[Step]:
    """What a fixture needs, and itself."""
    if name in given:
        return
    if name not in fixtures:
        raise NotPlainError
    fixture = fixtures[name][-1]
    takes = tuple(fixture.argnames)
    if fixture.scope not in {"function", "session"} or fixture.params or suspends(fixture.func):
        raise NotPlainError
    if name in takes:
        raise NotPlainError
    for other in takes:
        yield from _steps(other, fixtures, given)
    yield Step(name, fixture.func, takes, fixture.scope == "session")


def suspends(function: Any) -> bool:
    """Is it anything but a function that returns?"""
    code = getattr(function, "__code__", None)
    return code is None or bool(code.co_flags & SUSPENDING)
