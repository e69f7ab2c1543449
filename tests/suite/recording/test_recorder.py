"""What counts as an execution, for every kind of function; and what its input is."""

from __future__ import annotations

import asyncio
import inspect
import weakref

import pytest
from recorded_modules import module_of, names_of, recording_of

from unitcraft.suite.existing.redundancy import broken_assumptions, redundant_tests
from unitcraft.suite.recording.recordings import REPRESENTATIONS

KINDS = """
import contextlib
import functools

class Base:
    limit = 3

    def __init__(self, value=0):
        self.value = value

    def inherited(self, *rest, scale=1, **more):
        return self.value * scale

    def nested(self):
        return self.inherited() + self.helper()

    def helper(self):
        return 1

    @property
    def shown(self):
        return str(self.value)

    @shown.setter
    def shown(self, text):
        self.value = int(text)

    @classmethod
    def made(cls, value):
        return cls(value)

    @staticmethod
    def twice(number):
        return 2 * number

    @functools.lru_cache
    def cached(self, number):
        return number + 1

    def items(self):
        for item in range(self.value):
            yield item

    async def waited(self):
        await later()
        return self.value

    async def produced(self):
        yield self.value
        yield self.value + 1

    @contextlib.contextmanager
    def opened(self):
        yield self

class Child(Base):
    def __init__(self):
        super().__init__(5)

def plain(number, /, other=2, *, only=3):
    return number + other + only

async def later():
    return None

def adder(first):
    def add(second):
        return first + second
    return add

@functools.cache
def slow(number):
    return number * number

def fails():
    raise KeyError("no")
"""


@pytest.fixture
def module():
    return module_of(KINDS)


def executed(module, test, **more):
    return names_of(recording_of(module, test, **more))[0]


def test_inherited_methods_are_those_of_the_base(module):
    def test():
        module.Child().inherited(1, 2, scale=3, more=4)

    assert executed(module, test) == ["Child.__init__", "Base.inherited"]


def test_inner_executions_count_when_asked_for(module):
    def test():
        module.Base().nested()

    assert executed(module, test) == ["Base.__init__", "Base.nested"]
    inner = ["Base.__init__", "Base.inherited", "Base.helper", "Base.nested"]
    assert executed(module_of(KINDS), test) == []
    again = module_of(KINDS)
    assert executed(again, lambda: again.Base().nested(), inner=True) == inner


def test_properties_and_methods_of_the_class(module):
    def test():
        thing = module.Base.made(4)
        thing.shown = thing.shown
        thing.twice(2)

    assert executed(module, test) == ["Base.made", "Base.shown", "Base.shown#2", "Base.twice"]


def test_each_resumption_of_a_generator_is_an_execution(module):
    def test():
        return list(module.Base(2).items())

    assert executed(module, test) == ["Base.__init__", *["Base.items"] * 3]


def test_consuming_less_of_a_generator_is_redundant(module):
    def tests():
        yield lambda: list(module.Base(3).items())
        yield lambda: next(module.Base(3).items())
        yield lambda: list(module.Base(4).items())

    recording = recording_of(module, *tests())
    assert [one.test.node for one in redundant_tests(recording, "WholeSeq")] == ["1"]


def test_coroutines_and_asynchronous_generators(module):
    async def drained(thing):
        return [item async for item in thing.produced()]

    def test():
        thing = module.Base(1)
        assert asyncio.run(thing.waited()) == 1
        assert asyncio.run(drained(thing)) == [1, 2]

    assert executed(module, test) == ["Base.__init__", "Base.waited", *["Base.produced"] * 3]


def test_context_managers(module):
    def test():
        with module.Base().opened() as thing:
            thing.helper()

    call, body = "Base.opened", "Base.opened#2"
    assert executed(module, test) == ["Base.__init__", call, body, "Base.helper", body]


def test_closures_made_by_the_subject(module):
    def tests():
        for first, second in [(1, 2), (1, 2), (2, 2)]:
            yield lambda first=first, second=second: module.adder(first)(second)

    recording = recording_of(module, *tests())
    assert names_of(recording)[0] == ["adder", "adder.<locals>.add"]
    assert [one.test.node for one in redundant_tests(recording, "WholeState")] == ["1"]


def test_calls_that_a_cache_answers(module):
    def test():
        thing = module.Base()
        assert [thing.cached(1), thing.cached(1), module.slow(3), module.slow(3)] == [2, 2, 9, 9]
        assert module.slow.cache_info().hits

    recording = recording_of(module, test, test)
    assert names_of(recording)[1] == ["Base.__init__", "Base.cached", "slow"]


def test_functions_look_as_before():
    before, after = module_of(KINDS), module_of(KINDS)
    recording_of(after)
    for name in ("plain", "later", "adder", "fails"):
        one, other = getattr(before, name), getattr(after, name)
        assert inspect.signature(one) == inspect.signature(other)
        assert inspect.iscoroutinefunction(one) == inspect.iscoroutinefunction(other)
        assert one.__code__.co_firstlineno == other.__code__.co_firstlineno
    assert after.plain(1, only=5) == 8
    assert inspect.isgeneratorfunction(after.Base.items)
    assert inspect.isasyncgenfunction(after.Base.produced)


def test_exceptions_pass_through(module):
    def test():
        with pytest.raises(KeyError, match="no"):
            module.fails()

    assert executed(module, test) == ["fails"]


def test_objects_are_not_kept_alive(module):
    def test():
        thing = module.Base()
        thing.helper()
        gone = weakref.ref(thing)
        del thing
        assert gone() is None

    recording_of(module, test)


def test_a_change_behind_the_back_is_part_of_the_history(module):
    def tests():
        for value in (1, 2, 1):
            thing = module.Base()
            yield lambda thing=thing, value=value: (setattr(thing, "value", value), thing.helper())

    recording = recording_of(module, *tests())
    assert [one.test.node for one in redundant_tests(recording, "WholeSeq")] == ["2"]


ARGUMENTS = """
class Box:
    def __init__(self):
        self.items = []
    def move(self, other):
        self.items, other.items = self.items + other.items, []
    def same(self, other):
        return self is other
"""


def test_sharing_between_arguments_counts():
    module = module_of(ARGUMENTS)
    one = module.Box

    def alone():
        box = one()
        box.same(box)

    def apart():
        one().same(one())

    recording = recording_of(module, alone, apart)
    assert [redundant_tests(recording, name) for name in REPRESENTATIONS] == [()] * 5


def test_a_changed_argument_is_reported():
    module = module_of(ARGUMENTS)

    def test():
        other = module.Box()
        other.items = [1]
        module.Box().move(other)

    recording = recording_of(module, test)
    assert ("argument-changed", "Box.move") in [
        (one.kind, one.subject.partition(":")[2]) for one in broken_assumptions(recording)
    ]


def test_what_cannot_be_read_is_unlike_everything():
    module = module_of(
        "class Reader:\n"
        "    def __init__(self, lines):\n        self.lines = (line for line in lines)\n"
        "    def read(self):\n        return next(self.lines)\n"
    )

    def test():
        module.Reader(["a"]).read()

    recording = recording_of(module, test, test)
    assert [redundant_tests(recording, name) for name in REPRESENTATIONS] == [()] * 5


def test_a_test_that_changes_what_it_got_is_not_judged():
    module = module_of(
        "SHARED = {'colour': 'red'}\n"
        "def defaults():\n    return dict(SHARED)\n"
        "def rows():\n    return [[1], [2]]\n"
    )

    def changes():
        module.defaults()["colour"] = "blue"
        assert module.defaults() == {"colour": "red"}

    def changes_within():
        module.rows()[0].append(2)
        module.rows()

    def only_reads():
        return module.defaults(), sorted(module.rows())

    tests = (module.defaults, module.rows, changes, changes_within, only_reads)
    found = redundant_tests(recording_of(module, *tests), "PairwiseEquals")
    assert [one.test.node for one in found] == ["4"]
