"""The engine that searches one module: its options, its workers, and the search itself.

``generate`` and ``mutants kill`` open it the same way, so that both see the same Subject, values,
criteria and limits.

Invariant: workers are open only while the block of ``open_search`` runs; the concolic workers are
used only when their instrumented code has the same sites as the code that is searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from unitcraft.app.generate.generated_suite import Options
from unitcraft.app.generate.time_budget import TimeBudget
from unitcraft.core import rule_codes
from unitcraft.core.containment import Containment, TimeGuard
from unitcraft.core.criteria import kept_families
from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, Listener
from unitcraft.core.goals import Family, Goal
from unitcraft.core.sequences import Sequence
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.pool.host_process import HostProcess
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.concolic.branch_negation import BranchNegation
from unitcraft.explore.search.goal_criteria import aim_of
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.explore.search.search_result import Limits, SearchResult
from unitcraft.explore.subject_request import request_subject
from unitcraft.instrument.sites import BranchSite
from unitcraft.solve.chain import chain
from unitcraft.solve.statistics import Statistics
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject
from unitcraft.subject.source_files import read_source, span_of
from unitcraft.subject.values.user_factories import UserValues, find_factories, read_user_values
from unitcraft.subject.values.value_pools import ValuePools

if TYPE_CHECKING:
    from unitcraft.heaps.heap_goals import HeapCheck

#: The worker that runs Sequences on instrumented code.
SEARCH_AGENT = "unitcraft.explore.agents.search_agent"

#: Reasons that an error names for a module without anything to test.
MAX_REASONS: Final = 3

#: The worker that runs Sequences on proxies.
CONCOLIC_AGENT = "unitcraft.explore.agents.concolic_agent"

#: Steps of a run on proxies, which take longer than plain ones.
MAX_PROXY_STEPS = 20_000

#: z3's own units of work for one Query of branch negation; few, because Queries are many and a
#: wrong guess is cheap.
MAX_SOLVER_WORK = 100_000

#: Constraints that local search evaluates after z3 did not know; few, for the same reason.
MAX_LOCAL_SEARCH = 500


@dataclass(frozen=True, slots=True)
class OpenSearch:
    """A finished search whose workers are still open in ``pool``.

    ``notes`` are what went wrong without ending it; ``checks`` the invariants of planned heaps;
    ``imported`` the sites that the import hits.
    """

    subject: Subject
    sites: list[BranchSite]
    search: GoalSearch
    found: SearchResult
    pool: Pool
    notes: tuple[Finding, ...]
    checks: Mapping[str, HeapCheck] = field(default_factory=dict)
    imported: tuple[int, ...] = ()


def host_spec(located: Located, options: Options) -> HostSpec:
    """The host that runs Sequences on the instrumented module."""
    factories = _factories_file(located, options)
    folder = () if factories is None else (str(factories.resolve().parent),)
    return HostSpec(
        entry=SEARCH_AGENT,
        options={
            "module": located.module,
            "rewrite": True,
            "fields": Family.DEF_USE in kept_families(options.criterion),
            "within": located.attribute,
        },
        paths=tuple(dict.fromkeys([str(located.root), *options.paths, *folder])),
        policy=read_policy(options.sandbox, options.allow),
        steps=options.steps,
        environment=options.env,
        before_import=options.before_import,
        item_seconds=1.0,
        python=options.python,
        focus=(located.module,),
        virtual_time=True,
    )


@contextmanager
def open_search(
    spec: HostSpec,
    located: Located,
    options: Options,
    listener: Listener,
    contained: Containment | None = None,
    budget: TimeBudget | None = None,
) -> Iterator[OpenSearch]:
    """Search below ``located``; the workers of ``spec`` stay open while the block runs.

    What fails in parts goes to ``contained``; ``budget`` is that of all work on the module.
    Raises UnitcraftError: ``nothing-to-test``, and those of importing the module.
    """
    contained = contained or Containment()
    budget = budget or TimeBudget(options.budget, began=options.began)
    guard = TimeGuard()
    symbolic = _symbolic_spec(spec)
    with _begun(symbolic, options) as host, Pool(spec, options.jobs, guard) as pool:
        budget.opened()
        ready = SearchReady.read(pool.ready)
        subject = restrict(request_subject(pool, located.module), located.attribute)
        if not subject.invocables:
            raise _nothing_to_test(located, subject)
        user = _user_values(located, options)
        subject = _without_skipped(subject, user)
        notes: list[Finding] = []
        negating = _NegationRequest(
            symbolic,
            replace(options, symbolic=options.symbolic and budget.allows_negation()),
            contained,
            guard,
            host,
        )
        with _concolic_workers(negating, pool.ready["sites"], notes) as negation:
            source = located.file.read_text(encoding="utf-8", errors="replace")
            told = pool.notes["told"]
            pools = ValuePools(subject, user, source, mocks=options.mocks, told=told)
            search = GoalSearch(
                subject, ready.sites, ready.raises, pool, pools, user, options.seed, negation,
                contained,
            )  # fmt: skip
            search.variables.folders = ready.folders
            planned = _plan_sequences(spec, subject, options)
            search.planned += planned.plan
            notes += planned.findings
            aim = aim_of(ready, options.criterion, lines_of(located))
            search.findings.goals.aim(replace(aim, planned=planned.goals))
            budget.begin(guard, budget.search_seconds())
            found = search.explore(Limits(options.executions, guard), listener)
        notes += guard.findings(located.module, "the search") if options.budget is None else []
        yield OpenSearch(
            subject, ready.sites, search, found, pool, tuple(notes), planned.checks, ready.imported
        )


@dataclass(slots=True)
class _PlannedSequences:
    """What criteria ask for beyond what runs show: see ``PlannedHeaps`` and ``PlannedLaws``."""

    plan: list[tuple[str, Sequence]] = field(default_factory=list)
    goals: dict[str, tuple[Goal, ...]] = field(default_factory=dict)
    checks: Mapping[str, HeapCheck] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)


def _plan_sequences(spec: HostSpec, subject: Subject, options: Options) -> _PlannedSequences:
    """What the criteria ``field`` and ``law`` ask for, where they are asked for."""
    families, planned = kept_families(options.criterion), _PlannedSequences()
    if Family.HEAP in families:
        from unitcraft.heaps.heap_goals import plan_heaps
        from unitcraft.heaps.transcoping import StopRule

        rule = StopRule(*options.transcope.split("-")) if options.transcope else None
        heaps = plan_heaps(spec, subject, options.scope, rule, options.rep_ok)
        planned = _PlannedSequences(heaps.plan, heaps.goals, heaps.checks, heaps.findings)
    if Family.LAW in families:
        from unitcraft.infer.law_goals import plan_laws

        laws = plan_laws(spec, subject, options.jobs, options.seed)
        planned.plan += laws.plan
        planned.goals |= laws.goals
    return planned


def lines_of(located: Located) -> tuple[int, int] | None:
    """The first and last line of the class or function that ``located`` names, if it does."""
    return span_of(str(located.file), located.attribute) if located.attribute else None


def _nothing_to_test(located: Located, subject: Subject) -> UnitcraftError:
    reasons = [f"{name}: {why}" for name, _, why in subject.skipped[:MAX_REASONS]]
    return UnitcraftError(
        "nothing-to-test",
        f"{located.module} defines no public class or function to test",
        cause="; ".join(reasons) or "everything in it is private, imported, or data",
        advice="name another module, or one function as module:function",
    )


@dataclass(frozen=True, slots=True)
class _NegationRequest:
    """What branch negation needs beside the sites: its host and what bounds and contains it."""

    spec: HostSpec
    options: Options
    contained: Containment
    guard: TimeGuard
    host: HostProcess | None


def _symbolic_spec(spec: HostSpec) -> HostSpec:
    """The host of branch negation, for a search on ``spec``."""
    options = {"module": spec.options["module"], "sites": True}
    steps = min(spec.steps, MAX_PROXY_STEPS)
    return replace(spec, entry=CONCOLIC_AGENT, options=options, steps=steps)


@contextmanager
def _begun(spec: HostSpec, options: Options) -> Iterator[HostProcess | None]:
    """A host that imports while others do; None where a budget may have no time for it."""
    if not options.symbolic or options.budget is not None:
        yield None
        return
    host = HostProcess(spec)
    try:
        yield host
    finally:
        host.close()


@contextmanager
def _concolic_workers(
    request: _NegationRequest, sites: Plain, notes: list[Finding]
) -> Iterator[BranchNegation | None]:
    """Branch negation with workers of its own; None when it is off or cannot be used.

    The instrumented code must have the same ``sites`` as in the search: a site is a number, which
    would else mean another branch.
    """
    if not request.options.symbolic:
        yield None
        return
    module = request.spec.options["module"]
    try:
        pool = Pool(request.spec, request.options.jobs, request.guard, request.host)
    except UnitcraftError as error:  # it was imported before: the rewriting is at fault
        notes.append(Finding(rule_codes.ENGINE_OFF, module, str(error)))
        yield None
        return
    with pool:
        if pool.ready["sites"] != sites:
            notes.append(Finding(rule_codes.ENGINE_OFF, module, "its second import differs"))
            yield None
            return
        counts = Statistics()
        solver = chain(counts, work=MAX_SOLVER_WORK, after=MAX_LOCAL_SEARCH)
        yield BranchNegation(pool, solver, request.contained, request.guard, counts)
        for layer, failure in counts.failures:
            request.contained.note(f"the solver's layer {layer}", failure)


def _factories_file(located: Located, options: Options) -> Path | None:
    return Path(options.factories) if options.factories else find_factories(located.root)


def _user_values(located: Located, options: Options) -> UserValues:
    """The user's own values: pragmas in the source and a factory file near it."""
    text = read_source(str(located.file))
    return read_user_values(text, _factories_file(located, options))


def _without_skipped(subject: Subject, user: UserValues) -> Subject:
    """The Subject without the Invocables that a ``skip`` pragma names; each is noted as UC508."""
    hidden = [
        invocable
        for invocable in subject.invocables
        if user.wishes(invocable.id.partition(":")[2], "skip")
    ]
    notes = tuple((one.id, rule_codes.PRAGMA, "a pragma says skip") for one in hidden)
    kept = tuple(one for one in subject.invocables if one not in hidden)
    return replace(subject, invocables=kept, skipped=(*subject.skipped, *notes))


def restrict(subject: Subject, attribute: str) -> Subject:
    """The Subject with only what is below ``attribute`` ('' keeps all).

    Other classes become collaborators: their constructors serve to build arguments.
    """
    if not attribute:
        return subject
    home = f"{subject.module}:{attribute}"
    kept = tuple(
        invocable
        for invocable in subject.invocables
        if invocable.id == home
        or invocable.id.startswith(home + ".")
        or invocable.kind == "constructor"
    )
    owners = {invocable.owner for invocable in kept if invocable.id.startswith(home)}
    classes = tuple(
        info if info.id in owners else replace(info, tags=(*info.tags, "collaborator"))
        for info in subject.classes
    )
    return replace(subject, invocables=kept, classes=classes)
