"""One run of a representation invariant on a heap: does it hold, and did the run behave?

An invariant either answers a truth value, or answers nothing and raises where it is broken.

Invariant: the run is bounded in steps and leaves the heap as it was; what it stored, printed or
raised is counted with the first place, and the verdict depends on the heap alone.
"""

from __future__ import annotations

import builtins
import contextlib
import io
import sys
from typing import TYPE_CHECKING, Any, Final

from unitcraft.execute.steps import COUNTER, StepsExhausted
from unitcraft.heaps.guest.lazy_heap import LazyHeap, NoValueError
from unitcraft.heaps.guest.monitored_classes import STORES, ObjectFields, identity
from unitcraft.heaps.guest.monitored_list import CHANGES
from unitcraft.symbolic.proxies.trace import EVENTS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from unitcraft.core.encoding import Plain

#: Loop turns and calls that one run may take at least: each of 100 objects visited a hundred times.
MAX_STEPS: Final = 10_000
#: Comparisons that are tried otherwise of a run without end; each costs a search of its own.
MAX_ENDLESS_EVENTS: Final = 100
#: Runs that share their steps: handing out steps takes a tenth of the time of a short run.
SHARING: Final = 16


class PrintCounter(io.TextIOBase):
    """Standard output and error while invariants run: only whether anything is written counts."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = 0

    def writable(self) -> bool:
        """Always true."""
        return True

    def write(self, _text: str, /) -> int:
        """Count the write."""
        self.writes += 1
        return len(_text)


class InvariantCheck:
    """The invariant ``predicate`` on the objects of ``heap``.

    Abstract state: how often runs misbehaved, by a short name (``raised ValueError``, ``steps``,
    ``stored Node.left``, ``printed``, ``unstable``).  ``by_raising``: answering None means that
    the invariant holds.
    """

    def __init__(
        self,
        predicate: Callable[[Any], Any],
        heap: LazyHeap,
        objects: Mapping[int, ObjectFields],
        *,
        by_raising: bool,
    ) -> None:
        self._predicate = predicate
        self._heap = heap
        self._objects = objects
        self._by_raising = by_raising
        self._prints = PrintCounter()
        self._runs = 0
        self.notes: dict[str, int] = {}

    def note(self, name: str, count: int = 1) -> None:
        """Count ``name``."""
        self.notes[name] = self.notes.get(name, 0) + count

    def take_notes(self) -> Plain:
        """The counts since the last time, by name; they are forgotten."""
        notes = sorted(self.notes.items())
        self.notes = {}
        return tuple(notes)

    def redirect(self) -> Callable[[], None]:
        """Begin an item: what is printed is counted; answers the function that ends that.

        What ``print`` gets for these streams is not read: a field that is printed alone decides
        nothing, and its values would be enumerated.
        """
        self._runs = 0
        streams = sys.stdout, sys.stderr
        plain = builtins.print
        prints = sys.stdout = sys.stderr = self._prints

        def count(*values: object, file: Any = None, **options: Any) -> None:
            if file is None or file is prints:
                prints.writes += 1
            else:
                plain(*values, file=file, **options)

        def restore() -> None:
            builtins.print = plain
            sys.stdout, sys.stderr = streams

        builtins.print = count
        return restore

    def holds(self, root: Any) -> bool:
        """Does the invariant hold for ``root``?  A run that raises or has no end says no."""
        self._runs += 1
        if self._runs % SHARING == 1:
            COUNTER.start(MAX_STEPS * SHARING)
        try:
            answer = self._predicate(root)
            found = self._by_raising if answer is None else bool(answer)
        except StepsExhausted:
            found = False
            self.note("steps")
            COUNTER.start(MAX_STEPS * SHARING)  # else the worker takes the item for a failure
            self._runs = 1
            del EVENTS[MAX_ENDLESS_EVENTS:]
        except (AssertionError, NoValueError):
            found = False
        except MemoryError:
            raise
        except BaseException as error:  # noqa: BLE001 - whatever the Subject raises
            found = False
            self.note(f"raised {type(error).__name__}")
        if self._prints.writes:
            self._prints.writes = 0
            self.note("printed")
        if STORES or CHANGES:
            self._undo_stores()
        return found

    def _undo_stores(self) -> None:
        """Put back what the run changed."""
        COUNTER.stop()
        self._runs = 0
        stored = STORES.copy()
        STORES.clear()
        for value, name in stored:
            fields = self._objects.get(identity(value))
            if fields is None:
                continue
            self.note(f"stored {type(value).__name__}.{name}")
            with contextlib.suppress(KeyError, AttributeError):
                if name in fields:
                    del fields[name][0][name]
                else:
                    object.__delattr__(value, name)
        for change in CHANGES:
            self.note(f"stored {change}")
        CHANGES.clear()
        for choice in self._heap.stack:
            choice.holder[choice.key] = choice.value
