"""A function that is handed in twice and has to be the same one: listeners that are let go."""

from collections.abc import Callable


class Journal:
    def __init__(self, limit: int = 3) -> None:
        self.limit = limit
        self.events: list[str] = []
        self.listeners: list[Callable[[str], None]] = []

    def listen(self, listener: Callable[[str], None]) -> bool:
        if listener in self.listeners:
            return False
        self.listeners.append(listener)
        return True

    def ignore(self, listener: Callable[[str], None]) -> bool:
        if listener in self.listeners:
            self.listeners.remove(listener)
            return True
        return False

    def note(self, event: str) -> int:
        self.events.append(event)
        if len(self.events) > self.limit:
            del self.events[0]
        for listener in self.listeners:
            listener(event)
        return len(self.events)


class Signal:
    def __init__(self) -> None:
        self.slots: dict[str, list[Callable[[], None]]] = {}

    def connect(self, name: str, slot: Callable[[], None]) -> int:
        self.slots.setdefault(name, []).append(slot)
        return self.slots[name].count(slot)

    def disconnect(self, name: str, slot: Callable[[], None]) -> str:
        if name not in self.slots:
            return "no signal"
        if slot not in self.slots[name]:
            return "not connected"
        self.slots[name].remove(slot)
        return "gone" if not self.slots[name] else "left"


class Hooks:
    def __init__(self) -> None:
        self.known: set[Callable[[str, int], None]] = set()

    def toggle(self, hook: Callable[[str, int], None]) -> bool:
        if hook in self.known:
            self.known.discard(hook)
            return False
        self.known.add(hook)
        return True
