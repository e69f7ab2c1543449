"""What ``==`` looks at: for classes of every make, by the states that come out the same."""

from __future__ import annotations

import pytest
from recorded_modules import module_of

from unitcraft.state.heap.canonical import canonical
from unitcraft.suite.recording.representations.equality_representations import (
    EqualityRepresentations,
)

SOURCE = """
import collections
import dataclasses


@dataclasses.dataclass
class Data:
    seen: int
    cache: object = dataclasses.field(default=None, compare=False)


@dataclasses.dataclass(slots=True)
class Slotted:
    seen: int
    cache: object = dataclasses.field(default=None, compare=False)


class Child(Data):
    pass


class Items(list):
    def __init__(self, items, note):
        super().__init__(items)
        self.note = note


class Pair(collections.namedtuple("Pair", "one two")):
    pass


class Array:
    def __init__(self, store, size):
        self.store, self.size = store, size

    def get_store(self):
        return self.store

    def __eq__(self, other):
        if other.size != self.size:
            return False
        theirs = other.get_store()
        return all(self.store[i] == theirs[i] for i in range(self.size))


class Table:
    def __init__(self, **entries):
        self.entries = entries

    def __eq__(self, other):
        return self.entries["key"] == other.entries.get("key")


class Node:
    def __init__(self, value, note, next=None):
        self.value, self.note, self.next = value, note, next


class Chain:
    def __init__(self, *nodes):
        self.head = None
        for value, note in nodes:
            self.head = Node(value, note, self.head)

    def __eq__(self, other):
        mine, theirs = self.head, other.head
        while mine and theirs:
            if mine.value != theirs.value:
                return False
            mine, theirs = mine.next, theirs.next
        return mine is theirs


class Shortcut(Data):
    def __eq__(self, other):
        return self is other or self.seen == other.seen


class Fields(Data):
    def __eq__(self, other):
        return self.__dict__ == other.__dict__


class Exact(Data):
    def __eq__(self, other):
        return type(other) is Exact and self.seen == other.seen


class Holder:
    def __init__(self, part):
        self.part = part

    def __eq__(self, other):
        return self.part == other.part


class Folded:
    def __init__(self, text):
        self.text = text

    def __eq__(self, other):
        return self.text.lower() == other.text.lower()


class NoEq:
    def __init__(self, value):
        self.value = value


class Broken(NoEq):
    def __eq__(self, other):
        raise RuntimeError


class Never(NoEq):
    def __eq__(self, other):
        return False


class Lazy:
    def __init__(self, value):
        self.value, self.calls = value, 0

    def __eq__(self, other):
        self.calls += 1
        return self.value == other.value
"""

MODULE = module_of(SOURCE)


class Reports(list):
    def __call__(self, kind, subject, _detail):
        self.append((kind, subject.partition(":")[2]))


@pytest.fixture
def reports():
    return Reports()


@pytest.fixture
def digests(reports):
    equality = EqualityRepresentations(reports)

    def of(text):
        value = eval(text, vars(MODULE))
        return equality.of(value, canonical((value,)), 10)

    return of


@pytest.mark.parametrize(
    ("one", "same", "other"),
    [
        ("Data(1, 2)", "Data(1, 3)", "Data(2, 2)"),
        ("Slotted(1, 2)", "Slotted(1, 3)", "Slotted(2, 2)"),
        ("Child(1, 2)", "Child(1, 3)", "Child(2, 2)"),
        ("Items([1], 2)", "Items([1], 3)", "Items([2], 2)"),
        ("Pair(1, [2])", "Pair(1, [2])", "Pair(1, [3])"),
        ("Array([1, 2], 1)", "Array([1, 3, 4], 1)", "Array([2, 2], 1)"),
        ("Array([1, 2], 1)", "Array([1, 3, 4], 1)", "Array([1, 2], 2)"),
        ("Table(key=1, x=2)", "Table(key=1, y=3)", "Table(key=2, x=2)"),
        ("Chain((1, 2), (3, 4))", "Chain((1, 5), (3, 6))", "Chain((1, 2), (4, 4))"),
        ("Shortcut(1, 2)", "Shortcut(1, 3)", "Shortcut(2, 2)"),
        ("Fields(1, 2)", "Fields(1, 2)", "Fields(1, 3)"),
        ("Exact(1, 2)", "Exact(1, 3)", "Exact(2, 2)"),
        ("Holder(Data(1, 2))", "Holder(Data(1, 3))", "Holder(Data(2, 2))"),
        ("Holder([Data(1, 2)])", "Holder([Data(1, 3)])", "Holder([Data(2, 2)])"),
        ("Lazy(1)", "Lazy(1)", "Lazy(2)"),
    ],
)
def test_monitored_parts(one, same, other, digests, reports):
    assert digests(one)[0] == digests(same)[0]
    assert digests(one)[1] == digests(same)[1]
    assert digests(one)[0] != digests(other)[0]
    assert digests(one)[1] != digests(other)[1]
    assert reports == []


def test_pairs_that_are_equal_though_what_is_read_differs(digests):
    assert digests("Folded('A')")[0] != digests("Folded('a')")[0]
    assert digests("Folded('A')")[1] == digests("Folded('a')")[1]
    assert digests("Folded('A')")[1] != digests("Folded('b')")[1]


@pytest.mark.parametrize(
    ("text", "kind"),
    [("NoEq(1)", "no-eq"), ("Broken(1)", "eq-fails"), ("Never(1)", "eq-fails")],
)
def test_without_a_usable_eq_the_whole_state_counts(text, kind, digests, reports):
    value = eval(text, vars(MODULE))
    assert digests(text) == (canonical((value,)),) * 2
    assert reports == [(kind, text[:-3])]


def test_comparing_leaves_objects_and_classes_alone(reports):
    value = MODULE.Lazy([1])
    before, namespace = canonical((value,)), dict(vars(MODULE.Lazy))
    EqualityRepresentations(reports).of(value, before, 10)
    assert canonical((value,)) == before
    assert dict(vars(MODULE.Lazy)) == namespace


def test_identity_inside_is_shared(digests, reports):
    """Parts without ``==`` equal themselves only; the copy has to hold the same ones."""
    assert digests("Holder(NoEq(1))")[0] == digests("Holder(NoEq(1))")[0]
    assert digests("Holder(NoEq(1))")[0] != digests("Holder(NoEq(2))")[0]
    assert reports == []
