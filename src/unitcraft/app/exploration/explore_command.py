"""One run of ``explore``: locates the class, explores its states, formats the counts.

Invariant: the class is described and run by guarded workers only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from unitcraft.app.config import Config
from unitcraft.app.exploration.target_host import class_setting
from unitcraft.app.json_document import render_document
from unitcraft.app.terminal_text import align, counted, say_progress
from unitcraft.core.events import Progress
from unitcraft.core.sequences import Arg, Source
from unitcraft.core.types import TypeExpr
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace.concrete_exploration import Exploration
from unitcraft.explore.statespace.concrete_task import ClassToExplore, explore_class
from unitcraft.explore.statespace.state_exploration import Bounds
from unitcraft.explore.statespace.symbolic_exploration import PathSelection
from unitcraft.explore.statespace.symbolic_task import (
    Heuristics,
    SymbolicExploration,
    explore_symbolically,
)
from unitcraft.state.symbolic.subsumption import ComparisonMode
from unitcraft.subject.model import Subject
from unitcraft.subject.values.value_pools import ValuePools

#: Values for each parameter that does not take an integer.
MAX_OTHER_VALUES = 3


@dataclass(frozen=True, slots=True)
class ExploreRequest:
    """The class to explore; without ``methods`` all public ones are called.

    ``concrete`` holds values, as source, of parameters by name; ``heuristics_of`` is None for
    concrete exploration.
    """

    target: str
    methods: tuple[str, ...]
    ints: tuple[int, ...]
    concrete: Mapping[str, tuple[str, ...]]
    iterations: int
    jobs: int
    config: Config
    graph: bool
    heuristics: Heuristics | None


class CountTeller:
    """A Listener that says on standard error what each iteration came to (mutable)."""

    def __init__(self) -> None:
        self._last = 0

    def progress(self, event: Progress) -> None:
        """Say the counts of an iteration, once."""
        if event.note and event.done > self._last:
            self._last = event.done
            say_progress(f"iteration {event.done} of {event.total}: {event.note}")


def heuristics_of(flags: Mapping[str, Any], seed: int) -> Heuristics:
    """The Heuristics of the flags of symbolic exploration; a flag that is None has its default."""
    known = PathSelection()
    choices = PathSelection(
        flags["shuffle"],
        known.sample if flags["sample"] is None else flags["sample"],
        seed if flags["seed"] is None else flags["seed"],
        flags["paths"] or known.paths,
    )
    compare: ComparisonMode = flags["compare"] or "implication"
    return Heuristics(compare, flags["merge"], flags["prefer_uncovered"] or 0, choices=choices)


def run_explore(request: ExploreRequest, cwd: Path) -> Exploration | SymbolicExploration:
    """The counts for the class of ``request``.

    Raises UnitcraftError: ``not-a-class`` and those of finding and running.
    """
    located, project = class_setting(request.target, request.config, cwd)
    task = ClassToExplore(
        located.module,
        located.attribute,
        Bounds(request.iterations),
        request.methods,
        _domains(request, located.module),
        request.jobs,
        request.graph,
        **project.setting,
    )
    teller = CountTeller()
    if request.heuristics is None:
        return explore_class(task, teller)
    return explore_symbolically(task, request.heuristics, teller)


def _domains(request: ExploreRequest, module: str) -> Domains:
    """The values to try; a symbolic input starts as the first value of its type."""
    given = {name: tuple(map(Source, texts)) for name, texts in request.concrete.items()}
    others = _few_values(module)
    if request.heuristics is None:
        return Domains(request.ints, given, others)
    return Domains(request.ints, given, others, floats=tuple(map(float, request.ints)))


def render_counts(exploration: Exploration | SymbolicExploration, target: str, form: str) -> str:
    """The counts as JSON or as a table."""
    if form == "json":
        return render_document("explore", as_plain(exploration, target))
    head = ("iteration", "states", "tests", "seconds")
    rows = [
        (str(one.iteration), str(one.states), str(one.tests), f"{one.seconds:.2f}")
        for one in exploration.iterations
    ]
    lines = [target, align([head, *rows], left=())]
    lines += [
        f"{counted(count, 'test')} ended by: {reason}" for reason, count in exploration.blocked
    ]
    if isinstance(exploration, SymbolicExploration):
        lines += _remarks(exploration)
    return "\n".join(lines)


def _remarks(exploration: SymbolicExploration) -> list[str]:
    """Sentences about what was left out, and why; none when the counts are complete."""
    counts = exploration.counts
    lines = [
        f"{number} branches neither taken nor shown to be infeasible: {reason}"
        for reason, number in sorted(counts.reasons.items())
    ]
    if counts.cut:
        lines.append(f"{counts.cut} paths too long to be followed to their end")
    if counts.diverged:
        lines.append(f"{counts.diverged} runs went another way than their inputs were made for")
    if exploration.branches != (0, 0):
        lines.append("{} of {} branches of the module covered".format(*exploration.branches))
    return lines


def as_plain(exploration: Exploration | SymbolicExploration, target: str) -> dict[str, object]:
    """The counts as data for JSON; ``blocked`` counts tests that a bound or the policy ended."""
    plain: dict[str, object] = {
        "target": target,
        "iterations": [
            {
                "iteration": one.iteration,
                "states": one.states,
                "tests": one.tests,
                "seconds": round(one.seconds, 3),
            }
            for one in exploration.iterations
        ],
        "blocked": dict(exploration.blocked),
    }
    if isinstance(exploration, SymbolicExploration):
        plain["symbolic"] = _counters(exploration)
    return plain


def _counters(exploration: SymbolicExploration) -> dict[str, object]:
    """The paths and branches by outcome, and the answers of each solver."""
    counts = exploration.counts
    found: dict[str, object] = {
        "runs": counts.runs,
        "paths": counts.paths,
        "infeasible": counts.infeasible,
        "unknown": dict(sorted(counts.reasons.items())),
        "diverged": counts.diverged,
        "cut": counts.cut,
        "solvers": {
            layer: dict(zip(("sat", "unsat", "unknown"), row, strict=True))
            for layer, row in exploration.solved.items()
        },
    }
    if exploration.branches != (0, 0):
        found["branches"] = {"covered": exploration.branches[0], "all": exploration.branches[1]}
    return found


def _few_values(module: str) -> Callable[[TypeExpr], tuple[Arg, ...]]:
    pools = ValuePools(Subject(module, ""))
    return lambda kind: pools.values(kind, limit=MAX_OTHER_VALUES)
