"""Calls of functions that functions return: a decorator's wrapper, what a factory made.

Invariant: the arguments of a function whose source is known are drawn as for any other; those of
another one from a few of every kind, as decorators want a function and others a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import (
    Arg,
    Build,
    Call,
    CallKind,
    Const,
    Display,
    Ref,
    Sequence,
    Source,
)
from unitcraft.explore.calls import CALLED
from unitcraft.explore.execution import Execution
from unitcraft.explore.plausibility.argument_fit import Plausibility
from unitcraft.explore.search.values.object_pool import Composer
from unitcraft.explore.search.values.parameter_model import ParameterModel, models_of, realise
from unitcraft.explore.search.values.value_choice import ValueChooser
from unitcraft.subject.model import Invocable

#: Calls of a function that a run returned.  Halved with eleven such bounds, sites of ``pellets``
#: (664, seed 0): +3.
FOLLOW_UPS: Final = 4
#: Calls of one returned function in a Sequence: a counter, or a cache, shows itself in the second.
#: Halved: no site of 759, 0.5 % fewer runs.
MAX_AGAIN: Final = 3
#: What a run shows of a result that can be awaited.
FUTURES: Final = ("_asyncio:Future", "_asyncio:Task")
#: Arguments for functions of unknown purpose: decorators want a function, others a value.
FUNCTION_ARGUMENTS: Final[tuple[Arg, ...]] = (
    Source("lambda x: x"), Const(1), Source("lambda *args: len(args)"), Const("a"),
    Display("list", (Const(1), Const(2))), Const(2), Source("lambda x, y: x + y"),
)  # fmt: skip


#: The kinds and names of Calls.
_Shape = tuple[tuple[CallKind, str], ...]


class ReturnedCalls:
    """Proposes the calls (mutable: the models of the parameters learn)."""

    def __init__(self, drawer: ValueChooser, judge: Plausibility | None) -> None:
        self._drawer = drawer
        self._judge = judge
        self._slots: dict[str, list[ParameterModel]] = {}
        self._attributes: dict[_Shape, list[str]] = {}

    def of_result(self, sequence: Sequence, attributes: list[str]) -> Iterator[Sequence]:
        """``sequence`` with calls of the function that its last Call returned.

        And of its ``attributes`` that are functions: a wrapper has some to ask what it counted.
        """
        result = Ref(len(sequence) - 1)
        self._attributes[_shape_of(sequence.calls)] = attributes
        for name in attributes:
            yield Sequence((*sequence.calls, self._asked(name, result)))
        call = Call(*CALLED, (result,))
        known = self._judge.called(Sequence((*sequence.calls, call)), call) if self._judge else None
        for _ in range(FOLLOW_UPS):
            yield self._call(sequence, result, known)

    def again(self, run: Execution) -> Iterator[Sequence]:
        """The run, whose last Call is of a returned function, with another call of that.

        The same one and another: a wrapper may count, or know what it answered before; its
        attributes tell, or forget it.  A future that was returned is awaited.
        """
        sequence, last = run.sequence, run.sequence.calls[-1]
        if run.behaviour in FUTURES:
            awaited = Call("operator", "itself", (Ref(len(sequence) - 1),), then="await")
            yield Sequence((*sequence.calls, awaited))
        made = last.args[0] if last.args else None
        if (last.kind, last.name) != CALLED or not isinstance(made, Ref) or self._judge is None:
            return
        before = [one for one in sequence.calls if one.args[:1] == last.args[:1]]
        known = self._judge.called(sequence, last)
        attributes = self._attributes.get(_shape_of(sequence.calls[: made.index + 1]), [])
        if len(before) >= MAX_AGAIN or (known is None and not attributes):
            return
        yield Sequence((*sequence.calls, last))
        for name in attributes:
            yield Sequence((*sequence.calls, self._asked(name, made, last.args[1:])))
        yield self._call(sequence, made, known)

    def _asked(self, attribute: str, function: Ref, given: tuple[Arg, ...] = ()) -> Call:
        """The Call of a public ``attribute`` of a ``function`` that was ``given`` something before.

        ``clear/1`` takes one argument: what the function was given, or one of a few.
        """
        name, _, count = attribute.partition("/")
        args = list(given[: int(count or 0)])
        while len(args) < int(count or 0):
            args.append(FUNCTION_ARGUMENTS[self._drawer.rng.randrange(len(FUNCTION_ARGUMENTS))])
        return Call("method", name, (function, *args))

    def _call(self, sequence: Sequence, result: Ref, known: Invocable | None) -> Sequence:
        if known is None or _forwards(known):
            rng = self._drawer.rng
            count = rng.choice((1, 1, 0, 2))
            drawn = [FUNCTION_ARGUMENTS[rng.randrange(len(FUNCTION_ARGUMENTS))]
                     for _ in range(count)]  # fmt: skip
            return Sequence((*sequence.calls, Call(*CALLED, (result, *drawn))))
        composer = Composer()
        composer.calls = list(sequence.calls)
        args: list[Arg] = [result]
        kwargs: list[tuple[str, Arg]] = []
        for position, slot in enumerate(self._models(known)):
            self._drawer.turn += 1
            if not slot.parameter.required and self._drawer.turn % 2:
                continue
            arg = realise(self._drawer.choice(slot, position).value, composer)
            if slot.parameter.kind == "keyword" or not slot.parameter.required:
                kwargs.append((slot.parameter.name, arg))
            else:
                args.append(arg)
        return composer.finish(Call(*CALLED, tuple(args), tuple(kwargs)))

    def _models(self, known: Invocable) -> list[ParameterModel]:
        if known.id not in self._slots:
            evidence = self._judge.evidence(known) if self._judge else {}
            scope = known.id.partition(":")[2]
            mocks = self._drawer.pools.mocks
            self._slots[known.id] = models_of(known.parameters, scope, evidence, mocks=mocks)
        return self._slots[known.id]


def _shape_of(calls: tuple[Call, ...]) -> _Shape:
    """What Sequences that make a function of the same code have in common, whatever is passed."""
    return tuple([(call.kind, call.name) for call in calls])


def shape_of_arguments(call: Call) -> tuple[str, ...]:
    """What kinds of arguments ``call`` passes: truth values and None as they are."""
    named = [("", one) for one in call.args] + list(call.kwargs)
    return tuple([f"{name}={_kind(arg)}" for name, arg in named])


def _kind(arg: Arg) -> str:
    match arg:
        case Const(None | True | False as value):
            return str(value)
        case Const(value):
            return type(value).__name__
        case Display(kind):
            return kind
        case Build(callee):
            return callee.qualname
        case Source(text):
            return text.partition(":")[2].strip() or text  # what it answers matters
    return type(arg).__name__


def _forwards(known: Invocable) -> bool:
    """Does it take any arguments, mostly those of what it wraps?"""
    return any(one.kind.startswith("var_") for one in known.parameters)
