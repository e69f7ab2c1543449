"""Specification inference against laws written by hand: ``make bench-specs``.

For each class of ``specs/gold_laws.txt``: how many of its laws follow from those that are shown
(recall, by rewriting case by case), and how many of those shown hold on a universe that is larger
than the one on which they were confirmed, with other walks (precision).  Every gold law is checked
on that universe too.  ``implied`` are laws shown that follow from the others, ``lines`` the most
axiomatic laws of one method, ``after`` the seconds of processor time without those in which calls
of the class ran and its objects were compared.  ``--laws held_out`` takes the ten classes of
``specs/held_out_laws.txt``, and so on.  Exit code 1 when a gold law or a shown law is false.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import SilentListener
from unitcraft.core.sequences import Const
from unitcraft.infer import infer_class
from unitcraft.infer.algebraic.confirmation import Confirmation
from unitcraft.infer.algebraic.law_terms import Apply, Constant, Law, law_variables, subterms
from unitcraft.infer.class_request import ClassToSpecify
from unitcraft.infer.derivation.rewriting import follows
from unitcraft.infer.infer_class import Inference, open_host
from unitcraft.infer.learning import order_of
from unitcraft.infer.output.law_parsing import LawParser
from unitcraft.infer.universe.preconditions import parse_precondition
from unitcraft.infer.universe.profiles import profiles_of
from unitcraft.infer.universe.state_equality import StateEquality
from unitcraft.infer.universe.transition_table import TransitionTable
from unitcraft.infer.universe.universes import Size

SUBJECTS = Path(__file__).parent / "subjects"
GOLD = Path(__file__).parent / "specs" / "gold_laws.txt"
#: Other files of laws, by their option.
LAWS = {
    name: GOLD.with_name(f"{name}_laws.txt")
    for name in (
        "gold",
        "held_out",
        "fresh",
        "unseen",
        "later",
        "latest",
        "newest",
        "further",
        "last",
        "other",
        "final",
        "styles",
        "everyday",
        "numeric",
        "services",
    )
}
#: Kinds of laws that speak of what holds before and after one call, not of calls after each other.
AXIOMATIC = ("invariant", "postcondition", "frame")
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


def read_gold(file: Path = GOLD) -> list[Gold]:
    """The classes of the file."""
    found: list[tuple[str, list[str]]] = []
    for line in file.read_text().splitlines():
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
    parser.add_argument("--laws", choices=list(LAWS), default="gold", help="whose laws to compare")
    parser.add_argument("--only", default="", help="part of the name of the classes to judge")
    chosen = parser.parse_args(arguments)
    print(f"{'class':34}{'gold':>5}{'found':>6}{'recall':>8}{'shown':>6}{'false':>6}"
          f"{'implied':>8}{'lines':>6}{'pairs':>7}{'seconds':>9}{'after':>7}")  # fmt: skip
    wrong = found = total = 0
    shown: list[int] = []
    for gold in read_gold(LAWS[chosen.laws]):
        if chosen.only not in gold.target:
            continue
        one = judge(gold)
        had = len(gold.laws) - len(one.missing)
        found, total, wrong = found + had, total + len(gold.laws), wrong + len(one.false)
        shown.append(one.shown)
        print(f"{gold.target:34}{len(gold.laws):5}{had:6}{had / len(gold.laws):8.0%}"
              f"{one.shown:6}{len(one.false):6}{len(one.implied):8}{one.lines:6}{one.pairs:7}{one.seconds:9.1f}"
              f"{one.seconds - one.running:7.1f}", flush=True)  # fmt: skip
        for text in one.false:
            print(f"  FALSE {text}")
        for text in one.missing if chosen.verbose else []:
            print(f"  not derived: {text}")
        for text in one.implied if chosen.verbose else []:
            print(f"  implied: {text}")
    print(f"recall {found / total:.1%}, {wrong} false, {median(shown):g} laws in the median")
    return 1 if wrong else 0


def is_made(law: Law) -> bool:
    """Does it say what a constructor makes?  Conditions on new objects hold by being looked up."""
    calls = [one for one in subterms(law.left) if isinstance(one, Apply)]
    return any(isinstance(one.args[0], Constant) for one in calls)


@dataclass(frozen=True)
class Judged:
    """Gold laws not derived, the count of laws shown, the false ones, and what that cost.

    ``implied``: those shown that follow from the others.  ``lines`` are the most laws of bounds,
    orders and frames that one method has; ``seconds`` is what inference took of the processor,
    ``running`` the part for answers of the workers.
    """

    missing: list[str]
    shown: int
    false: list[str]
    implied: list[str]
    lines: int
    pairs: int
    seconds: float
    running: float


class _Clock:
    """Seconds of processor time in which calls of a class ran and objects were compared."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._depth = 0

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count what runs inside, once where these are nested."""
        started = process_time()
        self._depth += 1
        yield
        self._depth -= 1
        self.seconds += 0.0 if self._depth else process_time() - started


CLOCK = _Clock()


class _Timed(TransitionTable):
    """A table that knows how long it waited for its calls and took their answers."""

    def fill(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Run what is missing, timed."""
        with CLOCK.running():
            super().fill(pairs)


class _TimedEquality(StateEquality):
    """An equality that knows how long it compared objects."""

    def update(self) -> None:
        """Find the representatives of new states, timed."""
        with CLOCK.running():
            super().update()


def judge(gold: Gold) -> Judged:
    """How inference fares on a class."""
    module, _, name = gold.target.partition(":")
    request = ClassToSpecify(
        module,
        name,
        given=gold.given,
        preconditions=tuple(map(parse_precondition, gold.requires)),
        paths=(str(SUBJECTS),),
    )
    infer_class.TransitionTable = _Timed  # type: ignore[misc,attr-defined]
    infer_class.StateEquality = _TimedEquality  # type: ignore[misc,attr-defined]
    with open_host(request) as host:
        CLOCK.seconds, started = 0.0, process_time()
        run = Inference(request, host.subject, host.pool, SilentListener())
        run.prepare(host.spec)
        specification = run.specification()
        lines = specification.main
        shown = [law for one in lines for law in one.laws]
        seconds, running = process_time() - started, CLOCK.seconds
        run.table.most += VERDICT_PAIRS
        profiles = profiles_of(run.table, run.equality)
        parser = LawParser(run.table.operations, profiles, run.table.values)
        stated = {text: law for text in gold.laws if (law := _read(parser, text)) is not None}
        verdict = Confirmation(run.larger_universe(VERDICT, SEED), MAX_ROWS)
        false = [f"gold: {t}" for t, law in stated.items()
                 if verdict.check(law).witness is not None]  # fmt: skip
        false += [one.text for one in specification.laws
                  if any(verdict.check(law).witness is not None for law in one.laws)]  # fmt: skip
        order = order_of(profiles)
        missing = [
            text
            for text in gold.laws
            if text not in stated
            or not follows(
                stated[text], shown, verdict.rows_for(law_variables(stated[text])), order
            )
        ]
        implied = [
            one.text
            for one in lines
            if not is_made(one.law)
            and all(
                follows(
                    law,
                    [other for other in shown if other not in one.laws],
                    verdict.rows_for(law_variables(law)),
                    order,
                )
                for law in one.laws
            )
        ]
    axiomatic = Counter(one.method for one in lines if one.kind in AXIOMATIC)
    axiomatic.update(axiom.method for axiom in specification.axioms)
    most = max(axiomatic.values(), default=0)
    pairs = specification.pairs
    return Judged(missing, len(lines), false, implied, most, pairs, seconds, running)


def _read(parser: LawParser, text: str) -> Law | None:
    """The law; None for one that the language of laws has no words for: it counts as not found."""
    try:
        return parser.law(text)
    except UnitcraftError as error:
        print(f"  {error}"[:300])
        return None


if __name__ == "__main__":
    sys.exit(main())
