"""Specification inference against laws written by hand: ``make bench-specs``.

For each class of ``specs/gold_laws.txt``: how many of its laws follow from those that are shown
(recall, by rewriting case by case), and how many of those shown hold on a universe that is larger
than the one on which they were confirmed, with other walks (precision).  Every gold law is checked
on that universe too.  Exit code 1 when a gold law or a shown law is false.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from unitcraft.core.events import SilentListener
from unitcraft.core.sequences import Const
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.algebraic.law_terms import law_variables
from unitcraft.infer.algebraic.rewriting import follows
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.learning import order_of
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.preconditions import parse_precondition
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.universes import Size

SUBJECTS = Path(__file__).parent / "subjects"
GOLD = Path(__file__).parent / "specs" / "gold_laws.txt"
#: The universe of the verdict: larger than that of confirmation, with other walks.
VERDICT = Size(depth=5, level=80, states=300, calls=60, walks=True)
MAX_ROWS = 1_500
VERDICT_PAIRS = 200_000
SEED = 4711


@dataclass(frozen=True)
class Gold:
    """A class, what is said about it, and its laws."""

    target: str
    given: dict[str, tuple[Const, ...]]
    requires: tuple[str, ...]
    laws: tuple[str, ...]


def read_gold() -> list[Gold]:
    """The classes of the file."""
    found: list[tuple[str, list[str]]] = []
    for line in GOLD.read_text().splitlines():
        if line.startswith("["):
            found.append((line.strip("[]"), []))
        elif line and not line.startswith("#"):
            found[-1][1].append(line)
    return [_gold(head, laws) for head, laws in found]


def _gold(head: str, laws: list[str]) -> Gold:
    target, _, rest = head.partition(" ")
    pinned, _, condition = rest.partition(" ")
    name, _, value = pinned.partition("=")
    given = {name: (Const(int(value)),)} if value else {}
    return Gold(target, given, (condition,) if condition else (), tuple(laws))


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 when a law is false."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-v", "--verbose", action="store_true", help="name the laws not found")
    chosen = parser.parse_args(arguments)
    print(f"{'class':32}{'gold':>6}{'found':>7}{'recall':>8}{'shown':>7}{'false':>7}{'seconds':>9}")
    wrong = found = total = 0
    for gold in read_gold():
        missing, shown, false, seconds = judge(gold)
        had = len(gold.laws) - len(missing)
        found, total, wrong = found + had, total + len(gold.laws), wrong + len(false)
        share = had / len(gold.laws)
        print(
            f"{gold.target:32}{len(gold.laws):6}{had:7}{share:8.0%}{shown:7}{len(false):7}{seconds:9.1f}"
        )
        for text in false:
            print(f"  FALSE {text}")
        for text in missing if chosen.verbose else []:
            print(f"  not derived: {text}")
    print(f"recall {found / total:.1%}, {wrong} false")
    return 1 if wrong else 0


def judge(gold: Gold) -> tuple[list[str], int, list[str], float]:
    """(gold laws not derived, laws shown, false laws, seconds of inference)."""
    module, _, name = gold.target.partition(":")
    request = ClassToSpecify(
        module,
        name,
        given=gold.given,
        preconditions=tuple(map(parse_precondition, gold.requires)),
        paths=(str(SUBJECTS),),
    )
    with open_host(request) as host:
        started = perf_counter()
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        lines = run.specification().laws
        shown = [law for one in lines for law in one.laws]
        seconds = perf_counter() - started
        run.table.most += VERDICT_PAIRS
        profiles = profiles_of(run.table, run.equality)
        parser = LawParser(run.table.operations, profiles, run.table.values)
        stated = [parser.law(text) for text in gold.laws]
        verdict = Confirmation(run.larger_universe(VERDICT, SEED), MAX_ROWS)
        false = [f"gold: {t}" for t, law in zip(gold.laws, stated, strict=True)
                 if verdict.check(law).witness is not None]  # fmt: skip
        false += [repr(law) for law in shown if verdict.check(law).witness is not None]
        order = order_of(profiles)
        missing = [
            text
            for text, law in zip(gold.laws, stated, strict=True)
            if not follows(law, shown, verdict.rows_for(law_variables(law)), order)
        ]
    return missing, len(lines), false, seconds


if __name__ == "__main__":
    sys.exit(main())
