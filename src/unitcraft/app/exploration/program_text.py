"""Outcomes of programs in the words that ``explain`` prints.

Invariant: a value that cannot be written, or that is another one in each process, is named by its
type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from unitcraft.core.call_text import arg_text
from unitcraft.core.encoding import decode, encode_sequence
from unitcraft.core.outcomes import Opaque, Rejected
from unitcraft.core.sequences import Sequence as Program
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec, Reply
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.explore.contracts import Blame, Contracts
from unitcraft.subject.model import Invocable
from unitcraft.suite.tests import OTHER_HASH_SEED

#: Who broke an ``assert`` -> what it is called: the caller a precondition, the code any other.
CONTRACTS: Final[Mapping[Blame, str]] = {
    "": "", "caller": "precondition", "code": "violated",
}  # fmt: skip


class ExampleRuns:
    """Runs programs on the original code in two processes, with other addresses and seeds."""

    def __init__(self, pool: Pool, other: Pool) -> None:
        self.pool = pool
        self._other = other

    def outcomes(self, programs: Sequence[Program], module: str) -> list[tuple[Reply, str, str]]:
        """Of each program the reply, and the outcome as ``outcome_text`` has it."""
        items = [encode_sequence(one) for one in programs]
        replies = zip(self.pool.map("after", items), self._other.map("after", items), strict=True)
        return [(reply, *_stable_text(reply, other, module)) for reply, other in replies]


@contextmanager
def open_runs(spec: HostSpec) -> Iterator[ExampleRuns]:
    """The two processes of ``spec``, whose pool describes the Subject too."""
    with Pool(spec, 1) as pool, Pool(replace(spec, hash_seed=OTHER_HASH_SEED), 1) as other:
        yield ExampleRuns(pool, other)


def _stable_text(reply: Reply, other: Reply, module: str) -> tuple[str, str]:
    """The outcome in words that hold in both processes, as far as both end alike."""
    text, raised = outcome_text(reply, module)
    other_text, other_raised = outcome_text(other, module)
    answer = None if reply.failure is not None else AfterAnswer.read(reply.value)
    if answer is None or text == other_text:
        return text, raised
    if raised != other_raised:
        return f"{text} (or, in another run: {other_text})", raised
    if answer.outcome is None:
        return f"returns {_kind(answer.type)} that differs from run to run", raised
    return f"raises {raised.rpartition(':')[2]}; the message differs from run to run", raised


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
        return _kind(kind)
    return arg_text(shown)


def _kind(name: str) -> str:
    """The class ``name`` with its article."""
    kind = name.rpartition(":")[2]
    return f"{'an' if kind[:1].lower() in tuple('aeiou') else 'a'} {kind}"
