"""The worker's side of duck typing: call an Invocable with probes and answer their operations.

Invariant: an answer holds operations and names; no probe leaves the worker, and what the Subject
raises while it is probed ends the run and nothing else.
"""

from __future__ import annotations

import contextlib
import inspect
from typing import Final

from unitcraft.core.encoding import Plain
from unitcraft.execute.guest.interpret import compile_call
from unitcraft.explore.agents.run_traced import run_calls
from unitcraft.subject.ducktypes import duck_probe

#: Items that are taken of a generator: its body does not run before the first.
MAX_ITEMS: Final = 3


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
