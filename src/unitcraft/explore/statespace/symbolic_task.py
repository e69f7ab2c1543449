"""From the name of a class to a symbolic exploration: open workers, choose inputs, explore, close.

Invariant: the Subject is loaded in the workers only; the exploration follows from its
description, the method names, the domains and the heuristics.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from unitcraft.core.encoding import encode_call
from unitcraft.core.events import Listener, Progress, SilentListener
from unitcraft.core.sequences import Sequence
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.concolic.symbolic_inputs import encode_with_inputs, fill_inputs
from unitcraft.explore.statespace.branch_coverage import BranchCoverage
from unitcraft.explore.statespace.concrete_exploration import that_works
from unitcraft.explore.statespace.concrete_task import ClassToExplore, task_of
from unitcraft.explore.statespace.frontier import BestFirst, BreadthFirst
from unitcraft.explore.statespace.state_exploration import explore_states
from unitcraft.explore.statespace.symbolic_exploration import (
    Action,
    PathSelection,
    SymbolicStateSpace,
    SymbolicTask,
)
from unitcraft.explore.subject_request import request_subject
from unitcraft.solve.chain import chain
from unitcraft.solve.statistics import Statistics
from unitcraft.state.symbolic.subsumption import ComparisonMode, Subsumption
from unitcraft.symbolic.kinds.kinds import kind_of

if TYPE_CHECKING:
    from unitcraft.core.sequences import Call
    from unitcraft.explore.concolic.path_exploration import PathCounts
    from unitcraft.explore.statespace.concrete_exploration import ConcreteTask
    from unitcraft.explore.statespace.frontier import Frontier
    from unitcraft.explore.statespace.state_exploration import IterationStats, Transition
    from unitcraft.explore.statespace.symbolic_exploration import Reached, State
    from unitcraft.symbolic.terms.term import Kind


@dataclass(frozen=True, slots=True)
class Heuristics:
    """The heuristics that bound and order an exploration.

    ``compare`` and ``merge`` say which states subsume others.  ``width``: explore only so many
    states in an iteration, those beside the most uncovered branches first (0: all of them).
    ``covering``: record branch coverage without ``width``, too.

    Source: ROSTRA, "Heuristics" and "Syntactic Comparison".
    """

    compare: ComparisonMode = "implication"
    merge: bool = False
    width: int = 0
    covering: bool = False
    choices: PathSelection = PathSelection()  # noqa: RUF009 - frozen


@dataclass(frozen=True, slots=True)
class SymbolicExploration:
    """The result of exploring ``task``.

    ``blocked`` counts, by reason, the tests that a bound or the policy ended.  ``solved``
    counts the verdicts (Sat, Unsat, Unknown) of each layer of the solver.  ``branches`` (hit, in
    all) and ``witnesses``, the Sequences that hit them, need ``covering`` or ``width``.
    """

    task: ConcreteTask
    iterations: tuple[IterationStats, ...]
    blocked: tuple[tuple[str, int], ...]
    counts: PathCounts
    solved: dict[str, list[int]]
    branches: tuple[int, int] = (0, 0)
    witnesses: tuple[Sequence, ...] = field(default=())


def explore_symbolically(
    request: ClassToExplore, heuristics: Heuristics | None = None, listener: Listener | None = None
) -> SymbolicExploration:
    """Explore the class of ``request`` on symbolic arguments through guarded workers.

    Raises UnitcraftError as ``explore_class`` does.
    """
    heuristics = heuristics or Heuristics()
    covering = heuristics.covering or heuristics.width > 0
    agent = "unitcraft.explore.agents.concolic_agent"
    spec = request.host(agent, request.module, sites=covering)
    original = request.host("unitcraft.explore.agents.replay_agent", request.module)
    with Pool(spec, request.jobs) as pool, Pool(original, request.jobs) as oracle:
        task = that_works(task_of(request_subject(pool, request.module), request), oracle)
        seen = BranchCoverage(pool.ready["sites"]) if covering else None
        return _explore(
            task, (pool, oracle), request, heuristics, seen, listener or SilentListener()
        )


def _explore(
    task: ConcreteTask,
    pools: tuple[Pool, Pool],
    request: ClassToExplore,
    heuristics: Heuristics,
    covering: BranchCoverage | None,
    listener: Listener,
) -> SymbolicExploration:
    statistics = Statistics()
    solver = chain(statistics)
    calls, actions = _actions(task)
    symbolic = SymbolicTask(task.target, encode_call(task.constructor), actions)
    model = SymbolicStateSpace(symbolic, pools[0], solver, heuristics.choices, covering, pools[1])
    seen: Subsumption[Reached] = Subsumption(
        heuristics.compare, merge=heuristics.merge, solver=solver
    )
    iterations = []
    for stats in explore_states(
        model, seen, _frontier(heuristics, covering), request.bounds, _ignore
    ):
        iterations.append(stats)
        note = f"{stats.states} states, {stats.tests} tests"
        progress = Progress(
            task.target, "explore", stats.iteration, request.bounds.iterations, note
        )
        listener.progress(progress)
    found = SymbolicExploration(
        task,
        tuple(iterations),
        tuple(sorted(model.blocked.items())),
        model.counts,
        statistics.counts,
    )
    if covering is None:
        return found
    made = [_program(task, [calls[n] for n in path], values) for path, values in model.witnesses]
    return replace(found, branches=covering.branches(), witnesses=tuple(made))


def _actions(task: ConcreteTask) -> tuple[list[Call], tuple[Action, ...]]:
    """The Calls of ``task`` with symbolic inputs, each form of a Call once."""
    calls: dict[tuple[object, ...], tuple[Call, Action]] = {}
    for call in task.actions:
        encoded, values = encode_with_inputs(call)
        kinds: tuple[Kind, ...] = tuple(
            [kind for value in values if (kind := kind_of(value)) is not None]
        )
        form = (repr(encoded), kinds)
        calls.setdefault(form, (call, Action(call.name, encoded, kinds, values)))
    return [call for call, _ in calls.values()], tuple([action for _, action in calls.values()])


def _frontier(heuristics: Heuristics, covering: BranchCoverage | None) -> Frontier[State]:
    if covering is None or not heuristics.width:
        return BreadthFirst()
    return BestFirst(lambda state: -covering.beside(state.payload.sites), heuristics.width)


def _ignore(step: Transition[State, int], new: bool) -> None:  # noqa: FBT001
    """Nothing more is asked of the steps."""


def _program(task: ConcreteTask, calls: list[Call], values: tuple[object, ...]) -> Sequence:
    return Sequence((task.constructor, *fill_inputs(Sequence(tuple(calls)), values).calls))
