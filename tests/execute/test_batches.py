"""Cutting batches keeps every position in exactly one place, in order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from unitcraft.execute.pool.batches import (
    Batch,
    cut_into_batches,
    isolate_item,
    part_of,
    split_in_half,
    unanswered,
)


def positions(parts):
    return [position for part in parts for position in part.positions]


@given(st.integers(0, 300), st.integers(1, 70))
def test_batches_cover_all_items_in_order(count, size):
    parts = list(cut_into_batches(count, size, fresh=False))
    assert positions(parts) == list(range(count))
    assert all(0 < len(part.positions) <= size for part in parts)


@given(st.integers(2, 1000), st.integers(1, 70))
def test_there_is_a_part_for_a_second_worker(count, most):
    assert 0 < part_of(count, most) <= min(most, count - 1)


@given(st.integers(1, 50), st.data())
def test_cutting_keeps_order(count, data):
    batch = Batch(range(10, 10 + count))
    index = data.draw(st.integers(0, count - 1))
    assert positions(isolate_item(batch, index)) == list(batch.positions)
    assert positions(split_in_half(batch)) == list(batch.positions)
    assert positions(unanswered(batch, index)) == list(batch.positions)[index:]


def test_the_suspect_runs_alone_in_a_fresh_worker():
    before, alone, after = isolate_item(Batch(range(5)), 2)
    assert (alone.positions, alone.fresh, alone.suspect) == (range(2, 3), True, True)
    assert not before.fresh
    assert not after.suspect
