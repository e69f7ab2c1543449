"""Counters that a class holds."""


class Names:
    _counter = 0
    count = 0

    @classmethod
    def fresh(cls, word: str) -> str:
        """A name that no other has."""
        cls._counter += 1
        return f"{word}{cls._counter}"

    @classmethod
    def tally(cls) -> int:
        cls.count += 1
        return cls.count
