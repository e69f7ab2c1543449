"""Combinations of alternatives, those of early alternatives first.

Invariant: every combination is given once, ordered by the sum of the places of its parts; among
equal sums, those with an earlier first part come first.  ``by_likeness`` alone orders by another
rank.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def by_rank(columns: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """All combinations of one item of each column; none when a column is empty."""
    if not all(columns):
        return
    sizes = [range(len(column)) for column in columns]
    for total in range(sum(size.stop - 1 for size in sizes) + 1):
        for places in _places_summing_to(sizes, total):
            yield tuple(column[at] for column, at in zip(columns, places, strict=True))


def by_likeness(columns: Sequence[Sequence[T]]) -> Iterator[tuple[T, ...]]:
    """As ``by_rank``, with each combination of like parts where one of them alone would stand.

    The rows of a table have one length, so that those come before all other forms of it.
    """
    if len(columns) < 2:  # noqa: PLR2004 - nothing to be like
        yield from by_rank(columns)
        return
    if not all(columns):
        return
    likes = iter(zip(*columns, strict=False))
    sizes = [range(len(column)) for column in columns]
    for rank in range(sum(size.stop - 1 for size in sizes) + 1):
        yield from islice(likes, 1)
        for places in _places_summing_to(sizes, rank):
            if len({*places}) > 1:
                yield tuple(column[at] for column, at in zip(columns, places, strict=True))


def _places_summing_to(sizes: Sequence[range], total: int) -> Iterator[tuple[int, ...]]:
    """One place of each of ``sizes``, so that the places add up to ``total``."""
    if not sizes:
        if total == 0:
            yield ()
        return
    rest = sum(size.stop - 1 for size in sizes[1:])
    for first in range(max(0, total - rest), min(sizes[0].stop - 1, total) + 1):
        for others in _places_summing_to(sizes[1:], total - first):
            yield (first, *others)
