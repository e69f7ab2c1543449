"""The protocol of the kinds of variation: one way to make a new Sequence from a kept run.

Invariant: a kind draws from the given Random alone; it answers None where the run has nothing that
it could vary.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Final, Protocol, TypeVar

from unitcraft.core.sequences import Arg, Call, Sequence
from unitcraft.core.types import TypeExpr
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.values.object_pool import ObjectHistory
from unitcraft.explore.search.variation.module_flags import Flag
from unitcraft.subject.ducktypes.answer_shapes import AnswerShapes
from unitcraft.subject.model import Parameter
from unitcraft.subject.reading.replaceable_calls import AttributeUse

#: Of a module that calls nothing.
NO_ANSWERS: Final = AnswerShapes()
#: Anything that is picked.
Value = TypeVar("Value")


class ParameterSlot(Protocol):
    """A parameter whose values can be drawn (see ``parameter_model.ParameterModel``)."""

    parameter: Parameter
    declared: TypeExpr
    hints: list[TypeExpr]


@dataclass(frozen=True, slots=True)
class Materials:
    """What a run may be varied with: ``wanted`` is the scope of the code that it shall reach.

    ``line``: where that begins (0: it is not known); ``names`` are those that stand there.

    ``tokens`` are texts of the code, those near to ``wanted`` first, and ``keys`` those of them by
    which it looks things up; ``numbers`` are its integers.  ``donors`` are other kept runs.
    ``slots`` answers the parameters that Call number n takes, in their order, () if they are not
    known, and ``draw`` a plain value for parameter m of Call n, None if there is none.
    ``errors`` are the exceptions that ``wanted`` catches (``ValuePools.errors``), ``outside`` the
    functions that it calls and that reach out (``ValuePools.outside``); ``answers`` is what the
    code does with the answers of the functions that it calls.  ``makings`` answers the Calls by
    which runs made objects on ways of their own, by the name of their constructor, ``receivers``
    the ways to the objects on which the last Call can be made, ``others`` kept runs of other
    Invocables; ``reads_state``: it is of a function that reads what the module holds.  ``asked``
    are attributes for which ``wanted`` asks without needing them, on that line if it does there;
    ``uses`` is how the code uses attributes; ``clocks`` are the functions that the module asks for
    the time; ``mocks``: stand-ins may be made; ``flags`` are
    the variables of the module for which the line asks, by their dotted names.
    """

    wanted: str
    tokens: tuple[str, ...]
    keys: tuple[str, ...]
    numbers: tuple[int, ...]
    donors: tuple[Execution, ...]
    slots: Callable[[int], tuple[ParameterSlot, ...]]
    draw: Callable[[int, int], Arg | None]
    errors: tuple[tuple[str, str, Arg], ...] = ()
    outside: tuple[str, ...] = ()
    answers: AnswerShapes = NO_ANSWERS
    line: int = 0
    names: frozenset[str] = frozenset()
    makings: Callable[[str], tuple[Call, ...]] = lambda _: ()
    receivers: Callable[[], list[ObjectHistory]] = list
    others: Callable[[], list[Execution]] = list
    reads_state: bool = False
    asked: tuple[str, ...] = ()
    uses: Mapping[str, AttributeUse] = field(default_factory=dict)
    clocks: tuple[str, ...] = ()
    mocks: bool = True
    flags: tuple[Flag, ...] = ()


class VariationKind(Protocol):
    """One kind of variation; ``name`` is shown to people."""

    name: str

    def vary(self, run: Execution, materials: Materials, rng: Random) -> Sequence | None:
        """A Sequence like that of ``run``, different in one respect."""
        ...


class OnceEach:
    """Picks variants that were not picked before (mutable: it remembers them)."""

    def __init__(self) -> None:
        self._picked: set[str] = set()

    def pick(self, found: Iterable[Sequence], rng: Random) -> Sequence | None:
        """One of the new ones among ``found`` by chance; None if there is none."""
        new = [one for one in found if one.key not in self._picked]
        if not new:
            return None
        one = new[rng.randrange(len(new))]
        self._picked.add(one.key)
        return one


def pick_near(values: tuple[Value, ...], rng: Random) -> Value | None:
    """One of ``values`` by chance, the first ones more often; None if there is none."""
    return values[int(len(values) * rng.random() * rng.random())] if values else None
