"""The suite of one module: search, select, shrink, observe, write, verify.

Invariant: each stage hands plain values to the next; the Subject runs only in
the workers that a stage opens and closes itself.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from unitcraft.core import rule_codes
from unitcraft.core.criteria import kept_families
from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Finding, Listener, Progress
from unitcraft.core.goals import Family
from unitcraft.emit.verify.verify import VerifiedSuite, verify
from unitcraft.emit.write.writer import write
from unitcraft.execute.policy import Level, Policy
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.execute.spec import HostSpec
from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.concolic.branch_negation import BranchNegation
from unitcraft.explore.search.goal_criteria import aim_of, keep_only, with_mutants
from unitcraft.explore.search.goal_search import GoalSearch, Limits, SearchResult
from unitcraft.solve.chain import chain
from unitcraft.solve.statistics import Statistics
from unitcraft.subject.locate import Located
from unitcraft.subject.model import Subject
from unitcraft.subject.subject_codec import decode_subject
from unitcraft.subject.values.user_factories import UserValues, find_factories, read_user_values
from unitcraft.subject.values.value_pools import ValuePools
from unitcraft.suite.generated.mutant_goals import KillAnalysis, KillChecker, add_mutant_goals
from unitcraft.suite.generated.oracle import blocked_finding, observe
from unitcraft.suite.generated.set_cover import Selection
from unitcraft.suite.generated.shrink import shrink
from unitcraft.suite.generated.shrink_selected import shrink_selection

#: Branches or def-use pairs that one finding lists.
MAX_SHOWN = 8

#: The worker that runs Sequences on instrumented code.
SEARCH_AGENT = "unitcraft.explore.agents.search_agent"

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
class Options:
    """Options of the engine; ``budget`` is in seconds, ``executions`` bounds the search."""

    seed: int = 0
    jobs: int = 1
    steps: int = 200_000
    executions: int = 24_000
    budget: float | None = None
    sandbox: Level = "standard"
    allow: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    factories: str = ""
    symbolic: bool = True
    criterion: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GeneratedSuite:
    """The suite of one module and its figures; ``text`` is empty when nothing could be tested."""

    target: str
    module: str
    file_name: str
    text: str
    tests: int
    branches_covered: int
    branches: int
    lines_covered: int
    lines: int
    seconds: float
    findings: tuple[Finding, ...]
    truncated: bool
    executions: int


def generate(located: Located, options: Options, listener: Listener) -> GeneratedSuite:
    """The verified suite of ``located``.  Raises UnitcraftError when the module cannot be used."""
    started = time.monotonic()
    spec = _spec(located, options)
    listener.progress(Progress(located.module, "import"))
    notes: list[Finding] = []
    subject, found, chosen, kills = _explore(spec, located, options, listener, notes)
    listener.progress(Progress(located.module, "observe", 0, len(chosen)))
    plain = replace(spec, options={"module": located.module, "rewrite": False})
    observed = observe(chosen, plain, options.jobs, kills.reveals)
    listener.progress(Progress(located.module, "verify", 0, len(observed.tests)))
    written = write(subject, observed.tests)
    verified = verify(written, subject, spec)
    findings = [
        *notes, *_subject_findings(subject), *_search_findings(found, subject),
        *observed.findings, *verified.findings, *_unreached(located, verified),
    ]  # fmt: skip
    return _result_of(located, verified, found, tuple(dict.fromkeys(findings)), started)


def _spec(located: Located, options: Options) -> HostSpec:
    return HostSpec(
        entry=SEARCH_AGENT,
        options={
            "module": located.module,
            "rewrite": True,
            "fields": Family.DEF_USE in kept_families(options.criterion),
        },
        paths=(str(located.root), *options.paths, *_factory_folder(located, options)),
        policy=Policy.of(options.sandbox, options.allow),
        steps=options.steps,
        item_seconds=1.0,
    )


def _explore(
    spec: HostSpec,
    located: Located,
    options: Options,
    listener: Listener,
    notes: list[Finding],
) -> tuple[Subject, SearchResult, Selection, KillAnalysis]:
    with Pool(spec, options.jobs) as pool:
        ready = SearchReady.read(pool.ready)
        subject = restrict(decode_subject(ready.subject), located.attribute)
        if not subject.invocables:
            raise UnitcraftError(
                "nothing-to-test",
                f"{located.module} defines no public class or function to test",
                cause="everything in it is private, imported, or data",
                advice="name another module, or one function as module:function",
            )
        sites, raises = ready.sites, ready.raises
        user = _user_values(located, options)
        subject = _without_skipped(subject, user)
        with _concolic_workers(spec, options, pool.ready["sites"], notes) as negation:
            deadline = None if options.budget is None else time.monotonic() + options.budget
            pools = ValuePools(subject, user)
            search = GoalSearch(subject, sites, raises, pool, pools, user, options.seed, negation)
            search.findings.goals.aim(aim_of(ready, options.criterion))
            found = search.explore(Limits(options.executions, deadline=deadline), listener)
        listener.progress(Progress(located.module, "select"))
        shrink(found.goals, pool)
    with KillChecker(sites, located.module, spec, options.jobs, options.seed) as bench:
        kills = add_mutant_goals(found.goals, search.corpus(), search.spare.runs(), bench)
        keep_only(found.goals, options.criterion)
        chosen = shrink_selection(found.goals, kills.reveals, bench)
    return subject, found, with_mutants(chosen, kills.reveals, options.criterion), kills


@contextmanager
def _concolic_workers(
    spec: HostSpec, options: Options, sites: Plain, notes: list[Finding]
) -> Iterator[BranchNegation | None]:
    """Branch negation with workers of its own; None when it is off or cannot be used.

    The instrumented code must have the same ``sites`` as in the search: a site is a number, which
    would else mean another branch.
    """
    if not options.symbolic:
        yield None
        return
    module = spec.options["module"]
    steps = min(spec.steps, MAX_PROXY_STEPS)
    symbolic = replace(
        spec, entry=CONCOLIC_AGENT, options={"module": module, "sites": True}, steps=steps
    )
    try:
        pool = Pool(symbolic, options.jobs)
    except UnitcraftError as error:  # it was imported before: the rewriting is at fault
        notes.append(Finding(rule_codes.ENGINE_OFF, module, str(error)))
        yield None
        return
    with pool:
        if pool.ready["sites"] == sites:
            yield BranchNegation(
                pool, chain(Statistics(), work=MAX_SOLVER_WORK, after=MAX_LOCAL_SEARCH)
            )
        else:
            notes.append(Finding(rule_codes.ENGINE_OFF, module, "its second import differs"))
            yield None


def _factory_folder(located: Located, options: Options) -> tuple[str, ...]:
    given = Path(options.factories) if options.factories else find_factories(located.root)
    return () if given is None else (str(given.resolve().parent),)


def _user_values(located: Located, options: Options) -> UserValues:
    """The user's own values: pragmas in the source and a factory file near it."""
    given = Path(options.factories) if options.factories else find_factories(located.root)
    return read_user_values(located.file.read_text(encoding="utf-8", errors="replace"), given)


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


def _subject_findings(subject: Subject) -> list[Finding]:
    """Findings about parts of the Subject that cannot be tested."""
    return [Finding(code, target, sentence) for target, code, sentence in subject.skipped]


def _unreached(located: Located, verified: VerifiedSuite) -> list[Finding]:
    """The branches that the written suite does not take, as coverage.py names them."""
    missing = verified.coverage.missing
    if not missing or not verified.text or located.attribute:
        return []
    shown = _some([f"{start}->{end}" for start, end in missing])
    return [Finding(rule_codes.UNREACHED, located.module, f"branches not reached: {shown}")]


def _some(titles: list[str]) -> str:
    more = f" and {len(titles) - MAX_SHOWN} more" if len(titles) > MAX_SHOWN else ""
    return ", ".join(titles[:MAX_SHOWN]) + more


def _search_findings(found: SearchResult, subject: Subject) -> list[Finding]:
    """Findings: what the sandbox or a bound ended, and what no run used without misuse."""
    findings = [blocked_finding(entry.invocable, entry.failure) for entry in found.blocked]
    public = {i.id for i in subject.invocables if i.public and i.module == subject.module}
    for name, tried in found.tried.items():
        if name in public and not found.sensible.get(name):
            why = f"all {tried} runs ended as misuse of an argument"
            findings.append(Finding(rule_codes.MISUSE, name, why))
    pairs = found.goals.missed_pairs()
    if pairs:
        why = f"def-use pairs not reached: {_some(pairs)}"
        findings.append(Finding(rule_codes.UNREACHED, subject.module, why))
    built = {name for name in found.tried if found.tried[name]}
    findings += [
        Finding(rule_codes.NO_ARGUMENT, name, "no receiver could be built")
        for name in sorted(public - built)
        if not name.endswith(".__init__") and _is_method(name, subject)
    ]
    return findings


def _is_method(name: str, subject: Subject) -> bool:
    return any(i.id == name and i.kind in ("method", "property") for i in subject.invocables)


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
    )
