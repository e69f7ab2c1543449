"""The size of a result, of which no test could be written and which takes long to look at.

Invariant: no code of the Subject runs; only values of the builtin types are measured.
"""

from __future__ import annotations

from typing import Any, Final

#: Characters or bytes of a text, as many as a worker may answer with.
MAX_TEXT: Final = 1 << 24
#: Items of a container: as many bytes of references.
MAX_ITEMS: Final = MAX_TEXT // 8

_LIMITS: Final[dict[type[Any], int]] = {
    str: MAX_TEXT,
    bytes: MAX_TEXT,
    bytearray: MAX_TEXT,
    list: MAX_ITEMS,
    tuple: MAX_ITEMS,
    dict: MAX_ITEMS,
    set: MAX_ITEMS,
    frozenset: MAX_ITEMS,
}


class ValueTooLargeError(Exception):
    """A result is larger than any that a test shows."""


def check_size(value: Any) -> None:
    """Raise ValueTooLargeError for a number, text or container of many megabytes."""
    kind = type(value)
    if kind is int:
        size, limit = value.bit_length(), 8 * MAX_TEXT
    elif kind in _LIMITS:
        size, limit = len(value), _LIMITS[kind]
    else:
        return
    if size > limit:
        raise ValueTooLargeError(f"{kind.__name__} of size {size}")
