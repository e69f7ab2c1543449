import functools


class lazy:
    """A property that is computed once for each instance."""

    def __init__(self, func):
        functools.update_wrapper(self, func)
        self.func = func

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        value = self.func(instance)
        instance.__dict__[self.func.__name__] = value
        return value


class Typed:
    """An attribute of one type."""

    def __init__(self, kind, default=None):
        self.kind = kind
        self.default = default

    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.name, self.default)

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name[1:]} must be {self.kind.__name__}")
        setattr(instance, self.name, value)


def computed(func):
    "A decorator of methods."
    return lazy(func)


def shapes(kind):
    "The names of a class and of its bases."
    if not isinstance(kind, type):
        raise TypeError("not a class")
    return [one.__name__ for one in kind.__mro__]


def fields_of(value):
    if hasattr(value, "_fields"):
        return {name: getattr(value, name) for name in value._fields}
    return dict(value)
