"""The worker's side of the oracle: run one test on original code and observe what it came to.

Invariant: an answer says of a run only what its repetitions, with other chance and at other
moments, said as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from unitcraft.core.encoding import Plain, encode
from unitcraft.core.outcomes import Opaque
from unitcraft.core.sequences import Const
from unitcraft.execute.guest.arg_of_value import to_arg
from unitcraft.execute.guest.interpret import WORLDS, Results, compile_argument, type_name
from unitcraft.execute.guest.issued_messages import WARNED as ISSUED
from unitcraft.execute.isolation.entropy import ENTROPY, REPEATS, REPEATS_OF_CANDIDATES
from unitcraft.execute.isolation.own_state import OwnState
from unitcraft.execute.sandbox.clock import CLOCK, MOMENTS, MOMENTS_OF_CANDIDATES
from unitcraft.explore.agents.answers import (
    IGNORED,
    OWN_STATE,
    SURROUNDINGS,
    WARNED,
    AfterAnswer,
    ObjectBefore,
    ObservedObject,
    RaisedCall,
    agree,
    without_result,
)
from unitcraft.explore.agents.known_results import (
    ATOMS,
    FieldsBefore,
    equal_twins,
    hidden_changes,
    is_constructor,
    made_of,
    receiver_fields,
)
from unitcraft.explore.agents.observations import (
    drain,
    look_in_bounds,
    looks_at_error,
    observations,
    observed,
    says_where_written,
    state_of,
)
from unitcraft.explore.agents.observer_calls import (
    BUFFERS,
    commands_of,
    is_private,
    observer_call,
    records_calls,
    state_observers,
    warning_observer,
)
from unitcraft.explore.agents.run_calls import (
    SequenceFailure,
    describe_raise,
    message_of,
    run_calls,
)


def _look_at(wanted: Plain, results: Results) -> Iterator[Plain]:
    """(observer, term) pairs of the observers ``wanted``, without those that tell nothing."""
    for call in wanted:
        index = observed(call)
        if index >= len(results) or (index < 0 and not _is_of_state(call)):
            continue
        value = results[index] if index >= 0 else None
        if hasattr(type(value), "__next__") and not isinstance(value, BUFFERS):
            yield from (pair for pair in drain(index, value) if pair[0] == call)
            continue
        term = look_in_bounds(call, results)
        if term is not None:
            yield (call, encode(term))


def _is_of_state(call: Plain) -> bool:
    """Does an observer that asks no result read the module's state?"""
    return call[0] in ("get", "function")


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


def _unseen_by_equality(term: Plain, last: int, results: Results) -> Iterator[Plain]:
    """The observations of attributes at which ``==`` does not look, which compares the rest."""
    for name, twin in equal_twins(term, results[last]):
        look = [observer_call("get", name, last)]
        seen = list(_look_at(look, results))
        yield from seen if seen != list(_look_at(look, [*results[:last], twin])) else ()


def _given(calls: Plain, results: Results) -> list[int]:
    """Results that the last Call was given, in the order of its arguments."""
    args = (*calls[-1][2], *[arg for _, arg in calls[-1][3]])
    given = dict.fromkeys([arg[1] for arg in args if arg[0] == "r"])
    return [index for index in given if index < len(results)]


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


def _was_asked(value: Any) -> bool:
    """Did a function that records its calls compute an answer?  That it did so no more shows."""
    answers = records_calls(value) and isinstance(
        vars(value).get("_mock_side_effect"), FunctionType
    )
    return answers and value.call_count > 0


def _put_back(state: OwnState) -> None:
    """Undo what the run arranged, which refers to the state that it met, and then put that back."""
    for world in WORLDS:
        world.undo()
    state.put_back()


class Observer:
    """The ``before`` and ``after`` services for one module of a package.

    Each run meets the state of the module that the first one met, which is walked through once; it
    is again only after something changed it (of a module of 200 classes that took 9 ms a run), and
    the last such state is known too.  ``source`` is the text of the module, which says of what
    functions that record their calls the calls are observed; '' for all.
    """

    __slots__ = ("_commands", "_states", "module", "package")

    def __init__(self, package: str, module: str, source: str = "") -> None:
        self.package = package
        self.module = module
        self._commands = commands_of(source, package) if source else None
        self._states: list[OwnState] = []

    def _state_now(self) -> OwnState:
        """What the module's state is now.

        Whoever puts it back does without a context manager: that is code of the standard library,
        which finds no builtins where the Subject has emptied them.
        """
        for known in self._states:
            if known.is_clean():
                return known
        state = OwnState(self.module, alone=True)
        state.save()
        self._states[1:] = [state]
        return state

    def before(self, calls: Plain) -> Plain:
        """An ``ObjectBefore`` for each object that the last Call is given."""
        results: Results = []
        if run_calls(calls[:-1], results) is not None:
            return ()
        return tuple(
            tuple(ObjectBefore(index, observations(index, results, calls[:-1], self._commands)))
            for given in [_given(calls, results)]
            for index in [*given, *_bystanders(given, results)]
        )

    def after(self, calls: Plain, known: Plain = None) -> Plain:
        """An ``AfterAnswer``; None when a Call before the last one raises.

        Of a run that repeats one with the answer ``known``, only what is observed there.
        """
        state = self._state_now()
        try:
            return self._after(calls, known, state)
        finally:
            _put_back(state)

    def _after(self, calls: Plain, known: Plain, state: OwnState) -> Plain:
        told = None if known is None else {index: found for index, _, found in known[4]}
        results: Results = []
        if run_calls(calls[:-1], results) is not None:
            return None
        state = state if state.is_clean() else self._state_now()
        earlier = len(ISSUED)
        given = _given(calls, results)
        watched = {i: state_of(results[i]) for i in (*given, *_bystanders(given, results))}
        fields = receiver_fields(calls[-1], results)
        failure = run_calls(calls, results)
        effects = _effects()
        issued = self._issued(earlier)
        changed = [i for i, old in watched.items()
                   if state_of(results[i]) != old or _was_asked(results[i])]  # fmt: skip
        looks: list[Plain] = []
        outcome, term, kind, same = self._ending(failure, results, len(calls) - 1)
        says_nothing = failure is None and term == encode(Const(None))
        own = tuple(self._changes_of_own(state, results, private=says_nothing))
        if failure is None:
            looks += self._looks_at_result(calls, results, term, same, told)
        looks += [
            tuple(ObservedObject(index, index in changed, self._shown(index, results, calls, told)))
            for index in watched
            if index in given or index in changed or isinstance(results[index], BUFFERS)
        ]
        if says_nothing and told is None:
            looks = [self._with_hidden_changes(one, fields, results, calls) for one in looks]
        if effects:
            looks.append(tuple(ObservedObject(SURROUNDINGS, changed=True, observations=effects)))
        for index, shown in zip((WARNED, IGNORED), issued, strict=True):
            if shown[1][2]:
                looks.append(tuple(ObservedObject(index, index == WARNED, (shown,))))
        if own:
            looks.append(tuple(ObservedObject(OWN_STATE, changed=True, observations=own)))
        _keep_error(failure, results)
        looks += looks_at_error(None if failure is None else failure.position, results)
        return tuple(AfterAnswer(outcome, term, kind, same, tuple(looks)))

    def _shown(
        self, index: int, results: Results, calls: Plain, told: dict[int, Plain] | None
    ) -> Plain:
        """The observations of a result; of those that are ``told``, if they are."""
        if told is None:
            return observations(index, results, calls, self._commands)
        return tuple(_look_at([call for call, _ in told.get(index, ())], results))

    def _with_hidden_changes(
        self, one: Plain, fields: FieldsBefore, results: Results, calls: Plain
    ) -> Plain:
        """``one``, an ObservedObject, with private attributes that a method set in its receiver.

        Only where nothing else that it shows is another than before: ``_closed`` tells what
        ``close()`` did if nothing else does.
        """
        names = hidden_changes(fields, results) if one[0] == fields.receiver else []
        before: Results = []
        if not names or run_calls(calls[:-1], before) is not None:
            return one
        if dict(self._shown(one[0], before, calls[:-1], None)) != dict(one[2]):
            return one
        hidden = _look_at([observer_call("get", name, one[0]) for name in names], results)
        return (*one[:2], (*one[2], *hidden))

    def _looks_at_result(
        self, calls: Plain, results: Results, term: Plain, same: int, told: dict[int, Plain] | None
    ) -> list[Plain]:
        """The observations of the last result, where its ``term`` says less than they do."""
        last, shown = len(calls) - 1, None
        is_told = told is not None and last in told
        if same < 0 and (is_told or term[0] == "o" or is_constructor(calls[-1], results[-1])):
            shown = self._shown(last, results, calls, told)
        elif same < 0 and told is None:
            shown = tuple(dict.fromkeys(_unseen_by_equality(term, last, results))) or None
        looked = ObservedObject(last, changed=True, observations=shown or ())
        return [tuple(looked)] if shown is not None else []

    def _issued(self, earlier: int) -> tuple[tuple[Plain, Plain], tuple[Plain, Plain]]:
        """What the package's code warned of since ``earlier``, and the classes of the others.

        Of classes of other packages, which may be gone in the next version, the builtin base.
        """
        own: dict[Plain, None] = {}
        others: dict[Plain, None] = {}
        for position, (home, category, message) in enumerate(ISSUED):
            known = [one for one in category.__mro__ if self._can_be_named(one)]
            is_own = position >= earlier and home.partition(".")[0] == self.package
            if is_own and known[0] is category:
                name = type_name(category)
                own["d", "tuple", (("c", name), ("c", message_of(message)))] = None
            else:
                others["c", type_name(known[0])] = None
        return (
            (warning_observer("warns"), ("d", "list", tuple(own))),
            (warning_observer("ignores"), ("d", "list", tuple(others))),
        )

    def _can_be_named(self, kind: type) -> bool:
        """Is it a builtin class, or one of the package that a test can import?"""
        top = kind.__module__.partition(".")[0]
        return top == "builtins" or (top == self.package and "<" not in kind.__qualname__)

    def _changes_of_own(
        self, state: OwnState, results: Results, *, private: bool
    ) -> Iterator[tuple[Plain, Plain]]:
        """(observer, term) for what each place shows that is another than in ``state``.

        With ``private`` also of those that are not for others: where the Call answers nothing.
        """
        for module, qualname, _ in state.changed():
            if is_private(qualname) and not private:
                continue
            for call in state_observers(module, qualname):
                now = self._state_now()
                term = look_in_bounds(call, results)
                is_harmless = now.is_clean()
                now.put_back()
                tells = term != Const(None) or call[0] != "function"
                if is_harmless and tells and term is not None:
                    yield call, encode(term)
                    break

    def after_as_known(self, calls: Plain, wanted: Plain) -> Plain:
        """An ``AfterAnswer`` that has of the observers only ``wanted``; None as for ``after``.

        They are called one after the other as the Checks of a test call them, however they change
        what they observe.
        """
        results: Results = []
        state = self._state_now()
        try:
            if run_calls(calls[:-1], results) is not None:
                return None
            earlier = len(ISSUED)
            failure = run_calls(calls, results)
            warned = self._issued(earlier)[0]
            effects = (*_effects(), *([warned] if warned[0] in wanted else []))
            ending = self._ending(failure, results, len(calls) - 1)
            _keep_error(failure, results)
            seen = (*effects, *_look_at(wanted, results))
        finally:
            _put_back(state)
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
                answer = agree(answer, self.after(calls, answer))
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
                other = self.after(calls, answer)
                last = len(calls) - 1
                both = without_result(answer, other, last), without_result(other, answer, last)
                answer = agree(*both)
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
        if says_where_written(term):
            term = Opaque(type_name(type(value)))
        if isinstance(term, Opaque):
            term = made_of(value, results[:last]) or term
        return None, encode(term), type_name(type(value)), same


def _keep_error(failure: SequenceFailure | None, results: Results) -> None:
    """Put the exception in the place of the result that there is none of."""
    if failure is not None and len(results) == failure.position:
        results.append(failure.error)
