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


@dataclass(frozen=True, slots=True)
class Kills:
    """``noticed[i]`` are the mutants that candidate ``i`` notices; ``mutants`` counts all."""

    noticed: dict[int, list[int]]
    mutants: int
    killed: int


def judged(
    candidates: list[Execution],
    sites: list[Site],
    module: str,
    spec: HostSpec,
    jobs: int,
    seed: int,
) -> Kills:
    """Which of ``candidates`` notice which mutants of ``module``."""
    options = {**spec.options, "limit": MAX_MUTANTS, "seed": seed}
    with Pool(replace(spec, entry=JUDGE, options=options), jobs) as pool:
        calls = [encode_sequence(run.sequence) for run in candidates]
        marks = [reply.value for reply in pool.map("baseline", calls)]
        entered = _entering(candidates, sites, module)
        places = pool.ready["mutants"]
        items: list[Plain] = []
        for number, place in enumerate(places):
            tests = [i for i in entered.get(place[0], ()) if marks[i]][:MAX_TESTS]
            items.append((number, [(i, calls[i], marks[i]) for i in tests]))
        noticed: dict[int, list[int]] = {}
        killed = 0
        for (number, _), reply in zip(items, pool.map("judge", items, batch=8), strict=True):
            hits = reply.value or ()
            killed += bool(hits)
            for test in hits:
                noticed.setdefault(test if test >= 0 else -test - 1, []).append(number)
    return Kills(noticed, len(places), killed)


def _entering(
    candidates: list[Execution], sites: list[Site], module: str
) -> dict[str, list[int]]:
    """Outermost function -> candidates that enter it, cheapest first."""
    entries = {
        number: site.scope
        for number, site in enumerate(sites)
        if site.kind == "entry" and site.module == module
    }
    found: dict[str, list[int]] = {}
    for index in sorted(range(len(candidates)), key=lambda i: (cost(candidates[i].sequence), i)):
        for scope in dict.fromkeys(entries[hit] for hit in candidates[index].hits if hit in entries):
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
    for index, mutants in sorted(kills.noticed.items()):
        goals.credit(candidates[index], [f"m:{number}" for number in mutants])
    return kills
