"""An argument that has an attribute for which the code asks without needing it.

``if hasattr(node, "render")`` raises nothing where it is missing, so that no run tells what it
lacked; the source does.  So it is with ``callable``.

Invariant: one value becomes a function or a stand-in, or a stand-in has one attribute more.
"""

from __future__ import annotations

from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.grow_stand_ins import (
    EMPTY,
    NAMESPACE,
    RESULTS,
    values_of,
)
from unitcraft.explore.search.variation.places import places, returning
from unitcraft.explore.search.variation.variation_kind import Materials
from unitcraft.subject.scopes import CALLED

#: What functions return, of those that nobody needs.
_RESULTS: Final = (Const(value=True), Const(None), *RESULTS)


class GiveAttributes:
    """A value of the run replaced by a stand-in with an attribute that the code asks for."""

    name = "attributes"

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run with an attribute that is asked for near to what is missing."""
        asked = materials.asked
        found = [(arg, put) for arg, put in places(run.sequence) if asked and _may_change(arg)]
        if not found:
            return None
        name = asked[rng.randrange(len(asked))]
        arg, put = found[rng.randrange(len(found))]
        if name == CALLED:
            return put(returning(_RESULTS[rng.randrange(len(_RESULTS))]))
        values = values_of(name, materials.uses)
        stand_in = arg if isinstance(arg, Build) else EMPTY
        given = {**dict(stand_in.kwargs), name: values[rng.randrange(len(values))]}
        return put(Build(NAMESPACE, (), tuple(given.items())))


def _may_change(arg: Arg) -> bool:
    """Is it a plain value, or a stand-in of attributes alone?"""
    if isinstance(arg, Build):
        return arg.callee == NAMESPACE and not arg.args
    return isinstance(arg, Const | Display)
