"""A container whose last branch needs five inserts."""


class Shelf:
    def __init__(self) -> None:
        self._items: list[int] = []

    def put(self, item: int) -> bool:
        if item in self._items:
            return False
        if len(self._items) >= 5:
            raise OverflowError("the shelf is full")
        self._items.append(item)
        self._items.sort()
        return True

    def take(self) -> int:
        if not self._items:
            raise IndexError("the shelf is empty")
        return self._items.pop(0)

    def median(self) -> int | None:
        if len(self._items) < 3:
            return None
        return self._items[len(self._items) // 2]

    def __iter__(self):
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)
