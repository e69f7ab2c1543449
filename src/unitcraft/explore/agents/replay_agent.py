"""The agent of concrete exploration: replay a path and say which state it reached.

Invariant: the Subject runs on its own code, not rewritten; an answer depends on the path alone.
Every path starts with its constructor, and nothing of one path is kept for the next but compiled
Calls.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from unitcraft.explore.agents.replay_calls import replay
from unitcraft.state.heap.canonical import canonical, structure

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from unitcraft.core.encoding import Plain


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]``; answers {}."""
    import_subject(options["module"])
    return {}


def reach(path: Plain) -> Plain:
    """Run the marshalled Calls of ``path``; answers (outcome of the last, digest).

    The first Call makes the receiver; what later Calls raise is an outcome, and the state at
    the exceptional exit is kept.  The outcome is '' for a return, else the class raised.  The
    digest is that of the receiver, empty when the constructor raised.
    """
    results: list[Any] = []
    outcome = replay(path, results)
    return (outcome, canonical((results[0],)) if results else b"")


def show(path: Plain) -> Plain:
    """The canonical structure of the receiver at the end of ``path``; () without a receiver."""
    results: list[Any] = []
    replay(path, results)
    return structure((results[0],)) if results else ()


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"reach": reach, "show": show}
