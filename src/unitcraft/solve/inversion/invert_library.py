"""Inversion of struct, json and datetime, and of what is asked of parsed documents.

Invariant: as for every rule, suggestions only.
"""

from __future__ import annotations

import datetime as dt
import json
import struct
from collections.abc import Iterable, Iterator
from typing import Any, Final

from unitcraft.solve.inversion.inversion_rules import MISSING, Rule, inverse_of
from unitcraft.solve.inversion.invert_texts import pad_to
from unitcraft.symbolic.terms.operations import MOMENT_FIELDS

#: Months and years around a date that are looked at for a weekday.
_NEAR: Final = 30

# -- struct and bytes of numbers --------------------------------------------------------


def _unpack(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    layout, data, *start = args
    if position != 1:
        return []
    packed, at = struct.pack(layout, *wanted), start[0] if start else 0
    return [data[:at] + packed + data[at + len(packed) :]]


def _pack(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [struct.unpack(args[0], wanted)[position - 1]] if position else []


def _to_bytes(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    order: Any = args[2] if len(args) > 2 else "big"  # noqa: PLR2004 - value, length, order, signed
    return [] if position else [int.from_bytes(wanted, order, signed=bool(args[3:] and args[3]))]


def _from_bytes(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    order = args[1] if len(args) > 1 else "big"
    signed = bool(args[2:] and args[2])
    least = (wanted.bit_length() + 7 + signed) // 8
    size = max(len(args[0]), least)
    return [] if position else [wanted.to_bytes(size, order, signed=signed)]


def _unpack_raising(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    layout, data, *start = args
    size = struct.calcsize(layout) + (start[0] if start else 0)
    return [] if position != 1 else [pad_to(data, size if wanted else max(size - 1, 0))]


# -- documents ---------------------------------------------------------------------------

#: A value of each type that a document is made of; the first is for a key that was missing.
_SAMPLES: Final[tuple[Any, ...]] = (0, {}, [], "a", 1, 0.5, True, None)


def _loads(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    text = json.dumps(wanted)
    return [text.encode() if isinstance(args[0], bytes) else text]


def _is_kind(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if position:
        return []
    return [one for one in _SAMPLES if (type(one).__name__ == args[1]) is bool(wanted)]


def _has_key(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    table, key = args
    if position:
        return []
    return [{**table, key: 0} if wanted else {k: v for k, v in table.items() if k != key}]


def _keys(_position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [{key: args[0].get(key, 0) for key in wanted}]


def _fixed(position: int, wanted: Any, fine: list[Any], bad: list[Any]) -> Iterable[Any]:
    return [] if position else (fine if wanted else bad)


def _loads_raising(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    made = _fixed(position, wanted, ["{}", "[]", "0", '"a"'], ["{", ""])
    return [text.encode() for text in made] if isinstance(args[0], bytes) else made


# -- datetime ----------------------------------------------------------------------------


def _moment(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    """One field, where the others are as wanted already."""
    parts = [getattr(wanted, name) for name in MOMENT_FIELDS[: len(args)]]
    others = all(part == arg for at, (part, arg) in enumerate(zip(parts, args, strict=True))
                 if at != position)  # fmt: skip
    return [parts[position]] if others else []


def _moment_raising(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    if wanted:
        return [(2000, 1, 1)[position] if position < 3 else 0]  # noqa: PLR2004 - date, then time
    return [(0, 13, 31)[position], (10_000, 0, 32)[position]] if position < len(args[:3]) else []


def _field(name: str) -> Rule:
    return inverse_of_present(lambda moment, wanted: [moment.replace(**{name: wanted})])


def inverse_of_present(near: Any) -> Rule:
    """The rule of an operation with one argument, by its present value and the wanted result."""
    return lambda _position, args, wanted: [] if args[0] is MISSING else near(args[0], wanted)


def _weekdays(first: int) -> Rule:
    """Moments with a weekday: near days, then the same day of other months and years."""

    def near(moment: Any, wanted: Any) -> Iterator[Any]:
        away = wanted - first - moment.weekday()
        for days in (away, away + 7, away - 7):
            yield moment + dt.timedelta(days=days)
        for step in range(1, _NEAR):
            for change in ({"year": moment.year + step}, {"month": step}):
                try:
                    other = moment.replace(**change)
                except ValueError:
                    continue
                if other.weekday() + first == wanted:
                    yield other

    return inverse_of_present(near)


_PARSED: Final[Rule] = inverse_of(lambda wanted: [wanted.isoformat()])


def _strptime(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    return [] if position else [wanted.strftime(args[1])]


def _iso_raising(position: int, _args: list[Any], wanted: Any) -> Iterable[Any]:
    return _fixed(position, wanted, ["2000-01-01"], ["a", ""])


def _strptime_raising(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
    fine = [dt.datetime(2000, 1, 1).strftime(args[1])]  # noqa: DTZ001 - no zone is meant
    return _fixed(position, wanted, fine, ["a", ""])


LIBRARY: Final[dict[str, Rule]] = {
    "struct.unpack": _unpack, "struct.unpack_from": _unpack, "struct.pack": _pack,
    "int.to_bytes": _to_bytes, "int.from_bytes": _from_bytes,
    "json.loads": _loads, "is_kind": _is_kind, "has_key": _has_key, "keys": _keys,
    "datetime.date": _moment, "datetime.datetime": _moment,
    "date.fromisoformat": _PARSED, "datetime.fromisoformat": _PARSED,
    "datetime.strptime": _strptime,
    "date.weekday": _weekdays(0), "date.isoweekday": _weekdays(1),
    "date.toordinal": inverse_of(lambda wanted: [dt.date.fromordinal(wanted)]),
    **{f"date.{name}": _field(name) for name in MOMENT_FIELDS},
}  # fmt: skip

LIBRARY_RAISING: Final[dict[str, Rule]] = {
    "struct.unpack": _unpack_raising, "struct.unpack_from": _unpack_raising,
    "json.loads": _loads_raising,
    "datetime.date": _moment_raising, "datetime.datetime": _moment_raising,
    "date.fromisoformat": _iso_raising, "datetime.fromisoformat": _iso_raising,
    "datetime.strptime": _strptime_raising,
}  # fmt: skip
