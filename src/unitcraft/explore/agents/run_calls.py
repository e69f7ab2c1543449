"""Runs of a Sequence: its Calls one after another, and what is told of one that raised.

Invariant: what a Call raises ends the run and is answered; only the bounds of a run pass through.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import LEAVING
from unitcraft.execute.guest.arg_of_value import is_stable_text
from unitcraft.execute.guest.interpret import WORLDS, Interpreter, Results, type_name
from unitcraft.execute.steps import BOUNDS

if TYPE_CHECKING:
    from types import TracebackType

    from unitcraft.core.encoding import Plain

#: Compiles and runs the Calls of this worker.
INTERPRETER: Final = Interpreter()
#: Files of the engine: their frames do not count as code of the Subject.
_ENGINE: Final = re.compile(r"[/\\]unitcraft[/\\](?:execute|explore|instrument|state)[/\\]")


#: In what a command of click printed: its own words, which other versions choose or place anew.
_OF_CLICK: Final = re.compile("^(?:Usage: |Aborted!$)", re.MULTILINE)


class SequenceFailure:
    """The end of a Sequence that raised: the index of the Call, and the error."""

    __slots__ = ("error", "position")

    def __init__(self, position: int, error: BaseException) -> None:
        self.position = position
        self.error = error


def run_calls(calls: Plain, results: Results) -> SequenceFailure | None:
    """Run ``calls``, appending to ``results``; the bounds of a run pass through."""
    if not results:
        for world in WORLDS:
            world.begin()
    step = INTERPRETER.step
    for position in range(len(results), len(calls)):
        action = step(calls[position])
        try:
            results.append(action(results))
        except BOUNDS:
            raise
        except BaseException as error:  # noqa: BLE001 - any outcome of the Subject
            return SequenceFailure(position, error)
        for world in WORLDS:
            if world.begun:
                world.settle()
        kind, name, args = calls[position][:3]
        if kind == "method" and name in LEAVING and args[0][0] == "r":
            for world in WORLDS:
                world.note_entered(results[args[0][1]], name)
    return None


def told_by_command(value: Any) -> dict[str, Any]:
    """What the result of a command of click tells, by the names of attributes; {} of all else.

    That is the number by which it ended, and what it printed in its own words.
    """
    cls = type(value)
    if cls.__module__ != "click.testing" or cls.__name__ != "Result":
        return {}
    told = {"exit_code": value.exit_code}
    return told if _OF_CLICK.search(value.output) else {**told, "output": value.output}


def describe_raise(error: BaseException, package: str) -> Plain:
    """(type, message or None, inside, line, module): ``line`` is the innermost of ``package``.

    ``inside`` is 2 when the innermost frame of all is the package's, 1 when some
    frame is, 0 when the call itself failed.
    """
    inside, line, module = 0, 0, ""
    tb: TracebackType | None = error.__traceback__
    while tb is not None:
        frame = tb.tb_frame
        name = frame.f_globals.get("__name__", "")
        if isinstance(name, str) and (name == package or name.startswith(package + ".")):
            inside, line, module = 2, tb.tb_lineno, name
        elif not _ENGINE.search(frame.f_code.co_filename):
            inside = 1
        tb = tb.tb_next
    return (type_name(type(error)), message_of(error), inside, line, module)


def message_of(error: BaseException) -> str | None:
    """``str(error)``, or None when it is unstable or raises itself."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - the Subject's own __str__
        return None
    return text if type(text) is str and is_stable_text(text) else None
