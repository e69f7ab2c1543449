"""Inversion rules: one of the values that a rule suggests gives the wanted result."""

from __future__ import annotations

import datetime as dt

import pytest

from unitcraft.solve.inversion.inversion_rules import MISSING, check_size
from unitcraft.solve.inversion.invert_library import LIBRARY, LIBRARY_RAISING
from unitcraft.solve.inversion.invert_methods import METHODS
from unitcraft.solve.inversion.invert_numbers import NUMBERS, above, below
from unitcraft.solve.inversion.invert_raising import RAISING
from unitcraft.solve.inversion.invert_regexes import REGEXES
from unitcraft.solve.inversion.invert_texts import TEXTS, pad_to
from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE
from unitcraft.symbolic.terms.operations import OPERATIONS

DATE = r"(\d{4})-(\d\d)"


def results(rules, name, position, args, wanted):
    """What the operation gives for each suggestion; MISSING where it raises."""
    found = []
    for one in rules[name](position, args, wanted):
        try:
            found.append(OPERATIONS[name](*args[:position], one, *args[position + 1 :]))
        except Exception:  # noqa: BLE001 - whatever an operation raises
            found.append(MISSING)
    return found


@pytest.mark.parametrize(
    ("name", "position", "args", "wanted"),
    [
        ("+", 0, [1, 4], 10), ("-", 1, [9, 0], 4), ("*", 0, [1, 6], 42), ("//", 0, [1, 10], -3),
        ("//", 1, [50, 1], 7), ("%", 0, [50, 7], 3), ("%", 1, [17, 5], 2), ("**", 0, [1, 2], 49),
        ("&", 0, [1, 12], 8), ("|", 0, [0, 3], 11), ("^", 1, [5, 0], 99), ("<<", 1, [3, 0], 48),
        (">>", 0, [1, 3], 5), ("abs", 0, [1], 20), ("invert", 0, [0], -8),
        ("same", 0, [1, -40], True), ("truth", 0, [5], False), ("truth", 0, [0.0], True),
        ("<", 1, [5, 0], True), ("<", 0, [5, 3], False), (">=", 0, [2, 7], True),
        ("!=", 0, [7, 7], True), ("int.bit_length", 0, [0], 9), ("round", 0, [0.5], 3),
        ("math.sqrt", 0, [1.0], 3.0), ("math.isnan", 0, [1.0], True),
    ],
)  # fmt: skip
def test_numbers(name, position, args, wanted):
    assert wanted in results(NUMBERS, name, position, args, wanted)


@pytest.mark.parametrize(
    ("name", "position", "args", "wanted"),
    [
        ("+", 0, ["a", "ing"], "running"), ("+", 1, ["run", "a"], "running"),
        ("*", 0, ["x", 3], "ababab"), ("len", 0, ["abcdef"], 2), ("len", 0, [b""], 3),
        ("in", 0, ["q", "stop"], True), ("in", 1, ["q", "stop"], True),
        ("in", 0, [1, (1, 2)], False), ("[]", 0, ["ab", 4], "z"), ("[]", 0, [b"ab", -1], 7),
        ("[:]", 0, ["abcd", 1, 3, None], "ZZ"), ("[:]", 0, ["abc", None, None, -1], "olleh"),
        ("[:]", 0, ["a-1/b", 2, 6, None], "0007"), ("[:]", 0, ["a", -2, None, None], "/K"),
        ("<", 0, ["m", "c"], True), (">", 0, ["a", "zebra"], True), ("==", 0, ["a", "b"], True),
        ("==", 1, ["a", "b"], False), ("truth", 0, ["abc"], False), ("truth", 0, [[]], True),
        ("int", 0, ["7"], 42), ("int", 0, ["7", 16], 255), ("ord", 0, ["a"], 95),
        ("chr", 0, [1], "Q"), ("hex", 0, [1], "0xff"), ("str", 0, [1], "451"),
    ],
)  # fmt: skip
def test_texts(name, position, args, wanted):
    assert wanted in results(TEXTS, name, position, args, wanted)


DAY = dt.date(2024, 5, 17)
MORNING = dt.datetime.fromisoformat("2024-05-17T09:00:00")


@pytest.mark.parametrize(
    ("name", "position", "args", "wanted"),
    [
        ("struct.unpack", 1, [">HI", b"\0" * 6], (51966, 7)),
        ("struct.pack", 1, [">I", 1], b"abcd"),
        ("struct.unpack_from", 1, ["<h", b"abcd", 2], (9,)),
        ("int.to_bytes", 0, [1, 2, "little"], b"\x07\x01"),
        ("int.from_bytes", 0, [b"\0", "big"], 700),
        ("json.loads", 0, ["0"], {"a": [1]}), ("json.loads", 0, [b"0"], [None]),
        ("is_kind", 0, [0, "list"], True), ("is_kind", 0, [{}, "dict"], False),
        ("has_key", 0, [{"a": 1}, "b"], True), ("has_key", 0, [{"a": 1}, "a"], False),
        ("keys", 0, [{"a": 1}], ("b", "a")),
        ("datetime.date", 1, [2024, 1, 17], DAY),
        ("datetime.datetime", 3, [2024, 5, 17, 0], MORNING),
        ("date.fromisoformat", 0, [""], DAY),
        ("datetime.strptime", 0, ["", "%d.%m.%Y"], MORNING.replace(hour=0)),
        ("date.weekday", 0, [DAY], 2), ("date.isoweekday", 0, [DAY], 7),
        ("date.toordinal", 0, [DAY], 700_000), ("date.month", 0, [DAY], 2),
    ],
)  # fmt: skip
def test_library(name, position, args, wanted):
    assert wanted in results(LIBRARY, name, position, args, wanted)


@pytest.mark.parametrize(
    ("name", "position", "args"),
    [
        ("struct.unpack", 1, [">I", b"ab"]), ("json.loads", 0, ["x"]),
        ("datetime.date", 1, [2024, 1, 5]), ("date.fromisoformat", 0, ["x"]),
        ("datetime.strptime", 0, ["x", "%Y"]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("fine", [True, False])
def test_library_raising(name, position, args, fine):
    found = LIBRARY_RAISING[name](position, args, fine)
    raised = []
    for one in found:
        try:
            OPERATIONS[name](*args[:position], one, *args[position + 1 :])
        except Exception:  # noqa: BLE001 - whatever an operation raises
            raised.append(True)
        else:
            raised.append(False)
    assert (not fine) in raised


@pytest.mark.parametrize(
    ("name", "position", "args", "wanted"),
    [
        ("str.startswith", 0, ["path", "http"], True), ("str.startswith", 0, ["http", "h"], False),
        ("str.endswith", 1, ["file.py", "x"], True), ("str.find", 0, ["abc", ":"], 4),
        ("str.find", 0, ["a:b", ":"], -1), ("str.count", 0, ["a-b", "-"], 3),
        ("str.replace", 0, ["x", " ", ""], "ab"), ("str.split", 0, ["x", ","], ["a", "b"]),
        ("str.partition", 0, ["x", "="], ("k", "=", "v")), ("str.isdigit", 0, ["x"], True),
        ("bytes.isupper", 0, [b"x"], True), ("str.upper", 0, ["x"], "OK"),
        ("str.encode", 0, ["x"], b"key"), ("bytes.hex", 0, [b"x"], "ff00"),
    ],
)  # fmt: skip
def test_methods(name, position, args, wanted):
    assert wanted in results(METHODS, name, position, args, wanted)


@pytest.mark.parametrize(
    ("name", "position", "args"),
    [
        ("/", 1, [6, 3]), ("%", 1, [6, 3]), ("[]", 1, ["abc", 1]), ("[]", 0, [[1, 2, 3], 2]),
        ("int", 0, ["7"]), ("float", 0, [1.0]), ("chr", 0, [7]), ("ord", 0, ["x"]),
        ("math.sqrt", 0, [4]), ("str.index", 0, ["abc", "b"]), ("bytes.decode", 0, [b"x"]),
    ],
)  # fmt: skip
def test_raising_and_not_raising(name, position, args):
    if name != "float":
        assert MISSING in results(RAISING, name, position, args, wanted=False)
    fine = results(RAISING, name, position, args, wanted=True)
    assert any(one is not MISSING for one in fine)


def test_only_the_divisor_makes_a_division_raise():
    assert RAISING["//"](0, [6, 0], False) == []  # noqa: FBT003 - the wanted outcome


@pytest.mark.parametrize("name", ["match", "fullmatch", "search"])
def test_a_text_is_drawn_that_matches_and_one_that_does_not(name):
    drawn = results(REGEXES, f"re.{name}", 2, [DATE, 0, ""], wanted=True)
    assert drawn
    assert all(drawn)
    assert None in results(REGEXES, f"re.{name}", 2, [DATE, 0, ""], wanted=None)


def test_a_wanted_group_is_put_into_a_matching_text():
    wanted = REGEXES["Match.group"](0, [MISSING, 2], "07")[0]
    texts = REGEXES["re.match"](2, [DATE, 0, "1999-12"], wanted)
    assert texts[0] == "1999-07"


def test_sizes_are_bounded():
    assert check_size(MAX_SIZE) == MAX_SIZE
    with pytest.raises(ValueError, match="too many"):
        check_size(MAX_SIZE + 1)
    with pytest.raises(ValueError, match="too many"):
        pad_to("", MAX_SIZE + 1)


def test_the_nearest_numbers_come_first():
    assert above(3)[0] == 4
    assert below(3)[0] == 2
    assert all(one > 1.5 for one in above(1.5))
    assert all(one < 1.5 for one in below(1.5))


def test_padding_keeps_the_type():
    assert (pad_to("ab", 4), pad_to(b"abc", 1), pad_to((1,), 3)) == ("abaa", b"a", (1, 1, 1))
