"""Sizes beyond what one writes item by item."""


class ChunkedList:
    """A list in chunks; a chunk is split when it is full."""

    load = 1000

    def __init__(self, values=()):
        self.chunks = [[]]
        for value in values:
            self.append(value)

    def append(self, value):
        last = self.chunks[-1]
        last.append(value)
        if len(last) > self.load:
            half = self.load >> 1
            self.chunks.append(last[half:])
            del last[half:]

    def item(self, index):
        for chunk in self.chunks:
            if index < len(chunk):
                return chunk[index]
            index -= len(chunk)
        raise IndexError("index out of range")

    def last_chunk_start(self):
        if len(self.chunks) == 1:
            return 0
        return sum(map(len, self.chunks[:-1]))


def summary(text: str) -> str:
    """The text, shortened for a headline or a page."""
    if len(text) > 280:
        return text[:279] + "\u2026"
    if len(text) > 140:
        return text[:140].rsplit(" ", 1)[0]
    return text


def batches(rows, size=500):
    """The rows in batches; a few rows are one batch, many are told by their number."""
    if len(rows) <= 100:
        return [list(rows)]
    found = []
    for start in range(0, len(rows), size):
        found.append(list(rows[start:start + size]))
    if len(found) > 3:
        return [len(one) for one in found]
    return found
