"""How objects are read: layout of classes, readers of C contents, plans."""

from __future__ import annotations

import collections
import enum
import functools
import io
import itertools
import sys
import threading
from fractions import Fraction

import pytest

from unitcraft.state.heap.builtin_containers import CONTENTS, Unreadable, contents_of
from unitcraft.state.heap.class_plans import (
    PLANS,
    NeedsRanks,
    holds_set,
    make_opaque,
    plan_of,
    unique_bytes,
)
from unitcraft.state.heap.object_layout import (
    Hidden,
    class_id,
    dictionary_of,
    mro_of,
    own_dict,
    slot_names,
    slots_of,
    solid_base,
)


class Point:
    def __init__(self, x, y):
        self.y, self.x = y, x


class Hashed:
    def __hash__(self):
        return 1


class Slotted:
    __slots__ = ("a", "b")


class Lower(Slotted):
    __slots__ = ("c",)


class Names(list):
    pass


class Liar:
    __mro__ = ()

    def __getattribute__(self, name):
        raise RuntimeError(name)


class Concealing:
    locals()["__dict__"] = 7


class Colour(enum.Enum):
    RED = 1


def read(value, ranks=None):
    header, children = plan_of(type(value))(value, ranks)
    return header.decode(), list(children)


# -- layout ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "base"),
    [
        (Point, None),
        (Slotted, None),
        (Names, list),
        (collections.OrderedDict, collections.OrderedDict),
        (ValueError, BaseException),
        (type("N", (int,), {"__slots__": ()}), int),
    ],
)
def test_the_base_with_c_fields(kind, base):
    assert solid_base(kind) is base


def test_slots_are_found_with_the_inherited_ones_first():
    assert slot_names(Lower) == ("c",)
    assert [name for name, _ in slots_of(Lower)] == ["a", "b", "c"]
    assert slot_names(Point) == ()


def test_dictionaries_are_found_or_said_to_be_hidden():
    assert dictionary_of(Point)(Point(1, 2)) == {"y": 2, "x": 1}
    assert dictionary_of(Slotted) is None
    with pytest.raises(Hidden):
        dictionary_of(Concealing)


def test_a_class_that_lies_is_not_believed():
    assert mro_of(Liar) == (Liar, object)
    assert class_id(Liar) == f"{__name__}:Liar"
    assert "__getattribute__" in own_dict(Liar)


# -- contents -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"b": 1}, ["b", 1]),
        (collections.deque([1, 2], 3), [1, 2, 3]),
        (bytearray(b"ab"), [b"ab"]),
        (collections.defaultdict(int, a=1), ["a", 1, int]),
        (itertools.count(5), ["count(5)"]),
        (io.StringIO("ab"), ["ab", "\n", 0]),
        (frozenset({1}), [1]),
        (functools.partial(abs), [abs, (), {}]),
        (ValueError("no"), [("no",), None]),
    ],
)
def test_contents(value, expected):
    found = list(contents_of(type(value))(value))
    assert found[: len(expected)] == expected


def test_the_order_of_an_ordered_dict_counts():
    table = collections.OrderedDict(a=1, b=2)
    table.move_to_end("a")
    assert contents_of(type(table))(table) == ["b", "a", 2, 1]
    for key in (Hashed(), (1, Hashed())):
        with pytest.raises(Unreadable):
            contents_of(type(table))(collections.OrderedDict({key: 1}))


@pytest.mark.parametrize("key", [lambda: 0, object(), Slotted(), Point, (1, ("a", object()))])
def test_keys_that_are_found_by_identity_are_read_in_order(key):
    table = collections.OrderedDict({key: 1, "a": 2})
    table.move_to_end(key)
    assert contents_of(type(table))(table) == ["a", key, 2, 1]


def test_iterators_have_no_reader_but_count():
    assert contents_of(itertools.cycle) is None
    assert itertools.count in CONTENTS
    with pytest.raises(Unreadable):
        CONTENTS[itertools.count](itertools.count(Fraction(1, 2)))


def test_a_held_lock_of_a_thread_is_unreadable():
    lock = threading.RLock()
    reader = contents_of(type(lock))
    assert reader(lock) == []
    with lock, pytest.raises(Unreadable):
        reader(lock)


# -- plans ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "header", "children"),
    [
        (Point(1, 2), f"{__name__}:Point(x,y)", [1, 2]),
        (Colour.RED, f"{__name__}:Colour.RED", []),
        (Point, "class", [f"{__name__}:Point"]),
        (sys, "module", ["sys"]),
        ([1, 2], "list", [1, 2]),
    ],
)
def test_a_plan_reads_header_and_children(value, header, children):
    assert read(value) == (header, children)


def test_an_empty_slot_is_unlike_every_value():
    empty, full = Slotted(), Slotted()
    full.a, full.b = None, None
    assert read(empty)[0] == read(full)[0]
    assert read(empty)[1] != read(full)[1]


def test_fields_of_a_list_with_a_dictionary_come_last():
    names = Names(["a"])
    names.owner = "x"
    header, children = read(names)
    assert header.endswith("Names()(owner)")
    assert children == ["a", "x"]


def test_a_local_is_what_this_thread_sees():
    local = threading.local()
    local.depth = 1
    header, children = read(local)
    assert (header, *children) == ("_thread:_local", {"depth": 1})


def test_a_local_with_code_of_its_own_is_not_read():
    class Counting(threading.local):
        made = 0

        def __init__(self):
            type(self).made += 1

    made = []
    thread = threading.Thread(target=lambda: made.append(Counting()))
    thread.start()
    thread.join()
    assert read(made[0])[0].startswith("opaque ")
    assert Counting.made == 1


def test_opaque_objects_equal_nothing():
    class Handle:
        pass

    assert read(Handle())[1] == read(Handle())[1]
    make_opaque(Handle)
    try:
        assert read(Handle())[1] != read(Handle())[1]
    finally:
        del PLANS[Handle]
    assert unique_bytes() != unique_bytes()


def test_a_set_of_objects_needs_ranks():
    one, two = Point(1, 2), Point(3, 4)
    assert holds_set(type({one}))
    assert not holds_set(list)
    assert read({3, 1})[1] == read({1, 3})[1]
    with pytest.raises(NeedsRanks):
        read({one, two})
    assert read({one, two}, {id(one): 1, id(two): 0})[1] == [two, one]
