"""One run of ``explore``: finds the class, has it explored, prints the counts.

Invariant: the class is described and run by guarded workers only.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from unitcraft.app.columns import aligned
from unitcraft.app.config import Config
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.terms import Arg
from unitcraft.core.types import TypeExpr
from unitcraft.execute.policy import Policy
from unitcraft.explore.concrete import Exploration
from unitcraft.explore.domains import Domains
from unitcraft.explore.loop import Bounds
from unitcraft.explore.tasks import Request, explore_class
from unitcraft.subject.locate import Located, locate
from unitcraft.subject.model import Subject
from unitcraft.subject.pools import Pools

#: Values for a parameter that takes no integer.
OTHERS = 3


@dataclass(frozen=True, slots=True)
class Wish:
    """What to explore: no ``methods`` means all public ones."""

    target: str
    methods: tuple[str, ...]
    ints: tuple[int, ...]
    iterations: int
    jobs: int
    config: Config
    graph: bool


def explored(wish: Wish, cwd: Path) -> Exploration:
    """The counts for the class of ``wish``.

    Raises UnitcraftError: ``not-a-class`` and those of finding and running.
    """
    config = wish.config
    paths = [config.root / path for path in config.paths]
    located = _class_of(wish.target, locate(wish.target, cwd, paths))
    request = Request(
        located.module,
        located.attribute,
        Bounds(wish.iterations),
        wish.methods,
        Domains(wish.ints, otherwise=_few_values(located.module)),
        (str(located.root), *(str(path) for path in paths)),
        Policy(config.sandbox, tuple(_waiver(text) for text in config.allow)),
        wish.jobs,
        wish.graph,
    )
    return explore_class(request)


def shown(exploration: Exploration, target: str, form: str) -> str:
    """The counts as JSON or as a table."""
    if form == "json":
        return json.dumps(as_plain(exploration, target), indent=2)
    head = ("iteration", "states", "tests", "seconds")
    rows = [
        (str(one.iteration), str(one.states), str(one.tests), f"{one.seconds:.2f}")
        for one in exploration.iterations
    ]
    lines = [target, aligned([head, *rows], left=())]
    lines += [f"{count} tests ended by: {reason}" for reason, count in exploration.blocked]
    return "\n".join(lines)


def as_plain(exploration: Exploration, target: str) -> dict[str, object]:
    """The counts as data for JSON; ``blocked`` counts tests that a bound or the policy ended."""
    return {
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


def _class_of(target: str, found: tuple[Located, ...]) -> Located:
    if len(found) == 1 and found[0].attribute:
        return found[0]
    raise UnitcraftError(
        "not-a-class",
        f"{target} does not name one class",
        advice="name it as module:Class or path/to/module.py:Class",
    )


def _waiver(text: str) -> tuple[str, str]:
    """``EVENT:ARG``, both of them patterns; without ``:ARG`` whatever the argument."""
    event, _, argument = text.partition(":")
    return event, argument or "*"


def _few_values(module: str) -> Callable[[TypeExpr], tuple[Arg, ...]]:
    pools = Pools(Subject(module, ""))
    return lambda kind: pools.values(kind, limit=OTHERS)
