"""Six-call BinSearchTree sequences a second and core, through guarded workers and without.

``in process`` runs the same service function in this process; ``calls only`` makes the calls
without interpreting encoded Calls and without a digest.  Medians of several rounds.
"""

from __future__ import annotations

import argparse
import marshal
import sys
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from unitcraft.core.encoding import encode_call
from unitcraft.core.randomness import seeded_random
from unitcraft.core.sequences import Call, Const, Ref
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.replay_agent import reach

if TYPE_CHECKING:
    from collections.abc import Callable

SUBJECTS = str(Path(__file__).parent / "subjects")

#: What the acceptance of the project asks for.
REQUIRED = 15_000


def sequences(count: int) -> list[list[tuple[str, int]]]:
    """``count`` sequences of six calls each."""
    rng = seeded_random(0, "bench")
    return [
        [(rng.choice(("insert", "remove")), rng.randrange(6)) for _ in range(6)]
        for _ in range(count)
    ]


def encoded(sequence: list[tuple[str, int]]) -> tuple[bytes, ...]:
    """What a worker is sent: the constructor and the calls, each marshalled."""
    calls = [Call("function", "bin_search_tree:BinSearchTree")]
    calls += [Call("method", name, (Ref(0), Const(value))) for name, value in sequence]
    return tuple(marshal.dumps(encode_call(call), 2) for call in calls)


def rate(run: Callable[[], Any], count: int, rounds: int) -> float:
    """Sequences a second: the median of ``rounds`` runs of ``count`` sequences."""
    seconds = []
    for _ in range(rounds):
        started = perf_counter()
        run()
        seconds.append(perf_counter() - started)
    return count / median(seconds)


def main(arguments: list[str] | None = None) -> int:
    """Print the rates; 1 when the workers are slower than required."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args(arguments)
    plain = sequences(chosen.count)
    items = [encoded(sequence) for sequence in plain]
    spec = HostSpec(
        "unitcraft.explore.agents.replay_agent", {"module": "bin_search_tree"}, paths=(SUBJECTS,)
    )
    with Pool(spec, 1) as pool:
        workers = rate(lambda: list(pool.map("reach", items)), chosen.count, chosen.rounds)
    sys.path.insert(0, SUBJECTS)
    inside = rate(lambda: [reach(item) for item in items], chosen.count, chosen.rounds)
    bare = rate(lambda: calls_only(plain), chosen.count, chosen.rounds)
    print(f"guarded workers, 1 job: {workers:9,.0f} sequences/s (required {REQUIRED:,})")
    print(f"in process:             {inside:9,.0f} sequences/s, {inside / workers:.2f} times")
    print(f"calls only:             {bare:9,.0f} sequences/s, {bare / workers:.2f} times")
    return 0 if workers >= REQUIRED else 1


def calls_only(plain: list[list[tuple[str, int]]]) -> None:
    """The calls and nothing else."""
    from bin_search_tree import BinSearchTree  # noqa: PLC0415 - the path is set up by main

    for sequence in plain:
        tree = BinSearchTree()
        for name, value in sequence:
            getattr(tree, name)(value)


if __name__ == "__main__":
    sys.exit(main())
