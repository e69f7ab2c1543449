"""What was seen of a variant, beside what it was given."""

from __future__ import annotations

from unitcraft.core.encoding import encode
from unitcraft.core.sequences import Arg, Call, Const, Display, Sequence
from unitcraft.suite.mutation.agents.kill_evidence import mark_of
from unitcraft.suite.shrinking.variant_runner import beyond_echoes


def listed(*items: object) -> Display:
    return Display("list", tuple(Const(one) for one in items))  # type: ignore[arg-type]


def seen(given: Display, **parts: Arg) -> list[tuple[str, object]]:
    run = Sequence((Call("function", "shop:label", (given,)),))
    return beyond_echoes(run, [(key, mark_of(encode(value))) for key, value in parts.items()])


def test_containers_that_come_back_as_they_were_given_are_alike():
    one, other = listed("abc"), listed("second", "first", "third")
    assert seen(one, result=one) == seen(other, result=other)


def test_what_became_of_the_items_tells_them_apart():
    one, other = listed("abc"), listed("second", "first", "third")
    in_order = listed("first", "second", "third")
    assert seen(one, result=one) != seen(other, result=in_order)
    assert seen(one, size=Const(1)) != seen(other, size=Const(3))
