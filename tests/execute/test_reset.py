"""The heap snapshot: what is followed, what is put back, in place and in order."""

from __future__ import annotations

import itertools
import sys
import types

import pytest

from unitcraft.execute.isolation.counters import Counters
from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import LiveView, SequenceHolder

SOURCE = """
import abc, collections, functools, itertools, enum, dataclasses, threading, types, weakref
LIST = [1, [2, 3]]
DICT = {"b": 1, "a": 2}
SET = {"x", "y", "z", "w"}
DEQUE = collections.deque([1, 2, 3], maxlen=3)
ORDERED = collections.OrderedDict(a=1, b=2)
DEFAULT = collections.defaultdict(list)
COUNTER = collections.Counter("aab")
BYTES = bytearray(b"abc")
SPACE = types.SimpleNamespace(n=1)
SHARED = ([], {"inner": []})
NUMBER = 1
ids = itertools.count(5, 2)
next_id = itertools.count(1).__next__

class Plain:
    total = 0
    log = []
    ids = itertools.count()
    def __init__(self):
        self.value = 1
    def method(self):
        return self.value
    @classmethod
    def make(cls): return cls()

class Slotted:
    __slots__ = ("a", "b")
    def __init__(self):
        self.a = []

class Colour(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Config:
    debug: bool = False
    names: list = dataclasses.field(default_factory=list)

class Weird(list):
    def __eq__(self, other): raise RuntimeError
    def clear(self): raise RuntimeError

WEIRD = Weird([1])
plain, slotted, config = Plain(), Slotted(), Config()
local = threading.local()
local.depth = 0
weak, weak_keys = weakref.WeakSet(), weakref.WeakKeyDictionary()

def collect(item, found=[], *, also={}):
    found.append(item); also[item] = 1
    return len(found)

@functools.lru_cache
def cached(): return object()

class Bare(abc.ABCMeta):
    def __new__(mcs, name, bases, members):
        return type.__new__(mcs, name, bases, members)

class Unfinished(metaclass=Bare):
    pass

class Sized(abc.ABC):
    asked = []
    @classmethod
    def __subclasshook__(cls, other):
        cls.asked.append(other)
        return hasattr(other, "__len__")

def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

step = counter()
partial = functools.partial(collect, found=[])
"""

CHANGES = {
    "rebind": "m.NUMBER = 2",
    "new name": "m.NEW = 1",
    "delete name": "del m.NUMBER",
    "append": "m.LIST.append(1)",
    "nested": "m.LIST[1].clear()",
    "same length": "m.LIST[0] = True",
    "dict value": "m.DICT['a'] = 3",
    "dict order": "m.DICT['b'] = m.DICT.pop('b')",
    "set": "m.SET.add('v'); m.SET.discard('x')",
    "deque": "m.DEQUE.rotate(1)",
    "ordered": "m.ORDERED.move_to_end('a')",
    "default": "m.DEFAULT['k'].append(1)",
    "counter": "m.COUNTER.update('z')",
    "bytes": "m.BYTES[0] = 0",
    "namespace": "m.SPACE.n = 2",
    "in a tuple": "m.SHARED[1]['inner'].append(1)",
    "class attribute": "m.Plain.total = 5",
    "class list": "m.Plain.log.append(5)",
    "class new": "m.Plain.extra = 5",
    "class method": "m.Plain.method = None",
    "class lost": "del m.Plain.total",
    "class order": "log = m.Plain.log; del m.Plain.log; m.Plain.log = log",
    "instance": "m.plain.value = 2",
    "instance new": "m.plain.other = 2",
    "slot": "m.slotted.a = 1",
    "slot set": "m.slotted.b = 1",
    "slot deep": "m.slotted.a.append(1)",
    "enum": "m.Colour.RED.note = 1",
    "dataclass": "m.config.names.append('x')",
    "lying list": "m.WEIRD.append(2)",
    "default argument": "m.collect(1)",
    "keyword default": "m.collect(1, [])",
    "closure": "m.step()",
    "function attribute": "m.collect.calls = 1",
    "partial": "m.partial(1)",
    "local": "m.local.depth += 1",
    "weak set": "m.weak.add(m.plain)",
    "weak keys": "m.weak_keys[m.plain] = 1",
    "local new": "m.local.other = 1",
}


@pytest.fixture
def module():
    made = types.ModuleType("subject_of_reset")
    sys.modules[made.__name__] = made
    exec(compile(SOURCE, "subject_of_reset.py", "exec"), made.__dict__)
    yield made
    del sys.modules[made.__name__]


def snapshots(module):
    walk = HeapWalk([module], (module.__name__,))
    assert not walk.truncated
    return walk, Snapshot(walk.fast), Snapshot(holder for _, holder in walk.slow)


def described(module):
    return (
        {name: repr(value) for name, value in vars(module).items() if name.isupper()},
        list(vars(module)), vars(module.plain), dict(vars(module.Plain)), module.slotted.a,
        hasattr(module.slotted, "b"), module.collect.__defaults__, vars(module.collect),
        repr(module.config), module.partial.keywords, list(module.WEIRD),
        vars(module.local), list(module.weak), dict(module.weak_keys),
    )  # fmt: skip


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_change_is_noticed_and_undone(module, change):
    _, fast, _ = snapshots(module)
    holders = [module.LIST, module.DICT, module.SET, module.plain]
    before = repr(described(module))
    assert fast.is_clean()
    exec(change, {"m": module})
    assert not fast.is_clean()
    assert fast.restore()
    assert repr(described(module)) == before
    assert module.step() == 1
    assert all(
        a is b
        for a, b in zip(holders, [module.LIST, module.DICT, module.SET, module.plain], strict=True)
    )


NAMING = ("__module__", "__name__", "__qualname__", "__doc__", "__annotations__")


@pytest.mark.parametrize("name", NAMING)
def test_how_a_function_is_named_is_compared_once_per_batch(module, name):
    _, _, slow = snapshots(module)
    before = getattr(module.collect, name)
    setattr(module.collect, name, {} if name == "__annotations__" else "other")
    assert not slow.is_clean()
    assert slow.restore()
    assert getattr(module.collect, name) is before


def test_all_changes_at_once_again_and_again(module):
    _, fast, _ = snapshots(module)
    before = repr(described(module))
    for _ in range(3):
        for name, change in CHANGES.items():
            if name not in {"delete name", "slot"}:
                exec(change, {"m": module})
        assert fast.restore()
        assert repr(described(module)) == before


def test_counters_go_back(module):
    _, fast, _ = snapshots(module)
    first = [next(module.ids), next(module.ids), module.next_id(), next(module.Plain.ids)]
    assert first == [5, 7, 1, 0]
    assert not fast.is_clean()
    assert fast.restore()
    assert [next(module.ids), next(module.ids), module.next_id(), next(module.Plain.ids)] == first


def test_shared_counters_share_a_stand_in():
    counters, count = Counters(), itertools.count(3)
    first, second = counters.stand_in_for(count), counters.stand_in_for(count.__next__)
    assert next(first) == 3
    assert second() == 4
    assert len(counters.take_new()) == 1
    assert counters.take_new() == []


def test_used_caches_are_emptied(module):
    _, _, slow = snapshots(module)
    kept = module.cached()
    assert not slow.is_clean()
    assert slow.restore()
    assert module.cached() is not kept


def test_what_the_import_left_in_a_cache_stays_until_it_is_used(module):
    kept = module.cached()
    _, _, slow = snapshots(module)
    assert slow.is_clean()
    assert module.cached() is kept
    assert not slow.is_clean()
    assert slow.restore()
    assert module.cached() is not kept


def test_what_abstract_classes_remember_is_forgotten(module):
    _, _, slow = snapshots(module)
    for value in (3, "abc"):
        assert isinstance(value, module.Sized) is isinstance(value, str)
        assert not slow.is_clean()
        assert slow.restore()
        assert slow.is_clean()
        isinstance(value, module.Sized)
        assert slow.restore()
    assert module.Sized.asked == [int, int, str, str]


def test_functions_of_other_modules_are_watched_slowly(module):
    _, fast, slow = snapshots(module)
    module.itertools.tee = None
    assert fast.is_clean()
    assert not slow.is_clean()
    assert slow.restore()
    assert itertools.tee is not None


def test_swapped_code_is_watched_slowly(module):
    _, _, slow = snapshots(module)
    was = module.counter.__code__
    module.counter.__code__ = (lambda: 5).__code__
    assert not slow.is_clean()
    assert slow.restore()
    assert module.counter.__code__ is was


def test_sets_have_the_same_order_after_every_restore(module):
    _, fast, _ = snapshots(module)
    order = list(module.SET)
    for text in ("q", "r", "s", "t", "u"):
        module.SET.add(text)
        module.SET.discard("x")
        fast.restore()
        assert list(module.SET) == order


def test_probes_are_left_alone(module):
    module.__dict__["__unitcraft_hits__"] = hits = [0]
    _, fast, _ = snapshots(module)
    hits[0] = 1
    assert fast.is_clean()


def test_probes_in_a_copy_of_a_modules_names_are_left_alone(module):
    module.__dict__["__unitcraft_hits__"] = hits = bytearray(1000)
    module.NAMES = {**vars(module), 1: [2]}
    _, fast, slow = snapshots(module)
    hits[0] = 1
    assert fast.is_clean()
    assert slow.is_clean()
    module.NAMES[1].append(3)
    assert not fast.is_clean()


def test_lying_objects_run_no_code():
    made = types.ModuleType("subject_of_reset")
    source = """
class Bomb:
    def __getattribute__(self, name): raise RuntimeError(name)
    def __eq__(self, other): raise RuntimeError
    __hash__ = None
class Meta(type):
    def __getattribute__(cls, name): raise RuntimeError(name)
    def __instancecheck__(cls, other): raise RuntimeError
    def __subclasscheck__(cls, other): raise RuntimeError
class Odd(metaclass=Meta):
    state = []
bombs = [Bomb(), {"k": Bomb()}]
"""
    exec(source, made.__dict__)
    walk = HeapWalk([made], (made.__name__,))
    fast = Snapshot(walk.fast)
    made.bombs.append(1)
    type.__setattr__(made.Odd, "state", None)
    assert not fast.is_clean()
    assert fast.restore()
    assert len(made.bombs) == 2


def test_a_heap_beyond_the_bound_is_reported():
    made = types.ModuleType("subject_of_reset")
    made.TABLE = [[number] for number in range(30_000)]
    assert HeapWalk([made], (made.__name__,)).truncated


def test_what_changed_is_found_where_it_is_and_only_that_is_looked_at_again():
    tables = [[1, 2], [3], [4, 5], [6]]
    saved = Snapshot([SequenceHolder(table, list, "extend") for table in tables])
    assert (saved.changed(), saved.is_clean()) == ([], True)
    tables[1].append(7)
    tables[3].clear()
    assert saved.changed() == [1, 3]
    assert saved.restore()
    assert tables == [[1, 2], [3], [4, 5], [6]]


class Dying:
    """A Holder whose contents cannot be looked at once it is ``broken``, nor be put back."""

    broken = False

    def views(self):
        return (LiveView(self._items),)

    def _items(self):
        if self.broken:
            raise ValueError
        return iter([1, 2])

    def restore(self):
        return True


def test_a_holder_that_cannot_be_looked_at_has_changed_and_stays_so():
    holder = Dying()
    saved = Snapshot([SequenceHolder([0], list, "extend"), holder])
    holder.broken = True
    assert saved.changed() == [1]
    assert not saved.restore()
