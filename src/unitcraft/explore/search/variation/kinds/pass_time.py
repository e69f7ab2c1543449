"""Time passes between two Calls of a run: a clock that the test sets goes on before one of them.

An entry of a cache expires, a limit of requests is lifted and a lock is given up only where a clock
says one time first and a later one then.  A clock that answers always the same never shows that,
and one that counts its questions only by chance.

Invariant: the run stays as it is; the clock gets a name, and one Call more sets it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Call,
    Const,
    Ref,
    Sequence,
    Source,
    Symbol,
    renumber_call,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.variation.kinds.replace_calls import in_place_of
from unitcraft.explore.search.variation.places import (
    ANSWER,
    put_call,
    recording,
)
from unitcraft.explore.search.variation.variation_kind import Materials, OnceEach
from unitcraft.subject.literal_args import literal_text
from unitcraft.subject.model import Parameter

#: A function without parameters that answers a number, always the same or one more each time.
_CLOCK: Final = re.compile(r"lambda: (-?\d+(?:\.\d+)?)|iter\(range\(\d+\)\)\.__next__")
#: The module whose functions are clocks, and those that answer seconds.
_TIME: Final = "time"
_SECONDS: Final = frozenset(("time", "monotonic", "perf_counter", "process_time"))
#: Words of names of parameters that take a clock.
_NAMES: Final = frozenset(("clock", "timer", "time", "now", "monotonic"))
#: How much time passes: less and more than most limits that tests set, in any unit.
STEPS: Final = (1, 10, 1000, 100_000)


class PassTime:
    """A clock says a later time before one of the Calls (mutable: each variant only once)."""

    name = "time passes"

    def __init__(self) -> None:
        self._once = OnceEach()

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """The run, in which a clock goes on after the Call that it was given to."""
        step = STEPS[rng.randrange(len(STEPS))]
        found = (
            *with_later_answer(
                run.sequence, step, lambda first: rng.randrange(first, len(run.sequence))
            ),
            *_with_clocks_given(run.sequence, materials, step, rng),
            *_with_clocks_replaced(run.sequence, materials.clocks, step, rng),
        )
        return self._once.pick(found, rng)


def may_pass(sequence: Sequence, materials: Materials) -> bool:
    """Is there a clock, and a Call before which it may go on?"""
    if len(sequence) > 1 and any(map(_tells_seconds, materials.clocks)):
        return True
    given = clocks_given(sequence, lambda at: [one.parameter for one in materials.slots(at)])
    is_set = any(call.kind == "set" and call.name == ANSWER for call in sequence.calls)
    return is_set or any(True for _ in given)


def with_later_answer(
    sequence: Sequence, step: int, before: Callable[[int], int]
) -> Iterator[Sequence]:
    """What stands for a clock answers another time from a later Call on.

    ``before`` answers the number of that Call, of which the lowest one is given.
    """
    for at, call in enumerate(sequence.calls[:-1]):
        time = _time_of_replacement(call)
        if time is not None and at + 2 < len(sequence):
            later = replace(call, args=(*call.args[:-1], _telling(_after(time, step))))
            yield _inserted(sequence, before(at + 2), later)
        elif call.kind == "set" and call.name == ANSWER and isinstance(call.args[1], Const):
            later = replace(call, args=(call.args[0], _after(call.args[1], step)))
            yield _inserted(sequence, before(at + 1), later)


def _with_clocks_given(
    sequence: Sequence, materials: Materials, step: int, rng: Random
) -> Iterator[Sequence]:
    """A clock of the test in the place of a function that stands for one, or of a default."""
    for at, put in clocks_given(
        sequence, lambda at: [one.parameter for one in materials.slots(at)]
    ):
        yield put(rng.randrange(at + 1, len(sequence)), step)


def clocks_given(
    sequence: Sequence, parameters_of: Callable[[int], Iterable[Parameter]]
) -> Iterator[tuple[int, Callable[[int, int], Sequence]]]:
    """(number of a Call that takes a clock, ``sequence`` with one of its own for it).

    That clock says a time that is so much later (the second argument of the function) from another
    Call on (the first one).  ``parameters_of`` answers the parameters that Call number n takes.
    """
    for at in range(len(sequence) - 1):
        call = sequence.calls[at]
        for name, time, given in _clocks_of(call, tuple(parameters_of(at))):
            new = (
                replace(call, kwargs=tuple({**dict(call.kwargs), name: Ref(-1)}.items()))
                if given is None
                else replace(call, args=(*call.args[:given], Ref(-1), *call.args[given + 1 :]))
            )
            yield at, partial(_with_clock, put_call(sequence, at, new), time)


def _clocks_of(
    call: Call, parameters: tuple[Parameter, ...]
) -> Iterator[tuple[str, Const, int | None]]:
    """(parameter, first time, its number in the arguments or None) of the clocks of a Call."""
    first = int(call.kind == "method")
    named = dict(call.kwargs)
    for at, parameter in enumerate(parameters, first):
        is_clock = isinstance(parameter.default, Symbol) and parameter.default.module == _TIME
        if not is_clock and _NAMES.isdisjoint(parameter.name.lower().split("_")):
            continue
        if at < len(call.args) and parameter.name not in named:
            time = Const(0) if is_clock else _time_of(call.args[at])
            if time is not None:
                yield parameter.name, time, at
        elif parameter.kind in ("positional", "keyword"):
            arg = named.get(parameter.name)
            time = _time_of(arg) if arg is not None else Const(0) if is_clock else None
            if time is not None:
                yield parameter.name, time, None


def _with_clocks_replaced(
    sequence: Sequence, clocks: tuple[str, ...], step: int, rng: Random
) -> Iterator[Sequence]:
    """Functions in the place of the clocks of the module, which say a later time from a Call on."""
    replaced = [call.args[0] for call in sequence.calls if call.kind == "arrange"]
    for clock in clocks if len(sequence) > 1 else ():
        if _tells_seconds(clock) and Const(clock) not in replaced:
            made = in_place_of(sequence, clock, _telling(Const(0)))
            later = Call("arrange", "setattr", (Const(clock), _telling(Const(step))))
            yield _inserted(made, rng.randrange(2, len(made)), later)


def _tells_seconds(clock: str) -> bool:
    return clock.rpartition(".")[2] in _SECONDS


def _time_of(arg: Arg) -> Const | None:
    """What a function without parameters answers first, if it is a number."""
    found = _CLOCK.fullmatch(arg.text) if isinstance(arg, Source) else None
    if found is None:
        return None
    text = found[1] or "0"
    return Const(float(text) if "." in text else int(text))


def _telling(time: Const) -> Source:
    """A function that answers ``time`` whenever it is asked."""
    return Source(f"lambda: {literal_text(time)}")


def _time_of_replacement(call: Call) -> Const | None:
    """What a function answers that stands in the place of a clock."""
    return _time_of(call.args[-1]) if (call.kind, call.name) == ("arrange", "setattr") else None


def _after(time: Const, step: int) -> Const:
    """The moment ``step`` units after ``time``, a number."""
    value = time.value
    return Const(value + step if isinstance(value, int | float) else step)


def _inserted(sequence: Sequence, at: int, call: Call) -> Sequence:
    """``sequence`` with ``call``, which needs no Call from there on, at position ``at``."""
    where = {old: old + (old >= at) for old in range(len(sequence))}
    calls = [renumber_call(one, where) for one in sequence.calls]
    return Sequence((*calls[:at], call, *calls[at:]))


def _with_clock(sequence: Sequence, time: Const, at: int, step: int) -> Sequence:
    """``sequence`` with a clock of its own for ``Ref(-1)``, ``step`` later before Call ``at``."""
    where = {old: old + 1 for old in range(-1, len(sequence))}
    calls = [renumber_call(one, where) for one in sequence.calls]
    made = Call("operator", "itself", (recording(time),))
    later = Call("set", ANSWER, (Ref(0), _after(time, step)))
    return _inserted(Sequence((made, *calls)), at + 1, later)
