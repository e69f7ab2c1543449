"""Candidate sequences with and without the means against redundant ones: ``make bench-sequences``.

For each target, all sequences that end in it are explored, short ones first, until a number of
runs on proxies is spent; each line adds one means to the line before it.  Prints how many
sequences were looked at and executed, the longest length that was explored as a whole, the
branches of the target that were taken, the share of the time that making sequences took, and the
memory that they need: the most KiB at any time, for each length from three on, where each is
dropped before the next is made.
"""

from __future__ import annotations

import argparse
import sys
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.concolic.input_shapes import InputShapes
from unitcraft.explore.concolic.sequence_exploration import SequenceExploration
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.influence.sequence_enumeration import CandidateSequences, Reductions
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unitcraft.explore.concolic.sequence_exploration import SequencePath
    from unitcraft.subject.model import Invocable

#: Sequences of one length that are looked at: about two seconds.
MAX_CONSIDERED = 60_000
SUBJECTS = Path(__file__).parent / "subjects"
#: The model of several classes, and one method of each of three modules drawn at random.
TARGETS = (
    "maze_game:Game.pause", "maze_game:Player.enter", "binomial_heap:BinomialHeap.delete",
    "shopping_cart:ShoppingCart.remove", "bin_search_tree:BinSearchTree.remove",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Means:
    """One line of the table: which means are switched on."""

    name: str
    reductions: Reductions
    groups: bool = False
    prunes: bool = False


MEANS = (
    Means("none", Reductions(data_flow=False, partial_order=False)),
    Means("data-flow check", Reductions(partial_order=False)),
    Means("partial order", Reductions()),
    Means("grouping", Reductions(), groups=True),
    Means("state pruning", Reductions(), groups=True, prunes=True),
)


@dataclass(slots=True)
class Figures:
    """What exploring one target came to."""

    considered: int = 0
    sequences: int = 0
    runs: int = 0
    longest: int = 0
    taken: int = 0
    making: float = 0.0
    exploring: float = 0.0

    @property
    def share(self) -> str:
        """The part of the time that making sequences took."""
        return f"{self.making / (self.making + self.exploring):.0%}"


class Target:
    """One target with the pools that explore it."""

    def __init__(self, name: str, pools: tuple[Pool, Pool, Pool]) -> None:
        module = name.partition(":")[0]
        describing, self.concolic, self.traced = pools
        self.subject = request_subject(describing, module)
        self.invocable = _invocable(self.subject.invocables, name)
        self.effects = analyse_influence(self.subject)
        sites = [BranchSite(*row) for row in self.concolic.ready["sites"]]
        self.own = {
            number
            for number, site in enumerate(sites)
            if site.module == module and self.invocable.first <= site.line <= self.invocable.last
        }

    def figures(self, means: Means, most: int, longest: int) -> Figures:
        """Explore with ``means`` until ``most`` runs are spent.

        Groups are explored again when longer sequences join them; the last time counts.
        """
        found = CandidateSequences(self.effects, self.invocable.id, self.subject)
        figures = Figures()
        taken: set[int] = set()
        grouped: list[tuple[int, ...]] = []
        for length in range(1, longest + 1):
            before = found.considered
            at = perf_counter()
            sequences = list(found.of_length(length, means.reductions, MAX_CONSIDERED))
            figures.making += perf_counter() - at
            if found.considered - before > MAX_CONSIDERED:
                break
            figures.sequences += len(sequences)
            at = perf_counter()
            if means.groups:
                grouped += sequences
                explored = self._exploration(found, means, most)
                taken |= self._taken(explored.paths(grouped))
                figures.runs, figures.longest = explored.counts.runs, explored.counts.longest
                figures.exploring = perf_counter() - at
            else:
                for sequence in sequences:
                    if figures.runs < most:
                        explored = self._exploration(found, means, most - figures.runs)
                        taken |= self._taken(explored.paths([sequence]))
                        figures.runs += explored.counts.runs
                figures.exploring += perf_counter() - at
            if figures.runs >= most:
                break
            figures.longest = length
        figures.considered, figures.taken = found.considered, len(taken)
        return figures

    def memory(self, longest: int) -> str:
        """KiB of the enumeration of each length, one sequence at a time."""
        found = CandidateSequences(self.effects, self.invocable.id, self.subject)
        peaks = []
        tracemalloc.start()
        for length in range(1, longest + 1):
            tracemalloc.reset_peak()
            for _ in found.of_length(length, Reductions(), MAX_CONSIDERED):
                pass
            peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        return ", ".join([str(peak // 1024) for peak in peaks[2:]])

    def _exploration(
        self, found: CandidateSequences, means: Means, most: int
    ) -> SequenceExploration:
        shapes = InputShapes(self.subject)
        return SequenceExploration(
            self.concolic,
            self.traced,
            chain(),
            found.matrix,
            shapes,
            prunes=means.prunes,
            most=most,
        )

    def _taken(self, paths: Iterable[SequencePath]) -> set[int]:
        marks = [site for path in paths if path.run is not None for site, _ in path.run.marks]
        return self.own.intersection(marks)


def _invocable(invocables: Sequence[Invocable], name: str) -> Invocable:
    return next(one for one in invocables if one.id == name)


def table(names: Sequence[str], folder: Path, most: int, longest: int) -> Iterator[str]:
    """The lines of the table, as Markdown."""
    heads = ("target", "means", "considered", "sequences", "runs", "longest in full", "branches",
             "making", "KiB")  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for name in names:
        module = name.partition(":")[0]
        specs = [
            HostSpec(f"unitcraft.explore.agents.{agent}", {"module": module, **options},
                     (str(folder),))
            for agent, options in (
                ("search_agent", {"rewrite": False}), ("concolic_agent", {"sites": True}),
                ("influence_agent", {}),
            )
        ]  # fmt: skip
        with Pool(specs[0], 1) as one, Pool(specs[1], 1) as two, Pool(specs[2], 1) as three:
            target = Target(name, (one, two, three))
            for means in MEANS:
                got = target.figures(means, most, longest)
                shown = name if means is MEANS[0] else ""
                plus = "" if means is MEANS[0] else "+ "
                yield (
                    f"| {shown} | {plus}{means.name} | {got.considered} | {got.sequences} | "
                    f"{got.runs} | {got.longest} | {got.taken}/{len(target.own)} | {got.share} | "
                    f"{target.memory(longest) if means is MEANS[-1] else ''} |"
                )


def main(arguments: list[str] | None = None) -> int:
    """Explore and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=TARGETS, help="module:Class.method")
    parser.add_argument("--path", type=Path, default=SUBJECTS, help="where the modules are")
    parser.add_argument("--runs", type=int, default=300, help="runs for each line (default 300)")
    parser.add_argument("--longest", type=int, default=5, help="calls at most (default 5)")
    chosen = parser.parse_args(arguments)
    for line in table(chosen.targets, chosen.path, chosen.runs, chosen.longest):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
