"""A span whose parts are Decimals: states that differ in zeros only."""

from decimal import Decimal


class Span:
    def __init__(self, days=0, hours=0, minutes=0, seconds=0, weeks=0, months=0, years=0):
        self.plain = Decimal(days) * 24 + Decimal(hours) + Decimal(minutes) / 60 + Decimal(seconds) / 3600
        self.weeks, self.months, self.years = Decimal(weeks), Decimal(months), Decimal(years)

    def text(self):
        return ", ".join(f"{n} {w}" for n, w in ((self.years, "years"), (self.months, "months")) if n)

    def unit(self):
        if self.years:
            return "years"
        if self.months:
            return "months"
        if self.weeks:
            return "weeks"
        if self.plain:
            return "hours"
        return "none"


class Offset:
    """The same with floats and a direction."""

    def __init__(self, east=0.0, north=0.0, up=0.0):
        self.east, self.north, self.up = float(east), float(north), float(up)

    def heading(self):
        if not self.east and not self.north:
            return "up" if self.up else "still"
        if self.east < 0:
            return "west"
        return "north" if self.north > 0 else "flat"


class Stay:
    """The same with None."""

    def __init__(self, nights=None, guests=None, children=0):
        self.nights, self.guests, self.children = nights, guests, children

    def state(self):
        if self.nights is None:
            return "open"
        if not self.nights:
            return "day"
        if self.guests is None:
            return "nobody yet"
        if not self.guests and self.children:
            return "children alone"
        return "booked"
