"""Cost of an item, and of a start, as the number of loaded modules grows.

A synthetic package has N sibling modules (tables, classes, functions, caches and counters), all of
them imported by one small module, which is the Subject.  ``item`` is the CPU time of a worker for
one run of a Sequence, ``start`` the time until a host answers.  An item has to cost what it
touches: the ratio of the largest package to the smallest is what counts.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Call, Const, Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.pool.workers import cpu_seconds
from unitcraft.execute.spec import HostSpec

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain

#: The agents whose start is measured, with the options beside the module's name.
AGENTS = {
    "search": ("unitcraft.explore.agents.search_agent", {"rewrite": True}),
    "concolic": ("unitcraft.explore.agents.concolic_agent", {"sites": True}),
    "original": ("unitcraft.explore.agents.search_agent", {"rewrite": False}),
}

#: How much more an item may cost in the largest package than in the smallest.
MAX_RATIO = 1.2

SIBLING = '''
"""A sibling."""
import functools
import itertools

TABLE = {"a": 1, "b": 2, "c": [1, 2, 3], "d": {"e": 5}}
NAMES = ["x", "y", "z"]
SEEN = set()
ids = itertools.count()

class Item:
    kind = "item"
    registry = {}
    def __init__(self, value):
        self.value = value
    def double(self):
        return self.value * 2
    def is_large(self):
        if self.value > 10:
            return True
        return False

class Special(Item):
    kind = "special"
    def triple(self):
        return self.value * 3

@functools.lru_cache
def cached(n):
    return n + 1

def scan(values, limit=10, found=None):
    for value in values:
        if value > limit:
            return value
    return found

DEFAULT = Item(3)
'''

SUBJECT = '''
"""The Subject."""
{imports}

STATE = {{"calls": 0}}

def sign(n: int) -> int:
    STATE["calls"] += 1
    if n > 0:
        return 1
    return -1 if n < 0 else 0
'''


def make_package(folder: Path, count: int) -> None:
    """Write a package ``wide`` of ``count`` siblings and the Subject to ``folder``."""
    package = folder / "wide"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    for number in range(count):
        (package / f"sibling{number}.py").write_text(SIBLING)
    imports = "\n".join(f"import wide.sibling{number}" for number in range(count))
    (package / "subject.py").write_text(SUBJECT.format(imports=imports))


def spec_of(folder: Path, agent: str) -> HostSpec:
    """The host of ``agent`` for the Subject in ``folder``."""
    entry, options = AGENTS[agent]
    return HostSpec(
        entry,
        {"module": "wide.subject", **options},
        paths=(str(folder),),
        import_seconds=300.0,
        focus=("wide.subject",),
    )


def item_costs(folders: list[Path], count: int, rounds: int) -> list[list[float]]:
    """CPU microseconds of an item in each of ``folders``: a row for each of ``rounds`` rounds.

    The packages take turns, so that a slow moment of the machine is one for all of them.
    """
    items: list[Plain] = [
        encode_sequence(Sequence((Call("function", "wide.subject:sign", (Const(n),)),)))
        for n in range(count)
    ]
    rows: list[list[float]] = []
    with ExitStack() as stack:
        pools = [stack.enter_context(Pool(spec_of(one, "search"), 1)) for one in folders]
        for pool in pools:
            list(pool.map("run", items))
        for _ in range(rounds):
            rows.append([])
            for pool in pools:
                (worker,) = pool._workers._idle  # noqa: SLF001 - its clock is what is measured
                before = cpu_seconds(worker.child.pid)
                list(pool.map("run", items))
                rows[-1].append(1e6 * (cpu_seconds(worker.child.pid) - before) / count)
    return rows


def start_seconds(folder: Path, agent: str) -> float:
    """Seconds until a host of ``agent`` has imported the Subject and answers."""
    started = perf_counter()
    with Pool(spec_of(folder, agent), 1):
        return perf_counter() - started


def main(arguments: list[str] | None = None) -> int:
    """Print a row for each size; 1 when an item costs too much more in the largest package."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=9)
    chosen = parser.parse_args(arguments)
    print("modules  item us  ratio " + "".join(f"{name + ' s':>12}" for name in AGENTS))
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name) / str(size) for size in chosen.sizes]
        for folder, size in zip(folders, chosen.sizes, strict=True):
            make_package(folder, size)
        rows = item_costs(folders, chosen.count, chosen.rounds)
        ratios = [median(row[at] / row[0] for row in rows) for at in range(len(folders))]
        for at, (folder, size) in enumerate(zip(folders, chosen.sizes, strict=True)):
            cost = median(row[at] for row in rows)
            starts = (start_seconds(folder, agent) for agent in AGENTS)
            shown = "".join(f"{seconds:12.2f}" for seconds in starts)
            print(f"{size:7d} {cost:8.0f} {ratios[at]:6.2f} {shown}", flush=True)
    return 0 if ratios[-1] <= MAX_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
