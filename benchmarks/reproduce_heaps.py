"""Published figures of heaps beside ours, the last part of ``make reproduce``.

Candidates of Korat, sizes of field extensions, agreement of the two engines on valid heaps, and
transcoping, whose rows count the fields of the nodes only, as the paper does.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).parent))

from published_heaps import (
    AGREEING,
    EXTENSIONS,
    KORAT,
    TRANSCOPING,
    ExtensionRow,
    KoratRow,
    TranscopingRow,
)

from unitcraft.core.encoding import Plain
from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.field_domains import Engine
from unitcraft.heaps.heap_generation import GenerationTask, HeapGenerator, ValidHeap, shape_of
from unitcraft.heaps.heap_scope import ScopeWishes
from unitcraft.heaps.heap_task import HeapsRequest, generation_task
from unitcraft.heaps.transcoping import FieldSuite, StopRule

SUBJECTS = Path(__file__).parent / "subjects"
#: The largest scope of rows that take a minute, unless they are asked for.
SCOPE = 8


def task(
    module: str, cls: str, scopes: Sequence[int], engine: Engine, fields: dict[str, str]
) -> GenerationTask:
    """The generation of heaps of a class of the benchmarks."""
    wishes = ScopeWishes(fields)
    return generation_task(
        HeapsRequest(module, cls, tuple(scopes), engine, wishes=wishes, paths=(str(SUBJECTS),))
    )


def reproduce_heaps(classes: Sequence[str], scope: int = SCOPE) -> int:
    """Print all tables for ``classes`` (all if empty); how many figures differ."""

    def wanted(cls: str) -> bool:
        return not classes or cls in classes

    print("Candidates of Korat (explored, valid)")
    wrong = korat([row for row in KORAT if wanted(row.cls)])
    print(f"\nField extensions, scopes 1 to {scope}")
    wrong += extensions([row for row in EXTENSIONS if wanted(row.cls)], scope)
    print("\nThe valid heaps of both engines, scope 4")
    wrong += agreement([row for row in AGREEING if wanted(row[1])])
    if scope == len(EXTENSIONS[0].sizes["Node.next"]) and wanted("SearchTree"):
        print("\nTranscoping, SearchTree in scope 10")
        wrong += transcoping(TRANSCOPING)
    return wrong


def korat(rows: Iterable[KoratRow]) -> int:
    """Print the candidates of ``rows``; how many differ."""
    wrong = 0
    for row in rows:
        started = perf_counter()
        asked = task(row.module, row.cls, (row.scope,), "korat", dict(row.fields))
        generator = HeapGenerator(asked)
        valid = sum(1 for _ in generator.heaps())
        ours = (generator.state.explored, valid)
        wrong += report(
            f"{row.cls} {row.scope}", (row.explored, row.valid), ours, perf_counter() - started
        )
    return wrong


def extensions(rows: Iterable[ExtensionRow], scope: int) -> int:
    """Print the sizes of ``rows`` up to ``scope``; how many rows of figures differ."""
    wrong = 0
    for row in rows:
        started = perf_counter()
        asked = task(row.module, row.cls, range(1, scope + 1), "lazy", {})
        generator = HeapGenerator(asked)
        suite = FieldSuite(PairReader.of(asked.model), asked.scopes)
        suite.take(generator.heaps())
        seconds = perf_counter() - started
        for label, sizes in row.sizes.items():
            ours = tuple([one.sizes[label] for one in suite.coverage])
            wrong += report(f"{row.cls} {label}", sizes[:scope], ours, seconds)
        if row.valid:
            counts = tuple([one.valid for one in generator.state.stats])
            wrong += report(f"{row.cls} valid heaps", row.valid[:scope], counts, seconds)
    return wrong


def agreement(rows: Iterable[tuple[str, str, dict[str, str]]], scope: int = 4) -> int:
    """Print how many heaps both engines find in ``scope``; how many rows differ."""
    wrong = 0
    for module, cls, fields in rows:
        started = perf_counter()
        lazy = shapes(task(module, cls, range(1, scope + 1), "lazy", {}))
        concrete = shapes(task(module, cls, (scope,), "korat", fields))
        verdict = (len(lazy | concrete), len(lazy & concrete))
        wrong += report(cls, verdict[:1], verdict[1:], perf_counter() - started)
    return wrong


def shapes(asked: GenerationTask) -> set[str]:
    """The heaps without their integers."""
    symbolic = asked.model.symbolic_fields()
    return {repr(shape_of(heap.form, symbolic)) for heap in HeapGenerator(asked).heaps()}


def transcoping(rows: Iterable[TranscopingRow], scope: int = 10) -> int:
    """Print predictions, heaps visited and suites; how many rows differ."""
    asked = task("search_tree", "SearchTree", range(1, scope + 1), "lazy", {})
    started = perf_counter()
    heaps = list(HeapGenerator(asked).heaps())
    seconds = perf_counter() - started
    wrong = 0
    for row in rows:
        suite = stopped(asked, heaps, row.method)
        sizes = suite.predicted if row.method else suite.extensions.sizes()
        ours = (
            round(sizes["Node.left"], 2), round(sizes["Node.right"], 2),
            suite.visited, len(suite.suite),
        )  # fmt: skip
        published = (row.left, row.right, row.visited, row.suite)
        wrong += report(row.method or "exhaustive", published, ours, seconds)
    return wrong


def stopped(asked: GenerationTask, heaps: list[ValidHeap], method: str) -> FieldSuite:
    """The suite of the heaps of a task; only fields of nodes count, as in the paper."""
    labels = PairReader.of(asked.model).labels
    reader = PairReader(((("",) * len(labels[0])), *labels[1:]), frozenset())
    suite = FieldSuite(reader, asked.scopes, StopRule("size", method) if method else None)
    suite.take(iter(heaps))
    return suite


def report(name: str, published: Plain, ours: Plain, seconds: float) -> bool:
    """Print one line; do the figures differ?"""
    same = tuple(published) == tuple(ours)
    figures = " ".join(map(str, published))
    rest = "equal" if same else f"ours: {' '.join(map(str, ours))}"
    print(f"{name:24}  {figures}  {seconds:.2f} s  {rest}", flush=True)
    return not same
