"""Objects written as plain data, with hooks for classes and names."""

from datetime import date, timedelta
from enum import Enum


class DumpError(TypeError):
    """Something that cannot be written."""


class Dumper:
    """Writes objects as dictionaries, lists, texts and numbers."""

    def __init__(self, *, default=None, rename=None, skip_none=False, max_depth=10, private=False):
        self.default = default
        self.rename = rename
        self.skip_none = skip_none
        self.max_depth = max_depth
        self.private = private
        self._hooks = {}
        self._open = []

    def register(self, kind, hook=None):
        """Give the hook for a class; a decorator without one."""
        if hook is None:

            def decorate(function):
                self._hooks[kind] = function
                return function

            return decorate
        self._hooks[kind] = hook
        return hook

    def _hook(self, value):
        for kind in type(value).__mro__:
            if kind in self._hooks:
                return self._hooks[kind]
        return None

    def dump(self, value):
        """The plain data of a value."""
        if len(self._open) >= self.max_depth:
            raise DumpError(f"deeper than {self.max_depth}")
        hook = self._hook(value)
        if hook is not None:
            return self._inside(value, hook(value))
        if value is None or isinstance(value, (bool, int, float, str)):
            return value
        if isinstance(value, Enum):
            return value.name.lower()
        if isinstance(value, date):
            return value.isoformat()
        if isinstance(value, timedelta):
            return value.total_seconds()
        if isinstance(value, bytes):
            return value.hex()
        if isinstance(value, dict):
            return self._inside(value, value)
        if isinstance(value, (list, tuple)):
            return self._inside(value, list(value))
        if isinstance(value, (set, frozenset)):
            return self._inside(value, sorted(value))
        if hasattr(value, "to_plain"):
            return self._inside(value, value.to_plain())
        if hasattr(value, "__dict__"):
            return self._inside(value, vars(value))
        if self.default is not None:
            return self.default(value)
        raise DumpError(f"cannot write {type(value).__name__}")

    def _inside(self, owner, plain):
        if any(owner is other for other in self._open):
            raise DumpError("the object holds itself")
        self._open.append(owner)
        try:
            if isinstance(plain, dict):
                return self._mapping(plain)
            if isinstance(plain, list):
                return [self.dump(item) for item in plain]
            return plain
        finally:
            self._open.pop()

    def _mapping(self, mapping):
        written = {}
        for key, value in mapping.items():
            if not isinstance(key, str):
                raise DumpError(f"key {key!r} is no text")
            if key.startswith("_") and not self.private:
                continue
            plain = self.dump(value)
            if plain is None and self.skip_none:
                continue
            if self.rename is not None:
                key = self.rename(key)
            if key in written:
                raise DumpError(f"two values for {key!r}")
            written[key] = plain
        return written


def camel(name):
    """``first_name`` as ``firstName``."""
    first, *others = name.split("_")
    return first + "".join(other.title() for other in others if other)
