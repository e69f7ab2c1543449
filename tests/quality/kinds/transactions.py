"""Context managers: a class, and a function that yields."""

from contextlib import contextmanager


class Transaction:
    """Changes of a dictionary that are taken back where the block fails."""

    def __init__(self, data: dict) -> None:
        self.data = data
        self._before: dict = {}

    def __enter__(self) -> dict:
        self._before = dict(self.data)
        return self.data

    def __exit__(self, kind, error, trace) -> bool:
        if kind is None:
            return False
        self.data.clear()
        self.data.update(self._before)
        return issubclass(kind, LookupError)


@contextmanager
def collected(log: list):
    """Adds "begin" and "end" to a log, and "error" where the block raises ValueError."""
    log.append("begin")
    try:
        yield log
    except ValueError:
        log.append("error")
    finally:
        log.append("end")
