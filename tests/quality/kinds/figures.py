from abc import ABC, abstractmethod


class Shape(ABC):
    """A shape with a name."""

    def __init__(self, name):
        self.name = name

    @abstractmethod
    def area(self) -> float:
        """The area."""

    @property
    @abstractmethod
    def corners(self):
        pass

    def describe(self, unit="cm"):
        if self.area() > 10:
            return f"large {self.name}"
        return f"{self.name}: {self.area()} {unit}2, {self.corners} corners"

    def __lt__(self, other):
        return self.area() < other.area()


class BaseReader(ABC):
    @abstractmethod
    def read_line(self):
        """The next line, None at the end."""

    def first_word(self):
        line = self.read_line()
        if line is None:
            return ""
        return line.split()[0]
