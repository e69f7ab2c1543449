"""One run of ``mutants``: locates the subjects, resumes, stores each verdict, reports.

Invariant: a verdict is taken from the store only when the code of subjects and tests is the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from unitcraft.app.config import Config, cores
from unitcraft.app.json_document import render_document
from unitcraft.app.mutants.campaign_follower import CampaignFollower
from unitcraft.app.mutants.mutant_changes import brief_changes, patch_of
from unitcraft.app.mutants.verdict_store import (
    KillCounts,
    StoredVerdict,
    VerdictStore,
)
from unitcraft.app.project_python import find_python
from unitcraft.app.revisions import LAST_LINE, changed_spans
from unitcraft.app.search_path import suite_path
from unitcraft.app.targets import locate_targets
from unitcraft.app.terminal_text import align, counted, escape_control
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.policy import Level
from unitcraft.subject.locate import Located
from unitcraft.subject.source_files import read_source, span_of
from unitcraft.suite.mutation import campaign
from unitcraft.suite.mutation.campaign import CampaignPlan, Progress
from unitcraft.suite.mutation.mutants.source_mutants import (
    ModuleSource,
    SourceMutant,
    diff_of_mutant,
)
from unitcraft.suite.mutation.verdicts import (
    KILLED,
    WORDS,
    JudgedMutant,
    count_verdicts,
    mutation_score,
)
from unitcraft.suite.recording.record import SuiteSpec


@dataclass(frozen=True, slots=True)
class MutantsRequest:
    """The mutants and tests to run.

    ``arguments`` are pytest's, ``since`` is a git revision or ''; ``anew``: verdicts of earlier
    runs do not count; ``each``: find out for each test whether it kills a mutant.
    """

    arguments: tuple[str, ...]
    subjects: tuple[str, ...]
    since: str
    jobs: int
    sandbox: str
    allow: tuple[str, ...]
    seconds: float
    anew: bool
    config: Config
    each: bool = False

    def as_plain(self) -> dict[str, Any]:
        """The settings with which ``kill`` runs the same tests."""
        return {"arguments": list(self.arguments), "sandbox": self.sandbox,
                "allow": list(self.allow), "seconds": self.seconds}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finished:
    """The verdicts in source order, how many the store knew, and the progress at the end.

    ``files`` has the file of each module.
    """

    judged: tuple[JudgedMutant, ...]
    resumed: int
    progress: Progress
    files: Mapping[str, str] = field(default_factory=dict)

    @property
    def untried(self) -> int:
        """The mutants without a verdict: the time was over."""
        return len(self.progress.mutants) - len(self.judged) if self.progress.is_cut else 0


def run(request: MutantsRequest, cwd: Path, *, quiet: bool = False) -> Finished:
    """Try the mutants of the subjects on the tests.

    Raises UnitcraftError: ``suite-not-run``, ``no-revision``, and those of finding the subjects.
    """
    python = find_python(request.config, request.subjects, cwd)
    located = locate_targets(request.subjects, cwd, request.config, python)
    modules = {one.module: str(one.file) for one in located}
    lines = _wanted_lines(located, request.since)
    store = VerdictStore(request.config.root)
    kept = () if request.anew else tuple(store.kept.values())
    known: dict[str, list[JudgedMutant]] = {}
    for one in kept:
        known.setdefault(one.digest, []).append(one.judged)
    suite = _suite_spec(request, located, cwd, python)
    jobs = request.jobs or cores()
    plan = CampaignPlan(suite, modules, jobs, known, lines, each=request.each)
    follower = CampaignFollower(store, modules, request.as_plain(), quiet=quiet)
    progress = campaign.run_campaign(plan, follower.record)
    if request.each and lines is None and not progress.is_cut:
        store.kills = _kill_counts(progress)
    store.settle(modules, progress.digest)
    new = follower.new
    return Finished(tuple(progress.in_order()), len(progress.judged) - new, progress, modules)


def _kill_counts(progress: Progress) -> KillCounts:
    """The mutants that each test killed first, and one or none for the tests that were credited."""
    counts = Counter(one.test for one in progress.judged.values() if one.is_killed and one.test)
    for test, mutant in progress.credits.items():
        counts[test] += bool(mutant)
    return KillCounts(dict(counts), progress.files)


def _suite_spec(
    request: MutantsRequest, located: Sequence[Located], cwd: Path, python: Interpreter
) -> SuiteSpec:
    """The run of pytest that was asked for."""
    return SuiteSpec(
        request.arguments,
        tuple(dict.fromkeys(one.module for one in located)),
        str(cwd),
        suite_path(request.config, [one.root for one in located], cwd, python),
        read_policy(cast("Level", request.sandbox), request.allow),
        env=dict(request.config.env),
        seconds=request.seconds,
        python=python,
    )


def _wanted_lines(
    located: Sequence[Located], revision: str
) -> dict[str, list[tuple[int, int]]] | None:
    """Module -> (first, last) of each group of lines whose functions are changed; None: all.

    They are those of the classes and functions that the subjects name, of these only what differs
    from a git revision where one is given.  Raises UnitcraftError: ``no-revision``.
    """
    if not revision and not any(one.attribute for one in located):
        return None
    found: dict[str, list[tuple[int, int]]] = {}
    for one in located:
        spans = [span_of(str(one.file), one.attribute)] if one.attribute else [(1, LAST_LINE)]
        if revision:
            changed = changed_spans(one.file, revision)
            spans = [
                (max(first, start), min(last, end))
                for first, last in spans
                for start, end in changed
                if start <= last and first <= end
            ]
        found.setdefault(one.module, []).extend(spans)
    return found


# The reports.


def render_report(finished: Finished, form: str) -> str:
    """The report of a run as JSON, as one line for each surviving mutant, or in full."""
    if form == "json":
        return render_document("mutants-run", as_plain(finished))
    alive = [one for one in finished.judged if not one.is_killed]
    files = finished.files
    changes = brief_changes((one.mutant, files.get(one.mutant.module, "")) for one in alive)
    lines = [_line_of(one, changes if form == "full" else {}) for one in alive]
    if form == "full":
        lines += ["", *_summary(finished)]
    return escape_control("\n".join(lines).strip("\n"))


def _line_of(one: JudgedMutant, changes: Mapping[str, str]) -> str:
    """A mutant and its verdict on one line, the change on another."""
    by = f" {one.test}" if one.test else ""
    about = one.mutant
    line = f"{about.id}: line {about.line} {about.operator}: {WORDS[one.verdict]}{by}"
    change = changes.get(about.id)
    return f"{line}\n    {change}" if change else line


def _plain_of(one: JudgedMutant, changes: Mapping[str, str]) -> dict[str, Any]:
    """A mutant and its verdict for JSON."""
    about = one.mutant
    change = {"change": changes[about.id]} if about.id in changes else {}
    return {
        **change,
        "id": about.id, "module": about.module, "function": about.function, "line": about.line,
        "operator": about.operator, "verdict": one.verdict, "killed": one.is_killed,
        "test": one.test, "reaching": one.reaching, "tried": one.tried, "fresh": about.fresh,
    }  # fmt: skip


def as_plain(finished: Finished) -> dict[str, Any]:
    """The report of a run for JSON."""
    progress = finished.progress
    files = finished.files
    about = [(one.mutant, files.get(one.mutant.module, "")) for one in finished.judged]
    changes = brief_changes(about)
    return {
        "score": mutation_score(finished.judged),
        "verdicts": count_verdicts(finished.judged),
        "resumed": finished.resumed,
        "tests": {node: verdict for node, verdict, _ in progress.tests},
        "dependent": progress.dependent,
        "problems": progress.problems,
        "cpu_seconds": progress.cpu,
        "untried": finished.untried,
        "mutants": [_plain_of(one, changes) for one in finished.judged],
    }


def _summary(finished: Finished) -> list[str]:
    counts = count_verdicts(finished.judged)
    rows = [(WORDS[verdict], str(count)) for verdict, count in counts.items() if count]
    share = mutation_score(finished.judged)
    if share is None:
        return ["no mutants"]
    killed = sum(counts[verdict] for verdict in counts if verdict in KILLED)
    lines = align([*rows, ("all", str(len(finished.judged)))]).splitlines()
    lines.append(f"mutation score {100 * share:.1f} % ({killed} of {len(finished.judged)})")
    return [*lines, *_remarks(finished)]


def _remarks(finished: Finished) -> list[str]:
    progress = finished.progress
    left = [node for node, verdict, _ in progress.tests if verdict not in ("passed", "skipped")]
    alone = progress.dependent
    lines = [f"failing without a mutant, left out: {counted(len(left), 'test')}"] if left else []
    if finished.untried:
        untried = counted(finished.untried, "mutant")
        lines.append(f"not tried, the time was over: {untried}; the same command goes on with them")
    early = [one.is_killed for one in finished.judged if one.mutant.runs_at_import]
    if early:
        lines.append(
            f"code that runs at import: {counted(len(early), 'mutant')} ({sum(early)} killed), "
            "of which `generate` counts what kills it after the import"
        )
    lines += [f"failing when run alone, left out: {counted(len(alone), 'test')}"] if alone else []
    return [f"note: {line}" for line in lines]


def render_mutant(store: VerdictStore, name: str, form: str, cwd: Path) -> str:
    """One mutant: the change, the verdict, the tests that reach it.

    Raises UnitcraftError: ``unknown-mutant``, ``mutant-outdated``.
    """
    kept = stored_verdict(store, name)
    judged = kept.judged
    source, mutant = locate_mutant(kept)
    diff = patch_of(source, mutant, cwd).rstrip("\n") or diff_of_mutant(source, mutant)
    changes = brief_changes([(judged.mutant, kept.file)])
    reach = store.reaching.get(judged.mutant.module)
    keys = [f"{judged.mutant.module}:{user}" for user in mutant.users]
    found = () if reach is None else [test for key in keys for test in reach.tests.get(key, ())]
    tests = tuple(dict.fromkeys(found))
    if form == "json":
        return render_document(
            "mutants-show", {**_plain_of(judged, changes), "diff": diff, "tests": list(tests)}
        )
    reaching = f"{counted(len(tests), 'test')} {'reaches' if len(tests) == 1 else 'reach'}"
    lines = [diff, "", _line_of(judged, {}), f"{reaching} {', '.join(keys)}:"]
    return escape_control("\n".join([*lines, *(f"  {test}" for test in tests)]))


def stored_verdict(store: VerdictStore, name: str) -> StoredVerdict:
    """The stored verdict.  Raises UnitcraftError: ``unknown-mutant``."""
    if name not in store.kept:
        raise UnitcraftError(
            "unknown-mutant",
            f"no mutant {name} in the store",
            advice="run `unitcraft mutants run`, then take an id from `unitcraft mutants list`",
        )
    return store.kept[name]


def locate_mutant(kept: StoredVerdict) -> tuple[ModuleSource, SourceMutant]:
    """The module and the mutant in it.

    Raises UnitcraftError: ``mutant-outdated``, ``syntax-error``.
    """
    about = kept.judged.mutant
    try:
        text = read_source(kept.file)
        source = ModuleSource(about.module, kept.file, text)
        found = [one for one in source.mutants if one.about.id == about.id]
    except SyntaxError as error:
        raise UnitcraftError(
            "syntax-error",
            f"{kept.file}: {error.msg}, line {error.lineno}",
            cause=f"Python {OWN.dotted_version}, which runs unitcraft, cannot compile the file",
            advice="correct the syntax, or run unitcraft with the Python version of the project",
        ) from None
    except OSError:
        found = []
    if not found or (found[0].about.line, found[0].about.operator) != (about.line, about.operator):
        raise UnitcraftError(
            "mutant-outdated",
            f"{about.id} is not in {kept.file} any more",
            advice="run `unitcraft mutants run` again",
        )
    return source, found[0]


def list_mutants(root: Path, verdicts: Sequence[str], module: str, function: str, form: str) -> str:
    """The stored mutants that pass the filters.

    Raises UnitcraftError: ``unknown-verdict``.
    """
    wanted = _verdicts_of(verdicts)
    found = [
        one
        for one in VerdictStore(root).kept.values()
        if (not wanted or one.judged.verdict in wanted)
        and module in ("", one.judged.mutant.module)
        and function in ("", one.judged.mutant.function)
    ]
    changes = brief_changes((one.judged.mutant, one.file) for one in found)
    if form == "json":
        return render_document(
            "mutants-list", {"mutants": [_plain_of(one.judged, changes) for one in found]}
        )
    lines = [_line_of(one.judged, changes if form == "full" else {}) for one in found]
    return escape_control("\n".join(lines) or "no mutants")


def _verdicts_of(verdicts: Sequence[str]) -> frozenset[str]:
    names = {**{verdict.replace(" ", "-"): {verdict} for verdict in WORDS}, "killed": KILLED}
    unknown = [one for one in verdicts if one not in names]
    if unknown:
        raise UnitcraftError(
            "unknown-verdict",
            f"no verdict is called {unknown[0]}",
            advice=f"one of {', '.join(names)}",
        )
    return frozenset(verdict for one in verdicts for verdict in names[one])
