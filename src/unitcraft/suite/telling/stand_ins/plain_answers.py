"""Answers of stand-ins that a person would write, in place of those that a search grew.

``rc, out, err = module.run_command(...)`` asks for three items, whatever they are; that the first
is a status and the others are texts, the names say, and what the code compares with numbers is one,
also in an attribute.  Where only the truth of an answer or of an attribute counts, it is true or
false; where an empty text, mapping or list will do, it is a list.  Any key is a text.

Invariant: a variant differs from its Sequence in what functions of stand-ins answer, or in empty
values that they hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence
from unitcraft.explore.execution import TYPICAL_LETTERS
from unitcraft.explore.plausibility.argument_burdens import RECORDS
from unitcraft.explore.plausibility.named_values import meant
from unitcraft.explore.search.surroundings.answer_kinds import (
    kind_of_answer,
    kind_of_getter,
    named_functions,
)
from unitcraft.explore.search.variation.named_truths import Truths, with_truths
from unitcraft.explore.search.variation.places import (
    answering,
    answers_of,
    places,
    recording,
    result_of,
    returning,
)
from unitcraft.subject.ducktypes.kind_support import kind_of
from unitcraft.subject.ducktypes.result_uses import ResultUses, UnpackedItem
from unitcraft.subject.values.stdlib_values import OPEN_CLASSES
from unitcraft.suite.telling.stand_ins.real_collaborators import real_collaborators

#: What a search puts in place of each item that is unpacked.
_ARBITRARY: Final = frozenset((*map(Const, "abcdefgh"), Const(0), Const(1)))
_NO_KEYS: Final = Display("dict", ())
#: Answers over which code goes, or which it counts, like over a list without items.
_NOTHING: Final = (Const(""), Const(b""), _NO_KEYS)
_LIST: Final = Display("list", ())
_KEY: Final = Const("key")
#: Keys that stand for any.
_ANY_KEYS: Final = frozenset((*_ARBITRARY, _KEY, Const("abc")))
_TRUE: Final = Const(value=True)
_NONE: Final = Const(None)
#: What is there or not -> a text, or none.
_YES_OR_NO: Final = ("bool", "NoneType")
_TEXT_FOR: Final[dict[Arg, Const]] = {_TRUE: Const("abc"), Const(value=False): _NONE}
#: A status of success, and what commonly stands for any number; then one of failure, and another.
_NUMBER: Final = Const(0)
_FAILURE: Final = Const(1)
_OTHER: Final = Const(-1)


def plainer_answers(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    """``sequence`` with other answers, by what the names of functions and of items mean.

    What the language has comes before any stand-in.  Those of all functions are replaced, then
    each.
    """
    yield from real_collaborators(sequence, uses)
    yield from with_truths(sequence, Truths(uses.switches, uses.questions))
    each = list(_with_one(sequence, uses))
    whole = sequence
    for _ in each:
        whole = next(_with_one(whole, uses), whole)
    yield from dict.fromkeys((whole, *each)) if each else ()


def _with_one(sequence: Sequence, uses: ResultUses) -> Iterator[Sequence]:
    names = {id(arg): name for name, arg in named_functions(sequence)}
    for arg, put in places(sequence):
        result = result_of(arg)
        if result is not None and id(arg) in names:
            make = recording if isinstance(arg, Build) else returning
            for value in _plainer(names[id(arg)].rpartition(".")[2], result, uses):
                yield put(make(value))
        elif id(arg) in names and kind_of_getter(names[id(arg)].rpartition(".")[2]) == "str":
            yield from map(put, _with_texts(arg))
        elif isinstance(arg, Build) and arg.callee in OPEN_CLASSES:
            for new in _plainer_attributes(arg.kwargs, uses):
                yield put(replace(arg, kwargs=new))


def _plainer_attributes(
    held: tuple[tuple[str, Arg], ...], uses: ResultUses
) -> Iterator[tuple[tuple[str, Arg], ...]]:
    """``held`` with lists for empty mappings, and numbers for what is compared with numbers.

    First with texts for numbers as keys.
    """
    bare = tuple([(name, _without_entries(one) if name in RECORDS else one) for name, one in held])
    if bare != held:
        yield bare
        held = bare
    named = tuple([(name, _with_named_keys(one)) for name, one in held])
    if named != held:
        yield named
        held = named
    listed = tuple(
        [(name, _LIST if one == _NO_KEYS and name not in RECORDS else one) for name, one in held]
    )
    if listed != held:
        yield listed
    for number in (_NUMBER, _FAILURE):
        counted = tuple(
            [
                (name, number if _is_no_number(one, is_number=name in uses.numbers) else one)
                for name, one in held
            ]
        )
        if counted != held:
            yield counted


def _without_entries(value: Arg) -> Arg:
    """``value``; none of the entries of a mapping whose keys all stand for any."""
    match value:
        case Display("dict", items) if all(key in _ANY_KEYS for key in items[::2]):
            return _NO_KEYS
    return value


def _with_named_keys(value: Arg) -> Arg:
    """``value``; of a mapping of one entry under a number the same under a text."""
    match value:
        case Display("dict", (Const(int(key)), one)) if not isinstance(key, bool):
            return Display("dict", (_KEY, one))
    return value


def _is_no_number(value: Arg, *, is_number: bool) -> bool:
    """Is it a literal of another kind than what the code compares it with?"""
    return is_number and isinstance(value, Const | Display) and kind_of(value) != "int"


def _with_texts(arg: Arg) -> Iterator[Arg]:
    """A function that answers yes or no to what it is asked, with a text for yes, None for no."""
    answers = answers_of(arg)
    if answers is None or any(kind_of(one) not in _YES_OR_NO for one in answers.all()):
        return
    items = [
        item if at % 2 == 0 else _TEXT_FOR.get(item, item)
        for at, item in enumerate(answers.by_key.items)
    ]
    default = _TEXT_FOR.get(answers.default, answers.default)
    new = answers._replace(by_key=Display("dict", tuple(items)), default=default)
    if new != answers:
        yield answering(new)


def _plainer(name: str, result: Arg, uses: ResultUses) -> Iterator[Arg]:
    items = uses.unpacked.get(name, ())
    if name in uses.binary and isinstance(result, Const) and isinstance(result.value, str):
        yield Const(result.value.encode())
    if isinstance(result, Display) and 0 < len(items) == len(result.items):
        yield from _named_items(result, items)
    if name in uses.flags and isinstance(result, Const | Display):
        is_true = bool(result.items if isinstance(result, Display) else result.value)
        yield from () if kind_of(result) == "bool" else (Const(is_true),)
    elif kind_of_answer(name) == "bool" and kind_of(result) not in ("bool", ""):
        yield from (Const(value=False), Const(value=True))
    elif result in _NOTHING and not kind_of_answer(name) and not kind_of_getter(name):
        yield _LIST
    is_other = kind_of(result) in ("int", "list", "dict", "tuple") or result == _TRUE
    if is_other and kind_of_getter(name) == "str":
        yield from (Const("abc"), Const(None))


def _named_items(result: Display, items: tuple[UnpackedItem, ...]) -> Iterator[Display]:
    """A tuple of ``result`` with what its names mean in place of any: of all, then of each.

    What the code has as a number is one: of success, and where that will not do of failure.
    """
    pairs = list(zip(items, result.items, strict=True))
    is_odd = [_is_no_number(arg, is_number=one.is_number) for one, arg in pairs]
    new = [
        _meant(one) if arg in _ARBITRARY or odd or _is_no_text(one, arg) else arg
        for (one, arg), odd in zip(pairs, is_odd, strict=True)
    ]
    failed, other = (
        [number if odd else arg for arg, odd in zip(new, is_odd, strict=True)]
        for number in (_FAILURE, _OTHER)
    )
    made = [tuple(new), tuple(failed), tuple(other)]
    for each in (new, failed, other):
        made += [(*result.items[:at], one, *result.items[at + 1 :]) for at, one in enumerate(each)]
    yield from [Display("tuple", one) for one in dict.fromkeys(made) if one != result.items]


def _is_no_text(item: UnpackedItem, value: Arg) -> bool:
    """Is it a container, where the name means a text?"""
    is_text = not item.is_number and kind_of(meant(item.name)) == "str"
    return is_text and isinstance(value, Display)


def _meant(item: UnpackedItem) -> Arg:
    """A number where the code compares it with one; its name for a text, so that it shows."""
    if item.is_number:
        return _NUMBER
    plain = meant(item.name)
    says_text = kind_of(plain) == "str" and len(item.name) >= TYPICAL_LETTERS
    return Const(item.name.strip("_")) if says_text else plain
