from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_terms import args, sequences

from unitcraft.core.sequences import (
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Symbol,
    arguments,
    children,
    refs_in,
    refs_of,
    renumber_refs,
    slice_sequence,
)

NEW = Call("function", "shop:Cart")


def add(*items):
    return Call("method", "shop:Cart.add", (Ref(0), *items))


@given(sequences())
def test_random_sequences_refer_backwards(sequence):
    assert sequence.rep_ok()
    assert len(sequence) == len(sequence.calls)


@pytest.mark.parametrize("index", [1, 2, 5])
def test_reference_to_itself_or_forwards_is_not_ok(index):
    assert not Sequence((NEW, add(Ref(index)))).rep_ok()


def test_reference_deep_inside_an_argument_counts():
    deep = Display("list", (Build(Symbol("m", "f"), (Const(1),), (("key", Ref(7)),)),))
    assert refs_in(deep) == (7,)
    assert not Sequence((NEW, add(deep))).rep_ok()


def test_slice_keeps_what_is_needed_in_order_and_renumbers():
    other = Call("function", "shop:Item", (Const("book"),))
    sequence = Sequence((NEW, other, other, add(Ref(2))))
    assert slice_sequence(sequence, (3,)) == Sequence((NEW, other, add(Ref(1))))


def test_slice_of_nothing_is_empty():
    assert slice_sequence(Sequence((NEW,)), ()) == Sequence(())


@given(sequences(), st.data())
def test_slice_is_a_sequence_and_slicing_again_changes_nothing(sequence, data):
    last = len(sequence) - 1
    wanted = tuple(data.draw(st.lists(st.integers(0, last), max_size=3)))
    once = slice_sequence(sequence, wanted)
    assert once.rep_ok()
    assert [call.name for call in once.calls] == subsequence(sequence, once)
    everything = tuple(range(len(once)))
    assert repr(slice_sequence(once, everything)) == repr(once)


def subsequence(sequence, part):
    """The names of ``part``, if they occur in ``sequence`` in that order."""
    names = iter(call.name for call in sequence.calls)
    return [call.name for call in part.calls if any(call.name == name for name in names)]


@given(sequences(), sequences())
def test_the_key_tells_programs_apart(first, second):
    copy = Sequence(first.calls)
    assert (copy, copy.key, copy.key) == (first, first.key, repr(first.calls))
    assert (first.key == second.key) == (repr(first) == repr(second))


def test_the_keys_of_1_and_true_differ_though_the_sequences_are_equal():
    one, true, float_ = (Sequence((Call("function", "m:f", (Const(v),)),)) for v in (1, True, 1.0))
    assert one == true == float_
    assert len({one.key, true.key, float_.key}) == 3


def test_asking_for_the_key_changes_nothing_that_is_compared_or_printed():
    asked, fresh = Sequence((NEW,)), Sequence((NEW,))
    assert asked.key
    assert (asked, hash(asked), repr(asked)) == (fresh, hash(fresh), repr(fresh))


@given(args(4))
def test_moving_shifts_every_reference_and_back_again(arg):
    there = {index: index + 10 for index in range(4)}
    back = {new: old for old, new in there.items()}
    shifted = renumber_refs(arg, there)
    assert refs_in(shifted) == tuple(index + 10 for index in refs_in(arg))
    assert repr(renumber_refs(shifted, back)) == repr(arg)


def test_moving_an_unknown_reference_fails():
    with pytest.raises(KeyError):
        renumber_refs(Display("set", (Ref(3),)), {0: 0})


def test_arguments_are_receiver_first_and_keywords_last():
    call = Call("method", "m:C.f", (Ref(0), Const(1)), (("key", Ref(2)),))
    assert arguments(call) == (Ref(0), Const(1), Ref(2))
    assert refs_of(call) == (0, 2)


def test_children_of_a_leaf_are_none():
    assert children(Const(1)) == ()
