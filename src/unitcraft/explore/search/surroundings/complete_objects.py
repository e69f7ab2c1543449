"""Attributes that others set: an object that lacks one gets it before it is used.

A plugin is given its name by the loader, a mixin its fields by the class it is mixed into.  Where a
run ends because an object that it made lacks an attribute, the next runs set it.

Invariant: no attribute is set that is among those that calls can set.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from typing import Final

from unitcraft.core.sequences import Arg, Call, Ref, Sequence, renumber_call
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import UNKNOWN_USES, values_of
from unitcraft.subject.reading.replaceable_calls import AttributeUse

_LACKING: Final = re.compile(r"^'(\w+)' object has no attribute '(\w+)'$")


def complete_objects(
    run: Execution, stored: Container[str], uses: Mapping[str, AttributeUse] = UNKNOWN_USES
) -> list[Sequence]:
    """Variants of ``run`` in which an object has the attribute that it lacked at the end.

    ``stored`` are the names of the attributes that the module sets, ``uses`` what it does with
    those that it reads.
    """
    failed = run.failed
    lacking = _LACKING.match(failed.message or "") if failed else None
    if lacking is None or lacking[2].startswith("__") or lacking[2] in stored:
        return []
    return [
        _set_after(run.sequence, at, lacking[2], value)
        for at, call in enumerate(run.sequence.calls)
        if call.kind == "function" and re.split(r"[.:]", call.name)[-1] == lacking[1]
        for value in values_of(lacking[2], uses)
    ]


def _set_after(sequence: Sequence, at: int, name: str, value: Arg) -> Sequence:
    """``sequence`` that sets the attribute ``name`` of the result of Call ``at``."""
    where = {old: old + (old > at) for old in range(len(sequence))}
    calls = [renumber_call(call, where) for call in sequence.calls]
    setting = Call("set", name, (Ref(at), value))
    return Sequence((*calls[: at + 1], setting, *calls[at + 1 :]))
