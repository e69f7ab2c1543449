"""Stand-ins for objects that a test has to write, grown by what the code asks them for.

A run begins with a namespace without attributes.  Where it ends because an attribute, a key or an
item is missing, the next runs have it, with one value of each kind; what a wrong kind of value
leads to is grown in the same way.  An object of any class that the code only asks for attributes
and results can so be had without knowing the class.

Invariant: every variant differs in one place from its run; the variants are a function of the run.

Source: KHURSHID2003, lazy initialisation; *differs*: what is chosen when the code asks for it is an
attribute, a key or a result of a duck-typed argument, found by running again instead of by forking.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import FunctionType, MappingProxyType
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
    Symbol,
    arguments,
    children,
)
from unitcraft.explore.agents.answers import Owner
from unitcraft.explore.execution import Execution, RunFailure
from unitcraft.explore.search.variation.fill_mappings import with_keyword
from unitcraft.explore.search.variation.miss_messages import NO_MEMBER, Miss, miss_of
from unitcraft.explore.search.variation.places import (
    MOCK,
    Place,
    arguments_of,
    in_args,
    made_in_order,
    places,
    recording,
    refusing,
    result_of,
    returning,
    through,
)
from unitcraft.subject.ducktypes.kind_support import kind_of
from unitcraft.subject.reading.replaceable_calls import AttributeUse
from unitcraft.subject.scopes import word_set
from unitcraft.subject.values.stdlib_values import OPEN_CLASSES, VALUES
from unitcraft.subject.values.texts.document_texts import documents_for

#: The class of stand-ins: attributes that the test states, and no others.
NAMESPACE: Final = Symbol("types", "SimpleNamespace")
#: The classes of atoms and containers by their names.
_BUILTINS: Final = {cls.__name__: cls for cls in (int, str, list, dict, tuple)}
#: What a ``with`` statement enters and leaves without effect.
_CONTEXT: Final = Symbol("contextlib", "nullcontext")
#: A file in memory whose reader turned out to want bytes.
_TEXT_STREAM: Final = Symbol("io", "StringIO")
#: What a stand-in that does not fit makes code raise, before a handler ends the program.
_MISFITS: Final = ("AttributeError", "IndexError", "KeyError", "TypeError", "ValueError")
#: A stand-in without attributes, from which all others grow.
EMPTY: Final = Build(NAMESPACE)
_PAIR: Final = 2
#: Items of a result that is unpacked: people write few names on the left of an assignment.  Four
#: change nothing (``make ablation``, six modules drawn at random).
MAX_UNPACKED: Final = 8
#: One result of each kind that code asks things of.
RESULTS: Final[tuple[Arg, ...]] = (
    Const("a"), Const(1), Display("list", (Const("a"),)),
    Display("dict", (Const("a"), Const(1))), Display("tuple", (Const("a"), Const("b"))),
)  # fmt: skip
#: Methods of texts that no other class of the standard library has, but those of bytes (by
#: typeshed): what they are asked of is a text, and a person writes one.
TEXT_METHODS: Final = word_set(
    "capitalize casefold center endswith expandtabs format_map isalnum isalpha isascii isdecimal "
    "isdigit isidentifier islower isnumeric isprintable isspace istitle isupper ljust lstrip "
    "partition removeprefix removesuffix rjust rpartition rsplit rstrip splitlines startswith "
    "strip swapcase zfill"
)
#: One value of each kind for an attribute that was missing.
ATTRIBUTES: Final[tuple[Arg, ...]] = (
    returning(Const(None)),
    *RESULTS[:3],
    Display("dict", ()),
    EMPTY,
)
#: What stands in place of a value that the code called; ``alternatives`` has its other results.
CALLED: Final = returning(Const(value=True))
#: One value of each kind for a key that was missing.
ITEMS: Final[tuple[Arg, ...]] = (*RESULTS[:3], Const(None), Display("dict", ()))


#: No attribute of which the code says how it is used.
UNKNOWN_USES: Final[Mapping[str, AttributeUse]] = MappingProxyType({})


def values_of(name: str, uses: Mapping[str, AttributeUse]) -> list[Arg]:
    """What an attribute may be that the code calls, or reads, or nobody knows.

    With functions of None alone two of four modules that are given such objects lost a third and
    more of the sites.  Answers that the calls can go through come first, and what has all that the
    code asks of the attribute.
    """
    use = uses.get(name)
    if use is not None and use.raises is not None:
        return [refusing(use.raises)]
    shaped = list(map(returning, use.answers)) if use is not None else []
    if use is not None and not use.is_read:
        plain = [Const(None), *RESULTS[:3], Display("dict", ())]
        return [*shaped, *map(returning, [one for one in plain if one not in use.answers])]
    values = [value for value in ATTRIBUTES if use is None or use.is_called or not result_of(value)]
    asked = use.asked if use is not None else ()
    return [*shaped, *sorted(values, key=lambda value: not _has_all(value, asked))]


def _has_all(value: Arg, asked: Iterable[str]) -> bool:
    """Has ``value`` the attributes that are ``asked``?  A stand-in may have any."""
    cls = _BUILTINS.get(_class_name(value), FunctionType)
    return value == EMPTY or all(hasattr(cls, name) for name in asked)


def grow(
    run: Execution, open_calls: Iterable[int] = (), uses: Mapping[str, AttributeUse] = UNKNOWN_USES
) -> list[Sequence]:
    """Variants of ``run`` in which an argument has what the run missed at its end, or before it.

    ``open_calls``: the numbers of the Calls that take keyword arguments of any name; ``uses``:
    how the code uses each attribute (``attribute_uses``).
    """
    failed = run.failed
    if failed is None or failed.message is None:
        return []
    missed = [(miss_of(failed.type, failed.message), failed.owner)]
    if failed.behind is not None and failed.behind[1] is not None:
        missed.insert(0, (miss_of(failed.behind[0], failed.behind[1]), failed.behind[2]))
    made = [
        put(new)
        for miss, owner in missed
        if miss.is_told()
        for put, new in _answers(run.sequence, miss, uses, owner)
    ]
    key = missed[-1][0].key
    if key is not None and isinstance(key.value, str):
        found = [
            with_keyword(run.sequence, at, key.value, value) for at in open_calls for value in ITEMS
        ]
        made += [one for one in found if one is not None]
    return made


def missed_by(run: Execution) -> str | None:
    """What ``run`` missed at its end: an attribute's name, or the message; None for nothing.

    What a stand-in misses is told from what all other objects there miss: those are many, and only
    the stand-in can have it.
    """
    if run.failed is None or run.failed.message is None:
        return None
    missing = NO_MEMBER.match(run.failed.message)
    if missing is None or miss_of(run.failed.type, run.failed.message).attribute:
        behind = run.failed.behind
        return run.failed.message if behind is None else f"{run.failed.message} {behind[1]}"
    return missing[2]


def is_replacement(call: Call) -> bool:
    """Does the Call replace a function?"""
    return (
        call.kind == "arrange"
        and isinstance(call.args[-1], Build)
        and (call.args[-1].callee == MOCK)
    )


def stand_in(
    run: Execution,
    is_untyped: Callable[[Call, int], bool],
    uses: Mapping[str, AttributeUse] = UNKNOWN_USES,
) -> list[Sequence]:
    """Variants of ``run`` with a stand-in for an argument that lacks an attribute.

    ``is_untyped``: has the parameter that takes argument number n of a Call no declared type?
    """
    missing = NO_MEMBER.match(run.failed.message or "") if run.failed else None
    if run.failed is None or missing is None or missing[2].startswith("__"):
        return []
    if missing[2] in TEXT_METHODS:
        return []  # the parameter takes texts
    values = values_of(missing[2], uses)
    having: list[Arg] = [Build(NAMESPACE, (), ((missing[2], value),)) for value in values]
    found = [
        put
        for call, index, arg, put in arguments_of(run.sequence)
        if _class_name(arg) == missing[1] and is_untyped(call, index)
        if _may_be(arg, run.failed.owner)
    ]
    found += [
        put
        for one, put in _results(run.sequence)
        if _class_name(one) == missing[1] and _may_be(one, run.failed.owner)
    ]
    if _is_letter(run.failed.owner):
        having += [Display("list", (value,)) for value in having]
    return [put(value) for value in having for put in found]


def _is_letter(owner: Owner) -> bool:
    """Was it a letter that lacked something: an item of a text, which the code goes through?"""
    return isinstance(owner, tuple) and isinstance(owner[0], str) and len(owner[0]) == 1


def _class_name(arg: Arg) -> str:
    """The name of the class of an atom, a container or a file; '' for any other Arg."""
    if isinstance(arg, Const):
        return type(arg.value).__name__
    if isinstance(arg, Build) and arg.callee.module == "io":
        return f"_io.{arg.callee.qualname}"
    return arg.kind if isinstance(arg, Display) else ""


def _of_class(arg: Arg, name: str) -> bool:
    """Is ``arg`` a container or a stand-in of a class of that name?"""
    stand_in = isinstance(arg, Build) and arg.callee.qualname == name
    return stand_in or (isinstance(arg, Display) and arg.kind == name)


def has_stand_in(sequence: Sequence) -> bool:
    """Is a stand-in among the arguments, or in the place of a function?"""
    return any(_holds_stand_in(arg) for call in sequence.calls for arg in arguments(call))


def _holds_stand_in(arg: Arg) -> bool:
    return (isinstance(arg, Build) and arg.callee in (NAMESPACE, MOCK)) or any(
        map(_holds_stand_in, children(arg))
    )


def is_ended(failed: RunFailure, run: Execution) -> bool:
    """Is it what a function of a stand-in always ends in, as that which it stands for does?"""
    module, _, name = failed.type.partition(":")
    ending = refusing(Symbol(module, name))
    is_misfit = failed.behind is not None and failed.behind[0].endswith(_MISFITS)
    return not is_misfit and any(arg == ending for arg, _ in places(run.sequence))


def alternatives(run: Execution) -> list[Sequence]:
    """Variants of ``run`` in which one function of a stand-in returns a value of another kind.

    So do members of classes that the test writes.
    """
    made: list[Sequence] = []
    for result, put in (*_results(run.sequence), *_answers_of_classes(run.sequence)):
        kind = _class_name(result)
        others = [value for value in (*RESULTS, Const(None)) if _class_name(value) != kind]
        made += [put(value) for value in others]
    return made


def _results(sequence: Sequence) -> Iterator[Place]:
    """What the functions of stand-ins return, and those in the place of others."""
    for arg, put in places(sequence):
        result = result_of(arg)
        if result is not None:
            records = isinstance(arg, Build)
            yield result, through(put, recording if records else returning)


def _answers_of_classes(sequence: Sequence) -> Iterator[Place]:
    """What the members of classes that the test writes return."""
    for at, call in enumerate(sequence.calls):
        for number, answer in enumerate(call.args if call.kind == "define" else ()):
            if not isinstance(answer, Symbol):
                yield answer, in_args(sequence, at, number)


def _answers(
    sequence: Sequence, miss: Miss, uses: Mapping[str, AttributeUse], owner: Owner
) -> Iterator[tuple[Callable[[Arg], Sequence], Arg]]:
    """What to put where, so that what was missing is there."""
    is_known = False
    for arg, put in _owned(sequence, owner):
        is_object = bool(miss.called) and _made_by(sequence, arg) == miss.called
        grown = [CALLED] if is_object else _grown(arg, miss, uses)
        for value in (*grown, *documents_for(arg, miss.error, miss.refused)):
            is_known = True
            yield put, value
            if _is_letter(owner) and _class_name(arg) == "str":
                yield put, Display("list", (value,))
    for result, put in _results(sequence):
        for value in _other_results(result, miss):
            is_known = True
            yield put, value
    if not is_known:
        yield from _answers_of_functions(sequence, miss)


def _answers_of_functions(
    sequence: Sequence, miss: Miss
) -> Iterator[tuple[Callable[[Arg], Sequence], Arg]]:
    """The same where what was missing may be of what a function among the arguments answered."""
    values = [Display("dict", ())] if miss.looked_up else list(_other_results(EMPTY, miss))
    for arg, put in places(sequence) if values else ():
        if kind_of(arg) in ("function", "type") and result_of(arg) is None:
            yield from [(put, returning(value)) for value in values]


def _made_by(sequence: Sequence, arg: Arg) -> str:
    """The name of the class or function that made the object; '' for any other Arg."""
    made = sequence.calls[arg.index] if isinstance(arg, Ref) else None
    return made.name.rpartition(":")[2].rpartition(".")[2] if made is not None else ""


def _owned(sequence: Sequence, owner: Owner) -> Iterable[Place]:
    """The places of what lacked something; where that is not known each place may be the one.

    With five stand-ins, or as many texts, most runs were given to the others.
    """
    if isinstance(owner, int):
        return list(made_in_order(sequence))[owner : owner + 1]
    if owner is None:
        return places(sequence)
    return [one for one in places(sequence) if _may_be(one[0], owner)] or places(sequence)


def _may_be(arg: Arg, owner: Owner) -> bool:
    """May ``arg`` be ``owner``, if that is an atom?"""
    if not isinstance(owner, tuple):
        return True
    return isinstance(arg, Const) and repr(arg.value) == repr(owner[0])


def _grown(arg: Arg, miss: Miss, uses: Mapping[str, AttributeUse]) -> Iterator[Arg]:
    """What may stand in place of ``arg``, in which something was missing."""
    others = _other_kind(arg, miss)
    if others:
        yield from others
        return
    if isinstance(arg, Build) and arg.callee in OPEN_CLASSES and miss.attribute:
        yield from _with_attribute(arg, miss.attribute, uses)
    elif isinstance(arg, Display) and arg.kind == "dict" and miss.key is not None:
        if miss.key not in arg.items[::2]:
            yield from [Display("dict", (*arg.items, miss.key, value)) for value in ITEMS]
    elif isinstance(arg, Build) and arg.callee == _TEXT_STREAM and miss.wants_bytes:
        yield from VALUES["io:BytesIO"][:1]
    elif isinstance(arg, Display) and arg.kind in ("list", "tuple"):
        yield from _of_size(arg, miss.unpacked)
    elif miss.is_of_function and result_of(arg) is not None:
        yield from (*RESULTS, EMPTY)


def _with_attribute(arg: Build, name: str, uses: Mapping[str, AttributeUse]) -> Iterator[Arg]:
    """A stand-in with the attribute, or the text that it turned out to be."""
    if name in TEXT_METHODS and not arg.kwargs:
        yield RESULTS[0]
    elif not name.startswith("__") and name not in dict(arg.kwargs):
        for value in values_of(name, uses):
            yield Build(arg.callee, arg.args, (*arg.kwargs, (name, value)))


def _other_kind(arg: Arg, miss: Miss) -> tuple[Arg, ...]:
    """What ``arg`` should have been: a name was looked up in it, or it was called."""
    if miss.looked_up and _class_name(arg) in miss.looked_up:
        return (Display("dict", ()),)
    if miss.has_other_arity and isinstance(arg, Source) and result_of(arg) is None:
        return (CALLED,) if arg.text.startswith("lambda ") else ()
    if miss.called and (_class_name(arg) == miss.called or _of_class(arg, miss.called)):
        return (CALLED,)
    return ()


def _of_size(arg: Display, size: int | None) -> Iterator[Arg]:
    """``arg`` with as many items as an assignment expected, its own first."""
    if size is not None and size != len(arg.items) and size <= MAX_UNPACKED:
        letters = [Const(letter) for letter in "abcdefgh"[:size]]
        more = letters[len(arg.items) :]
        yield Display(arg.kind, (*arg.items[:size], *more))
        if arg.items:
            yield Display(arg.kind, (*arg.items[:size], *arg.items[-1:] * len(more)))


def _other_results(result: Arg, miss: Miss) -> Iterator[Arg]:
    """Results of another kind in place of ``result``."""
    has_no_items = miss.no_items and _class_name(result) in ("", miss.no_items)
    if miss.is_entered:
        yield Build(_CONTEXT, (result if isinstance(result, Build) else EMPTY,))
    elif miss.is_of_none and result == Const(None):
        yield from (*RESULTS, EMPTY)
    elif miss.unhashable and _of_class(result, miss.unhashable):
        yield from RESULTS[:2]
    elif miss.unpacked is not None or has_no_items:
        size = _PAIR if miss.unpacked is None else miss.unpacked
        if size <= MAX_UNPACKED and not (isinstance(result, Display) and len(result.items) == size):
            texts = [Const(letter) for letter in "abcdefgh"[:size]]
            yield Display("tuple", tuple(texts))
            yield Display("tuple", (Const(0), *texts[1:]))
