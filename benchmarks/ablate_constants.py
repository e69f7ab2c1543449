"""What each numeric constant of the search is worth: ``make ablation-constants``.

A constant whose comment states no figure is halved, one that is too small is doubled, in a copy of
the sources: guarded workers import theirs, which no other process can change.  The search of a few
modules, drawn at random, runs with each; the table, which docs/search-constants.md holds, says what
that changed in all of them, beside the spread of the unchanged engine over its seeds.

Finished runs are lines of a file below ``build/``: the same command resumes.  Exit code 1 when a
run of the unchanged engine failed.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import ablation  # noqa: E402 - beside this file
import generate  # noqa: E402

MODULES = FOLDER / "constant_modules.json"
RESULTS = FOLDER.parent / "build" / "ablation" / "constants.jsonl"
SOURCES = FOLDER.parent / "src"
#: The rooms of the engine whose constants are those of the search.
ROOMS = ("explore", "instrument", "solve", "subject", "symbolic")
#: Seeds of the unchanged engine.
SEEDS = (0, 1, 2)
MEASURES = ("sites", "goals", "runs")
_FIGURE = re.compile(r"\d")


class Constant(NamedTuple):
    """A number that a module gives a name to; ``said`` is the comment above it."""

    module: str
    name: str
    value: float
    said: str

    @property
    def key(self) -> str:
        """What tells it from all others."""
        return f"{self.module}.{self.name}"

    @property
    def changed(self) -> float:
        """Half of it, and of a small integer the double."""
        if isinstance(self.value, int):
            return self.value // 2 if self.value > 1 else 2 * self.value
        return self.value / 2


def main(arguments: list[str] | None = None) -> int:
    """Run what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=Path, default=MODULES, help="JSON list of modules")
    parser.add_argument("--installed", type=Path, help="folder that holds a folder a project")
    parser.add_argument("--results", type=Path, default=RESULTS, help="the file of finished runs")
    parser.add_argument("--only", default="", help="only constants whose key contains this text")
    chosen = parser.parse_args(arguments)
    entries = ablation.read_modules(chosen.modules)
    homes = {entry: ablation.home_of(entry, chosen.installed) for entry in entries}
    constants = [one for one in untold(SOURCES, ROOMS) if chosen.only in one.key]
    done = ablation.finished(chosen.results)
    chosen.results.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chosen.results.open("a") as sink:
        copy = Path(shutil.copytree(SOURCES, Path(folder, "src")))
        for key, seed, constant, entry in all_runs(constants, entries):
            if key not in done:
                with with_change(copy, constant) if constant else nullcontext():
                    done[key] = measured(homes[entry], entry.module, seed, copy)
                print(json.dumps({"run": key, "found": done[key]}), file=sink, flush=True)
    print("\n".join(table(constants, entries, done)))
    return int(any(done[key] is None for key, _, one, _ in all_runs([], entries) if one is None))


def untold(sources: Path, rooms: Iterable[str]) -> Iterator[Constant]:
    """The positive numbers of ``rooms`` whose comments state no figure."""
    folders = [sources / "unitcraft" / room for room in rooms]
    for path in [path for folder in folders for path in sorted(folder.rglob("*.py"))]:
        text = path.read_text(encoding="utf-8")
        module = ".".join(path.relative_to(sources).with_suffix("").parts)
        for node in numbers(ast.parse(text)):
            one = Constant(module, node.target.id, ast.literal_eval(node.value), "")
            one = one._replace(said=comment_above(text.splitlines(), node.lineno))
            if one.value > 0 and not _FIGURE.search(one.said):
                yield one


def numbers(tree: ast.Module) -> Iterator[Any]:
    """The assignments ``NAME: Final = 3`` of a module."""
    for node in tree.body:
        match node:
            case ast.AnnAssign(ast.Name(), annotation, ast.Constant(int() | float() as value)) if (
                "Final" in ast.unparse(annotation) and not isinstance(value, bool)
            ):
                yield node


def comment_above(lines: list[str], number: int) -> str:
    """The comment that ends before the line of that number, which is counted from 1."""
    found: list[str] = []
    for line in reversed(lines[: number - 1]):
        if not line.startswith("#"):
            break
        found.insert(0, line.lstrip("#: "))
    return " ".join(found)


@contextmanager
def with_change(copy: Path, constant: Constant) -> Iterator[None]:
    """The constant has another value in the ``copy`` of the sources, and its own afterwards."""
    path = copy / Path(*constant.module.split(".")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    path.write_text(changed_text(text, constant), encoding="utf-8")
    try:
        yield
    finally:
        path.write_text(text, encoding="utf-8")


def changed_text(text: str, constant: Constant) -> str:
    """The source of a module with the changed value of ``constant``."""
    value = next(one.value for one in numbers(ast.parse(text)) if one.target.id == constant.name)
    lines = text.splitlines(keepends=True)
    line = lines[value.lineno - 1]
    lines[value.lineno - 1] = (
        line[: value.col_offset] + repr(constant.changed) + line[value.end_col_offset :]
    )
    return "".join(lines)


def all_runs(
    constants: Iterable[Constant], entries: Iterable[generate.Entry]
) -> Iterator[tuple[str, int, Constant | None, generate.Entry]]:
    """(key, seed, constant or None, module) of every run, the unchanged engine's first."""
    entries = list(entries)
    for seed in SEEDS:
        for entry in entries:
            yield f"unchanged {entry.module} {seed}", seed, None, entry
    for constant in constants:
        for entry in entries:
            yield f"{constant.key} {entry.module}", SEEDS[0], constant, entry


def measured(home: Path, module: str, seed: int, sources: Path) -> dict[str, float] | None:
    """The figures of one search with the engine in ``sources``; None when it failed."""
    order = {
        "home": str(home), "module": module, "seed": seed, "mode": "search", "patches": [],
        "criterion": [],
    }  # fmt: skip
    words = [sys.executable, ablation.ablation_run.__file__, json.dumps(order)]
    env = {**os.environ, "PYTHONPATH": str(sources)}
    try:
        done = subprocess.run(
            words, capture_output=True, timeout=ablation.TIMEOUT, check=False, cwd=home, env=env
        )
    except subprocess.TimeoutExpired:
        return None
    return dict(json.loads(done.stdout.splitlines()[-1])) if not done.returncode else None


def table(
    constants: Iterable[Constant],
    entries: Iterable[generate.Entry],
    done: Mapping[str, Mapping[str, float] | None],
) -> list[str]:
    """A table in Markdown: the unchanged engine, then what each change changes, modules in order.

    A difference greater than the spread of the seeds is bold.
    """
    entries = list(entries)

    def total(prefix: str, suffix: str, measure: str) -> float:
        found = [done.get(f"{prefix} {entry.module}{suffix}") or {} for entry in entries]
        return sum(row.get(measure, 0) for row in found)

    sums = [[total("unchanged", f" {seed}", one) for one in MEASURES] for seed in SEEDS]
    spread = [max(of) - min(of) for of in zip(*sums, strict=True)]
    head = ["constant", "value", "changed to", *MEASURES]
    lines = [_row(head), _row(["---", *(["--:"] * (len(head) - 1))])]
    lines.append(_row(["unchanged", "", "", *[f"{one:.0f}" for one in sums[0]]]))
    lines.append(_row(["spread of three seeds", "", "", *[f"{one:.0f}" for one in spread]]))
    for constant in constants:
        there = [total(constant.key, "", one) for one in MEASURES]
        failed = any(done.get(f"{constant.key} {entry.module}") is None for entry in entries)
        cells = [
            _mark(new - old, width) for new, old, width in zip(there, sums[0], spread, strict=True)
        ]
        named = constant.key.removeprefix("unitcraft.")
        values = [f"{constant.value:g}", f"{constant.changed:g}"]
        lines.append(_row([f"`{named}`", *values, *(["failed"] * 3 if failed else cells)]))
    return lines


def _mark(difference: float, spread: float) -> str:
    said = f"{difference:+.0f}" if difference else "0"
    return f"**{said}**" if abs(difference) > spread else said


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
