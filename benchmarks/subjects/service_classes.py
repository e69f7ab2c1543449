"""Three classes of services, on which inference was not run before their laws were written."""

# ruff: noqa: D102 - a reader sees from the code what each method does
from __future__ import annotations


class Registry:
    """Who listens to which event; a muted event reaches nobody."""

    def __init__(self) -> None:
        self._listeners: dict[str, list[str]] = {}
        self._muted: set[str] = set()

    def subscribe(self, event: str, listener: str) -> bool:
        listeners = self._listeners.setdefault(event, [])
        if listener in listeners:
            return False
        listeners.append(listener)
        return True

    def unsubscribe(self, event: str, listener: str) -> None:
        if not self.has(event, listener):
            raise KeyError(listener)
        self._listeners[event].remove(listener)
        if not self._listeners[event]:
            del self._listeners[event]

    def has(self, event: str, listener: str) -> bool:
        return listener in self._listeners.get(event, ())

    def listeners(self, event: str) -> list[str]:
        return list(self._listeners.get(event, ()))

    def events(self) -> list[str]:
        return sorted(self._listeners)

    def mute(self, event: str) -> None:
        self._muted.add(event)

    def unmute(self, event: str) -> None:
        self._muted.discard(event)

    def is_muted(self, event: str) -> bool:
        return event in self._muted

    def emit(self, event: str) -> int:
        return 0 if event in self._muted else len(self.listeners(event))

    def __len__(self) -> int:
        return sum(map(len, self._listeners.values()))


class Counts:
    """How often each pair of a row and a column was seen."""

    def __init__(self, rows: int, columns: int) -> None:
        if rows < 1 or columns < 1:
            raise ValueError("no cells")
        self.rows = rows
        self.columns = columns
        self._cells = [[0] * columns for _ in range(rows)]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counts) and self._cells == other._cells

    __hash__ = None  # type: ignore[assignment]

    def _check(self, row: int, column: int) -> None:
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise IndexError((row, column))

    def add(self, row: int, column: int) -> None:
        self._check(row, column)
        self._cells[row][column] += 1

    def count(self, row: int, column: int) -> int:
        self._check(row, column)
        return self._cells[row][column]

    def row_total(self, row: int) -> int:
        self._check(row, 0)
        return sum(self._cells[row])

    def column_total(self, column: int) -> int:
        self._check(0, column)
        return sum(row[column] for row in self._cells)

    def total(self) -> int:
        return sum(map(sum, self._cells))

    def is_square(self) -> bool:
        return self.rows == self.columns

    def trace(self) -> int:
        if not self.is_square():
            raise ValueError("not square")
        return sum(self._cells[place][place] for place in range(self.rows))

    def transpose(self) -> Counts:
        found = Counts(self.columns, self.rows)
        found._cells = [list(column) for column in zip(*self._cells, strict=True)]
        return found

    def reset(self) -> None:
        self._cells = [[0] * self.columns for _ in range(self.rows)]


class Window:
    """So many hits at most in so many ticks of a clock."""

    def __init__(self, most: int, span: int) -> None:
        if most < 1 or span < 1:
            raise ValueError("no room")
        self.most = most
        self.span = span
        self._now = 0
        self._hits: list[int] = []

    def hit(self) -> bool:
        if self.is_full():
            return False
        self._hits.append(self._now)
        return True

    def tick(self, steps: int = 1) -> None:
        if steps < 0:
            raise ValueError("back in time")
        self._now += steps
        self._hits = [one for one in self._hits if self._now - one < self.span]

    def now(self) -> int:
        return self._now

    def used(self) -> int:
        return len(self._hits)

    def left(self) -> int:
        return self.most - len(self._hits)

    def is_full(self) -> bool:
        return len(self._hits) >= self.most

    def wait(self) -> int:
        return self._hits[0] + self.span - self._now if self.is_full() else 0

    def reset(self) -> None:
        self._hits.clear()
