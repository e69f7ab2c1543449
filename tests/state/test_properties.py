"""Random heaps: copies and renamings agree, mutations differ, and the form tells the heap."""

import copy
from collections import OrderedDict, deque

from hypothesis import given, settings
from hypothesis import strategies as st

from unitcraft.state.heap.canonical import canonical, structure
from unitcraft.state.heap.state_display import fields_of


class Node:
    def __init__(self):
        self.items = []


class Slots:
    __slots__ = ("items",)

    def __init__(self):
        self.items = []


ATOMS = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from(["", "a", "b", 0.0, -0.0, 1.5])
)
KINDS = st.sampled_from(["list", "deque", "dict", "ordered", "node", "slots"])

#: (kinds of the objects, edges (from, to), atoms (object, value)); object 0 is the root.
HEAPS = st.integers(1, 7).flatmap(
    lambda size: st.tuples(
        st.lists(KINDS, min_size=size, max_size=size),
        st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=10),
        st.lists(st.tuples(st.integers(0, size - 1), ATOMS), max_size=6),
    )
)
MAKERS = {
    "list": list, "deque": deque, "dict": dict, "ordered": OrderedDict,
    "node": Node, "slots": Slots,
}  # fmt: skip


def put(holder, value):
    if isinstance(holder, dict):
        holder[len(holder)] = value
    elif isinstance(holder, (Node, Slots)):
        holder.items.append(value)
    else:
        holder.append(value)


def built(heap, order=None):
    """The objects of ``heap``, created in ``order``; the root comes first in the result."""
    kinds, edges, atoms = heap
    objects = [None] * len(kinds)
    for index in order or range(len(kinds)):
        objects[index] = MAKERS[kinds[index]]()
    for source, target in edges:
        put(objects[source], objects[target])
    for holder, value in atoms:
        put(objects[holder], value)
    return objects


@given(HEAPS, st.randoms(use_true_random=False))
def test_the_order_of_creation_does_not_count(heap, rng):
    order = rng.sample(range(len(heap[0])), len(heap[0]))
    assert canonical((built(heap)[0],)) == canonical((built(heap, order)[0],))


@given(HEAPS)
def test_a_deep_copy_is_equal(heap):
    root = built(heap)[0]
    assert canonical((root,)) == canonical((copy.deepcopy(root),))


@given(HEAPS, ATOMS)
def test_one_more_value_anywhere_reachable_makes_a_difference(heap, value):
    objects = built(heap)
    before = canonical(tuple(objects))
    for index in range(len(objects)):
        changed = copy.deepcopy(objects)
        put(changed[index], value)
        assert canonical(tuple(changed)) != before


@given(HEAPS)
def test_splitting_an_alias_makes_a_difference(heap):
    inner = built(heap)[0]
    assert canonical(([inner, inner],)) != canonical(([inner, copy.deepcopy(inner)],))


@given(HEAPS, HEAPS)
def test_equal_digests_mean_equal_structures(one, other):
    left, right = (built(one)[0],), (built(other)[0],)
    assert (canonical(left) == canonical(right)) == (
        repr(structure(left)) == repr(structure(right))
    )


@given(st.lists(st.lists(st.integers(0, 3), max_size=3), max_size=5))
@settings(max_examples=50)
def test_sets_of_objects_do_not_depend_on_order(members):
    def node(items):
        made = Node()
        made.items = list(items)
        return made

    assert canonical(({node(m) for m in members},)) == canonical(
        ({node(m) for m in reversed(members)},)
    )


@given(HEAPS)
def test_every_heap_can_be_shown(heap):
    lines = fields_of(structure((built(heap)[0],)), 30)
    assert lines
    assert all(0 < len(line) <= 30 for line in lines)
