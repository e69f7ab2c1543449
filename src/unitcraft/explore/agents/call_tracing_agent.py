"""The worker's side of explaining: follow a program and say also which calls it made.

Invariant: as for ``following``, with one difference: a program ends at the first Call that
raises, as the text of a test would.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.guest.arg_of_value import type_name
from unitcraft.explore.agents import concolic_agent
from unitcraft.instrument import interception
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies.trace import EVENTS, MARKS, symbolic, taken, term_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Calls of rewritten functions in the run under way: (place, name, terms), or (place, "", ())
#: where one ends; place is the number of events before.
CALLS: Final[list[tuple[int, str, tuple[Any, ...]]]] = []
#: Entries of one run that are kept.
MOST_CALLS: Final = 400
_ATOMS: Final = frozenset({type(None), bool, int, float, str, bytes})
_OTHER: Final = ("object",)


def prepare(options: Plain) -> Plain:
    """As ``following.prepare``; with ``options["calls"]`` calls of rewritten code are noted."""
    answer = concolic_agent.prepare(options)
    if options.get("calls"):
        for module in list(sys.modules.values()):
            if interception.CALL in getattr(module, "__dict__", ()):
                module.__dict__[interception.CALL] = tracked
    return answer


def tracked(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The probe of calls, with a note of where a call of rewritten code begins and ends."""
    inner = function.__func__ if type(function) is MethodType else function
    if type(inner) is not FunctionType or interception.CALL not in inner.__globals__:
        return intercepts.call(function, *args, **kwargs)
    if len(CALLS) >= MOST_CALLS:
        return function(*args, **kwargs)
    terms = tuple([_term(value) for value in (*args, *kwargs.values())])
    CALLS.append((len(EVENTS), f"{inner.__module__}:{inner.__qualname__}", terms))
    try:
        return function(*args, **kwargs)
    finally:
        CALLS.append((len(EVENTS), "", ()))


def _term(value: Any) -> Any:
    return term_of(value) if symbolic(value) or type(value) in _ATOMS else _OTHER


def trail(item: Plain) -> Plain:
    """Run ``(calls, values, known)``; ``known`` is a byte for each event that is foreseen.

    Answers (outcome, the events after those, whether they are all, marks, the place of the Call
    that ended it, calls of rewritten code, whether the foreseen events turned out as given); the
    outcome is '' for a return, else the class raised.
    """
    calls, values, known = item
    concolic_agent.begin(values)
    CALLS.clear()
    results: list[Any] = []
    outcome = ""
    for call in calls:
        try:
            results.append(concolic_agent.action_of(call)(results))
        except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as error:  # noqa: BLE001
            outcome = type_name(type(error))
            break
    last = len(results) if outcome else len(results) - 1
    events, whole = taken(len(known))
    as_known = bytes([one[1] for one in EVENTS[: len(known)]]) == known
    return (outcome, tuple(events), whole, tuple(MARKS), last, tuple(CALLS), as_known)


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {**concolic_agent.SERVICES, "trail": trail}
