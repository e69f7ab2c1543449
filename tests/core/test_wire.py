from __future__ import annotations

import marshal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_terms import args, calls, sequences

from unitcraft.core import encoding
from unitcraft.core.outcomes import Exhausted, Opaque, Raised, Rejected, Returned
from unitcraft.core.sequences import Const, key

OUTCOMES = st.one_of(
    st.builds(Returned, st.none() | args(3) | st.builds(Opaque, st.text(), st.booleans())),
    st.builds(Raised, st.text(), st.none() | st.text(), st.booleans(), st.integers(0, 9)),
    st.builds(Rejected, st.text(), st.text()),
    st.builds(Exhausted, st.sampled_from(["steps", "time", "memory", "crash"]), st.text()),
)


def through_marshal(plain):
    return marshal.loads(marshal.dumps(plain))


@given(args(4))
def test_term_survives_the_wire_with_the_class_of_every_atom(arg):
    assert key(encoding.decode(through_marshal(encoding.encode(arg)))) == key(arg)


@given(calls(3))
def test_call_survives_the_wire(call):
    assert repr(encoding.decode_call(through_marshal(encoding.encode_call(call)))) == repr(call)


@given(sequences())
def test_sequence_survives_the_wire(sequence):
    back = encoding.decode_sequence(through_marshal(encoding.encode_sequence(sequence)))
    assert repr(back) == repr(sequence)


@given(OUTCOMES)
def test_outcome_survives_the_wire(outcome):
    back = encoding.decode_outcome(through_marshal(encoding.encode_outcome(outcome)))
    assert repr(back) == repr(outcome)


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
    assert len({key(Const(atom)) for atom in atoms}) == len(atoms)
