"""Sets of objects: order by refinement, twins, and the bound."""

import itertools
import random

import pytest

from unitcraft.state.heap.canonical import canonical, structure


class Node:
    def __init__(self, label=None):
        self.label = label
        self.near = set()


def graph(size, edges, labels=None, order=None):
    """A set of ``size`` nodes with undirected ``edges``, created in ``order``."""
    nodes = [None] * size
    for index in order or range(size):
        nodes[index] = Node(labels[index] if labels else None)
    for left, right in edges:
        nodes[left].near.add(nodes[right])
        nodes[right].near.add(nodes[left])
    return nodes


def digest(nodes):
    return canonical((set(nodes),))


CYCLE_6 = [(i, (i + 1) % 6) for i in range(6)]
TRIANGLES = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]
PATH_4 = [(0, 1), (1, 2), (2, 3)]
STAR_4 = [(0, 1), (0, 2), (0, 3)]
LOLLIPOP = [(0, 1), (1, 2), (2, 0), (2, 3)]


@pytest.mark.parametrize("edges", [CYCLE_6, TRIANGLES, PATH_4, STAR_4, LOLLIPOP])
def test_isomorphic_graphs_have_one_digest(edges):
    size = 1 + max(itertools.chain(*edges))
    rng = random.Random(0)
    digests = set()
    for _ in range(10):
        names = rng.sample(range(size), size)
        renamed = [(names[a], names[b]) for a, b in rng.sample(edges, len(edges))]
        digests.add(digest(graph(size, renamed, order=rng.sample(range(size), size))))
    assert len(digests) == 1


def test_graphs_that_colours_cannot_tell_apart_differ():
    assert digest(graph(6, CYCLE_6)) != digest(graph(6, TRIANGLES))


def test_different_graphs_differ():
    assert len({digest(graph(4, edges)) for edges in (PATH_4, STAR_4, LOLLIPOP, CYCLE_6[:2])}) == 4


def test_labels_count():
    plain, ends, middle = None, ["x", None, None, None], [None, "x", None, None]
    assert len({digest(graph(4, PATH_4, labels)) for labels in (plain, ends, middle)}) == 3
    assert digest(graph(4, PATH_4, ends)) == digest(graph(4, PATH_4, [None, None, None, "x"]))


def test_twins_are_cheap():
    assert canonical(({Node() for _ in range(50)},)) == canonical(({Node() for _ in range(50)},))


def test_members_that_are_shared_from_outside_are_told_apart():
    nodes = graph(3, [])
    assert canonical((set(nodes), nodes[0])) == canonical((set(nodes), nodes[2]))
    assert canonical((set(nodes), nodes[0])) != canonical((set(nodes), Node()))


def test_too_symmetric_a_heap_equals_nothing():
    edges = [(a, b) for a in range(8) for b in range(8) if a < b]
    nodes = graph(8, edges)
    assert digest(nodes) != digest(nodes)
    assert structure((set(nodes),))[0][0] == b"too symmetric"


def test_too_large_a_heap_with_sets_equals_nothing():
    many = {Node() for _ in range(3000)}
    assert canonical((many,)) != canonical((many,))


def test_mixed_members():
    first = {1, "a", None, (1, 2), Node(1), Node(2)}
    second = {Node(2), (1, 2), None, "a", Node(1), 1}
    assert canonical((first,)) == canonical((second,))
