"""Programs as lines of Python for people: one for each Call.

Invariant: the lines of a program are the code that runs it, once its names are imported.
"""

from __future__ import annotations

from unitcraft.core.call_text import call_text
from unitcraft.core.sequences import Sequence, refs_of


def program_lines(program: Sequence) -> tuple[str, ...]:
    """One line for each Call; results that a later Call needs get a name."""
    names = _names(program)
    return tuple(
        f"{names[place]} = {call_text(call, names)}" if names[place] else call_text(call, names)
        for place, call in enumerate(program.calls)
    )


def program_text(program: Sequence) -> str:
    """All of ``program`` on one line."""
    return "; ".join(program_lines(program))


def _names(program: Sequence) -> list[str]:
    """A name for each result that is used, none of which hides what a Call imports."""
    used = {ref for call in program.calls for ref in refs_of(call)}
    names: list[str] = []
    for place, call in enumerate(program.calls):
        module, _, path = call.name.rpartition(":")
        base = path.rpartition(".")[2]
        name = base[:1].lower() + base[1:] if base.isidentifier() else "result"
        number = sum(one.rstrip("0123456789_") == name for one in names)
        hides = bool(module) and name == path
        names.append(
            "" if place not in used else f"{name}_{number + 1}" if number or hides else name
        )
    return names
