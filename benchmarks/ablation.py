"""What each hand-made table and search constant is worth: ``make ablation``.

A variant switches one table off, or halves or doubles one constant.  Each (variant, module, seed)
runs in a process of its own; ``search`` stops after the search, ``full`` makes the whole suite.
``--variants benchmarks/ablation_kinds.json`` switches off one kind of proposals at a time; with
``--mode full`` it says what each is worth in mutants and lines, too.
The table says what a variant changes, summed over the modules, beside the spread of the unchanged
engine over its seeds.  The modules were drawn at random and none was used to choose a constant.

Finished runs are lines of a file below ``build/`` whose name holds a digest of the engine: the same
command resumes.  Exit code 1 when a run of the unchanged engine failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER))

import ablation_run  # noqa: E402 - beside this file
import generate  # noqa: E402

MODULES = FOLDER / "ablation_modules.json"
VARIANTS = FOLDER / "ablation_variants.json"
BUILD = FOLDER.parent / "build" / "ablation"
ENGINE = FOLDER.parent / "src" / "unitcraft"

#: Seconds that one run may take; a longer one counts as failed.
TIMEOUT = 240
#: Seeds of the unchanged engine: the least number that shows a spread.
BASELINE_SEEDS = (0, 1, 2)
#: The variant that changes nothing.
BASELINE = "unchanged"

#: The mode of a row that is run in each.
BOTH = "both"
#: Measures of a mode, in the order of the columns.
MEASURES = {
    "search": ("sites", "goals", "runs", "cpu"),
    "full": ("sites", "branches", "killed", "tests", "lines", "cpu"),
}


class Variant(NamedTuple):
    """A change of the engine: (dotted module, constant, change) for each constant."""

    name: str
    mode: str
    patches: tuple[tuple[str, str, Any], ...] = ()
    criterion: tuple[str, ...] = ()


class Job(NamedTuple):
    """One run."""

    variant: Variant
    entry: generate.Entry
    seed: int

    @property
    def key(self) -> str:
        """The name of the run in the file of results."""
        return f"{self.variant.mode} {self.variant.name} {self.entry.module} {self.seed}"


def main(arguments: list[str] | None = None) -> int:
    """Run what is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=2, help="runs at the same time")
    parser.add_argument("--mode", choices=(*MEASURES, BOTH), default=BOTH)
    parser.add_argument("--only", default="", help="only variants whose name contains this text")
    parser.add_argument("--variants", type=Path, default=VARIANTS, help="JSON list of changes")
    parser.add_argument("--modules", type=Path, default=MODULES, help="JSON list of modules")
    parser.add_argument("--installed", type=Path, help="folder that holds a folder a project")
    parser.add_argument("--results", type=Path, help="the file of finished runs")
    chosen = parser.parse_args(arguments)
    entries = read_modules(chosen.modules)
    modes = tuple(MEASURES) if chosen.mode == BOTH else (chosen.mode,)
    results = chosen.results or BUILD / f"{engine_digest(ENGINE)}.jsonl"
    results.parent.mkdir(parents=True, exist_ok=True)
    done = finished(results)
    variants = [one for one in read_variants(chosen.variants) if one.mode in modes]
    variants = [one for one in variants if chosen.only in one.name or is_baseline(one)]
    jobs = [job for job in all_jobs(variants, entries) if job.key not in done]
    homes = {entry: home_of(entry, chosen.installed) for entry in entries}
    with results.open("a", encoding="utf-8") as sink, ThreadPoolExecutor(chosen.jobs) as pool:
        answers = pool.map(lambda job: measured(job, homes[job.entry]), jobs)
        for job, answer in zip(jobs, answers, strict=True):
            done[job.key] = answer
            print(json.dumps({"run": job.key, "found": answer}), file=sink, flush=True)
    for line in table(variants, entries, done):
        print(line)
    unchanged = [job.key for job in all_jobs(variants, entries) if is_baseline(job.variant)]
    return int(any(done[key] is None for key in unchanged))


def read_modules(path: Path) -> list[generate.Entry]:
    """The modules of a list in the form of ``modules.json``."""
    return [
        generate.Entry(one["project"], one["module"], tuple(one.get("needs", ())))
        for one in json.loads(path.read_text(encoding="utf-8"))
    ]


def read_variants(path: Path) -> list[Variant]:
    """The unchanged engine in each mode, then every change of every constant of the list."""
    variants: list[Variant] = [Variant(BASELINE, mode) for mode in MEASURES]
    for row in json.loads(path.read_text(encoding="utf-8")):
        criterion = tuple(row.get("criterion", ()))
        places = [tuple(place.rsplit(".", 1)) for place in row["places"]]
        for mode in MEASURES if row["mode"] == BOTH else (row["mode"],):
            base = Variant(" ".join([BASELINE, *criterion]), mode, (), criterion)
            if base not in variants:
                variants.append(base)
            for change in row["changes"]:
                constants = "+".join(dict.fromkeys([constant for _, constant in places]))
                name = f"{places[0][0].rpartition('.')[2]}.{constants} {text_of(change)}"
                patches = tuple((module, constant, change) for module, constant in places)
                variants.append(Variant(name, mode, patches, criterion))
    return variants


def text_of(change: Any) -> str:
    """``half``, ``double``, ``off``, or ``= VALUE``."""
    return change if isinstance(change, str) else f"= {json.dumps(change)}"


def is_baseline(variant: Variant) -> bool:
    """Does it change nothing?"""
    return not variant.patches


def all_jobs(variants: Iterable[Variant], entries: Iterable[generate.Entry]) -> list[Job]:
    """Every run in its order; only the unchanged engine has more than one seed."""
    entries = list(entries)
    return [
        Job(variant, entry, seed)
        for variant in variants
        for seed in (BASELINE_SEEDS if is_baseline(variant) else BASELINE_SEEDS[:1])
        for entry in entries
    ]


def engine_digest(folder: Path) -> str:
    """A digest of every source file below ``folder``."""
    digest = hashlib.blake2b(digest_size=6)
    for path in sorted(folder.rglob("*.py")):
        digest.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return digest.hexdigest()


def finished(results: Path) -> dict[str, dict[str, float] | None]:
    """The runs in the file; a torn last line is skipped."""
    done: dict[str, dict[str, float] | None] = {}
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    for line in lines:
        try:
            row = json.loads(line)
        except ValueError:
            continue
        done[row["run"]] = row["found"]
    return done


def home_of(entry: generate.Entry, installed: Path | None) -> Path:
    """The folder of the project; it is installed there unless ``installed`` holds it."""
    if installed is not None:
        return installed / entry.project.partition("==")[0]
    generate.installed(entry)
    return entry.folder


def measured(job: Job, home: Path) -> dict[str, float] | None:
    """The figures of one run in a process of its own; None when it failed."""
    variant = job.variant
    order = {
        "home": str(home), "module": job.entry.module, "seed": job.seed, "mode": variant.mode,
        "patches": variant.patches, "criterion": variant.criterion,
    }  # fmt: skip
    words = [sys.executable, ablation_run.__file__, json.dumps(order)]
    try:
        done = subprocess.run(words, capture_output=True, timeout=TIMEOUT, check=False, cwd=home)
    except subprocess.TimeoutExpired:
        return None
    if done.returncode:
        sys.stderr.write(f"{job.key}: {done.stderr.decode()[-300:]}\n")
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def table(
    variants: Iterable[Variant],
    entries: Iterable[generate.Entry],
    done: Mapping[str, Mapping[str, float] | None],
) -> list[str]:
    """For each mode: totals and spread of the unchanged engine, then differences from it.

    A difference greater than the spread bears a star.
    """
    entries = list(entries)
    lines: list[str] = []
    spreads: dict[tuple[str, tuple[str, ...]], dict[str, float]] = {}
    for variant in variants:
        measures = MEASURES[variant.mode]
        group = (variant.mode, variant.criterion)
        base = Variant(" ".join([BASELINE, *variant.criterion]), variant.mode)
        if is_baseline(variant):
            sums = [totals(variant, entries, seed, done, measures) for seed in BASELINE_SEEDS]
            spreads[group] = {
                one: max(s[one] for s in sums) - min(s[one] for s in sums) for one in measures
            }
            lines += ["", row_of(f"{variant.mode} ({len(entries)} modules)", measures)]
            lines.append(row_of(variant.name, [f"{sums[0][one]:.0f}" for one in measures]))
            lines.append(row_of("spread of seeds", [f"{spreads[group][m]:.0f}" for m in measures]))
            continue
        shared = [
            entry
            for entry in entries
            if done.get(Job(variant, entry, 0).key) and done.get(Job(base, entry, 0).key)
        ]
        if not shared:
            continue
        here = totals(variant, shared, 0, done, measures)
        there = totals(base, shared, 0, done, measures)
        cells = [mark(here[one] - there[one], spreads[group][one]) for one in measures]
        lost = f" ({len(entries) - len(shared)} failed)" if len(shared) < len(entries) else ""
        lines.append(row_of(variant.name + lost, cells))
    return lines


def totals(
    variant: Variant,
    entries: Iterable[generate.Entry],
    seed: int,
    done: Mapping[str, Mapping[str, float] | None],
    measures: Iterable[str],
) -> dict[str, float]:
    """Each measure summed over the modules; runs that failed add nothing."""
    found = [done.get(Job(variant, entry, seed).key) or {} for entry in entries]
    return {one: sum(row.get(one, 0) for row in found) for one in measures}


def mark(difference: float, spread: float) -> str:
    """The difference, with a star when it is greater than the spread."""
    return f"{difference:+.0f}{'*' if abs(difference) > spread else ' '}"


def row_of(name: str, cells: Iterable[str]) -> str:
    """One line: the name to the left, figures to the right."""
    return f"{name:<52}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
