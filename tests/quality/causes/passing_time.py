"""Entries, tokens and locks that a later time than the first one changes."""

import time


class Session:
    """A session that ends after a time without use."""

    def __init__(self, user: str, timeout: float = 30.0, clock=time.monotonic):
        self.user = user
        self.timeout = timeout
        self.clock = clock
        self.used_at = clock()

    def is_open(self):
        if self.clock() - self.used_at > self.timeout:
            return False
        self.used_at = self.clock()
        return True


class TokenBucket:
    """So many requests at once, and one more with each second."""

    def __init__(self, size: int, now):
        self.size = self.tokens = size
        self.now = now
        self.filled_at = now()

    def take(self):
        passed = self.now() - self.filled_at
        if passed >= 1:
            self.tokens = min(self.size, self.tokens + int(passed))
            self.filled_at = self.now()
        if self.tokens == 0:
            return False
        self.tokens -= 1
        return True


class Cooldown:
    """May act again only after a pause."""

    def __init__(self, pause: int):
        self.pause = pause
        self.acted_at = None

    def act(self):
        if self.acted_at is not None and time.time() < self.acted_at + self.pause:
            return "wait"
        first = self.acted_at is None
        self.acted_at = time.time()
        return "first" if first else "again"
