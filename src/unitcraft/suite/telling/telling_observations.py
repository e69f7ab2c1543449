"""Which of several observations of an object tells a reader most of what a test did.

Invariant: the order depends on the Sequence and on what is observed alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

from unitcraft.core.encoding import Plain, decode_arg, decode_call
from unitcraft.core.sequences import Arg, Call, Const, Display, Ref, Sequence, arguments, children
from unitcraft.explore.agents.answers import AfterAnswer
from unitcraft.explore.execution import weight

#: (kind, name) of the Call of an observer.
ObserverName = tuple[str, str]
#: An observation: the observer Call, the observed value, and its key (``repr`` of the encoding).
Observation = tuple[Call, Arg, str]
#: How much an observation tells: a greater one tells more.
Telling = tuple[bool, bool, int, bool, bool]
#: What an observation tells of which nothing is known.
LEAST: Final[Telling] = (False, False, 0, False, False)
#: Observations of one new object that are asserted as this test alone shows them: a bound.
MAX_OWN: Final = 3
#: Characters of a value that is asserted so.
MAX_OWN_WEIGHT: Final = 40
#: Characters of a part of a text that was given: a shorter one may stand in it by chance.
MIN_PART_SHOWN: Final = 4

_NOTHING: Final = (Const(None), Const(0), Const(""))


class Contrast(NamedTuple):
    """What tells the result of one test from those of others of its function.

    ``varying`` are the observers that show another value in some other test, ``own`` those that
    show one which is not the usual.
    """

    varying: frozenset[ObserverName] = frozenset()
    own: frozenset[ObserverName] = frozenset()


#: That of a test of which no other one is known.
NO_CONTRAST: Final = Contrast()


def contrasts(
    tests: Iterable[tuple[str, int, AfterAnswer | None]],
) -> list[Contrast]:
    """The Contrast of each test: (Invocable, number of its last Call, what was observed).

    What all results of a function have says nothing of the arguments; what most of them have is
    the usual value.
    """
    counts: defaultdict[tuple[str, ObserverName], Counter[str]] = defaultdict(Counter)
    shown: list[dict[tuple[str, ObserverName], str]] = []
    for invocable, last, answer in tests:
        found = {
            (invocable, (call[0], call[1])): repr(term)
            for index, _, pairs in (answer.focus if answer is not None else ())
            if index == last
            for call, term in pairs
        }
        shown.append(found)
        for key, term in found.items():
            counts[key][term] += 1
    return [
        Contrast(
            frozenset(key[1] for key in found if len(counts[key]) > 1),
            frozenset(key[1] for key, term in found.items() if _is_unusual(counts[key], term)),
        )
        for found in shown
    ]


def _is_unusual(counts: Counter[str], term: str) -> bool:
    """Does one test alone show it, and another one something else?"""
    return len(counts) > 1 and counts[term] == 1


def told_by(
    made: list[Observation], asked: list[Observation], sequence: Sequence, contrast: Contrast
) -> tuple[list[Observation], list[Observation]]:
    """The most telling observation of a new object, and those which only this test shows so.

    ``asked`` are asserted anyway: where one of them shows what the test gave, no other is the most
    telling.  The latter show what the test gave and have a value that is not the usual one.  Of a
    command both are asserted, the number by which it ends and what it prints, if it ever does.
    """
    if sequence.calls[-1].kind == "invoke":
        prints = ("get", "output") in contrast.varying
        return [seen for seen in made if seen[1] != Const("") or prints or seen in asked], []
    given = _texts_given(sequence)
    best = most_telling(made, sequence, contrast)
    is_told = any(_times_shown(seen[1], given) for seen in asked)
    is_better = not is_told and bool(_times_shown(best[1], given))
    own = [
        seen
        for seen in made
        if (seen[0].kind, seen[0].name) in contrast.own
        and _times_shown(seen[1], given)
        and weight(seen[1]) <= MAX_OWN_WEIGHT
    ]
    return [best] if is_better or not asked else [], own[:MAX_OWN]


def most_telling(
    made: list[Observation], sequence: Sequence, contrast: Contrast = NO_CONTRAST
) -> Observation:
    """The observation of a new object that shows most of what the test gave; of equals the first.

    One that has the usual value is worse than one that has it in no other test.  One that shows
    nothing of what was given is better where other tests show another value, and better than one
    of an empty container, of None or zero.
    """
    given = _texts_given(sequence)
    return max(made, key=lambda seen: _telling(seen[0], seen[1], given, contrast))


def telling_by_key(
    answer: AfterAnswer | None,
    sequence: Sequence,
    contrast: Contrast = NO_CONTRAST,
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
            *_telling(decode_call(call), decode_arg(term), given, contrast),
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
    observer: Call, term: Arg, given: frozenset[str], contrast: Contrast
) -> tuple[bool, int, bool, bool]:
    name = (observer.kind, observer.name)
    shown, differs = _times_shown(term, given), name in contrast.varying
    return name in contrast.own, shown, differs, not _is_nothing(term)


def _times_shown(term: Arg, given: frozenset[str]) -> int:
    """How many of the ``given`` texts, numbers and objects the value shows, and parts of texts."""
    shown = repr(term)
    whole = {text.strip("'\"") for text in given}
    parts = {text for text in _texts_in(term) if len(text) >= MIN_PART_SHOWN and text not in whole}
    return sum(text in shown for text in whole) + sum(
        any(part in text for text in given) for part in parts
    )


def _texts_in(term: Arg) -> Iterator[str]:
    if isinstance(term, Const) and isinstance(term.value, str):
        yield term.value
    for part in children(term):
        yield from _texts_in(part)


def _is_nothing(term: Arg) -> bool:
    """Is it empty, None or zero, or a list of such values?"""
    if isinstance(term, Display):
        return all(map(_is_nothing, term.items))
    return term in _NOTHING
