"""What is known of a parameter speaks for others of its name, where nothing else does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from unitcraft.explore.plausibility.evidence_ladder import EvidenceLadder

SOURCE = """
from typing import Any

def find(tree, key):
    for part in key.split(":"):
        tree = tree[part]
    return tree

class Tree:
    total = 0
    def get(self, key): return [key]
    def store(self, key: Any, measure): return [key, measure]
    def weigh(self, measure): return measure / 2
    def label(self, measure): return measure.upper()
    def near(self, other): return self.total - other.total
    def far(self, other): return [other]
"""


@pytest.fixture
def described(lab):
    return lab(SOURCE).subject


def shown(subject, name, parameter):
    ladder = EvidenceLadder(subject)
    called = next(one for one in subject.invocables if one.id.endswith(f":{name}"))
    asked = next(one for one in called.parameters if one.name == parameter)
    return [(one.type.name, one.rungs) for one in ladder.evidence(called, asked).candidates]


def test_what_hands_an_argument_on_learns_from_its_namesake(described):
    assert shown(described, "find", "key")[0] == ("str", ("flow",))
    assert shown(described, "Tree.get", "key") == [("str", ("namesake",))]
    assert shown(described, "Tree.store", "key") == []  # declared to take anything


def test_namesakes_that_disagree_say_nothing(described):
    assert shown(described, "Tree.store", "measure") == []


def test_an_operand_says_nothing_of_others(described):
    assert shown(described, "Tree.far", "other") == []


KEYS = """
def cached(load, key):
    return load(key(load))

class Store:
    def __init__(self): self.held = {}
    def __setitem__(self, key, value): self.held[key] = value
    def pick(self, key): return [key]

class Other:
    def pick(self, key): return [key]
"""


def test_a_key_of_a_container_is_no_function_as_it_is_elsewhere(lab):
    subject = lab(KEYS).subject
    assert shown(subject, "Store.__setitem__", "key") == []
    assert shown(subject, "Store.pick", "key") == []
    assert shown(subject, "Other.pick", "key") == [("callable", ("namesake",))]


def test_a_bare_container_learns_of_its_items_from_a_namesake(lab):
    subject = lab("""
        def put(rows, name): rows.append(name)
        def put_end(rows): rows.append("end")
        def put_one(cells): cells.append(1)
        def put_any(cells, name): cells.append(name)
        def both(cells): return cells.items()
        """).subject
    ladder = EvidenceLadder(subject)

    def best(name):
        called = next(one for one in subject.invocables if one.id.endswith(f":{name}"))
        return ladder.evidence(called, called.parameters[0]).candidates[0].type

    assert [one.name for one in best("put").args] == ["str"]
    assert best("put") == best("put_end")
    assert best("put_any").args == ()  # its namesakes disagree


def test_a_bare_container_speaks_for_one_whose_items_are_known(lab):
    subject = lab('''
        def expand(name, words):
            """Expand.

            :param dict words: what names stand for
            """
            return words[name].format(name)
        ''').subject
    ladder = EvidenceLadder(subject)
    found = ladder.evidence(subject.invocables[0], subject.invocables[0].parameters[1])
    best = found.candidates[0]
    assert (best.type.name, [one.name for one in best.type.args]) == ("dict", ["str", "str"])
    assert len(best.rungs) > 1
    assert all(one.type.args for one in found.candidates if one.type.name == "dict")


def test_what_a_class_has_from_another_module_learns_from_its_own(described):
    """``fetch`` stands in another module, as a member of a base does; no namesake there tells."""
    get = next(one for one in described.invocables if one.id.endswith("Tree.get"))
    ladder = EvidenceLadder(described)
    for module, owner, expected in [
        ("other", get.owner, ["str"]),
        ("other", "other:Base", []),
    ]:
        inherited = replace(get, id=f"{owner}.fetch", module=module, owner=owner)
        found = ladder.evidence(inherited, inherited.parameters[0]).candidates
        assert [one.type.name for one in found] == expected
