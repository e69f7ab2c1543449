"""The agent of the search: import the Subject, rewritten or as it is, and serve the planner.

Invariant: nothing that this module imports plans a search; what it imports is what of unitcraft
shares the process with the Subject.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.explore.agents.duck_probing import probe_parameters
from unitcraft.explore.agents.observers import Observer
from unitcraft.explore.agents.run_traced import TracedRunner
from unitcraft.instrument.branch_recorder import RECORDER
from unitcraft.instrument.def_use_pairs import describe_pairs
from unitcraft.instrument.import_hook import Hook

#: Levels of tables that are read for texts, the module's own variables being the first.
MAX_TABLE_DEPTH: Final = 4
#: Values of one level that are read: bounds the time that importing a huge table costs.
MAX_TABLE_VALUES: Final = 4000
#: What the agent serves; filled by ``prepare``.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}


def prepare(options: Plain) -> Plain:
    """Import ``options["module"]``; with ``options["rewrite"]`` through the import hook.

    Without ``options["probes"]`` (they are there by default) rewritten code only counts steps.
    Answers the fields of ``SearchReady`` by name when rewritten, else {}.  The def-use pairs are
    listed with ``options["fields"]`` only.
    """
    module_name: str = options["module"]
    package = module_name.partition(".")[0]
    followed = module_name if options.get("fields") else ""
    probes: bool = options.get("probes", True)
    hook = None
    if options["rewrite"]:
        hook = Hook(module_name, tracing=probes, marking=probes, followed=followed)
        hook.install()
    module = importlib.import_module(module_name)
    _serve(package, module_name)
    RECORDER.patterns = set(texts_of(module))
    if hook is None:
        return {}
    RECORDER.known = len(hook.table.sites)
    hook.choice.settle()
    return {
        "sites": hook.table.as_plain(),
        "raises": hook.table.raises,
        "guards": sorted(hook.table.guards),
        "pairs": [tuple(pair) for pair in describe_pairs(hook.fields)],
    }


def texts_of(module: ModuleType) -> Iterator[str]:
    """The texts and regular expressions in the module's tables, three levels deep."""
    level: list[object] = list(vars(module).values())
    for _ in range(MAX_TABLE_DEPTH):
        inner: list[object] = []
        for value in level[:MAX_TABLE_VALUES]:
            if type(value) is str:
                yield value
            elif type(value) is re.Pattern:
                yield value.pattern
            elif type(value) in (list, tuple, set, frozenset):
                inner += value  # type: ignore[arg-type]
            elif type(value) is dict:
                inner += [*value.keys(), *value.values()]
        level = inner


def _serve(package: str, module: str) -> None:
    runner, observer = TracedRunner(package, module), Observer(package)
    services: dict[str, Any] = {
        "run": runner.run,
        "before": observer.before,
        "after": observer.stable_after,
        "probe": probe_parameters,
    }
    SERVICES.update(services)
