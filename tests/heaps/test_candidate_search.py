"""The search of heaps: counts that papers publish or that can be enumerated by hand."""

from __future__ import annotations

import pytest
from tree_subject import TREE, tree_classes

SYMBOLIC = ("int", None, None, True)


def concrete(service, nodes):
    sizes, keys = ("atoms", (nodes,)), ("int", 1, nodes, False)
    return service(TREE, tree_classes(nodes, sizes, keys), nodes)


@pytest.mark.parametrize(("nodes", "explored", "valid"), [(3, 133, 5), (4, 875, 14)])
def test_candidates_are_those_of_korat(service, nodes, explored, valid):
    found = concrete(service, nodes)()
    assert (found.explored, len(found.forms)) == (explored, valid)


def test_where_a_search_is_interrupted_changes_nothing(service):
    search = concrete(service, 3)
    whole, pieces = search(), search(chunk=7)
    assert pieces.explored == whole.explored
    assert pieces.forms == whole.forms


def test_no_two_heaps_are_isomorphic(service):
    forms = concrete(service, 4)().forms
    assert len({repr(form) for form in forms}) == len(forms)


def test_symbolic_integers_give_every_shape_once(service):
    search = service(TREE, tree_classes(3, SYMBOLIC, SYMBOLIC))
    found = search()
    shapes = {repr([cells[:2] for _, cells in form[1:]]) for form in found.forms}
    assert len(found.forms) == len(shapes) == 1 + 1 + 2 + 5


def test_what_needs_another_object_is_put_off(service):
    search = service(TREE, tree_classes(3, SYMBOLIC, SYMBOLIC))
    small = search((1, 1, 1))
    assert len(small.forms) == 2
    assert {size for size, _ in small.put_off} == {2}


def test_solved_integers_satisfy_the_invariant(service):
    search = service(TREE, tree_classes(3, SYMBOLIC, SYMBOLIC))
    for form in search().forms:
        nodes = [cells for _, cells in form[1:]]
        for left, right, key in nodes:
            assert left is None or nodes[left[1]][2] < key
            assert right is None or nodes[right[1]][2] > key
        assert form[0][1][1] == len(nodes)


LINE = """\
class Line:
    def __init__(self, items):
        self.items = items

    def rep_ok(self):
        return all(a <= b for a, b in zip(self.items, self.items[1:]))
"""


def test_lists_are_chosen_item_by_item(service):
    classes = (("Line", 1, (("items", ("list", 0, 2, ("int", 0, 1, False))),)),)
    found = service(LINE, classes, 2)()
    assert [cells[0] for ((_, cells),) in found.forms] == [
        [], [0], [1], [0, 0], [0, 1], [1, 1]
    ]  # fmt: skip


FREE = """\
class Free:
    def __init__(self):
        self.open = self.kind = None

    def rep_ok(self):
        return self.open or self.kind == "a"
"""


def test_fields_that_the_invariant_did_not_read_are_enumerated_in_valid_heaps(service):
    fields = (("open", ("atoms", (False, True))), ("kind", ("atoms", ("a", "b"))))
    found = service(FREE, (("Free", 1, fields),))()
    assert [cells for ((_, cells),) in found.forms] == [(False, "a"), (True, "a"), (True, "b")]


HASHED = """\
class Keys:
    def __init__(self):
        self.first = self.second = 0

    def rep_ok(self):
        return len({self.first, self.second}) == 2
"""


def test_integers_that_cannot_be_followed_take_the_values_of_the_scope(service):
    fields = (("first", SYMBOLIC), ("second", SYMBOLIC))
    found = service(HASHED, (("Keys", 1, fields),), 3)()
    pairs = {cells for ((_, cells),) in found.forms}
    assert pairs == {(a, b) for a in range(4) for b in range(4) if a != b}


SLOTS = """\
class Pair:
    __slots__ = ("left", "right")

    def check(self):
        assert self.left != self.right
"""


def test_slots_and_checks_that_raise_are_invariants_too(service):
    fields = (("left", ("int", 0, 1, False)), ("right", ("int", 0, 1, False)))
    found = service(SLOTS, (("Pair", 1, fields),), invariant="check")()
    assert [cells for ((_, cells),) in found.forms] == [(0, 1), (1, 0)]
    assert found.notes == {}


SHOWN = """\
class Shown:
    def __init__(self):
        self.size, self.text = 0, ""

    def rep_ok(self):
        print("size", self.size)
        return f"{self.size + 1}" == self.text
"""


def test_integers_that_are_written_take_the_values_of_the_scope_too(service):
    fields = (("size", SYMBOLIC), ("text", ("atoms", ("1", "2", "3", "9"))))
    found = service(SHOWN, (("Shown", 1, fields),), 2)()
    assert {cells for ((_, cells),) in found.forms} == {(0, "1"), (1, "2"), (2, "3")}
    assert found.notes["printed"] == found.explored + len(found.forms)
