"""An abstract class and two classes that derive from it."""

from abc import ABC, abstractmethod
from math import pi


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...

    def larger(self, other: "Shape") -> "Shape":
        """The one with the larger area; this one where both are alike."""
        return other if other.area() > self.area() else self


class Square(Shape):
    def __init__(self, side: float) -> None:
        if side <= 0:
            raise ValueError("side must be positive")
        self.side = side

    def area(self) -> float:
        return self.side**2


class Circle(Shape):
    def __init__(self, radius: float) -> None:
        if radius <= 0:
            raise ValueError("radius must be positive")
        self.radius = radius

    def area(self) -> float:
        return pi * self.radius**2
