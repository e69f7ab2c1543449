"""The same Sequence with fewer Calls: none refers to one that was left out."""

from __future__ import annotations

from unitcraft.core.sequences import Call, Const, Ref, Sequence
from unitcraft.suite.shrinking.fewer_calls import (
    with_class_once,
    with_parts,
    without_all,
    without_unused,
)

MAKE = Call("function", "m:C")
USE = Call("method", "f", (Ref(0), Const(1)))
LINK = Call("method", "g", (Ref(1),))


def test_a_call_that_another_refers_to_is_never_dropped():
    sequence = Sequence((MAKE, USE, LINK, USE))
    assert without_all(sequence, (0,)) is None
    assert without_all(sequence, (1,)) is None
    assert without_all(sequence, (2,)) == Sequence((MAKE, USE, USE))
    assert without_all(sequence, (1, 2)) == Sequence((MAKE, USE))


def test_a_part_takes_the_place_of_the_whole_that_is_made_with_it():
    """``Box(coin)`` is passed on, and so may the coin be; what is not passed on stays."""
    coin = Call("function", "m:Coin", (Const(2),))
    box = Call("function", "m:Box", (Ref(0), Const("red")))
    pay = Call("function", "m:pay", (Ref(1), Const(1)))
    assert list(with_parts(Sequence((coin, box, pay)))) == [
        Sequence((coin, Call("function", "m:pay", (Ref(0), Const(1)))))
    ]
    assert list(with_parts(Sequence((coin, box)))) == []


def test_a_class_that_is_written_twice_alike_is_written_once():
    write = Call("define", "class Heir({0}): pass", (Const("m:Base"),))
    makes = [Call("operator", "call", (Ref(at),)) for at in (0, 1)]
    (found,) = with_class_once(Sequence((write, write, *makes)))
    assert found == Sequence((write, makes[0], makes[0]))


def test_what_nobody_uses_is_not_made():
    other = Call("function", "m:D")
    method = Call("method", "f", (Ref(1), Const(1)))
    (found,) = without_unused(Sequence((other, MAKE, method, LINK)))
    assert found == Sequence((MAKE, USE, Call("method", "g", (Ref(0),))))
    assert list(without_unused(Sequence((MAKE, USE, USE)))) == []
