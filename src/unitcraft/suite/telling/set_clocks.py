"""Clocks that a test sets, so that what was made of the time can be asserted.

Invariant: a clock of seconds goes on, by another time each time that it is asked; one of dates
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from types import MappingProxyType
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    arguments,
    children,
    renumber_call,
)
from unitcraft.explore.search.variation.kinds.pass_time import (
    STEPS,
    clocks_given,
    with_later_answer,
)
from unitcraft.explore.search.variation.kinds.replace_calls import in_place_of
from unitcraft.explore.search.variation.places import places, reading
from unitcraft.subject.literal_args import literal_text
from unitcraft.subject.model import Parameter

#: What a clock says in turn, in seconds: no two differences are alike, nor one of them 1.
TIMES: Final = (Const(1.0), Const(3.5), Const(7.0))


#: A limit that a caller may set, in place of one that has passed before anything begins.
_LIMIT: Final = Const(5)
#: How much later it is then: the limit to the second, more and less.
_STEPS: Final = (5, *STEPS)

#: What a clock of dates says: a Monday, at a time of which no two parts are alike.
MOMENTS: Final = MappingProxyType(
    {"datetime": "2026, 6, 15, 12, 30, 20", "date": "2026, 6, 15"},
)
#: Methods that tell it -> their parameters, and how the answer follows from the moment.
_TOLD: Final = MappingProxyType(
    {
        "now": ("cls, tz=None", ".replace(tzinfo=tz)"),
        "utcnow": ("cls", ""),
        "today": ("cls", ""),
    }
)
_FIXED: Final = """class {name}({{0}}):
    @classmethod
    def {method}({parameters}):
        return {{0}}({moment}){change}"""


def with_set_clocks(sequence: Sequence, clocks: tuple[str, ...]) -> Iterator[Sequence]:
    """``sequence`` with each of ``clocks`` set: one of seconds for one question and for several."""
    for clock in clocks:
        if clock.rpartition(".")[2] in _TOLD:
            yield from _with_fixed_date(sequence, clock)
            continue
        for count in range(1, len(TIMES) + 1):
            yield in_place_of(sequence, clock, _telling(TIMES[:count]))


def with_passing_time(
    sequence: Sequence, parameters_of: Callable[[int], Iterable[Parameter]]
) -> Iterator[Sequence]:
    """``sequence`` with a clock that the test sets, and a later time before its last Call.

    It takes the place of one that counts how often it is asked, and of a limit that has passed
    before it begins, which is turned into one that a caller may set.
    """
    counted = [sequence] if any(_counts(arg) for arg, _ in places(sequence)) else []
    limited = [put(_LIMIT) for arg, put in places(sequence) if _is_passed(arg)]
    for one in (*limited, *counted):
        for _, put in clocks_given(one, parameters_of):
            yield from (put(len(sequence) - 1, step) for step in _STEPS)
        for step in _STEPS:
            yield from with_later_answer(one, step, lambda _: len(sequence) - 1)


def _counts(arg: Arg) -> bool:
    return isinstance(arg, Source) and arg.text.startswith("iter(range(")


def _is_passed(arg: Arg) -> bool:
    return isinstance(arg, Const) and type(arg.value) in (int, float) and arg.value <= 0  # type: ignore[operator]


def _with_fixed_date(sequence: Sequence, clock: str) -> Iterator[Sequence]:
    """``sequence`` with a class that tells one moment in the place of that of ``clock``.

    Where objects of that class are given, the code may ask whether they are: these are left as
    they are.
    """
    target, _, method = clock.rpartition(".")
    kind = target.rpartition(".")[2]
    given = chain.from_iterable(map(arguments, sequence.calls))
    if kind not in MOMENTS or any(_is_of_kind(arg, kind) for arg in given):
        return
    parameters, change = _TOLD[method]
    text = _FIXED.format(
        name="FixedDate" if kind == "date" else "FixedDatetime",
        method=method, parameters=parameters, moment=MOMENTS[kind], change=change,
    )  # fmt: skip
    later = {at: at + 2 for at in range(len(sequence))}
    yield Sequence(
        (
            Call("define", text, (Symbol("datetime", kind),)),
            Call("arrange", "setattr", (Const(target), Ref(0))),
            *(renumber_call(call, later) for call in sequence.calls),
        )
    )


def _is_of_kind(arg: Arg, kind: str) -> bool:
    """Is it an object of the class ``kind`` of ``datetime``, or does it hold one?"""
    if isinstance(arg, Build) and arg.callee.module == "datetime":
        return arg.callee.qualname.partition(".")[0] in (kind, "datetime")
    return any(_is_of_kind(one, kind) for one in children(arg))


def _telling(times: tuple[Arg, ...]) -> Arg:
    """A function that tells ``times`` in turn; of one time, that whenever it is asked."""
    if len(times) == 1:
        return Source(f"lambda: {literal_text(times[0])}")
    return reading(Display("list", times))
