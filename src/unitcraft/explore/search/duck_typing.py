"""Duck typing: asks workers to probe untyped parameters, and turns the answers into hints.

Invariant: a guess is only a hint; what counts is how runs with values of that
type turn out.
"""

from __future__ import annotations

from typing import Final

from unitcraft.core.encoding import Plain, encode_call
from unitcraft.core.types import TypeExpr
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.search.sequence_generator import Proposer
from unitcraft.explore.search.values.parameter_model import ParameterModel
from unitcraft.subject.ducktypes.probe_operation import ProbeOperation
from unitcraft.subject.ducktypes.type_inference import guess_types
from unitcraft.subject.model import ClassInfo

#: Guessed types that one parameter keeps: each is tried in turn, so more would thin out the best.
#: Off: 8 sites fewer in two of six modules, 7 of 36 in one; 6 more in a third, where seeds alone
#: differ by 10.
MAX_HINTS: Final = 4


def hint_types(proposers: list[Proposer], classes: tuple[ClassInfo, ...], pool: Pool) -> None:
    """Probe every Invocable with parameters that nothing types, and note the guesses."""
    asked: list[tuple[Proposer, Plain]] = []
    for proposer in proposers:
        item = _probe_item(proposer)
        if item is not None:
            asked.append((proposer, item))
    replies = pool.map("probe", [item for _, item in asked])
    for (proposer, _), reply in zip(asked, replies, strict=True):
        sightings = tuple(ProbeOperation(*row) for row in reply.value or ())
        for slot in filter(_is_untyped, proposer.slots):
            _add_hints(slot, guess_types(sightings, slot.parameter.name, classes))


def _add_hints(slot: ParameterModel, guessed: tuple[TypeExpr, ...]) -> None:
    for hint in guessed[:MAX_HINTS]:
        if hint.name != "any":
            slot.add_hint(hint)


def _is_untyped(slot: ParameterModel) -> bool:
    return slot.declared.name == "any" and slot.parameter.kind.startswith("positional")


def _probe_item(proposer: Proposer) -> Plain | None:
    required = [s for s in proposer.slots if s.parameter.kind.startswith("positional")]
    if not any(map(_is_untyped, required)):
        return None
    made = proposer.bare_call()
    if made is None:
        return None
    prefix, call = made
    names = tuple(slot.parameter.name for slot in required)
    return (tuple(encode_call(one) for one in prefix), encode_call(call), names)
