"""Frames between processes: what goes in comes out, damage is noticed."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unitcraft.execute.frames import HEADER, MAX_MESSAGE_BYTES, FrameError, Inbox, pack, receive

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(st.lists(PLAIN, max_size=4), st.integers(1, 40))
def test_messages_survive_any_fragmentation(messages, size):
    data = b"".join(pack(message, 7) for message in messages)
    inbox = Inbox(7)
    found = []
    for begin in range(0, len(data), size):
        found += inbox.feed(data[begin : begin + size])
    assert found == messages


def test_a_wrong_token_is_damage():
    with pytest.raises(FrameError, match="token"):
        Inbox(7).feed(pack("x", 8))


def test_an_impossible_length_is_damage():
    with pytest.raises(FrameError):
        Inbox(7).feed(HEADER.pack(MAX_MESSAGE_BYTES + 1, 7))


def test_a_broken_payload_is_damage():
    with pytest.raises(FrameError, match="damaged"):
        Inbox(7).feed(HEADER.pack(3, 7) + b"\xff\xff\xff")


def test_what_is_not_plain_is_refused():
    with pytest.raises(ValueError, match="unmarshallable"):
        pack(object(), 0)


def test_receive_ends_with_the_connection():
    ours, theirs = socket.socketpair()
    with ours:
        theirs.sendall(pack((1, "a"), 3)[:-1])
        theirs.close()
        with pytest.raises(EOFError):
            receive(ours, 3)
