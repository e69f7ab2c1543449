"""Operators that decline, and runs that raise early on their way to new code."""

import functools


@functools.total_ordering
class Version:
    def __init__(self, text: str):
        self.parts = tuple(int(one) for one in text.split("."))

    def __eq__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts == other.parts

    def __lt__(self, other):
        if not isinstance(other, Version):
            return NotImplemented
        return self.parts < other.parts


class Money:
    def __init__(self, amount, currency="EUR"):
        self.amount, self.currency = amount, currency

    def __add__(self, other):
        if isinstance(other, Money):
            if other.currency != self.currency:
                raise ValueError("currencies differ")
            return Money(self.amount + other.amount, self.currency)
        return NotImplemented

    def __radd__(self, other):
        if other == 0:
            return self
        return NotImplemented

    def __rsub__(self, other):
        if isinstance(other, int):
            return Money(other - self.amount, self.currency)
        return NotImplemented


class Path:
    def __init__(self, *names):
        self.names = names

    def __truediv__(self, name):
        if isinstance(name, str):
            return Path(*self.names, name)
        if isinstance(name, Path):
            return Path(*self.names, *name.names)
        return NotImplemented

    def __contains__(self, name):
        return name in self.names

    def __iadd__(self, names):
        if isinstance(names, (list, tuple)):
            self.names += tuple(names)
            return self
        return NotImplemented
