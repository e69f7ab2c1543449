from __future__ import annotations

import marshal

import pytest
from hypothesis import given
from random_terms import args, calls, sequences

from unitcraft.core import encoding
from unitcraft.core.encoding import decode_sequence, encode_sequence
from unitcraft.core.outcomes import Exhausted, Opaque, Raised, Rejected, Returned
from unitcraft.core.sequences import Call, Const, Sequence, arg_key


def through_marshal(plain):
    return marshal.loads(marshal.dumps(plain))


@given(args(4))
def test_term_survives_encoding_with_the_class_of_every_atom(arg):
    assert arg_key(encoding.decode(through_marshal(encoding.encode(arg)))) == arg_key(arg)


@given(calls(3))
def test_call_survives_encoding(call):
    assert repr(encoding.decode_call(through_marshal(encoding.encode_call(call)))) == repr(call)


@given(sequences())
def test_sequence_survives_encoding(sequence):
    back = encoding.decode_sequence(through_marshal(encoding.encode_sequence(sequence)))
    assert repr(back) == repr(sequence)


@pytest.mark.parametrize(
    ("plain", "outcome"),
    [
        (("ok", None), Returned()),
        (("ok", ("o", "shop:Cart", 1)), Returned(Opaque("shop:Cart", equatable=True))),
        (("raise", "shop:Empty", None, False, 3), Raised("shop:Empty", None, inside=False, line=3)),
        (("reject", "open", "shop.py:4"), Rejected("open", "shop.py:4")),
        (("exhaust", "steps", ""), Exhausted("steps")),
    ],
)
def test_outcome_is_decoded(plain, outcome):
    assert repr(encoding.decode_outcome(through_marshal(plain))) == repr(outcome)


@pytest.mark.parametrize("plain", [None, (), ("z", 1), ("r", "0"), ("y", "m"), ("s", 1), ["q", 1]])
def test_corrupted_term_is_refused(plain):
    with pytest.raises(ValueError, match="not an encoded term"):
        encoding.decode(plain)


@pytest.mark.parametrize("plain", [None, ("ok",), ("raise", "a"), ("lost", 1, 2)])
def test_corrupted_outcome_is_refused(plain):
    with pytest.raises(ValueError, match="not an encoded outcome"):
        encoding.decode_outcome(plain)


def test_opaque_value_cannot_be_an_argument():
    with pytest.raises(ValueError, match=r"cannot be an argument: shop:Cart"):
        encoding.decode_arg(encoding.encode(Opaque("shop:Cart")))


def test_equal_atoms_of_different_classes_have_different_keys():
    atoms = [1, True, 1.0, 1 + 0j, 0.0, -0.0, "1", b"1", None, ...]
    assert len({arg_key(Const(atom)) for atom in atoms}) == len(atoms)


def test_the_first_call_says_if_all_share_an_event_loop():
    waiting = Call("function", "m:wait", then="await")
    plain = Call("function", "m:f")
    shared = Sequence((plain, waiting, plain))
    assert [call[4] for call in encode_sequence(shared)] == ["shared ", "await", ""]
    assert encode_sequence(Sequence((waiting, plain)))[0][4] == "shared await"
    assert decode_sequence(encode_sequence(shared)) == shared
    alone = Sequence((plain, plain, waiting))
    assert [call[4] for call in encode_sequence(alone)] == ["", "", "await"]
    assert encode_sequence(Sequence(())) == ()
