"""Batches: which items run together, and how a failed batch is cut.

Invariant: a batch names its items by their positions in the caller's list; cutting keeps the
order, and every position stays in exactly one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from unitcraft.core.outcomes import Exhausted

#: Items that a worker is given at a time.
MAX_BATCH: Final = 64
#: Parts that fewer items are divided into, so that all workers have some.  With one part a module
#: of a scheduler took 35 s in place of 23, alone on two cores.
PARTS: Final = 8


@dataclass(frozen=True, slots=True)
class Batch:
    """Items ``positions`` to be run by one worker.

    ``fresh``: in a worker forked for it alone.  ``suspect``: a worker already died while it ran.
    ``doubted`` is what the item after these is answered by if they leave nothing behind: it hung
    when it ran after them, which may have been their fault.
    """

    positions: range
    fresh: bool = False
    suspect: bool = False
    doubted: Exhausted | None = None


def part_of(count: int, most: int = MAX_BATCH) -> int:
    """The size of batches of ``count`` items: at most ``most``."""
    return min(most, 1 + count // PARTS)


def cut_into_batches(count: int, size: int, *, fresh: bool) -> Iterator[Batch]:
    """Cut ``count`` items into batches of ``size``."""
    for begin in range(0, count, size):
        yield Batch(range(begin, min(begin + size, count)), fresh)


def isolate_item(batch: Batch, index: int) -> list[Batch]:
    """The item at ``index`` alone in a fresh worker, and the items before and after it."""
    positions = batch.positions
    parts = [replace(batch, positions=part) for part in (positions[:index], positions[index + 1 :])]
    return [part for part in (parts[0], run_alone(batch, index), parts[1]) if part.positions]


def run_alone(batch: Batch, index: int) -> Batch:
    """The item at ``index`` in a fresh worker."""
    positions = batch.positions[index : index + 1]
    return replace(batch, positions=positions, fresh=True, suspect=True)


def split_in_half(batch: Batch) -> list[Batch]:
    """Two halves, each in a fresh worker."""
    middle = len(batch.positions) // 2
    parts = (batch.positions[:middle], batch.positions[middle:])
    return [replace(batch, positions=part, fresh=True) for part in parts if part]


def unanswered(batch: Batch, answered: int) -> list[Batch]:
    """The items after the first ``answered`` ones."""
    remaining = batch.positions[answered:]
    return [replace(batch, positions=remaining)] if remaining else []
