"""Concrete states, symbolic states and heaps as sources of tests, side by side for one class.

The classes have no invariant of their own: that of the heaps is inferred.  In scope N the integers
are 0 to N and sequences have N + 1 calls; the heaps have at most N objects of each class, and only
those are taken that calls reach.  A test is a sequence of calls whose last one is looked at: its
result, what it raises, the heap after it.  Printed are seconds until the tests are known, shapes
met and pairs of fields (of those that valid heaps have), the branches and the mutants of the code
that the methods enter; then the mutants that as many tests of each kill as the shortest list has,
taken evenly.
"""

from __future__ import annotations

import argparse
import marshal
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from bench_heap_suites import Yardstick
from reproduce_heaps import SUBJECTS

from unitcraft.core.encoding import Plain
from unitcraft.core.sequences import Call, Const
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.domains import Domains
from unitcraft.explore.statespace import symbolic_task
from unitcraft.explore.statespace.concrete_exploration import ConcreteStateSpace, SeenDigests
from unitcraft.explore.statespace.concrete_task import ClassToExplore, ConcreteTask, task_of
from unitcraft.explore.statespace.frontier import BreadthFirst
from unitcraft.explore.statespace.state_exploration import Bounds, explore_states
from unitcraft.explore.statespace.symbolic_exploration import SymbolicStateSpace, SymbolicTask
from unitcraft.explore.subject_request import request_subject
from unitcraft.heaps.field_coverage import FieldExtensions, PairReader
from unitcraft.heaps.guest.heap_form import form_of_object
from unitcraft.heaps.heap_generation import GenerationTask, HeapGenerator, shape_of
from unitcraft.heaps.heap_goals import heaps_worth_keeping
from unitcraft.heaps.heap_task import INFERRED, HeapsRequest, generation_task
from unitcraft.heaps.reaching_sequences import SequenceSearch, key_of
from unitcraft.heaps.transcoping import FieldSuite
from unitcraft.solve.chain import chain
from unitcraft.solve.statistics import Statistics
from unitcraft.state.symbolic.subsumption import Subsumption

#: The classes, with the methods that change or ask them.
CLASSES = (
    ("bin_search_tree", "BinSearchTree", ("insert", "remove", "contains")),
    ("linked_list", "LinkedList", ("add", "remove", "remove_last", "contains")),
    ("tree_map", "TreeMap", ("put", "remove", "get")),
)

#: Names of methods with their arguments, one after another.
Steps = tuple[tuple[str, tuple[Any, ...]], ...]


class Sequences:
    """Runs sequences of calls, on the original code or on a mutant."""

    def __init__(self, asked: GenerationTask) -> None:
        self._root = asked.model.classes[0].short
        self._known = {
            name: (number, fields) for number, (name, fields) in enumerate(asked.model.layout())
        }
        self.met: list[Plain] = []

    def outcomes(self, names: dict[str, Any], tests: Sequence[Steps]) -> Iterator[Plain]:
        """What the last call of each test comes to: result, exception, heap afterwards."""
        for steps in tests:
            root = names[self._root]()
            result, error = None, ""
            for name, args in steps:
                self.met.append(self._form(root))
                result, error = None, ""
                try:
                    result = getattr(root, name)(*args)
                except Exception as raised:  # noqa: BLE001 - an outcome
                    error = type(raised).__name__
            self.met.append(self._form(root))
            yield result, error, self.met[-1]

    def _form(self, root: Any) -> Plain:
        return form_of_object(root, self._known)


def steps_of(calls: Sequence[Call]) -> Steps:
    """The calls after the constructor."""
    return tuple([(one.name, tuple([arg.value for arg in one.args[1:]])) for one in calls[1:]])


def plain_steps(path: Sequence[bytes]) -> Steps:
    """The calls after the constructor of a path of marshalled Calls."""
    found = []
    for packed in path[1:]:
        _, name, args = marshal.loads(packed)[:3]
        found.append((name, tuple([arg[1] for arg in args[1:]])))
    return tuple(found)


def explored(asked: GenerationTask, methods: tuple[str, ...], scope: int) -> ClassToExplore:
    """The class, to be explored in ``scope``."""
    module, _, qualname = asked.target.partition(":")
    given = {"value": (Const(0),)} if module == "tree_map" else {}
    return ClassToExplore(
        module, qualname, Bounds(scope + 1), methods, paths=(str(SUBJECTS),),
        domains=Domains(tuple(range(scope + 1)), given),
    )  # fmt: skip


def concrete_tests(task: ConcreteTask, pool: Pool, bounds: Bounds) -> list[Steps]:
    """A test for each concrete state and call."""
    found: list[Steps] = []

    def watch(step: Any, _new: bool) -> None:  # noqa: FBT001
        path = (*step.source.path, step.action)
        found.append(steps_of((task.constructor, *[task.actions[place] for place in path])))

    space = ConcreteStateSpace(task, pool)
    for _ in explore_states(space, SeenDigests(), BreadthFirst(), bounds, watch):
        pass
    return found


def symbolic_tests(task: ConcreteTask, pool: Pool, bounds: Bounds) -> list[Steps]:
    """A test for each symbolic state and path, with the integers that a solver found."""
    _, actions = symbolic_task._actions(task)  # noqa: SLF001
    constructor = symbolic_task.encode_call(task.constructor)
    solver = chain(Statistics())
    space = SymbolicStateSpace(SymbolicTask(task.target, constructor, actions), pool, solver)
    found: list[Steps] = []

    def watch(step: Any, _new: bool) -> None:  # noqa: FBT001
        if step.target is None:
            return
        path, first = [marshal.dumps(constructor, 2)], 0
        for number in step.target.payload.actions:
            count = len(actions[number].kinds)
            path.append(actions[number].concrete(step.target.values[first : first + count]))
            first += count
        found.append(plain_steps(path))

    seen: Subsumption[Any] = Subsumption("implication", solver=solver)
    for _ in explore_states(space, seen, BreadthFirst(), bounds, watch):
        pass
    return found


def heap_tests(asked: GenerationTask, task: ConcreteTask) -> list[Steps]:
    """A test for each call in each heap of a field-exhaustive suite that calls reach."""
    suite = FieldSuite(PairReader.of(asked.model), asked.scopes, None)
    reached, symbolic = SequenceSearch(asked).run(), asked.model.symbolic_fields()
    suite.take(heaps_worth_keeping(asked, reached))
    found = [reached.paths.get(key_of(heap.form, symbolic)) for heap in suite.suite]
    return [steps_of((*calls, last)) for calls in found if calls for last in task.actions]


def table(module: str, cls: str, methods: tuple[str, ...], scope: int) -> None:
    """Print the rows of one class."""
    started = perf_counter()
    scopes = tuple(range(1, scope + 1))
    asked = generation_task(
        HeapsRequest(module, cls, scopes, invariant=INFERRED, paths=(str(SUBJECTS),))
    )
    preparing = perf_counter() - started
    wanted = FieldExtensions(PairReader.of(asked.model))
    for heap in HeapGenerator(asked).heaps():
        wanted.add(heap.form)
    request = explored(asked, methods, scope)
    tests: dict[str, tuple[list[Steps], float]] = {}
    agents = {"concrete": "replay_agent", "symbolic": "concolic_agent", "heaps": "replay_agent"}
    for source, agent in agents.items():
        sites = {"sites": False} if source == "symbolic" else {}
        entry = f"unitcraft.explore.agents.{agent}"
        options = {"module": module, **sites}
        with Pool(replace(asked.spec, entry=entry, options=options), 1) as pool:
            task = task_of(request_subject(pool, module), request)
            started = perf_counter()
            if source == "concrete":
                made = concrete_tests(task, pool, request.bounds)
            elif source == "symbolic":
                made = symbolic_tests(task, pool, request.bounds)
            else:
                made = heap_tests(asked, task)
        tests[source] = made, perf_counter() - started + preparing * (source == "heaps")
    runner = Sequences(asked)
    measure = Yardstick(module, runner, tests["concrete"][0])  # type: ignore[arg-type]
    few = min(len(made) for made, _ in tests.values())
    for source, (made, seconds) in tests.items():
        met = forms_met(asked, made)
        spread = [made[place * len(made) // few] for place in range(few)]
        symbolic = asked.model.symbolic_fields()
        shapes = {marshal.dumps(shape_of(form, symbolic), 2) for form in met}
        pairs = FieldExtensions(PairReader.of(asked.model))
        for form in met:
            pairs.add(form)
        total = sum(len(every) for every in wanted.pairs.values())
        shared = sum(len(set(every) & set(pairs.pairs[label]))
                     for label, every in wanted.pairs.items())  # fmt: skip
        print(
            f"{cls:14} {scope:2}  {source:9} {len(made):6} {seconds:7.2f} {len(shapes):6} "
            f"{shared:4}/{total:<4} {measure.branches(made):6.1f} {measure.killed(made):6.1f} "
            f"{measure.killed(spread):6.1f}",
            flush=True,
        )


def forms_met(asked: GenerationTask, tests: Sequence[Steps]) -> list[Plain]:
    """The heaps before and after each call, each once."""
    module = __import__(asked.target.partition(":")[0])
    runner = Sequences(asked)
    for _ in runner.outcomes(vars(module), tests):
        pass
    return list({marshal.dumps(form, 2): form for form in runner.met if form is not None}.values())


def main() -> None:
    """Print the table of all classes for the scopes asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scopes", type=int, nargs="*", default=[3])
    parser.add_argument("classes", nargs="*")
    chosen = parser.parse_args()
    sys.path.insert(0, str(SUBJECTS))
    print("class       scope  source      tests seconds shapes  pairs  branch % mutants % as many")
    for module, cls, methods in CLASSES:
        for scope in chosen.scopes:
            if not chosen.classes or cls in chosen.classes:
                table(module, cls, methods, scope)


if __name__ == "__main__":
    main()
