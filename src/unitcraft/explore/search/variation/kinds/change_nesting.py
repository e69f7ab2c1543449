"""Containers of a run become others: of another kind, one level deeper, or of equal items.

Code that walks through nested values asks each for its kind, and code that walks through several at
once wants them alike.

Invariant: the atoms stay those of the run; no container becomes deeper than ``MAX_DEPTH``.
"""

from __future__ import annotations

from random import Random
from typing import Final

from unitcraft.core.sequences import Arg, Const, Display, Sequence, children
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.places import places
from unitcraft.explore.search.variation.variation_kind import Materials

#: Levels of containers: deeper ones are not read at a glance.  Halved with nine others, sites of
#: ``pellets`` (664, seed 0): +7.
MAX_DEPTH: Final = 3
#: Chance that a list or tuple gets one new item for all its items, twice at least.
#: Off: no site of 153, 8 runs fewer of 9,800.
ALIKE_CHANCE: Final = 0.4
#: Keys of a container that becomes a dictionary.
_KEYS: Final = tuple(Const(letter) for letter in "abcdefgh")


class ChangeNesting:
    """A container or atom of the run as a container of another kind."""

    name = "nesting"

    def vary(self, run: Execution, _materials: Materials, rng: Random) -> Sequence | None:
        """The run with one container or atom replaced."""
        found = [place for place in places(run.sequence) if isinstance(place[0], (Const, Display))]
        containers = [place for place in found if isinstance(place[0], Display)]
        if not containers:
            return None
        arg, put = found[rng.randrange(len(found))]
        new = change_nesting(arg, rng)
        if new is None or depth_of(new) > MAX_DEPTH:
            return None
        if isinstance(arg, Display) and arg.kind in ("list", "tuple") and arg.items:
            inner = change_nesting(arg.items[0], rng)
            if inner is not None and rng.random() < ALIKE_CHANCE:
                new = Display(arg.kind, (inner,) * max(2, len(arg.items)))
        return put(new) if depth_of(new) <= MAX_DEPTH else None


def change_nesting(arg: Arg, rng: Random) -> Display | None:
    """``arg`` inside a container, or its items in one of another kind."""
    how = rng.randrange(8)
    if how < 3 or not isinstance(arg, Display):  # noqa: PLR2004 - three ways to wrap
        return _of_kind(("list", "tuple", "dict")[how % 3], (arg,))
    items = arg.items[1::2] if arg.kind == "dict" else arg.items
    return _of_kind(("list", "tuple", "dict", "set")[how % 4], items)


def _of_kind(kind: str, items: tuple[Arg, ...]) -> Display | None:
    """A container of ``items``; None for a set of what has no hash."""
    if kind == "dict":
        pairs = zip(_KEYS, items, strict=False)
        return Display("dict", tuple([part for pair in pairs for part in pair]))
    if kind == "set":
        return Display("set", items) if all(isinstance(one, Const) for one in items) else None
    return Display("list" if kind == "list" else "tuple", items)


def depth_of(arg: Arg) -> int:
    """The levels of containers in ``arg``."""
    inner = max(map(depth_of, children(arg)), default=0)
    return inner + isinstance(arg, Display)
