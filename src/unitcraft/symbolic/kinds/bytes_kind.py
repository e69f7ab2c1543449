"""The kind of bytes inputs: as texts of the first 256 characters, where nothing else is said.

Invariant: every value is bytes; readable values begin with the one of the least burden.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from unitcraft.symbolic.kinds.str_kind import boundary_texts, easier_texts, near_texts, text_burden
from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE, SymbolicKind


def _neighbours(value: bytes) -> Iterator[bytes]:
    for text in near_texts(value.decode("latin-1")):
        if text.isascii() or max(map(ord, text)) < 256:  # noqa: PLR2004
            yield text.encode("latin-1")


def _shake(value: bytes, rng: random.Random) -> bytes:
    at = rng.randint(0, len(value))
    return value[:at] + bytes([rng.randrange(256)]) + value[at:]


BYTES_KIND: Final = SymbolicKind(
    name="bytes",
    type=bytes,
    empty=b"",
    plain_values=(b"", b"a", b"abc", b"A", b"1", b"\x00", b" ", b"a,b", b"\xff"),
    readable_values=(b"a", b"b", b"c", b"ab", b"abc", b"A", b"1", b"12", b""),
    convert=lambda value: (value,) if type(value) is bytes and len(value) <= MAX_SIZE else (),
    equal_values=lambda value: [value] if type(value) is bytes else [],
    boundary_values=boundary_texts,
    neighbours=_neighbours,
    shake=_shake,
    burden=lambda value: text_burden(value.decode("latin-1")),
    easier_values=lambda value: easier_texts(value, b"a"),
    is_text=True,
)
