"""Values that have to stand out among many: infinity, -1, slices, vast numbers, optional parts."""

import math
import re

UNITS = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12, "PB": 10**15, "EB": 10**18}
SPAN = re.compile(r"(?P<sign>-)?(?:(?P<days>\d+)d)?(?:(?P<hours>\d+)h)?(?:(?P<minutes>\d+)m)?")


def size_text(size: int) -> str:
    """A size in the largest unit in which it is at least one."""
    if size < 0:
        raise ValueError("negative size")
    if size >= 10**18:
        return f"{size // 10**18} EB"
    for name in ("PB", "TB", "GB", "MB", "kB"):
        if size >= UNITS[name]:
            return f"{size // UNITS[name]} {name}"
    return f"{size} B"


def minutes_of(text: str) -> int:
    match = SPAN.fullmatch(text)
    if match is None or not text.strip("-"):
        raise ValueError(f"no span: {text!r}")
    total = 0
    if match["days"]:
        total += int(match["days"]) * 1440
    if match["hours"]:
        total += int(match["hours"]) * 60
    if match["minutes"]:
        total += int(match["minutes"])
    return -total if match["sign"] else total


class Track:
    def __init__(self, points):
        self.points = list(points)

    def __getitem__(self, index):
        if isinstance(index, slice):
            if index.step == -1:
                return Track(reversed(self.points))
            return Track(self.points[index])
        if index == -1:
            return "last"
        return self.points[index]

    def limit(self, value):
        if value == math.inf:
            return None
        if value != value:
            raise ValueError("not a number")
        return min(value, len(self.points))
