"""Work is done inside a block: between entering an object and leaving it."""


class Store:
    def __init__(self):
        self.values = {}
        self.saved = []

    def __enter__(self):
        self.saved.append(dict(self.values))
        return self

    def __exit__(self, kind, error, trace):
        self.values = self.saved.pop()

    def set(self, key, value):
        if not self.saved:
            raise RuntimeError("outside")
        if key in self.values:
            return False
        self.values[key] = value
        return True


class Tracer:
    def __init__(self):
        self.stack: list[str] = []

    def names(self) -> str:
        if len(self.stack) > 1:
            return "/".join(self.stack)
        return "none"


class Span:
    def __init__(self, tracer: Tracer, name: str) -> None:
        self.tracer = tracer
        self.name = name

    def __enter__(self) -> "Span":
        if self.name in self.tracer.stack:
            raise ValueError("entered")
        self.tracer.stack.append(self.name)
        return self

    def __exit__(self, *rest: object) -> None:
        self.tracer.stack.remove(self.name)

    def depth(self) -> int:
        if self.name not in self.tracer.stack:
            return 0
        return self.tracer.stack.index(self.name) + 1


class Queue:
    def __init__(self, limit=1):
        self.limit = limit
        self.waiting = []
        self.is_open = False

    async def __aenter__(self):
        self.is_open = True
        return self

    async def __aexit__(self, kind, error, trace):
        self.is_open = False
        self.waiting.clear()

    async def put(self, job):
        if not self.is_open:
            raise RuntimeError("closed")
        if len(self.waiting) >= self.limit:
            raise ValueError("full")
        self.waiting.append(job)
        return len(self.waiting)
