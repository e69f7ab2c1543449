"""Resets global state between items: the Subject's heap and the state of the process.

Invariant: an item that runs after ``after_item`` returned True meets the state that the first
item of its worker met, within the limits that ``heap_snapshot`` and ``process_state`` name.
State that is compared only once per batch (``after_batch``) is either unchanged, or the whole
batch runs again while the groups of state that changed are watched, that is, compared after
every item.
"""

from __future__ import annotations

from unitcraft.execute.frames import ALL_GROUPS
from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import CacheHolder
from unitcraft.execute.isolation.process_holders import (
    environment_holders,
    names_of_sys,
    shared_holders,
)
from unitcraft.execute.isolation.process_state import ProcessState
from unitcraft.execute.isolation.subject_modules import loaded_modules

#: The group of the state of the interpreter.
PROCESS = "process"


class Reset:
    """Snapshots of one process, taken after the Subject was imported.

    Abstract state: the saved heap (fast and slow part), process state, the groups of the slow part
    that are ``watched``.  ``complete`` is False when the Subject's heap was larger than a snapshot
    follows.  What a worker shares with its host is saved in the host: to look at it all in each
    worker, many of which run one item, would copy 200 pages of memory.
    """

    def __init__(self, subject: tuple[str, ...], focus: tuple[str, ...] = ()) -> None:
        walk = HeapWalk(list(loaded_modules(subject)), subject, focus)
        self.complete = not walk.truncated
        self._heap = Snapshot(walk.fast)
        self._slow = Snapshot(holder for _, holder in walk.slow)
        self._groups = [group for group, _ in walk.slow]
        self._caches = [
            (group, holder) for group, holder in walk.slow if isinstance(holder, CacheHolder)
        ]
        self._foreign = tuple(module.__name__ for module in walk.foreign_modules)
        self._shared = Snapshot(shared_holders(subject))

    def finish_snapshot(self, process: ProcessState) -> None:
        """Finish the snapshot in the worker, whose streams and environment are its own."""
        self._process = process
        self._fast = [self._heap, Snapshot(environment_holders())]
        self._settings = [self._shared, Snapshot([names_of_sys()])]
        self.watched: tuple[str, ...] = ()
        self._process.save(self._foreign)

    @property
    def compared(self) -> int:
        """The number of objects that ``after_batch`` compares."""
        return len(self._slow)

    def watch(self, groups: tuple[str, ...]) -> None:
        """Compare the state of ``groups`` after every item from now on.

        Caches among them are emptied, whether this worker's items used them or not.
        """
        self.watched = groups
        numbers = [number for number, group in enumerate(self._groups) if self._is_watched(group)]
        self._fast[2:] = [self._slow.part(numbers)]
        if self._is_watched(PROCESS):
            self._fast += self._settings
        for group, holder in self._caches:
            if self._is_watched(group):
                holder.restore()

    def _is_watched(self, group: str) -> bool:
        return group in self.watched or ALL_GROUPS in self.watched

    def after_item(self) -> bool:
        """Put everything back; False if this worker cannot be used again."""
        usable = self._process.after_item()
        for snapshot in self._fast:
            usable = (snapshot.is_clean() or snapshot.restore()) and usable
        return usable

    def after_batch(self) -> tuple[tuple[str, ...], bool]:
        """The groups that the batch changed while they were not watched; everything is put back.

        The second part is False if something could not be put back.
        """
        changed: list[str] = []
        usable = True
        if not self._slow.is_clean():
            changed += [self._groups[number] for number in self._slow.changed()]
            usable = self._slow.restore()
        for settings in self._settings:
            if not settings.is_clean():
                changed.append(PROCESS)
                usable = settings.restore() and usable
        found = dict.fromkeys(group for group in changed if not self._is_watched(group))
        return tuple(found), usable
