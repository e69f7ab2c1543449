"""The replay loop of the agents: marshalled Calls, compiled once, run one after another.

Invariant: nothing of one replay is kept for the next but compiled Calls; what a Call raises ends
in the outcome and never leaves the loop.
"""

from __future__ import annotations

import marshal
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.guest.interpret import MAX_COMPILED, compile_call, type_name
from unitcraft.execute.steps import BOUNDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

#: Marshalled Call -> the function that runs it.
_COMPILED: Final[dict[bytes, Callable[[list[Any]], Any]]] = {}


def replay(calls: Iterable[bytes], results: list[Any], *, past_raise: bool = True) -> str:
    """Run ``calls``, append what they return to ``results``, and answer the last outcome.

    The outcome is '' for a return, else the class raised.  A first Call that raises ends the run:
    there is no receiver.  A later one stands with None among the results, and the run goes on;
    without ``past_raise`` it ends there, as the text of a test would.
    """
    outcome = ""
    for call in calls:
        action = _COMPILED.get(call) or compiled(call)
        try:
            results.append(action(results))
            outcome = ""
        except BOUNDS:
            raise
        except BaseException as error:  # noqa: BLE001 - any outcome of the Subject
            outcome = type_name(type(error))
            if not (results and past_raise):
                break
            results.append(None)
    return outcome


def compiled(call: bytes) -> Callable[[list[Any]], Any]:
    """A function that runs a marshalled Call on the results so far; compiled once."""
    known = _COMPILED.get(call)
    if known is not None:
        return known
    if len(_COMPILED) >= MAX_COMPILED:
        _COMPILED.clear()
    action = _COMPILED[call] = compile_call(marshal.loads(call))  # noqa: S302 - the planner's own
    return action
