"""Variants of a Sequence with arguments that a caller would rather pass.

A search finds an argument that reaches a branch; a value that others pass, or one of a type that
the evidence speaks for, may reach it too and says more to a reader.

Invariant: a variant differs in one argument, which fits its parameter at least as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice, zip_longest
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    Const,
    Display,
    Ref,
    Sequence,
    Symbol,
    arg_key,
    refs_in,
    refs_of,
    renumber_call,
    slice_sequence,
)
from unitcraft.core.types import TypeExpr
from unitcraft.explore.plausibility.argument_burdens import (
    burden_of_place,
    burden_of_rarer,
    put_in_order,
)
from unitcraft.explore.plausibility.argument_fit import (
    STAND_IN,
    Fit,
    Plausibility,
    takes_any_number,
)
from unitcraft.explore.plausibility.common_numbers import common_numbers
from unitcraft.explore.plausibility.item_kinds import is_of_other_kind, of_like_kind
from unitcraft.explore.plausibility.named_values import better_named
from unitcraft.explore.plausibility.parameter_evidence import Evidence
from unitcraft.subject.ducktypes.kind_support import kind_of
from unitcraft.subject.ducktypes.result_uses import ResultUses
from unitcraft.subject.model import Invocable, Parameter
from unitcraft.subject.values.container_values import unique
from unitcraft.subject.values.value_pools import ValuePools

#: Members of an enumeration that are tried in place of one that is made by its value.
MAX_MEMBERS: Final = 8
#: Values of callers that are tried for one argument.
MAX_CALLERS: Final = 3
#: Types of a parameter whose values are tried, the likeliest first.
MAX_TYPES: Final = 3
#: Values of one type that are tried.
MAX_VALUES: Final = 2
#: What is tried in place of odd values and containers of objects, and the first two of it in
#: place of any value of which nothing is known.
_PLAINEST: Final[tuple[Arg, ...]] = (
    Const("abc"), Const(1), Const(value=True), Display("list", (Const(1), Const(2))),
)  # fmt: skip


#: Kinds of values for several arguments of which nothing is known, by their number.
_ALIKE: Final[tuple[Callable[[int], Arg], ...]] = (
    Const, lambda number: Const(chr(ord("a") + number - 1)),
)  # fmt: skip
#: Arguments that are replaced together: as many as there are letters.
MAX_ALIKE: Final = 26
#: What a function of any number of arguments may be given beside values of its pool.
_SOME: Final[tuple[Arg, ...]] = (
    Const("abc"), Const(1), Symbol("builtins", "int"), Symbol("builtins", "str"),
)  # fmt: skip
#: Stands where an object is put.
_MARK: Final = Const("object")
#: Class id -> (Sequence, number of the Call that makes an object), the plainest first.
Objects = Callable[[str], Iterable[tuple[Sequence, int]]]
#: (Invocable, Evidence, argument, function that puts another in its place).
_Place = tuple[Invocable, Evidence, Arg, Callable[[Arg], Call]]


class PlainArguments:
    """Proposes arguments for the parameters of one Subject (mutable: ``pools`` is a cache)."""

    def __init__(
        self, plausibility: Plausibility, pools: ValuePools, objects: Objects | None = None
    ) -> None:
        self._plausibility = plausibility
        self._pools = pools
        self._objects: Objects = objects or (lambda _: [])

    @property
    def result_uses(self) -> ResultUses:
        """What the code does with the results of calls."""
        return self._pools.result_uses

    @property
    def may_replace(self) -> bool:
        """May a test have stand-ins, of functions that it passes too?"""
        return self._pools.mocks

    def tokens(self, invocable: str) -> tuple[str, ...]:
        """Texts on which the code of the Invocable shows: which calls change, and its own."""
        own = self._pools.tokens(invocable.partition(":")[2])
        changed = chain.from_iterable(self._pools.changed_texts.values())
        return tuple(dict.fromkeys([*changed, *own]))

    def variants(self, sequence: Sequence) -> Iterator[Sequence]:
        """``sequence`` with one argument replaced, those of the last Call first.

        Arguments of ``*args`` are replaced together, by values of one kind.
        """
        for position in range(len(sequence) - 1, -1, -1):
            call = sequence.calls[position]
            for alike in (
                *self._alike(sequence, call),
                *self._filled(sequence, position),
                *self._with_some(sequence, call),
            ):
                yield Sequence((*sequence.calls[:position], alike, *sequence.calls[position + 1 :]))
            yield from _alike_items_of(sequence, position, self._plausibility)
            yield from self._in_order(sequence, position)
            yield from _with_two_objects(sequence, position)
            places = [(arg, _in_args(call, index)) for index, arg in enumerate(call.args)]
            places += [(arg, _in_kwargs(call, index)) for index, (_, arg) in enumerate(call.kwargs)]
            for arg, put in places:
                for value in self._other_values(sequence, call, arg):
                    calls = (*sequence.calls[:position], put(value))
                    yield Sequence((*calls, *sequence.calls[position + 1 :]))
            yield from self._in_turn(sequence, position)

    def _in_order(self, sequence: Sequence, position: int) -> Iterator[Sequence]:
        """``sequence`` with a start before its end among the arguments of a Call."""
        call = sequence.calls[position]
        names = self._plausibility.names_given(sequence, call)
        named = (*zip(names, call.args, strict=False), *call.kwargs)
        new = put_in_order(named) if self._plausibility.called(sequence, call) is not None else {}
        if new:
            padded = (*names, *[""] * len(call.args))
            args = tuple([new.get(name, arg) for name, arg in zip(padded, call.args, strict=False)])
            kwargs = tuple([(name, new.get(name, arg)) for name, arg in call.kwargs])
            other = replace(call, args=args, kwargs=kwargs)
            yield Sequence((*sequence.calls[:position], other, *sequence.calls[position + 1 :]))

    def _in_turn(self, sequence: Sequence, position: int) -> Iterator[Sequence]:
        """``sequence`` with the first value for each argument of a Call, then the second for each.

        The argument that fits its parameter least comes first: whoever tries a few has tried it.
        """
        call = sequence.calls[position]
        fits = [(self._plausibility.fit(one[1], one[2], sequence), one)
                for one in self._places(sequence, call)]  # fmt: skip
        fits.sort(key=lambda pair: -pair[0])
        rows = [self._at_place(sequence, position, fit, place) for fit, place in fits]
        for row in zip_longest(*rows):
            yield from (one for one in row if one is not None)

    def _at_place(
        self, sequence: Sequence, position: int, fit: Fit, place: _Place
    ) -> Iterator[Sequence]:
        """``sequence`` with another argument at one place."""
        invocable, evidence, arg, put = place
        calls = sequence.calls
        if isinstance(arg, Ref) and fit is Fit.FITS:
            for value in self._members(calls[arg.index]):
                given = Sequence((*calls[:position], put(value), *calls[position + 1 :]))
                yield _without_unused(given, refs_in(arg))
            return
        for way, index in self._ways(evidence) if fit >= Fit.ODD or isinstance(arg, Ref) else ():
            yield _with_object(sequence, position, put, way, index)
        for value in self._values(invocable, evidence, arg, fit):
            better = self._plausibility.fit(evidence, value, sequence) <= fit
            refused = fit >= Fit.ODD and value in _PLAINEST
            if (better or refused) and arg_key(value) != arg_key(arg):
                given = Sequence((*calls[:position], put(value), *calls[position + 1 :]))
                yield _without_unused(given, refs_in(arg))

    def _members(self, call: Call) -> Iterator[Arg]:
        """The members of the enumeration of which ``call`` makes one by its value."""
        made = TypeExpr("class", cls=call.name)
        named = f"{call.name.rpartition(':')[2]}."
        for value in self._pools.values(made, "", MAX_MEMBERS) if call.kind == "function" else ():
            if isinstance(value, Symbol) and value.qualname.startswith(named):
                yield value

    def with_options(self, sequence: Sequence) -> Iterator[Sequence]:
        """``sequence`` with one parameter given that it leaves out, by a value not its default.

        What comes out empty may be what the option changes.
        """
        for position in range(len(sequence) - 1, -1, -1):
            call = sequence.calls[position]
            invocable = self._plausibility.called(sequence, call)
            given = {*self._plausibility.names_given(sequence, call)[: len(call.args)]}
            given |= {name for name, _ in call.kwargs}
            for one in invocable.parameters if invocable is not None else ():
                if one.kind in ("positional", "keyword") and not one.required | (one.name in given):
                    value = next(self._unlike_default(invocable, one), None)
                    if value is not None:
                        new = replace(call, kwargs=(*call.kwargs, (one.name, value)))
                        calls = sequence.calls
                        yield Sequence((*calls[:position], new, *calls[position + 1 :]))

    def _unlike_default(self, invocable: Invocable | None, one: Parameter) -> Iterator[Arg]:
        """Values for a parameter that are neither its default nor None, the likeliest first."""
        if invocable is None:
            return
        evidence = self._plausibility.evidence(invocable)[one.name]
        shown = [one.value for one in self._plausibility.ladder.callers(invocable, one)]
        scope = invocable.id.partition(":")[2]
        for candidate in evidence.candidates[:MAX_TYPES]:
            shown += self._pools.values(candidate.type, scope, MAX_VALUES, name=one.name)
        for value in shown:
            if value not in (one.default, Const(None)) and not refs_in(value):
                yield value

    def _other_values(self, sequence: Sequence, call: Call, arg: Arg) -> Iterator[Arg]:
        """``arg`` with what its names mean; numbers of the code that ``call`` runs in its place."""
        yield from better_named(arg, self._plausibility.keys)
        invocable = self._plausibility.called(sequence, call)
        scope = invocable.id.partition(":")[2] if invocable is not None else ""
        yield from common_numbers(arg, self._pools.numbers(scope))

    def _ways(self, evidence: Evidence) -> Iterator[tuple[Sequence, int]]:
        """Ways to objects of the likeliest class that a search found ways to."""
        classes = [one.type.cls for one in evidence.candidates if one.type.name == "class"]
        for cls in classes[:1]:
            yield from islice(self._objects(cls), MAX_VALUES)

    def _places(self, sequence: Sequence, call: Call) -> Iterator[_Place]:
        """The arguments of ``call`` whose parameters are known."""
        invocable = self._plausibility.called(sequence, call)
        if invocable is None:
            return
        known = self._plausibility.evidence(invocable)
        names = self._plausibility.names_given(sequence, call)
        for index, (name, arg) in enumerate(zip(names, call.args, strict=False)):
            if name:
                yield invocable, known[name], arg, _in_args(call, index)
        for index, (name, arg) in enumerate(call.kwargs):
            if name in known:
                yield invocable, known[name], arg, _in_kwargs(call, index)

    def _values(
        self, invocable: Invocable, evidence: Evidence, arg: Arg, fit: Fit
    ) -> Iterator[Arg]:
        parameter = evidence.parameter
        shown = [one.value for one in self._plausibility.ladder.callers(invocable, parameter)]
        yield from shown[:MAX_CALLERS] if arg not in shown else ()
        if fit is Fit.FITS and not burden_of_rarer(evidence, arg):
            return
        if burden_of_place(evidence, arg):
            yield Const(0)
        if parameter.default is not None:
            yield parameter.default
        scope = invocable.id.partition(":")[2]
        for one in evidence.candidates[:MAX_TYPES]:
            yield from self._pools.values(one.type, scope, MAX_VALUES, name=parameter.name)
        odd = fit > Fit.UNKNOWN or bool(refs_in(arg))
        if odd:
            yield from (*_PLAINEST, *((Build(STAND_IN),) if self.may_replace else ()))
        elif not evidence.candidates:
            yield from (one for one in _PLAINEST[:2] if kind_of(one) != kind_of(arg))

    def _filled(self, sequence: Sequence, position: int) -> Iterator[Call]:
        """The Call of a constructor with the items that it may be given and is not."""
        evidence = self._plausibility.items_left_out(sequence, position)
        if evidence is None:
            return
        call = sequence.calls[position]
        made = self._plausibility.called(sequence, call)
        shown = self._plausibility.ladder.callers(made, evidence.parameter) if made else []
        given = [one.value for one in shown]
        given += self._pools.values(evidence.candidates[0].type, "", MAX_VALUES)
        filled = [one for one in given if isinstance(one, Display) and one.items]
        for value in filled[:MAX_VALUES]:
            yield replace(call, args=(value,))

    def _with_some(self, sequence: Sequence, call: Call) -> Iterator[Call]:
        """The Call of a function of any number of arguments with the first of them."""
        invocable = self._plausibility.called(sequence, call)
        if invocable is None or not takes_any_number(invocable) or call.kind == "operator":
            return
        names = self._plausibility.parameter_names(sequence, call)
        if len(call.args) != len(names):
            return
        rest = next(one for one in invocable.parameters if one.kind == "var_positional")
        shown = self._plausibility.ladder.callers(invocable, rest)
        scope = invocable.id.partition(":")[2]
        pool = self._pools.values(rest.type, scope, MAX_VALUES, name=rest.name)
        for value in unique([*[one.value for one in shown[:MAX_CALLERS]], *pool, *_SOME]):
            yield replace(call, args=(*call.args, value))

    def _alike(self, sequence: Sequence, call: Call) -> Iterator[Call]:
        """``call`` with numbers, then with words, for what nothing is known of beside ``*args``."""
        invocable = self._plausibility.called(sequence, call)
        if invocable is None or not takes_any_number(invocable):
            return
        known = self._plausibility.evidence(invocable)
        names = self._plausibility.parameter_names(sequence, call)
        free = [
            place for place, arg in enumerate(call.args)
            if not isinstance(arg, Ref) and (place >= len(names) or (
                names[place] and not known[names[place]].candidates))
        ]  # fmt: skip
        for value_of in _ALIKE if any(place >= len(names) for place in free) else ():
            new = list(call.args)
            for number, place in enumerate(free[:MAX_ALIKE], start=1):
                new[place] = value_of(number)
            yield replace(call, args=tuple(new))


def alike_items(sequence: Sequence, plausibility: Plausibility) -> Iterator[Sequence]:
    """``sequence`` with items of the kind of the others in place of those of another kind.

    What is put in and asked for is replaced together, those of the last Call first.
    """
    for position in range(len(sequence) - 1, -1, -1):
        yield from _alike_items_of(sequence, position, plausibility)


def _alike_items_of(
    sequence: Sequence, position: int, plausibility: Plausibility
) -> Iterator[Sequence]:
    call = sequence.calls[position]
    items = plausibility.items_beside(sequence, call)
    given = plausibility.items_given(sequence, call) if items else []
    for arg in [one for one in given if is_of_other_kind(one, items)]:
        for value in of_like_kind(arg, items):
            yield Sequence(tuple([_replaced(one, arg, value) for one in sequence.calls]))


def _with_two_objects(sequence: Sequence, position: int) -> Iterator[Sequence]:
    """``sequence`` with two objects that are made alike where a container holds one twice."""
    call = sequence.calls[position]
    for index, arg in enumerate(call.args):
        refs = (
            [one for one in arg.items if isinstance(one, Ref)] if isinstance(arg, Display) else []
        )
        for ref in [one for one in dict.fromkeys(refs) if refs.count(one) > 1][:1]:
            calls = sequence.calls
            where = {old: old + (old > ref.index) for old in range(len(calls))}
            moved = [renumber_call(one, where) for one in calls]
            other = moved[position].args[index]
            at = where[ref.index]
            if isinstance(other, Display):
                last = len(other.items) - 1 - other.items[::-1].index(Ref(at))
                items = (*other.items[:last], Ref(at + 1), *other.items[last + 1 :])
                moved[position] = _in_args(moved[position], index)(Display(other.kind, items))
                yield Sequence((*moved[: at + 1], calls[at], *moved[at + 1 :]))


def _with_object(
    sequence: Sequence, position: int, put: Callable[[Arg], Call], way: Sequence, index: int
) -> Sequence:
    """``sequence`` with the result of Call ``index`` of ``way``, made first, as the argument."""
    moved = {old: old + len(way) for old in range(len(sequence))}
    calls = [renumber_call(call, moved) for call in sequence.calls]
    marked = renumber_call(put(_MARK), moved)
    args = tuple([Ref(index) if arg is _MARK else arg for arg in marked.args])
    kwargs = tuple([(name, Ref(index) if arg is _MARK else arg) for name, arg in marked.kwargs])
    calls[position] = replace(marked, args=args, kwargs=kwargs)
    return Sequence((*way.calls, *calls))


def _without_unused(sequence: Sequence, made: tuple[int, ...]) -> Sequence:
    """``sequence`` without those Calls of ``made``, and what they needed, that no other refers to.

    They made an argument in whose place another stands.
    """
    gone, candidates = set[int](), set(made)
    for at in range(len(sequence) - 1, -1, -1):
        rest = [call for index, call in enumerate(sequence.calls) if index not in gone]
        if at in candidates and not any(at in refs_of(call) for call in rest):
            gone.add(at)
            candidates.update(refs_of(sequence.calls[at]))
    kept = tuple([at for at in range(len(sequence)) if at not in gone])
    return slice_sequence(sequence, kept) if gone else sequence


def _replaced(call: Call, old: Arg, new: Arg) -> Call:
    """``call`` with ``new`` for every argument ``old``."""
    args = tuple([new if one == old else one for one in call.args])
    kwargs = tuple([(name, new if one == old else one) for name, one in call.kwargs])
    return replace(call, args=args, kwargs=kwargs)


def _in_args(call: Call, index: int) -> Callable[[Arg], Call]:
    return lambda new: replace(call, args=(*call.args[:index], new, *call.args[index + 1 :]))


def _in_kwargs(call: Call, index: int) -> Callable[[Arg], Call]:
    name = call.kwargs[index][0]
    return lambda new: replace(
        call, kwargs=(*call.kwargs[:index], (name, new), *call.kwargs[index + 1 :])
    )
