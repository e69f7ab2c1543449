"""Many arguments that one helper checks in turn: nothing new is seen where one more is accepted."""

from decimal import Decimal, InvalidOperation


def number(name, value, low, high):
    if isinstance(value, (bool, float)):
        raise ValueError(f"{name}: not exact")
    try:
        found = Decimal(value)
    except (InvalidOperation, TypeError, ValueError):
        raise ValueError(f"{name}: no number") from None
    if not low <= found <= high:
        raise ValueError(f"{name}: {found} is not between {low} and {high}")
    return found


def word(name, value, allowed):
    if value not in allowed:
        raise ValueError(f"{name}: {value!r} is not known")
    return value


class Parcel:
    def __init__(self, owner, carrier, weight, width, height, depth, worth):
        if not isinstance(owner, str) or not owner.strip():
            raise ValueError("owner: nobody")
        self.owner = owner.strip()
        self.carrier = word("carrier", carrier, ("post", "bike", "ship"))
        self.weight = number("weight", weight, 10, 30_000)
        self.width = number("width", width, 1, 120)
        self.height = number("height", height, 1, 120)
        self.depth = number("depth", depth, 1, 120)
        self.worth = number("worth", worth, 0, 500)

    def price(self):
        if self.carrier == "bike":
            return 9
        return 4 if self.weight < 2_000 else 7


def plan(start, step, first, second, third):
    """Three dates that are far enough from each other."""
    start = number("start", start, 2_000, 2_100)
    step = number("step", step, 2, 12)
    first = number("first", first, 5, 500)
    second = number("second", second, 5, 500)
    third = number("third", third, 5, 500)
    if first + step > second or second + step > third:
        return None
    return [start + one for one in (first, second, third)]


def route(kind, speed, stops, pause):
    word("kind", kind, ("walk", "ride"))
    number("speed", speed, 3, 40)
    number("stops", stops, 2, 20)
    number("pause", pause, 15, 60)
    if kind == "walk":
        return stops * pause
    return speed
