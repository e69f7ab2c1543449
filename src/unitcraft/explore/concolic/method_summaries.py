"""The summary of a class: for each path of each method what it needs and does, whatever the state.

The fields that a method may read or write, and that hold an atom once the object is made, are
symbolic inputs; a truth value that it reads is tried as both.  A path is then a condition on
fields and arguments, and a term for each field that it changes.

Invariant: a path was run on an object whose fields were set from outside; that calls can bring
an object into this state is not said.

Source: JTESTCRAFT, table 4.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from unitcraft.core.sequences import Arg, Build, Call, Const, Ref
from unitcraft.core.sequences import Sequence as Program
from unitcraft.explore.calls import call_of
from unitcraft.explore.concolic.concolic_run import (
    ConcolicRun,
    RunRequest,
    run_on_workers,
    skeleton_of,
)
from unitcraft.explore.concolic.path_exploration import PathExploration
from unitcraft.explore.concolic.shape_model import InputShape, bind_arguments, without_inputs
from unitcraft.symbolic.terms.term import VARIABLE

if TYPE_CHECKING:
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.concolic.input_shapes import InputShapes
    from unitcraft.explore.influence.effects import Effects
    from unitcraft.solve.protocol import Solver
    from unitcraft.subject.model import ClassInfo, Invocable
    from unitcraft.symbolic.terms.term import Constraint, Kind, Term

#: Choices of truth values and shapes of arguments for one method: each has a tree of its own.
MAX_CHOICES: Final = 16
#: Paths of one choice: some fractions of a second.
MAX_RUNS_PER_CHOICE: Final = 40
#: In place of a field that is written and not read: which kind it has does not matter.
_UNREAD: Final = Const(0)


@dataclass(frozen=True, slots=True)
class SummaryPath:
    """One path: ``when`` and ``condition`` are what it needs, ``changes`` what fields then hold.

    ``holes`` names the inputs of the terms, ``values`` are those of the run; ``outcome`` is the
    class that was raised, or ''.
    """

    invocable: Invocable
    when: tuple[str, ...]
    condition: tuple[Constraint, ...]
    changes: tuple[tuple[str, Term], ...]
    holes: tuple[str, ...]
    kinds: tuple[Kind, ...]
    values: tuple[object, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class _Start:
    """The Calls that make an object with symbolic fields."""

    calls: tuple[Call, ...]
    when: tuple[str, ...]
    holes: tuple[str, ...]
    chosen: dict[str, object]


class MethodSummaries:
    """The summaries of classes; ``pool`` is one of ``concolic_agent``."""

    def __init__(self, pool: Pool, solver: Solver, shapes: InputShapes) -> None:
        self._pool = pool
        self._solver = solver
        self._shapes = shapes

    def of_class(self, info: ClassInfo, effects: Sequence[Effects]) -> Iterator[SummaryPath]:
        """The paths of the constructor, then those of the public methods of the class."""
        made = next(self._shapes.made(info, info.qualname, info.qualname), None)
        if made is None or not isinstance(made.arg, Build):
            return
        callee = made.arg
        name = f"{callee.callee.module}:{callee.callee.qualname}"
        first = Call(
            "function", name,
            tuple(map(without_inputs, callee.args)),
            tuple((each, without_inputs(arg)) for each, arg in callee.kwargs),
        )  # fmt: skip
        skeleton, values = skeleton_of(Program((first,)))
        (run,) = run_on_workers(self._pool, [RunRequest(skeleton, values)], "fields")
        atoms = dict(run.fields) if isinstance(run, ConcolicRun) else {}
        for row in effects:
            one = row.invocable
            if one.owner != info.id or not one.public or one.kind == "field":
                continue
            if one.kind in ("method", "property"):
                for start in islice(_starts(first, row, atoms), MAX_CHOICES):
                    yield from self._paths(one, start, (Ref(0),))
            elif one.kind == "constructor":
                yield from self._paths(one, _Start((), (), (), {}), ())

    def _paths(
        self, invocable: Invocable, start: _Start, receiver: tuple[Arg, ...]
    ) -> Iterator[SummaryPath]:
        scope = invocable.id.partition(":")[2]
        lists = self._shapes.argument_lists(invocable.parameters, scope, "")
        for forms in islice(lists, MAX_CHOICES):
            args, kwargs = bind_arguments(invocable.parameters, forms)
            call = call_of(
                invocable, receiver, list(args), list(kwargs), drains=invocable.is_generator
            )
            if call is not None:
                yield from self._explored(invocable, start, call, forms)

    def _explored(
        self, invocable: Invocable, start: _Start, call: Call, forms: Sequence[InputShape]
    ) -> Iterator[SummaryPath]:
        skeleton, values = skeleton_of(Program((*start.calls, call)))
        paths = PathExploration(self._solver, skeleton, values, most=MAX_RUNS_PER_CHOICE)
        when = (*start.when, *(text for form in forms for text in form.when))
        holes = (*start.holes, *(hole for form in forms for hole in form.holes))
        while requests := paths.take():
            answers = run_on_workers(self._pool, requests, "fields")
            for request, answer in zip(requests, answers, strict=True):
                new = paths.give(request, answer)
                if new and isinstance(answer, ConcolicRun) and answer.last == len(start.calls):
                    yield SummaryPath(
                        invocable, when, answer.events, _changes(answer, start), holes,
                        skeleton.kinds, answer.values, answer.outcome,
                    )  # fmt: skip


def _starts(first: Call, row: Effects, atoms: dict[str, object]) -> Iterator[_Start]:
    """Objects whose fields hold symbolic inputs, or a choice of truth values."""
    read = {one.name for one in row.uses}
    touched = [name for name in atoms if name in read | {one.name for one in row.defines}]
    columns: list[tuple[object, ...]] = [
        (False, True) if name in read and type(atoms[name]) is bool else (atoms[name],)
        for name in touched
    ]
    for chosen in product(*columns):
        calls, when, holes = [first], [], []
        fixed: dict[str, object] = {}
        for name, value in zip(touched, chosen, strict=True):
            if name in read and type(value) is bool:
                calls.append(Call("set", name, (Ref(0), Const(value))))
                when.append(f"self.{name} is {value}")
                fixed[name] = value
            else:
                calls.append(Call("set", name, (Ref(0), _hole(value, is_read=name in read))))
                holes.append(f"self.{name}")
        yield _Start(tuple(calls), tuple(when), tuple(holes), fixed)


def _hole(value: object, *, is_read: bool) -> Const:
    if not is_read or not isinstance(value, (int, float, str, bytes)):
        return _UNREAD
    return Const(type(value)())


def _changes(run: ConcolicRun, start: _Start) -> tuple[tuple[str, Term], ...]:
    """The fields that hold something other than before."""
    places = {name: place for place, name in enumerate(start.holes)}
    return tuple(
        (name, term)
        for name, term in run.fields
        if term != (VARIABLE, places.get(f"self.{name}", -1))
        and (name not in start.chosen or term is not start.chosen[name])
        and (not start.calls or name in start.chosen or f"self.{name}" in places)
    )
