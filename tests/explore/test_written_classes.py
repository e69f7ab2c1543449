"""Classes that a test writes: heirs of abstract classes, and owners of descriptors."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from source_lab import Lab

from unitcraft.core.sequences import Call, Const, Ref, Sequence, Source, Symbol, class_name
from unitcraft.explore.search.surroundings.written_classes import (
    MAX_HEIRS,
    decorator_uses,
    descriptor_uses,
    heir_name,
    pool_with_heirs,
    says_nothing,
)
from unitcraft.subject.model import Invocable
from unitcraft.subject.values.value_pools import ValuePools

SOURCE = """
from abc import ABC, abstractmethod
from collections.abc import Sized

class BaseStore(ABC):
    def __init__(self, name: str):
        self.name = name

    @abstractmethod
    def load(self, key, *rest, deep=False) -> list: ...

    @classmethod
    @abstractmethod
    def make(cls): ...

    @property
    @abstractmethod
    def is_open(self): ...

    @abstractmethod
    async def close(self) -> None: ...

    def size(self):
        return len(self.load("a", deep=True))

class Box(Sized):
    def is_full(self):
        return len(self) > 1

class upper:
    def __init__(self, func):
        self.func = func
    def __get__(self, instance, owner):
        return "class" if instance is None else self.func(instance)
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    made = Lab(SOURCE, tmp_path_factory.mktemp("lab"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def objects(lab):
    return pool_with_heirs(lab.subject, ValuePools(lab.subject))


def test_an_heir_has_what_is_missing_and_can_be_made(lab, objects):
    found = objects.seeds("sample:BaseStore")
    assert len(found) == MAX_HEIRS
    define, make = found[0].sequence.calls
    assert define.name.splitlines()[:3] == [
        "class Store({0}):",
        "    def load(self, key, *rest, deep=None):",
        "        return {1}",
    ]
    assert "    @classmethod\n    def make(cls):\n        return {2}" in define.name
    assert "    @property\n    def is_open(self):\n" in define.name
    assert define.name.endswith("    async def close(self):\n        pass")
    assert define.args[0] == Symbol("sample", "BaseStore")
    assert len(make.args) == 2
    assert lab.run(found[0].sequence, "BaseStore").failed is None


def test_objects_of_heirs_are_objects_of_the_class(lab, objects):
    (seed, *_) = objects.seeds("sample:Box")
    run = lab.run(seed.sequence, "Box")
    assert run.failed is None, run
    assert [one.type for one in run.objects if one.result == 1] == ["sample:Box"]


@pytest.mark.parametrize(
    ("base", "name"),
    [("BaseStore", "Store"), ("ReaderMixin", "Reader"), ("Shape", "ConcreteShape"),
     ("Base", "ConcreteBase"), ("AbstractBox", "ConcreteBox")],
)  # fmt: skip
def test_names_of_heirs(base, name):
    assert heir_name(base, {base, "Box"}) == name


def test_a_descriptor_is_used_in_a_class(lab):
    get, on_class, *_ = decorator_uses("sample:upper", ("descriptor",))
    assert class_name(get.calls[0]) == "Circle"
    assert lab.run(get, "upper").behaviour == "int1"
    assert lab.run(on_class, "upper").behaviour == "str2"
    *_, kept = decorator_uses("sample:upper", ("descriptor",))
    assert kept.calls[0].name.endswith("return [1]")
    assert kept.calls[2:] == (Call("get", "area", (Ref(1),)),) * 2
    (store,) = decorator_uses("sample:upper", ("setter",))
    assert store.calls[-2:] == (
        Call("set", "area", (Ref(1), Const(5))),
        Call("get", "size", (Ref(1),)),
    )
    made = lab.sequence("upper('abc')")
    (define, *_) = descriptor_uses(made)[0].calls
    assert define.name == "class Circle:\n    area = {0}({1})"
    assert define.args == (Symbol("sample", "upper"), Const("abc"))


def test_what_the_source_asks_of_values_is_given(lab):
    pools = ValuePools(lab.subject, source="dataclasses.fields(x); isinstance(x, type); x._fields")
    objects = pool_with_heirs(lab.subject, pools)
    assert len(objects.seeds("builtins:type")) == 2
    for home, kind in (("dataclasses:dataclass", "Person"), ("typing:NamedTuple", "Pair")):
        run = lab.run(objects.seeds(home)[0].sequence, "Box")
        assert run.behaviour == f"test_module:test.<locals>.{kind}"


def test_a_check_for_enumerations_gets_one(lab):
    pools = ValuePools(lab.subject, source="if not issubclass(kind, enum.Enum): pass")
    found = pool_with_heirs(lab.subject, pools).seeds("builtins:type")
    names = [re.match(r"class (\w+)", one.sequence.calls[0].name) for one in found]
    assert [name[1] for name in names if name] == ["Colour", "Point"]
    pools = ValuePools(lab.subject, source="from enum import Enum\nclass Light(Enum): ON = 1")
    assert not pool_with_heirs(lab.subject, pools).seeds("builtins:type")


def test_what_a_comment_names_is_not_asked_for(lab):
    pools = ValuePools(lab.subject, source="# dataclasses.fields, isclass(), x._fields\n")
    objects = pool_with_heirs(lab.subject, pools)
    assert not objects.seeds("builtins:type")
    assert not objects.seeds("typing:NamedTuple")


def test_a_method_that_only_refuses_is_defined_by_an_heir(lab):
    source = "class Box:\n    def is_full(self):\n        raise NotImplementedError\n"
    subject = replace(
        lab.subject,
        classes=tuple(replace(info, unimplemented=()) for info in lab.subject.classes),
        invocables=(
            *lab.subject.invocables,
            Invocable("sample:Box", "constructor", "Box", owner="sample:Box"),
        ),
    )
    objects = pool_with_heirs(subject, ValuePools(subject, source=source))
    (seed,) = objects.seeds("sample:Box")
    assert "def is_full(self):\n        return {1}" in seed.sequence.calls[0].name


CACHE = """
class Cache:
    def __init__(self, size=2):
        self.held = {}
    def __getitem__(self, key):
        return self.held[key] if key in self.held else self.__missing__(key)
    def __missing__(self, key):
        raise KeyError(key)

class Recent(Cache):
    def __getitem__(self, key):
        value = super().__getitem__(key)
        if key in self.held:
            self.held[key] = self.held.pop(key)
        return value

class Counted(dict):
    def __missing__(self, key):
        return 0
"""


def test_what_is_missing_is_answered_by_an_heir_of_each_class_that_refuses_it(tmp_path):
    """Also of an heir that inherits the refusal, not of a class that answers itself."""
    made = Lab(CACHE, tmp_path)
    objects = pool_with_heirs(made.subject, ValuePools(made.subject, source=CACHE))
    for name in ("Cache", "Recent"):
        heirs = {one.sequence.calls[0].name: one for one in objects.seeds(f"sample:{name}")}
        (seed,) = [one for text, one in heirs.items() if f"class Concrete{name}(" in text]
        assert "def __missing__(self, key):\n        return {1}" in seed.sequence.calls[0].name
        look = Call("operator", "[]", (Ref(1), Const("abc")))
        run = made.run(Sequence((*seed.sequence.calls, look)), f"{name}.__getitem__")
        assert run.failed is None
    assert not objects.seeds("sample:Counted")
    made.close()


HEIR = Call(
    "define",
    "class Store({0}):\n    def load(self):\n        return {1}\n\n"
    "    @property\n    def is_open(self):\n        return {1}\n\n"
    "    @{2}\n    def close(self):\n        return {1}",
    (Symbol("sample", "BaseStore"), Const(1), Symbol("sample", "upper")),
)


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        (Call("method", "load", (Ref(1),)), True),
        (Call("get", "is_open", (Ref(1),)), True),
        (Call("method", "size", (Ref(1),)), False),
        (Call("method", "close", (Ref(1),)), False),
        (Call("method", "load", (Const("abc"),)), False),
        (Call("function", "sample:load", (Ref(1),)), False),
    ],
)
def test_what_the_test_itself_defines_is_told_from_what_it_inherits(last, expected):
    make = Call("operator", "call", (Ref(0),))
    assert says_nothing(Sequence((HEIR, make, last))) is expected


@pytest.mark.parametrize(("called", "expected"), [
    (Source("lambda x: x + 1"), True), (Ref(0), False),
])  # fmt: skip
def test_a_function_that_the_test_writes_is_not_what_it_is_about(called, expected):
    make = Call("function", "sample:decorator")
    last = Call("operator", "call", (called, Const(1)))
    assert says_nothing(Sequence((make, last))) is expected


@pytest.mark.parametrize(("name", "receiver", "expected"), [
    ("size", Ref(0), True), ("name", Ref(0), False), ("size", Ref(1), False),
])  # fmt: skip
def test_a_member_that_the_test_sets_is_not_the_one_of_the_class(name, receiver, expected):
    makes = [Call("function", "sample:Box"), Call("function", "sample:Box")]
    set_ = Call("set", name, (receiver, Const(1)))
    last = Call("method", "size", (Ref(0),))
    assert says_nothing(Sequence((*makes, set_, last))) is expected
