"""One run of ``heaps``: locates the class, generates its valid heaps, formats what they cover.

Invariant: the class and its invariant are run by guarded workers only; an interrupt keeps what was
found.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import click

from unitcraft.app.config import Config
from unitcraft.app.exploration.laws_of_objects import laws_of_objects
from unitcraft.app.exploration.target_host import class_setting
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import align, is_quiet
from unitcraft.core.encoding import Plain
from unitcraft.core.errors import Terminated
from unitcraft.core.events import Progress
from unitcraft.core.rule_codes import TITLES, VIOLATED
from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.field_domains import Engine
from unitcraft.heaps.field_kind import MEMBER, SET, is_object, member_text
from unitcraft.heaps.heap_generation import Generation, GenerationTask, HeapGenerator
from unitcraft.heaps.heap_scope import HeapModel, ScopeWishes
from unitcraft.heaps.heap_task import INFERRED, HeapsRequest, generation_task
from unitcraft.heaps.reaching_sequences import (
    Reached,
    Violation,
    calls_text,
    reach_heaps,
)
from unitcraft.heaps.transcoping import FieldSuite, StopRule

#: What ends a run whose finished scopes are printed all the same.
INTERRUPTS: Final = (KeyboardInterrupt, Terminated)


@dataclass(frozen=True, slots=True)
class HeapsOrder:
    """What the command line asks for; ``rule`` is None without transcoping."""

    target: str
    scopes: tuple[int, ...]
    engine: Engine
    invariant: str
    fields: Mapping[str, str]
    objects: Mapping[str, str]
    candidates: int
    rule: StopRule | None
    reach: bool
    config: Config
    jobs: int


@dataclass(frozen=True, slots=True)
class HeapsResult:
    """The heaps of one run: what was generated, and the suite.

    ``reached`` is what calls reach, if that was asked for, and ``sequences`` the text of those
    that reach a heap of the suite, by its place.  ``ended_by`` is the signal that ended the run
    early, 0 if none did.
    """

    task: GenerationTask
    generation: Generation
    suite: FieldSuite
    ended_by: int = 0
    reached: Reached | None = None
    sequences: Mapping[int, str] = field(default_factory=dict)


class LiveProgress:
    """A Listener that overwrites one line of a terminal; it shows nothing elsewhere."""

    def __init__(self) -> None:
        self._is_live = sys.stderr.isatty() and not is_quiet()

    def progress(self, event: Progress) -> None:
        """Show the counts so far."""
        if self._is_live:
            click.echo(f"\rscope {event.done}: {event.note}\033[K", nl=False, err=True)

    def close(self) -> None:
        """Leave an empty line."""
        if self._is_live:
            click.echo("\r\033[K", nl=False, err=True)


def run_heaps(order: HeapsOrder, cwd: Path) -> HeapsResult:
    """Generate the heaps of ``order``.  Raises UnitcraftError."""
    located, project = class_setting(order.target, order.config, cwd)
    request = HeapsRequest(
        located.module,
        located.attribute,
        order.scopes,
        order.engine,
        order.invariant,
        ScopeWishes(order.fields, order.objects),
        order.candidates,
        jobs=order.jobs,
        **project.setting,
    )
    if order.invariant == INFERRED:
        request = replace(request, laws=laws_of_objects(request))
    task = generation_task(request)
    result = generate_heaps(task, order.rule)
    if not order.reach or result.ended_by:
        return result
    try:
        reached, texts = reach_heaps(task, [heap.form for heap in result.suite.suite])
    except INTERRUPTS as error:
        return replace(result, ended_by=_signal_of(error))
    return replace(result, reached=reached, sequences=texts)


def generate_heaps(task: GenerationTask, rule: StopRule | None) -> HeapsResult:
    """Run ``task``, stop by ``rule``; an interrupt ends it with what was found."""
    live = LiveProgress()
    generator = HeapGenerator(task, live)
    suite = FieldSuite(PairReader.of(task.model), task.scopes, rule)
    ended_by = 0
    heaps = generator.heaps()
    try:
        suite.take(heaps)
    except INTERRUPTS as error:
        ended_by = _signal_of(error)
    finally:
        heaps.close()  # type: ignore[attr-defined]
        live.close()
    return HeapsResult(task, generator.state, suite, ended_by)


def _signal_of(error: BaseException) -> int:
    return int(signal.SIGTERM if isinstance(error, Terminated) else signal.SIGINT)


def render_heaps(result: HeapsResult, target: str, form: str) -> str:
    """The counts, extensions and predictions as JSON or as text."""
    if form == "json":
        return render_document("heaps", as_plain(result, target))
    fields = list(result.suite.extensions.pairs)
    head = ("scope", "explored", "valid", *fields, "seconds")
    coverage = {one.scope: one.sizes for one in result.suite.coverage}
    rows = [
        (
            str(one.scope),
            str(one.explored),
            str(one.valid),
            *[str(coverage.get(one.scope, {}).get(label, "-")) for label in fields],
            f"{one.seconds:.2f}",
        )
        for one in result.generation.stats
    ]
    model = result.task.model
    title = f"{target}, {model.invariant_name}, {result.task.engine} engine"
    said = [f"    {line}" for line in model.invariant.splitlines() if model.is_inferred]
    return "\n".join([title, *said, align([head, *rows], left=()), *_sentences(result)])


def _sentences(result: HeapsResult) -> list[str]:
    """The suite, the predictions, and whatever a reader has to know of the invariant."""
    suite, state = result.suite, result.generation
    lines = [f"suite: {len(suite.suite)} of {suite.visited} heaps cover all pairs seen"]
    if suite.predicted:
        pairs = [f"{label} {size:.2f}" for label, size in suite.predicted.items()]
        lines.append(f"predicted for scope {result.task.scopes[-1]}: {', '.join(pairs)}")
    if suite.stopped:
        lines.append("stopped: the prediction is reached")
    if state.stopped:
        lines.append(f"not complete: {state.stopped}")
    if result.ended_by:
        lines.append("not complete: interrupted")
    notes = sorted(state.notes.items())
    lines += [f"{count} runs of the invariant: {what}" for what, count in notes]
    lines += _reached_lines(result)
    unknown = result.task.model.unknown_fields()
    if unknown:
        lines.append(f"no values are known of {', '.join(unknown)}: give some with --field")
    return lines


def _reached_lines(result: HeapsResult) -> list[str]:
    """How the heaps of the suite are reached, and what is reached besides."""
    reached = result.reached
    if reached is None:
        return []
    heaps = result.suite.suite
    bound = "all states" if reached.complete else "states within the bounds"
    known = f"{len(result.sequences)} of {len(heaps)}"
    lines = [f"calls reach {known} heaps ({bound}: {reached.states})"]
    if reached.unanswered:
        lines.append(f"on {reached.unanswered} of them the invariant had no end")
    if reached.unasked:
        lines.append(f"on {reached.unasked} of them it was not asked any more")
    for place, heap in enumerate(heaps):
        text = result.sequences.get(place, "not reached")
        lines.append(f"  {heap_text(heap.form, result.task.model)}: {text}")
    model = result.task.model
    found = [violation_text(one, model) for one in reached.violations]
    label = "too strong" if model.is_inferred else f"{VIOLATED} {TITLES[VIOLATED]}"
    return [*lines, *[f"{label}: {text}" for text in found]]


def violation_text(violation: Violation, model: HeapModel) -> str:
    """The sequence of calls, and what the invariant then answers."""
    answer = f"raises {violation.raised}" if violation.raised else "does not hold"
    return f"{calls_text(violation.calls)}; {model.invariant_name} {answer}"


def heap_text(form: Plain, model: HeapModel) -> str:
    """A heap on one line: ``Tree0(root=Node0, size=1) Node0(left=None, ...)``."""
    objects = plain_heap(form, model).items()
    return " ".join(
        [f"{name}({', '.join([f'{key}={value}' for key, value in fields.items()])})"
         for name, fields in objects]
    )  # fmt: skip


def as_plain(result: HeapsResult, target: str) -> dict[str, object]:
    """The result as data for JSON."""
    suite, state = result.suite, result.generation
    return {
        "target": target,
        "invariant": result.task.model.invariant,
        "engine": result.task.engine,
        "scopes": [
            {
                "scope": one.scope,
                "explored": one.explored,
                "valid": one.valid,
                "seconds": round(one.seconds, 3),
            }
            for one in state.stats
        ],
        "extensions": [
            {"scope": one.scope, "sizes": one.sizes, "work": one.work}
            for one in suite.coverage
            if one.scope in {stats.scope for stats in state.stats}
        ],
        "suite": {
            "size": len(suite.suite),
            "visited": suite.visited,
            "heaps": [plain_heap(heap.form, result.task.model) for heap in suite.suite],
        },
        "predicted": {label: round(size, 4) for label, size in suite.predicted.items()},
        "predicted_work": round(suite.predicted_work, 1),
        "stopped": "prediction" if suite.stopped else state.stopped,
        "interrupted": result.ended_by != 0,
        "notes": dict(sorted(state.notes.items())),
        "unknown_fields": result.task.model.unknown_fields(),
        **_reached_plain(result),
    }


def _reached_plain(result: HeapsResult) -> dict[str, object]:
    reached = result.reached
    if reached is None:
        return {}
    places = range(len(result.suite.suite))
    return {
        "reached": {
            "states": reached.states,
            "complete": reached.complete,
            "unanswered": reached.unanswered,
            "unasked": reached.unasked,
            "sequences": [result.sequences.get(place) for place in places],
            "violations": [
                {"code": VIOLATED, "sequence": violation_text(one, result.task.model)}
                for one in reached.violations
            ],
        }
    }


def plain_heap(form: Plain, model: HeapModel) -> dict[str, dict[str, object]]:
    """A heap by names: ``Node0`` -> its fields, objects as their names."""
    counts = [0] * len(model.classes)
    found = {}
    for kind, cells in form:
        one = model.classes[kind]
        name = f"{one.short}{counts[kind]}"
        counts[kind] += 1
        found[name] = {
            info.name: _named(cell, model) for info, cell in zip(one.fields, cells, strict=True)
        }
    return found


def _named(cell: Plain, model: HeapModel) -> object:
    if is_object(cell):
        return f"{model.classes[cell[0]].short}{cell[1]}"
    if type(cell) is dict and SET in cell:
        return {"set": [_key_text(item) for item in cell if item != SET]}
    if type(cell) is dict:
        return {_key_text(key): _named(value, model) for key, value in cell.items()}
    if type(cell) is tuple:
        return member_text(cell)
    return [_named(item, model) for item in cell] if type(cell) is list else cell


def _key_text(key: Plain) -> Plain:
    """A key as JSON may have it: members of enumerations and tuples by their texts."""
    if type(key) is not tuple:
        return key
    return member_text(key) if key[:1] == (MEMBER,) else repr(tuple(map(_key_text, key)))
