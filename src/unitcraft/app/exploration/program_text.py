"""Programs and outcomes as the lines of text that ``explain`` prints.

Invariant: the lines of a program are the Python code that runs it, once its names are imported.
"""

from __future__ import annotations

from unitcraft.core.call_text import arg_text, call_text
from unitcraft.core.encoding import decode
from unitcraft.core.outcomes import Opaque, Rejected
from unitcraft.core.sequences import Sequence as Program
from unitcraft.core.sequences import refs_of
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents.answers import AfterAnswer


def program_lines(program: Program) -> tuple[str, ...]:
    """One line for each Call; results that a later Call needs get a name."""
    names = _names(program)
    return tuple(
        f"{names[place]} = {call_text(call, names)}" if names[place] else call_text(call, names)
        for place, call in enumerate(program.calls)
    )


def program_text(program: Program) -> str:
    """All of ``program`` on one line."""
    return "; ".join(program_lines(program))


def _names(program: Program) -> list[str]:
    used = {ref for call in program.calls for ref in refs_of(call)}
    names: list[str] = []
    for place, call in enumerate(program.calls):
        base = call.name.rpartition(":")[2].rpartition(".")[2]
        name = base[:1].lower() + base[1:] if base.isidentifier() else "result"
        number = sum(one.rstrip("0123456789_") == name for one in names)
        names.append((f"{name}_{number + 1}" if number else name) if place in used else "")
    return names


def outcome_text(reply: Reply, module: str) -> tuple[str, str]:
    """The outcome of the last Call in words, and the class that it raised ('' for a return)."""
    if reply.failure is not None:
        failure = reply.failure
        if isinstance(failure, Rejected):
            return f"is refused by the sandbox: {failure.event}", "rejected"
        return f"does not end ({failure.reason})", "exhausted"
    answer = AfterAnswer.read(reply.value)
    if answer is None:
        return "ends before the call", "lost"
    raised = answer.outcome
    if raised is None:
        return f"returns {_value(answer.shown, answer.type)}", ""
    place = f" at line {raised.line}" if raised.line and raised.module == module else ""
    words = f": {raised.message}" if raised.message else ""
    return f"raises {raised.type.rpartition(':')[2]}{words}{place}", raised.type


def _value(term: object, kind: str) -> str:
    shown = decode(term)
    if isinstance(shown, Opaque):
        return f"a {kind.rpartition(':')[2]}"
    return arg_text(shown)
