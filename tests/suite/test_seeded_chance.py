"""Runs that draw from chance, with a seed for all, for an object, or by a method of it."""

from __future__ import annotations

import pytest

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.subject.model import Invocable, Parameter, Subject
from unitcraft.suite.telling.seeded_chance import SHARED, seeded_variants, usual_seeds

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


@pytest.fixture(scope="module")
def usual():
    seeded = Invocable("dice:Cup", "constructor", "Cup", "dice:Cup",
        (Parameter("seed"), Parameter("sides", required=False)))  # fmt: skip
    plausibility = Plausibility(Subject("dice", "dice.py", (), (seeded,)))
    return lambda *calls: list(usual_seeds(Sequence(calls), plausibility))


def test_an_odd_seed_and_calls_that_only_draw_give_way_to_small_seeds(usual):
    draw, look = Call("method", "draw", (Ref(0),)), Call("method", "look", (Ref(0),))

    def cup(seed, *, named=False):
        arg = Const(seed)
        return Call("function", "dice:Cup", *(((), (("seed", arg),)) if named else ((arg,),)))

    for named in (False, True):
        first, *others = usual(cup(-227, named=named), look)
        assert first == Sequence((cup(1, named=named), look))
        assert len(others) > 10
    assert usual(cup(2), draw, look)[:2] == [Sequence((cup(n), look)) for n in (1, 2)]
    assert usual(cup(2), look) == []
    assert usual(cup("abc"), draw, look) == []


def test_what_equals_the_seed_and_is_none_stays(usual):
    cup = Call("function", "dice:Cup", (Const(12), Const(12)))
    first, *_ = usual(cup, Call("method", "look", (Ref(0),)))
    assert first.calls[0] == Call("function", "dice:Cup", (Const(1), Const(12)))
