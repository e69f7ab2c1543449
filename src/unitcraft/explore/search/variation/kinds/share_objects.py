"""One object in two places: the receiver as its own argument, and containers of what there is.

Two objects that are made of two others of one class are made of one: plots of one garden.

Invariant: only results of earlier Calls are shared; no Call is added.
"""

from __future__ import annotations

from random import Random

from unitcraft.core.sequences import Arg, Call, Display, Ref, Sequence
from unitcraft.explore.calls import one_for_two
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.places import put_call
from unitcraft.explore.search.variation.variation_kind import Materials


class ShareObjects:
    """An argument of the last Call replaced by an object that the run has made before."""

    name = "shared objects"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with an earlier result, or a container of it, as an argument; or one for two."""
        shared_maker = one_for_two(run.sequence, rng)
        if shared_maker is not None:
            return shared_maker
        at = len(run.sequence) - 1
        call = run.sequence.calls[at]
        first = 1 if call.kind in ("method", "operator", "set", "get") else 0
        slots = materials.slots(at)
        open_places = [
            place
            for place in range(first, len(call.args))
            if place - first < len(slots) and slots[place - first].declared.name in _OPEN
        ]
        results = [one for one in range(at) if _has_result(run.sequence.calls[one])]
        if not results or not open_places:
            return None
        place = open_places[rng.randrange(len(open_places))]
        shared: Arg = Ref(results[rng.randrange(len(results))])
        wraps = (None, None, "list", "tuple")[rng.randrange(4)]
        if wraps == "list":
            shared = Display("list", (shared,) * rng.randint(1, 2))
        elif wraps == "tuple":
            shared = Display("tuple", (shared, shared))
        args = (*call.args[:place], shared, *call.args[place + 1 :])
        return put_call(run.sequence, at, Call(call.kind, call.name, args, call.kwargs, call.then))


def _has_result(call: Call) -> bool:
    """Does the Call make something?  A statement, as ``a.b = 1`` or ``del a[0]``, does not."""
    is_statement = call.kind == "operator" and call.name.startswith(("[]=", "del"))
    return call.kind not in ("arrange", "define", "set") and not is_statement


#: Declared types that an object of the Subject may satisfy.
_OPEN = frozenset({"any", "class", "union", "list", "sequence", "iterable"})
