"""Base classes whose code runs in an heir only."""

import abc


class Sampler:
    """A series of measurements; an heir says what they are."""

    def values(self):
        raise NotImplementedError

    def largest(self):
        found = self.values()
        if not found:
            return None
        return max(found)


class Exporter(abc.ABC):
    separator = ","

    @abc.abstractmethod
    def rows(self):
        """Rows of cells."""

    def export(self, header=None):
        lines = []
        if header is not None:
            lines.append(self.separator.join(header))
        for row in self.rows():
            if not row:
                continue
            lines.append(self.separator.join(str(cell) for cell in row))
        return "\n".join(lines)


class Command:
    """A command; heirs define ``handle``."""

    def __init__(self, name, aliases=()):
        self.name = name
        self.aliases = aliases

    def handle(self, *args):
        raise NotImplementedError(f"{type(self).__name__}.handle")

    def run(self, word, *args):
        if word == self.name or word in self.aliases:
            return self.handle(*args)
        return None
