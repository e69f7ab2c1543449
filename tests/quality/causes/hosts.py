"""Mixins that leave methods to their heirs and read what only a host has."""

from abc import ABC, abstractmethod


class Stored(ABC):
    @abstractmethod
    def load(self):
        """What is stored, or None."""

    @property
    def is_new(self):
        return self.values.get("id") is None

    def reload(self):
        found = None if self.is_new else self.load()
        if found is None:
            raise LookupError("not stored")
        self.values.clear()
        return len(self.values)


class Checked(ABC):
    @abstractmethod
    def rules(self):
        """Rules by name."""

    def errors(self):
        return [name for name in self.rules() if name not in self.fields]


class Named(ABC):
    @abstractmethod
    def render(self):
        """The text."""

    def title(self):
        if self.heading:
            return self.heading.upper()
        return "untitled"
