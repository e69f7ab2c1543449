"""The worker's side of the oracle: run one test on original code and observe the result.

Invariant: an observer is proven harmless on the object at hand (its canonical
state is the same before and after), and its value has a term; observers are
tried in one fixed order: contents, then attributes, then methods, then text.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
from collections.abc import Iterator
from typing import Any, Final

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.outcomes import Opaque, ResultValue
from unitcraft.core.sequences import Display
from unitcraft.execute import steps
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import MAX_ITEMS_DRAINED, WORLDS, Results, type_name
from unitcraft.execute.isolation.entropy import ENTROPY, REPEATS
from unitcraft.execute.sandbox.clock import CLOCK, MOMENTS
from unitcraft.explore.agents.answers import (
    SURROUNDINGS,
    AfterAnswer,
    ObjectBefore,
    ObservedObject,
    RaisedCall,
)
from unitcraft.explore.agents.repeated_answers import agree, without_result
from unitcraft.explore.agents.run_traced import (
    INTERPRETER,
    SequenceFailure,
    describe_raise,
    run_calls,
)
from unitcraft.state.heap.canonical import Token, tokens

#: Observers of one object whose values are kept; each may become an assertion of a test.
MAX_OBSERVERS: Final = 9
#: Observers of one object that changed it or did not end, after which no more are tried: each
#: costs a new run of the whole Sequence.
MAX_SPOILED: Final = 6
#: Containers that are asserted as a whole.
_COMPARED_WHOLE: Final = frozenset((list, dict, set, bytearray))
#: Containers of which the keys, or the number of items, are asserted where items have no term.
_CONTAINERS: Final = frozenset((list, tuple, dict, set, frozenset))
#: Files in memory, asserted by their content.
_BUFFERS: Final = (io.StringIO, io.BytesIO)
#: An object whose class is defined here is not observed by attributes.
_PLAIN: Final = frozenset({"builtins", "types", "functools", "itertools", "_io", "re"})


def _call(kind: str, name: str, index: int) -> Plain:
    return (kind, name, (("r", index),), (), "")


def _content(value: Any, index: int) -> Iterator[Plain]:
    """Whole contents through public protocols."""
    cls = type(value)
    if hasattr(cls, "items") and hasattr(cls, "keys") and hasattr(cls, "__getitem__"):
        yield _call("operator", "items", index)
    elif hasattr(cls, "__iter__") and not hasattr(cls, "__next__"):
        yield _call("operator", "list", index)
    elif hasattr(cls, "__len__"):
        yield _call("operator", "len", index)


def _attributes(value: Any, index: int) -> Iterator[Plain]:
    """Public instance attributes and slots in definition order, then properties."""
    cls = type(value)
    names: dict[str, None] = {}
    with contextlib.suppress(AttributeError):
        names.update(dict.fromkeys(object.__getattribute__(value, "__dict__")))
    for base in reversed(cls.__mro__[:-1]):
        slots = base.__dict__.get("__slots__", ())
        names.update(dict.fromkeys((slots,) if isinstance(slots, str) else slots))
        for name, member in base.__dict__.items():
            if isinstance(member, property) or type(member).__name__ == "cached_property":
                names[name] = None
    for name in names:
        if isinstance(name, str) and not name.startswith("_") and name.isidentifier():
            yield _call("get", name, index)


def _methods(value: Any, index: int) -> Iterator[Plain]:
    """Public methods without required parameters that the class's own Python code defines."""
    cls = type(value)
    seen: set[str] = set()
    for base in cls.__mro__[:-1]:
        for name, member in base.__dict__.items():
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            if inspect.isfunction(member) and _without_arguments(member):
                yield _call("method", name, index)


def _without_arguments(function: Any) -> bool:
    code = function.__code__
    required = code.co_argcount - len(function.__defaults__ or ())
    flags = inspect.CO_COROUTINE | inspect.CO_GENERATOR | inspect.CO_ASYNC_GENERATOR
    keyword_only = code.co_kwonlyargcount - len(function.__kwdefaults__ or {})
    return required == 1 and keyword_only == 0 and not code.co_flags & flags


def _texts(value: Any, index: int) -> Iterator[Plain]:
    """Text forms that a Python class defines itself."""
    cls = type(value)
    if inspect.isfunction(cls.__str__):
        yield _call("operator", "str", index)
    if inspect.isfunction(cls.__repr__):
        yield _call("operator", "repr", index)


def _recorded_calls(function: Any, index: int) -> Iterator[Plain]:
    """What a function that replaces another was called with."""
    if function.call_count > 1:
        yield _call("get", "call_count", index)
    if function.call_count:
        yield _call("get", "call_args.args", index)
        if function.call_args.kwargs:
            yield _call("get", "call_args.kwargs", index)


def observers(value: Any, index: int) -> Iterator[Plain]:
    """Observer Calls for ``value`` (result number ``index``), the most informative first."""
    if type(value).__module__ == "unittest.mock":
        yield from _recorded_calls(value, index)
        return
    if isinstance(value, BaseException):
        yield _call("operator", "str", index)
    if type(value) in _COMPARED_WHOLE:
        yield _call("operator", "itself", index)
    elif isinstance(value, _BUFFERS):
        yield _call("method", "getvalue", index)
    if type(value).__module__ in _PLAIN:
        return
    for source in (_content, _attributes, _methods, _texts):
        yield from source(value, index)


def _state(value: Any) -> list[Token]:
    """The canonical form of an object, for comparing it with itself a moment later."""
    return [
        "unique" if type(token) is tuple and token[:1] == ("unique",) else token
        for token in tokens((value,))
    ]


class _Impure(Exception):  # noqa: N818 - a signal, not an error
    """The observer changed the state of what it observed."""


def _observe(call: Plain, results: Results, before: list[Token]) -> ResultValue | None:
    """The term of the value that ``call`` observes; None when it has no term or raises.

    ``before`` is the state of the observed object so far.  Raises _Impure when the
    state is another one afterwards.
    """
    value = results[call[2][0][1]]
    try:
        term = _read(call, results)
    except steps.StepsExhausted:  # it never ends, or waits for ever
        steps.start(steps.COUNTER.limit)
        raise _Impure from None
    if _state(value) != before:
        raise _Impure
    return term


def _read(call: Plain, results: Results) -> ResultValue | None:
    """The term of the value that ``call`` observes; None when it has no term or raises."""
    try:
        seen = INTERPRETER.step(call)(results)
        term = None if seen is None and call[0] == "method" else to_arg(seen)
    except Exception:  # noqa: BLE001 - an observer that raises tells nothing
        return None
    return None if isinstance(term, Opaque) or _too_long(term) else term


def _too_long(term: ResultValue | None) -> bool:
    return isinstance(term, Display) and len(term.items) > MAX_ITEMS_DRAINED


def _observations(index: int, results: Results, calls: Plain) -> Plain:
    """(observer, term) pairs of a result; an iterator is read as a list or by ``next``.

    ``results`` are those of ``calls``; the Sequence is run again after an
    observer that changed something.
    """
    value = results[index]
    if hasattr(type(value), "__next__") and not isinstance(value, _BUFFERS):
        return _drain(index, value)
    found: list[Plain] = []
    state = _state(value)
    spoiled = 0
    for call in list(observers(value, index)):
        try:
            term = _observe(call, results, state)
        except _Impure:
            spoiled += 1
            results.clear()
            run_calls(calls, results)
            if spoiled > MAX_SPOILED or len(results) <= index or _state(results[index]) != state:
                break  # it cannot be made again: nothing more is certain
            continue
        if term is not None:
            found.append((call, encode(term)))
        if len(found) >= MAX_OBSERVERS:
            break
    if not found and type(value) in _CONTAINERS:
        outline = _call("operator", "list" if type(value) is dict else "len", index)
        term = _read(outline, results)
        found += [(outline, encode(term))] if term is not None else []
    return tuple(found)


def _look(wanted: Plain, results: Results) -> Iterator[Plain]:
    """(observer, term) pairs of the observers ``wanted``, without those that tell nothing."""
    for call in wanted:
        index = call[2][0][1] if call[2] else SURROUNDINGS
        if not 0 <= index < len(results):
            continue
        value = results[index]
        if hasattr(type(value), "__next__"):
            yield from (pair for pair in _drain(index, value) if pair[0] == call)
            continue
        try:
            term = _read(call, results)
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
    return () if isinstance(term, Opaque) else ((_call("operator", "list", index), encode(term)),)


def _effects() -> tuple[tuple[Plain, Plain], ...]:
    """(observer, term) pairs of what the run left in its surroundings, as far as it has terms."""
    shown = [(call, to_arg(value)) for world in WORLDS for call, value in world.effects()]
    return tuple((call, encode(term)) for call, term in shown if not isinstance(term, Opaque))


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
        and type(value) not in _ATOMS
        and not isinstance(value, type)
        and (not hasattr(type(value), "__next__") or isinstance(value, _BUFFERS))
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
        seen = (*effects, *_look(wanted, results))
        return (*ending, (tuple(ObservedObject(SURROUNDINGS, changed=True, observations=seen)),))

    def stable_after(self, calls: Plain) -> Plain:
        """``after``; what repetitions agree on where the run drew random values or asked the time.

        None when they differ in the outcome, or by chance in the result.
        """
        ENTROPY.start()
        CLOCK.start()
        answer = self.after(calls)
        if ENTROPY.drawn():
            for _ in range(REPEATS):
                answer = agree(answer, self.after(calls))
                if answer is None:
                    break
        return self._at_other_moments(calls, answer) if CLOCK.was_read() else answer

    def _at_other_moments(self, calls: Plain, answer: Plain) -> Plain:
        """What repetitions at other dates and times of day agree on with ``answer``."""
        try:
            for moment in range(1, MOMENTS + 1):
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
            (i for i in range(last) if results[i] is value and type(value) not in _ATOMS), -1
        )
        return None, encode(to_arg(value)), type_name(type(value)), same


def _looks_at_result(calls: Plain, results: Results, term: Plain, same: int) -> list[Plain]:
    """The observations of the last result, where its ``term`` says less than they do."""
    last = len(calls) - 1
    if same < 0 and (term[0] == "o" or _constructs(calls[-1], results[-1])):
        shown = _observations(last, results, calls)
        return [tuple(ObservedObject(last, changed=True, observations=shown))]
    return []


#: Types whose values are compared by value, never by identity.
_ATOMS: Final = (type(None), bool, int, float, complex, str, bytes)


def _constructs(call: Plain, value: Any) -> bool:
    """Is the Call the constructor of its result, so that comparing with itself says nothing?"""
    return bool(call[0] == "function" and call[1] == type_name(type(value)))
