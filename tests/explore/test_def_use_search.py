"""Def-use search: a class and a run that defines a field in, calls that may use it out."""

from __future__ import annotations

import pytest
from source_lab import rng

from unitcraft.explore.agents.answers import SearchReady
from unitcraft.explore.search import def_use_search
from unitcraft.explore.search.def_use_search import DefUseSearch
from unitcraft.explore.search.goal_criteria import aim_of
from unitcraft.instrument.def_use_pairs import describe_pairs

FLAG = """
    class Flag:
        def __init__(self):
            self.up = False

        def clear(self):
            self.up = False

        def read(self) -> bool:
            return self.up

        @property
        def shown(self) -> str:
            return "up" if self.up else "down"

        def other(self) -> int:
            return 1


    class Signal(Flag):
        pass


    class Stranger:
        pass
    """


@pytest.fixture
def search(lab):
    """A Lab and the DefUseSearch over it."""
    one = lab(FLAG, fields=True)
    pairs = tuple(describe_pairs(one.fields))
    ready = SearchReady(one.sites, [], frozenset(), pairs)
    goals = one.goals()
    goals.aim(aim_of(ready, ("def-use",)))
    names = [
        name.id.partition(":")[2] for name in one.subject.invocables if name.kind != "constructor"
    ]
    proposers = {f"sample:{name}": one.proposer(name) for name in names}
    bases = {info.id: info.bases for info in one.subject.classes}
    return one, goals, DefUseSearch(goals, proposers, bases)


def calls_of(found):
    return sorted({(name, *[call.name for call in made.calls]) for name, made in found})


def test_each_use_of_a_definition_is_called_after_it(search):
    one, _, uses = search
    found = uses.proposals(one.run("a = Flag()\na.clear()"), rng())
    assert calls_of(found) == [
        ("sample:Flag.read", "sample:Flag", "clear", "read"),
        ("sample:Flag.shown", "sample:Flag", "clear", "shown"),
    ]


def test_a_pair_is_tried_once_on_a_state(search):
    one, _, uses = search
    assert uses.proposals(one.run("a = Flag()\na.clear()"), rng())
    assert uses.proposals(one.run("a = Flag()\na.clear()"), rng()) == []


def test_a_pair_that_was_reached_is_not_tried(search):
    one, goals, uses = search
    goals.offer(one.run("a = Flag()\na.clear()\na.read()"), 1)
    found = uses.proposals(one.run("a = Flag()\na.clear()"), rng())
    assert {name for name, _ in found} == {"sample:Flag.shown"}


def test_a_definition_in_an_inherited_method_is_used_on_the_subclass(search):
    one, _, uses = search
    found = uses.proposals(one.run("a = Signal()\na.clear()"), rng())
    assert ("sample:Flag.read", "sample:Signal", "clear", "read") in calls_of(found)


@pytest.mark.parametrize("text", ["a = Stranger()", "a = Flag()\na.other()"])
def test_a_run_that_defines_nothing_proposes_nothing(search, text):
    one, _, uses = search
    assert uses.proposals(one.run(text), rng()) == []


def test_a_pair_is_tried_after_a_bounded_number_of_states(search, monkeypatch):
    monkeypatch.setattr(def_use_search, "MAX_STATES_PER_PAIR", 0)
    one, _, uses = search
    assert uses.proposals(one.run("a = Flag()\na.clear()"), rng()) == []
