"""Why no test takes a branch, in words.

Invariant: what is said follows from the lines that the tests reached, the branches that the search
took and the findings of that run; where these tell nothing, nothing is claimed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

#: Characters of a condition that a line quotes.
MAX_QUOTED: Final = 60

_Loop = ast.For | ast.AsyncFor | ast.While


@dataclass(frozen=True, slots=True)
class ModuleFacts:
    """A run's knowledge of one module.

    ``reached`` are lines that a test met, ``never`` the (line, outcome) that no run of the search
    took, ``tests`` the number of tests by line, ``findings`` those of generate.
    """

    name: str
    reached: frozenset[int]
    missed: tuple[tuple[int, int], ...]
    never: frozenset[tuple[int, str]] = frozenset()
    runs: int = 0
    tests: Mapping[int, int] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True, slots=True)
class MissedBranch:
    """A branch that no test takes: where, what would take it, and why it did not happen."""

    line: int
    what: str
    why: str


def missed_branches(tree: ast.Module, facts: ModuleFacts) -> list[MissedBranch]:
    """All branches that no test takes, in source order."""
    nodes = _nodes_by_line(tree)
    scopes = list(_functions(tree, ""))
    found = []
    for line, to in sorted(facts.missed):
        what, outcome = _describe(nodes.get(line), line, to)
        found.append(MissedBranch(line, what, _reason(line, outcome, facts, scopes)))
    return found


def _nodes_by_line(tree: ast.Module) -> dict[int, ast.AST]:
    """The statement or case that decides at each line, as coverage.py counts lines."""
    found: dict[int, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.While):
            found[node.test.lineno] = found[node.lineno] = node
        elif isinstance(node, ast.For | ast.AsyncFor | ast.With | ast.AsyncWith | ast.Try):
            found.setdefault(node.lineno, node)
        elif isinstance(node, ast.match_case):
            found[node.pattern.lineno] = node
        elif isinstance(node, ast.ExceptHandler):
            found[node.lineno] = node
    return found


def _functions(node: ast.AST, outer: str) -> Iterator[tuple[int, int, str]]:
    """(first line, last line, dotted name) of each function and class."""
    for child in ast.iter_child_nodes(node):
        name = outer
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{outer}.{child.name}" if outer else child.name
            yield child.lineno, child.end_lineno or child.lineno, name
        yield from _functions(child, name)


def _describe(node: ast.AST | None, line: int, to: int) -> tuple[str, str]:
    """What would take the branch, and its outcome as the search names it ('': not known)."""
    if isinstance(node, ast.If):
        holds = to == node.body[0].lineno
        return f"{_quoted(node.test)} is {'true' if holds else 'false'}", str(holds).lower()
    if isinstance(node, _Loop):
        entered = to == node.body[0].lineno
        loop = "while" if isinstance(node, ast.While) else "for"
        end = "begins a round" if entered else "comes to its end"
        return f"the {loop} loop {end}", "entered" if entered else "ended"
    if isinstance(node, ast.match_case):
        matches = to == node.body[0].lineno
        verb = "matches" if matches else "does not match"
        return f"case {_quoted(node.pattern)} {verb}", "matched" if matches else ""
    if isinstance(node, ast.ExceptHandler):
        caught = _quoted(node.type) if node.type is not None else "anything"
        verb = "catches" if to == node.body[0].lineno else "does not catch"
        return f"except {verb} {caught}", "caught" if verb == "catches" else ""
    if to < 0:
        return "the function ends here", ""
    return f"line {line} is followed by line {to}", ""


def _quoted(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= MAX_QUOTED else f"{text[: MAX_QUOTED - 3]}..."


def _reason(
    line: int, outcome: str, facts: ModuleFacts, scopes: Sequence[tuple[int, int, str]]
) -> str:
    """Why no test takes this outcome of ``line``."""
    told = "; ".join(_told_of(line, facts, scopes))
    if line not in facts.reached:
        return f"no test comes to line {line}" + (f"; {told}" if told else "")
    count = facts.tests.get(line, 0)
    here = f"{count} {'test comes' if count == 1 else 'tests come'} here"
    if not count:
        here = "this runs while the module is imported"
    if outcome and (line, outcome) in facts.never:
        why = f"none of the {facts.runs} runs of the search took it"
    elif outcome and facts.runs:
        why = "the search took it, but in no run that is a test"
    else:
        why = "none goes on in this way"
    return "; ".join(part for part in (here, why, told) if part)


def _told_of(
    line: int, facts: ModuleFacts, scopes: Sequence[tuple[int, int, str]]
) -> Iterator[str]:
    """What the findings say of the innermost functions around ``line``."""
    around = {name for first, last, name in scopes if first <= line <= last}
    for one in facts.findings:
        module, _, name = str(one["target"]).partition(":")
        if module == facts.name and name in around and one["code"] != "UC509":
            yield f"{one['code']} {one['message']}"
