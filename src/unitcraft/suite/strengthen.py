"""Adds the mutants that each test notices to its Goals, so that selection keeps what they need.

Invariant: a mutant Goal is held by an execution that was seen to notice it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from unitcraft.core.wire import Plain, encode_sequence
from unitcraft.execute.pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import Execution, cost
from unitcraft.explore.goals import GoalMap
from unitcraft.instrument.sites import Site

#: Mutants judged for one module, and tests tried on one mutant.
MAX_MUTANTS = 400
MAX_TESTS = 24
JUDGE = "unitcraft.suite.mutation.judge"


#: Sequence (``repr``) -> mutant Goal -> keys of the observations that differ.
Reveals = dict[str, dict[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Kills:
    """``reveals``: Sequence (``repr``) -> mutant Goal -> keys of what differs; and the counts."""

    reveals: Reveals
    mutants: int
    killed: int


def judged(
    candidates: list[Execution],
    sites: list[Site],
    module: str,
    spec: HostSpec,
    jobs: int,
    seed: int,
    most: int = MAX_TESTS,
) -> Kills:
    """Which of ``candidates`` notice which mutants of ``module``, and by what.

    At most ``most`` of them are tried on one mutant.
    """
    options = {**spec.options, "limit": MAX_MUTANTS, "seed": seed}
    with Pool(replace(spec, entry=JUDGE, options=options), jobs) as pool:
        calls = [encode_sequence(run.sequence) for run in candidates]
        marks = _stable(pool, calls)
        entered = _entering(candidates, sites, module)
        items: list[Plain] = []
        for number, place in enumerate(pool.ready["mutants"]):
            tests = spread([i for i in entered.get(place[0], ()) if marks[i]], most)
            items.append((number, [(i, calls[i], marks[i]) for i in tests]))
        reveals: Reveals = {}
        killed = 0
        for (number, _), reply in zip(items, pool.map("judge", items, batch=8), strict=True):
            killed += bool(reply.value)
            for test, positions in reply.value or ():
                keys = tuple(marks[test][position][0] for position in positions)
                name = repr(candidates[test].sequence)
                reveals.setdefault(name, {})[f"m:{number}"] = keys
    return Kills(reveals, len(items), killed)


def spread(tests: list[int], most: int = MAX_TESTS) -> list[int]:
    """At most ``most``: half the cheapest, half spread evenly over the dearer ones."""
    if len(tests) <= most:
        return tests
    half = most // 2
    step = (len(tests) - half) / half
    return tests[:half] + [tests[half + int(number * step)] for number in range(half)]


def _stable(pool: Pool, calls: list[Plain]) -> list[Plain]:
    """What each test may assert, as far as two runs agree; () where the outcome does not."""
    first = [reply.value or () for reply in pool.map("baseline", calls)]
    second = [dict(reply.value or ()) for reply in pool.map("baseline", calls)]
    stable = [
        tuple(part for part in parts if other.get(part[0]) == part[1])
        for parts, other in zip(first, second, strict=True)
    ]
    return [parts if parts and parts[0][0] == "outcome" else () for parts in stable]


def _entering(candidates: list[Execution], sites: list[Site], module: str) -> dict[str, list[int]]:
    """Outermost function -> candidates that enter it, cheapest first."""
    entries = {
        number: site.scope
        for number, site in enumerate(sites)
        if site.kind == "entry" and site.module == module
    }
    found: dict[str, list[int]] = {}
    for index in sorted(range(len(candidates)), key=lambda i: (cost(candidates[i].sequence), i)):
        for scope in dict.fromkeys(
            entries[hit] for hit in candidates[index].hits if hit in entries
        ):
            found.setdefault(scope, []).append(index)
    return found


def strengthen(
    goals: GoalMap,
    extra: Iterable[Execution],
    sites: list[Site],
    module: str,
    spec: HostSpec,
    jobs: int,
    seed: int,
) -> Kills:
    """Judge the best executions and ``extra``; add a Goal ``m:NUMBER`` for each noticed mutant."""
    runs = {repr(run.sequence): run for _, run in goals.best.values()}
    for run in extra:
        runs.setdefault(repr(run.sequence), run)
    candidates = list(runs.values())
    kills = judged(candidates, sites, module, spec, jobs, seed)
    for run in candidates:
        found = kills.reveals.get(repr(run.sequence))
        if found:
            goals.credit(run, list(found))
    return kills


def telling(goals: tuple[str, ...], reveals: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The observations that a test needs to notice the mutants among its ``goals``.

    Greedy set cover; mutants that the outcome or the result shows need none.
    """
    open_ = [set(keys) for goal in goals if (keys := reveals.get(goal)) and not _PLAIN & set(keys)]
    chosen: list[str] = []
    while open_:
        candidates = sorted({key for needed in open_ for key in needed})
        best = max(candidates, key=lambda key: sum(key in needed for needed in open_))
        chosen.append(best)
        open_ = [needed for needed in open_ if best not in needed]
    return tuple(chosen)


_PLAIN = {"outcome", "result"}
