"""An explanation as text and as data for JSON.

Invariant: both hold the same paths; what is left out for brevity is counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from unitcraft.app.terminal_text import counted, escape_control

if TYPE_CHECKING:
    from unitcraft.app.exploration.explain_command import Explanation, ShownPath
    from unitcraft.explore.explain.uncovered_branches import UncoveredBranch, Why

#: Constraints of one path that the text shows.
MAX_CONSTRAINTS: Final = 14

#: Why a branch was not covered -> the words for it.
_WHY: Final[dict[Why, str]] = {
    "infeasible": "infeasible: no input takes it",
    "clashing": "infeasible on every path that came to it; others were left open",
    "unknown": "not decided by the solver",
    "bound": "not reached within the bound (try more --paths)",
    "fixed": "no argument decides it: it came out the other way on every path",
    "unreached": "no path came to the end of its condition",
}

#: Which contract a path breaks -> the words for it.
_BLAME: Final = {
    "precondition": "a precondition: invalid input",
    "violated": "UC402: probable bug",
}


def as_text(explanation: Explanation) -> str:
    """The explanation as lines of text."""
    lines = [f"{explanation.target}: {counted(len(explanation.paths), 'path')}"]
    for number, path in enumerate(explanation.paths, start=1):
        lines += shown_path(number, path)
    lines += _cut(explanation)
    if explanation.untaken:
        lines += ["", "Branches that no path took:"]
        lines += [_branch(one) for one in explanation.untaken]
    if explanation.notes:
        lines += ["", *[f"note: {note}" for note in explanation.notes]]
    return escape_control("\n".join(lines))


def shown_path(number: int, path: ShownPath) -> list[str]:
    """One path as lines of text."""
    parts = [*path.shape, *path.condition]
    more = len(parts) - MAX_CONSTRAINTS
    shown = parts[:MAX_CONSTRAINTS] + ([f"{more} more"] if more > 0 else [])
    after = f"after {', '.join(path.after)}" if path.after else ""
    head = ": ".join(part for part in (after, " and ".join(shown)) if part)
    lines = ["", f"{number}. {head or 'always'}"]
    lines += [f"     {line}" for line in path.before]
    blame = f" ({_BLAME[path.contract]})" if path.contract else ""
    return [*lines, f"     {path.call}  # {path.outcome}{blame}"]


def _cut(explanation: Explanation) -> list[str]:
    lines = []
    if explanation.more:
        lines.append(f"{counted(explanation.more, 'more path')} found and not listed (--paths).")
    if explanation.open:
        branches = "branch" if explanation.open == 1 else "branches"
        lines.append(f"{explanation.open} {branches} left unexplored by the bound (--paths).")
    return ["", *lines] if lines else []


def _branch(branch: UncoveredBranch) -> str:
    details = "".join(f"\n    {detail}" for detail in branch.details)
    return f"  line {branch.line}, {branch.kind} {branch.outcome}: {_WHY[branch.why]}{details}"


def as_plain(explanation: Explanation) -> dict[str, object]:
    """The explanation as data for JSON."""
    return {
        "target": explanation.target,
        "paths": list(map(plain_path, explanation.paths)),
        "not_listed": explanation.more,
        "unexplored": explanation.open,
        "branches_not_taken": [
            {
                "line": branch.line,
                "kind": branch.kind,
                "outcome": branch.outcome,
                "why": branch.why,
                "details": list(branch.details),
            }
            for branch in explanation.untaken
        ],
        "notes": list(explanation.notes),
    }


def plain_path(path: ShownPath) -> dict[str, object]:
    """One path as data for JSON."""
    return {
        "after": list(path.after),
        "shape": list(path.shape),
        "condition": list(path.condition),
        "before": list(path.before),
        "call": path.call,
        "outcome": path.outcome,
        "raised": path.raised,
        "contract": path.contract,
    }
