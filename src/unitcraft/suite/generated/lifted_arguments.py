"""Arguments that are made in place get a name while a run is observed, so that changes show.

``drop_negative([3, -1])`` changes a list that nobody can look at; ``items = [3, -1]`` before the
call lets the test assert what became of it.  Functions of stand-ins record their calls meanwhile,
also of those that a function in the place of another answers.

Invariant: a lifted Sequence runs the same Calls on equal arguments, made in the same order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
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
    refs_in,
    refs_of,
    renumber_refs,
    replace_refs,
)
from unitcraft.explore.calls import CALLED
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE, is_replacement
from unitcraft.explore.search.variation.places import (
    ANSWER,
    MOCK,
    SIDE_EFFECT,
    answering,
    answers_of,
    places,
    recording,
    returning,
)
from unitcraft.suite.telling.telling_functions import shows_nothing
from unitcraft.suite.tests import Check, Test, renumber_check

#: The operator of a Call that only gives its operand a name.
_NAMING: Final = "itself"
_CHANGEABLE: Final = ("list", "dict", "set")
#: Functions of one run that record their calls.
MAX_RECORDING: Final = 6
#: What puts a recording Arg in the place of another, or None.
Recorder = Callable[[Arg], Build | None]
#: The class of loggers: what one of a test's own was told, nobody sees.
LOGGER: Final = Symbol("logging", "Logger")


def lift_arguments(sequence: Sequence) -> Sequence:
    """``sequence`` with a Call of its own for each argument that a Call may change."""
    made: list[Call] = []
    where: dict[int, int] = {}

    def lift(arg: Arg, call: Call) -> Arg:
        moved = renumber_refs(arg, where)
        if not may_lift or not (_may_change(arg) or _is_decorated(arg, call)):
            return moved
        answer = _answered(moved)
        if isinstance(moved, Build) and answer is not None:
            moved = replace(moved, kwargs=((ANSWER, name_it(_record(answer))),))
        return name_it(_record(moved))

    def name_it(arg: Arg) -> Ref:
        made.append(Call("operator", _NAMING, (arg,)))
        return Ref(len(made) - 1)

    for index, call in enumerate(sequence.calls):
        # what surroundings are set to is the test's own, but for functions that record their calls
        may_lift = is_replacement(call) if call.kind == "arrange" else not _is_lifted(call)
        may_lift = may_lift and call.kind != "define"
        args = tuple([lift(arg, call) for arg in call.args])
        kwargs = tuple([(name, lift(arg, call)) for name, arg in call.kwargs])
        where[index] = len(made)
        made.append(replace(call, args=args, kwargs=kwargs))
    return Sequence(tuple(made))


def _answered(arg: Arg) -> Build | None:
    """The stand-in that a recording function answers; None for any other Arg."""
    is_function = isinstance(arg, Build) and arg.callee == MOCK
    answer = dict(arg.kwargs).get(ANSWER) if isinstance(arg, Build) and is_function else None
    is_stand_in = isinstance(answer, Build) and answer.callee == NAMESPACE
    return answer if isinstance(answer, Build) and is_stand_in else None


def _record(arg: Arg) -> Arg:
    """A stand-in whose functions know what they were called with, instead of ``arg``.

    Of a function that answers a stand-in, those of its answer know it as well.
    """
    answer = _answered(arg)
    if isinstance(arg, Build) and answer is not None:
        return replace(arg, kwargs=((ANSWER, _record(answer)),))
    if not isinstance(arg, Build) or arg.callee != NAMESPACE:
        return arg
    return replace(arg, kwargs=tuple([(name, _recorder(item)) for name, item in arg.kwargs]))


def _recorder(arg: Arg) -> Arg:
    """A function that answers the same again and again may as well record its calls."""
    answers = answers_of(arg) if isinstance(arg, Source) else None
    if answers is None or not all(map(_never_changes, answers.all())):
        return _record(arg)
    return answering(answers._replace(records=True))


def _never_changes(result: Arg) -> bool:
    return isinstance(result, Const) or (
        isinstance(result, Display)
        and result.kind == "tuple"
        and all(map(_never_changes, result.items))
    )


def _without_records(call: Call, seen: tuple[str, ...]) -> Call:
    return replace(call, args=(_forget(call.args[0], seen),)) if _is_lifted(call) else call


def _forget(arg: Arg, seen: tuple[str, ...], path: str = "") -> Arg:
    """``arg`` with recording functions only where a Check looks: at a path in ``seen``."""
    if not isinstance(arg, Build):
        return arg
    if path and arg.callee == MOCK:
        answer, answers = dict(arg.kwargs).get(ANSWER), answers_of(arg)
        if answer is None:
            looked_at = any(one.startswith(f"{path}.") for one in seen)
            return (
                arg if answers is None or looked_at else answering(answers._replace(records=False))
            )
        kept = _forget(answer, seen, f"{path}.{ANSWER}")
        looked_at = any(one.startswith(f"{path}.") for one in seen)
        return recording(kept) if looked_at else returning(kept)
    if arg.callee != NAMESPACE:
        return arg
    kwargs = [
        (name, _forget(item, seen, f"{path}.{name}" if path else name)) for name, item in arg.kwargs
    ]
    return replace(arg, kwargs=tuple(kwargs))


def _may_change(arg: Arg) -> bool:
    return isinstance(arg, Build) or (isinstance(arg, Display) and arg.kind in _CHANGEABLE)


def _is_decorated(arg: Arg, call: Call) -> bool:
    """Is a function given to what a Call made, which mostly answers or keeps it?"""
    is_function = isinstance(arg, Source) and arg.text.startswith("lambda")
    return is_function and (call.kind, call.name) == CALLED


def lower_arguments(test: Test) -> Test:
    """``test`` with the arguments in place again that no Check looks at."""
    calls = test.sequence.calls
    seen = {ref for check in test.checks for ref in _refs_of_check(check)}
    seen |= {ref for call in calls if call.kind == "set" for ref in refs_in(call.args[0])}
    values: dict[int, Arg] = {}
    where: dict[int, int] = {}
    kept: list[Call] = []
    for index, run in enumerate(calls):
        call = _without_records(run, tuple(_paths_read(test, index)))
        if _is_lifted(call) and index not in seen:
            values[index] = replace_refs(call.args[0], _placing(values, where))
            continue
        where[index] = len(kept)
        kept.append(_put_back(call, values, where))
    checks = tuple([renumber_check(check, where) for check in test.checks])
    return replace(test, sequence=Sequence(tuple(kept)), checks=checks)


def _paths_read(test: Test, index: int) -> Iterator[str]:
    """The attributes of result ``index`` that Checks look at."""
    for check in test.checks:
        if isinstance(check.observed, Call) and check.observed.args == (Ref(index),):
            yield check.observed.name


def _is_lifted(call: Call) -> bool:
    return call.kind == "operator" and call.name == _NAMING


def _refs_of_check(check: Check) -> tuple[int, ...]:
    observed = check.observed
    refs = (observed.index,) if isinstance(observed, Ref) else refs_of(observed)
    return (*refs, *refs_in(check.expected))


def _put_back(call: Call, values: dict[int, Arg], where: dict[int, int]) -> Call:
    place = _placing(values, where)
    args = tuple([replace_refs(arg, place) for arg in call.args])
    kwargs = tuple([(name, replace_refs(arg, place)) for name, arg in call.kwargs])
    return replace(call, args=args, kwargs=kwargs)


def _placing(values: dict[int, Arg], where: dict[int, int]) -> Callable[[int], Arg]:
    return lambda index: values[index] if index in values else Ref(where[index])


def recording_variant(sequence: Sequence, recorder: Recorder) -> Sequence:
    """The Sequence with what the ``recorder`` puts in the place of its arguments."""
    for _ in range(MAX_RECORDING):
        found = ((put, recorder(arg)) for arg, put in places(sequence))
        made = next((put(new) for put, new in found if new is not None), None)
        if made is None:
            break
        sequence = made
    return sequence


def recording_function(arg: Arg) -> Build | None:
    """A function that records its calls in place of a lambda or ``str``; None for other Args.

    One that shows what it is given needs no record: what it answers is easier to read.
    """
    answers = answers_of(arg) if isinstance(arg, Source) else None
    if answers is None and not shows_nothing(arg):
        return None
    made = answering(answers._replace(records=True)) if answers is not None else None
    return made if isinstance(made, Build) else recording(Const(None))


def recording_answers(arg: Arg) -> Build | None:
    """A function that records its calls and answers as the lambda ``arg``; None for other Args.

    How often a cache called it no answer shows.
    """
    is_lambda = isinstance(arg, Source) and arg.text.startswith("lambda")
    return Build(MOCK, (), ((SIDE_EFFECT, arg),)) if is_lambda and not shows_nothing(arg) else None


def recording_logger(arg: Arg) -> Build | None:
    """A stand-in for a logger, which knows what it was told; None for any other Arg."""
    is_logger = isinstance(arg, Build) and arg.callee == LOGGER
    return Build(MOCK, (), (("spec", LOGGER),)) if is_logger else None
