"""Messages between parent, host and workers: marshal data behind a length and a token.

Invariant: the receiver builds plain values only, never more than ``MAX_MESSAGE_BYTES`` of them,
and rejects a message that does not carry its own token (so that a Subject which writes to
our descriptor damages the connection and forges no answer).
"""

from __future__ import annotations

import marshal
import socket
import struct
import sys

from unitcraft.core.encoding import Plain

HEADER = struct.Struct("<IQ")  # length of the payload, token of the worker

#: A request to a host: operation, argument, token.
REQUEST = struct.Struct("<BqQ")

#: A host's answer: the process id of the new worker, or the wait status of the reaped one.
ANSWER = struct.Struct("<q")

#: The operations; FORK carries the descriptor of the worker's socket.
FORK, REAP = 1, 2

#: The token of the control connection itself.
CONTROL_TOKEN = 0

#: Bytes of the shared progress table: a word of 8 bytes for each worker, then one flag word for
#: each, which is set when its item has spent its steps.
PROGRESS_BYTES = 8192

#: Words before the first flag; also the number of workers that the table has room for.
FLAG_OFFSET = PROGRESS_BYTES // 16

#: Bits of the progress word that hold the item's number in its batch, counted from 1.
INDEX_BITS = 20

#: How a batch ended.  DONE: every item answered.  RETIRE: a prefix answered, and the worker
#: ends.  DIRTY: nothing answered, because the items changed state that is compared once per batch;
#: the groups of that state come in place of the values, and the worker ends.
DONE, RETIRE, DIRTY = "done", "retire", "dirty"

#: Stands for all groups of state where a batch names those to watch.
ALL_GROUPS = "*"

#: Bytes of one message; a length above it is read as damage.
MAX_MESSAGE_BYTES = 1 << 28

#: Version 2 of marshal has no back references: it is faster, and equal objects stay unshared.
MARSHAL_VERSION = 2


class FrameError(Exception):
    """The other side sent bytes that are not a frame of this connection."""


def pack(message: Plain, token: int) -> bytes:
    """The frame of ``message``.  Raises ValueError if it is not plain or too large."""
    payload = marshal.dumps(message, MARSHAL_VERSION)
    if len(payload) > MAX_MESSAGE_BYTES:
        text = f"a message of {len(payload)} bytes exceeds {MAX_MESSAGE_BYTES}"
        raise ValueError(text)
    return HEADER.pack(len(payload), token) + payload


def unpack(payload: bytes | memoryview) -> Plain:
    """The message of a payload.  Raises WireError on damage."""
    try:
        if sys.version_info >= (3, 13):
            return marshal.loads(payload, allow_code=False)  # noqa: S302 - plain data
        return marshal.loads(payload)  # noqa: S302 - behind our token
    except (ValueError, EOFError, TypeError, MemoryError) as error:
        text = f"damaged message: {error}"
        raise FrameError(text) from None


def payload_length(data: bytes | bytearray | memoryview, token: int) -> int:
    """The length that a header announces.  Raises WireError on a wrong token."""
    length, found = HEADER.unpack_from(data)
    if found != token or length > MAX_MESSAGE_BYTES:
        text = "a message without our token"
        raise FrameError(text)
    return int(length)


def receive(sock: socket.socket, token: int) -> Plain:
    """The next message of a blocking socket.  Raises EOFError at the end, WireError on damage."""
    size = payload_length(receive_exactly(sock, HEADER.size), token)
    return unpack(receive_exactly(sock, size))


def receive_exactly(sock: socket.socket, size: int) -> bytes:
    """The next ``size`` bytes.  Raises EOFError when the other side has gone."""
    chunks = []
    while size:
        chunk = sock.recv(min(size, 1 << 20))
        if not chunk:
            raise EOFError
        chunks.append(chunk)
        size -= len(chunk)
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


class Inbox:
    """Bytes received so far from a non-blocking socket, cut into messages.

    Abstract state: the unread suffix of the stream.
    """

    def __init__(self, token: int) -> None:
        self._token = token
        self._data = bytearray()

    def feed(self, chunk: bytes) -> list[Plain]:
        """Add ``chunk``; return the messages that it completes.  Raises WireError on damage."""
        self._data += chunk
        complete = []
        while (message := self._cut()) is not None:
            complete.append(message[0])
        return complete

    def _cut(self) -> tuple[Plain] | None:
        if len(self._data) < HEADER.size:
            return None
        end = HEADER.size + payload_length(self._data, self._token)
        if len(self._data) < end:
            return None
        payload = bytes(self._data[HEADER.size : end])
        del self._data[:end]
        return (unpack(payload),)
