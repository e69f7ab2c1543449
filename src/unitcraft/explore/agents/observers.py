"""The worker's side of the oracle: run one test on original code and observe the result.

Invariant: an observer is proven harmless on the object at hand (its canonical
state is the same before and after), and its value has a term; observers are
tried in one fixed order: contents, then attributes, then methods, then text.
"""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable, Iterator
from typing import Any, Final

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import Build, Display
from unitcraft.execute import steps
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import (
    MAX_ITEMS_DRAINED,
    WORLDS,
    Results,
    compile_argument,
    type_name,
)
from unitcraft.execute.isolation.entropy import ENTROPY, REPEATS, REPEATS_OF_CANDIDATES
from unitcraft.execute.sandbox.clock import CLOCK, MOMENTS, MOMENTS_OF_CANDIDATES
from unitcraft.explore.agents.answers import (
    SURROUNDINGS,
    AfterAnswer,
    ObjectBefore,
    ObservedObject,
    RaisedCall,
    agree,
    without_result,
)
from unitcraft.explore.agents.known_results import ATOMS, known_term, made_of
from unitcraft.explore.agents.observer_calls import (
    BUFFERS,
    deeper_observers,
    observer_call,
    observers,
)
from unitcraft.explore.agents.run_traced import (
    INTERPRETER,
    SequenceFailure,
    describe_raise,
    run_calls,
)
from unitcraft.state.heap.canonical import Token, tokens

#: Observers of one object whose values are kept; each may become an assertion of a test.
MAX_OBSERVERS: Final = 9
#: Observers of the objects that it holds, whose values are kept.
MAX_DEEPER: Final = 6
#: Observers of one object that changed it or did not end, after which no more are tried: each
#: costs a new run of the whole Sequence.
MAX_SPOILED: Final = 6
#: Containers of which the keys, or the number of items, are asserted where items have no term.
_CONTAINERS: Final = frozenset((list, tuple, dict, set, frozenset))


def _state(value: Any) -> list[Token]:
    """The canonical form of an object, for comparing it with itself a moment later.

    A logger belongs to the process, which is why its form is its name alone.
    """
    told: tuple[Any, ...] = (value,)
    if isinstance(value, logging.Logger):
        handled = [type(handler) for handler in value.handlers]
        told = (value.level, handled, value.propagate, value.disabled)
    return [
        "unique" if type(token) is tuple and token[:1] == ("unique",) else token
        for token in tokens(told)
    ]


class _Impure(Exception):  # noqa: N818 - a signal, not an error
    """The observer changed the state of what it observed."""


def _observe(call: Plain, results: Results, before: list[Token]) -> tuple[Any, ResultValue | None]:
    """What ``call`` observes, and its term: None when it has no term or raises.

    ``before`` is the state of the observed object so far.  Raises _Impure when the
    state is another one afterwards.
    """
    value = results[call[2][0][1]]
    try:
        seen = _look(call, results)
    except steps.StepsExhausted:  # it never ends, or waits for ever
        steps.start(steps.COUNTER.limit)
        raise _Impure from None
    if _state(value) != before:
        raise _Impure
    return seen


def _look(call: Plain, results: Results) -> tuple[Any, ResultValue | None]:
    """What ``call`` observes, and its term: None when it has no term or raises."""
    try:
        seen = INTERPRETER.step(call)(results)
        term = None if seen is None and call[0] == "method" else to_arg(seen)
    except Exception:  # noqa: BLE001 - an observer that raises tells nothing
        return None, None
    if isinstance(term, Opaque | Build | Display):
        term = known_term(seen, results, _observed(call)) or term
    return seen, None if isinstance(term, Opaque) or _too_long(term) else term


def _observed(call: Plain) -> int:
    """The number of the result that an observer asks; SURROUNDINGS for one of these."""
    return call[2][0][1] if call[2] and call[2][0][0] == "r" else SURROUNDINGS


def _too_long(term: ResultValue | None) -> bool:
    return isinstance(term, Display) and len(term.items) > MAX_ITEMS_DRAINED


class _Observing:
    """The observations of one result, as they are made (mutable).

    The Sequence is run again after an observer that changed something.
    """

    def __init__(self, index: int, results: Results, calls: Plain) -> None:
        self.found: list[Plain] = []
        #: Observers of the objects that the observed one holds.
        self.deeper: list[Plain] = []
        self._index = index
        self._results = results
        self._calls = calls
        self._state = _state(results[index])
        self._spoiled = 0

    def try_out(self, observers: Iterable[Plain], most: int) -> None:
        """Keep what at most ``most`` of the ``observers`` show."""
        kept = len(self.found) + most
        for call in observers:
            if len(self.found) >= kept or self._spoiled > MAX_SPOILED:
                break
            try:
                seen, term = _observe(call, self._results, self._state)
            except _Impure:
                self._run_again()
                continue
            if term is not None:
                self.found.append((call, encode(term)))
            elif call[0] == "get":
                self.deeper += deeper_observers(seen, call[1], self._index)

    def _run_again(self) -> None:
        self._spoiled += 1
        self._results.clear()
        run_calls(self._calls, self._results)
        changed = len(self._results) <= self._index
        if changed or _state(self._results[self._index]) != self._state:
            self._spoiled = MAX_SPOILED + 1  # it cannot be made again: nothing more is certain


def _observations(index: int, results: Results, calls: Plain) -> Plain:
    """(observer, term) pairs of a result; an iterator is read as a list or by ``next``.

    ``results`` are those of ``calls``.
    """
    value = results[index]
    if hasattr(type(value), "__next__") and not isinstance(value, BUFFERS):
        return _drain(index, value)
    observing = _Observing(index, results, calls)
    observing.try_out(list(observers(value, index)), MAX_OBSERVERS)
    found = observing.found
    if not found or observing.deeper:
        held = deeper_observers(value, "", index) if not found else ()
        observing.try_out([*held, *observing.deeper], MAX_DEEPER)
    if not found and type(value) in _CONTAINERS:
        outline = observer_call("operator", "list" if type(value) is dict else "len", index)
        _, term = _look(outline, results)
        found += [(outline, encode(term))] if term is not None else []
    return tuple(found)


def _look_at(wanted: Plain, results: Results) -> Iterator[Plain]:
    """(observer, term) pairs of the observers ``wanted``, without those that tell nothing."""
    for call in wanted:
        index = _observed(call)
        if not 0 <= index < len(results):
            continue
        value = results[index]
        if hasattr(type(value), "__next__"):
            yield from (pair for pair in _drain(index, value) if pair[0] == call)
            continue
        try:
            _, term = _look(call, results)
        except steps.StepsExhausted:
            steps.start(steps.COUNTER.limit)
            continue
        if term is not None:
            yield (call, encode(term))


def _drain(index: int, value: Any) -> Plain:
    """All items of an iterator, or as many as the operator ``list`` takes here."""
    try:
        items = list(itertools.islice(value, MAX_ITEMS_DRAINED + 1))
    except Exception:  # noqa: BLE001 - what came before the raise is not asserted
        return ()
    term = to_arg(items)
    return (
        ()
        if isinstance(term, Opaque)
        else ((observer_call("operator", "list", index), encode(term)),)
    )


def _effects() -> tuple[tuple[Plain, Plain], ...]:
    """(observer, term) pairs of what the run left in its surroundings, as far as it has terms."""
    shown = [(call, to_arg(value)) for world in WORLDS for call, value in world.effects()]
    return tuple((call, encode(term)) for call, term in shown if not isinstance(term, Opaque))


def are_equal(one: Plain, other: Plain) -> bool:
    """Do two encoded terms make equal values, by the code as it is now?"""
    try:
        return bool(compile_argument(one)([]) == compile_argument(other)([]))
    except Exception:  # noqa: BLE001 - a comparison that raises does not pass
        return False


def _given(calls: Plain, results: Results) -> list[int]:
    """Results that the last Call was given, in the order of its arguments."""
    given = [arg[1] for arg in calls[-1][2] if arg[0] == "r"]
    given += [arg[1] for _, arg in calls[-1][3] if arg[0] == "r"]
    return [index for index in dict.fromkeys(given) if index < len(results)]


def _bystanders(given: list[int], results: Results) -> list[int]:
    """The other results whose state the last Call may have changed: they may be inside those."""
    return [
        index
        for index, value in enumerate(results)
        if index not in given
        and type(value) not in ATOMS
        and not isinstance(value, type)
        and (not hasattr(type(value), "__next__") or isinstance(value, BUFFERS))
    ]


class Observer:
    """The ``before`` and ``after`` services for one package."""

    __slots__ = ("package",)

    def __init__(self, package: str) -> None:
        self.package = package

    def before(self, calls: Plain) -> Plain:
        """An ``ObjectBefore`` for each object that the last Call is given."""
        results: Results = []
        if run_calls(calls[:-1], results) is not None:
            return ()
        return tuple(
            tuple(ObjectBefore(index, _observations(index, results, calls[:-1])))
            for given in [_given(calls, results)]
            for index in [*given, *_bystanders(given, results)]
        )

    def after(self, calls: Plain) -> Plain:
        """An ``AfterAnswer``; None when a Call before the last one raises."""
        results: Results = []
        if run_calls(calls[:-1], results) is not None:
            return None
        given = _given(calls, results)
        watched = {i: _state(results[i]) for i in (*given, *_bystanders(given, results))}
        failure = run_calls(calls, results)
        effects = _effects()
        changed = [i for i, old in watched.items() if _state(results[i]) != old]
        looks: list[Plain] = []
        outcome, term, kind, same = self._ending(failure, results, len(calls) - 1)
        if failure is None:
            looks += _looks_at_result(calls, results, term, same)
        looks += [
            tuple(ObservedObject(index, index in changed, _observations(index, results, calls)))
            for index in watched
            if index in given or index in changed
        ]
        if effects:
            looks.append(tuple(ObservedObject(SURROUNDINGS, changed=True, observations=effects)))
        return tuple(AfterAnswer(outcome, term, kind, same, tuple(looks)))

    def after_as_known(self, calls: Plain, wanted: Plain) -> Plain:
        """An ``AfterAnswer`` that has of the observers only ``wanted``; None as for ``after``.

        They are called one after the other as the Checks of a test call them, however they change
        what they observe.
        """
        results: Results = []
        failure = run_calls(calls, results)
        if failure is not None and failure.position < len(calls) - 1:
            return None
        effects = _effects()
        ending = self._ending(failure, results, len(calls) - 1)
        seen = (*effects, *_look_at(wanted, results))
        return (*ending, (tuple(ObservedObject(SURROUNDINGS, changed=True, observations=seen)),))

    def stable_after(
        self, calls: Plain, repeats: int = REPEATS, moments: Iterable[int] = range(1, MOMENTS + 1)
    ) -> Plain:
        """``after``; what repetitions agree on where the run drew random values or asked the time.

        None when they differ in the outcome, or by chance in the result.
        """
        ENTROPY.start()
        CLOCK.start()
        answer = self.after(calls)
        if ENTROPY.drawn():
            for _ in range(repeats):
                answer = agree(answer, self.after(calls))
                if answer is None:
                    break
        return self._at_other_moments(calls, answer, moments) if CLOCK.was_read() else answer

    def likely_after(self, calls: Plain) -> Plain:
        """``stable_after`` by fewer repetitions, for what is observed again when it is chosen."""
        return self.stable_after(calls, REPEATS_OF_CANDIDATES, MOMENTS_OF_CANDIDATES)

    def _at_other_moments(self, calls: Plain, answer: Plain, moments: Iterable[int]) -> Plain:
        """What repetitions at other dates and times of day agree on with ``answer``."""
        try:
            for moment in moments:
                if answer is None:
                    break
                CLOCK.go_to(moment)
                other = self.after(calls)
                answer = agree(without_result(answer, other), without_result(other, answer))
        finally:
            CLOCK.go_to(0)
        return answer

    def _ending(
        self, failure: SequenceFailure | None, results: Results, last: int
    ) -> tuple[Plain, Plain, str, int]:
        """The outcome, term, kind and identity of an ``AfterAnswer``."""
        if failure is not None:
            raised = describe_raise(failure.error, self.package)
            return tuple(RaisedCall(failure.position, *raised)), None, "", -1
        value = results[-1]
        same = next(
            (i for i in range(last) if results[i] is value and type(value) not in ATOMS), -1
        )
        term = to_arg(value)
        if isinstance(term, Opaque):
            term = made_of(value, results[:last]) or term
        return None, encode(term), type_name(type(value)), same


def _looks_at_result(calls: Plain, results: Results, term: Plain, same: int) -> list[Plain]:
    """The observations of the last result, where its ``term`` says less than they do."""
    last = len(calls) - 1
    if same < 0 and (term[0] == "o" or _constructs(calls[-1], results[-1])):
        shown = _observations(last, results, calls)
        return [tuple(ObservedObject(last, changed=True, observations=shown))]
    return []


def _constructs(call: Plain, value: Any) -> bool:
    """Is the Call the constructor of its result, so that comparing with itself says nothing?"""
    return bool(call[0] == "function" and call[1] == type_name(type(value)))
