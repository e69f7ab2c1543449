"""Arguments of another kind than their declared type, for code that checks what it is given.

A declared type is a promise, and still many functions refuse by a ``raise`` of their own what does
not keep it.  Their check has no other way to fail.

Invariant: one argument of the last Call changes; its new value is a literal of another kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Sequence_
from typing import Final

from unitcraft.core.sequences import Arg, Const, Sequence
from unitcraft.explore.declared_types import may_be
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.places import in_args
from unitcraft.explore.search.variation.variation_kind import ParameterSlot

#: Literals of kinds that code tells apart most often, in the order in which they are tried.
_LITERALS: Final[tuple[Arg, ...]] = (Const(1), Const("a"), Const(None))
#: Of them, as many are tried for each parameter.  One: 2 sites of 93 more of one module, 49 % more
#: runs.
MAX_EACH: Final = 2
#: Parameters of one Invocable that are tried, the first ones.  All, and all literals: no site of
#: 93, 9 % more runs; 1 fewer of 664 of ``pellets``.
MAX_PARAMETERS: Final = 6


def other_kinds(run: Execution, slots: Sequence_[ParameterSlot]) -> Iterator[Sequence]:
    """Variants of ``run`` in which one argument is not of the type that its parameter declares."""
    at = len(run.sequence) - 1
    call = run.sequence.calls[at]
    first = 1 if call.kind in ("method", "operator", "set") else 0
    for number, slot in enumerate(slots[:MAX_PARAMETERS]):
        index = first + number
        if slot.parameter.kind.startswith("var") or index >= len(call.args):
            break
        if slot.declared.name != "any":
            other = [one for one in _LITERALS if not may_be(one, slot.declared)]
            yield from map(in_args(run.sequence, at, index), other[:MAX_EACH])
