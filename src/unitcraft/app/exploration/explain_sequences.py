"""``explain --sequences``: the candidate sequences of a target by length, and what they reach.

Invariant: counts are of all sequences of a length; a length that has more than a bound is not
counted, and said so.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.explain_command import find_invocable, locate_callable
from unitcraft.app.exploration.explain_effects import table_lines
from unitcraft.app.project_python import find_python
from unitcraft.app.search_path import search_path
from unitcraft.app.terminal_text import escape_control
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.sequence_enumeration import CandidateSequences, Reductions
from unitcraft.explore.subject_request import request_subject
from unitcraft.subject.model import Invocable

#: Sequences of one length that are looked at, executable or not: about a second.
MAX_CONSIDERED: Final = 40_000
#: Sequences of one length that the text lists.
MAX_LISTED: Final = 12
#: The head of the table.
_HEAD: Final = ("length", "executable", "with data flow", "orders apart")


@dataclass(frozen=True, slots=True)
class ShownSequence:
    """The calls of a sequence by name, and how many orders of them come to the same."""

    calls: tuple[str, ...]
    orders: int


@dataclass(frozen=True, slots=True)
class SequencesOfLength:
    """How many sequences are executable, pass the data-flow check, and differ beyond order."""

    length: int
    executable: int
    linked: int
    sequences: tuple[ShownSequence, ...]


@dataclass(frozen=True, slots=True)
class ShownSequences:
    """The sequences of one target; ``cut`` is the first length that has too many, or 0."""

    target: str
    lengths: tuple[SequencesOfLength, ...]
    cut: int = 0


def run_sequences(target: str, longest: int, config: Config, cwd: Path) -> ShownSequences:
    """The candidate sequences of the callable ``target`` with up to ``longest`` calls.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    python = find_python(config, [target], cwd)
    located = locate_callable(target, cwd, config, python)
    spec = HostSpec(
        "unitcraft.explore.agents.search_agent",
        {"module": located.module, "rewrite": False},
        search_path(config, [located.root]),
        policy=read_policy(config.sandbox, config.allow), steps=config.steps, item_seconds=1.0,
        environment=config.env,
        python=python,
    )  # fmt: skip
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, located.module)
    invocable = find_invocable(subject, located)
    candidates = CandidateSequences(analyse_influence(subject), invocable.id, subject)
    found: list[SequencesOfLength] = []
    for length in range(1, longest + 1):
        one = _of_length(candidates, length)
        if one is None:
            return ShownSequences(invocable.id, tuple(found), length)
        found.append(one)
    return ShownSequences(invocable.id, tuple(found))


def _of_length(candidates: CandidateSequences, length: int) -> SequencesOfLength | None:
    """The sequences of one length, None where they are too many to count."""
    before = candidates.considered
    plain = Reductions(data_flow=False, partial_order=False)
    executable = sum(1 for _ in candidates.of_length(length, plain, MAX_CONSIDERED))
    linked = list(candidates.of_length(length, Reductions(partial_order=False), MAX_CONSIDERED))
    if candidates.considered - before > MAX_CONSIDERED:
        return None
    orders = Counter(map(candidates.matrix.normal_order, linked))
    rows = candidates.matrix.rows
    shown = [
        ShownSequence(tuple([call_name(rows[one].invocable) for one in calls]), orders[calls])
        for calls in linked
        if calls in orders
    ]
    return SequencesOfLength(length, executable, len(linked), tuple(shown))


def call_name(invocable: Invocable) -> str:
    """An Invocable as one step of a sequence."""
    if invocable.kind == "constructor":
        return f"{invocable.owner.partition(':')[2]}()"
    if invocable.kind in ("field", "property"):
        return f".{invocable.name}{' = ...' if invocable.parameters else ''}"
    if invocable.kind == "method":
        return f"{invocable.name}()"
    return f"{invocable.id.partition(':')[2]}()"


def sequences_as_text(found: ShownSequences) -> str:
    """The counts as a table, and the sequences of each length."""
    rows = [
        tuple(map(str, (one.length, one.executable, one.linked, len(one.sequences))))
        for one in found.lengths
    ]
    lines = [f"{found.target}: candidate sequences", "", *table_lines([_HEAD, *rows])]
    for one in found.lengths:
        lines += [""] if one.sequences else []
        for each in one.sequences[:MAX_LISTED]:
            orders = f"  ({each.orders} orders)" if each.orders > 1 else ""
            lines.append(", ".join(each.calls) + orders)
        more = len(one.sequences) - MAX_LISTED
        lines += [f"... {more} more of length {one.length}"] if more > 0 else []
    if found.cut:
        lines += ["", f"There are too many sequences of length {found.cut} to count."]
    return escape_control("\n".join(lines))


def sequences_as_plain(found: ShownSequences) -> dict[str, object]:
    """The sequences as data for JSON."""
    return {
        "target": found.target,
        "lengths": [
            {
                "length": one.length,
                "executable": one.executable,
                "linked": one.linked,
                "sequences": [
                    {"calls": list(each.calls), "orders": each.orders} for each in one.sequences
                ],
            }
            for one in found.lengths
        ],
        "cut": found.cut,
    }
