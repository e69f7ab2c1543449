"""Which of several observations of an object tells a reader most of what a test did.

Invariant: the order depends on the Sequence and on what is observed alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from unitcraft.core.encoding import Plain, decode_arg, decode_call
from unitcraft.core.sequences import Arg, Call, Const, Display, Ref, Sequence, arguments
from unitcraft.explore.agents.answers import AfterAnswer

#: (kind, name) of the Call of an observer.
ObserverName = tuple[str, str]
#: An observation: the observer Call, the observed value, and its key (``repr`` of the encoding).
Observation = tuple[Call, Arg, str]
#: How much an observation tells: a greater one tells more.
Telling = tuple[bool, int, bool, bool]
#: What an observation tells of which nothing is known.
LEAST: Final[Telling] = (False, 0, False, False)

_NOTHING: Final = (Const(None), Const(0), Const(""))


def most_telling(
    made: list[Observation], sequence: Sequence, varying: frozenset[ObserverName]
) -> Observation:
    """The observation of a new object that shows most of what the test gave; of equals the first.

    One that shows nothing of it is better where other tests show another value, and better than
    one of an empty container, of None or zero.
    """
    given = _texts_given(sequence)
    return max(made, key=lambda seen: _telling(seen[0], seen[1], given, varying))


def telling_by_key(
    answer: AfterAnswer | None,
    sequence: Sequence,
    varying: frozenset[ObserverName],
    before: Plain = None,
) -> Mapping[str, Telling]:
    """How much each observation of ``answer`` tells, by its key.

    Most what the last Call changed: ``before`` has the rows of ``ObjectBefore`` of its objects.
    """
    given = _texts_given(sequence)
    stayed = {repr(pair) for _, seen in before or () for pair in seen}
    return {
        repr(call): (
            repr((call, term)) not in stayed,
            *_telling(decode_call(call), decode_arg(term), given, varying),
        )
        for _, _, found in (answer.focus if answer is not None else ())
        for call, term in found
    }


def _texts_given(sequence: Sequence) -> frozenset[str]:
    """The texts and numbers that a test gives, as they are written, and the objects of its own."""
    given = [arg for call in sequence.calls for arg in arguments(call)]
    passed = [arg for call in sequence.calls for arg in arguments(call)[call.kind != "function" :]]
    return frozenset(
        repr(arg.value)
        for arg in given
        if isinstance(arg, Const) and isinstance(arg.value, str | int) and arg.value not in (0, "")
    ) | frozenset(repr(arg) for arg in passed if isinstance(arg, Ref))


def _telling(
    observer: Call, term: Arg, given: frozenset[str], varying: frozenset[ObserverName]
) -> tuple[int, bool, bool]:
    shown = repr(term)
    differs = (observer.kind, observer.name) in varying
    return sum(text.strip("'\"") in shown for text in given), differs, not _is_nothing(term)


def _is_nothing(term: Arg) -> bool:
    """Is it empty, None or zero, or a list of such values?"""
    if isinstance(term, Display):
        return all(map(_is_nothing, term.items))
    return term in _NOTHING
