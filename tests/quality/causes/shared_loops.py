"""Coroutines that act on what others began in the same event loop."""

import asyncio


class Courier:
    """Carries parcels in a task of its own."""

    def __init__(self):
        self.carried = []
        self.task = None

    async def start(self):
        if self.task is not None:
            return False
        self.parcels = asyncio.Queue()
        self.task = asyncio.create_task(self._carry())
        return True

    async def stop(self):
        if self.task is None:
            return []
        await self.parcels.join()
        self.task.cancel()
        self.task = None
        return self.carried

    def send(self, parcel):
        if self.task is None:
            raise RuntimeError("the courier has not started")
        self.parcels.put_nowait(parcel)

    async def _carry(self):
        while True:
            parcel = await self.parcels.get()
            self.carried.append(parcel)
            self.parcels.task_done()


class Gate:
    """Lets those pass who come while it is open."""

    def __init__(self):
        self._opened = asyncio.Event()

    async def open(self):
        self._opened.set()

    async def close(self):
        self._opened.clear()

    async def pass_by(self):
        if not self._opened.is_set():
            return "closed"
        await self._opened.wait()
        return "passed"


class Retry:
    """Calls a coroutine function again when it fails."""

    def __init__(self, times=2):
        self.times = times
        self.failures = 0

    async def call(self, function):
        for _ in range(self.times):
            try:
                return await function()
            except ValueError:
                self.failures += 1
        return None
