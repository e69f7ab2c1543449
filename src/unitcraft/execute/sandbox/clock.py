"""A shifted clock: the Subject sees another time of day, which exposes tests that depend on it.

Invariant: with a shift, every function of ``time`` that reads a clock and every "now" of
``datetime`` agree; ``isinstance`` and ``issubclass`` work as before;
``type(x) is date`` is false where the value came from C code.
"""

from __future__ import annotations

import datetime  # noqa: ICN001 - its attributes are replaced
import sys
import time
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
    _replace_classes(datetime.timedelta(seconds=seconds))


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


class _Same(type):
    """The metaclass of a stand-in: instances and subclasses are those of its base."""

    def __instancecheck__(cls, instance: object) -> bool:
        real = _REAL.get(cls)
        return super().__instancecheck__(instance) if real is None else isinstance(instance, real)

    def __subclasscheck__(cls, subclass: type) -> bool:
        real = _REAL.get(cls)
        return super().__subclasscheck__(subclass) if real is None else issubclass(subclass, real)


#: Stand-in -> the class that it stands for.
_REAL: dict[type, type] = {}


def _replace_classes(by: datetime.timedelta) -> None:
    """Put stand-ins for ``date`` and ``datetime`` into the module."""
    real = datetime.datetime

    def today(cls: Any) -> Any:
        moved = real.now() + by
        return cls(moved.year, moved.month, moved.day)

    def now(cls: Any, tz: datetime.tzinfo | None = None) -> Any:
        return _convert(cls, real.now(tz) + by)

    def utcnow(cls: Any) -> Any:
        return _convert(cls, real.utcnow() + by)

    _stand_in("date", {"today": classmethod(today)})

    def today_now(cls: Any) -> Any:
        return now(cls)

    methods = {"now": now, "today": today_now, "utcnow": utcnow}
    _stand_in("datetime", {name: classmethod(method) for name, method in methods.items()})


def _convert(cls: Any, moment: datetime.datetime) -> Any:
    """``moment`` as an instance of ``cls``."""
    return cls.combine(moment.date(), moment.timetz()).replace(fold=moment.fold)


def _stand_in(name: str, methods: dict[str, Any]) -> None:
    """Replace a class of ``datetime`` by a subclass that passes for it."""
    base = getattr(datetime, name)
    members = {**methods, "__module__": "datetime", "__qualname__": name, "__slots__": ()}

    def show(self: Any) -> str:
        text: str = base.__repr__(self)
        return f"datetime.{text}" if type(self) is made else text

    made = _Same(name, (base,), {**members, "__repr__": show})
    _REAL[made] = base
    setattr(datetime, name, made)
