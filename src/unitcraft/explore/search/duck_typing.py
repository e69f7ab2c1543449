"""Duck-typed probes: which types the code seems to want where nobody says.

Invariant: a guess is only a hint; what counts is how runs with values of that
type turn out.
"""

from __future__ import annotations

import contextlib
import inspect

from unitcraft.core.encoding import Plain, encode_call
from unitcraft.core.types import TypeExpr
from unitcraft.execute.guest.interpret import compiled
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.agents.run_traced import attempt
from unitcraft.explore.search.parameter_model import Slot
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.subject.ducktypes import duck_probe
from unitcraft.subject.ducktypes.type_inference import Sighting, guess
from unitcraft.subject.model import ClassInfo

#: Types kept for one parameter.
MAX_HINTS = 4


def sighted(item: Plain) -> Plain:
    """The worker's service: (path, operation, operand, arity) of what met the probes.

    ``item`` is (calls that make the receiver, call without arguments, parameter names).
    """
    prefix, call, names = item
    results: list[object] = []
    if attempt(prefix, results) is not None:
        return ()
    recorder = duck_probe.Recorder()
    probes = [duck_probe.probe(name, recorder) for name in names]
    kind, name, args, kwargs, then = call
    given = tuple(("r", len(results) + position) for position in range(len(names)))
    with contextlib.suppress(Exception, duck_probe.Enough):  # what was met before counts
        outcome = compiled((kind, name, (*args, *given), kwargs, then))([*results, *probes])
        _consumed(outcome)
    return tuple((s.path, s.operation, s.operand, s.arity) for s in recorder.sightings)


def _consumed(outcome: object) -> None:
    """Run the first steps of a generator: its body has not begun yet."""
    if inspect.isgenerator(outcome):
        for _, _item in zip(range(3), outcome, strict=False):
            pass


def hint_slots(proposers: list[Proposer], classes: tuple[ClassInfo, ...], pool: Pool) -> None:
    """Probe every Invocable with parameters that nothing types, and note the guesses."""
    asked: list[tuple[Proposer, Plain]] = []
    for proposer in proposers:
        item = _item(proposer)
        if item is not None:
            asked.append((proposer, item))
    replies = pool.map("probe", [item for _, item in asked])
    for (proposer, _), reply in zip(asked, replies, strict=True):
        sightings = tuple(Sighting(*row) for row in reply.value or ())
        for slot in filter(_open, proposer.slots):
            _note(slot, guess(sightings, slot.parameter.name, classes))


def _note(slot: Slot, guessed: tuple[TypeExpr, ...]) -> None:
    for hint in guessed[:MAX_HINTS]:
        if hint.name != "any" and hint not in slot.hints:
            slot.hints.append(hint)


def _open(slot: Slot) -> bool:
    return slot.declared.name == "any" and slot.parameter.kind.startswith("positional")


def _item(proposer: Proposer) -> Plain | None:
    required = [s for s in proposer.slots if s.parameter.kind.startswith("positional")]
    if not any(map(_open, required)):
        return None
    made = proposer.bare_call()
    if made is None:
        return None
    prefix, call = made
    names = tuple(slot.parameter.name for slot in required)
    return (tuple(encode_call(one) for one in prefix), encode_call(call), names)
