"""Containers of other kinds, nested ones, repeated items."""

from collections import OrderedDict, deque
from collections.abc import Mapping


def freeze(value):
    """A value that can be hashed."""
    if isinstance(value, Mapping):
        return frozenset((key, freeze(one)) for key, one in value.items())
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, (list, deque)):
        return tuple(freeze(one) for one in value)
    return value


class Bag:
    def __init__(self, items=()):
        self.counts = {}
        for item in items:
            self.counts[item] = self.counts.get(item, 0) + 1

    def contains(self, other):
        """Is every item of a bag or of any container here, as often as there?"""
        wanted = other.counts if isinstance(other, Bag) else Bag(other).counts
        for item, count in wanted.items():
            if self.counts.get(item, 0) < count:
                return False
        return True

    def repeated(self):
        return {item for item, count in self.counts.items() if count > 1}

    def common(self):
        best = None
        for item, count in self.counts.items():
            if count > 2 and (best is None or count > self.counts[best]):
                best = item
        return best


def update(target, source):
    """Merge nested mappings; an OrderedDict keeps its order, a tuple is no list."""
    for key, value in source.items():
        present = target.get(key)
        if isinstance(present, dict) and isinstance(value, dict):
            update(present, value)
        elif isinstance(present, list) and isinstance(value, tuple):
            present.extend(value)
        else:
            target[key] = value
    if isinstance(target, OrderedDict):
        target.move_to_end(next(iter(target)))
    return target
