"""Outcomes of programs in the words that ``explain`` prints.

Invariant: a value that cannot be written is named by its type.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unitcraft.core.call_text import arg_text
from unitcraft.core.encoding import decode
from unitcraft.core.outcomes import Opaque, Rejected
from unitcraft.execute.spec import Reply
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.explore.contracts import Blame, Contracts
from unitcraft.subject.model import Invocable

#: Who broke an ``assert`` -> what it is called: the caller a precondition, the code any other.
CONTRACTS: Final[Mapping[Blame, str]] = {
    "": "", "caller": "precondition", "code": "violated",
}  # fmt: skip


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
    message = (raised.message or "").partition("\n")[0]
    words = f": {message}" if message else ""
    return f"raises {raised.type.rpartition(':')[2]}{words}{place}", raised.type


def contract_of(reply: Reply, contracts: Contracts, target: Invocable) -> str:
    """Which contract the last Call of ``target`` broke: see CONTRACTS; '' for none."""
    answer = None if reply.failure is not None else AfterAnswer.read(reply.value)
    if answer is None or answer.outcome is None:
        return ""
    raised = answer.outcome
    return CONTRACTS[contracts.blame(target, raised.type, raised.module, raised.line)]


def _value(term: object, kind: str) -> str:
    shown = decode(term)
    if isinstance(shown, Opaque):
        return f"a {kind.rpartition(':')[2]}"
    return arg_text(shown)
