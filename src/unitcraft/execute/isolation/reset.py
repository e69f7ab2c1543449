"""Resets global state between items: the Subject's heap and the state of the process.

Invariant: an item that runs after ``after_item`` returned True meets the state that the first
item of its worker met, within the limits that ``heap_snapshot`` and ``process_state`` name.
State that is checked only once per batch (``after_batch``) is either unchanged, or the whole
batch runs again with every check after every item.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType

from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import Holder
from unitcraft.execute.isolation.process_holders import environment_holders, slow_holders
from unitcraft.execute.isolation.process_state import ProcessState


def loaded_modules(prefixes: tuple[str, ...]) -> list[ModuleType]:
    """The loaded modules named by ``prefixes`` or below them, by name."""
    return [
        module
        for name, module in sorted(sys.modules.items())
        if issubclass(type(module), ModuleType)
        and any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes)
    ]


class Reset:
    """Snapshots of one process, taken after the Subject was imported.

    Abstract state: the saved heap (fast and slow part), caches to clear, process state.
    ``complete`` is False when the Subject's heap was larger than a snapshot follows.
    """

    def __init__(self, prefixes: tuple[str, ...]) -> None:
        walk = HeapWalk(loaded_modules(prefixes), prefixes)
        self.complete = not walk.truncated
        self._fast_holders: list[Holder] = walk.fast
        self._slow_holders: list[Holder] = walk.slow
        self._caches: tuple[Callable[[], None], ...] = tuple(walk.caches)
        self._rewinders = tuple(walk.counters.rewinders())
        self._names = tuple(module.__name__ for module in walk.foreign_modules)
        self._prefixes = prefixes

    def finish_snapshot(self, process: ProcessState) -> None:
        """Finish the snapshot in the worker, whose streams and environment are its own."""
        self._process = process
        self._fast = Snapshot([*self._fast_holders, *environment_holders()])
        self._slow = Snapshot([*self._slow_holders, *slow_holders(self._prefixes)])
        self._process.save(self._names)

    def __len__(self) -> int:
        return len(self._fast)

    def after_item(self, *, careful: bool) -> bool:
        """Put everything back; False if this worker cannot be used again."""
        for clear in self._caches:
            clear()
        for rewind in self._rewinders:
            rewind()
        usable = self._process.after_item()
        if not self._fast.is_clean():
            usable = self._fast.restore() and usable
        if careful and not self._slow.is_clean():
            usable = self._slow.restore() and usable
        return usable

    def after_batch(self) -> bool:
        """Did the whole batch leave the slow part unchanged?  It is put back if not."""
        if self._slow.is_clean():
            return True
        self._slow.restore()
        return False
