"""The part of the page about one module: figures, what has no test and why, source, tests.

Invariant: a mark in the margin of the source is a sign and a word, never a colour alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from unitcraft.app.report.branch_reasons import (
    MissedBranch,
    ModuleFacts,
    missed_branches,
)
from unitcraft.app.report.html_elements import (
    Html,
    element,
    folded,
    hidden_text,
    join,
    link,
    table,
)
from unitcraft.app.report.recorded_runs import ReportedModule, Survivor, code_lines
from unitcraft.app.terminal_text import counted
from unitcraft.core.rule_codes import TITLES


class Detail(IntEnum):
    """How much a section says."""

    FIGURES = 0
    SOURCE = 1
    FULL = 2


#: The sign and the word for each kind of line.
_MARKS = {
    "hit": ("\N{CHECK MARK}", "reached"),
    "part": ("\N{CIRCLE WITH LEFT HALF BLACK}", "reached, a branch is not taken"),
    "miss": ("\N{BALLOT X}", "not reached"),
    "none": ("", ""),
}


def render_section(module: ReportedModule, key: str, detail: Detail) -> Html:
    """The section of ``module``, whose places on the page begin with ``key``."""
    tree = _parsed(module.text)
    missed = [] if tree is None else missed_branches(tree, facts_of(module))
    return element(
        "section",
        element("h2", element("code", module.name)),
        element("p", module.source, class_="place"),
        *_remarks(module, detail),
        *_findings(module),
        *_missed_list(missed, key, detail),
        *_survivors(module, key, detail),
        *(_source(module, missed, key, detail) if detail > Detail.FIGURES else ()),
        *(_tests(module, key) if detail is Detail.FULL else ()),
        id=key,
    )


def facts_of(module: ReportedModule) -> ModuleFacts:
    """What is known of the branches of ``module``."""
    counts: dict[int, int] = {}
    for _, lines, _ in module.tests:
        for line in lines:
            counts[line] = counts.get(line, 0) + 1
    runs = sum(target["executions"] for target in module.targets)
    return ModuleFacts(
        module.name, module.reached, module.missed, module.never, runs, counts, module.findings
    )


def _parsed(text: str | None) -> ast.Module | None:
    try:
        return None if text is None else ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _remarks(module: ReportedModule, detail: Detail) -> Iterator[Html]:
    if module.text is None:
        yield _note("The file has changed since this run: generate again to see it with its marks.")
    elif detail is Detail.FIGURES:
        yield _note("The source is left out, to keep the page small: report on this module alone.")
    elif detail is Detail.SOURCE:
        yield _note("The tests are left out, to keep the page small: report on this module alone.")
    if any(target.get("truncated") for target in module.targets):
        yield _note("A bound of time ended the search: another run may bring more.")


def _note(text: str) -> Html:
    return element("p", text, class_="note")


def _findings(module: ReportedModule) -> Iterator[Html]:
    """What has no test, and why; branches stand in a table of their own."""
    found = [one for one in module.findings if one["code"] != "UC509"]
    if found:
        rows = [
            (
                str(one["code"]),
                element("code", str(one["target"]).partition(":")[2] or str(one["target"])),
                TITLES.get(str(one["code"]), ""),
                str(one["message"]) + (f" ({one['where']})" if one.get("where") else ""),
            )
            for one in found
        ]
        yield element("h3", "Not tested")
        yield table(f"Not tested in {module.name}", ("code", "what", "kind", "why"), rows)


def _missed_list(missed: list[MissedBranch], key: str, detail: Detail) -> Iterator[Html]:
    if missed:
        yield element("h3", "Branches that no test takes")
        rows = [
            (_line_link(one.line, key, detail), element("code", one.what), one.why)
            for one in missed
        ]
        yield table("Branches that no test takes", ("line", "branch", "why not"), rows)


def _line_link(line: int, key: str, detail: Detail) -> str:
    return str(line) if detail is Detail.FIGURES else link(f"{key}L{line}", str(line))


def _survivors(module: ReportedModule, key: str, detail: Detail) -> Iterator[Html]:
    if module.mutants is None or not module.mutants.survivors:
        return
    yield element("h3", "Mutants that no test kills")
    rows = [
        (
            _line_link(one.line, key, detail if module.text is not None else Detail.FIGURES),
            element("code", one.change),
            one.verdict + (f", reached by {counted(one.reaching, 'test')}" if one.reaching else ""),
            element("code", one.id, class_="id"),
        )
        for one in module.mutants.survivors
    ]
    head = ("line", "change", "verdict", "id for mutants show")
    yield table(f"Surviving mutants of {module.name}", head, rows)


def _source(
    module: ReportedModule, missed: list[MissedBranch], key: str, detail: Detail
) -> Iterator[Html]:
    """The text with marks; the tests that reach a line fold out beside it."""
    if module.text is None or not (module.reached or module.unreached or module.mutants):
        return
    branches: dict[int, list[MissedBranch]] = {}
    for branch in missed:
        branches.setdefault(branch.line, []).append(branch)
    mutants: dict[int, list[Survivor]] = {}
    for mutant in module.mutants.survivors if module.mutants else ():
        mutants.setdefault(mutant.line, []).append(mutant)
    cells = _cells_of_tests(module, key) if detail is Detail.FULL else {}
    rows = [
        _line(number, text, module, key, branches.get(number, ()), mutants.get(number, ()), cells)
        for number, text in enumerate(code_lines(module.text), 1)
    ]
    yield element("h3", "Source")
    head = element("tr", *(element("th", one, scope="col") for one in _COLUMNS))
    body = element(
        "table",
        element("caption", f"Source of {module.name}", class_="spoken"),
        element("thead", head, class_="spoken"),
        element("tbody", *rows),
        class_="source",
    )
    label = f"Source of {module.name}"
    yield element("div", body, class_="frame", tabindex="0", role="region", aria_label=label)


_COLUMNS = ("line", "reached", "code", "tests")


def _line(
    number: int,
    text: str,
    module: ReportedModule,
    key: str,
    branches: Iterable[MissedBranch],
    mutants: Iterable[Survivor],
    cells: Mapping[int, Html],
) -> Html:
    kind = "none"
    if number in module.reached:
        kind = "part" if branches else "hit"
    elif number in module.unreached:
        kind = "miss"
    sign, word = _MARKS[kind]
    mark = (element("span", sign, aria_hidden="true"), hidden_text(word)) if sign else ()
    notes = [
        element("div", join(("never: ", element("code", one.what), f" \N{EM DASH} {one.why}")))
        for one in branches
    ]
    notes += [
        element("div", join((f"{one.verdict}: ", element("code", one.change)))) for one in mutants
    ]
    code = element("code", text)
    more = (element("div", *notes, class_="notes"),) if notes else ()
    return element(
        "tr",
        element("th", str(number), scope="row"),
        element("td", *mark),
        element("td", code, *more),
        element("td", cells.get(number, "")),
        id=f"{key}L{number}",
        class_=kind,
    )


def _cells_of_tests(module: ReportedModule, key: str) -> dict[int, Html]:
    """For each line the tests that reach it; where they are those of the line before, that line."""
    by_line: dict[int, list[int]] = {}
    for number, (_, lines, _) in enumerate(module.tests):
        for line in lines:
            by_line.setdefault(line, []).append(number)
    cells: dict[int, Html] = {}
    last: list[int] = []
    first = 0
    for line in sorted(by_line):
        numbers = by_line[line]
        if numbers == last:
            cells[line] = join(("as ", link(f"{key}L{first}", str(first))))
            continue
        last, first = numbers, line
        names = [
            element("li", link(f"{key}T{number}", module.tests[number][0])) for number in numbers
        ]
        cells[line] = folded(counted(len(numbers), "test"), element("ul", *names))
    return cells


def _tests(module: ReportedModule, key: str) -> Iterator[Html]:
    if not module.tests:
        return
    yield element("h3", "Tests")
    shown: set[str] = set()
    for number, (name, lines, code) in enumerate(module.tests):
        base = name.partition("[")[0]
        reach = f" reaches {counted(len(lines), 'line')}"
        title = join((element("code", name), reach))
        if not code or base in shown:
            yield element("p", title, id=f"{key}T{number}", class_="row")
        else:
            shown.add(base)
            yield folded(title, element("pre", code), id=f"{key}T{number}", class_="test")
