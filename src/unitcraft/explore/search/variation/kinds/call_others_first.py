"""What other Invocables did comes first, because a function reads what they left behind.

``run_all()`` runs the jobs of a scheduler that the module holds; ``every(10).minutes.do(work)``
entered one.  No argument leads from the one to the other.

Invariant: the run stays as it is; the Calls of one other run come before it.
"""

from __future__ import annotations

from random import Random
from typing import Final

from unitcraft.core.sequences import Sequence, renumber_call
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.variation_kind import Materials, OnceEach

#: Calls of a run with another before it: what is longer nobody reads.
MAX_CALLS: Final = 8


class CallOthersFirst:
    """Another run before a call of a function (mutable: each pair only once)."""

    name = "other calls first"

    def __init__(self) -> None:
        self._once = OnceEach()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The Calls of another run, then those of ``run``."""
        joined = (_joined(other.sequence, run.sequence) for other in materials.others())
        return self._once.pick((one for one in joined if one is not None), rng)


def _joined(first: Sequence, second: Sequence) -> Sequence | None:
    """Both, one after the other; None where they are long or arrange what is around them."""
    calls = (*first.calls, *second.calls)
    if len(calls) > MAX_CALLS or any(call.kind in ("arrange", "define") for call in calls):
        return None
    later = {at: at + len(first) for at in range(len(second))}
    return Sequence((*first.calls, *[renumber_call(call, later) for call in second.calls]))
