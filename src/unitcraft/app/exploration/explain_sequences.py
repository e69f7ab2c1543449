"""``explain --sequences``: the candidate sequences of a target by length, and what they reach.

Invariant: counts are of all sequences of a length; a length that has more than a bound is not
counted, and said so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.explain_command import ShownPath, find_invocable
from unitcraft.app.exploration.explain_effects import table_lines
from unitcraft.app.exploration.explain_report import plain_path, shown_path
from unitcraft.app.exploration.program_text import ExampleRuns, contract_of, open_runs
from unitcraft.app.exploration.target_host import callable_host
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import counted, escape_control
from unitcraft.core.program_lines import program_lines
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.concolic.concolic_run import skeleton_of
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.sequence_exploration import (
    SequenceCounts,
    SequenceExploration,
    SequencePath,
)
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs
from unitcraft.explore.contracts import Contracts
from unitcraft.explore.explain.implied_constraints import drop_implied
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.sequence_enumeration import CandidateSequences, Reductions
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain
from unitcraft.solve.readable.readable_values import make_readable
from unitcraft.subject.model import Invocable
from unitcraft.symbolic.terms.pretty import constraint_text

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
    paths: tuple[ShownPath, ...] = ()
    counts: SequenceCounts = field(default_factory=SequenceCounts)


def show_sequences(target: str, longest: int, config: Config, cwd: Path, form: str) -> str:
    """The candidate sequences of ``target``, as text or JSON.  Raises as ``run_sequences``."""
    found = run_sequences(target, longest, config, cwd)
    if form == "json":
        return render_document("explain-sequences", sequences_as_plain(found))
    return sequences_as_text(found)


def run_sequences(target: str, longest: int, config: Config, cwd: Path) -> ShownSequences:
    """The candidate sequences of the callable ``target`` with up to ``longest`` calls.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    located, spec = callable_host(target, config, cwd)
    following = replace(spec, entry="unitcraft.explore.agents.concolic_agent",
                        options={"module": located.module, "sites": True})  # fmt: skip
    tracing = replace(spec, entry="unitcraft.explore.agents.influence_agent",
                      options={"module": located.module})  # fmt: skip
    with open_runs(spec) as original:
        subject = request_subject(original.pool, located.module)
        invocable = find_invocable(subject, located)
        candidates = CandidateSequences(analyse_influence(subject), invocable.id, subject)
        found: list[SequencesOfLength] = []
        sequences: list[tuple[int, ...]] = []
        cut = 0
        for length in range(1, longest + 1):
            one, calls = _of_length(candidates, length)
            if one is None:
                cut = length
                break
            found.append(one)
            sequences += calls
        with Pool(following, 1) as concolic, Pool(tracing, 1) as traced:
            shapes = InputShapes(subject)
            exploration = SequenceExploration(concolic, traced, chain(), candidates.matrix, shapes)
            sites = [BranchSite(*row) for row in concolic.ready["sites"]]
            paths = _describe(
                exploration.paths(sequences), invocable, Contracts(subject), sites, original
            )
    return ShownSequences(invocable.id, tuple(found), cut, paths, exploration.counts)


def _describe(
    paths: Iterable[SequencePath],
    target: Invocable,
    contracts: Contracts,
    sites: Sequence[BranchSite],
    original: ExampleRuns,
) -> tuple[ShownPath, ...]:
    """The paths whose last call takes branches, or has an outcome, that no shorter one had."""
    seen: set[tuple[object, ...]] = set()
    shown: list[ShownPath] = []
    for path in paths:
        assert path.run is not None  # noqa: S101 - a path that was found has one
        reply, outcome, raised = original.outcomes([path.program], target.module)[0]
        taken = [
            site
            for site, _ in path.run.marks
            if sites[site].module == target.module
            and target.first <= sites[site].line <= target.last
        ]
        is_kind = outcome in ("returns True", "returns False", "returns None")
        key = (path.run.outcome, outcome if is_kind else "", *dict.fromkeys(taken))
        if key in seen:
            continue
        seen.add(key)
        kinds = skeleton_of(path.program)[0].kinds
        values = make_readable(path.condition, kinds, path.run.values)
        kept = drop_implied(path.condition, kinds, path.run.values)
        texts = dict.fromkeys(constraint_text(one, path.holes, path.run.values) for one in kept)
        *before, call = program_lines(fill_inputs(path.program, values))
        shown.append(ShownPath((), path.when, tuple(texts), tuple(before), call, outcome,
                               bool(raised), contract_of(reply, contracts, target)))  # fmt: skip
    return tuple(shown)


def _of_length(
    candidates: CandidateSequences, length: int
) -> tuple[SequencesOfLength | None, list[tuple[int, ...]]]:
    """The sequences of one length, None where they are too many to count."""
    before = candidates.considered
    plain = Reductions(data_flow=False, partial_order=False)
    executable = sum(1 for _ in candidates.of_length(length, plain, MAX_CONSIDERED))
    linked = list(candidates.of_length(length, Reductions(partial_order=False), MAX_CONSIDERED))
    if candidates.considered - before > MAX_CONSIDERED:
        return None, []
    orders = Counter(map(candidates.matrix.normal_order, linked))
    rows = candidates.matrix.rows
    apart = [calls for calls in linked if calls in orders]
    shown = [
        ShownSequence(tuple([call_name(rows[one].invocable) for one in calls]), orders[calls])
        for calls in apart
    ]
    return SequencesOfLength(length, executable, len(linked), tuple(shown)), apart


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
    lines += ["", f"What they reach first ({_work(found.counts)}):"]
    for number, path in enumerate(found.paths, start=1):
        lines += shown_path(number, path)
    return escape_control("\n".join(lines))


def _work(counts: SequenceCounts) -> str:
    return (
        f"{counted(counts.runs, 'run')}, {counts.pruned} beginnings without influence, "
        f"{counts.subsumed} known states, {counts.redundant} redundant paths"
    )


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
        "paths": list(map(plain_path, found.paths)),
        "runs": found.counts.runs,
        "pruned": found.counts.pruned,
        "subsumed": found.counts.subsumed,
        "redundant": found.counts.redundant,
    }
