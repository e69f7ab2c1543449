"""Conditions on shapes: each holds on one heap and not on another; ``invariant_function``."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from unitcraft.heaps import shape_facts
from unitcraft.heaps.guest.invariant_function import answers_values, find_invariant


class Node:
    def __init__(self, key, left=None, right=None):
        self.key, self.left, self.right, self.up = key, left, right, None
        for one in (left, right):
            if one is not None:
                one.up = self


class Root:
    def __init__(self, root, **fields):
        self.root = root
        self.__dict__.update(fields)


WAY = ("root", "left", "right")


def searched(*keys):
    low, middle, high = map(Node, keys)
    top = Node(middle.key, low, high)
    return Root(top, size=3, items=list(keys), last=high)


@pytest.mark.parametrize(
    ("name", "args", "breaking"),
    [
        ("tree", WAY, lambda heap: setattr(heap.root, "right", heap.root.left)),
        ("tree", WAY, lambda heap: setattr(heap.root.left, "right", heap.root)),
        ("back", (WAY, "up"), lambda heap: setattr(heap.root.left, "up", None)),
        ("back", (WAY, "up"), lambda heap: setattr(heap.root, "up", heap.root.left)),
        ("inverse", (WAY, "left", "up"), lambda heap: setattr(heap.root.left, "up", None)),
        ("inside", (WAY, "up"), lambda heap: setattr(heap.root, "up", Node(0))),
        ("present", (WAY, "root"), lambda heap: setattr(heap, "root", None)),
        ("together", ("root", "last"), lambda heap: setattr(heap, "last", None)),
        ("end", ("root", "right", "last"), lambda heap: setattr(heap.root, "right", None)),
        ("counted", (WAY, "size", 0), lambda heap: setattr(heap.root, "right", None)),
        ("measured", ("items", "size", 0), lambda heap: heap.items.pop()),
        ("at_least", (WAY, "key", 0), lambda heap: setattr(heap.root.left, "key", -1)),
        ("rising", (WAY, "right", "key"), lambda heap: setattr(heap.root, "key", 9)),
        ("searchable", (*WAY, "key"), lambda heap: setattr(heap.root, "key", 9)),
        ("increasing", ("items",), lambda heap: heap.items.reverse()),
    ],
)
def test_a_condition_holds_until_it_is_broken(name, args, breaking):
    heap = searched(0, 1, 2)
    assert shape_facts.FACTS[name](heap, *args)
    breaking(heap)
    assert not shape_facts.FACTS[name](heap, *args)


def test_a_ring_leads_to_where_it_begins():
    head, other = SimpleNamespace(), SimpleNamespace()
    head.next, other.next = other, head
    assert shape_facts.ring(Root(head), "root", "next")
    other.next = other
    assert not shape_facts.ring(Root(head), "root", "next")
    assert not shape_facts.ring(Root(None), "root", "next")


def test_conditions_end_where_heaps_have_none():
    heap = searched(0, 1, 2)
    heap.root.right.right = heap.root.right
    for name, args in (("end", ("root", "right", "last")), ("searchable", (*WAY, "key")),
                       ("counted", (WAY, "size", 0))):  # fmt: skip
        assert shape_facts.FACTS[name](heap, *args) in (True, False)


def test_an_expression_knows_conditions_and_the_names_of_the_module():
    text = "tree(self, 'root', 'left', 'right')\nand isinstance(self, Root)"
    holds = find_invariant(__name__, Root, text)
    assert holds(searched(0, 1, 2)) is True
    assert answers_values(holds)
    assert holds(SimpleNamespace(root=None)) is False
