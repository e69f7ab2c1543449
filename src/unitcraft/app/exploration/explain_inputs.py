"""``explain --inputs``: what is known of each parameter, how loudly, and from where.

Invariant: the target is described and never called; what is shown is what ``generate`` begins with.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.explain_command import find_invocable
from unitcraft.app.exploration.target_host import callable_host
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import escape_control
from unitcraft.core.call_text import arg_text
from unitcraft.core.types import TypeExpr
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.parameter_evidence import Candidate
from unitcraft.explore.subject_request import request_subject
from unitcraft.subject.known_types import AWAITABLE
from unitcraft.subject.model import COMPARED, JOINED, STATED
from unitcraft.subject.values.example_arguments import fits
from unitcraft.subject.values.value_pools import ValuePools

#: Values shown for each candidate: enough to see of what kind they are.
MAX_SHOWN: Final = 3
#: Rung of the ladder -> where the evidence comes from, in words.
RUNGS: Final = {
    "annotation": "annotation", "docstring": "docstring", "isinstance": "isinstance test",
    "caller": "callers", "passed": "what the module passes", "default": "default",
    "sibling": "sibling of that name",
    "kin": "override of the method", "namesake": "others of that name",
    "flow": "what the code does", "callee": "what it is passed on to",
    "description": "description", "class": "class of that name",
    "name": "name", "operand": "read of both objects",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ShownCandidate:
    """A type that a parameter may have, in words, with values that are tried first."""

    type: str
    weight: int
    sources: tuple[str, ...]
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownParameter:
    """A parameter with its candidates and what callers pass: (value, where it is passed)."""

    name: str
    candidates: tuple[ShownCandidate, ...]
    callers: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ShownInputs:
    """The parameters of one target."""

    target: str
    parameters: tuple[ShownParameter, ...]


def show_inputs(target: str, config: Config, cwd: Path, form: str) -> str:
    """What is known of the parameters of ``target``, as text or JSON.  Raises as ``run_inputs``."""
    found = run_inputs(target, config, cwd)
    if form == "json":
        return render_document("explain-inputs", inputs_as_plain(found))
    return inputs_as_text(found)


def run_inputs(target: str, config: Config, cwd: Path) -> ShownInputs:
    """The inputs of the callable ``target``.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    located, spec = callable_host(target, config, cwd)
    with Pool(spec, 1) as pool:
        subject = request_subject(pool, located.module)
    invocable = find_invocable(subject, located)
    plausibility, pools = Plausibility(subject), ValuePools(subject)
    scope = invocable.id.partition(":")[2]

    def shown(name: str, candidate: Candidate) -> ShownCandidate:
        ranked = pools.values(candidate.type, scope, name=name)
        values = [one for one in ranked if fits(one, candidate.type)][:MAX_SHOWN]
        return ShownCandidate(
            type_text(candidate.type), candidate.weight,
            tuple([RUNGS[rung] for rung in candidate.rungs]), tuple(map(arg_text, values)),
        )  # fmt: skip

    parameters = [
        ShownParameter(
            name,
            tuple([shown(name, one) for one in evidence.candidates]),
            tuple([
                (arg_text(one.value), one.place)
                for one in plausibility.ladder.callers(invocable, evidence.parameter)
            ]),
        )
        for name, evidence in plausibility.evidence(invocable).items()
    ]  # fmt: skip
    return ShownInputs(invocable.id, tuple(parameters))


def type_text(type_: TypeExpr) -> str:
    """A type as a person writes it."""
    match type_.name:
        case "class":
            return type_.cls.replace(":", ".").removeprefix("builtins.")
        case "literal":
            return f"Literal[{', '.join(map(arg_text, type_.literals))}]"
        case "union":
            return " | ".join(map(type_text, type_.args))
        case "none":
            return "None"
        case "callable" if type_.args[-1:] == (AWAITABLE,):
            return "coroutine function"
        case "vartuple":
            return f"tuple[{', '.join([*map(type_text, type_.args), '...'])}]"
    inner = ", ".join(map(type_text, type_.args))
    return f"{type_.name}[{inner}]" if inner and type_.name != "callable" else type_.name


def inputs_as_text(inputs: ShownInputs) -> str:
    """The inputs as lines of text."""
    lines = [f"{inputs.target}: inputs"]
    for parameter in inputs.parameters:
        lines += ["", f"{parameter.name}"]
        for one in parameter.candidates:
            examples = f"  e.g. {', '.join(one.values)}" if one.values else ""
            lines.append(f"  {one.weight:>3}  {one.type}  ({', '.join(one.sources)}){examples}")
        if not parameter.candidates:
            lines.append("  nothing is known; plain values are tried")
        lines += [
            f"  {'shown' if place in (COMPARED, JOINED, STATED) else 'passed'} in {place}: {value}"
            for value, place in parameter.callers
        ]
    if not inputs.parameters:
        lines.append("no parameters")
    return escape_control("\n".join(lines))


def inputs_as_plain(inputs: ShownInputs) -> dict[str, object]:
    """The inputs as data for JSON."""
    return {
        "target": inputs.target,
        "parameters": [
            {
                "name": parameter.name,
                "candidates": [
                    {
                        "type": one.type, "weight": one.weight, "sources": list(one.sources),
                        "values": list(one.values),
                    }
                    for one in parameter.candidates
                ],
                "callers": [
                    {"value": value, "place": place} for value, place in parameter.callers
                ],
            }
            for parameter in inputs.parameters
        ],
    }  # fmt: skip
