"""What follows a Call of a test: its result is awaited, iterated, entered, or it has to raise.

Invariant: a Call that does not end as its continuation says raises, as the written test would fail.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Coroutine
from typing import Any, Final

from unitcraft.core.sequences import RAISES
from unitcraft.execute.steps import COUNTER

#: Items taken from a generator or another iterator when it is drained.
MAX_ITEMS_DRAINED: Final = 12

Step = Callable[[list[Any]], Any]


class NotRaisedError(Exception):
    """A Call that was to raise returned."""


def continued(step: Step, then: str, finish: Callable[[Coroutine[Any, Any, Any]], Any]) -> Step:
    """``step`` and what ``then`` says of its result (see ``core.sequences.Call``).

    ``finish`` carries out a coroutine.
    """
    if then == "await":
        return lambda results: finish(step(results))
    if then == "collect":
        return lambda results: finish(_collect(step(results)))
    if then == "enter":
        return lambda results: enter(step(results))
    if then == "await enter":
        return lambda results: finish(_enter_async(step(results)))
    if then == "drain":
        return lambda results: list(itertools.islice(step(results), MAX_ITEMS_DRAINED))
    if then.startswith(RAISES):
        return _raising(step, then.removeprefix(RAISES))
    return step


def enter(manager: Any) -> Any:
    """What a context manager answers when it is entered; it is left, too."""
    with manager as value:
        return value


async def _enter_async(manager: Any) -> Any:
    async with manager as value:
        return value


async def _collect(items: Any) -> list[Any]:
    """All items of an asynchronous iterator; one of too many does not end."""
    found = []
    async for item in items:
        found.append(item)
        if len(found) > MAX_ITEMS_DRAINED:
            COUNTER.exhaust()
    return found


def _raising(step: Step, expected: str) -> Step:
    """The Step that answers None where ``step`` raises an exception of just that class."""

    def run(results: list[Any]) -> None:
        try:
            step(results)
        except Exception as error:
            cls = type(error)
            if f"{cls.__module__}:{cls.__qualname__}" != expected:
                raise
            return
        raise NotRaisedError

    return run
