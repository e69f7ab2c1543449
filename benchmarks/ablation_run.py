"""One run of the engine with changed constants, for ``ablation.py``.

The argument is a JSON object; the answer is one line of JSON with the figures of the run.  Only
constants that the code looks up as globals of their module can be changed.
"""

from __future__ import annotations

import importlib
import json
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from unitcraft.app.generate import engine, generate_module
from unitcraft.core.events import SilentListener
from unitcraft.execute.pool.fork_server import SERVERS
from unitcraft.explore.search.goal_search import GoalSearch
from unitcraft.explore.search.search_result import Limits, SearchResult
from unitcraft.subject.locate import locate


class SearchOver(Exception):  # noqa: N818 - it ends a run, it is no error
    """Raised after the search of a run that wants no suite."""


def main(order: Mapping[str, Any]) -> dict[str, float]:
    """The figures of the run that ``order`` describes."""
    for module, constant, change in order["patches"]:
        home = owner_of(module)
        setattr(home, constant, changed(getattr(home, constant), change))
    figures: dict[str, float] = {}
    setattr(engine, "GoalSearch", _watched(figures, stop=order["mode"] == "search"))  # noqa: B010
    setattr(generate_module, "add_mutant_goals", _counting(figures))  # noqa: B010
    home = order["home"]
    options = engine.Options(seed=order["seed"], paths=(home,), criterion=tuple(order["criterion"]))
    (located,) = locate(order["module"], Path(home), [Path(home)])
    try:
        made = generate_module.generate(located, options, SilentListener())
    except SearchOver:
        pass
    else:
        figures["branches"] = made.branches_covered
        figures["tests"] = made.tests
        figures["lines"] = len(made.text.splitlines())
    figures["cpu"] = cpu_seconds()
    return figures


def owner_of(path: str) -> Any:
    """The module of a dotted path, or the class whose module comes before its name."""
    module, _, name = path.rpartition(".")
    if name[:1].isupper():
        return getattr(importlib.import_module(module), name)
    return importlib.import_module(path)


def changed(value: Any, change: Any) -> Any:
    """``value`` halved, doubled or switched off; another ``change`` is the new value itself."""
    if change == "off":
        return _off(value)
    if change not in ("half", "double"):
        return change
    if isinstance(value, Mapping):
        return {key: changed(inner, change) for key, inner in value.items()}
    if isinstance(value, tuple):
        return value[: (len(value) + 1) // 2] if change == "half" else value * 2
    if isinstance(value, int):
        return max(1, value // 2) if change == "half" else 2 * value
    return value / 2 if change == "half" else 2 * value


def _off(value: Any) -> Any:
    if callable(value):
        is_list = str(getattr(value, "__annotations__", {}).get("return")).startswith("list")
        return lambda *_, **__: [] if is_list else {}
    return type(value)() if isinstance(value, (int, float, tuple)) else {}


def _watched(figures: dict[str, float], *, stop: bool) -> type[GoalSearch]:
    """A search that notes what it found, and ends the run there if it is told to ``stop``."""

    class Watched(GoalSearch):
        def explore(self, limits: Limits, listener: Any) -> SearchResult:
            found = super().explore(limits, listener)
            own = sum(site.module == self.subject.module for site in found.goals.sites)
            figures["sites"] = own - len(found.goals.missed())
            figures["goals"] = len(found.goals)
            figures["runs"] = found.executions
            if stop:
                raise SearchOver
            return found

    return Watched


def _counting(figures: dict[str, float]) -> Callable[..., Any]:
    """The mutation analysis, which notes how many mutants were killed."""
    analyse = generate_module.add_mutant_goals

    def counted(*arguments: Any) -> Any:
        kills = analyse(*arguments)
        figures["killed"] = kills.killed
        return kills

    return counted


def cpu_seconds() -> float:
    """CPU of this process and of all that it started."""
    SERVERS.close()
    spent = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


if __name__ == "__main__":
    print(json.dumps(main(json.loads(sys.argv[1]))))
