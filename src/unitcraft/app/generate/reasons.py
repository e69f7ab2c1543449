"""Why parts of a module have no test, or none in which they return: one true reason for each.

Invariant: a callable whose runs a guard ended is not blamed for misuse as well, and refusals that
differ in their arguments only are one finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from unitcraft.app.terminal_text import counted
from unitcraft.core import rule_codes
from unitcraft.core.events import Finding
from unitcraft.core.goals import Family
from unitcraft.core.program_lines import program_text
from unitcraft.explore.search.entry_points import is_written
from unitcraft.explore.search.goal_map import GoalMap
from unitcraft.explore.search.search_result import SearchResult
from unitcraft.subject.model import Subject
from unitcraft.suite.generated.oracle import blocked_finding

#: Branches or def-use pairs that one finding lists.
MAX_SHOWN = 8


def search_findings(found: SearchResult, subject: Subject, attribute: str) -> list[Finding]:
    """Findings: what the sandbox or a bound ended, and what no run used with success.

    Private classes are made where a private function needs them; their subclasses and users are
    what tests call.
    """
    home = f"{subject.module}:{attribute}"
    findings = [
        blocked_finding(entry.invocable, entry.failure)
        for entry in found.blocked
        if not attribute or f"{entry.invocable}.".startswith(f"{home}.")
    ]
    lent = {info.id for info in subject.classes if "collaborator" in info.tags}
    classes = {info.id: info for info in subject.classes}
    public = {
        one.id: one
        for one in subject.invocables
        if one.public
        and one.module == subject.module
        and one.owner not in lent
        and not is_written(one, classes.get(one.owner))
    }
    ended = {entry.invocable for entry in found.blocked}
    findings += [
        finding
        for name, tried in found.tried.items()
        if tried
        and name in public
        and name not in ended
        and (finding := _failing_finding(name, found))
    ]
    pairs = found.goals.missed_pairs()
    if pairs:
        why = f"def-use pairs not reached: {first_titles(pairs)}"
        findings.append(Finding(rule_codes.UNREACHED, subject.module, why))
    if found.truncated:
        untried = [name for name in sorted(public) if not found.tried.get(name)]
        why = f"not tried, the time was over: {first_titles(untried)}"
        return [*findings, *([Finding(rule_codes.BUDGET, subject.module, why)] if untried else [])]
    lacking = {"method": "receiver", "property": "receiver", "function": "argument"}
    findings += [
        Finding(rule_codes.NO_ARGUMENT, name, f"no {lacking[one.kind]} could be built")
        for name, one in sorted(public.items())
        if name not in found.proposed and one.kind in lacking and one.name != "__init__"
        if not one.owner or one.owner not in classes or classes[one.owner].public
    ]
    return findings


def empty_suite_finding(found: SearchResult, subject: Subject) -> list[Finding]:
    """The reason where no other says why a module has no test at all."""
    tried = [name.partition(":")[2] for name, runs in found.tried.items() if runs]
    why = f"what runs is inherited or imported: {first_titles(tried)}" if tried else "it has none"
    return [Finding(rule_codes.NOTHING_OWN, subject.module, why)]


def _failing_finding(name: str, found: SearchResult) -> Finding | None:
    """The finding about a callable of which no run returned; None when one did."""
    if found.returned.get(name):
        return None
    tried, last = found.tried[name], found.misused.get(name)
    runs = f"all {tried} runs" if tried > 1 else "the only run"
    if not found.sensible.get(name):
        if last is not None and last.startswith("AttributeError"):
            none = f"none of {counted(tried, 'run')} had arguments with what the code uses"
            why = f"{none}; the last: {last}"
            return Finding(rule_codes.MISUSE, name, why)
        why = f"{runs} ended as misuse{f', the last with {last}' if last else ''}"
        return Finding(rule_codes.MISUSE, name, why)
    last = found.raised.get(name)
    why = f"{runs} raised{f', the last {last}' if last else ''}"
    return Finding(rule_codes.ALWAYS_RAISES, name, why)


def contract_findings(goals: GoalMap) -> list[Finding]:
    """The asserts that the code itself breaks, each with the shortest Sequence that shows it."""
    found = []
    for goal, (_, run) in sorted(goals.best.items()):
        if goal.family is Family.CONTRACT and run.failed is not None:
            said = f" ({run.failed.message})" if run.failed.message else ""
            text = f"line {goal.number}{said} fails after: {program_text(run.sequence)}"
            found.append(Finding(rule_codes.BROKEN_ASSERT, run.invocable, text))
    return found


def condensed(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Each finding once; refusals of one event in one place are the first of them, with a count."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for one in dict.fromkeys(findings):
        groups.setdefault(tuple(_kind(one)), []).append(one)
    return tuple(
        first
        if not others
        else replace(first, message=f"{first.message} and {len(others)} more arguments")
        for first, *others in groups.values()
    )


def _kind(one: Finding) -> Iterator[str]:
    """What findings have in common that are shown as one."""
    yield from (one.code, one.target)
    if one.code == rule_codes.BLOCKED:
        yield one.where
        yield ":".join(one.message.split(":")[:2])
    else:
        yield one.message


def first_titles(titles: list[str]) -> str:
    """The first few titles, and how many more there are."""
    more = f" and {len(titles) - MAX_SHOWN} more" if len(titles) > MAX_SHOWN else ""
    return ", ".join(titles[:MAX_SHOWN]) + more
