"""Several guards in a row: what each asks for is found by another run."""

import re


class Service:
    def load(self, address):
        raise NotImplementedError


class Reader(Service):
    PATTERN = r"https?://pages\.example/(?P<id>\d+)"

    def __init__(self, settings):
        self.settings = settings

    def read(self, address):
        found = re.match(self.PATTERN, address)
        if found is None:
            raise ValueError("no address of a page")
        page = self.load(address)
        number = re.search(r"total: (\d+) of", page)
        if number is None:
            raise ValueError("no total")
        limit = self.settings.params["limit"]
        if int(number[1]) > limit:
            return found["id"], limit
        return found["id"], int(number[1])


def merge(left, right):
    """Both halves of a code, ``left`` of letters and ``right`` a version."""
    if not re.fullmatch(r"[a-z]{3}-[A-Z]{2}", left):
        raise ValueError("not a code")
    if not re.fullmatch(r"v\d+\.\d+", right):
        raise ValueError("no version")
    if left.endswith("X") and right.startswith("v0"):
        return None
    return left + right


def cross(first, second):
    """The first key of each that is not the other's."""
    if "source" not in first:
        raise KeyError("source")
    if second.kind != "target":
        raise ValueError(second.kind)
    return first["source"] if second.weight > 3 else second.kind
