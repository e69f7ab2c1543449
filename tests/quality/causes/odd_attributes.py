"""Classes whose attributes are no plain ones: proxies of values have to leave them alone."""


class Lazy:
    """Every attribute that was not set is 0."""

    def __getattribute__(self, name):
        return object.__getattribute__(self, "__dict__").get(name, 0)


LAZY = Lazy()


def sign(n: int) -> int:
    return 1 if n > 12345 else LAZY.anything


class Wrapped:
    """Says that it is of the class of what it wraps."""

    def __init__(self, value):
        self.value = value

    @property
    def __class__(self):
        return type(self.value)

    def describe(self, code: int) -> str:
        if code * 3 == 98765 * 3:
            return "special"
        if isinstance(self, str):
            return "text"
        return "other"


class Frozen:
    """Its attributes cannot be set from outside."""

    __slots__ = ("code", "name")

    def __init__(self, code: int, name: str):
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "name", name)

    def __setattr__(self, name, value):
        raise AttributeError(f"{name} cannot be set")

    def label(self):
        if self.code - 7 == 4321:
            return f"{self.name}!"
        return self.name
