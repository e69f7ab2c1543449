"""Batches: which items run together, and how a failed batch is cut.

Invariant: a batch names its items by their positions in the caller's list; cutting keeps the
order, and every position stays in exactly one batch.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Batch:
    """Items ``positions`` to be run by one worker.

    ``fresh``: in a worker forked for it alone.  ``suspect``: a worker already died while it ran.
    """

    positions: range
    fresh: bool = False
    suspect: bool = False


def cut_into_batches(count: int, size: int, *, fresh: bool) -> Iterator[Batch]:
    """Cut ``count`` items into batches of ``size``."""
    for begin in range(0, count, size):
        yield Batch(range(begin, min(begin + size, count)), fresh)


def isolate_item(batch: Batch, index: int) -> list[Batch]:
    """The item at ``index`` alone in a fresh worker, and the items before and after it."""
    positions = batch.positions
    alone = replace(batch, positions=positions[index : index + 1], fresh=True, suspect=True)
    parts = [replace(batch, positions=part) for part in (positions[:index], positions[index + 1 :])]
    return [part for part in (parts[0], alone, parts[1]) if part.positions]


def split_in_half(batch: Batch) -> list[Batch]:
    """Two halves, each in a fresh worker."""
    middle = len(batch.positions) // 2
    parts = (batch.positions[:middle], batch.positions[middle:])
    return [replace(batch, positions=part, fresh=True) for part in parts if part]


def unanswered(batch: Batch, answered: int) -> list[Batch]:
    """The items after the first ``answered`` ones."""
    remaining = batch.positions[answered:]
    return [replace(batch, positions=remaining)] if remaining else []
