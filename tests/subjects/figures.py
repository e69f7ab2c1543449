"""An abstract class and a Protocol, with what stands in for them."""

from abc import ABC, abstractmethod
from typing import Protocol


class Shape(ABC):
    @abstractmethod
    def area(self) -> float: ...

    def larger(self, other: "Shape") -> bool:
        return self.area() > other.area()


class Square(Shape):
    def __init__(self, side: float) -> None:
        if side <= 0:
            raise ValueError("side must be positive")
        self.side = side

    def area(self) -> float:
        return self.side * self.side


class Circle(Shape):
    def __init__(self, radius: float) -> None:
        self.radius = radius

    def area(self) -> float:
        return 3 * self.radius**2


class Sized(Protocol):
    def size(self) -> int: ...


class Box:
    def __init__(self, length: int) -> None:
        self.length = length

    def size(self) -> int:
        return self.length * 2


def fits(thing: Sized, room: int) -> str:
    if thing.size() > room:
        return "too large"
    return "exactly" if thing.size() == room else "loosely"
