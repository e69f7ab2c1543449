"""Heirs whose class attributes are fields, for bases that pick them."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Build, Call, Const, Ref, Symbol
from unitcraft.explore.search.surroundings.declared_fields import heirs_with_fields

BY_METACLASS = """
class Field:
    def __init__(self, default=None):
        self.default = default

class Text(Field):
    pass

class Named(Field):
    def __init__(self, name):
        super().__init__(name)

class RecordMeta(type):
    def __new__(mcs, name, bases, attrs):
        attrs["fields"] = {k: v for k, v in attrs.items() if isinstance(v, Field)}
        return super().__new__(mcs, name, bases, attrs)

class Record(metaclass=RecordMeta):
    def __init__(self, **values):
        self.values = values

class Plain:
    pass
"""
BY_HOOK = """
class Option:
    pass

class Plugin:
    def __init_subclass__(cls):
        cls.options = [k for k, v in vars(cls).items() if isinstance(v, (Option, int))]
"""
NOTHING = """
class Base:
    def __init_subclass__(cls):
        cls.made = isinstance(cls, Missing)
"""


@pytest.fixture
def found(lab):
    def heirs(source):
        subject = lab(source).subject
        names = {one.id: f"Own{one.qualname}" for one in subject.classes}
        return subject, dict(heirs_with_fields(subject, source, names))

    return heirs


def test_what_a_metaclass_picks_is_declared_by_an_heir(found):
    _, made = found(BY_METACLASS)
    assert list(made) == ["sample:Record"]
    plain, full, single = [way.sequence.calls for way in made["sample:Record"]]
    define = Call(
        "define",
        "class OwnRecord({0}):\n    name = {1}\n    size = {2}",
        (Symbol("sample", "Record"), *map(field, ("Text", "Field"))),
    )
    assert {define} == {plain[0], full[0], single[0]}
    assert plain[1] == Call("operator", "call", (Ref(0),))
    assert full[1].kwargs == (("name", Const("abc")), ("size", Const(1)))
    assert single[1].kwargs == (("name", Const("abc")),)


def test_what_a_hook_of_heirs_picks_is_declared(found):
    _, made = found(BY_HOOK)
    [way] = made["sample:Plugin"]
    assert way.sequence.calls[0].args[1:] == (field("Option"), field("Option"))


def test_nothing_is_declared_where_no_field_is_known(found):
    assert found(NOTHING)[1] == {}


def field(name):
    return Build(Symbol("sample", name))
