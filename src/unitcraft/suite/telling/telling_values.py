"""Values that show what the code does with them, in place of the least that reaches its Goals.

Where ``Message(text="abc", code="abc")`` is all that a test says, nobody sees which of the two the
code used: ``Message(text="text", code="code")`` shows it.  One item, or several in order, pass
through code that forgets, sorts or reverses them: ``[3, 1, 2]`` shows what becomes of each.  Of two
operands that are equal nobody sees which one was taken: ``First(1).concat(First(2))``.

That ``is_url("abc")`` is false says little of the predicate; that ``is_url("https://example")`` is
says which part it misses.  A function that is only stored has a name, by which the test can say
where it went.

Invariant: a variant differs only in texts and digits that the Sequence gives more than once, in
texts of stand-ins that stood for any, in the items of small containers of arbitrary values, in one
text that stood for any, or in lambdas.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, repeat
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Const,
    Display,
    Sequence,
    arguments,
    children,
    refs_of,
)
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.named_values import meant
from unitcraft.explore.search.variation.grow_stand_ins import NAMESPACE
from unitcraft.explore.search.variation.places import ANSWER, MOCK
from unitcraft.subject.ducktypes.kind_support import kind_of

#: Letters of a parameter's name that may stand for its value: shorter ones say nothing.
MIN_TELLING_NAME: Final = 3
#: Items of a container that is taken for an arbitrary one.
MAX_ARBITRARY: Final = 2
#: Integers up to this one are taken for arbitrary ones; others may mean something.
MAX_DIGIT: Final = 9
#: Texts that differ and are in no order.  With ``pear``, ``apple`` and ``fig`` two readers would
#: have committed 1 of 18 tests, in suites of which they took 67 of 221.
_UNORDERED: Final = ("second", "first", "third")
#: Texts that stand for any other.
ARBITRARY_TEXTS: Final = ("abc", "def", *_UNORDERED)
#: Texts that are taken for arbitrary ones, and may yet tell something in a name.
_TEXTS: Final = frozenset((*ARBITRARY_TEXTS, "a", "b", "c", "text", "key", "value"))
#: Class of items -> items that differ and are in no order.
_ITEMS: Final[dict[type, tuple[Arg, ...]]] = {
    int: (Const(3), Const(1), Const(2)),
    str: tuple(map(Const, _UNORDERED)),
}
#: What stands under such texts as keys, by its class: none of them is a key, too.
_UNDER_TEXTS: Final[dict[type, tuple[Arg, ...]]] = {
    int: tuple(map(Const, (2, 1, 3))),
    str: tuple(map(Const, "bac")),
}
_LISTED: Final = ("list", "tuple")
#: Characters of an accepted text that has parts; a longer one is hard to compare with its variant.
MIN_ACCEPTED: Final = 4
MAX_ACCEPTED: Final = 80
#: Near misses of one Sequence: a bound for texts of many parts.
MAX_NEAR_MISSES: Final = 4
#: A sign between two parts of a text.
_SIGN: Final = re.compile(r"[^\w\s]+")
#: Kinds of Calls whose arguments are operands.
_CALLED: Final = ("function", "method")


def telling_variants(sequence: Sequence, plausibility: Plausibility) -> Iterator[Sequence]:
    """``sequence`` with telling texts; the best first.

    With values for None, too, where that is one of several types that are declared.
    """
    given = _with_values_for_none(sequence, plausibility)
    if given != sequence:
        yield from telling_variants(given, plausibility)
        yield given
    named = with_telling_texts(sequence, plausibility)
    if named is not None:
        yield named


def _with_values_for_none(sequence: Sequence, plausibility: Plausibility) -> Sequence:
    """``sequence`` with a text or True for each None whose parameter is required and takes one."""
    made = [plausibility.called(sequence, call) for call in sequence.calls]
    parameters = [part for one in made if one is not None for part in one.parameters]
    told: dict[str, Arg] = {}
    for part in parameters:
        kinds = [one.name for one in part.type.args] if part.required else []
        if part.type.name == "union" and "bool" in kinds:
            told[part.name] = Const(value=True)
        elif part.type.name == "union" and "str" in kinds and len(part.name) >= MIN_TELLING_NAME:
            told[part.name] = Const(part.name.strip("_"))
    return changed(
        sequence,
        lambda arg, name: told.get(name, arg) if arg == Const(None) else arg,
        lambda at: plausibility.parameter_names(sequence, sequence.calls[at]),
    )


def with_telling_items(sequence: Sequence) -> Sequence | None:
    """``sequence`` with several items in its small containers of arbitrary values; None without."""
    found = changed(sequence, lambda arg, _: _filled(arg), lambda _: ())
    return None if found == sequence else found


def _filled(arg: Arg) -> Arg:
    if isinstance(arg, Build):
        named = tuple([(name, _filled(item)) for name, item in arg.kwargs])
        return replace(arg, args=tuple(map(_filled, arg.args)), kwargs=named)
    if not isinstance(arg, Display):
        return arg
    kinds = [_class_of_arbitrary(item) for item in arg.items]
    if arg.kind in _LISTED and len(kinds) <= MAX_ARBITRARY and len(set(kinds)) == 1:
        more = _ITEMS.get(kinds[0])
        if more is not None:
            return Display(arg.kind, more)
    if arg.kind == "dict" and len(kinds) == len(("key", "value")):
        keys, values = (_ITEMS.get(kind, ()) for kind in kinds)
        if keys and values:
            values = _UNDER_TEXTS[kinds[1]] if kinds[0] is str else values
            return Display("dict", tuple(chain(*zip(keys, values, strict=True))))
    return Display(arg.kind, tuple(map(_filled, arg.items)))


def _class_of_arbitrary(arg: Arg) -> type:
    """The class of a value that stands for any of its kind; NoneType for others."""
    value = arg.value if isinstance(arg, Const) else None
    arbitrary = type(value) is int and 0 <= value <= MAX_DIGIT
    return type(value) if arbitrary or value in _TEXTS else type(None)


def distinct_variants(sequence: Sequence) -> Iterator[Sequence]:
    """``sequence`` with other texts and digits for those that it gives again; the best first."""
    texts, digits = _with_others(sequence, str), _with_others(sequence, int)
    both = _with_others(texts, int)
    found = {one.key: one for one in (both, texts, digits) if one != sequence}
    yield from found.values()


def _with_others(sequence: Sequence, kind: type) -> Sequence:
    """``sequence`` with another value of the kind for each that is arbitrary and given again."""
    return _Renewal(sequence, kind).renewed()


class _Renewal:
    """Gives what is given again another value (mutable: it remembers what was given).

    A digit is given again in any place, a text in one Call, or in that place of two Calls that make
    objects: as operands they would be equal.  What tells two objects apart already is enough.  Zero
    has a meaning of its own, but not in two places of one Call.
    """

    def __init__(self, sequence: Sequence, kind: type) -> None:
        self._calls, self._kind = sequence.calls, kind
        given = {value for call in self._calls for arg in call.args for value in _constants(arg)}
        choices = ARBITRARY_TEXTS if kind is str else tuple(range(1, MAX_DIGIT + 1))
        self._free = [value for value in choices if value not in given]
        self._used = {index for call in self._calls for index in refs_of(call)}
        self._seen: set[object] = set()
        self._of_call: set[object] = set()
        self._made: list[tuple[object, tuple[Arg, ...]]] = []

    def renewed(self) -> Sequence:
        calls = []
        for index, call in enumerate(self._calls):
            name = (call.name, "" if index in self._used else index)
            args = self._args(name, call.args) if call.kind in _CALLED else call.args
            calls.append(replace(call, args=args))
        return Sequence(tuple(calls))

    def _args(self, name: object, args: tuple[Arg, ...]) -> tuple[Arg, ...]:
        """What is given to what is called so, with another object where that makes one."""
        twins = [given for made, given in self._made if made == name]
        stands_out = bool(twins) and args not in twins
        self._made.append((name, args))
        outer, self._of_call = self._of_call, set()
        places = [None if stands_out else (name, at) for at in range(len(args))]
        new = tuple([self._new(arg, at) for arg, at in zip(args, places, strict=True)])
        self._of_call = outer
        return new

    def _new(self, arg: Arg, at: object) -> Arg:
        """What stands in place of ``arg``; without ``at`` only what its own Call gives counts."""
        if isinstance(arg, Build):
            return replace(arg, args=self._args(arg.callee, arg.args))
        if isinstance(arg, Display) and arg.kind in _LISTED:
            inner = (at, "[]") if at is not None else None
            return Display(arg.kind, tuple([self._new(one, inner) for one in arg.items]))
        if isinstance(arg, Display) and arg.kind == "dict":
            self._of_call.update(key.value for key in arg.items[::2] if isinstance(key, Const))
            pairs = zip(arg.items[::2], arg.items[1::2], strict=True)
            told = [(key, self._new(value, None)) for key, value in pairs]
            return Display("dict", tuple(chain.from_iterable(told)))
        if not isinstance(arg, Const) or not _is_arbitrary(arg, self._kind):
            return arg
        place = arg.value if self._kind is int else (at, arg.value)
        is_again = at is not None and place in self._seen and arg.value != 0
        if self._free and (is_again or arg.value in self._of_call):
            arg = Const(self._free.pop(0))
        self._of_call.add(arg.value)
        self._seen.add(place)
        return arg


def _constants(arg: Arg) -> Iterator[object]:
    """The constants in ``arg`` at any depth."""
    if isinstance(arg, Const):
        yield arg.value
    yield from chain.from_iterable(map(_constants, children(arg)))


def _is_arbitrary(arg: Const, kind: type) -> bool:
    """Is it of the kind, and stands for any?"""
    return _is_digit(arg) if kind is int else _text(arg) in ARBITRARY_TEXTS


def _is_digit(arg: Const) -> bool:
    """Is it a small number?"""
    return type(arg.value) is int and 0 <= arg.value <= MAX_DIGIT


def with_telling_texts(sequence: Sequence, plausibility: Plausibility) -> Sequence | None:
    """``sequence`` with names in place of the texts that it gives several times; None without.

    A text under a key has the name that the key is.  Two objects that are made of values of one
    name get two texts.
    """

    def names_of(at: int) -> tuple[str, ...]:
        return plausibility.parameter_names(sequence, sequence.calls[at])

    given = [
        text
        for call in sequence.calls
        for arg in arguments(call)
        for text in map(_text, (arg, *[value for _, value in _keyed(arg)]))
        if text
    ]
    repeated = {text for text, count in Counter(given).items() if count > 1}
    used = {index for call in sequence.calls for index in refs_of(call)}
    making = Counter(
        name
        for at, call in enumerate(sequence.calls)
        if at in used
        for name, arg in (*zip(names_of(at), call.args, strict=False), *call.kwargs)
        if _text(arg) in repeated
    )
    seen: set[str] = set()
    words = (word for word in ARBITRARY_TEXTS if word not in given)

    def telling(arg: Arg, name: str) -> Arg:
        if isinstance(arg, Build):
            return _with_telling_attributes(arg)
        if pairs := _keyed(arg):
            told = [(Const(key), telling(value, key)) for key, value in pairs]
            return Display("dict", tuple(chain.from_iterable(told)))
        text = _text(arg)
        if text not in repeated:
            return arg
        if len(name) >= MIN_TELLING_NAME and making[name] <= 1:
            return Const(name.strip("_"))
        if text in seen and text in _TEXTS:
            return Const(next(words, text))
        seen.add(text)
        return arg

    found = changed(sequence, telling, names_of)
    return None if found == sequence else found


def _keyed(arg: Arg) -> list[tuple[str, Arg]]:
    """(key, value) of a dictionary whose keys all are names that mean something; else nothing."""
    items = arg.items if isinstance(arg, Display) and arg.kind == "dict" else ()
    keys = [_text(key) for key in items[::2]]
    named = all(key.isidentifier() and key not in _TEXTS for key in keys)
    return list(zip(keys, items[1::2], strict=True)) if named else []


def _with_telling_attributes(arg: Build) -> Build:
    """A stand-in whose attributes have what their names mean for texts that stand for any.

    Of those that mean a text it is the name itself.  So it is of what its functions answer, and of
    what stands there under keys: with one text in all of them nobody sees which goes where.
    """
    if arg.callee not in (NAMESPACE, MOCK):
        return arg
    told = [(name, _telling_attribute(item, name)) for name, item in arg.kwargs]
    return replace(arg, kwargs=tuple(told))


def _telling_attribute(item: Arg, name: str) -> Arg:
    if isinstance(item, Build):
        return _with_telling_attributes(item)
    if pairs := _keyed(item):
        told = [(Const(key), _telling_attribute(value, key)) for key, value in pairs]
        return Display("dict", tuple(chain.from_iterable(told)))
    if isinstance(item, Display) and item.kind in _LISTED:
        return replace(item, items=tuple([_telling_attribute(one, "") for one in item.items]))
    is_arbitrary = isinstance(item, Const) and item.value in _TEXTS
    if not is_arbitrary or name == ANSWER or len(name) < MIN_TELLING_NAME:
        return item
    plain = meant(name)
    return Const(name.strip("_")) if kind_of(plain) == "str" else plain


def changed(
    sequence: Sequence,
    change: Callable[[Arg, str], Arg],
    names_of: Callable[[int], tuple[str, ...]],
) -> Sequence:
    """``sequence`` with every argument changed, which is known by the name of its parameter.

    ``names_of`` gives the names for the positional arguments of Call number n.
    """
    calls = []
    for at, call in enumerate(sequence.calls):
        names = chain(names_of(at), repeat(""))
        args = tuple([change(arg, name) for arg, name in zip(call.args, names, strict=False)])
        kwargs = tuple([(name, change(arg, name)) for name, arg in call.kwargs])
        calls.append(replace(call, args=args, kwargs=kwargs))
    return Sequence(tuple(calls))


def near_misses(refused: Execution, accepted: list[Execution]) -> list[Sequence]:
    """The Calls of ``refused`` with a text that lacks a part of what an ``accepted`` run gives."""
    found: dict[str, Sequence] = {}
    for run in accepted:
        for index, arg in _differing(refused.sequence, run.sequence):
            for text in _without_a_part(arg):
                call = refused.sequence.calls[-1]
                args = (*call.args[:index], Const(text), *call.args[index + 1 :])
                one = Sequence((*refused.sequence.calls[:-1], replace(call, args=args)))
                found.setdefault(one.key, one)
    return list(found.values())[:MAX_NEAR_MISSES]


def _differing(refused: Sequence, accepted: Sequence) -> Iterator[tuple[int, str]]:
    """(place, accepted text) of the one argument in which the last Calls differ, if both are texts.

    The refused one has to stand for any.
    """
    one, other = refused.calls[-1], accepted.calls[-1]
    alike = refused.calls[:-1] == accepted.calls[:-1] and one.kwargs == other.kwargs
    if not alike or (one.name, len(one.args)) != (other.name, len(other.args)):
        return
    pairs = [(at, *pair) for at, pair in enumerate(zip(one.args, other.args, strict=True))]
    differing = [(at, given, taken) for at, given, taken in pairs if given != taken]
    for at, given, taken in differing if len(differing) == 1 else ():
        if _text(given) in ARBITRARY_TEXTS and MIN_ACCEPTED <= len(_text(taken)) <= MAX_ACCEPTED:
            yield at, _text(taken)


def _text(arg: Arg) -> str:
    return arg.value if isinstance(arg, Const) and isinstance(arg.value, str) else ""


def _without_a_part(text: str) -> Iterator[str]:
    """``text`` without its last part, its first one, and each of its signs."""
    signs = list(_SIGN.finditer(text))
    parts = [text[: signs[-1].start()], text[signs[0].end() :]] if signs else []
    parts += [text[: one.start()] + text[one.end() :] for one in reversed(signs)]
    yield from dict.fromkeys(part for part in parts if part)
