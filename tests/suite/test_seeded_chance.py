"""Runs that draw from chance, with a seed for all, for an object, or by a method of it."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.telling.seeded_chance import SHARED, seeded_variants

ROLL = Invocable("dice:roll", "function", "roll", "", (Parameter("seed", required=False),))
DECK = Invocable("dice:Deck", "constructor", "Deck", "dice:Deck", (Parameter("suits"),))
DRAW = Invocable("dice:Deck.draw", "method", "draw", "dice:Deck", ())
SEED = Const(1)


@pytest.fixture(scope="module")
def variants():
    plausibility = Plausibility(Subject("dice", "dice.py", (), (ROLL, DECK, DRAW)))
    members = {"dice:Deck": ("dice:Deck", "dice:Deck.draw", "dice:Deck.reseed")}
    return lambda *calls: list(seeded_variants(Sequence(calls), plausibility, members))


def test_a_parameter_that_takes_a_seed_is_given_one(variants):
    roll = Call("function", "dice:roll")
    shared, own = variants(roll)
    assert shared == Sequence((SHARED, roll))
    assert own == Sequence((Call("function", "dice:roll", (), (("seed", SEED),)),))


def test_who_gives_a_seed_is_given_no_other(variants):
    seeded = Call("function", "dice:roll", (), (("seed", Const(4)),))
    assert variants(SHARED, seeded) == []


def test_an_object_is_seeded_by_its_method_before_it_is_used(variants):
    deck, draw = Call("function", "dice:Deck"), Call("method", "draw", (Ref(0),))
    shared, own = variants(deck, draw)
    assert shared == Sequence((SHARED, deck, Call("method", "draw", (Ref(1),))))
    assert own == Sequence((deck, Call("method", "reseed", (Ref(0), SEED)), draw))
    assert variants(SHARED, deck) == []
