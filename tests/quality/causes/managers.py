"""Managers that act where their block raises what they look for, or has calls in it."""

from contextlib import contextmanager


class Discard(Exception):
    """The work in the block is not wanted."""


class Ledger:
    def __init__(self):
        self.entries = []
        self.silenced = 0

    @contextmanager
    def draft(self):
        kept = list(self.entries)
        try:
            yield self
        except Discard:
            self.entries = kept

    @contextmanager
    def silent(self):
        self.silenced += 1
        try:
            yield self
        finally:
            self.silenced -= 1

    def add(self, amount):
        if self.silenced:
            return False
        self.entries.append(amount)
        return True


class Attempt:
    def __init__(self, tolerated=Discard):
        self.tolerated = tolerated
        self.outcome = "open"

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if kind is None:
            self.outcome = "done"
        elif issubclass(kind, Discard):
            self.outcome = "discarded"
        else:
            self.outcome = "failed"
        return kind is not None and issubclass(kind, Discard)


@contextmanager
def restoring(items):
    copy = list(items)
    try:
        yield copy
    except BaseException:
        if copy:
            items[:] = copy
        raise
