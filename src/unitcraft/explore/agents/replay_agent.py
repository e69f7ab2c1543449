"""The agent of concrete exploration: replay a path and say which state it reached.

Invariant: the Subject runs on its own code, not rewritten; an answer depends on the path alone.
Every path starts with its constructor, and nothing of one path is kept for the next but compiled
Calls.
"""

from __future__ import annotations

import importlib
import marshal
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.guest.interpret import MAX_COMPILED, compile_call, type_name
from unitcraft.state.heap.canonical import canonical, structure

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Encoded Call, marshalled -> what runs it.
_COMPILED: Final[dict[bytes, Callable[[list[Any]], Any]]] = {}


def prepare(options: Plain) -> Plain:
    """Import ``options["module"]``; answers {}."""
    importlib.import_module(options["module"])
    return {}


def reach(path: Plain) -> Plain:
    """Run the marshalled Calls of ``path``; answers (outcome of the last, digest).

    The first Call makes the receiver; what later Calls raise is an outcome, and the state at
    the exceptional exit is kept.  The outcome is '' for a return, else the class raised.  The
    digest is that of the receiver, empty when the constructor raised.
    """
    results, outcome = _replay(path)
    return (outcome, canonical((results[0],)) if results else b"")


def show(path: Plain) -> Plain:
    """The canonical structure of the receiver at the end of ``path``; () without a receiver."""
    results, _ = _replay(path)
    return structure((results[0],)) if results else ()


def _replay(path: Plain) -> tuple[list[Any], str]:
    results: list[Any] = []
    outcome = ""
    for call in path:
        action = _COMPILED.get(call) or _compile(call)
        try:
            results.append(action(results))
            outcome = ""
        except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as error:  # noqa: BLE001
            outcome = type_name(type(error))
            if not results:
                break
            results.append(None)
    return results, outcome


def _compile(call: bytes) -> Callable[[list[Any]], Any]:
    if len(_COMPILED) >= MAX_COMPILED:
        _COMPILED.clear()
    action = _COMPILED[call] = compile_call(marshal.loads(call))  # noqa: S302 - the planner's own
    return action


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"reach": reach, "show": show}
