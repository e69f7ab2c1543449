"""The step budget: a counter that ends a run after a fixed number of loop turns and calls.

Invariant: once the budget is spent every further ``tick`` raises, so swallowing the exception
does not help, and after ``MAX_SWALLOWED`` swallowed exceptions the worker ends itself.  Counting
depends only on the code and its input, never on the machine.

Two ways to count.  *Probes*: instrumented code calls the object that ``bind`` put into its
namespace; the fast path is one call of a C function (``chain.__next__``), about 25 ns.
*Events*: ``Tracer`` counts function entries, jumps and branches of all Python code through
``sys.monitoring`` (3.12 and later) or lines through ``sys.settrace`` (3.11, which disarms
itself when the exhaustion is raised: a Subject that swallows it there runs on until its time
is up, and ``on_exhausted`` has told the parent the cause).
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from itertools import chain, repeat
from operator import length_hint
from types import CodeType, FrameType
from typing import Any, Final, cast

#: The name by which rewritten code counts a step.
TICK: Final = "__unitcraft_tick__"

#: Exit status of a worker whose Subject swallowed the exhaustion again and again.
STEPS_STATUS: Final = 97

#: Exhaustions that an item may swallow before its worker ends itself.
MAX_SWALLOWED: Final = 1000

#: Steps that no run can take: the limit between items.
ENDLESS: Final = 1 << 62

#: Steps that are handed out at a time: a list of as many references, 512 KiB.
CHUNK: Final = 1 << 16

#: Folder of unitcraft, whose own code takes no steps.
OURS: Final = __file__.rsplit("/", 2)[0] + "/"


class StepsExhausted(BaseException):
    """The step budget of this item is spent.  Services let it pass."""


class OutputExhausted(BaseException):
    """The Subject printed more than one item may."""


#: The ends of a run that its bounds make, which are no outcome of the Subject.
BOUNDS: Final = (StepsExhausted, OutputExhausted)


class Ticks:
    """A resettable supply of steps behind one function, ``tick``, that never changes.

    Abstract state: the number of steps that are left.  ``tick`` is the ``__next__`` of a chain of
    iterators, so that a step runs C code only; ``supply`` cuts the current iterator short, and the
    chain asks for the next one.  Its cost does not depend on the number of namespaces that hold
    ``tick``.
    """

    def __init__(self, exhaust: Callable[[], None]) -> None:
        self._left = ENDLESS
        self._exhaust = exhaust
        self._chunk = [None] * CHUNK
        self._current: Any = iter(self._chunk)
        self.tick: Callable[[], None] = chain.from_iterable(iter(self._next_chunk, None)).__next__

    def supply(self, steps: int) -> None:
        """From now on ``steps`` steps are left."""
        self._left = steps
        self._current.__setstate__(CHUNK)

    @property
    def left(self) -> int:
        """The steps that are left."""
        return self._left + length_hint(self._current)

    def _next_chunk(self) -> Iterator[None]:
        if not self._left:
            return map(self._end, repeat(None))
        taken = min(self._left, CHUNK)
        self._left -= taken
        self._current = iter(self._chunk)
        self._current.__setstate__(CHUNK - taken)
        return cast("Iterator[None]", self._current)

    def _end(self, _: None) -> None:
        """Raise StepsExhausted; after a new supply leave the word to the next chunk."""
        if self._left:
            raise StopIteration
        self._exhaust()


class Counter:
    """Abstract state: the steps left, and whether they ran out.

    ``exhausted`` is set by the first tick beyond the limit of the current item.
    """

    def __init__(self) -> None:
        self.exhausted = False
        self.limit = ENDLESS
        self._swallowed = 0
        self._exhaust: Callable[..., None] = self._make_exhaust()
        self._ticks = Ticks(self._exhaust)
        self.tracer: Tracer | None = None
        self.on_exhausted: Callable[[], None] = lambda: None
        self.tick = self._ticks.tick

    def _make_exhaust(self) -> Callable[..., None]:
        quit_ = os._exit

        def exhaust(_: object = None) -> None:
            if not self.exhausted:
                self.exhausted = True
                self.on_exhausted()
            self._swallowed += 1
            if self._swallowed > MAX_SWALLOWED:
                quit_(STEPS_STATUS)
            raise StepsExhausted

        return exhaust

    def bind(self, namespace: dict[str, Any], name: str = TICK) -> None:
        """Make ``namespace[name]`` count a step.

        It is the same object for ever, so a snapshot may hold it.
        """
        namespace[name] = self.tick

    def start(self, limit: int) -> None:
        """Begin an item that may take ``limit`` steps."""
        self.exhausted = False
        self._swallowed = 0
        self.limit = limit
        self._ticks.supply(limit)
        if self.tracer is not None:
            self.tracer.start(limit)

    def taken(self) -> int:
        """The steps that the item has taken so far."""
        return self.limit - self._ticks.left

    def exhaust(self) -> None:
        """Spend all steps of the item at once.  Raises StepsExhausted; between items nothing."""
        if self.limit < ENDLESS:
            self._exhaust()

    def stop(self) -> None:
        """End the item: ticks are free until the next ``start``."""
        self.limit = ENDLESS
        self._ticks.supply(ENDLESS)
        if self.tracer is not None:
            self.tracer.left = ENDLESS

    def trace(self) -> None:
        """Count by interpreter events from now on, for code without probes."""
        self.tracer = Tracer(self._exhaust)
        self.tracer.install()


class Tracer:
    """Counts interpreter events; ``left`` is the number of events still allowed."""

    def __init__(self, exhaust: Callable[..., None]) -> None:
        self.left = ENDLESS
        self._exhaust = exhaust
        self._line = self._on_line

    def install(self) -> None:
        """Begin to count in this thread (3.11) or in all threads (3.12 and later)."""
        if sys.version_info >= (3, 12):
            self._monitor()
        else:
            sys.settrace(self._line)

    def start(self, limit: int) -> None:
        """Allow ``limit`` events; arm ``settrace`` again, which an exception may have disarmed."""
        self.left = limit
        if sys.version_info < (3, 12):
            sys.settrace(self._line)

    def _monitor(self) -> None:
        if sys.version_info < (3, 12):
            return
        exhaust = self._exhaust

        monitoring = sys.monitoring

        def on_event(code: CodeType, _where: int, _to: int = 0) -> Any:
            if code.co_filename.startswith(OURS):
                return monitoring.DISABLE
            self.left -= 1
            if self.left < 0:
                exhaust()
            return None

        tool = next(number for number in (4, 3, 5) if monitoring.get_tool(number) is None)
        monitoring.use_tool_id(tool, "unitcraft")
        events = monitoring.events
        wanted = [events.PY_START, events.JUMP, events.BRANCH]
        for event in wanted:
            monitoring.register_callback(tool, event, on_event)
        monitoring.set_events(tool, sum(wanted))

    def _on_line(self, frame: FrameType, event: str, _arg: object) -> Any:
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            return None
        self.left -= 1
        if self.left < 0:
            self._exhaust()
        return self._line


COUNTER: Final = Counter()

start = COUNTER.start
bind = COUNTER.bind
