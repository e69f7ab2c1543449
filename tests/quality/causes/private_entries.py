"""Private code that no public code of the module enters: siblings, hooks and frameworks call it."""


def version():
    return "1.4"


def _indent_of(line):
    stripped = line.lstrip()
    if not stripped:
        return None
    return len(line) - len(stripped)


class Model:
    """A record; a framework calls the methods with one underscore."""

    def __init__(self, name, rows=None):
        self.name = name
        self._rows = rows
        self._dirty = False

    def rename(self, name):
        self.name = name
        self._dirty = True

    def _serialize(self, deep=False):
        data = {"name": self.name}
        if self._dirty:
            data["dirty"] = True
        if deep and self._rows is not None:
            data["rows"] = list(self._rows)
        return data


class _Window:
    """Another module of the package makes windows and moves them."""

    def __init__(self, size: int):
        self.size = size
        self.start = 0

    def advance(self, step: int) -> int:
        if step > self.size:
            raise ValueError("the step is longer than the window")
        self.start += step
        return self.start
