"""Field probes change nothing, see which definition a use reads, and list what may be joined."""

from __future__ import annotations

import ast
import sys
import textwrap
import types

import pytest

from unitcraft.execute import steps
from unitcraft.instrument.branch_recorder import RecordedBranches
from unitcraft.instrument.def_use_pairs import describe_pairs
from unitcraft.instrument.reaching_definitions import DEFINITIONS, FollowedFields


@pytest.fixture(autouse=True)
def _apart():
    yield
    DEFINITIONS.end()
    DEFINITIONS.module = ""
    DEFINITIONS.declared = {}
    sys.modules.pop("subject", None)


def load(source):
    """The namespace of ``source`` with probed fields, and the table of the fields."""
    followed = FollowedFields("subject")
    branches = RecordedBranches()
    tree = ast.parse(textwrap.dedent(source))
    tree = branches.rewrite(followed.rewrite(tree, "subject"), "subject")
    module = sys.modules["subject"] = types.ModuleType("subject")
    namespace = vars(module)
    namespace.update(branches.probes | followed.probes)
    steps.bind(namespace)
    exec(compile(ast.fix_missing_locations(tree), "<subject>", "exec"), namespace)
    return namespace, followed.table


def joined(source):
    """(line of the definition, line of the use) of the pairs that ``go()`` joins."""
    namespace, table = load(source)
    DEFINITIONS.begin()
    DEFINITIONS.noting = True
    namespace["go"]()
    pairs, _ = DEFINITIONS.end()
    return [(table.sites[d].line, table.sites[u].line) for d, u in pairs]


def titles(source):
    return [row[3] for row in describe_pairs(load(source)[1])]


BOX = """
class Box:
    def __init__(self):
        self.items = []
        self.size = 0
    def put(self, item):
        self.items.append(item)
        self.size += 1
    def drop(self):
        del self.size
    def look(self):
        return getattr(self, "size", None), self.size
"""


def test_a_use_reads_the_last_definition_of_the_very_object():
    go = """
def go():
    one, two = Box(), Box()
    one.put(1)
    two.look()
"""
    assert joined(BOX + go) == [(4, 7), (5, 8), (5, 12)]


def test_an_augmented_store_uses_before_it_defines():
    assert joined(BOX + "\ndef go():\n    one = Box()\n    one.put(1)\n    one.put(2)\n") == [
        (4, 7), (5, 8), (8, 8),
    ]  # fmt: skip


def test_the_operand_of_an_augmented_store_reads_the_old_value():
    source = """
class Account:
    def __init__(self):
        self.sum = 2
    def grow(self):
        self.sum += self.sum
        return self.sum
def go():
    assert Account().grow() == 4
"""
    assert joined(source) == [(4, 6), (4, 6), (6, 7)]


def test_a_deletion_is_read_by_finding_nothing():
    source = (
        BOX
        + """
def go():
    one = Box()
    one.drop()
    try:
        one.look()
    except AttributeError:
        pass
"""
    )
    assert (10, 12) in joined(source)


def test_a_store_that_no_probe_saw_joins_nothing():
    source = """
class Box:
    def __init__(self):
        self.size = 1
    def read(self):
        return self.size
def go():
    one = Box()
    one.read()
    setattr(one, "size", 5)
    one.read()
def stored():
    one = Box()
    vars(one)["size"] = 7
    one.read()
"""
    assert joined(source) == [(4, 6)]


def test_declarations_are_definitions_of_dataclasses_and_of_classes():
    source = """
from dataclasses import dataclass
@dataclass
class Point:
    x: int
    y: int = 0
    def sum(self):
        return self.x + self.y
class Counter:
    total = 0
    def add(self):
        self.total += 1
def go():
    Point(1).sum()
    one = Counter()
    one.add()
    one.add()
"""
    assert joined(source) == [(5, 8), (6, 8), (10, 12), (12, 12)]


def test_fields_of_other_modules_are_left_alone():
    source = """
import types
class Box:
    def __init__(self, other):
        self.other = other
        other.name = 1
    def read(self):
        return self.other.name
def go():
    Box(types.SimpleNamespace()).read()
"""
    assert joined(source) == [(5, 8)]


def test_slots_private_names_properties_and_unpacking_keep_their_meaning():
    source = """
class Node:
    __slots__ = ("__value", "next")
    def __init__(self, value):
        self.__value, self.next = value, None
    @property
    def value(self):
        return self.__value
    @value.setter
    def value(self, new):
        self.__value = new
    def chain(self):
        self.next = Node(2)
        self.next.next = Node(3)
        self.next.next.value = 9
        for self.next.value in (4, 5):
            pass
        return [self.value, self.next.value, self.next.next.value]
def go():
    assert Node(1).chain() == [1, 5, 9]
"""
    assert (5, 8) in joined(source)
    assert (14, 15) in joined(source)
    assert (11, 8) in joined(source)


def test_a_base_is_evaluated_once_and_in_order():
    source = """
log = []
class Box:
    def __init__(self):
        self.size = 0
def note(x, value):
    log.append(x)
    return value
def f():
    box = Box()
    note("a", box).size = note("b", 1)
    note("c", box).size += note("d", 2)
    x: int = 3
    note("e", box).size
    return log, box.size
"""
    assert load(source)[0]["f"]() == (["b", "a", "c", "d", "e"], 3)


def test_an_annotation_alone_defines_nothing():
    source = """
class Box:
    def __init__(self):
        self.size: int
        self.size: int = 3
    def read(self):
        return self.size
def go():
    Box().read()
"""
    assert joined(source) == [(5, 7)]


def test_targets_leave_out_what_a_method_stores_itself_and_constructors():
    source = """
class Box:
    limit = 9
    def __init__(self):
        self.limit = 3
        self.size = self.limit
    def reset(self):
        self.size = 0
        if self.size > self.limit:
            self.size = 1
"""
    assert titles(source) == [
        "Box.limit 5->6", "Box.limit 5->9", "Box.size 8->9",
    ]  # fmt: skip


def test_a_loop_brings_later_definitions_back():
    source = """
class Box:
    def fill(self):
        self.size = 0
        while self.size < 3:
            self.size += 1
"""
    assert titles(source) == [
        "Box.size 4->5", "Box.size 4->6", "Box.size 6->5", "Box.size 6->6",
    ]  # fmt: skip


def test_a_branch_does_not_shield_what_follows_it():
    source = """
class Box:
    def __init__(self):
        self.size = 1
    def read(self, change):
        if change:
            self.size = 2
        else:
            self.size = 3
        return self.size
    def after_call(self):
        self.size = 4
        self.read(True)
        return self.size
"""
    shown = titles(source)
    assert {f"Box.size {line}->10" for line in (4, 7, 9, 12)} <= set(shown)
    assert {f"Box.size {line}->14" for line in (4, 7, 9, 12)} <= set(shown)


def test_inherited_fields_are_targets_across_the_line_of_inheritance():
    source = """
class Base:
    def __init__(self):
        self.size = 1
class Child(Base):
    def read(self):
        return self.size
class Other:
    def read(self):
        return self.size
"""
    assert titles(source) == ["Child.size 4->7"]


def test_the_methods_that_lead_to_a_use_are_told():
    source = """
class Box:
    def __init__(self):
        self.size = 1
    def _read(self):
        return self.size
    def twice(self):
        return 2 * self._read()
"""
    assert [row[2] for row in describe_pairs(load(source)[1])] == [(6, 7)]


def test_objects_are_let_go_at_the_end():
    namespace, _ = load(BOX)
    DEFINITIONS.begin()
    namespace["Box"]()
    assert len(DEFINITIONS.stored) == 2
    DEFINITIONS.end()
    assert DEFINITIONS.stored == {}
