"""The agent of the search: import the Subject, rewritten or as it is, and serve the planner.

Invariant: nothing that this module imports plans a search; what it imports is what of unitcraft
shares the process with the Subject; no probe leaves the worker, and what the Subject raises while
it is probed ends the run and nothing else.
"""

from __future__ import annotations

import contextlib
import inspect
import linecache
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.execute.guest.interpret import compile_call
from unitcraft.explore.agents.observers import Observer
from unitcraft.explore.agents.run_calls import run_calls
from unitcraft.explore.agents.run_traced import TracedRunner
from unitcraft.instrument.branch_recorder import ADDRESS, RECORDER, RecordedBranches
from unitcraft.instrument.def_use_pairs import describe_pairs
from unitcraft.instrument.import_hook import Hook
from unitcraft.instrument.reaching_definitions import FollowedFields
from unitcraft.instrument.step_probes import StepProbes
from unitcraft.subject.ducktypes import duck_probe

#: Levels of tables that are read for texts, the module's own variables being the first.
MAX_TABLE_DEPTH: Final = 4
#: Values of one level that are read: bounds the time that importing a huge table costs.
MAX_TABLE_VALUES: Final = 4000
#: Items that are taken of a generator that is probed: its body does not run before the first.
MAX_ITEMS: Final = 3
#: Parts of a path, the root among them, that no two machines are likely to share.
MIN_PARTS: Final = 4
#: What the agent serves; filled by ``prepare``.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {}


def prepare(options: Plain, import_subject: Callable[[str], ModuleType]) -> Plain:
    """Import ``options["module"]``; with ``options["rewrite"]`` through the import hook.

    Without ``options["probes"]`` (they are there by default) rewritten code only counts steps.
    Answers the fields of ``SearchReady`` by name when rewritten, else {}.  The def-use pairs are
    listed with ``options["fields"]`` only.
    """
    module_name: str = options["module"]
    package = module_name.partition(".")[0]
    followed = FollowedFields(module_name) if options.get("fields") else None
    branches = RecordedBranches()
    hook = None
    if options["rewrite"]:
        counted = branches if options.get("probes", True) else StepProbes()
        hook = Hook(module_name, *([followed] if followed else []), counted)
        hook.install()
    module = import_subject(module_name)
    _serve(package, module)
    RECORDER.patterns = set(texts_of(module))
    if hook is None:
        return {}
    table = branches.table
    RECORDER.known = len(table.sites)
    imported = RECORDER.stop()[0]
    folders = installed_folders(module)
    RECORDER.volatile = (ADDRESS, str(Path.cwd()), *folders)
    hook.choice.settle()
    ready = {
        "sites": table.as_plain(),
        "raises": [tuple(one) for one in table.raises],
        "guards": sorted(table.guards),
        "pairs": [tuple(pair) for pair in describe_pairs(followed.table)] if followed else [],
        "folders": folders,
        "imported": imported,
    }
    hook.choice.load_late()
    return ready


def installed_folders(module: ModuleType) -> tuple[str, ...]:
    """Where this machine has the module's package, unitcraft and the interpreter.

    A text below one of them is another one elsewhere.  An interpreter for all, as below ``/usr``,
    has names that programs write.
    """
    package, _, inner = module.__name__.partition(".")
    top = vars(sys.modules.get(package, module)).get("__file__") if inner else module.__file__
    home = Path(top or __file__)
    roots = [home.parent if home.stem == "__init__" else home.with_suffix("")]
    roots += [Path(__file__).parents[2], *map(Path, (sys.prefix, sys.base_prefix))]
    return tuple(dict.fromkeys(str(one) for one in roots if len(one.parts) >= MIN_PARTS))


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


def _serve(package: str, module: ModuleType) -> None:
    runner = TracedRunner(package, module.__name__)
    source = "".join(linecache.getlines(str(module.__file__)))
    observer = Observer(package, module.__name__, source)
    services: dict[str, Any] = {
        "run": runner.run,
        "before": observer.before,
        "after": observer.stable_after,
        "likely": observer.likely_after,
        "probe": probe_parameters,
        "failing": failing_calls,
    }
    SERVICES.update(services)


def failing_calls(item: Plain) -> Plain:
    """The ``failing`` service: the numbers of the Calls that raise, or need one that does.

    ``item`` is (calls, the Calls that each refers to); those that raise are passed over.
    """
    calls, needed = item
    results: list[object] = []
    failing: list[int] = []
    for position in range(len(calls)):
        is_lost = not set(failing).isdisjoint(needed[position])
        if is_lost or run_calls(calls[: position + 1], results) is not None:
            failing.append(position)
            results.append(None)
    return tuple(failing)


def probe_parameters(item: Plain) -> Plain:
    """The ``probe`` service: (path, operation, operand, arity) of each use of a probe.

    ``item`` is (calls that make the receiver, call without arguments, parameter names).
    """
    prefix, call, names = item
    results: list[object] = []
    if run_calls(prefix, results) is not None:
        return ()
    recorder = duck_probe.ProbeRecorder()
    probes = [duck_probe.make_probe(name, recorder) for name in names]
    kind, name, args, kwargs, then = call
    given = tuple(("r", len(results) + position) for position in range(len(names)))
    with contextlib.suppress(
        Exception, duck_probe.ProbeBudgetSpent
    ):  # earlier uses of probes count
        outcome = compile_call((kind, name, (*args, *given), kwargs, then))([*results, *probes])
        _start_generator(outcome)
    return tuple((s.path, s.operation, s.operand, s.arity) for s in recorder.sightings)


def _start_generator(outcome: object) -> None:
    """Take the first items of a generator, so that its body is probed too."""
    if inspect.isgenerator(outcome):
        for _, _item in zip(range(MAX_ITEMS), outcome, strict=False):
            pass
