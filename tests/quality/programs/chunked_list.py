"""A sorted list that keeps its values in chunks of limited size."""

from bisect import bisect_left, bisect_right, insort


class ChunkedList:
    """Sorted values in chunks: an insertion moves few of them."""

    def __init__(self, values=(), limit=4):
        if limit < 2:
            raise ValueError("limit must be at least 2")
        self.limit = limit
        self._chunks = []
        self._maxima = []
        self._size = 0
        for value in values:
            self.add(value)

    def __len__(self):
        return self._size

    def __iter__(self):
        for chunk in self._chunks:
            yield from chunk

    def __contains__(self, value):
        if not self._maxima:
            return False
        place = bisect_left(self._maxima, value)
        if place == len(self._maxima):
            return False
        chunk = self._chunks[place]
        index = bisect_left(chunk, value)
        return chunk[index] == value

    def __getitem__(self, position):
        if position < 0:
            position += self._size
        if not 0 <= position < self._size:
            raise IndexError("position out of range")
        for chunk in self._chunks:
            if position < len(chunk):
                return chunk[position]
            position -= len(chunk)

    def add(self, value):
        """Insert a value; a chunk that grows beyond twice the limit is split."""
        self._size += 1
        if not self._chunks:
            self._chunks.append([value])
            self._maxima.append(value)
            return
        place = bisect_right(self._maxima, value)
        if place == len(self._maxima):
            place -= 1
            self._chunks[place].append(value)
            self._maxima[place] = value
        else:
            insort(self._chunks[place], value)
        self._expand(place)

    def _expand(self, place):
        chunk = self._chunks[place]
        if len(chunk) <= 2 * self.limit:
            return
        half = chunk[self.limit :]
        del chunk[self.limit :]
        self._maxima[place] = chunk[-1]
        self._chunks.insert(place + 1, half)
        self._maxima.insert(place + 1, half[-1])

    def remove(self, value):
        """Take a value out; small neighbours are merged."""
        if value not in self:
            raise ValueError(f"{value!r} is not in the list")
        place = bisect_left(self._maxima, value)
        chunk = self._chunks[place]
        del chunk[bisect_left(chunk, value)]
        self._size -= 1
        if not chunk:
            del self._chunks[place]
            del self._maxima[place]
        elif len(chunk) < self.limit // 2 and len(self._chunks) > 1:
            self._merge(place)
        else:
            self._maxima[place] = chunk[-1]

    def _merge(self, place):
        if place == 0:
            place = 1
        before = self._chunks[place - 1]
        before.extend(self._chunks.pop(place))
        del self._maxima[place]
        self._maxima[place - 1] = before[-1]
        self._expand(place - 1)

    def count(self, low, high):
        """How many values are between two bounds, the bounds among them."""
        if high < low:
            return 0
        total = 0
        for chunk, largest in zip(self._chunks, self._maxima, strict=True):
            if largest < low:
                continue
            if chunk[0] > high:
                break
            total += bisect_right(chunk, high) - bisect_left(chunk, low)
        return total
