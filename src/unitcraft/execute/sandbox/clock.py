"""A shifted clock: the Subject sees another time of day, which exposes tests that depend on it.

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
from typing import Any

#: Nanoseconds in a second.
_NANO = 1_000_000_000


def shift(seconds: float) -> None:
    """Move the clock of this process by ``seconds``.  To be called before the Subject's import."""
    for name in ("time", "monotonic", "perf_counter"):
        _move(name, seconds)
        _move(f"{name}_ns", round(seconds * _NANO))
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
        return _convert(cls, read_now(tz) + by)

    def utcnow(cls: Any) -> Any:
        return _convert(cls, read_utcnow() + by)

    attributes.update(now=classmethod(now), utcnow=classmethod(utcnow))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there is no other way from 3.13 on
        sys._clear_type_cache()  # noqa: SLF001 - else lookups that were made before stay as they are


def _convert(cls: Any, moment: dt.datetime) -> Any:
    """``moment`` as an instance of ``cls``."""
    if cls is dt.datetime:
        return moment
    return cls.combine(moment.date(), moment.timetz()).replace(fold=moment.fold)
