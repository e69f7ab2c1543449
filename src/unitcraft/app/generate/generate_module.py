"""The suite of one module: search, select, shrink, observe, write, verify.

Invariant: each stage hands plain values to the next; the Subject runs only in
the workers that a stage opens and closes itself.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Final

from unitcraft.app.generate.engine import (
    OpenSearch,
    host_spec,
    lines_of,
    open_search,
)
from unitcraft.app.generate.generated_suite import GeneratedSuite, Options, is_first_party
from unitcraft.app.generate.phase_times import PhaseTimes
from unitcraft.app.generate.reasons import (
    condensed,
    contract_findings,
    empty_suite_finding,
    first_titles,
    search_findings,
)
from unitcraft.app.generate.time_budget import TimeBudget
from unitcraft.core import rule_codes
from unitcraft.core.containment import Containment, TimeGuard
from unitcraft.core.criteria import kept_families
from unitcraft.core.encoding import encode_sequence
from unitcraft.core.events import Finding, Listener, Progress
from unitcraft.emit.naming.circumstances import tell_circumstances
from unitcraft.emit.verify.verify import VerifiedSuite, verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.plausibility.plain_arguments import PlainArguments
from unitcraft.explore.search.bounded_runs import SparingPool
from unitcraft.explore.search.goal_criteria import with_mutants
from unitcraft.explore.search.search_result import SearchResult
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject
from unitcraft.subject.source_files import read_source
from unitcraft.suite.generated.acceptance import (
    acceptable,
    with_undecided,
    without_foreign_words,
    without_mute,
)
from unitcraft.suite.generated.idle_settings import without_idle
from unitcraft.suite.generated.mutant_goals import (
    KillAnalysis,
    KillChecker,
    add_mutant_goals,
)
from unitcraft.suite.generated.oracle import observe
from unitcraft.suite.generated.round_trips import add_round_trips
from unitcraft.suite.generated.set_cover import Selection, select, without_needless
from unitcraft.suite.generated.vary_for_mutants import MutantVariation
from unitcraft.suite.shrinking.shrink import run_variants, shrink
from unitcraft.suite.shrinking.shrink_selected import shrink_selection
from unitcraft.suite.suite_figures import MutantFigures
from unitcraft.suite.telling.seeded_chance import seeded_variants
from unitcraft.suite.telling.undecided import Undecided, undecided

#: Tests that are run to see how long one takes: a bound of what a budget costs.
SAMPLED_TESTS: Final = 5


def generate(located: Located, options: Options, listener: Listener) -> GeneratedSuite:
    """The verified suite of ``located``.  Raises UnitcraftError when the module cannot be used."""
    started = time.monotonic()
    budget = TimeBudget(options.budget, began=options.began)
    listener = times = PhaseTimes(listener)
    spec = host_spec(located, options)
    listener.progress(Progress(located.module, "import"))
    contained = Containment()
    guard = TimeGuard()
    with open_search(spec, located, options, listener, contained, budget) as opened:
        _shrink(opened, listener, contained)
        contracts = contract_findings(opened.found.goals)
        listener.progress(Progress(located.module, "mutants"))
        chosen, kills, mutants = _select(opened, spec, options, contained, guard, budget)
        unsaid = _undecided(opened, chosen, contained, guard)
        seconds = _seconds_of_a_run(opened, chosen) if options.budget is not None else 0.0
    kept = _most_telling(chosen, budget.affordable(len(chosen), seconds))
    subject, found = opened.subject, opened.found
    listener.progress(Progress(located.module, "observe", 0, len(kept)))
    plain = replace(spec, options={"module": located.module, "rewrite": False})
    source = read_source(str(located.file))
    observed = observe(kept, plain, options.jobs, kills.reveals, source)
    told = tell_circumstances(with_undecided(observed.tests, unsaid), opened.sites, source)
    worded = without_foreign_words(told, kept, found.goals)
    tests, broken = without_mute(worded, kept, found.goals), tuple[Finding, ...]()
    if opened.checks:
        from unitcraft.suite.generated.invariant_checks import assert_invariants

        tests, broken = assert_invariants(tests, opened.checks, plain, options.jobs)
    listener.progress(Progress(located.module, "verify", 0, len(tests)))
    tests = tuple([without_idle(test) for test in tests])
    written = write(subject, tests, first_party=is_first_party(located, options))
    verified = verify(
        written, subject, spec,
        surroundings=observed.surroundings, warnings=options.warnings, lines=lines_of(located),
        is_late=budget.is_short,
    )  # fmt: skip
    findings = [
        *opened.notes, *_subject_findings(subject),
        *contracts, *search_findings(found, subject, located.attribute),
        *opened.search.bounds.findings(), *observed.findings, *broken, *verified.findings,
        *_unreached(located, verified),
        *(guard.findings(located.module, "judging mutants") if options.budget is None else ()),
        *contained.findings(located.module), *_overrun(located, budget),
    ]  # fmt: skip
    if not (verified.text or findings):
        findings = empty_suite_finding(found, subject)
    made = _result_of(located, verified, found, condensed(findings), started)
    truncated = found.truncated or guard.struck or budget.struck
    variations = opened.search.stones.schedule.tallies()
    return replace(
        made, phases=times.seconds(), truncated=truncated, variations=variations, mutants=mutants
    )


def _shrink(opened: OpenSearch, listener: Listener, contained: Containment) -> None:
    """Shrink the best runs of an ended search, and join functions that undo each other."""
    listener.progress(Progress(opened.subject.module, "select"))
    goals, classes = opened.found.goals, opened.subject.classes
    members = {info.id: info.members for info in classes}
    with contained.part("shrinking"):
        shrink(
            goals, SparingPool(opened.pool, opened.search.bounds), _plain_arguments(opened),
            lambda one: seeded_variants(one, goals.plausibility, members),
        )  # fmt: skip
    with contained.part("round trips"):
        add_round_trips(opened.found.goals, opened.subject, opened.pool)


def _plain_arguments(opened: OpenSearch) -> PlainArguments:
    seeds = opened.found.objects.seeds
    return PlainArguments(
        opened.found.goals.plausibility, opened.search.pools,
        lambda cls: ((seed.sequence, seed.index) for seed in seeds(cls)),
    )  # fmt: skip


def _select(
    opened: OpenSearch,
    spec: HostSpec,
    options: Options,
    contained: Containment,
    guard: TimeGuard,
    budget: TimeBudget,
) -> tuple[Selection, KillAnalysis, MutantFigures]:
    """The Executions that become tests, the kill matrix, and the mutants that they kill.

    When mutation analysis fails, the executions are selected for their other Goals.
    """
    search, goals, module = opened.search, opened.found.goals, opened.subject.module
    kills, figures = KillAnalysis({}, 0, 0), MutantFigures()
    if not goals.best:
        return [], kills, figures
    budget.begin(guard, budget.mutants_seconds())
    opened.pool.bound_by(guard)
    guard.struck = not guard.seconds
    if guard.struck:
        goals.keep_only(kept_families(options.criterion))
        return select(goals), kills, figures
    with (
        contained.part("mutation analysis"),
        KillChecker(
            opened.sites, module, spec, options.jobs, options.seed, guard, goals.words_its_message
        ) as bench,
    ):
        sparing = SparingPool(opened.pool, search.bounds)
        vary = MutantVariation(goals, search.stones, sparing, options.seed)
        kills = add_mutant_goals(goals, search.corpus(), search.spare.runs(), bench, vary)
        known = [run for _, run in goals.best.values()]
        goals.keep_only(kept_families(options.criterion))
        plain = _plain_arguments(opened)
        shrunk = shrink_selection(goals, kills.reveals, bench, sparing, plain, known)
        kept = acceptable(shrunk, goals)
        chosen = without_needless(kept, kills.reveals, goals, bench.all_kills)
        figures = bench.figures(kills.killed_by(run for run, _ in chosen), opened.imported)
        return with_mutants(chosen, kills.reveals, options.criterion), kills, figures
    goals.keep_only(kept_families(options.criterion))
    chosen = with_mutants(acceptable(select(goals), goals), kills.reveals, options.criterion)
    return chosen, kills, figures


def _undecided(
    opened: OpenSearch, chosen: Selection, contained: Containment, guard: TimeGuard
) -> dict[str, Undecided]:
    """The arguments of the chosen Executions that decide nothing; none where time is short."""
    with contained.part("comparing arguments"):
        goals, pool = opened.found.goals, SparingPool(opened.pool, opened.search.bounds)
        runs = [] if guard.struck else [run for run, _ in chosen]
        return undecided(runs, goals.plausibility, lambda batch: run_variants(batch, goals, pool))
    return {}


def _seconds_of_a_run(opened: OpenSearch, chosen: Selection) -> float:
    """Seconds that one of ``chosen`` runs in a worker of its own, the mean of a few."""
    some = _most_telling(chosen, SAMPLED_TESTS)
    if not some:
        return 0.0
    opened.pool.bound_by(TimeGuard())
    began = time.monotonic()
    for _ in opened.pool.map(
        "run", [encode_sequence(run.sequence) for run, _ in some], isolate=True
    ):
        pass
    return (time.monotonic() - began) / len(some)


def _overrun(located: Located, budget: TimeBudget) -> list[Finding]:
    why = budget.overrun()
    return [Finding(rule_codes.BUDGET, located.module, why)] if why else []


def _most_telling(chosen: Selection, number: int) -> Selection:
    """At most ``number`` of the chosen Executions, those with most Goals, in their order."""
    order = sorted(range(len(chosen)), key=lambda at: (-len(chosen[at][1]), at))
    return [chosen[at] for at in sorted(order[:number])]


def _subject_findings(subject: Subject) -> list[Finding]:
    """Findings about parts of the Subject that cannot be tested."""
    return [Finding(code, target, sentence) for target, code, sentence in subject.skipped]


def _unreached(located: Located, verified: VerifiedSuite) -> list[Finding]:
    """The branches that the written suite does not take, as coverage.py names them."""
    missing = verified.coverage.missing
    if not missing or not verified.text:
        return []
    shown = first_titles([f"{start}->{end}" for start, end in missing])
    return [Finding(rule_codes.UNREACHED, located.module, f"branches not reached: {shown}")]


def _untaken_branches(found: SearchResult) -> tuple[tuple[int, str], ...]:
    """The (line, outcome) of each branch that no run of the search took."""
    return tuple(
        (site.line, site.outcome)
        for site in found.goals.missed()
        if site.kind not in ("entry", "condition")
    )


def _result_of(
    located: Located,
    verified: VerifiedSuite,
    found: SearchResult,
    findings: tuple[Finding, ...],
    started: float,
) -> GeneratedSuite:
    cover = verified.coverage
    return GeneratedSuite(
        target=f"{located.module}:{located.attribute}" if located.attribute else located.module,
        module=located.module,
        file_name=f"test_{located.module.replace('.', '_')}.py",
        text=verified.text,
        tests=verified.tests,
        branches_covered=cover.branches_covered,
        branches=cover.branches,
        lines_covered=cover.lines_covered,
        lines=cover.lines,
        seconds=time.monotonic() - started,
        findings=findings,
        truncated=found.truncated,
        executions=found.executions,
        reached=cover.reached,
        never=_untaken_branches(found),
    )
