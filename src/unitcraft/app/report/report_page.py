"""The whole page: totals, the table of modules, their sections, judged suites, state graphs.

Invariant: the page stays below ``MAX_BYTES`` however large the project: sections that would not
fit say less, and say that they do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from unitcraft import __version__
from unitcraft.app.report.html_elements import Html, element, join, link, table
from unitcraft.app.report.module_section import Detail, render_section
from unitcraft.app.report.page_style import STYLE
from unitcraft.app.report.recorded_runs import ReportedModule, ReportedProject
from unitcraft.app.terminal_text import counted
from unitcraft.core.rule_codes import TITLES

#: Bytes of a page: a browser shows it at once, and it can be sent by mail.
MAX_BYTES: Final = 960_000

#: Findings about existing tests that the page lists; the others are counted.
MAX_FINDINGS: Final = 500

#: Nothing is loaded and no script runs, even if something that is quoted were not escaped.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


def render_page(project: ReportedProject, limit: int = MAX_BYTES) -> str:
    """The HTML text of the report."""
    keys = {module.name: f"m{number}" for number, module in enumerate(project.modules)}
    ends = [*_failures(project), *_checks(project), *_states(project, limit // 2)]
    top = [*_summary(project), *_module_table(project, keys)]
    room = limit - sum(map(_size, (*top, *ends))) - len(STYLE) - 4_000
    sections = list(_sections(project, keys, room))
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", f"unitcraft: {project.name}"),
        element("style", Html(STYLE)),
    )
    body = element(
        "body",
        element("a", "To the modules", href="#modules", class_="skip"),
        element("header", element("h1", f"Tests of {project.name}")),
        element("main", *top, *sections, *ends),
        element("footer", element("p", f"Written by unitcraft {__version__}.", class_="dim")),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _size(part: str) -> int:
    return len(part.encode())


def _sections(project: ReportedProject, keys: Mapping[str, str], room: int) -> Iterator[Html]:
    """The section of each module, in the most detail for which there is room."""
    least = [
        render_section(module, keys[module.name], Detail.FIGURES) for module in project.modules
    ]
    room -= sum(map(_size, least))
    for module, small in zip(project.modules, least, strict=True):
        chosen = small
        for detail in (Detail.FULL, Detail.SOURCE):
            wanted = render_section(module, keys[module.name], detail)
            if _size(wanted) - _size(small) <= room:
                room -= _size(wanted) - _size(small)
                chosen = wanted
                break
        yield chosen


def _summary(project: ReportedProject) -> Iterator[Html]:
    targets = [target for module in project.modules for target in module.targets]
    parts = [counted(len(project.modules), "module")]
    if targets:
        tests = sum(target["tests"] for target in targets)
        covered, total = _sum(targets, "branches")
        parts.append(counted(tests, "test"))
        parts.append(f"{covered} of {counted(total, 'branch')} taken")
    mutants = [module.mutants for module in project.modules if module.mutants is not None]
    if mutants:
        killed, total = sum(one.killed for one in mutants), sum(one.all for one in mutants)
        parts.append(f"{killed} of {counted(total, 'mutant')} killed")
    yield element("p", ", ".join(parts) + ".")


def _sum(targets: list[Mapping[str, Any]], name: str) -> tuple[int, int]:
    pairs = [(target[name]["covered"], target[name]["all"]) for target in targets]
    return sum(one for one, _ in pairs), sum(one for _, one in pairs)


def _module_table(project: ReportedProject, keys: Mapping[str, str]) -> Iterator[Html]:
    if project.modules:
        head = ("module", "tests", "branches", "lines", "mutants killed", "not tested", "suite")
        rows = [
            row for module in project.modules for row in _module_rows(module, keys[module.name])
        ]
        yield element("h2", "Modules", id="modules")
        yield table("Modules and their suites", head, rows)


def _module_rows(module: ReportedModule, key: str) -> Iterator[tuple[str, ...]]:
    mutants = module.mutants
    killed = "" if mutants is None else _share(mutants.killed, mutants.all)
    if not module.targets:
        yield (link(key, module.name), "", "", "", killed, "", "")
    for target in module.targets:
        yield (
            link(key, str(target["name"])),
            str(target["tests"]),
            _share(target["branches"]["covered"], target["branches"]["all"]),
            _share(target["lines"]["covered"], target["lines"]["all"]),
            killed,
            str(len(target["findings"]) or ""),
            str(target.get("file") or ""),
        )


def _share(part: int, whole: int) -> Html:
    """A share as a bar for the eye and as figures."""
    if not whole:
        return Html("")
    bar = element("meter", min="0", max=str(whole), value=str(part), aria_hidden="true")
    text = f"{part}/{whole} {100 * part // whole} %"
    return element("span", bar, text, class_="share")


def _failures(project: ReportedProject) -> Iterator[Html]:
    if project.failures:
        rows = [
            (element("code", str(one["target"])), str(one["message"]), str(one["advice"] or ""))
            for one in project.failures
        ]
        yield element("h2", "Targets that failed")
        yield table("Targets that failed in the last run", ("target", "what", "next"), rows)
    if project.empty:
        yield element("p", f"Nothing to test in {', '.join(project.empty)}.", class_="dim")


def _checks(project: ReportedProject) -> Iterator[Html]:
    """Redundant, weak and flaky tests, suite by suite."""
    for check in project.checks:
        findings = check["findings"]
        yield element("h2", join(("Suite ", element("code", str(check["name"])))))
        redundant = sum(str(one["code"]).startswith("UC1") for one in findings)
        told = f"{counted(check['tests'], 'test')}, {redundant} of them redundant"
        yield element("p", f"{told}; {counted(len(findings), 'finding')}.")
        rows = [
            (
                element("code", str(one["test"])),
                str(one["code"]),
                TITLES.get(str(one["code"]), ""),
                str(one["message"]),
                str(one["where"]),
            )
            for one in findings[:MAX_FINDINGS]
        ]
        if rows:
            head = ("test", "code", "kind", "finding", "where")
            yield table(f"Findings of {check['name']}", head, rows)
        if len(findings) > MAX_FINDINGS:
            yield element("p", f"{len(findings) - MAX_FINDINGS} more are left out.", class_="note")


def _states(project: ReportedProject, room: int) -> Iterator[Html]:
    """The counts of each exploration, and its graph where there is room for it."""
    for one in project.states:
        name = str(one["name"])
        yield element("h2", join(("States of ", element("code", name))))
        rows = [
            (str(step["iteration"]), str(step["states"]), str(step["tests"]))
            for step in one["iterations"]
        ]
        yield table(f"States of {name}", ("calls", "states", "tests"), rows)
        picture = str(one.get("picture") or "")
        if picture and _size(picture) <= room:
            room -= _size(picture)
            label = f"State graph of {name}"
            frame = {"class_": "frame", "tabindex": "0", "role": "region", "aria_label": label}
            yield element("div", Html(picture), **frame)
        elif picture:
            yield element("p", "The graph is left out, to keep the page small.", class_="note")
