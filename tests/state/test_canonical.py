import collections
import copy
import datetime as dt
import enum
import functools
import io
import itertools
import os
import random
import re
import subprocess
import sys
import threading
import types
import weakref
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from typing import NamedTuple
from uuid import UUID

import pytest

from unitcraft.state.heap.canonical import MAX_OBJECTS, canonical, structure


def digest(*roots):
    return canonical(roots)


class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y


class Slotted:
    __slots__ = ("__weakref__", "left", "value")

    def __init__(self, value):
        self.value = value


class Wider(Slotted):
    __slots__ = ("extra",)


class Loose(Slotted):
    pass


class Celsius(float):
    pass


class Words(list):
    pass


class Color(enum.Enum):
    RED = 1
    BLUE = 2


class Flags(enum.Flag):
    A = 1
    B = 2


class Pair(NamedTuple):
    a: int
    b: int


def loose(value, **fields):
    made = Loose(value)
    vars(made).update(fields)
    return made


def words(items, **fields):
    made = Words(items)
    vars(made).update(fields)
    return made


def adder(n):
    return lambda x: x + n


DIFFERENT = [
    None, False, True, 0, 1, -1, 2**80, 0.0, -0.0, 1.0, float("nan"), 1j, "", "1", b"1", "\ud800",
    ..., NotImplemented, (), (1,), (True,), ((1,),), [], [1], [[1]], {}, {1: 2}, {2: 1}, {1.0: 2},
    set(), {1}, {True}, {1, 2}, frozenset(), frozenset({1}), {frozenset({1})}, range(3),
    range(1, 3), slice(1), slice(2), bytearray(b"1"), collections.deque([1]),
    collections.deque([1], 5), collections.OrderedDict({1: 2}), collections.Counter({1: 2}),
    collections.defaultdict(list, {1: 2}), collections.defaultdict(int, {1: 2}),
    Decimal(1), Decimal("1.0"), Decimal("-0"), Fraction(1), Fraction(1, 2), UUID(int=1),
    PurePosixPath("a"), PurePosixPath("b"), re.compile("a"), re.compile("a", re.IGNORECASE),
    dt.date(2020, 1, 1), dt.datetime.fromtimestamp(0),  # noqa: DTZ006
    dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
    dt.datetime.fromtimestamp(0).replace(fold=1),  # noqa: DTZ006
    dt.time(1), dt.timedelta(1), dt.timedelta(0, 1), dt.UTC,
    Color.RED, Color.BLUE, Flags.A, Flags.A | Flags.B, Color, int, len, [].append, [1].append,
    Point(1, 2), Point(2, 1), Point(x=True, y=2), Point(1, [2]), Slotted(1), Slotted(value=True),
    Wider(1),
    Loose(1), loose(1, a=1), loose(1, a=2), words([1]), words([1], a=1), words([], a=1),
    Celsius(1), Celsius(-0.0), Celsius(0.0), Pair(1, 2), Pair(2, 1), ValueError(1),
    ValueError(2), KeyError(1), OSError(2, "x"), OSError(2, "x", "file"), adder(1), adder(2),
    functools.partial(int, "1"), functools.partial(int, "1", base=2), io.StringIO("a"),
    io.StringIO("b"), io.BytesIO(b"a"), itertools.count(1), itertools.count(2), iter([1]),
    iter([2]), random.Random(1), random.Random(2), types.SimpleNamespace(a=1),
    types.SimpleNamespace(a=2), types.MappingProxyType({1: 2}), Point(1, 2).__init__,
    Point(1, 3).__init__, {1: 2}.keys(), property(len), staticmethod(len), re, enum,
    collections.OrderedDict([(1, 1), (2, 2)]), collections.OrderedDict([(2, 2), (1, 1)]),
    {1: 1, 2: 2}, {2: 2, 1: 1}, object(), [object()], threading.Lock(),
]  # fmt: skip


def test_different_values_have_different_digests():
    digests = {}
    for value in DIFFERENT:
        digests.setdefault(digest(value), []).append(value)
    assert [alike for alike in digests.values() if len(alike) > 1] == []


@pytest.mark.parametrize("value", DIFFERENT, ids=lambda value: type(value).__name__)
def test_every_value_has_the_same_digest_again(value):
    assert digest(value) == digest(value)
    assert digest(value, value) != digest(value) != digest([value])


COPIED = [
    value for value in DIFFERENT if not isinstance(value, (types.ModuleType, itertools.count))
]


@pytest.mark.parametrize("value", COPIED, ids=lambda value: type(value).__name__)
def test_a_deep_copy_has_the_same_digest(value):
    try:
        copied = copy.deepcopy(value)
    except TypeError:
        copied = value
    assert digest(copied) == digest(value)


@pytest.mark.parametrize(
    ("mutate", "value"),
    [
        (lambda v: v.append(None), [1, 2]),
        (lambda v: v.reverse(), [1, 2]),
        (lambda v: v.__setitem__(1, 2.0), [1, 2]),
        (lambda v: v.appendleft(3), collections.deque([1])),
        (lambda v: v.move_to_end(1), collections.OrderedDict([(1, 1), (2, 2)])),
        (lambda v: v.__setitem__(1, v.pop(1)), {1: 1, 2: 2}),
        (lambda v: v.add("x"), {1}),
        (lambda v: setattr(v, "x", 1), Point(0, 0)),
        (lambda v: delattr(v, "x"), Point(0, 0)),
        (lambda v: setattr(v, "left", None), Slotted(1)),
        (lambda v: setattr(v, "extra", 1), Wider(1)),
        (lambda v: setattr(v, "new", 1), Words()),
        (lambda v: v.read(1), io.StringIO("ab")),
        (lambda v: v.close(), io.StringIO("ab")),
        (next, itertools.count(1)),
        (next, iter([1, 2])),
        (lambda v: v.random(), random.Random(1)),
        (lambda v: v.acquire(), threading.Lock()),
        (lambda v: setattr(v, "note", 1), ValueError(1)),
    ],
)
def test_a_mutation_changes_the_digest(mutate, value):
    before = digest(value)
    mutate(value)
    assert digest(value) != before


def test_aliasing_of_mutable_objects_counts():
    inner = []
    assert digest([inner, inner]) != digest([[], []])
    assert digest([inner, inner]) == digest([(other := []), other])
    assert digest(inner, [inner]) != digest([], [[]])


def test_aliasing_of_immutable_values_does_not_count():
    shared, long = tuple(iter([1, 2])), "x" * 1000
    assert digest([shared, shared, long]) == digest(
        [tuple(iter([1, 2])), tuple(iter([1, 2])), "x" * 1000]
    )


def test_cycles_are_followed_once():
    ring, two = [], []
    ring.append(ring)
    two.append([two])
    assert digest(ring) != digest(two)
    assert digest(ring) == digest(copy.deepcopy(ring))


def test_depth_has_no_limit():
    deep = None
    for _ in range(3 * sys.getrecursionlimit()):
        deep = [deep]
    assert digest(deep) != digest([deep])


def test_a_very_large_heap_equals_nothing():
    large = [[] for _ in range(MAX_OBJECTS)]
    assert digest(large) != digest(large)
    assert digest(large[1:]) == digest(large[:-1])


def test_the_order_in_which_attributes_were_set_does_not_count():
    first, second = Point(1, 2), Point.__new__(Point)
    second.y, second.x = 2, 1
    assert digest(first) == digest(second)


def test_shared_and_split_state_of_weak_references():
    target = Slotted(1)
    assert digest(weakref.ref(target), target) != digest(weakref.ref(Slotted(1)), Slotted(1))


@pytest.mark.parametrize(
    "make",
    [
        lambda: (x for x in ()),
        lambda: open("/dev/null"),  # noqa: PTH123, SIM115
        threading.Thread,
        lambda: map(len, (x for x in ())),
        lambda: memoryview(b""),
    ],
)
def test_what_cannot_be_read_equals_nothing(make):
    value = make()
    assert digest(value) != digest(value)


def test_no_code_of_the_subject_runs():
    class Hostile:
        def _fail(self, *_args):
            raise AssertionError

        __eq__ = __hash__ = __getattr__ = __getattribute__ = __len__ = __iter__ = _fail
        __class__ = __reduce__ = __reduce_ex__ = __getstate__ = property(_fail)
        __repr__ = __str__ = __bool__ = __index__ = __contains__ = __getitem__ = keys = _fail
        del _fail

    class HostileList(Hostile, list):
        pass

    class HostileDict(Hostile, dict):
        pass

    class HostileSet(Hostile, set):
        pass

    class HostileInt(Hostile, int):
        pass

    class HostileStr(Hostile, str):  # noqa: SLOT000
        pass

    for kind in (Hostile, HostileList, HostileDict, HostileSet, HostileInt, HostileStr):
        one, other = kind(), kind()
        before = digest(one), digest(other)
        object.__setattr__(one, "field", 1)
        assert before[0] == before[1] == digest(other) != digest(one)


def test_a_hidden_dictionary_cannot_be_read():
    class Hiding:
        __dict__ = property(lambda _: {})

    value = Hiding()
    value.field = 1
    assert digest(value) != digest(value)


def test_metaclasses_are_not_believed():
    class Meta(type):
        __module__ = "meta"

        def __getattribute__(cls, name):
            raise AssertionError(name)

        def mro(cls):
            return type.mro(cls)

    class Odd(metaclass=Meta):
        pass

    assert structure((Odd,))[1][0] == b"class"


def test_attributes_that_are_no_names():
    odd, collision = Point(1, 2), Point(1, 2)
    vars(odd).update({1: 2})
    vars(collision).clear()
    vars(collision).update({"x\0y": 1})
    assert len({digest(odd), digest(collision), digest(Point(1, 2)), digest(Point(1, [2]))}) == 4


def test_structure_shows_headers_atoms_and_mentions():
    inner = [1]
    assert structure((Point(inner, (inner, 2.5)),)) == (
        (b"tuple", ()),
        (f"{__name__}:Point(x,y)".encode(), (), ()),
        (b"list", 1),
        (b"tuple", (2,), ("float", "0x1.4000000000000p+1")),
    )


def test_digests_do_not_depend_on_hash_seed_or_addresses(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from unitcraft.state.heap.canonical import canonical\n"
        "class N:\n"
        "    def __init__(self, *next): self.next = set(next)\n"
        "padding = [object() for _ in range(hash('x') % 1000)]\n"
        "a, b = N(), N(); c = N(a, b); a.next.add(c)\n"
        "print(canonical(({'x', 'y', 'zz', 1, 2.5, None, (1, 'a')}, {a, b, c}, Ellipsis)).hex())\n"
    )
    seen = {
        subprocess.run(
            [sys.executable, script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2", "77")
    }
    assert len(seen) == 1
    assert len(seen.pop().strip()) == 32
