"""Conditions that only a solver meets, beside much that guessing keeps busy with."""


def route(kind: str, weight: int, width: int, height: int, depth: int) -> str:
    """The way of a parcel."""
    if kind == "letter":
        if weight > 500:
            return "parcel"
        return "letter"
    girth = 2 * (width + height) + depth
    if girth == 3 * weight + 1117:
        return "special"
    if width * 7 - height * 3 == 4099 and depth > weight:
        return "bulk"
    return "standard"


class Wheel:
    """A combination lock."""

    def __init__(self):
        self.position = 0
        self.turned = 0

    def turn(self, steps: int):
        self.position = (self.position * 31 + steps) % 100_003
        self.turned += 1

    def is_open(self):
        if self.turned == 2 and self.position == 77_777:
            return True
        return False


def checksum(number: int, digits: int) -> str:
    if number < 0 or digits < 0:
        return "negative"
    if number % 1009 == 77:
        if number // 1009 == digits + 1201:
            return "match"
        return "near"
    return "none"
