"""Other clocks: one that is shifted, which exposes tests that depend on it, and virtual time.

A run that reads the shifted clock can be repeated at other moments: one shift leaves most hours,
weekdays and months on the same side of what the code compares them with.  Clocks that measure lag,
so that what they measured differs from what it was elsewhere.  Virtual time begins at
the same moment in every run and goes on by a tick for each reading, so that a search which learns
from what the code compares, and the choice of what is asserted, are the same tomorrow and on a
slower machine; it can be shifted too.

Invariant: every function of ``time`` that reads a clock and every "now" of ``datetime`` agree; the
classes of ``datetime`` stay the classes that they are, so that extension modules that build on
them, and comparisons of types, notice nothing.  The standard library waits by the real clock.
"""

from __future__ import annotations

import datetime as dt
import gc
import sys
import time
import warnings
from collections.abc import Callable, Mapping
from itertools import count
from types import FrameType, MappingProxyType
from typing import Any, Final

from unitcraft.execute.steps import COUNTER

#: Clocks with a number -> the function that reads the same one.
_NUMBERED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CLOCK_REALTIME": "time", "CLOCK_REALTIME_COARSE": "time", "CLOCK_MONOTONIC": "monotonic",
        "CLOCK_MONOTONIC_RAW": "monotonic", "CLOCK_MONOTONIC_COARSE": "monotonic",
        "CLOCK_BOOTTIME": "monotonic",
    }
)  # fmt: skip
#: Nanoseconds in a second.
_NANO = 1_000_000_000
#: Moments at which a run that reads the clock is repeated.  With the step below they and the first
#: meet all weekdays (at least seven in a row lie between two midnights that the hours pass), every
#: third hour (a step is less than three), every second month and every eighth minute.
MOMENTS: Final = 13
#: Of these, those at which a run is repeated that may yet be chosen, and is observed again then.
#: All: 70 of 98 s that a module of 48 lines spent on its mutants.
MOMENTS_OF_CANDIDATES: Final = (1, 6, 11)
STEP: Final = 52 * 86_400.0 + 3 * 3_600.0 - 8 * 60.0 + 7
#: Seconds that pass between two readings of a shifted clock that measures: what was measured shows
#: in two decimals, and no deadline of a second is met.
LAG: Final = 0.01
#: Where virtual time begins: 2026-06-15, a Monday, 12:00 UTC, in seconds of the epoch.
FIRST_MOMENT: Final = 1_781_524_800
#: The same for clocks that only measure, in seconds.
FIRST_READING: Final = 1_000
#: The same for those that measure what a process has worked: of one that runs tests little.
FIRST_OF_PROCESS: Final = 1
#: Nanoseconds by which each reading moves virtual time on.
TICK: Final = 1_000_000
#: Steps that a reading of virtual time takes: a run reads it 2,000 times at most, which is for two
#: seconds.  Without: 43 s for a module of three functions that wait busily, 31 of them in tests.
STEPS_OF_READING: Final = 100


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


class VirtualTime:
    """Nanoseconds that passed in a run: ``tick`` for each reading (mutable)."""

    def __init__(self) -> None:
        self.tick = TICK
        self._passed = 0

    def restart(self) -> None:
        """Begin again, as every run does."""
        self._passed = 0

    def read(self) -> int:
        """Nanoseconds since the run began.

        It takes steps as well: what waits busily for a clock would else be over in a moment, and
        its test run for minutes.
        """
        self._passed += self.tick
        for _ in range(STEPS_OF_READING):
            COUNTER.tick()
        return self._passed


#: The clock of this process.
CLOCK: Final = MovedClock()
#: The virtual time of this process.
VIRTUAL: Final = VirtualTime()


def may_be_read(value: float) -> bool:
    """May ``value`` be what a clock that only measures showed in virtual time?

    Such a number means nothing on another machine.
    """
    return not float(value).is_integer() and 0 <= value - FIRST_READING < 1


def shift(seconds: float) -> None:
    """Move the clock of this process by ``seconds``.  To be called before the Subject's import."""
    for name in ("monotonic", "perf_counter"):
        _move(name, seconds)
    _move_date(seconds)
    _ask_by_number()
    _convert_now(time.time)
    by = dt.timedelta(seconds=seconds)
    real = dt.datetime
    read_now, read_utcnow = real.now, real.utcnow
    _replace_now(
        lambda tz: read_now(tz) + by + dt.timedelta(seconds=CLOCK.ahead()),
        lambda: read_utcnow() + by + dt.timedelta(seconds=CLOCK.ahead()),
    )


def virtualise(seconds: float = 0.0) -> None:
    """Let the Subject live in virtual time.  To be called before its import.

    With ``seconds`` it begins so much later, and its date can be moved on.
    """
    if seconds:
        VIRTUAL.tick = round(LAG * _NANO)

    def date_ns() -> int:
        ahead = CLOCK.ahead() if seconds else 0.0
        return FIRST_MOMENT * _NANO + round(seconds + ahead) * _NANO + VIRTUAL.read()

    def date() -> float:
        return date_ns() / _NANO

    for name in ("monotonic", "perf_counter"):
        _virtualise(name, FIRST_READING + round(seconds))
    for name in ("process_time", "thread_time"):
        _virtualise(name, FIRST_OF_PROCESS)
    _replace(date, "time")
    _replace(date_ns, "time_ns")
    _ask_by_number()
    _convert_now(date)
    convert = dt.datetime.fromtimestamp
    _replace_now(
        lambda tz: convert(date(), tz), lambda: convert(date(), dt.UTC).replace(tzinfo=None)
    )


def _virtualise(name: str, first: int) -> None:
    """Replace a clock that only measures, in seconds and in nanoseconds."""
    seconds, nanoseconds = getattr(time, name), getattr(time, f"{name}_ns")

    def read() -> float:
        if _waits(sys._getframe(1)):  # noqa: SLF001 - who asks decides
            return float(seconds())
        return first + VIRTUAL.read() / _NANO

    def read_ns() -> int:
        if _waits(sys._getframe(1)):  # noqa: SLF001
            return int(nanoseconds())
        return first * _NANO + VIRTUAL.read()

    for made, known_as in ((read, name), (read_ns, f"{name}_ns")):
        _replace(made, known_as)


def _replace(made: Callable[..., Any], known_as: str) -> None:
    """Put ``made`` in the place of a function of ``time``, under its name: pickles hold that."""
    made.__name__ = made.__qualname__ = known_as
    made.__module__ = "time"
    setattr(time, known_as, made)


def _waits(frame: FrameType) -> bool:
    """Is it the standard library, or this program, which waits by the clock, that asks for it?"""
    if frame.f_globals is globals() and frame.f_back is not None:
        frame = frame.f_back  # it was asked for by number
    home = frame.f_globals.get("__name__")
    top = home.partition(".")[0] if type(home) is str else ""
    return top == "unitcraft" or top in sys.stdlib_module_names


def announce_sleep() -> None:
    """Make ``time.sleep`` raise its audit event, which Python does by itself from 3.13 on."""
    if sys.version_info >= (3, 13):
        return
    sleep = time.sleep

    def announced(seconds: float, /) -> None:
        sys.audit("time.sleep", seconds)
        sleep(seconds)

    _replace(announced, "sleep")


def _move(name: str, seconds: float) -> None:
    """Move a clock that only measures, and let it go on by ``LAG`` for each reading."""
    read, read_ns = getattr(time, name), getattr(time, f"{name}_ns")
    lags = count()

    def moved() -> float:
        lag = 0.0 if _waits(sys._getframe(1)) else LAG * next(lags)  # noqa: SLF001
        return float(read() + seconds + lag)

    def moved_ns() -> int:
        lag = 0.0 if _waits(sys._getframe(1)) else LAG * next(lags)  # noqa: SLF001
        return int(read_ns() + round((seconds + lag) * _NANO))

    _replace(moved, name)
    _replace(moved_ns, f"{name}_ns")


def _move_date(by: float) -> None:
    read, read_ns, by_ns = time.time, time.time_ns, round(by * _NANO)
    _replace(lambda: read() + by + CLOCK.ahead(), "time")
    _replace(lambda: read_ns() + by_ns + round(CLOCK.ahead() * _NANO), "time_ns")


def _ask_by_number() -> None:
    """Let ``clock_gettime`` ask the function of ``time`` that reads the same clock, if one does."""
    for suffix in ("", "_ns"):
        asked = {
            getattr(time, number): getattr(time, function + suffix)
            for number, function in _NUMBERED.items()
            if hasattr(time, number)
        }
        name = f"clock_gettime{suffix}"
        if hasattr(time, name):
            _replace(_by_number(getattr(time, name), asked), name)


def _by_number(
    original: Callable[[int], Any], asked: Mapping[int, Callable[[], Any]]
) -> Callable[[int], Any]:
    def read(number: int, /) -> Any:
        return asked[number]() if number in asked else original(number)

    return read


def _convert_now(read: Callable[[], float]) -> None:
    """Let the functions that convert a moment begin with ``read`` where none is given."""
    for name in ("localtime", "gmtime"):
        setattr(time, name, _default_to_now(getattr(time, name), read))
    for name in ("ctime", "asctime"):
        setattr(time, name, _text_of_now(name, read))
    strftime = time.strftime
    time.strftime = lambda form, *when: strftime(form, *(when or (time.localtime(),)))


def _default_to_now(convert: Callable[..., Any], read: Callable[[], float]) -> Callable[..., Any]:
    def moved(when: float | None = None, /) -> Any:
        return convert(read() if when is None else when)

    return moved


def _text_of_now(name: str, read: Callable[[], float]) -> Callable[..., str]:
    original = getattr(time, name)
    if name == "ctime":
        return lambda when=None, /: original(read() if when is None else when)
    return lambda when=None, /: original(time.localtime() if when is None else when)


def _replace_now(
    read_now: Callable[[dt.tzinfo | None], dt.datetime], read_utcnow: Callable[[], dt.datetime]
) -> None:
    """Replace ``now`` and ``utcnow`` of ``datetime``; every ``today`` asks ``time.time`` itself.

    The class is made in C and cannot be assigned to, but the dictionary behind it can be.
    """
    attributes: dict[str, Any] = gc.get_referents(dt.datetime.__dict__)[0]

    def now(cls: Any, tz: dt.tzinfo | None = None) -> Any:
        return _convert(cls, read_now(tz))

    def utcnow(cls: Any) -> Any:
        return _convert(cls, read_utcnow())

    attributes.update(now=classmethod(now), utcnow=classmethod(utcnow))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way from 3.13 on
        sys._clear_type_cache()  # noqa: SLF001 - else lookups that were made before stay as they are


def _convert(cls: Any, moment: dt.datetime) -> Any:
    """``moment`` as an instance of ``cls``."""
    if cls is dt.datetime:
        return moment
    return cls.combine(moment.date(), moment.timetz()).replace(fold=moment.fold)
