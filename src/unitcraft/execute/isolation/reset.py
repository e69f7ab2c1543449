"""Resets global state between items: the Subject's heap and the state of the process.

Invariant: an item that runs after ``after_item`` returned True meets the state that the first
item of its worker met, within the limits that ``heap_snapshot`` and ``process_state`` name.
Most state is compared only once per batch (``after_batch``): it is either unchanged, or the whole
batch runs again while the groups of state that changed are watched, that is, compared after
every item.  Few Subjects change any, and comparing took a third of the time of short items.
"""

from __future__ import annotations

from unitcraft.execute.frames import ALL_GROUPS
from unitcraft.execute.isolation.heap_snapshot import HeapWalk
from unitcraft.execute.isolation.holder_snapshot import Snapshot
from unitcraft.execute.isolation.holders import CacheHolder
from unitcraft.execute.isolation.process_holders import (
    GeneratorsHolder,
    environment_holders,
    slow_holders,
)
from unitcraft.execute.isolation.process_state import ProcessState
from unitcraft.execute.isolation.subject_modules import loaded_modules

#: The groups of the state of the interpreter, of the environment, of the random generators, and of
#: the modules in focus.
PROCESS, ENVIRONMENT, RANDOM, FOCUS = "process", "environment", "random", "focus"


class Reset:
    """Snapshots of one process, taken after the Subject was imported.

    Abstract state: the saved heap and process state, in groups, and those that are ``watched``.
    ``complete`` is False when the Subject's heap was larger than a snapshot follows.
    """

    def __init__(self, subject: tuple[str, ...], focus: tuple[str, ...] = ()) -> None:
        walk = HeapWalk(list(loaded_modules(subject)), subject, focus)
        self.complete = not walk.truncated
        holders = [*[(FOCUS, holder) for holder in walk.fast], *walk.slow]
        self._heap = Snapshot(holder for _, holder in holders)
        self._groups = [group for group, _ in holders]
        self._caches = [one for one in holders if isinstance(one[1], CacheHolder)]
        self._foreign = tuple(module.__name__ for module in walk.foreign_modules)
        self._subject = subject

    def finish_snapshot(self, process: ProcessState) -> None:
        """Finish the snapshot in the worker, whose streams and environment are its own."""
        self._process = process
        self._settings = {
            PROCESS: Snapshot(slow_holders(self._subject)),
            ENVIRONMENT: Snapshot(environment_holders()),
            RANDOM: Snapshot([GeneratorsHolder()]),
        }
        self._compared: list[Snapshot] = []
        self.watched: tuple[str, ...] = ()
        self._process.save(self._foreign)

    @property
    def compared(self) -> int:
        """The number of objects that ``after_batch`` compares."""
        return len(self._heap)

    def watch(self, groups: tuple[str, ...]) -> None:
        """Compare the state of ``groups`` after every item from now on.

        Caches among them are emptied, whether this worker's items used them or not.
        """
        self.watched = groups
        numbers = [number for number, group in enumerate(self._groups) if self._is_watched(group)]
        self._compared = [self._heap.part(numbers)] if numbers else []
        self._compared += [one for group, one in self._settings.items() if self._is_watched(group)]
        for group, holder in self._caches:
            if self._is_watched(group):
                holder.restore()

    def _is_watched(self, group: str) -> bool:
        return group in self.watched or ALL_GROUPS in self.watched

    def after_item(self) -> bool:
        """Put back what is watched; False if this worker cannot be used again."""
        usable = self._process.after_item()
        for snapshot in self._compared:
            usable = snapshot.restore() and usable
        return usable

    def after_batch(self) -> tuple[tuple[str, ...], bool]:
        """The groups that the batch changed while they were not watched; everything is put back.

        The second part is False if something could not be put back.
        """
        changed: list[str] = []
        usable = True
        if not self._heap.is_clean():
            changed += [self._groups[number] for number in self._heap.changed()]
            usable = self._heap.restore()
        for group, snapshot in self._settings.items():
            if not snapshot.is_clean():
                changed.append(group)
                usable = snapshot.restore() and usable
        found = dict.fromkeys(group for group in changed if not self._is_watched(group))
        return tuple(found), usable
