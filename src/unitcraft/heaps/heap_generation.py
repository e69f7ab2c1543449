"""Generates the valid heaps of a class, scope by scope, through guarded workers.

The lazy engine runs the invariant once on symbolic values: a path that needs one more object waits
for its scope, so that all scopes up to N cost as much as N alone.  The Korat engine searches each
scope for itself, over concrete values.

Invariant: heaps come in one order for any machine and number of workers: smaller scopes first, then
as the search of one scope finds them.  Nothing of the Subject runs here.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING, Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener, Progress, SilentListener
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.execution import reason_of
from unitcraft.heaps.search_parts import SearchParts

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain
    from unitcraft.execute.spec import HostSpec
    from unitcraft.heaps.field_domains import Engine
    from unitcraft.heaps.heap_scope import HeapModel

#: The agent that searches.
AGENT: Final = "unitcraft.heaps.guest.heaps_agent"
#: Candidates that one item runs: less than a tenth of a second, unless they take many steps.
CHUNK: Final = 5_000
#: By how much that is divided when the Subject ended the worker, until one candidate is left.
NARROWING: Final = 70
#: Runs of the invariant that may end by running out of steps, at half a second each.
MAX_ENDLESS: Final = 100
#: Parts of a search that are searched at a time, whatever the number of workers is.
WIDTH: Final = 4
#: The token of a search that begins.
BEGINNING: Final = (0, (), (), ())
#: Seconds of CPU time for one item: all of its runs may take all of their steps.
MAX_SECONDS: Final = 10.0
#: Those for a seventieth of the candidates, after such an item has ended its worker.
MAX_NARROW_SECONDS: Final = 2.0
#: Stands for a symbolic integer in a shape; None is another value of such a field.
INTEGER: Final = ("int",)
#: Steps of one item; each run is bounded by itself.
MAX_STEPS: Final = 1 << 40


@dataclass(frozen=True, slots=True)
class ValidHeap:
    """A heap on which the invariant holds: its canonical form, and the scope that it is of.

    ``explored`` is the number of candidates run before it and itself.
    """

    form: Plain
    scope: int
    explored: int


@dataclass(frozen=True, slots=True)
class ScopeStats:
    """Counts after one scope; those of the lazy engine include all smaller scopes."""

    scope: int
    explored: int
    valid: int
    seconds: float


@dataclass(slots=True)
class Generation:
    """Abstract state: what a generation has found so far.

    ``notes`` counts runs of the invariant that misbehaved, by what they did.  ``stopped`` says
    why not all candidates were run, '' if they were.
    """

    stats: list[ScopeStats] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)
    stopped: str = ""
    explored: int = 0
    valid: int = 0


@dataclass(frozen=True, slots=True)
class GenerationTask:
    """The heaps to generate: of ``model``, in ``scopes`` (ascending), by ``engine``.

    ``spec`` is a host of the Subject, whatever its agent; ``candidates`` bounds the runs of the
    invariant in one search, ``jobs`` the workers.
    """

    target: str
    model: HeapModel
    scopes: tuple[int, ...]
    engine: Engine
    spec: HostSpec
    candidates: int
    jobs: int = 1


def shape_of(form: Plain, symbolic: tuple[frozenset[int], ...]) -> Plain:
    """``form`` without the values of fields that are symbolic integers, by class and place."""
    return tuple(
        [
            (number, tuple([_without_integers(cell) if place in symbolic[number] else cell
                            for place, cell in enumerate(cells)]))
            for number, cells in form
        ]
    )  # fmt: skip


def _without_integers(cell: Plain) -> Plain:
    if type(cell) is list:
        return [_without_integers(item) for item in cell]
    return INTEGER if type(cell) is int else cell


class HeapGenerator:
    """One generation of a task; ``state`` is what it has found."""

    def __init__(self, task: GenerationTask, listener: Listener | None = None) -> None:
        self._task = task
        self._listener = listener or SilentListener()
        self.state = Generation()
        self._chunk, self._width = CHUNK, WIDTH

    def heaps(self) -> Iterator[ValidHeap]:
        """The valid heaps; whoever stops early has paid for little more than those that were seen.

        Raises UnitcraftError when a worker cannot go on.
        """
        if self._task.engine == "lazy":
            yield from self._all_scopes()
        else:
            for scope in self._task.scopes:
                yield from self._one_scope(scope)

    def _all_scopes(self) -> Iterator[ValidHeap]:
        """Search once; what needs more objects waits for its scope."""
        task, first = self._task, self._task.scopes[0]
        waiting: dict[int, list[Plain]] = {first: [BEGINNING]}
        shapes: set[bytes] = set()
        symbolic = task.model.symbolic_fields()
        started = perf_counter()
        with self._open(task.scopes[-1]) as pool:
            for scope in task.scopes:
                tokens = waiting.pop(scope, [])
                for heap in self._search(pool, scope, tokens, waiting):
                    shape = marshal.dumps(shape_of(heap.form, symbolic), 2)
                    if shape not in shapes:
                        shapes.add(shape)
                        self.state.valid += 1
                        yield heap
                if self.state.stopped:
                    return
                self._finish(scope, started)

    def _one_scope(self, scope: int) -> Iterator[ValidHeap]:
        """Search one scope over concrete values."""
        state, started = self.state, perf_counter()
        state.explored = state.valid = 0
        with self._open(scope) as pool:
            for heap in self._search(pool, scope, [BEGINNING], {}):
                state.valid += 1
                yield heap
        if not state.stopped:
            self._finish(scope, started)

    def _open(self, scope: int) -> Pool:
        task = self._task
        options = {
            "module": task.target.partition(":")[0],
            "scope": task.model.scope(scope, task.engine),
        }
        return Pool(replace(task.spec, entry=AGENT, options=options), self._task.jobs)

    def _search(
        self, pool: Pool, scope: int, tokens: list[Plain], waiting: dict[int, list[Plain]]
    ) -> Iterator[ValidHeap]:
        """The valid heaps below ``tokens``; searches put off join ``waiting``.

        Where the Subject ends a worker, all candidates before that one are run.
        """
        limits = self._task.model.counts(self._task.scopes[-1])
        bounds = tuple(map(min, limits, self._task.model.counts(scope)))
        state, parts, self._chunk, self._width = self.state, SearchParts(tokens), CHUNK, WIDTH
        while parts and not state.stopped:
            allowed = self._task.candidates - state.explored
            answer = parts.next_answer()
            if allowed <= 0 or (answer and answer[0] > allowed):
                state.stopped = f"{self._task.candidates} candidates were run"
            if answer:
                yield from self._take(answer, allowed, scope, waiting)
            elif not state.stopped:
                self._ask(pool, parts, bounds, allowed)

    def _take(
        self, answer: Plain, allowed: int, scope: int, waiting: dict[int, list[Plain]]
    ) -> Iterator[ValidHeap]:
        """The valid heaps of ``answer`` among the first ``allowed`` candidates."""
        state = self.state
        explored, valid, at, put_off, notes = answer
        before = state.explored
        state.explored += min(explored, allowed)
        for later, other in put_off:
            waiting.setdefault(max(later, scope + 1), []).append(other)
        for name, count in notes:
            state.notes[name] = state.notes.get(name, 0) + count
        if state.notes.get("steps", 0) >= MAX_ENDLESS:
            state.stopped = f"{state.notes['steps']} runs of the invariant had no end"
        for form, place in zip(valid, at, strict=True):
            if place <= allowed:
                yield ValidHeap(form, scope, before + place)
        self._report(scope)

    def _ask(self, pool: Pool, parts: SearchParts, bounds: tuple[int, ...], allowed: int) -> None:
        """Have the next parts searched; the search stops where the Subject ends each worker.

        Once it has ended one, parts are searched one by one, the first of them candidate by
        candidate in the end.
        """
        asked, limit = parts.waiting(self._width), min(self._chunk, allowed)
        items = [(part.tokens, bounds, limit) for part in asked]
        seconds = MAX_SECONDS if limit > CHUNK // NARROWING else MAX_NARROW_SECONDS
        replies = list(pool.map("search", items, batch=1, seconds=seconds, steps=MAX_STEPS))
        for part, reply in zip(asked, replies, strict=True):
            if reply.error:
                raise UnitcraftError(
                    "worker-broken",
                    f"{self._task.target}: a worker failed while it searched heaps",
                    cause=reply.error,
                )
            if reply.failure is not None:
                self._width = 1
                continue
            explored, valid, at, put_off, rest, notes = reply.value
            parts.answer(part, (explored, valid, at, put_off, notes), rest)
        failure = replies[0].failure
        if failure is not None and self._chunk == 1:
            self.state.stopped = f"the invariant ended a worker: {reason_of(failure)}"
        elif failure is not None:
            self._chunk = max(self._chunk // NARROWING, 1)

    def _finish(self, scope: int, started: float) -> None:
        state = self.state
        state.stats.append(ScopeStats(scope, state.explored, state.valid, perf_counter() - started))

    def _report(self, scope: int) -> None:
        state, last = self.state, self._task.scopes[-1]
        note = f"{state.explored} candidates, {state.valid} valid"
        self._listener.progress(Progress(self._task.target, "heaps", scope, last, note))
