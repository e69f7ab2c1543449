"""The Call that an Invocable stands for, with the operators that special methods answer.

Invariant: a special method is reached through its operator, never by name, but for the one that
opens a block around all that follows.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Sequence as SequenceOf
from dataclasses import replace
from itertools import combinations
from keyword import iskeyword
from random import Random
from typing import Final

from unitcraft.core.operators import OF_ATTRIBUTES, SPECIAL_METHODS
from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    CallKind,
    Const,
    Display,
    Ref,
    Sequence,
    Symbol,
    Then,
    arguments,
    connected_calls,
    refs_of,
    renumber_call,
    slice_sequence,
)
from unitcraft.subject.model import Invocable, Parameter

#: Operators whose result grows exponentially with an operand.
EXPLOSIVE: Final = frozenset({"**", "<<", ">>", "round2", "**=", "<<="})
#: The largest operand given to them: bounds the size of the result.
MAX_EXPONENT: Final = 64
#: Operands of an operator besides the receiver, at most (three-argument ``pow`` has two).
MAX_OPERANDS: Final = 2
#: What the block of a ``with`` raises: the error that code swallows most, and one that it does not.
ERRORS: Final = ("ValueError", "KeyError")
#: Errors that the blocks of one manager raise: those that it looks for, and one that it does not.
MAX_RAISING: Final = 4

#: What is done with the result of an operator, whatever its method is: the items of ``list`` are
#: taken already.
_CONTINUATIONS: Final[dict[str, Then]] = {
    "list": "", "async with": "await enter", "async for": "collect",
}  # fmt: skip

#: The kind and the name of the Call of an object.
CALLED: Final = ("operator", "call")

#: Chance that one object takes the place of two that are made alike, as two plots are of one
#: garden.  With none, 54 of 58 sites of tests/quality/causes/cyclic_classes.py are found with five
#: seeds of six.  Hand-set: 27 modules were searched with 0.25; with 0.2 to 0.3 seed 0 misses two
#: branches of tests/quality/programs/settings_file.py, as some seeds did before there was a chance.
ONE_FOR_TWO_CHANCE: Final = 0.4


def call_of(
    invocable: Invocable,
    receiver: tuple[Arg, ...],
    args: list[Arg],
    kwargs: list[tuple[str, Arg]],
    *,
    drains: bool,
) -> Call | None:
    """The Call of ``invocable``; None when the arguments have no such form.

    ``receiver`` is () or a one-tuple.  A property is read without and set with an argument, and
    so is an open field.
    """
    then = invocable.continuation(drains=drains)
    if invocable.command is not None:
        return Call("invoke", invocable.command.root, tuple(args), tuple(kwargs))
    if invocable.kind == "property" or invocable.is_open_field:
        kind: CallKind = "set" if args else "get"
        taken: Then = "" if args or then != "drain" else then
        return Call(kind, invocable.name, (*receiver, *args), (), taken)
    if invocable.kind == "field":
        return None
    if invocable.kind != "method":
        target = invocable.owner if invocable.kind == "constructor" else invocable.id
        return Call("function", target, tuple(args), tuple(kwargs), then)
    if invocable.name not in SPECIAL_METHODS:
        return Call("method", invocable.name, (*receiver, *args), tuple(kwargs), then)
    made = _operation(invocable.name, receiver, args, kwargs, then)
    return replace(made, name="each") if made is not None and invocable.beside_length else made


def other_blocks(call: Call, at: int, errors: SequenceOf[Arg] = ()) -> list[tuple[Call, ...]]:
    """The same ``with``, its block raising, or open to what follows; [] for any other Call.

    ``at`` is where the Call stands in its Sequence, ``errors`` what its manager looks for.
    """
    is_given = call.kind == "operator" and call.name in ("with", "async with")
    entered = "enter" if is_given and call.name == "with" else call.then
    if entered not in ("enter", "await enter"):
        return []
    before = () if is_given else (replace(call, then=""),)
    manager = call.args[0] if is_given else Ref(at)
    if entered == "await enter":
        return [(*before, Call("method", "__aenter__", (manager,), then="await"))]
    known = {one.callee for one in errors if isinstance(one, Build)}
    usual = [Symbol("builtins", name) for name in ERRORS]
    found = [*errors, *[Build(one, (Const("abc"),)) for one in usual if one not in known]]
    raising = [Call("operator", "with raise", (manager, one)) for one in found]
    opened = Call("method", "__enter__", (manager,))
    return [(*before, one) for one in (*raising[:MAX_RAISING], opened)]


def passed_to(invocable: Invocable) -> tuple[Parameter, ...]:
    """The parameters that a Call may give: an operator passes no optional argument."""
    operator, _ = SPECIAL_METHODS.get(invocable.name, ("call", False))
    if invocable.kind != "method" or operator in ("call", "round"):
        return invocable.parameters
    return tuple([one for one in invocable.parameters if one.required])


def is_reflected(invocable: Invocable) -> bool:
    """Does the receiver stand on the right of the operator?"""
    return SPECIAL_METHODS.get(invocable.name, ("", False))[1]


def _operation(
    name: str,
    receiver: tuple[Arg, ...],
    args: list[Arg],
    kwargs: list[tuple[str, Arg]],
    then: Then,
) -> Call | None:
    operator, reflected = SPECIAL_METHODS[name]
    if operator != "call" and (kwargs or len(args) > MAX_OPERANDS):
        return None
    if operator in OF_ATTRIBUTES and not (args and _is_attribute(args[0])):
        return None
    then = _CONTINUATIONS.get(operator, then)
    if operator == "round" and args:
        operator = "round2"
    if operator == "**":
        args = args[:1]
    if operator in EXPLOSIVE and any(map(_is_huge, args)):
        return None
    operands = (*args, *receiver) if reflected else (*receiver, *args)
    return Call("operator", operator, operands, tuple(kwargs), then)


def _is_attribute(arg: Arg) -> bool:
    """Is it a name that stands behind a dot, in a class of tests, too?"""
    text = arg.value if isinstance(arg, Const) and isinstance(arg.value, str) else ""
    return text.isidentifier() and not iskeyword(text) and text[:2] != "__"


def _is_huge(arg: Arg) -> bool:
    value = arg.value if isinstance(arg, Const) else 0
    return isinstance(value, (int, float)) and abs(value) > MAX_EXPONENT


def drained(sequence: Sequence) -> Sequence:
    """``sequence``, of which what its last Call answers is iterated, unless more is done with it.

    ``merge(one, other)`` that returns what a generator function makes runs no line of that before.
    """
    *before, last = sequence.calls
    return sequence if last.then else Sequence((*before, replace(last, then="drain")))


def is_explosive(sequence: Sequence) -> bool:
    """Does a Call of an operator whose result may be astronomically large have a large operand?"""
    return any(
        call.kind == "operator" and call.name in EXPLOSIVE and any(map(_is_huge, call.args))
        for call in sequence.calls
    )


def constants(call: Call) -> list[Const]:
    """The atoms among the arguments of ``call``, containers included."""
    found: list[Const] = []
    stack = list(arguments(call))
    while stack:
        arg = stack.pop()
        if isinstance(arg, Const):
            found.append(arg)
        elif isinstance(arg, Display):
            stack.extend(arg.items)
    return found


def gives_twice(sequence: Sequence, item: object) -> bool:
    """Is ``item`` given at two places: what one puts somewhere the other is looked up by?"""
    given = [one.value for call in sequence.calls for one in constants(call)]
    return [type(one) is type(item) and one == item for one in given].count(True) > 1


def constants_on(receiver: Arg, calls: Iterable[Call]) -> dict[int, list[Const]]:
    """The atoms that ``calls`` on ``receiver`` are given, by their place among the arguments."""
    found: dict[int, list[Const]] = {}
    for call in calls:
        if call.kind != "function" and call.args[:1] == (receiver,):
            for place, arg in enumerate(call.args[1:]):
                if isinstance(arg, Const):
                    found.setdefault(place, []).append(arg)
    return found


def chain_length(sequence: Sequence) -> int:
    """How many Calls at the end are each made on the result of the one before."""
    length, last = 0, len(sequence) - 1
    while last - length > 0 and sequence.calls[last - length].args[:1] == (Ref(last - length - 1),):
        length += 1
    return length


def without_calls(
    sequence: Sequence, positions: Iterable[int], acting: Iterable[int] = ()
) -> Sequence | None:
    """``sequence`` without some Calls and those that need their results; None without the last.

    Nor has it Calls that have no object in common with the last one, or with those ``acting`` on
    it in another way.
    """
    dropped = set(positions)
    for place, call in enumerate(sequence.calls):
        if not dropped.isdisjoint(refs_of(call)):
            dropped.add(place)
    last = len(sequence) - 1
    if last in dropped:
        return None
    left = [place for place in range(len(sequence)) if place not in dropped]
    kept = slice_sequence(sequence, tuple(left))
    wanted = [left.index(one) for one in (*acting, last) if one not in dropped]
    return slice_sequence(kept, connected_calls(kept, tuple(wanted)))


def with_result_of(sequence: Sequence, first: int, other: int) -> Sequence:
    """``sequence`` with the result of Call ``first`` for that of ``other``, which is left out."""
    where = {at: at - (at > other) for at in range(len(sequence))} | {other: first}
    calls = [renumber_call(call, where) for call in sequence.calls]
    return Sequence((*calls[:other], *calls[other + 1 :]))


def made_alike(sequence: Sequence) -> list[tuple[int, int]]:
    """The places of each two Calls of one function or class whose results others are given.

    Those that one Call is given are not among them: what is added to itself is no usual sum.
    """
    given = [frozenset(refs_of(call)) for call in sequence.calls]
    made: dict[str, list[int]] = {}
    for at in sorted(frozenset().union(*given)):
        if sequence.calls[at].kind == "function":
            made.setdefault(sequence.calls[at].name, []).append(at)
    pairs = [pair for places in made.values() for pair in combinations(places, 2)]
    return [pair for pair in pairs if not any(refs.issuperset(pair) for refs in given)]


def one_for_two(sequence: Sequence, rng: Random) -> Sequence | None:
    """By chance ``sequence`` with one object for two that are made alike; None for no change."""
    pairs = made_alike(sequence)
    if not pairs or rng.random() >= ONE_FOR_TWO_CHANCE:
        return None
    return with_result_of(sequence, *pairs[rng.randrange(len(pairs))])
