"""Functions as arguments: keys that collapse items, defaults that are functions, predicates."""

import operator


def unique(items, key=None):
    """The items without those whose key was there before."""
    seen = set()
    kept = []
    for item in items:
        mark = item if key is None else key(item)
        if mark in seen:
            continue
        seen.add(mark)
        kept.append(item)
    return kept


def fold(items, function=operator.add, start=None):
    total = start
    for item in items:
        total = item if total is None else function(total, item)
        if total == 0:
            return "nothing"
    return total


class Group:
    """Items by what a function says of them."""

    def __init__(self, key):
        self.key = key
        self.groups = {}

    def add(self, item):
        name = self.key(item)
        if name is None:
            return False
        if name in self.groups:
            self.groups[name].append(item)
        else:
            self.groups[name] = [item]
        return True

    def largest(self):
        best = None
        for name, items in self.groups.items():
            if best is None or len(items) > len(self.groups[best]):
                best = name
        return best


def first_match(items, predicate, default=None):
    for position, item in enumerate(items):
        if predicate(item):
            return position
    if callable(default):
        return default()
    return default


def retry(action, attempts=3):
    """The result of an action that is tried again where the connection fails."""
    for attempt in range(attempts):
        try:
            return action()
        except ConnectionError:
            if attempt == attempts - 1:
                raise
    return None
