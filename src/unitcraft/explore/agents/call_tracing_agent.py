"""The agent of ``explain``: run a program on proxies and answer also the calls inside it.

Invariant: as for ``concolic_agent``; recording a call changes neither its outcome nor its events.
"""

from __future__ import annotations

import sys
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.explore.agents import concolic_agent
from unitcraft.instrument import interception
from unitcraft.symbolic.intercept import intercepts
from unitcraft.symbolic.proxies.trace import EVENTS, is_symbolic, term_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Calls of rewritten functions in the run under way: (place, name, terms), or (place, "", ())
#: where one ends; place is the number of events before.
CALLS: Final[list[tuple[int, str, tuple[Any, ...]]]] = []
#: Entries of CALLS that one run keeps: bounds memory and the answer's size.
MAX_CALL_EVENTS: Final = 400
#: Types whose values stand for themselves in a term.
_ATOMS: Final = frozenset({type(None), bool, int, float, str, bytes})
#: The term of any other argument.
_OTHER: Final = ("object",)


def prepare(options: Plain) -> Plain:
    """As ``concolic_agent.prepare``; ``options["calls"]``: record calls of rewritten code."""
    answer = concolic_agent.prepare(options)
    if options.get("calls"):
        for module in list(sys.modules.values()):
            if interception.CALL in getattr(module, "__dict__", ()):
                module.__dict__[interception.CALL] = track_call
    return answer


def track_call(function: Any, /, *args: Any, **kwargs: Any) -> Any:
    """The probe of calls; records where a call of rewritten code begins and ends."""
    inner = function.__func__ if type(function) is MethodType else function
    if type(inner) is not FunctionType or interception.CALL not in inner.__globals__:
        return intercepts.call(function, *args, **kwargs)
    if len(CALLS) >= MAX_CALL_EVENTS:
        return function(*args, **kwargs)
    terms = tuple([_term(value) for value in (*args, *kwargs.values())])
    CALLS.append((len(EVENTS), f"{inner.__module__}:{inner.__qualname__}", terms))
    try:
        return function(*args, **kwargs)
    finally:
        CALLS.append((len(EVENTS), "", ()))


def _term(value: Any) -> Any:
    return term_of(value) if is_symbolic(value) or type(value) in _ATOMS else _OTHER


def follow(item: Plain) -> Plain:
    """As ``concolic_agent.follow``; the answer has the calls of rewritten code."""
    CALLS.clear()
    answer = concolic_agent.run_on_proxies(item)
    return answer._replace(calls=tuple(CALLS)).plain()


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"follow": follow}
