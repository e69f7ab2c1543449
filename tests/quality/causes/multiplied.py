"""An operator whose last line declines."""


class Scale:
    def __init__(self, factor):
        self.factor = factor

    def __mul__(self, other):
        if isinstance(other, int):
            return Scale(self.factor * other)
        return NotImplemented


class Ratio:
    def __init__(self, top: int, bottom: int = 1):
        self.top, self.bottom = top, bottom

    def __mul__(self, other):
        if isinstance(other, Ratio):
            return Ratio(self.top * other.top, self.bottom * other.bottom)
        if isinstance(other, int):
            return Ratio(self.top * other, self.bottom)
        return NotImplemented

    __rmul__ = __mul__

    def __matmul__(self, other):
        if not hasattr(other, "top"):
            return NotImplemented
        return self.top * other.top


class Interval:
    def __init__(self, low, high):
        self.low, self.high = low, high

    def __and__(self, other):
        if not isinstance(other, Interval):
            return NotImplemented
        if other.low > self.high or self.low > other.high:
            return None
        return Interval(max(self.low, other.low), min(self.high, other.high))

    def __ge__(self, other):
        if isinstance(other, Interval):
            return self.low <= other.low and other.high <= self.high
        return NotImplemented
