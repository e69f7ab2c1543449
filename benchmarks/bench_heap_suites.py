"""What transcoping costs and keeps: suites of heaps by field exhaustion and by each way to stop.

For each class and scope every method runs in every heap of a suite with the integers 0 to N.
Printed are heaps visited, candidates run, seconds until then and heaps kept, branches of the code
that the methods enter, and mutants of that code that some call tells from the original.  The heaps
of a scope are generated once; a way to stop sees the beginning of them.  A search that the bound of
candidates ends is marked by ``*``: what it calls exhaustive has the heaps up to there.
"""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

import coverage

sys.path.insert(0, str(Path(__file__).parent))

from reproduce_heaps import SUBJECTS, task

from unitcraft.core.encoding import Plain
from unitcraft.heaps.field_coverage import PairReader
from unitcraft.heaps.guest.heap_form import form_of_object
from unitcraft.heaps.heap_generation import GenerationTask, HeapGenerator
from unitcraft.heaps.transcoping import FieldSuite, StopRule
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource

#: The classes, with the methods that are run.
CLASSES = (
    ("sorted_list", "SortedList", ("insert", "remove", "contains")),
    ("search_tree", "SearchTree", ("insert", "remove", "contains")),
    ("red_black_set", "TreeSet", ("insert", "contains")),
    ("avl_tree", "AvlTree", ("insert", "remove", "contains")),
    ("binomial_queue", "BinomialQueue", ("insert", "minimum")),
)
RULES = (
    None,
    *[StopRule("size", method) for method in ("linear", "quadratic", "average")],
    *[StopRule("time", method) for method in ("quadratic", "exponential", "average")],
)
#: Seconds that one call of a mutant may take.
MAX_SECONDS = 1.0

Calls = list[tuple[str, tuple[int, ...]]]


class Late(BaseException):
    """A call of a mutant took too long."""


class Runner:
    """Runs the methods of a class on heaps, on the original code or on a mutant."""

    def __init__(self, asked: GenerationTask, methods: Sequence[str], scope: int) -> None:
        self._classes = [(one.short, [info.name for info in one.fields])
                         for one in asked.model.classes]  # fmt: skip
        self._known = {
            one.name: (number, tuple([info.name for info in one.fields]))
            for number, one in enumerate(asked.model.classes)
        }
        self.calls: Calls = [
            (name, args)
            for name in methods
            for args in ([()] if name == "minimum" else [(n,) for n in range(scope + 1)])
        ]

    def outcomes(self, names: dict[str, Any], forms: Sequence[Plain]) -> Iterator[Plain]:
        """What each call on each heap comes to: result, exception, heap afterwards."""
        for form in forms:
            for name, args in self.calls:
                root = self._build(names, form)
                result, error = None, ""
                try:
                    result = getattr(root, name)(*args)
                except Exception as raised:  # noqa: BLE001 - an outcome
                    error = type(raised).__name__
                yield result, error, form_of_object(root, self._known)

    def _build(self, names: dict[str, Any], form: Plain) -> Any:
        objects: dict[tuple[int, int], Any] = {}
        made = []
        for kind, _ in form:
            value = object.__new__(names[self._classes[kind][0]])
            objects[kind, sum(1 for other, _ in objects if other == kind)] = value
            made.append(value)
        for value, (kind, cells) in zip(made, form, strict=True):
            for name, cell in zip(self._classes[kind][1], cells, strict=True):
                setattr(value, name, objects[cell] if type(cell) is tuple else cell)
        return made[0]


def names_of(code: CodeType, module: str) -> dict[str, Any]:
    """The names that the code of a module defines."""
    names: dict[str, Any] = {"__name__": module}
    exec(code, names)
    return names


def lines_entered(run: Callable[[], object], file: str) -> set[int]:
    """The lines of ``file`` that ``run`` executes."""
    found: set[int] = set()

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if frame.f_code.co_filename != file:
            return None
        if event == "line":
            found.add(frame.f_lineno)
        return trace

    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(None)
    return found


class Yardstick:
    """Measures suites of one class: its source, the lines its methods enter, its mutants."""

    def __init__(self, module: str, runner: Runner, forms: Sequence[Plain]) -> None:
        self._file = str(SUBJECTS / f"{module}.py")
        self._runner = runner
        self._source = ModuleSource(module, self._file, Path(self._file).read_text())
        self._original = names_of(self._source.compiled(), module)
        self._lines = lines_entered(
            lambda: list(runner.outcomes(self._original, forms)), self._file
        )
        self._mutants = [
            one for one in self._source.mutants if self._lines & set(self._source.lines_of(one))
        ]
        self._module = module

    def branches(self, forms: Sequence[Plain]) -> float:
        """Percent of the branches in lines that methods enter."""
        measured = coverage.Coverage(branch=True, include=[self._file], data_file=None)
        with measured.collect():
            names = names_of(compile(Path(self._file).read_text(), self._file, "exec"), "m")
            for _ in self._runner.outcomes(names, forms):
                pass
        stats = measured._analyze(self._file).branch_stats()  # noqa: SLF001
        counts = [stats[line] for line in stats if line in self._lines]
        return 100 * sum(taken for _, taken in counts) / sum(total for total, _ in counts)

    def killed(self, forms: Sequence[Plain]) -> float:
        """Percent of the mutants that a call tells from the original."""
        expected = list(self._runner.outcomes(self._original, forms))
        dead = sum(self._is_killed(self._source.compiled(one), forms, expected)
                   for one in self._mutants)  # fmt: skip
        return 100 * dead / len(self._mutants)

    def _is_killed(self, code: CodeType, forms: Sequence[Plain], expected: list[Plain]) -> bool:
        def late(*_: object) -> None:
            raise Late

        signal.signal(signal.SIGALRM, late)
        signal.setitimer(signal.ITIMER_REAL, MAX_SECONDS)
        try:
            found = self._runner.outcomes(names_of(code, self._module), forms)
            return any(one != other for one, other in zip(found, expected, strict=False))
        except (Late, Exception):  # noqa: BLE001 - it does not even load
            return True
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)


def table(module: str, cls: str, methods: Sequence[str], scope: int, candidates: int) -> None:
    """Print the rows of one class and scope."""
    asked = replace(task(module, cls, range(1, scope + 1), "lazy", {}), candidates=candidates)
    generator = HeapGenerator(asked)
    started = perf_counter()
    timed = [(heap, perf_counter() - started) for heap in generator.heaps()]
    whole = perf_counter() - started
    heaps = [heap for heap, _ in timed]
    measured: dict[int, tuple[float, float]] = {}
    reader = PairReader.of(asked.model)
    runner = Runner(asked, methods, scope)
    measure: Yardstick | None = None
    for rule in RULES:
        suite = FieldSuite(reader, asked.scopes, rule)
        suite.take(iter(heaps))
        forms = [heap.form for heap in suite.suite]
        measure = measure or Yardstick(module, runner, forms)
        last, seconds = timed[suite.visited - 1] if suite.stopped else (heaps[-1], whole)
        work = last.explored if suite.stopped else generator.state.explored
        name = f"{rule.measure} {rule.method}" if rule else "exhaustive"
        mark = "*" if generator.state.stopped and not suite.stopped else " "
        if len(forms) not in measured:  # a shorter suite is the beginning of a longer one
            measured[len(forms)] = (measure.branches(forms), measure.killed(forms))
        branches, killed = measured[len(forms)]
        print(
            f"{cls:14} {scope:2}  {name:17} {suite.visited:6} {work:8}{mark} {seconds:7.2f} "
            f"{len(forms):4} {branches:6.1f} {killed:6.1f}",
            flush=True,
        )


def main() -> None:
    """Print the table of all classes for the scopes asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scopes", type=int, nargs="*", default=[6, 7])
    parser.add_argument("--candidates", type=int, default=2_000_000)
    parser.add_argument("classes", nargs="*")
    chosen = parser.parse_args()
    print("class       scope  suite             visited     work  seconds heaps branch % mutants %")
    for module, cls, methods in CLASSES:
        for scope in chosen.scopes:
            if not chosen.classes or cls in chosen.classes:
                table(module, cls, methods, scope, chosen.candidates)


if __name__ == "__main__":
    main()
