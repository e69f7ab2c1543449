"""State outside of the focus: compared once per batch, and never seen by the next item."""

from __future__ import annotations

import pytest

from unitcraft.core.outcomes import Exhausted
from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.subject_modules import ModuleNames, loaded_modules

SUBJECT = """
import sibling
from sibling import REGISTRY, counting, Base
OWN = {"n": 0}
class Child(Base):
    pass
"""

SIBLING = """
import functools, itertools
REGISTRY = {}
TABLE = {"a": [1]}
LARGE = list(range(1000))
ids = itertools.count(7)
class Base:
    made = 0
class Slotted:
    __slots__ = ("x",)
SLOTTED = Slotted()
@functools.lru_cache
def cached(): return []
def counting(found=[]):
    found.append(1)
    return len(found)
def make_counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
step = make_counter()
"""

#: Items that change state and answer what a second run would answer differently.
CHANGES = {
    "own": "m.OWN['n'] += 1; answer = m.OWN['n']",
    "shared": "m.REGISTRY[len(m.REGISTRY)] = 1; answer = len(m.REGISTRY)",
    "nested": "m.sibling.TABLE['a'].append(1); answer = len(m.sibling.TABLE['a'])",
    "large": "m.sibling.LARGE.append(1); answer = len(m.sibling.LARGE)",
    "count": "answer = next(m.sibling.ids)",
    "class": "m.Base.made += 1; answer = m.Base.made",
    "inherited": "m.Child.made += 1; answer = m.Child.made",
    "slot": "answer = hasattr(m.sibling.SLOTTED, 'x'); m.sibling.SLOTTED.x = 1",
    "cache": "m.sibling.cached().append(1); answer = len(m.sibling.cached())",
    "default": "answer = m.counting()",
    "closure": "answer = m.sibling.step()",
    "name": "answer = hasattr(m.sibling, 'new'); m.sibling.new = 1",
    "code": "answer = m.sibling.make_counter.__code__.co_argcount;"
    " m.sibling.make_counter.__code__ = (lambda a: a).__code__",
    "builtin": "import builtins; answer = hasattr(builtins, 'odd'); builtins.odd = 1",
    "module": "import sys; answer = 'sibling' in sys.modules; sys.modules.pop('sibling', None)",
}


@pytest.fixture
def wide_pool(pool_of, tmp_path):
    (tmp_path / "sibling.py").write_text(SIBLING)

    def make(**changes):
        return pool_of(SUBJECT, focus=("subject",), **changes)

    return make


def answers(replies):
    return [reply.value if reply.failure is None else reply.failure for reply in replies]


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_item_sees_what_another_left_behind(wide_pool, jobs):
    items = [*CHANGES.values()] * 3 + [*reversed(CHANGES.values())]
    alone = answers(wide_pool().map("run", [*CHANGES.values()], isolate=True))
    pool = wide_pool(jobs=jobs)
    expected = alone * 3 + alone[::-1]
    assert answers(pool.map("run", items)) == expected
    assert answers(pool.map("run", items, batch=5)) == expected


def test_changed_state_is_watched_from_then_on(wide_pool):
    pool = wide_pool()
    items = [CHANGES["nested"], CHANGES["closure"]] * 20
    list(pool.map("run", items))
    contaminated = pool._workers._contaminated
    assert pool._workers.watched == ("sibling",)
    list(pool.map("run", items))
    assert pool._workers._contaminated == contaminated == 1


def test_single_items_do_not_see_each_other(wide_pool):
    pool = wide_pool()
    for name in ("nested", "closure", "default", "class"):
        first = pool.one("run", CHANGES[name]).value
        assert pool.one("run", CHANGES[name]).value == first


def test_state_belongs_to_the_module_in_which_it_is_defined(tmp_path, monkeypatch):
    (tmp_path / "sibling.py").write_text(SIBLING)
    (tmp_path / "subject.py").write_text(SUBJECT)
    monkeypatch.syspath_prepend(str(tmp_path))
    __import__("subject")
    walk = HeapWalk(loaded_modules(("subject", "sibling")), ("subject", "sibling"), ("subject",))
    assert {group for group, _ in walk.slow} == {
        "subject large", "sibling", "sibling large", "sibling caches", "sibling code",
        "functools names", "itertools names",
    } - {"subject large"}  # fmt: skip


def test_names_belong_to_a_module_and_all_below_it():
    names = ModuleNames(["a.b", "c"])
    assert [one in names for one in ("a.b", "a.b.c.d", "c", "a", "a.bc", "cc", "", 5, None)] == [
        True, True, True, False, False, False, False, False, False,
    ]  # fmt: skip


LOOPS = "while m.sibling.TABLE.get('stop') is not None:\n    pass\nanswer = 'ended'"


def test_an_item_that_hangs_by_what_another_left_behind_runs_again(wide_pool):
    pool = wide_pool()
    items = ["answer = 0", "m.sibling.TABLE['stop'] = 1; answer = 1", LOOPS, "answer = 3"]
    assert answers(pool.map("run", items)) == [0, 1, "ended", 3]


def test_an_item_that_hangs_by_itself_runs_once(wide_pool):
    pool = wide_pool()
    items = ["answer = 0", "while True: pass", "answer = 2"]
    assert answers(pool.map("run", items)) == [0, Exhausted("time"), 2]
