"""``assess --criterion field``: which pairs of fields the calls of suites meet.

Invariant: no file is changed; classes and their invariants are run by guarded workers only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from unitcraft.app.json_document import render_document
from unitcraft.app.suites.existing_suite import SuiteRequest, spec_of
from unitcraft.app.terminal_text import align, escape_control
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.subject_request import request_subject
from unitcraft.heaps.field_coverage import FieldExtensions, PairReader
from unitcraft.heaps.heap_generation import GenerationTask, HeapGenerator
from unitcraft.heaps.heap_goals import tasks_of_classes
from unitcraft.suite.existing.assess_fields import FieldCoverage, assess_fields
from unitcraft.suite.recording.record import SuiteSpec, record_heaps

#: Missing pairs of a class that are shown; the JSON form has all of them.
MAX_SHOWN: Final = 12


def run_assess_fields(
    wishes: Sequence[SuiteRequest], scope: int, invariant: str, cwd: Path
) -> list[list[FieldCoverage]]:
    """For each suite the FieldCoverage of the classes that have a representation invariant.

    Raises UnitcraftError: ``no-invariant``, ``suite-not-run`` and those of finding the subjects.
    """
    specs = [spec_of(wish, cwd) for wish in wishes]
    tasks = _tasks(specs[0], wishes[0].config.before_import, scope, invariant)
    wanted = [(task, *_all_pairs(task)) for task in tasks]
    classes = tuple([(task.target, task.model.layout()) for task, _, _ in wanted])
    found = []
    for spec in specs:
        heaps = record_heaps(replace(spec, classes=classes))
        found.append([assess_fields(task, pairs, heaps.get(task.target, ()), stopped)
                      for task, pairs, stopped in wanted])  # fmt: skip
    return found


def _all_pairs(task: GenerationTask) -> tuple[FieldExtensions, str]:
    """The pairs of all heaps of the scope, and why there may be more ('': there are not)."""
    extensions, generator = FieldExtensions(PairReader.of(task.model)), HeapGenerator(task)
    for heap in generator.heaps():
        extensions.add(heap.form)
    return extensions, generator.state.stopped


def _tasks(
    spec: SuiteSpec, before_import: tuple[str, ...], scope: int, invariant: str
) -> list[GenerationTask]:
    missing: UnitcraftError | None = None
    found: list[GenerationTask] = []
    for module in spec.subjects:
        host = HostSpec(
            "unitcraft.heaps.guest.state_agent",
            {"module": module},
            paths=spec.paths,
            policy=spec.policy,
            environment=tuple(spec.env.items()),
            before_import=before_import,
            python=spec.python,
            focus=(module,),
        )
        with Pool(host, 1) as pool:
            subject = request_subject(pool, module)
        try:
            found += [task for task, _ in tasks_of_classes(host, subject, scope, invariant)]
        except UnitcraftError as error:
            if error.slug != "no-invariant":
                raise
            missing = error
    if not found:
        raise missing or _no_classes(spec)
    return found


def _no_classes(spec: SuiteSpec) -> UnitcraftError:
    return UnitcraftError(
        "no-invariant",
        f"{', '.join(spec.subjects)} has no class with a representation invariant",
        advice="name the module of such a class with -s",
    )


def render_fields(names: Sequence[str], found: Sequence[Sequence[FieldCoverage]], form: str) -> str:
    """The pairs of each field in a column for each suite, and what is missing; or JSON."""
    if form == "json":
        data = [
            {"suite": name, "classes": [_plain(one) for one in classes]}
            for name, classes in zip(names, found, strict=True)
        ]
        return render_document("assess-fields", {"suites": data})
    lines: list[str] = []
    for classes in zip(*found, strict=True):
        first = classes[0]
        lines.append(f"{first.target}, {first.invariant}, scope {first.scope}")
        rows = [
            (label, *(f"{one.covered[label]}/{wanted}" for one in classes))
            for label, wanted in first.wanted.items()
        ]
        rows.append(("different heaps", *(str(one.heaps) for one in classes)))
        rows.append(("field-exhaustive", *("yes" if one.is_exhaustive else "no"
                                           for one in classes)))  # fmt: skip
        rows.append(("no field None only", *("yes" if one.is_non_null else "no"
                                             for one in classes)))  # fmt: skip
        lines.append(align([("pairs met", *names), *rows]))
        if first.stopped:
            lines.append(f"not all heaps are known: {first.stopped}")
        for name, one in zip(names, classes, strict=True):
            lines += _missing_lines(name, one)
    return escape_control("\n".join(lines))


def _plain(one: FieldCoverage) -> dict[str, object]:
    return {
        "target": one.target,
        "invariant": one.invariant,
        "scope": one.scope,
        "wanted": one.wanted,
        "covered": one.covered,
        "missing": one.missing,
        "heaps": one.heaps,
        "exhaustive": one.is_exhaustive,
        "non_null": one.is_non_null,
        "stopped": one.stopped,
    }


def _missing_lines(name: str, one: FieldCoverage) -> list[str]:
    if not one.missing:
        return []
    shown = [f"  {text}" for text in one.missing[:MAX_SHOWN]]
    more = len(one.missing) - len(shown)
    return [f"{name} does not meet:", *shown, *([f"  and {more} more"] if more > 0 else [])]
