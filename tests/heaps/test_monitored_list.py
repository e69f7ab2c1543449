"""A monitored list reads as a list does, and is never changed."""

from __future__ import annotations

import pytest

from unitcraft.heaps.guest.field_choices import build_domain
from unitcraft.heaps.guest.lazy_heap import LazyHeap
from unitcraft.heaps.guest.monitored_list import CHANGES, new_list


@pytest.fixture
def items():
    """A list of [0, 0], nothing of it chosen yet."""
    domain = build_domain(("list", 2, 2, ("int", 0, 1, False)), ())
    return new_list(LazyHeap((2,)), domain.values[0])


@pytest.mark.parametrize(
    "read",
    [
        len, list, bool, sorted, sum, repr, lambda it: it[0], lambda it: it[-1], lambda it: it[:1],
        lambda it: it == [0, 0], lambda it: 0 in it, lambda it: it.index(0), lambda it: it * 2,
        lambda it: list(reversed(it)), lambda it: it.count(0), lambda it: it < [1],
    ],
)  # fmt: skip
def test_reading_answers_what_a_list_answers(items, read):
    assert read(items) == read([0, 0])


def test_a_place_beyond_the_end_raises(items):
    with pytest.raises(IndexError):
        items[2]


@pytest.mark.parametrize(
    "change", [lambda it: it.append(1), lambda it: it.sort(), lambda it: it.pop()]
)
def test_changing_is_refused_and_noted(items, change):
    with pytest.raises(TypeError):
        change(items)
    assert len(CHANGES) == 1
    CHANGES.clear()


def test_only_what_is_read_is_chosen(items):
    assert items[1] == 0
    assert sorted(map(str, items.known)) == ["1", "length"]
