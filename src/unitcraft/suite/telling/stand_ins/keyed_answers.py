"""Stand-ins that answer what a test is about, and nothing else.

A function that says yes to every path, or gives one output for every command, is a lie where code
asks for two.  ``{"zonename": "a"}.get`` answers one question; whatever else is asked is not there.

Invariant: a variant differs from its Sequence in what one function answers to texts that the code
asks it for, or in how that function is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence, Source
from unitcraft.explore.search.surroundings.answer_kinds import named_functions
from unitcraft.explore.search.variation.places import (
    MOCK,
    SIDE_EFFECT,
    Answers,
    answering,
    answers_of,
    is_literal,
    places,
)
from unitcraft.subject.ducktypes.result_uses import ResultUses
from unitcraft.subject.literal_args import literal_text
from unitcraft.suite.telling.stand_ins.plain_answers import plainer_answers

#: Texts that a function is asked for of which several are tried together.
MAX_KEYS: Final = 5
#: The same of which each is tried, and those that stand beside each other: a bound for long tables.
MAX_ASKED: Final = 32
#: Texts beside each other that are tried together, of which fewer are taken afterwards.
MAX_WINDOW: Final = 8
#: Texts that are tried together: with all of them it answers nearly everything again.
MAX_TOGETHER: Final = 3
#: Functions of one run that answer by what they are asked: each is a round of variants.
MAX_KEYED: Final = 4
#: What is not there, or does not hold.
_MISSING: Final = frozenset((Const(None), Const(value=False), Const(""), Const(0)))


def keyed_answers(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    """``sequence`` with one function that answers only some of the texts that it is asked for."""
    for name, arg, put in _functions(sequence):
        answers = answers_of(arg)
        replaced = isinstance(arg, Build)
        keys = uses.asked.get(name.rpartition(".")[2], ())[:MAX_ASKED]
        if answers is None or (replaced and _is_of_class(name)):
            continue  # what is put into a class gets its object first
        if not replaced and len(keys) == 1:
            continue  # there is nothing else that it might be asked for
        if is_literal(answers.default) and not _is_missing(answers.default):
            yield from [put(answering(one)) for one in _keyed(answers, keys)]


def _is_of_class(target: str) -> bool:
    """Does a class stand before the last name?"""
    return any(part[:1].isupper() for part in target.split(".")[:-1])


def bound_lookups(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    """``sequence`` with ``{...}.get`` for one function that looks its only argument up so."""
    for name, arg, put in _functions(sequence):
        answers = answers_of(arg)
        if answers is None or answers.default != Const(None):
            continue
        lookup = Source(f"{literal_text(answers.by_key)}.get")
        if isinstance(arg, Build):
            if answers.by_key.items:  # one that answers None is as short
                yield put(Build(MOCK, (), ((SIDE_EFFECT, lookup),)))
        elif answers.by_key.items or len(uses.asked.get(name.rpartition(".")[2], ())) > 1:
            yield put(lookup)


def _functions(sequence: Sequence) -> Iterator[tuple[str, Arg, Callable[[Arg], Sequence]]]:
    names = {id(arg): name for name, arg in named_functions(sequence)}
    for arg, put in places(sequence):
        if id(arg) in names and isinstance(arg, Source | Build):
            yield names[id(arg)], arg, put


def fewer_answers(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    """``sequence`` with one function that answers fewer texts: a half of them, or all but one."""
    del uses
    for _, arg, put in _functions(sequence):
        answers = answers_of(arg)
        if answers is None or not _is_missing(answers.default):
            continue
        table = list(zip(answers.by_key.items[::2], answers.by_key.items[1::2], strict=True))
        middle = len(table) // 2
        halves = [table[:middle], table[middle:]] if len(table) > MAX_TOGETHER else []
        others = [table[:at] + table[at + 1 :] for at in range(len(table))]
        for kept in (*halves, *(others if len(table) > 1 else ())):
            items = tuple([part for pair in kept for part in pair])
            yield put(answering(answers._replace(by_key=Display("dict", items))))


def _keyed(answers: Answers, keys: tuple[str, ...]) -> Iterator[Answers]:
    """``answers`` to none or few of the ``keys``, the fewest first, then to more of them."""
    pairs = [(key, answers.of(key)) for key in keys]
    able = [pair for pair in pairs if not _is_missing(pair[1])]
    told = [pair for pair in able if Const(pair[0]) in answers.by_key.items[::2]]
    able.sort(key=lambda pair: pair not in told)
    for chosen in dict.fromkeys((*_few(able), *_beside(tuple(told), able))) if keys else ():
        items = [part for key, answer in chosen for part in (Const(key), answer)]
        yield Answers(Display("dict", tuple(items)), _missing(answers.default), answers.records)


def _few(able: list[tuple[str, Arg]]) -> Iterator[tuple[tuple[str, Arg], ...]]:
    """None of ``able``, each, a few of the first together, and those beside each other."""
    yield ()
    yield from [(pair,) for pair in able]
    for size in range(2, MAX_TOGETHER + 1):
        yield from combinations(able[:MAX_KEYS], size)
    for size in (MAX_WINDOW // 2, MAX_WINDOW):
        yield from [tuple(able[at : at + size]) for at in range(0, len(able), size // 2)]
    if len(able) <= MAX_KEYS:
        yield tuple(able)


def _beside(
    told: tuple[tuple[str, Arg], ...], able: list[tuple[str, Arg]]
) -> Iterator[tuple[tuple[str, Arg], ...]]:
    """What is told already, alone and with each other one of ``able``."""
    if told:
        yield told
        yield from [(*told, pair) for pair in able if pair not in told]


def _missing(answer: Arg) -> Const:
    """What is answered where ``answer`` is for something else."""
    is_yes = isinstance(answer, Const) and answer.value is True
    return Const(value=False) if is_yes else Const(None)


def _is_missing(answer: Arg) -> bool:
    return answer in _MISSING or (isinstance(answer, Display) and not answer.items)


#: The rounds in which the answers of stand-ins become those that a person would write.
ANSWER_ROUNDS: Final[tuple[Callable[[Sequence, ResultUses], Iterator[Sequence]], ...]] = (
    plainer_answers, *[keyed_answers, fewer_answers, fewer_answers] * MAX_KEYED,
    plainer_answers, *[bound_lookups] * MAX_KEYED,
)  # fmt: skip
