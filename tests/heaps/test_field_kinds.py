"""Kinds of field values, from source and from objects; ``invariant_source``; forms of objects."""

from __future__ import annotations

import sys

import pytest

from unitcraft.heaps.guest.field_choices import atoms_domain
from unitcraft.heaps.guest.field_kinds import FieldKinds
from unitcraft.heaps.guest.fields_agent import declare, declared_kinds
from unitcraft.heaps.guest.heap_form import read_all, write_form
from unitcraft.heaps.guest.monitored_classes import fields_of_object, identity

SOURCE = """\
from __future__ import annotations

import abc
import enum


class Link:
    __slots__ = ("after", "_value")

    def __init__(self, value: int, after: Link | None = None) -> None:
        self._value: int = value
        self.after: Link | None = after

    def _check(self):
        return True


class Chain:
    first: Link | None

    def __init__(self):
        self.first = None
        self.tags = []
        self.hook = print

    def check_rep(self):
        return True

    def _check(self, value):
        return value

    def fine(self):  # unitcraft: rep-ok
        return True


class Shape(abc.ABC):
    def __init__(self):
        self.size: int = 0

    @abc.abstractmethod
    def area(self): ...


class Square(Shape):
    def area(self):
        return 1


class Dot(Shape):
    def __init__(self):
        pass

    @property
    def size(self):
        return 0

    def area(self):
        return 0


class Colour(enum.Enum):
    RED = 1


class Tight:
    __slots__ = ("shape", "colour")

    def __init__(self) -> None:
        self.shape: Shape = Dot()
        self.colour: Colour = Colour.RED

    def count(self):
        class Counter:
            def __init__(self):
                self.total = 0

        return Counter()
"""


@pytest.fixture
def chains(tmp_path, monkeypatch):
    name = f"chains_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = __import__(name)
    yield module
    del sys.modules[name]


def test_declared_kinds_are_followed_to_other_classes(chains):
    kinds = declared_kinds(chains.__name__, chains.Chain)
    link = ("object", f"{chains.__name__}:Link")
    found = {name.partition(":")[2]: fields for name, fields in kinds.items()}
    assert found["Chain"]["first"] == [link, ("none",)]
    assert found["Link"] == {"after": [link, ("none",)], "_value": [("int",)]}


def test_objects_add_what_they_hold(chains):
    kinds = FieldKinds(chains.__name__)
    chain = chains.Chain()
    chain.first = chains.Link(3)
    chain.tags = [1, "x"]
    kinds.observe(chain)
    found = {name.partition(":")[2]: fields for name, fields in kinds.classes.items()}
    assert found["Chain"]["tags"] == [("list", (("int",), ("atom", "x")))]
    assert found["Chain"]["hook"] == [("other", "builtin_function_or_method")]
    assert found["Link"]["after"] == [("none",)]


def test_fields_are_those_that_objects_can_hold(chains):
    found = declared_kinds(chains.__name__, chains.Tight)
    name = chains.__name__
    concrete = [("object", f"{name}:Square"), ("object", f"{name}:Dot")]
    colour = ("enum", f"{name}:Colour", ("RED",))
    assert found == {
        f"{name}:Tight": {"shape": concrete, "colour": [colour]},
        f"{name}:Square": {"size": [("int",)]},
        f"{name}:Dot": {},
    }


def test_members_of_enumerations_are_no_objects_of_a_heap(chains):
    kinds = FieldKinds(chains.__name__)
    kinds.observe(chains.Tight())
    found = kinds.classes[f"{chains.__name__}:Tight"]["colour"]
    assert found == [("enum", f"{chains.__name__}:Colour", ("RED",))]
    assert f"{chains.__name__}:Colour" not in kinds.classes


def test_all_that_a_field_leads_to_is_read_when_it_is_chosen(chains):
    first, last = chains.Link(4), chains.Link(5)
    domains = {"after": atoms_domain((None,)), "_value": atoms_domain((0,))}
    objects = {identity(one): fields_of_object(one, domains) for one in (first, last)}
    asked = []

    def choose(one, name):
        asked.append((one is first, name))
        return last if one is first and name == "after" else None

    for one in (first, last):
        del one.after, one._value
    chains.Link.__getattr__ = choose
    read_all(first, objects)
    assert asked == [(True, "after"), (True, "_value"), (False, "after"), (False, "_value")]


def test_invariants_are_found_by_mark_and_by_name(chains):
    assert declare((chains.__name__, "Chain"))[1] == ("fine", "check_rep")
    assert declare((chains.__name__, "Link"))[1] == ("_check",)


def test_forms_number_objects_breadth_first(chains):
    last = chains.Link(5)
    first = chains.Link(4, last)
    last.after = first
    domains = {"after": atoms_domain((None,)), "_value": atoms_domain((0,))}
    objects = {identity(one): fields_of_object(one, domains) for one in (last, first)}
    classes = dict.fromkeys(objects, 0)
    assert write_form(last, objects, classes) == ((0, ((0, 1), 5)), (0, ((0, 0), 4)))
