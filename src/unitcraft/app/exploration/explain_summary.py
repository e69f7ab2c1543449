"""``explain --summary``: what each path of each method of a class needs and changes, as a table.

Invariant: conditions and changes are in the names of fields and parameters before the call; a
field after the call has a prime.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.explain_effects import table_lines
from unitcraft.app.exploration.target_host import callable_host
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import counted, escape_control
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.method_summaries import MethodSummaries, SummaryPath
from unitcraft.explore.explain.implied_constraints import drop_implied
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.subject_request import request_subject
from unitcraft.solve.chain import chain
from unitcraft.symbolic.terms.pretty import constraint_text, term_text

#: The head of the table.
_HEAD: Final = ("call", "path", "needs", "changes")


@dataclass(frozen=True, slots=True)
class ShownSummary:
    """The rows of the table: call, number of the path, what it needs, what it changes."""

    target: str
    rows: tuple[tuple[str, int, tuple[str, ...], tuple[str, ...]], ...]


def show_summary(target: str, config: Config, cwd: Path, form: str) -> str:
    """The summary of the class ``target`` as text or JSON.  Raises as ``run_summary``."""
    found = run_summary(target, config, cwd)
    if form == "json":
        return render_document("explain-summary", summary_as_plain(found))
    return summary_as_text(found)


def run_summary(target: str, config: Config, cwd: Path) -> ShownSummary:
    """The summary of the class ``target``.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    located, spec = callable_host(target, config, cwd)
    following = replace(spec, entry="unitcraft.explore.agents.concolic_agent",
                        options={"module": located.module})  # fmt: skip
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, located.module)
    wanted = f"{located.module}:{located.attribute}"
    info = next((one for one in subject.classes if one.id == wanted), None)
    if info is None:
        raise UnitcraftError(
            "not-a-callable",
            f"{target} is no class",
            cause="a summary is about the methods of one class",
            advice="name a class, or leave out --summary",
        )
    with Pool(following, 1) as concolic:
        summaries = MethodSummaries(concolic, chain(), InputShapes(subject))
        paths = list(summaries.of_class(info, analyse_influence(subject)))
    numbers: Counter[str] = Counter()
    rows = []
    for path in paths:
        numbers[path.invocable.id] += 1
        rows.append((_call(path), numbers[path.invocable.id], _needs(path), _changes(path)))
    return ShownSummary(info.id, tuple(rows))


def _call(path: SummaryPath) -> str:
    one = path.invocable
    name = one.owner.rpartition(":")[2] if one.kind == "constructor" else one.name
    return name if one.kind == "property" else f"{name}()"


def _needs(path: SummaryPath) -> tuple[str, ...]:
    kept = drop_implied(path.condition, path.kinds, path.values)
    texts = [constraint_text(one, path.holes, path.values) for one in kept]
    return tuple(dict.fromkeys([*path.when, *texts]))


def _changes(path: SummaryPath) -> tuple[str, ...]:
    found = [f"self.{name}' = {term_text(term, path.holes)}" for name, term in path.changes]
    return (*found, *([f"raises {path.outcome.rpartition(':')[2]}"] if path.outcome else []))


def summary_as_text(summary: ShownSummary) -> str:
    """The table as lines of text."""
    rows = [
        (call, str(number), " and ".join(needs) or "-", ", ".join(changes) or "-")
        for call, number, needs, changes in summary.rows
    ]
    head = f"{summary.target}: {counted(len(rows), 'path')}"
    return escape_control("\n".join([head, "", *table_lines([_HEAD, *rows])]))


def summary_as_plain(summary: ShownSummary) -> dict[str, object]:
    """The table as data for JSON."""
    return {
        "target": summary.target,
        "paths": [
            {"call": call, "path": number, "needs": list(needs), "changes": list(changes)}
            for call, number, needs, changes in summary.rows
        ],
    }
