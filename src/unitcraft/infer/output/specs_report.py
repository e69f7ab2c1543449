"""A Specification as a page for people, as Markdown and as data for JSON.

Invariant: each form says the same laws in the same order; only what was confirmed stands among the
laws.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from unitcraft.core.call_text import arg_text, call_text
from unitcraft.infer.output.expression_check import example_code
from unitcraft.infer.output.law_expressions import PRELUDE

if TYPE_CHECKING:
    from unitcraft.infer.algebraic.confirmation import Verdict
    from unitcraft.infer.specification import Example, ShownLaw, Specification


def as_text(found: Specification, *, every: bool = False) -> str:
    """The page for a terminal; with ``every`` law, those too that say little."""
    lines = [found.target, f"  {_summary(found)}"]
    lines += [f"  left out: {name}: {reason}" for name, reason in found.excluded]
    lines += [f"  assumed: {text}" for text in found.assumed]
    if found.domain:
        lines.append(f"  values: {domain_text(found)}")
    if found.checked:
        lines += ["", "Laws that you stated:"]
        lines += [_counted(one, one.confirmed.witness is not None) for one in found.checked]
    shown = found.laws if every else found.main
    lines += ["", f"Laws ({len(shown)}; rows of the values given, then of more):"]
    lines += [_counted(one, failed=False) for one in shown]
    lines += [f"  {text}" for text in _others(found, len(shown))]
    lines += ["", *[f"  {text}" for text in _frames(found)]]
    if found.near:
        lines += ["", "Suspicious: true almost everywhere"]
        lines += [_counted(one, failed=True) for one in found.near]
    if found.refuted:
        lines += ["", f"Refuted while learning ({len(found.refuted)}), the first ones:"]
        lines += [_counted(one, failed=True) for one in found.refuted[:MAX_REFUTED]]
    return "\n".join(lines)


def _others(found: Specification, shown: int) -> list[str]:
    """How many laws the page does not have."""
    rest = len(found.laws) - shown
    return [f"and {_number(rest, 'law')} of rarer cases: --all shows them"] if rest else []


def _frames(found: Specification) -> list[str]:
    """The axioms, those that say the same of several methods in one line."""
    methods: dict[str, list[str]] = {}
    for axiom in found.axioms:
        methods.setdefault(axiom.text.partition(" ")[2], []).append(axiom.method)
    return [f"{', '.join(names)} {_plural(said) if len(names) > 1 else said}"
            for said, names in methods.items()]  # fmt: skip


def _plural(said: str) -> str:
    return said.replace("changes nothing", "change nothing").replace("it raises", "they raise")


def domain_text(found: Specification) -> str:
    """The kinds of values for which the laws were confirmed, by the names of parameters."""
    kinds: dict[str, dict[str, None]] = {}
    for _, given in found.domain:
        for name, sort in given:
            kinds.setdefault(name, {})[_kind_text(sort)] = None
    return ", ".join(f"{name}: {' | '.join(texts)}" for name, texts in kinds.items())


#: Sorts that a person calls otherwise.
_KIND_WORDS = {"own": "another object of the class", "none": "None"}


def _kind_text(sort: str) -> str:
    """A sort as a person would write the type."""
    if sort.startswith("="):
        return "as given"
    name, bracket, _ = sort.partition("[")
    if not bracket:
        return _KIND_WORDS.get(sort) or sort.rpartition(":")[2]
    inner = [_kind_text(part) for part in _parts(sort[len(name) + 1 : -1])]
    return " | ".join(inner) if name == "union" else f"{name}[{', '.join(inner)}]"


def _parts(text: str) -> Iterator[str]:
    """The sorts in ``text``, which bars divide outside of brackets."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter == "[") - (letter == "]")
        if letter == "|" and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


#: Refuted laws that a page shows; JSON has all.
MAX_REFUTED = 5


def _summary(found: Specification) -> str:
    end = "nothing left to refute" if found.fixed else "stopped"
    return (
        f"{_number(found.states[0], 'state')} learned from, {found.states[1]} more to confirm, "
        f"{_number(found.pairs, 'call')} run; {found.equality}; "
        f"{_number(found.iterations, 'round')}, {end}"
    )


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"


def _counted(one: ShownLaw, failed: bool) -> str:  # noqa: FBT001
    """The law with its figures, and the witness where it fails."""
    figures = f"{_share(one.learned)}, {one.confirmed.holding}/{one.confirmed.rows}"
    text = f"  {one.text}  [{figures}]"
    if failed and one.witness is not None:
        text += f"\n      but not: {example_text(one.witness)}"
    return text


def _share(verdict: Verdict) -> str:
    of_all = f" of {verdict.all}" if verdict.rows != verdict.all else ""
    return f"{verdict.holding}/{verdict.rows}{of_all}"


def example_text(example: Example) -> str:
    """How the object is made, and the values, on one line."""
    names = ["S"] * len(example.calls)
    made = "; ".join(call_text(call, names) for call in example.calls)
    given = ", ".join(f"{name} = {arg_text(arg)}" for name, arg in example.values)
    return f"{made} with {given}" if given else made


def as_markdown(found: Specification, *, every: bool = False) -> str:
    """A page for a repository; with ``every`` law, those too that say little."""
    shown = found.laws if every else found.main
    lines = [f"# {found.target}", "", _summary(found) + "."]
    lines += ["", f"Values: {domain_text(found)}."] if found.domain else []
    lines += ["", "## Laws", ""]
    lines += [f"- `{one.text}` ({_share(one.learned)}; {_share(one.confirmed)})"
              for one in shown]  # fmt: skip
    lines += [f"- `{text}`" for text in _frames(found)]
    lines += [f"- {text}" for text in _others(found, len(shown))]
    if found.near:
        lines += ["", "## Suspicious", ""]
        lines += [f"- `{one.text}` ({_share(one.confirmed)})" for one in found.near]
    if found.refuted:
        lines += ["", "## Refuted while learning", ""]
        lines += [
            f"- `{one.text}`: {example_text(one.witness)}"
            for one in found.refuted
            if one.witness is not None
        ]
    if found.excluded:
        lines += ["", "## Left out", ""]
        lines += [f"- `{name}`: {reason}" for name, reason in found.excluded]
    return "\n".join(lines) + "\n"


def as_plain(found: Specification) -> dict[str, Any]:
    """The data of a Specification for JSON."""
    return {
        "target": found.target,
        "prelude": PRELUDE,
        "assumed": list(found.assumed),
        "equality": found.equality,
        "domain": {name: dict(given) for name, given in found.domain},
        "states": {"learned": found.states[0], "confirmed": found.states[1]},
        "calls": found.pairs,
        "iterations": found.iterations,
        "fixed_point": found.fixed,
        "excluded": [{"operation": name, "reason": reason} for name, reason in found.excluded],
        "laws": [_law(found, one) for one in found.laws],
        "axioms": [
            {"kind": axiom.kind, "method": axiom.method, "text": axiom.text}
            for axiom in found.axioms
        ],
        "suspicious": [_law(found, one) for one in found.near],
        "refuted": [_law(found, one) for one in found.refuted],
        "stated": [_law(found, one) for one in found.checked],
    }


def _law(found: Specification, one: ShownLaw) -> dict[str, Any]:
    """One law; ``expression`` is True wherever ``guard`` is, over ``S`` and the variables."""
    return {
        "kind": one.kind,
        "class": found.target.partition(":")[2],
        "method": one.method,
        "law": one.text,
        "says": list(one.said),
        "minor": one.minor,
        "expression": one.expression,
        "guard": one.condition,
        "variables": dict(one.variables),
        "support": _verdict(one.learned),
        "held_out": {
            **_verdict(one.confirmed),
            "verdict": "confirmed" if one.confirmed.confirmed else "refuted"
            if one.confirmed.witness is not None else "unknown",
        },
        "witness": example_code(one.witness) if one.witness is not None else "",
        "example": example_code(one.examples[-1]) if one.examples else "",
    }  # fmt: skip


def _verdict(verdict: Verdict) -> dict[str, int]:
    return {"holding": verdict.holding, "guarded": verdict.rows, "rows": verdict.all}
