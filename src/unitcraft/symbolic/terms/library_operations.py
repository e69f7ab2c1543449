"""Operations that stand for functions of the standard library: struct, json and datetime.

Invariant: as for every operation, pure functions of CPython that end.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
from collections.abc import Callable
from typing import Any, Final

#: Fields of a date and of a moment in the order of their constructors.
MOMENT_FIELDS: Final = ("year", "month", "day", "hour", "minute", "second", "microsecond")

#: Names of the types that a document is made of; what has none of them is None.
DOCUMENT_KINDS: Final = ("dict", "list", "str", "int", "float", "bool")


def _field(name: str) -> Callable[[Any], int]:
    def read(moment: Any) -> int:
        number: int = getattr(moment, name)
        return number

    return read


LIBRARY_OPERATIONS: Final[dict[str, Callable[..., Any]]] = {
    "struct.unpack": struct.unpack, "struct.unpack_from": struct.unpack_from,
    "struct.pack": struct.pack,
    "json.loads": json.loads,
    "is_kind": lambda value, name: type(value).__name__ == name,
    "has_key": lambda table, key: key in table,
    "keys": tuple,
    "datetime.date": dt.date, "datetime.datetime": dt.datetime,
    "date.fromisoformat": dt.date.fromisoformat,
    "datetime.fromisoformat": dt.datetime.fromisoformat,
    "datetime.strptime": dt.datetime.strptime,
    "date.weekday": dt.date.weekday, "date.isoweekday": dt.date.isoweekday,
    "date.toordinal": dt.date.toordinal,
    **{f"date.{name}": _field(name) for name in MOMENT_FIELDS},
}  # fmt: skip
