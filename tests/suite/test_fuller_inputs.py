"""Collections get several items, objects more that is put into them, look-ups something to find."""

from __future__ import annotations

from random import Random

import pytest

from unitcraft.core.sequences import Call, Const, Display, Ref, Sequence, Source
from unitcraft.explore.execution import Execution
from unitcraft.suite.telling.fuller_inputs import (
    MAX_CALLS,
    MAX_ITEMS,
    fuller_inputs,
    with_entries,
    with_fuller_receiver,
    with_one_more,
    with_twin,
)


def calling(*args):
    return Sequence((Call("function", "sample:run", args),))


def atoms(kind, *values):
    return Display(kind, tuple(map(Const, values)))


def fuller(*args):
    return [made.calls[0].args[0] for made in fuller_inputs(calling(*args), Random(0))]


@pytest.mark.parametrize("kind", ["list", "set"])
def test_a_collection_gets_items_of_one_class_in_mixed_order(kind):
    (made,) = fuller(atoms(kind, 3))
    numbers = [item.value for item in made.items]
    assert made.kind == kind
    assert sorted(numbers) == list(range(1, MAX_ITEMS + 1)) != numbers


def test_items_of_several_parts_keep_them():
    (made,) = fuller(Display("list", (atoms("tuple", "abc", 1, None),)))
    rows = [[part.value for part in row.items] for row in made.items]
    words, numbers, nothing = zip(*rows, strict=True)
    assert len(set(words)) == len(set(numbers)) == MAX_ITEMS
    assert set(map(type, words)) == {str}
    assert set(nothing) == {None}
    (made,) = fuller(Display("dict", (Const("abc"), Const(value=True))))
    assert len(set(made.items[::2])) == MAX_ITEMS
    assert list(made.items[1::2]) == [Const(value=True)] * MAX_ITEMS


@pytest.mark.parametrize(
    "arg",
    [
        atoms("list"), atoms("list", None), atoms("list", 1.5), atoms("list", *range(MAX_ITEMS)),
        Display("list", (Display("tuple", (atoms("tuple", 1),)),)), atoms("tuple", 1), Const("abc"),
    ],
)  # fmt: skip
def test_what_is_full_empty_or_of_other_items_stays(arg):
    assert fuller(arg) == []


def test_an_object_is_put_more_into_before_what_was_done_to_it():
    made = Call("function", "sample:Tree", ())
    put = Call("operator", "[]=", (Ref(0), Const("abc"), Const(None)))
    ask = Call("method", "first", (Ref(0),))
    (fuller_one,) = fuller_inputs(Sequence((made, put, ask)), Random(0))
    first, *more, last, asked = fuller_one.calls
    assert (first, last, asked) == (made, put, ask)
    assert len({call.args[1] for call in more}) == len(more) == MAX_CALLS
    assert {(call.name, call.args[0], call.args[2]) for call in more} == {
        ("[]=", Ref(0), Const(None))
    }


def test_results_are_referred_to_by_their_new_numbers():
    made = Call("function", "sample:Tree", ())
    put = Call("method", "add", (Ref(0), Const(1)))
    both = Call("function", "sample:both", (Ref(0), Ref(1)))
    (fuller_one,) = fuller_inputs(Sequence((made, put, both)), Random(0))
    assert fuller_one.calls[-1].args == (Ref(0), Ref(1 + MAX_CALLS))


def test_a_look_up_finds_something_where_nothing_was():
    (more, true) = with_entries(calling(atoms("dict", "jump", None, "ip", 4)), ["jump"])
    assert more.calls[0].args[0].items[1] == Const("abc")
    assert true.calls[0].args[0].items[1] == Const(value=True)
    (more, _) = with_entries(calling(atoms("dict", "ip", 4)), ["jump"])
    assert more.calls[0].args[0].items == (Const("ip"), Const(4), Const("jump"), Const("abc"))
    assert list(with_entries(calling(atoms("dict", "ip", 4)), ["ip"])) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ((Const(5),), (Const(5), Const(1))),
        ((Const("abc"),), (Const("abc"), Const("def"))),
        ((Source("lambda x: x"),), (Source('lambda x: f"<{x}>"'), Source("lambda x: [x]"))),
        ((Const(None),), None),
        ((), None),
    ],
)
def test_one_more_argument_differs_from_the_one_before(given, expected):
    def called(args):
        return Sequence((Call("function", "shop:pipe", (Const(7), *args)),))

    assert with_one_more(called(given), 1) == (called(expected) if expected else None)


def ran(invocable, *calls):
    return Execution(f"m:{invocable}", Sequence(calls), None, "list0", (), (), (), ())


BOX = Call("function", "m:Box")
PUT = Call("method", "put", (Ref(0), Const(3)))
ITEMS = Call("get", "items", (Ref(0),))


def test_a_call_is_made_on_an_object_that_another_test_has_filled():
    """Before or after that test's own last Call; of another class is none, nor is a bare one."""
    bare = ran("Box.items", BOX, ITEMS)
    other = Call("function", "m:Bin")
    assert list(
        with_fuller_receiver(
            bare,
            [
                ran("Box.put", BOX, PUT, PUT),
                ran("Bin.put", other, PUT),
                ran("Box.size", BOX, ITEMS),
            ],
        )
    ) == [
        Sequence((BOX, PUT, ITEMS)),
        Sequence((BOX, PUT, PUT, ITEMS)),
        Sequence((BOX, ITEMS, ITEMS)),
    ]
    assert list(with_fuller_receiver(ran("f", Call("function", "m:f")), [bare])) == []


def test_what_is_compared_with_itself_is_compared_with_another_made_alike():
    made = Call("function", "shop:Box", (Const(3),))
    put = Call("method", "put", (Ref(0), Const("a")))
    twin = with_twin(Sequence((made, put, Call("operator", "==", (Ref(0), Ref(0))))))
    assert twin == Sequence(
        (made, put, made, Call("method", "put", (Ref(2), Const("a"))),
         Call("operator", "==", (Ref(0), Ref(2))))
    )  # fmt: skip
    other = Sequence((made, made, Call("operator", "==", (Ref(0), Ref(1)))))
    assert with_twin(other) is None
    assert with_twin(Sequence((Call("operator", "==", (Const(1), Const(1))),))) is None


def test_a_class_that_the_test_writes_is_not_written_again_for_the_twin():
    define = Call("define", "class Box:\n    pass")
    made = Call("operator", "call", (Ref(0),))
    twin = with_twin(Sequence((define, made, Call("operator", "!=", (Ref(1), Ref(1))))))
    assert twin == Sequence((define, made, made, Call("operator", "!=", (Ref(1), Ref(2)))))
