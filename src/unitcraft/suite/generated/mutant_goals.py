"""Mutation analysis of executions: mutants become Goals of the executions that kill them.

The kill matrix has a row for each execution and a column for each mutant; an entry says by which
observations the execution kills the mutant.  Set cover then selects executions for mutants as it
does for branches.

Invariant: an execution holds a mutant Goal only if it was observed to kill that mutant.
"""

from __future__ import annotations

import marshal
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Self

from unitcraft.core.containment import TimeGuard
from unitcraft.core.encoding import Plain, encode_sequence
from unitcraft.core.goals import Family, Goal
from unitcraft.core.outcomes import Exhausted
from unitcraft.execute.frames import MARSHAL_VERSION
from unitcraft.execute.pool.batches import part_of
from unitcraft.execute.pool.host_process import HostProcess
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.execution import Execution, cost
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.instrument.sites import BranchSite
from unitcraft.suite.generated.lifted_arguments import lift_arguments
from unitcraft.suite.generated.vary_for_mutants import AimedRun, OpenMutant
from unitcraft.suite.mutation.agents.kill_evidence import (
    MESSAGE,
    OUTCOME,
    RESULT,
    asserted_parts,
    common_parts,
    with_held,
)
from unitcraft.suite.mutation.trial_choice import MAX_TESTS, affordable, aimed_first, reaching
from unitcraft.suite.suite_figures import MutantFigures
from unitcraft.suite.telling.telling_observations import LEAST, Telling
from unitcraft.suite.tests import OTHER_CLOCK_SHIFT, OTHER_HASH_SEED

#: Mutants of the functions of one module that are tried; a larger set is sampled.  Halved: none
#: fewer killed, as few modules have so many.
MAX_MUTANTS = 1500
#: Bytes of the Calls that are run on the mutants of one module, half a microsecond each, and the
#: share of what is left of them that one round may take.  One module of six needs more.
MAX_TRIED_BYTES = 30_000_000
TRIED_SHARE = 0.5
#: Mutants that a worker is given at a time.
MAX_BATCH = 8
#: Rounds of variation towards mutants that nothing kills.
MAX_VARYING_ROUNDS = 3
#: Runs in which an exception kills a mutant, of which none may become a test.
MAX_CHANCE_KILLS = 2
#: The agent of the workers.
JUDGE = "unitcraft.suite.mutation.agents.kill_check"


#: Makes new Executions of those that reached mutants.
Variation = Callable[[list[OpenMutant]], Iterable[AimedRun]]
#: The kill matrix: key of a Sequence -> mutant Goal -> keys of the observations that differ.
KillMatrix = dict[str, dict[Goal, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class KillAnalysis:
    """A kill matrix (``reveals``), the number of mutants and the number of killed ones.

    ``survived`` has the runs that reached a mutant, by its number, where at most exceptions of
    MAX_CHANCE_KILLS of them kill it.
    """

    reveals: KillMatrix
    mutants: int
    killed: int
    survived: Mapping[int, tuple[Execution, ...]] = field(default_factory=dict)

    def killed_by(self, chosen: Iterable[Execution]) -> int:
        """The number of mutants that the ``chosen`` runs kill."""
        keys = dict.fromkeys(run.sequence.key for run in chosen)
        return len(_killed({key: self.reveals.get(key, {}) for key in keys}, Family.MUTANT))


class KillChecker:
    """Workers that run executions on mutants of ``module`` (a context manager that closes them).

    ``spec`` says how the module is imported.  Workers of a second host, with another hash seed and
    clock, show which observations can be asserted.  ``is_worded`` tells the runs that end in a
    message which a test may expect.
    """

    def __init__(
        self,
        sites: list[BranchSite],
        module: str,
        spec: HostSpec,
        jobs: int,
        seed: int,
        guard: TimeGuard | None = None,
        is_worded: Callable[[Execution], bool] = lambda _: True,
    ) -> None:
        self._sites = sites
        self._module = module
        self._is_worded = is_worded
        self._unobservable: set[str] = set()
        self._endless: set[int] = set()
        self._bytes_left = MAX_TRIED_BYTES
        options = {**spec.options, "limit": MAX_MUTANTS, "seed": seed, "probes": False}
        other = replace(
            spec, options=options, hash_seed=OTHER_HASH_SEED, clock_shift=OTHER_CLOCK_SHIFT
        )
        host = HostProcess(other)
        try:
            self.pool = Pool(replace(spec, entry=JUDGE, options=options), jobs, guard)
        except BaseException:
            host.close()
            raise
        try:
            self._other = Pool(other, jobs, guard, host)
        except BaseException:
            self.pool.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.pool.close()
        self._other.close()

    def judged(
        self,
        candidates: list[Execution],
        most: int | None = None,
        already_killed: frozenset[int] = frozenset(),
        aims: Mapping[str, frozenset[int]] = MappingProxyType({}),
    ) -> KillAnalysis:
        """The kill matrix of ``candidates``.

        At most ``most`` of them, else ``MAX_TESTS``, are tried on one mutant; none on the mutants
        ``already_killed``, nor on those that took a worker's time or memory before.  ``aims`` has
        the mutants towards which a candidate was made, by the key of its Sequence.
        """
        candidates, marks, lines = self._observed(candidates)
        calls = [encode_sequence(lift_arguments(run.sequence)) for run in candidates]
        entered = _candidates_by_function(candidates, self._sites, self._module)
        able_to: dict[int, list[int]] = {}
        mutants = list(enumerate(self.pool.ready["mutants"]))
        for number, (_, users, first, last) in mutants:
            if number in already_killed or number in self._endless:
                continue
            able = sorted({at for user in users for at in entered.get(user, ()) if marks[at]})
            aimed = {at for at in able if number in aims.get(candidates[at].sequence.key, ())}
            reached = reaching(able, lines, first, last)
            able_to[number] = aimed_first(reached, aimed, most or MAX_TESTS)
        sizes = [
            len(marshal.dumps(pair, MARSHAL_VERSION)) for pair in zip(calls, marks, strict=True)
        ]
        trials = affordable(able_to, sizes, int(TRIED_SHARE * self._bytes_left))
        self._bytes_left -= sum(sizes[at] for tests in trials.values() for at in tests)
        items = [
            (number, [(at, calls[at], marks[at]) for at in tests])
            for number, tests in trials.items()
        ]
        reveals: KillMatrix = {}
        survived: dict[int, tuple[Execution, ...]] = {}
        killed = 0
        replies = self.pool.map("judge", items, batch=part_of(len(items), MAX_BATCH))
        for (number, tests), reply in zip(items, replies, strict=True):
            killed += bool(reply.value)
            hits = reply.value or ()
            by_chance = len(hits) <= MAX_CHANCE_KILLS and not any(by_check for *_, by_check in hits)
            if by_chance and reply.failure is None:
                survived[number] = tuple(candidates[at] for at, _, _ in tests)
            if isinstance(reply.failure, Exhausted):
                self._endless.add(number)
            for test, positions, by_check in hits:
                keys = tuple(marks[test][position][0] for position in positions)
                found = reveals.setdefault(candidates[test].sequence.key, {})
                found.update(kill_goals(number, keys, by_check=by_check))
        return KillAnalysis(reveals, len(mutants), killed, survived)

    def new_kills(self, runs: list[Execution], killed: frozenset[int]) -> KillMatrix:
        """The kill matrix of ``runs`` for the mutants that are not ``killed``."""
        return self.judged(runs, already_killed=killed).reveals

    def all_kills(self, runs: list[Execution]) -> KillMatrix:
        """The kill matrix of ``runs``, each tried on all mutants that it reaches."""
        return self.judged(runs, len(runs)).reveals

    def _observed(
        self, candidates: list[Execution]
    ) -> tuple[list[Execution], list[Plain], list[frozenset[int]]]:
        """The candidates that can be observed in both hosts, cheapest first, and what both see.

        With them the lines of the module that each runs.  One that hit a bound is not tried again.
        """
        usable = [run for run in candidates if run.sequence.key not in self._unobservable]
        usable.sort(key=lambda run: cost(run.sequence))
        calls = [encode_sequence(lift_arguments(run.sequence)) for run in usable]
        first = [reply.value or ((), ()) for reply in self.pool.map("baseline", calls)]
        kept = [number for number, (found, _) in enumerate(first) if found]
        others = dict(zip(kept, self.elsewhere([usable[number] for number in kept]), strict=True))
        for number, run in enumerate(usable):
            if not others.get(number):
                self._unobservable.add(run.sequence.key)
        kept = [number for number in kept if others[number]]
        marks = [common_parts(first[number][0], others[number]) for number in kept]
        lines = [frozenset(first[number][1]) for number in kept]
        return [usable[number] for number in kept], marks, lines

    def figures(self, killed: int, imported: Iterable[int]) -> MutantFigures:
        """The figures of tests that kill ``killed`` mutants; the import hits sites ``imported``."""
        sites = [self._sites[number] for number in imported]
        entered = {one.scope for one in sites if one.module == self._module}
        rows, gone = self.pool.ready["mutants"], self.pool.ready["gone"]
        at_import = sum(bool(last and entered.intersection(users)) for _, users, _, last in rows)
        return MutantFigures(len(rows) + gone, killed, at_import + gone)

    def functions(self) -> dict[int, tuple[str, ...]]:
        """The functions that each mutant is in, or that read what it changes, by its number."""
        return {at: users for at, (_, users, *_) in enumerate(self.pool.ready["mutants"])}

    def entering_open_mutants(
        self, candidates: list[Execution], already_killed: frozenset[int]
    ) -> list[Execution]:
        """The candidates that enter a function with a mutant that is not ``already_killed``."""
        mutants = enumerate(self.pool.ready["mutants"])
        users = {one for at, row in mutants if at not in already_killed for one in row[1]}
        entered = _candidates_by_function(candidates, self._sites, self._module)
        numbers = {at for user, found in entered.items() if user in users for at in found}
        return [candidates[at] for at in sorted(numbers)]

    def open_mutants(self, survived: Mapping[int, tuple[Execution, ...]]) -> list[OpenMutant]:
        """The mutants of ``survived``, of which the runs that reached them are known."""
        rows = self.pool.ready["mutants"]
        return [
            OpenMutant(users[0], first, last, found, at)
            for at, found in sorted(survived.items())
            for _, users, first, last in [rows[at]]
            if users
        ]

    def elsewhere(self, runs: list[Execution]) -> list[Plain]:
        """The parts of each of ``runs`` under another hash seed and clock that can be asserted."""
        calls = [encode_sequence(lift_arguments(run.sequence)) for run in runs]
        found = [
            with_held(asserted_parts(reply.value, each), reply.value, len(each) - 1)
            for each, reply in zip(calls, self._other.map("likely", calls), strict=True)
        ]
        return [
            seen if self._is_worded(run) else tuple(part for part in seen if part[0] != MESSAGE)
            for run, seen in zip(runs, found, strict=True)
        ]


def kill_goals(
    number: int, keys: tuple[str, ...], *, by_check: bool
) -> dict[Goal, tuple[str, ...]]:
    """The mutant Goals of a test that kills mutant ``number`` by the observations ``keys``."""
    goals = {Goal(Family.MUTANT, number): keys}
    return {**goals, Goal(Family.MUTANT_BY_CHECK, number): keys} if by_check else goals


def _candidates_by_function(
    candidates: list[Execution], sites: list[BranchSite], module: str
) -> dict[str, list[int]]:
    """Outermost function -> numbers of the candidates that enter it."""
    entries = {
        number: site.scope
        for number, site in enumerate(sites)
        if site.kind == "entry" and site.module == module
    }
    found: dict[str, list[int]] = {}
    for index, run in enumerate(candidates):
        for scope in dict.fromkeys(entries[hit] for hit in run.hits if hit in entries):
            found.setdefault(scope, []).append(index)
    return found


def add_mutant_goals(
    goals: GoalMap,
    extra: Iterable[Execution],
    spare: Iterable[Execution],
    bench: KillChecker,
    vary: Variation | None = None,
) -> KillAnalysis:
    """Run the best executions and ``extra`` on mutants; add the mutants they kill to ``goals``.

    ``spare`` executions are tried on the mutants that no Check of the others kills, and those that
    ``vary`` makes of the ones that reached a mutant on what nothing kills.

    A mutant that is killed by a Check is a second Goal: a failed assertion says what is wrong,
    where an exception says only that something is.
    """
    runs = {run.sequence.key: run for _, run in goals.best.values()}
    for run in extra:
        runs.setdefault(run.sequence.key, run)
    goals.mutated = bench.functions()
    kills = bench.judged(list(runs.values()))
    already_killed = _killed(kills.reveals, Family.MUTANT_BY_CHECK)
    others = {run.sequence.key: run for run in spare if run.sequence.key not in runs}
    more = bench.judged(
        bench.entering_open_mutants(list(others.values()), already_killed),
        already_killed=already_killed,
    )
    reveals = kills.reveals | more.reveals
    runs |= others
    near = {at: (*found, *more.survived.get(at, ())) for at, found in kills.survived.items()}
    for _ in range(MAX_VARYING_ROUNDS):
        if vary is None:
            break
        dead = _killed_for_good(reveals)
        near = {at: found for at, found in near.items() if at not in dead and found}
        new = {made.run.sequence.key: made for made in vary(bench.open_mutants(near))}
        fresh = [made.run for key, made in new.items() if key not in runs]
        closed = frozenset(range(kills.mutants)) - set(near)
        aims = {key: made.mutants for key, made in new.items()}
        found = bench.judged(fresh, already_killed=closed, aims=aims)
        runs |= {run.sequence.key: run for run in fresh}
        if not found.reveals:
            break
        reveals |= found.reveals
    for name, run in runs.items():
        if name in reveals:
            goals.add_goals(run, list(reveals[name]))
    return KillAnalysis(reveals, kills.mutants, len(_killed(reveals, Family.MUTANT)))


def _killed(reveals: KillMatrix, family: Family) -> frozenset[int]:
    """The numbers of the mutants that have a Goal of ``family``."""
    goals = {goal for found in reveals.values() for goal in found}
    return frozenset(goal.number for goal in goals if goal.family is family)


def _killed_for_good(reveals: KillMatrix) -> frozenset[int]:
    """The mutants that a Check kills, or exceptions of so many runs that a test will be of one."""
    raised = Counter(
        goal.number for found in reveals.values() for goal in found if goal.family is Family.MUTANT
    )
    often = {number for number, count in raised.items() if count > MAX_CHANCE_KILLS}
    return _killed(reveals, Family.MUTANT_BY_CHECK) | often


def assertion_kill_share(noticed: Iterable[Goal]) -> float:
    """The share of the killed mutants that are killed by a Check; 0.5 when there are none."""
    families = [goal.family for goal in noticed]
    mutants = families.count(Family.MUTANT)
    return families.count(Family.MUTANT_BY_CHECK) / mutants if mutants else 0.5


def needed_observations(
    goals: tuple[Goal, ...],
    reveals: dict[Goal, tuple[str, ...]],
    telling: Mapping[str, Telling] = MappingProxyType({}),
    *,
    is_told: bool = False,
) -> tuple[str, ...]:
    """The observations that a test needs to kill the mutants among its ``goals``.

    ``reveals`` has, for each Goal, the keys of the observations that differ.  Greedy set cover; of
    those that kill as many the one that is the most ``telling``.  Mutants that the outcome or the
    result kills need no observation.  A test that other tests leave no mutant makes the one
    observation that kills most, unless it asserts a result (``is_told``).  Beside what the last
    Call did nothing is asserted that was so before it, but how often a function was called.
    """
    is_left = any(goal in reveals for goal in goals)
    open_ = [
        set(keys)
        for goal in (goals if is_left else reveals)
        if (keys := reveals.get(goal)) and not _WITHOUT_OBSERVER & set(keys)
    ]
    chosen: list[str] = []
    while open_ and (is_left or not (chosen or is_told)):
        candidates = sorted({key for needed in open_ for key in needed})
        counts = {key: sum(key in needed for needed in open_) for key in candidates}
        best = max(candidates, key=lambda key: (counts[key], telling.get(key, LEAST)))
        chosen.append(best)
        open_ = [needed for needed in open_ if best not in needed]
    shown = [key for key in chosen if telling.get(key, LEAST)[0] or _CALLS in key]
    return tuple(shown if shown or is_told else chosen)


#: Part of the key of an observation of the calls that a function got.
_CALLS = "'call_"
#: Observations that every test makes anyway.
_WITHOUT_OBSERVER = {OUTCOME, MESSAGE, RESULT}
