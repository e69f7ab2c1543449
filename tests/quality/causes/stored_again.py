"""Objects that know what changed since they were last looked at."""

from copy import deepcopy


class Tracking:
    """For classes with a dictionary ``values``."""

    def changed(self):
        if "_seen" not in vars(self):
            self._seen = deepcopy(self.values)
            return []
        names = [name for name in self.values if self.values[name] != self._seen.get(name)]
        self._seen = deepcopy(self.values)
        return names or None


class Emptied:
    """For classes with a list ``items``."""

    def was_emptied(self):
        before = getattr(self, "_before", 0)
        self._before = len(self.items)
        if before and not self.items:
            return True
        return False


class Growing:
    """For classes with a list ``lines``."""

    def new_lines(self):
        known = vars(self).setdefault("_known", len(self.lines))
        if len(self.lines) > known:
            return self.lines[known:]
        return None
