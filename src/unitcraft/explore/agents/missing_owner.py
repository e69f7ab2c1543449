"""Whose attribute or key was missing: which argument of the run made what lacked it.

An AttributeError has the object.  Where a subscript failed, what it looked into is found by
evaluating again, in the frame that raised, the loads before it.

Invariant: no code of the Subject runs: names, instance dictionaries and exact dicts are read.
"""

from __future__ import annotations

import dis
from types import FrameType
from typing import Any, Final

from unitcraft.execute.guest.interpret import MADE
from unitcraft.explore.agents.answers import Owner

#: Characters of a text that is told: one as long as the inputs that a search makes.
MAX_TEXT: Final = 200
_ATOMS: Final = (type(None), bool, int, float, str, bytes)
#: In place of what the loads do not tell.
_UNKNOWN: Final = object()
#: Beginnings of the names of instructions that put a variable on the stack.
_LOADS: Final = ("LOAD_FAST", "LOAD_DEREF", "LOAD_NAME", "LOAD_GLOBAL")
_SUBSCRIPT: Final = "BINARY_SUBSCR"


def owner_of(error: BaseException) -> Owner:
    """What lacks an attribute or a key: the number of what made it, or the atom that it is.

    Nested Calls and containers have numbers, in the order in which the run evaluated them.  The
    newest is meant: what an older nested Call made may be gone, and its ``id`` be used again.
    """
    owner: Any = _UNKNOWN
    if type(error) is AttributeError and type(error.name) is str:
        owner = error.obj
    elif type(error) in (KeyError, TypeError):
        owner = _table_of(error)
    if type(owner) in _ATOMS:
        return (owner,) if type(owner) not in (str, bytes) or len(owner) <= MAX_TEXT else None
    return len(MADE) - 1 - MADE[::-1].index(id(owner)) if id(owner) in MADE else None


def _table_of(error: BaseException) -> Any:
    """What the innermost frame looked something up in."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return _UNKNOWN
    steps = list(dis.get_instructions(trace.tb_frame.f_code))
    at = next((n for n, one in enumerate(steps) if one.offset == trace.tb_lasti), 0)
    if at < 2 or steps[at].opname != _SUBSCRIPT:  # noqa: PLR2004 - a container and a key
        return _UNKNOWN
    return _loaded(steps[: at - 1], trace.tb_frame)


def _loaded(steps: list[dis.Instruction], frame: FrameType) -> Any:
    """What the last of ``steps`` put on the stack, if names, attributes and constant keys tell."""
    last = steps[-1] if steps else None
    if last is None:
        return _UNKNOWN
    if last.opname.startswith(_LOADS):
        name = last.argval
        return frame.f_locals.get(name, frame.f_globals.get(name, _UNKNOWN))
    if last.opname == "LOAD_ATTR":
        return _entry(_attributes(_loaded(steps[:-1], frame)), last.argval)
    if last.opname == _SUBSCRIPT and len(steps) > 1 and steps[-2].opname == "LOAD_CONST":
        return _entry(_loaded(steps[:-2], frame), steps[-2].argval)
    return _UNKNOWN


def _entry(table: Any, key: Any) -> Any:
    return table.get(key, _UNKNOWN) if type(table) is dict else _UNKNOWN


def _attributes(owner: Any) -> Any:
    try:
        return object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return _UNKNOWN
