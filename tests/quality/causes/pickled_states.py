"""Classes that say what is pickled of their objects, and what an unpickled one begins with."""


class Bag:
    """Forgets what it has counted."""

    def __init__(self, items=()):
        self.items = list(items)
        self.counted = {}

    def count(self, item):
        if item not in self.counted:
            self.counted[item] = self.items.count(item)
        return self.counted[item]

    def __getstate__(self):
        state = dict(vars(self))
        if self.counted:
            del state["counted"]
        return state

    def __setstate__(self, state):
        if "counted" not in state:
            state = {**state, "counted": {}}
        vars(self).update(state)


class Queue:
    """Is made again of what it holds, unless it holds nothing."""

    def __init__(self, waiting=()):
        self.waiting = list(waiting)

    def push(self, item):
        self.waiting.append(item)

    def __reduce__(self):
        if not self.waiting:
            return Queue, ()
        return Queue, (tuple(self.waiting),)


class Page:
    """Has a list that copies share, and deep copies do not."""

    def __init__(self, title):
        self.title = title
        self.links = []

    def link(self, title):
        self.links.append(title)

    def __deepcopy__(self, memo):
        made = Page(self.title)
        if self.links:
            made.links = list(self.links)
        return made
