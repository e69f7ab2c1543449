"""Three classes on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations

from dataclasses import dataclass, field


class Tree:
    """Different numbers in a search tree."""

    def __init__(self) -> None:
        self._number: int | None = None
        self._left: Tree | None = None
        self._right: Tree | None = None

    def insert(self, number: int) -> bool:
        """Is it new?"""
        if self._number is None:
            self._number = number
            return True
        if number == self._number:
            return False
        if number < self._number:
            self._left = self._left or Tree()
            return self._left.insert(number)
        self._right = self._right or Tree()
        return self._right.insert(number)

    def has(self, number: int) -> bool:
        return number in self.numbers()

    def numbers(self) -> list[int]:
        if self._number is None:
            return []
        left = self._left.numbers() if self._left else []
        right = self._right.numbers() if self._right else []
        return [*left, self._number, *right]

    def count(self) -> int:
        return len(self.numbers())

    def least(self) -> int:
        numbers = self.numbers()
        if not numbers:
            raise LookupError("empty")
        return numbers[0]

    def greatest(self) -> int:
        numbers = self.numbers()
        if not numbers:
            raise LookupError("empty")
        return numbers[-1]

    def height(self) -> int:
        if self._number is None:
            return 0
        return 1 + max(one.height() if one else 0 for one in (self._left, self._right))


@dataclass
class Passes:
    """A few passes; who has one gives it back before somebody else gets it."""

    total: int = 2
    _holders: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.total < 1:
            raise ValueError("total")
        self._holders = []

    @property
    def left(self) -> int:
        return self.total - len(self._holders)

    def holds(self, who: str) -> bool:
        return who in self._holders

    def take(self, who: str) -> bool:
        """False if there is none; whoever has one keeps it."""
        if who in self._holders:
            return True
        if not self.left:
            return False
        self._holders.append(who)
        return True

    def give_back(self, who: str) -> None:
        if who not in self._holders:
            raise PermissionError(who)
        self._holders.remove(who)

    def holders(self) -> list[str]:
        return sorted(self._holders)


class Notes:
    """Lines of text, and what was written last taken back."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._undone: list[str] = []

    def write(self, line: str) -> int:
        """Answers how many lines there are now."""
        self._lines.append(line)
        self._undone.clear()
        return len(self._lines)

    def undo(self) -> bool:
        if not self._lines:
            return False
        self._undone.append(self._lines.pop())
        return True

    def redo(self) -> bool:
        if not self._undone:
            return False
        self._lines.append(self._undone.pop())
        return True

    def lines(self) -> list[str]:
        return self._lines[:]

    def last(self) -> str | None:
        return self._lines[-1] if self._lines else None

    def can_undo(self) -> bool:
        return bool(self._lines)

    def can_redo(self) -> bool:
        return bool(self._undone)

    def __len__(self) -> int:
        return len(self._lines)
