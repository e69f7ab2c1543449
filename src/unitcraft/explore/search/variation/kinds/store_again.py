"""What a run stores in an attribute of its object is stored once more, another value, in between.

An object that knows its changes shows nothing where the attribute is stored once: the last Call is
made, the attribute is stored again, and the Call is made again.

Invariant: the run stays as it is; the last Call, a store and the last Call come behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.variation_kind import Materials, OnceEach

#: What an empty container gets, and an empty one takes the place of others.
_ITEMS: Final[dict[str, tuple[Arg, ...]]] = {
    "dict": (Const("abc"), Const(1)), "list": (Const(1),), "set": (Const(1),), "tuple": (Const(1),),
}  # fmt: skip


class StoreAgain:
    """A second store before the last Call is repeated (mutable: each only once)."""

    name = "stores"

    def __init__(self) -> None:
        self._once = OnceEach()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run, then another store in what its last Call is made on, then that Call again."""
        *before, last = run.sequence.calls
        receiver = last.args[0] if last.kind != "function" and last.args else None
        stores = [one for one in before if one.kind == "set" and one.args[0] == receiver]
        found = (
            Sequence((*run.sequence.calls, replace(store, args=(store.args[0], value)), last))
            for store in stores
            for value in _others(store, materials)
        )
        return self._once.pick(found, rng)


def _others(store: Call, materials: Materials) -> Iterator[Arg]:
    """Other values for what is stored: filled in place of empty and empty, more, of other runs."""
    value = store.args[1]
    match value:
        case Display(kind, items):
            yield replace(value, items=() if items else _ITEMS.get(kind, ()))
            if kind == "dict" and items:
                yield replace(value, items=(items[0], Const("other"), *items[2:]))
            elif items:
                yield replace(value, items=(*items, items[0]))
        case Const(str() as text):
            yield Const("" if text else "abc")
            yield Const(text + text)
        case Const(int() as number):
            yield Const(not number if isinstance(number, bool) else number + 1)
    for donor in materials.donors:
        for call in donor.sequence.calls:
            if call.kind == "set" and call.name == store.name and call.args[1] != value:
                yield call.args[1]
