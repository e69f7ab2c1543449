"""Conditions on what a function computes from its arguments: ten classes, three functions each.

Every branch of every function can be taken.  Texts and numbers in them cannot be guessed.
"""

from __future__ import annotations

import datetime
import json
import re
import struct

# -- slices: of texts and bytes, compared or converted --------------------------------


def slices_part(code: str) -> str:
    """Which article a part number names."""
    if code[:3] == "PN-" and code[-2:] == "/K":
        if int(code[3:7]) == 4711:
            return "scent"
        return "part"
    return "unknown"


def slices_packet(data: bytes) -> str:
    """The kind of a packet by its magic number and version."""
    if data[:4] != b"\x7fPKT":
        return "no packet"
    if data[4:6] == b"\x01\x02":
        return "version 1.2"
    if data[4] > 9:
        return "future"
    return "old"


def slices_mirror(word: str) -> str:
    """Is the second half of a word of eight letters the first half?"""
    if len(word) != 8:
        return "length"
    if word[:4] == word[4:]:
        return "twice" if word[0] != word[1] else "dull"
    if word[::-1] == word:
        return "palindrome"
    return "other"


# -- numbers in bytes: struct and int.from_bytes --------------------------------------


def binary_header(data: bytes) -> str:
    """What a header of six bytes says."""
    if len(data) != 6:
        return "length"
    magic, size = struct.unpack(">HI", data)
    if magic == 0xCAFE:
        return "huge" if size > 100_000 else "coffee"
    return "other"


def binary_port(data: bytes) -> str:
    """The port in the first two bytes."""
    if len(data) < 2:
        return "short"
    port = int.from_bytes(data[:2], "big")
    if port == 8080:
        return "proxy"
    if port < 1024:
        return "system"
    return "user"


def binary_checked(value: int) -> str:
    """The low byte of a number that is written as four bytes."""
    if not 0 <= value < 2**32:
        return "range"
    raw = value.to_bytes(4, "little")
    if raw[0] == 0x2A and raw[3] == 0x07:
        return "answer"
    if struct.pack(">I", value) == b"\x00\x01\xe2\x40":
        return "counted"
    return "other"


# -- JSON: conditions on what a text parses to ----------------------------------------


def json_level(text: str) -> str:
    """The level of an object with a level."""
    found = json.loads(text)
    if isinstance(found, dict) and "level" in found:
        if found["level"] == 42:
            return "answer"
        return "level"
    return "none"


def json_pair(text: str) -> str:
    """What a list of two numbers sums up to."""
    try:
        found = json.loads(text)
    except ValueError:
        return "broken"
    if isinstance(found, list) and len(found) == 2:
        return "hundred" if found[0] + found[1] == 100 else "pair"
    return "other"


def json_user(text: str) -> str:
    """The role of a user in a nested document."""
    document = json.loads(text)
    user = document.get("user", {})
    if user.get("role") == "keeper":
        return "keeper"
    if user.get("age", 0) > 17:
        return "adult"
    return "guest"


# -- floats: products and sums that must equal -----------------------------------------


def floats_area(width: float, height: float) -> str:
    """Is a rectangle as large as a sheet?"""
    if width <= 0.0 or height <= 0.0:
        return "empty"
    if width * height == 623.7:
        return "sheet"
    return "other"


def floats_total(net: float, tax: float) -> str:
    """Does a bill come to the amount that was paid?"""
    if net + tax == 119.0 and tax > 10.0:
        return "paid"
    if net * 1.5 == 33.75:
        return "half"
    return "open"


def floats_scale(celsius: float) -> str:
    """Is a temperature that of the body, in the other scale?"""
    fahrenheit = celsius * 9.0 / 5.0 + 32.0
    if fahrenheit == 98.6:
        return "body"
    if fahrenheit == 451.0:
        return "paper"
    return "other"


# -- float to int ----------------------------------------------------------------------


def rounding_cut(value: float) -> str:
    """The whole part of a number."""
    if int(value) == 1234:
        return "exact" if value == 1234.0 else "more"
    return "other"


def rounding_near(value: float) -> str:
    """The number of hundreds, rounded."""
    if round(value) == 77:
        return "up" if value < 77.0 else "down"
    if value // 1 == -5.0:
        return "floor"
    return "other"


def rounding_cents(price: float) -> str:
    """A price in cents."""
    cents = int(price * 100)
    if cents == 1999:
        return "offer"
    if cents % 100 == 95 and cents > 50_000:
        return "dear"
    return "other"


# -- tuples as keys --------------------------------------------------------------------

PRICES = {("tea", 3): 40, ("soap", 12): 95}


def keys_price(name: str, size: int) -> int:
    """The price of an article of a size."""
    if (name, size) in PRICES:
        return PRICES[name, size]
    return -1


def keys_board(row: int, column: int) -> str:
    """What stands on a square of a board."""
    board = {(2, 7): "knight", (5, 1): "rook"}
    found = board.get((row, column))
    if found == "rook":
        return "rook"
    if found:
        return "piece"
    return "free"


def keys_seen(first: int, second: int) -> str:
    """Is a pair one of those seen?"""
    seen = {(11, 60), (13, 84)}
    if (second, first) in seen:
        return "reversed"
    if (first, second) in seen:
        return "seen"
    return "new"


# -- lists compared as wholes ----------------------------------------------------------


def lists_code(digits: list[int]) -> str:
    """Does a lock open?"""
    if digits == [4, 17, 9]:
        return "open"
    if digits[::-1] == [31, 8]:
        return "alarm"
    return "closed"


def lists_version(parts: list[int]) -> str:
    """The age of a version."""
    if parts < [3, 11]:
        return "old"
    if parts >= [3, 900]:
        return "future"
    return "now"


def lists_names(names: list[str]) -> str:
    """Is the crew complete?"""
    if names == ["kim", "lou"]:
        return "crew"
    if "mo" in names and names[0] != "mo":
        return "guest"
    return "others"


# -- sorted, min and max with keys ------------------------------------------------------


def order_best(scores: list[int]) -> str:
    """How far the best is from a goal."""
    if len(scores) < 2:
        return "few"
    if min(scores, key=lambda one: abs(one - 500)) == 512:
        return "near"
    if max(scores) - min(scores) == 77:
        return "spread"
    return "other"


def order_median(values: list[int]) -> str:
    """The one in the middle of three."""
    if len(values) != 3:
        return "length"
    ordered = sorted(values, key=lambda one: -one)
    if ordered[1] == 1009:
        return "prime"
    if ordered == values:
        return "descending"
    return "other"


def order_longest(words: list[str]) -> str:
    """The longest of some words."""
    if not words:
        return "none"
    longest = max(words, key=len)
    if longest == "zephyr" and len(words) > 1:
        return "wind"
    if sorted(words, key=str.lower)[0] == "Anton":
        return "first"
    return "other"


# -- dates: built from numbers and compared ---------------------------------------------


def dates_due(year: int, month: int, day: int) -> str:
    """Is something due before the turn of the millennium?"""
    due = datetime.date(year, month, day)
    if due == datetime.date(1999, 12, 31):
        return "eve"
    if due > datetime.date(2030, 6, 1):
        return "later"
    return "passed"


def dates_leap(year: int, month: int, day: int) -> str:
    """Is there such a day, and is it one of leap years?"""
    try:
        found = datetime.date(year, month, day)
    except ValueError:
        return "no day"
    if found.month == 2 and found.day == 29:
        return "leap"
    if found.weekday() == 4 and found.day == 13:
        return "friday"
    return "day"


def dates_span(days: int, hours: int) -> str:
    """How long a span is."""
    span = datetime.timedelta(days=days, hours=hours)
    if span == datetime.timedelta(days=9, hours=5):
        return "exact"
    if span.total_seconds() > 1_000_000:
        return "long"
    return "short"


# -- regular expressions whose groups feed later conditions -----------------------------

_VERSION = re.compile(r"(\d+)\.(\d+)(?:-([a-z]+))?$")


def groups_version(text: str) -> str:
    """What a version is."""
    found = _VERSION.match(text)
    if found is None:
        return "none"
    if int(found.group(1)) > 41:
        return "future"
    if found.group(3) == "rc":
        return "candidate"
    return "release"


def groups_pair(line: str) -> str:
    """A setting in a line."""
    found = re.fullmatch(r"\s*(?P<key>\w+)\s*=\s*(?P<value>.*)", line)
    if not found:
        return "none"
    if found["key"] == "depth" and int(found["value"]) == 12:
        return "deep"
    if found["key"] == found["value"]:
        return "same"
    return "other"


def groups_range(text: str) -> str:
    """A range of numbers."""
    found = re.search(r"\[(\d+)-(\d+)\]", text)
    if found:
        low, high = found.groups()
        if int(low) > int(high):
            return "reversed"
        if int(high) - int(low) == 25:
            return "quarter"
        return "range"
    return "none"


# -- texts composed line by line for a parser written by hand ----------------------------


def lines_section(text: str) -> str:
    """The depth of the section ``[net]`` of a settings file."""
    section = ""
    depth = 0
    for line in text.splitlines():
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif section == "net" and line.startswith("depth="):
            depth = int(line[6:])
    if depth > 3:
        return "deep"
    return "net" if section == "net" else "none"


def lines_indent(text: str) -> str:
    """Is a second line indented below a head?"""
    lines = text.split("\n")
    if len(lines) < 2:
        return "short"
    if not lines[0].endswith(":"):
        return "no head"
    if lines[1].startswith("    ") and lines[1].strip() == "pass":
        return "empty block"
    return "block" if lines[1][:1] == " " else "broken"


def lines_table(text: str) -> str:
    """A table of two columns with a line below its head."""
    head, _, rest = text.partition("\n")
    names = head.split("|")
    if len(names) != 2:
        return "no head"
    rule, _, body = rest.partition("\n")
    if rule != "--|--":
        return "no rule"
    cells = body.split("|")
    if len(cells) == 2 and cells[1].strip().isdigit():
        return "number"
    return "table"
