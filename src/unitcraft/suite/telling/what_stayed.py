"""What a Call left as it was that the same function changes in other tests.

``Meter(5001).add(0)`` answers nothing and changes nothing.  That it added nothing is seen in
``meter.total == 0`` where another test shows that ``add`` changes the total.  So it is where a Call
changes what it is given, but not the object on which it is made: ``player.take(key)`` takes the key
from its cell also where the player has one like it, and keeps it only where not.

Invariant: only a test that asserts nothing of the object gets such a Check, and both observations
agree on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from unitcraft.core.encoding import Plain, decode_arg, decode_call
from unitcraft.core.outcomes import Returned
from unitcraft.core.sequences import Call, Ref, Sequence, refs_of
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.suite.telling.telling_observations import Observation, ObserverName
from unitcraft.suite.tests import Test

#: Invocable, place of the argument (0: the receiver), observer.
Place = tuple[str, int, ObserverName]


def places_changed(
    tests: Iterable[tuple[str, Sequence, Plain, AfterAnswer | None]],
) -> Counter[Place]:
    """How many tests show a change at each Place.

    ``tests``: Invocable, Sequence, what was observed before its last Call and after it.
    """
    changed: Counter[Place] = Counter()
    for invocable, sequence, before, after in tests:
        earlier = dict(before or ())
        for index, was_changed, pairs in after.focus if after is not None else ():
            old = {repr(call): repr(term) for call, term in earlier.get(index, ())}
            moved = [call for call, term in pairs if old.get(repr(call), repr(term)) != repr(term)]
            for place in _places_of(sequence.calls[-1], index) if was_changed else ():
                changed.update((invocable, place, (call[0], call[1])) for call in moved)
    return changed


def is_silent(test: Test) -> bool:
    """Does it assert nothing but that the Call returns?"""
    return not (test.checks or test.warns) and test.outcome == Returned()


def without_idle(test: Test, first: AfterAnswer | None) -> Test:
    """``test`` without the Checks of what its last Call was given and left as it was."""
    last = len(test.sequence) - 1
    idle = {at for at, was_changed, _ in (first.focus if first else ()) if not was_changed} - {last}
    kept = [one for one in test.checks if not idle.intersection(_named(one.observed))]
    return replace(test, checks=tuple(kept))


def what_stayed(
    test: Test,
    first: AfterAnswer | None,
    second: AfterAnswer | None,
    changed: Mapping[Place, int],
) -> list[Observation]:
    """The observation of what most other tests of its function change; [] where it asserts that.

    ``first`` and ``second`` are the two answers; ``changed`` is that of ``places_changed``.
    """
    if first is None or second is None or not (is_silent(test) or _omits_receiver(test)):
        return []
    beside = bool(test.checks)
    found: list[tuple[int, Observation]] = []
    others = {index: dict(pairs) for index, _, pairs in second.focus}
    for index, was_changed, pairs in first.focus:
        for place in () if was_changed else _places_of(test.sequence.calls[-1], index):
            for call, term in () if place and beside else pairs:
                times = changed.get((test.invocable, place, (call[0], call[1])), 0)
                if times and repr(others.get(index, {}).get(call)) == repr(term):
                    found.append((times, (decode_call(call), decode_arg(term), repr(call))))
    return [max(found, key=lambda pair: pair[0])[1]] if found else []


def _omits_receiver(test: Test) -> bool:
    """Does it assert what a method did, and neither of its result nor of its object?"""
    call, last = test.sequence.calls[-1], len(test.sequence) - 1
    receiver = call.args[0] if call.kind == "method" else None
    told = {at for one in test.checks for at in _named(one.observed)}
    has_ended = test.outcome == Returned() and not test.warns
    return has_ended and isinstance(receiver, Ref) and told.isdisjoint((last, receiver.index))


def _named(observed: Ref | Call) -> tuple[int, ...]:
    return (observed.index,) if isinstance(observed, Ref) else refs_of(observed)


def _places_of(call: Call, index: int) -> list[int]:
    """The places at which a Call is given the result of Call ``index``."""
    return [place for place, arg in enumerate(call.args) if arg == Ref(index)]
