"""What follows a Call holds, or the Call raises."""

from __future__ import annotations

import pytest

from unitcraft.core.call_text import call_text
from unitcraft.core.encoding import decode_sequence, encode_sequence
from unitcraft.core.sequences import RAISES, Call, Const, Display, Ref, Sequence, expected_error
from unitcraft.execute.guest.continuations import NotRaisedError
from unitcraft.explore.agents.run_calls import run_calls

KEY_ERROR = f"{RAISES}builtins:KeyError"


def popped(key, then=KEY_ERROR):
    made = Call("function", "builtins:dict", (Display("dict", (Const("a"), Const(1))),))
    return Sequence((
        made,
        Call("method", "pop", (Ref(0), Const(key)), then=then),
        Call("method", "pop", (Ref(0), Const("a"))),
    ))  # fmt: skip


def test_a_sequence_goes_on_after_an_exception_that_is_expected():
    results = []
    assert run_calls(encode_sequence(popped("b")), results) is None
    assert results == [{}, None, 1]


@pytest.mark.parametrize(
    ("sequence", "error"),
    [
        (popped("a"), NotRaisedError),
        (popped("b", f"{RAISES}builtins:LookupError"), KeyError),
    ],
)
def test_a_call_that_does_not_raise_what_is_expected_ends_the_run(sequence, error):
    failure = run_calls(encode_sequence(sequence), [])
    assert failure.position == 1
    assert type(failure.error) is error


def test_it_is_encoded_and_told():
    sequence = popped("b")
    assert decode_sequence(encode_sequence(sequence)) == sequence
    call = sequence.calls[1]
    assert expected_error(call) == "builtins:KeyError"
    assert call_text(call, ("box",)) == "box.pop('b') (raises KeyError)"
    assert expected_error(sequence.calls[2]) == ""
