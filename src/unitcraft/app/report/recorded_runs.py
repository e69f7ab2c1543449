"""What the commands kept of their last runs in a project, put together module by module.

Invariant: a text is shown with the marks of a run only while it is the text of that run.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from unitcraft.app.mutants.mutant_changes import brief_changes
from unitcraft.app.mutants.verdict_store import StoredVerdict, VerdictStore
from unitcraft.app.store import RunRecords, digest_of_file
from unitcraft.app.suites.existing_suite import relative_path
from unitcraft.subject.source_files import read_source
from unitcraft.suite.mutation.verdicts import WORDS


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test kills: the line, what changes in it, and the tests that come there."""

    id: str
    line: int
    operator: str
    verdict: str
    change: str
    reaching: int


@dataclass(frozen=True, slots=True)
class MutantCounts:
    """The verdicts about the mutants of one module."""

    killed: int
    all: int
    survivors: tuple[Survivor, ...]


@dataclass(frozen=True, slots=True)
class ReportedModule:
    """A module with the runs that served it.

    ``text`` is None when the file is not what it was in these runs.  ``targets`` are the records of
    ``generate``; ``tests`` has (name, lines that it reaches, its code or '').
    """

    name: str
    source: str
    text: str | None
    targets: tuple[Mapping[str, Any], ...] = ()
    reached: frozenset[int] = frozenset()
    unreached: frozenset[int] = frozenset()
    missed: tuple[tuple[int, int], ...] = ()
    never: frozenset[tuple[int, str]] = frozenset()
    tests: tuple[tuple[str, tuple[int, ...], str], ...] = ()
    mutants: MutantCounts | None = None

    @property
    def findings(self) -> list[Mapping[str, Any]]:
        """What has no test, and why."""
        return [finding for target in self.targets for finding in target["findings"]]


@dataclass(frozen=True, slots=True)
class ReportedProject:
    """All that the page shows: modules by name, and the records of the other commands."""

    name: str
    modules: tuple[ReportedModule, ...] = ()
    failures: tuple[Mapping[str, Any], ...] = ()
    empty: tuple[str, ...] = ()
    checks: tuple[Mapping[str, Any], ...] = ()
    states: tuple[Mapping[str, Any], ...] = field(default_factory=tuple)

    @property
    def is_empty(self) -> bool:
        """Is there nothing to show?"""
        return not (self.modules or self.failures or self.checks or self.states)


def read_project(root: Path) -> ReportedProject:
    """What the runs in ``root`` came to; a module whose file is gone is left out."""
    records = RunRecords(root)
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for target in records.of_kind("generate"):
        if _is_whole(target) and (root / target["source"]).exists():
            groups.setdefault(target["module"], []).append(target)
    mutants = _mutants_by_module(root)
    names = sorted({*groups, *mutants})
    modules = tuple(_module(name, root, groups.get(name, []), mutants.get(name)) for name in names)
    last = next(iter(records.of_kind("run")), {})
    return ReportedProject(
        root.resolve().name, modules, tuple(last.get("failures", ())), tuple(last.get("empty", ())),
        tuple(one for one in records.of_kind("check") if "findings" in one),
        tuple(one for one in records.of_kind("states") if "iterations" in one),
    )  # fmt: skip


def _is_whole(target: Mapping[str, Any]) -> bool:
    """Does a record have what this version writes?"""
    wanted = {"module", "source", "digest", "reached", "never", "findings", "branches", "lines"}
    return wanted <= target.keys()


def _module(
    name: str,
    root: Path,
    targets: list[Mapping[str, Any]],
    mutants: tuple[str, MutantCounts] | None,
) -> ReportedModule:
    source = targets[0]["source"] if targets else relative_path(mutants[0] if mutants else "", root)
    file = root / source
    digest = digest_of_file(file)
    is_same = all(target["digest"] == digest for target in targets)
    runs = [target["reached"] for target in targets]
    taken = {tuple(pair) for run in runs for pair in run["taken"]}
    missed = {tuple(pair) for run in runs for pair in run["missed"]} - taken
    reached = frozenset(line for run in runs for line in run["reached"])
    never = [{(line, outcome) for line, outcome in target["never"]} for target in targets]
    return ReportedModule(
        name, source, _text_of(file) if is_same else None, tuple(targets), reached,
        frozenset(line for run in runs for line in run["unreached"]) - reached,
        tuple((first, last) for first, last in sorted(missed)),
        frozenset(set.intersection(*never)) if never else frozenset(),
        tuple(_tests_of(targets, root)), mutants[1] if mutants else None,
    )  # fmt: skip


def _tests_of(
    targets: Iterable[Mapping[str, Any]], root: Path
) -> list[tuple[str, tuple[int, ...], str]]:
    """(name, lines, code) of the tests that the suites have."""
    found = []
    for target in targets:
        codes = _codes_of(root / target["file"]) if target.get("file") else {}
        for name, lines in target["reached"]["tests"]:
            found.append((name, tuple(lines), codes.get(name.partition("[")[0], "")))
    return found


def _codes_of(file: Path) -> dict[str, str]:
    """The code of each test of a file, by ``test_x`` or ``TestA::test_x``."""
    text = _text_of(file)
    try:
        body = ast.parse(text or "").body
    except (SyntaxError, ValueError):
        return {}
    lines = code_lines(text or "")
    found: dict[str, str] = {}
    for node in body:
        members = node.body if isinstance(node, ast.ClassDef) else [node]
        for one in members:
            if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                first = min([one.lineno, *(mark.lineno for mark in one.decorator_list)])
                owner = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
                code = [line[one.col_offset :] for line in lines[first - 1 : one.end_lineno]]
                found[f"{owner}{one.name}"] = "\n".join(code)
    return found


def _mutants_by_module(root: Path) -> dict[str, tuple[str, MutantCounts]]:
    """(file, verdicts) of each module that ``mutants run`` has tried and that exists."""
    groups: dict[str, list[StoredVerdict]] = {}
    for one in VerdictStore(root).kept.values():
        groups.setdefault(one.judged.mutant.module, []).append(one)
    return {
        module: (group[0].file, _counts(group))
        for module, group in groups.items()
        if Path(group[0].file).exists()
    }


def _counts(group: list[StoredVerdict]) -> MutantCounts:
    judged = [one.judged for one in group]
    alive = [one for one in group if not one.judged.is_killed]
    changes = brief_changes((one.judged.mutant, one.file) for one in alive)
    known = [one for one in alive if one.judged.mutant.id in changes]  # else the code has changed
    survivors = [_survivor(one, changes[one.judged.mutant.id]) for one in known]
    killed = Counter(one.is_killed for one in judged)[True]
    survivors.sort(key=lambda one: (one.line, one.id))
    return MutantCounts(killed, len(judged), tuple(survivors))


def _survivor(kept: StoredVerdict, change: str) -> Survivor:
    about = kept.judged.mutant
    word = WORDS[kept.judged.verdict]
    return Survivor(about.id, about.line, about.operator, word, change, kept.judged.reaching)


def code_lines(text: str) -> list[str]:
    """The lines of code as Python counts them: a form feed, say, ends none."""
    return re.split("\r\n|\r|\n", text.removesuffix("\n"))


def _text_of(file: Path) -> str | None:
    """The text of a Python file; None when it cannot be read."""
    try:
        return read_source(str(file))
    except (OSError, SyntaxError, ValueError):
        return None
