import enum

import pytest

from unitcraft.state.heap.canonical import structure
from unitcraft.state.heap.state_display import fields_of


class Node:
    def __init__(self, value, following=None):
        self.value = value
        self.following = following


class Empty:
    pass


class Colour(enum.Enum):
    RED = 1


class Stack:
    __slots__ = ("items", "missing")

    def __init__(self, *items):
        self.items = list(items)


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (Node(1), ("following = None", "value = 1")),
        (Node(1, Node("a", Node(-0.0))), (
            "following = Node(value='a', following=Node(value=-0.0))", "value = 1",
        )),
        (Stack(1, (2, 3), b"x"), ("items = [1, (2, 3), b'x']", "missing = -")),
        (Stack({1: [2]}, {3}), ("items = [{1: [2]}, {3}]", "missing = -")),
        (Stack(Colour.RED, Colour.RED, Empty()), (
            "items = [Colour.RED, ^RED, Empty()]", "missing = -",
        )),
        ([1, 2], ("[1, 2]",)),
        (5, ("5",)),
    ],
)  # fmt: skip
def test_lines(value, lines):
    assert fields_of(structure((value,)), 80) == lines


def test_cycles_are_named_and_long_lines_cut():
    node = Node(1)
    node.following = node
    assert fields_of(structure((node,)), 80) == ("following = ^Node", "value = 1")
    assert fields_of(structure((Node("x" * 100),)), 20)[1] == "value = 'xxxxxxxx..."
