"""The paths through candidate sequences, each shared beginning explored once.

The sequences form a tree by their first calls.  A state is a run of some of them that came to the
end of a beginning; each call that may follow is explored under its path condition.  A state is
dropped when a call in it has influenced nothing, and nothing that follows can change that.

Invariant: states come in order of length; a path that is found ran to its end, on proxies and on
plain values, and each of its calls influenced a later one.

Source: JTESTCRAFT, section 4.4; differs: breadth first, and fields are watched on plain values.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from unitcraft.core.encoding import encode_sequence
from unitcraft.core.sequences import Arg, Const, Display, Ref
from unitcraft.core.sequences import Sequence as Program
from unitcraft.explore.agents.influence_agent import InfluenceAnswer
from unitcraft.explore.calls import call_of
from unitcraft.explore.concolic.combinations import by_rank
from unitcraft.explore.concolic.concolic_run import ConcolicRun, run_on_workers, skeleton_of
from unitcraft.explore.concolic.influence_criteria import can_be_extended, is_redundant
from unitcraft.explore.concolic.path_exploration import PathExploration
from unitcraft.explore.concolic.sequence_states import CallTree, SequenceStates
from unitcraft.explore.concolic.shape_model import InputShape, bind_arguments
from unitcraft.explore.concolic.symbolic_inputs import fill_inputs
from unitcraft.state.symbolic.symbolic_state import SymbolicState

if TYPE_CHECKING:
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.explore.concolic.input_shapes import InputShapes
    from unitcraft.explore.influence.effects import Effects, Slot
    from unitcraft.explore.influence.influence_matrix import InfluenceMatrix
    from unitcraft.solve.protocol import Solver
    from unitcraft.symbolic.terms.term import Constraint

#: Runs on proxies of one call under one path condition, as many as the thesis allows paths.
MAX_RUNS_PER_CALL: Final = 10
#: Choices of references and shapes for one call.
MAX_FORMS: Final = 12
#: Runs on proxies in all: some seconds.
MAX_RUNS: Final = 3_000
#: Elements of a container of objects.
MAX_OBJECTS: Final = 3
#: The program before the first call.
_EMPTY: Final = Program(())


@dataclass(frozen=True, slots=True)
class SequencePath:
    """A run to the end of some calls, the inputs filled in; ``numbers`` are those of the rows.

    ``when`` are the shapes chosen, ``condition`` is the path condition in the inputs ``holes``.
    """

    numbers: tuple[int, ...] = ()
    program: Program = _EMPTY
    when: tuple[str, ...] = ()
    holes: tuple[str, ...] = ()
    condition: tuple[Constraint, ...] = ()
    run: ConcolicRun | None = None


@dataclass(slots=True)
class SequenceCounts:
    """``runs`` on proxies; ``states`` that went on; what was ``pruned`` or ``redundant``.

    ``subsumed``: states that were not continued, because an earlier one stands for them.
    ``longest``: the number of calls up to which all beginnings were explored.
    """

    runs: int = 0
    states: int = 0
    pruned: int = 0
    redundant: int = 0
    raised: int = 0
    subsumed: int = 0
    longest: int = 0


class SequenceExploration:
    """Explores candidate sequences; ``tracing`` is a Pool of ``influence_agent``.

    ``prunes``: a state that a known one subsumes is not continued.  At most about ``most`` runs
    are made.
    """

    def __init__(
        self,
        pool: Pool,
        tracing: Pool,
        solver: Solver,
        matrix: InfluenceMatrix,
        shapes: InputShapes,
        *,
        prunes: bool = True,
        most: int = MAX_RUNS,
    ) -> None:
        self._pool = pool
        self._tracing = tracing
        self._solver = solver
        self._matrix = matrix
        self._shapes = shapes
        self._most = most
        self._states = SequenceStates(solver) if prunes else None
        self.counts = SequenceCounts()

    def paths(self, sequences: Sequence[tuple[int, ...]]) -> Iterator[SequencePath]:
        """The paths to the end of ``sequences``, short ones first."""
        frontier = [(SequencePath(), self._tree(sequences))]
        while frontier:
            following: list[tuple[SequencePath, CallTree]] = []
            for state, node in frontier:
                for number, child in node.children.items():
                    if self.counts.runs >= self._most:
                        return
                    for path in self._extended(state, number):
                        yield from self._judged(path, child, following)
            self.counts.states += len(following)
            self.counts.longest += 1
            frontier = following
        self.counts.longest = max(map(len, sequences), default=0)

    def _tree(self, sequences: Sequence[tuple[int, ...]]) -> CallTree:
        root = CallTree()
        for calls in sequences:
            node = root
            for one in calls:
                node = node.children.setdefault(one, CallTree())
            node.ends = True
        self._note_uses(root)
        return root

    def _note_uses(self, node: CallTree) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for number, child in node.children.items():
            row = self._matrix.rows[number]
            found.update(dict.fromkeys(one.name for one in (*row.uses, *row.loads)))
            found.update(dict.fromkeys(self._note_uses(child)))
        node.used = tuple(found)
        if self._states is not None:
            self._states.number(node)
        return node.used

    def _judged(
        self, path: SequencePath, node: CallTree, following: list[tuple[SequencePath, CallTree]]
    ) -> Iterator[SequencePath]:
        """The path if it ends a sequence and is not redundant; a state if more may follow."""
        assert path.run is not None  # noqa: S101 - every extension has one
        (reply,) = self._tracing.map("influences", [encode_sequence(path.program)])
        if reply.value is None:
            return
        answer = InfluenceAnswer(*reply.value)
        shared = [
            place
            for place, one in enumerate(path.numbers)
            if any(each.is_shared for each in self._matrix.rows[one].defines)
        ]
        if node.ends:
            if is_redundant(path.program, answer, shared):
                self.counts.redundant += 1
            else:
                yield path
        if not node.children:
            return
        returning = [
            place for place, one in enumerate(path.numbers) if self._matrix.rows[one].returns
        ]
        if path.run.outcome:
            self.counts.raised += 1
        elif not can_be_extended(path.program, answer, node.used, (*shared, *returning)):
            self.counts.pruned += 1
        elif not shared and self._is_known(path, returning, node):
            self.counts.subsumed += 1
        else:
            following.append((path, node))

    def _is_known(self, path: SequencePath, returning: Sequence[int], node: CallTree) -> bool:
        """Do the calls of ``node`` come to nothing new after ``path``?"""
        run = path.run
        if self._states is None or run is None or run.heap is None or not run.whole:
            return False
        state = SymbolicState(
            run.heap.shape, run.heap.slots, path.condition, run.skeleton.kinds, path.numbers,
            run.values,
        )  # fmt: skip
        roots = tuple(self._matrix.returns(path.numbers[place]) for place in returning)
        return self._states.is_known(state, roots, node)

    # -- one more call ---------------------------------------------------------------

    def _extended(self, state: SequencePath, number: int) -> Iterator[SequencePath]:
        """The paths of one more call after ``state``."""
        for program, when, holes in self._with_call(state, number):
            skeleton, values = skeleton_of(program)
            paths = PathExploration(
                self._solver, skeleton, values, state.condition, most=MAX_RUNS_PER_CALL
            )
            while requests := paths.take():
                answers = run_on_workers(self._pool, requests, "end")
                for request, answer in zip(requests, answers, strict=True):
                    self.counts.runs += 1
                    new = paths.give(request, answer)
                    if (
                        new
                        and isinstance(answer, ConcolicRun)
                        and answer.last == len(state.numbers)
                    ):
                        yield SequencePath(
                            (*state.numbers, number),
                            fill_inputs(program, answer.values),
                            (*state.when, *when),
                            (*state.holes, *holes),
                            (*state.condition, *answer.events),
                            answer,
                        )

    def _with_call(
        self, state: SequencePath, number: int
    ) -> Iterator[tuple[Program, tuple[str, ...], tuple[str, ...]]]:
        """The program of ``state`` with a Call of ``number``: references, shapes of the rest."""
        row = self._matrix.rows[number]
        invocable = row.invocable
        slots = {
            slot.name: self._references(state, slot, fits)
            for slot, fits in zip(row.slots, self._matrix.fits[number], strict=True)
        }
        receivers = slots.pop("self", [InputShape((), None)])
        prefix = self._prefix(state, row)
        columns = [
            self._column(row, place, prefix, slots) for place in range(len(invocable.parameters))
        ]
        made = product(receivers, islice(by_rank(columns), MAX_FORMS) if columns else [()])
        for receiver, forms in islice(made, MAX_FORMS):
            args, kwargs = bind_arguments(invocable.parameters, forms)
            given = () if receiver.arg is None else (receiver.arg,)
            call = call_of(
                invocable, given, list(args), list(kwargs), drains=invocable.is_generator
            )
            if call is not None:
                when = tuple(text for form in forms for text in form.when)
                holes = tuple(hole for form in forms for hole in form.holes)
                yield Program((*state.program.calls, call)), when, holes

    def _column(
        self, row: Effects, place: int, prefix: str, slots: dict[str, list[InputShape]]
    ) -> list[InputShape]:
        """The forms of one parameter: objects that are there, else shapes of its type."""
        parameter = row.invocable.parameters[place]
        found = list(slots.get(parameter.name, ()))
        if found:
            return found + ([] if parameter.required else [InputShape((), None)])
        if parameter.kind in ("var_positional", "var_keyword"):
            return [InputShape((), None)]
        scope = row.invocable.id.partition(":")[2]
        return list(self._shapes.of_parameter(parameter, scope, prefix + parameter.name))

    def _prefix(self, state: SequencePath, row: Effects) -> str:
        """What stands before the names of the inputs of the next call."""
        name = row.invocable.name
        if row.invocable.kind == "constructor":
            name = row.invocable.owner.rpartition(":")[2].rpartition(".")[2]
        rows = self._matrix.rows
        number = sum(rows[one].invocable.id == row.invocable.id for one in state.numbers)
        return f"{name}_{number + 1}." if number else f"{name}."

    def _references(self, state: SequencePath, slot: Slot, fits: int) -> list[InputShape]:
        """The earlier results that fit a slot, later ones first; containers of some of them."""
        places = [
            place
            for place in reversed(range(len(state.numbers)))
            if self._matrix.returns(state.numbers[place]) & fits
        ]
        refs: list[Arg] = [Ref(place) for place in places]
        if not slot.many:
            forms = [InputShape((), ref) for ref in refs]
            is_optional = slot.name != "self" and not slot.required
            return forms + (
                [InputShape((f"{slot.name} is None",), Const(None))] if is_optional else []
            )
        ordered = tuple(reversed(refs[:MAX_OBJECTS]))
        return [InputShape((), Display("list", ordered))] if refs else []
