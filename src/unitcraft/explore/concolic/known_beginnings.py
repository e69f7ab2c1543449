"""Paths after earlier calls that lead nowhere new: ``reset()`` of an object that is fresh.

Invariant: a path is left out only where a known symbolic state stands for that of its receiver, and
another path of the same call has the same outcome and takes the same branches.

Source: SYMSTRA, "Symbolic State Subsumption"; differs: states decide which paths are shown, not
which are explored.
"""

from __future__ import annotations

from collections.abc import Sequence

from unitcraft.core.sequences import Sequence as Program
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.concolic.concolic_run import (
    ConcolicRun,
    LostRun,
    RunRequest,
    run_on_workers,
    skeleton_of,
)
from unitcraft.explore.concolic.path_forest import Path
from unitcraft.solve.protocol import Solver
from unitcraft.state.symbolic.subsumption import Subsumption
from unitcraft.state.symbolic.symbolic_state import SymbolicState

#: The Calls before the last one, and the outcomes of the branches that they took.
_Beginning = tuple[tuple[bytes, ...], bytes | None]
#: The shape of a last Call, its outcome, and the sites that it hit.
_Ending = tuple[bytes, str, tuple[int, ...]]


def without_known_beginnings(paths: Sequence[Path], pool: Pool, solver: Solver) -> list[Path]:
    """``paths`` in their order, without those whose earlier calls come to a known state."""
    if not any(path.job.variant.after for path in paths):
        return list(paths)
    programs = [path.program for path in paths]
    beginnings = {repr(one.calls[:-1]): Program(one.calls[:-1]) for one in programs}
    requests = [RunRequest(*skeleton_of(one)) for one in beginnings.values()]
    states = dict(zip(beginnings, run_on_workers(pool, requests, "reach"), strict=True))
    wholes = [RunRequest(*skeleton_of(one)) for one in programs]
    ends = run_on_workers(pool, wholes, "end")
    rows = list(zip(paths, programs, ends, strict=True))
    known: Subsumption[None] = Subsumption(solver=solver)
    is_new: dict[_Beginning, bool] = {}
    seen: set[_Ending] = set()
    kept: set[int] = set()
    for path, program, run in sorted(rows, key=lambda row: len(row[0].job.variant.after)):
        state = _state_of(states[repr(program.calls[:-1])])
        taken = None if state is None else bytes([one[1] for one in state.condition])
        beginning = (path.met.skeleton.calls[:-1], taken)
        if beginning not in is_new:
            is_new[beginning] = state is None or known.add(state)
        ending = _ending_of(path, program, run)
        is_fresh = is_new[beginning] or not path.job.variant.after
        if is_fresh or ending is None or ending not in seen:
            kept.add(id(path))
        if ending is not None:
            seen.add(ending)
    return [path for path in paths if id(path) in kept]


def _state_of(run: ConcolicRun | LostRun) -> SymbolicState[None] | None:
    """The receiver's state after a run; None where it is not known as a whole."""
    if isinstance(run, LostRun) or run.heap is None or not run.whole or run.outcome:
        return None
    heap = run.heap
    return SymbolicState(heap.shape, heap.slots, run.events, run.skeleton.kinds, None, run.values)


def _ending_of(path: Path, program: Program, run: ConcolicRun | LostRun) -> _Ending | None:
    if isinstance(run, LostRun):
        return None
    (shape,) = skeleton_of(Program(program.calls[-1:]))[0].calls
    return shape, path.outcome, tuple(site for site, _ in run.marks)
