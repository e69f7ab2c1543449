"""Which argument lacked the key or the attribute that a run missed."""

from __future__ import annotations

import collections  # noqa: F401 - a name in the calls below

import pytest

from unitcraft.execute.guest.interpret import MADE

LOOKUPS = """
class Box:
    def __init__(self, first, second):
        self.first = first
        self.second = second

    def read(self):
        return self.second["k"]

def name(first, second):
    return second["k"]

def inside(first, second):
    return second["a"]["k"]

def computed(first, second):
    return [first, second][1]["k"]

def handed(first, second):
    def look():
        return second["k"]
    return look()

def attribute(first, second):
    return first.x + second.x
"""


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("name({1: 2}, {3: 4})", 1),
        ("name({}, {})", 1),
        ("name({}, [])", 1),
        ("name({}, 'text')", ("text",)),
        ("name({}, None)", (None,)),
        ("inside({}, {'a': {'b': {}}})", 2),
        ("inside({}, {'a': 7})", (7,)),
        ("computed({1: 2}, {3: 4})", None),
        ("handed({}, {})", 1),
        ("Box({}, {}).read()", 1),
        ("attribute(types.SimpleNamespace(), types.SimpleNamespace(x=1))", 0),
        ("attribute(types.SimpleNamespace(x=1), types.SimpleNamespace())", 1),
        ("attribute(types.SimpleNamespace(x={}), types.SimpleNamespace(y={}))", 3),
        ("attribute([1], types.SimpleNamespace())", 0),
        ("attribute(1, types.SimpleNamespace())", (1,)),
    ],
)
def test_the_owner_is_the_container_or_nested_call_that_made_it_or_an_atom(lab, text, owner):
    _, outcome, *_ = lab(LOOKUPS).answer(text)
    assert outcome[-2] == owner


def test_a_key_that_the_subject_looked_up_in_its_own_table_has_no_owner(lab):
    one = lab("TABLE = {'b': 1}\n\ndef read(first):\n    return TABLE['k'] + first['k']\n")
    assert one.answer("read({})")[1][-2] is None


def test_nothing_is_kept_after_a_run_and_nothing_whose_end_may_be_seen_during_it(lab):
    one = lab(
        "import weakref\n\n"
        "def look(first):\n    kept = weakref.ref(first[0])\n    del first[:]\n"
        "    return kept() is None and first['k']\n"
    )
    _, outcome, *_ = one.answer("look([collections.UserList()])")
    assert (outcome[1], outcome[-2]) == ("list indices must be integers or slices, not str", None)
    assert MADE.items == []
    assert not MADE.active
