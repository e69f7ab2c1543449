"""Values that a person gives to a name, in place of those that stand for any.

``scheme="abc"`` says nothing of a scheme, nor do ``methods=["abc", "def"]`` of methods, nor a
status that is 1.  Where the test shows the same with ``"http"`` and with ``"GET"``, it has these.

Invariant: what replaces a run hits the same sites, and raises the same exception at the same place
or none; one arbitrary value under one name gets one value in a test, and two get two.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from unitcraft.core.goals import Goal
from unitcraft.core.sequences import Arg, Build, Call, Const, Display, Sequence, Source
from unitcraft.explore.execution import TYPICAL_WORDS, Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.plausibility.parameter_names import singular
from unitcraft.explore.search.variation.places import ANSWER, answering, answers_of
from unitcraft.subject.values.texts.document_texts import container_in, text_of
from unitcraft.suite.telling.examples.affixed_texts import with_words_beside
from unitcraft.suite.telling.examples.example_values import examples_of, has_example
from unitcraft.suite.telling.telling_values import ARBITRARY_TEXTS, MAX_DIGIT

#: Texts that stand for any other: those that we put, and those that a search begins with.
ARBITRARY: Final = frozenset((*ARBITRARY_TEXTS, *TYPICAL_WORDS))
#: Arbitrarys of one run that are replaced one by one where not all can be: a bound.
MAX_GROUPS: Final = 6
#: Rounds of variants: all values at once, then all but one and each, then what can stand beside.
MAX_ROUNDS: Final = 3
#: Kinds of Calls that set surroundings, and whose arguments have other names.
_SETTING: Final = ("arrange", "define", "output")
_WORD: Final = re.compile(r"\w+")
_LISTED: Final = ("list", "tuple", "set", "frozenset")

#: Executions, each with the Goals that it is kept for.
_Selection = list[tuple[Execution, tuple[Goal, ...]]]
#: A selection and variants of its runs, by their keys, the best first -> the selection with them.
Replace = Callable[[_Selection, Mapping[str, list[Sequence]]], _Selection]


class Arbitrary(NamedTuple):
    """A text or number that stands for any, and the name under which it is given."""

    name: str
    value: str | int


def with_named_examples(
    chosen: _Selection, plausibility: Plausibility, replace_runs: Replace
) -> _Selection:
    """``chosen``, of which each run has values that its names ask for, wherever it can.

    First, what is nothing but an ending gets a word before that.
    """
    whole = {run.sequence.key: [*with_words_beside(run.sequence)] for run, _ in chosen}
    chosen = replace_runs(chosen, whole) if any(whole.values()) else chosen
    for number in range(MAX_ROUNDS):
        variants = {}
        for run, _ in chosen:
            message = run.failed.message if run.failed is not None else None
            tried = named_variants(run.sequence, plausibility, message or "")
            variants[run.sequence.key] = tried[1:] if number else tried[:1]
        if not any(variants.values()):
            break
        chosen = replace_runs(chosen, variants)
    return chosen


def is_alike(run: Execution, other: Execution) -> bool:
    """Do both hit the same sites, and end in the same way at the same place?"""
    return run.hits == other.hits and run.truth == other.truth and _end(run) == _end(other)


def _end(run: Execution) -> tuple[object, ...]:
    failed = run.failed
    return (failed.position, failed.module, failed.line, failed.type) if failed is not None else ()


def named_variants(
    sequence: Sequence, plausibility: Plausibility, message: str = ""
) -> list[Sequence]:
    """``sequence`` with examples for all names, for all but one of them, and for each alone.

    A word of the ``message`` of its exception stands for no argument: ``retry is no flag`` would
    be of the name and of the text.
    """
    names = _Names(plausibility)
    found = list(dict.fromkeys(names.arbitrary(sequence)))
    said = {*_constants(sequence), *_WORD.findall(message)}
    values = _values_for(found, said)
    known = list(dict.fromkeys(one.name for one in found if one in values))[:MAX_GROUPS]
    sets = [known]
    if len(known) > 1:
        sets += [[name for name in known if name != left] for left in known]
        sets += [[name] for name in known if len(known) > 2]  # noqa: PLR2004 - they are above
    made = {}
    for chosen in sets:
        new = {one: value for one, value in values.items() if one.name in chosen}
        one = names.with_values(sequence, new)
        made[one.key] = one
    made.pop(sequence.key, None)
    return list(made.values())


def _values_for(found: Iterable[Arbitrary], given: set[object]) -> dict[Arbitrary, str | int]:
    """An example for each, where its name has enough of them that the test does not give."""
    by_name: dict[tuple[str, type], list[Arbitrary]] = {}
    for one in found:
        by_name.setdefault((one.name, type(one.value)), []).append(one)
    values: dict[Arbitrary, str | int] = {}
    taken: dict[object, str | int] = {}
    for (name, kind), group in by_name.items():
        pairs = list(zip(group, examples_of(name, kind, len(group)), strict=False))
        if all(new not in given and taken.get(new, one.value) == one.value for one, new in pairs):
            values.update(pairs)
            taken.update({new: one.value for one, new in pairs})
    return values


def _constants(sequence: Sequence) -> Iterator[object]:
    """The atoms that ``sequence`` gives, at any depth, keys and those in documents among them.

    Of ``{"title": "title"}`` nobody sees which of the two the code gives back.
    """
    waiting = [arg for call in sequence.calls for arg in (*call.args, *dict(call.kwargs).values())]
    while waiting:
        match waiting.pop():
            case Const(value):
                yield value
                document = container_in(value)
                waiting += [] if document is None else [document]
            case Display(_, items):
                waiting += items
            case Build(_, args, kwargs):
                waiting += [*args, *dict(kwargs).values()]


#: A constant and its name -> what stands in its place.
_Change = Callable[[Const, str], Const]


@dataclass(frozen=True, slots=True)
class _Names:
    """Walks through the arguments of Sequences by the names under which they are given."""

    plausibility: Plausibility

    def arbitrary(self, sequence: Sequence) -> list[Arbitrary]:
        """What stands for any in ``sequence``, and has a name."""
        found: list[Arbitrary] = []

        def note(const: Const, name: str) -> Const:
            held = _arbitrary(const, name)
            found.extend([] if held is None else [held])
            return const

        self._changed(sequence, note)
        return found

    def with_values(self, sequence: Sequence, values: Mapping[Arbitrary, str | int]) -> Sequence:
        """``sequence`` with ``values`` in place of arbitrary ones."""

        def put(const: Const, name: str) -> Const:
            held = _arbitrary(const, name)
            return Const(values[held]) if held is not None and held in values else const

        return self._changed(sequence, put)

    def _changed(self, sequence: Sequence, change: _Change) -> Sequence:
        return Sequence(tuple([self._call(sequence, one, change) for one in sequence.calls]))

    def _call(self, sequence: Sequence, call: Call, change: _Change) -> Call:
        if call.kind in _SETTING:
            return call
        names = _padded(self._names_of(sequence, call), len(call.args))
        args = [self._arg(arg, name, change) for arg, name in zip(call.args, names, strict=True)]
        kwargs = [(name, self._arg(arg, name, change)) for name, arg in call.kwargs]
        return replace(call, args=tuple(args), kwargs=tuple(kwargs))

    def _names_of(self, sequence: Sequence, call: Call) -> tuple[str, ...]:
        """The names of the positional arguments: of parameters, of an attribute, of a key."""
        match call:
            case Call("set", name):
                return ("", name)
            case Call("operator", "[]=", (_, Const(str() as key), _)):
                return ("", "", key)
            case Call("function" | "method"):
                return self.plausibility.parameter_names(sequence, call)
        return ()

    def _arg(self, arg: Arg, name: str, change: _Change) -> Arg:
        """``arg``, which is given as ``name``, with every constant in it changed."""
        match arg:
            case Const(str() as text) if (document := container_in(text)) is not None:
                new = self._arg(document, name, change)
                return arg if new == document else Const(text_of(new) or text)
            case Const():
                return change(arg, name)
            case Display("dict", items):
                return Display("dict", tuple(self._pairs(items, change)))
            case Display(kind, items) if kind in _LISTED:
                one = singular(name)
                return Display(kind, tuple([self._arg(item, one, change) for item in items]))
            case Build(callee, args, kwargs):
                made = Call("function", f"{callee.module}:{callee.qualname}", args)
                names = _padded(self._names_of(Sequence((made,)), made), len(args))
                given = [self._arg(item, of, change) for item, of in zip(args, names, strict=True)]
                named = [
                    (key, self._arg(item, name if key == ANSWER else key, change))
                    for key, item in kwargs
                ]
                return Build(callee, tuple(given), tuple(named))
            case Source():
                return self._function(arg, name, change)
        return arg

    def _pairs(self, items: tuple[Arg, ...], change: _Change) -> Iterator[Arg]:
        for key, value in zip(items[::2], items[1::2], strict=True):
            text = key.value if isinstance(key, Const) else None
            is_name = isinstance(text, str) and text not in ARBITRARY
            yield key
            yield self._arg(value, str(text) if is_name else "", change)

    def _function(self, arg: Source, name: str, change: _Change) -> Arg:
        """A function of a stand-in, which answers under the name that it has."""
        answers = answers_of(arg)
        if answers is None:
            return arg
        table = Display("dict", tuple(self._pairs(answers.by_key.items, change)))
        new = answers._replace(by_key=table, default=self._arg(answers.default, name, change))
        return arg if new == answers else answering(new)


def _padded(names: tuple[str, ...], count: int) -> tuple[str, ...]:
    """``count`` names: those that are known, then ''."""
    return (*names[:count], *[""] * (count - len(names)))


def _arbitrary(const: Const, name: str) -> Arbitrary | None:
    """The constant under its name; None if it means something, or has no name."""
    value = const.value
    if name and type(value) is int and 0 < value <= MAX_DIGIT:
        return Arbitrary(name, value)
    if name and isinstance(value, str):
        has_word = value == name.strip("_") or any(word in value for word in TYPICAL_WORDS)
        if value in ARBITRARY or (has_word and has_example(name)):  # such as abc:def
            return Arbitrary(name, value)
    return None
