"""Whose attribute or key was missing: which argument of the run made what lacked it.

An AttributeError has the object.  Where a subscript failed, what it looked into is found by
evaluating again, in the frame that raised, the loads before it.

Invariant: no code of the Subject runs: names, instance dictionaries and exact dicts are read.
"""

from __future__ import annotations

import dis
from collections import deque
from types import CodeType, FrameType
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
#: Instructions that are followed back from a subscript.
MAX_LOADS: Final = 16
#: Subscripts that are remembered: of a long function disassembling takes milliseconds, and a module
#: that looks keys up fails at the same ones in thousands of runs.
MAX_KNOWN: Final = 2_000
#: (``id`` of the code, offset) -> the code, which keeps its ``id``, and the loads before the key.
_KNOWN: Final[dict[tuple[int, int], tuple[CodeType, list[dis.Instruction]]]] = {}


def owner_of(error: BaseException) -> Owner:
    """What lacks an attribute or a key: the number of what made it, or the atom that it is.

    Nested Calls and containers have numbers, in the order in which the run evaluated them.
    """
    owner: Any = _UNKNOWN
    if type(error) is AttributeError and type(error.name) is str:
        owner = error.obj
    elif type(error) in (KeyError, TypeError):
        owner = _table_of(error)
    if type(owner) in _ATOMS:
        return (owner,) if type(owner) not in (str, bytes) or len(owner) <= MAX_TEXT else None
    return MADE.number_of(owner)


def _table_of(error: BaseException) -> Any:
    """What the innermost frame looked something up in."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return _UNKNOWN
    frame = trace.tb_frame
    return _loaded(_loads_before(frame.f_code, trace.tb_lasti), frame)


def _loads_before(code: CodeType, at: int) -> list[dis.Instruction]:
    """The last instructions before the key of the subscript at the offset ``at``; [] for others."""
    place = (id(code), at)
    if place not in _KNOWN:
        last: deque[dis.Instruction] = deque(maxlen=MAX_LOADS)
        for step in dis.get_instructions(code):
            last.append(step)
            if step.offset == at:
                break
        is_subscript = bool(last) and (last[-1].offset, last[-1].opname) == (at, _SUBSCRIPT)
        steps = [*last][:-2] if is_subscript else []
        if len(_KNOWN) >= MAX_KNOWN:
            _KNOWN.clear()
        _KNOWN[place] = (code, steps)
    return _KNOWN[place][1]


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
