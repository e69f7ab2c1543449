"""Concolic runs: programs with symbolic inputs, run on proxies through a pool of workers.

A Skeleton is a program whose constants are symbolic inputs; a request gives it inputs.  Branch
negation, the paths of candidate sequences and symbolic state exploration all run their programs
here, and all negate the leaves of a constraint tree by ``solve_leaf``.

Invariant: answers come in the order of the requests, one for each.  A run that did not end, or
met other events than its inputs were made for, is no ConcolicRun but a LostRun with its reason.

Source: JTESTCRAFT, section 3.1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from unitcraft.core.errors import UnitcraftError
from unitcraft.explore.agents.concolic_answer import ConcolicAnswer, SymbolicHeap
from unitcraft.explore.concolic.symbolic_inputs import pack_program
from unitcraft.explore.execution import reason_of
from unitcraft.solve.protocol import Sat, Unsat
from unitcraft.symbolic.kinds.kinds import kind_of
from unitcraft.symbolic.terms.interning import interned

if TYPE_CHECKING:
    from unitcraft.core.sequences import Sequence as Program
    from unitcraft.execute.pool.worker_pool import Pool
    from unitcraft.execute.spec import Reply
    from unitcraft.solve.protocol import Query, Solver
    from unitcraft.symbolic.terms.constraint_tree import TreeNode
    from unitcraft.symbolic.terms.term import Constraint, Kind, Term

#: A service of ``concolic_agent``: ``follow`` ends at the first Call that raises, ``reach`` goes on
#: and answers the heap of the receiver, ``end`` is ``follow`` with the marks of the last Call only
#: and the heap of all objects, ``fields`` is ``follow`` with the atoms in the receiver's fields.
Service = Literal["follow", "reach", "end", "fields"]
Values = tuple[Any, ...]

#: Why a run is lost that met other events than its inputs were made for.
DIVERGED: Final = "diverged"


@dataclass(frozen=True, slots=True)
class Skeleton:
    """A program without its inputs: the marshalled Calls, and the kinds of the inputs."""

    calls: tuple[bytes, ...]
    kinds: tuple[Kind, ...]


class RunRequest(NamedTuple):
    """A run to make.

    The run must begin with events of the outcomes ``prefix``, which its ConcolicRun leaves out, and
    then with the events ``known``, which it has although no worker sends them again.  ``leaf`` is
    the leaf of a constraint tree for which the inputs were made.
    """

    skeleton: Skeleton
    values: Values
    known: tuple[Constraint, ...] = ()
    prefix: bytes = b""
    leaf: TreeNode | None = None


class ConcolicRun(NamedTuple):
    """One run on proxies: its inputs and its path condition (all of it if ``whole``).

    ``marks`` are (site, number of events before it), where the code was rewritten with sites.
    ``outcome`` is '' for a return, else the class raised; ``last`` is the index of the Call that
    ended the run.  ``calls``, ``heap`` and ``fields``: see ConcolicAnswer.
    """

    skeleton: Skeleton
    values: Values
    events: tuple[Constraint, ...]
    whole: bool = True
    marks: tuple[tuple[int, int], ...] = ()
    outcome: str = ""
    last: int = 0
    calls: tuple[Any, ...] = ()
    heap: SymbolicHeap | None = None
    fields: tuple[tuple[str, Term], ...] = ()

    @property
    def sites(self) -> tuple[int, ...]:
        """The sites of the marks, in the order of their first hits."""
        return tuple(dict.fromkeys([site for site, _ in self.marks]))


@dataclass(frozen=True, slots=True)
class LostRun:
    """A request without a usable run.

    ``reason`` says why; ``broken`` is the error of a worker that failed, else ''.
    """

    reason: str
    broken: str = ""


def skeleton_of(program: Program) -> tuple[Skeleton, Values]:
    """The Skeleton of ``program``, and the constants that its inputs stand for."""
    calls, values = pack_program(program)
    kinds: Any = tuple([kind_of(value) for value in values])
    return Skeleton(calls, kinds), values


def run_on_workers(
    pool: Pool, requests: Iterable[RunRequest], service: Service = "follow"
) -> Iterator[ConcolicRun | LostRun]:
    """The runs of ``requests``, in order."""
    asked = list(requests)
    items = [
        (one.skeleton.calls, one.values, one.prefix + bytes([event[1] for event in one.known]))
        for one in asked
    ]
    for request, reply in zip(asked, pool.map(service, items), strict=True):
        yield _run_of(request, reply)


def _run_of(request: RunRequest, reply: Reply) -> ConcolicRun | LostRun:
    if reply.error:
        return LostRun("worker-broken", reply.error)
    if reply.failure is not None:
        return LostRun(reason_of(reply.failure))
    if reply.value is None:
        return LostRun("time")
    answer = ConcolicAnswer(*reply.value)
    if not answer.as_known:
        return LostRun(DIVERGED)
    return ConcolicRun(
        request.skeleton,
        request.values,
        (*request.known, *interned(answer.events)),
        answer.whole,
        answer.marks,
        answer.outcome,
        answer.last,
        answer.calls,
        SymbolicHeap(*answer.heap) if answer.heap else None,
        answer.fields,
    )


def check_worker(lost: LostRun, target: str) -> None:
    """Raises UnitcraftError ``worker-broken`` when ``lost`` is the failure of a worker."""
    if lost.broken:
        raise UnitcraftError(
            "worker-broken",
            f"{target}: a worker failed while it followed a sequence",
            cause=lost.broken,
        )


def solve_leaf(solver: Solver, leaf: TreeNode, query: Query) -> Values | None:
    """Inputs for ``query``, the constraints of an unexplored leaf.

    None when there are none, or none were found; then the leaf says so in its status.
    """
    verdict = solver.solve(query)
    if isinstance(verdict, Sat):
        return verdict.values
    if isinstance(verdict, Unsat):
        leaf.status = "infeasible"
    else:
        leaf.status, leaf.reason = "unknown", verdict.reason
    return None
