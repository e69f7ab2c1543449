"""A shifted clock: the Subject sees another time of day, which exposes tests that depend on it.

A run that reads it can be repeated at other moments: one shift leaves most hours, weekdays and
months on the same side of what the code compares them with.

Invariant: with a shift, every function of ``time`` that reads a clock and every "now" of
``datetime`` agree; the classes of ``datetime`` stay the classes that they are, so that extension
modules that build on them, and comparisons of types, notice nothing.
"""

from __future__ import annotations

import datetime as dt
import gc
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any, Final

#: Nanoseconds in a second.
_NANO = 1_000_000_000
#: Moments at which a run that reads the clock is repeated.  With the step below they and the first
#: meet all weekdays (at least seven in a row lie between two midnights that the hours pass), every
#: third hour (a step is less than three), every second month and every eighth minute.
MOMENTS: Final = 13
STEP: Final = 52 * 86_400.0 + 3 * 3_600.0 - 8 * 60.0 + 7


class MovedClock:
    """The date and time of this process (mutable: the moment, and whether it was asked for).

    Clocks that only measure (``monotonic``, ``perf_counter``) neither tell a date nor follow it.
    """

    def __init__(self) -> None:
        self._ahead = 0.0
        self._was_read = False

    def start(self) -> None:
        """Forget what was asked so far."""
        self._was_read = False

    def was_read(self) -> bool:
        """Was the date or the time asked for since ``start``?  Never where nothing is shifted."""
        return self._was_read

    def go_to(self, moment: int) -> None:
        """Go to one of ``MOMENTS``; 0 is the first."""
        self._ahead = moment * STEP

    def ahead(self) -> float:
        """Seconds since the first moment, for a reader of the time."""
        self._was_read = True
        return self._ahead


#: The clock of this process.
CLOCK: Final = MovedClock()


def shift(seconds: float) -> None:
    """Move the clock of this process by ``seconds``.  To be called before the Subject's import."""
    for name in ("monotonic", "perf_counter"):
        _move(name, seconds)
        _move(f"{name}_ns", round(seconds * _NANO))
    _move_date(seconds)
    for name in ("localtime", "gmtime"):
        setattr(time, name, _default_to_now(getattr(time, name)))
    for name in ("ctime", "asctime"):
        setattr(time, name, _text_of_now(name))
    strftime = time.strftime
    time.strftime = lambda form, *when: strftime(form, *(when or (time.localtime(),)))
    _replace_now(dt.timedelta(seconds=seconds))


def announce_sleep() -> None:
    """Make ``time.sleep`` raise its audit event, which Python does by itself from 3.13 on."""
    if sys.version_info >= (3, 13):
        return
    sleep = time.sleep

    def announced(seconds: float, /) -> None:
        sys.audit("time.sleep", seconds)
        sleep(seconds)

    time.sleep = announced  # type: ignore[assignment]


def _move(name: str, by: Any) -> None:
    read = getattr(time, name)
    setattr(time, name, lambda: read() + by)


def _move_date(by: float) -> None:
    read, read_ns, by_ns = time.time, time.time_ns, round(by * _NANO)
    time.time = lambda: read() + by + CLOCK.ahead()
    time.time_ns = lambda: read_ns() + by_ns + round(CLOCK.ahead() * _NANO)


def _default_to_now(convert: Callable[..., Any]) -> Callable[..., Any]:
    read = time.time

    def moved(when: float | None = None, /) -> Any:
        return convert(read() if when is None else when)

    return moved


def _text_of_now(name: str) -> Callable[..., str]:
    original = getattr(time, name)
    if name == "ctime":
        return lambda when=None, /: original(time.time() if when is None else when)
    return lambda when=None, /: original(time.localtime() if when is None else when)


def _replace_now(by: dt.timedelta) -> None:
    """Move ``now`` and ``utcnow`` of ``datetime``; every ``today`` asks ``time.time`` itself.

    The class is made in C and cannot be assigned to, but the dictionary behind it can be.
    """
    real = dt.datetime
    attributes: dict[str, Any] = gc.get_referents(real.__dict__)[0]
    read_now, read_utcnow = real.now, real.utcnow

    def now(cls: Any, tz: dt.tzinfo | None = None) -> Any:
        return _convert(cls, read_now(tz) + by + dt.timedelta(seconds=CLOCK.ahead()))

    def utcnow(cls: Any) -> Any:
        return _convert(cls, read_utcnow() + by + dt.timedelta(seconds=CLOCK.ahead()))

    attributes.update(now=classmethod(now), utcnow=classmethod(utcnow))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way from 3.13 on
        sys._clear_type_cache()  # noqa: SLF001 - else lookups that were made before stay as they are


def _convert(cls: Any, moment: dt.datetime) -> Any:
    """``moment`` as an instance of ``cls``."""
    if cls is dt.datetime:
        return moment
    return cls.combine(moment.date(), moment.timetz()).replace(fold=moment.fold)
