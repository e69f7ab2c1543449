"""Classes that answer for attributes that they do not have, and that watch what is stored."""


class Record:
    """Fields by name."""

    def __init__(self, fields):
        self.__dict__["fields"] = dict(fields)

    def __getattr__(self, name):
        if name in self.fields:
            return self.fields[name]
        raise AttributeError(f"no field {name}")

    def __setattr__(self, name, value):
        if name == "locked":
            raise AttributeError("it cannot be locked")
        self.fields[name] = value

    def __delattr__(self, name):
        if name not in self.fields:
            raise AttributeError(f"no field {name}")
        del self.fields[name]


class Path:
    """A path that grows by dots."""

    def __init__(self, parts=()):
        self.parts = tuple(parts)

    def __getattr__(self, name):
        if name == "up":
            return Path(self.parts[:-1])
        return Path((*self.parts, name))

    def __str__(self):
        return "/".join(self.parts) or "."


class Once:
    """Attributes that are stored once."""

    def __setattr__(self, name, value):
        if name in self.__dict__:
            raise TypeError(f"{name} is stored already")
        super().__setattr__(name, value)
