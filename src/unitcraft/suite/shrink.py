"""Making a test smaller without losing what it is kept for.

Invariant: a candidate is adopted only when it costs less to read and still
reaches all Goals assigned to the test (checked by running it).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from unitcraft.core.terms import Arg, Const, Display, Sequence, moved_call, refs_of
from unitcraft.core.wire import encode_sequence
from unitcraft.execute.pool import Pool
from unitcraft.explore.execution import Execution, cost, execution
from unitcraft.explore.goals import GoalMap
from unitcraft.explore.substitute import inputs

#: Candidates tried for one test.
MAX_CANDIDATES = 30


@dataclass(slots=True)
class _Job:
    run: Execution
    goals: frozenset[str]
    candidates: Iterator[Sequence]
    tried: int = 0


def shrink(
    chosen: list[tuple[Execution, tuple[str, ...]]], goals: GoalMap, pool: Pool
) -> list[tuple[Execution, tuple[str, ...]]]:
    """The chosen executions, each replaced by a cheaper one where one was found."""
    jobs = [_Job(run, frozenset(kept), smaller(run.sequence)) for run, kept in chosen]
    active = list(jobs)
    while active:
        batch = [(job, candidate) for job in active if (candidate := _next(job)) is not None]
        replies = pool.map("run", [encode_sequence(sequence) for _, sequence in batch])
        for (job, candidate), reply in zip(batch, replies, strict=True):
            if reply.value is None or reply.failure is not None:
                continue
            run = execution(job.run.invocable, candidate, reply.value)
            if goals.sensible(run) and job.goals <= set(goals.goals_of(run)):
                job.run = run
                job.candidates = smaller(candidate)
        active = [job for job, _ in batch]
    return [(job.run, kept) for job, (_, kept) in zip(jobs, chosen, strict=True)]


def _next(job: _Job) -> Sequence | None:
    price = cost(job.run.sequence)
    for candidate in job.candidates:
        if job.tried >= MAX_CANDIDATES:
            return None
        if cost(candidate) < price:
            job.tried += 1
            return candidate
    return None


def smaller(sequence: Sequence) -> Iterator[Sequence]:
    """Candidates: one Call dropped, an optional argument dropped, a value made simpler."""
    for position in range(len(sequence) - 2, -1, -1):
        dropped = without(sequence, position)
        if dropped is not None:
            yield dropped
    for leaf, put in inputs(sequence):
        for value in simpler(leaf):
            yield put(value)


def without(sequence: Sequence, position: int) -> Sequence | None:
    """The Sequence without Call ``position``, or None when a later Call refers to it."""
    if any(position in refs_of(call) for call in sequence.calls[position + 1 :]):
        return None
    where = {
        old: old - (old > position) for old in range(len(sequence)) if old != position
    }
    return Sequence(
        tuple(
            moved_call(call, where)
            for old, call in enumerate(sequence.calls)
            if old != position
        )
    )


def simpler(leaf: Arg) -> Iterator[Arg]:
    """Simpler values of the same kind, simplest first."""
    if isinstance(leaf, Display):
        unit = 2 if leaf.kind == "dict" else 1
        if len(leaf.items) > unit:
            yield Display(leaf.kind, leaf.items[:unit])
            yield Display(leaf.kind, leaf.items[:-unit])
            yield Display(leaf.kind, leaf.items[unit:])
    elif isinstance(leaf, Const):
        value = leaf.value
        if isinstance(value, str) and len(value) > 1:
            yield Const(value[: len(value) // 2])
            yield Const(value[len(value) // 2 :])
            yield Const(value[:-1])
            yield Const(value[1:])
        elif type(value) is int and abs(value) > 2:  # noqa: PLR2004
            yield from (Const(small) for small in (0, 1, 2, value // 2, value // 10))
