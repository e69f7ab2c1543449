"""The parent's pool of guarded workers: batches out, replies back in order.

Invariant: the replies depend on the items, the spec and the batch size only, never on the
number of workers or their speed.  An item that kills its worker is answered by an Exhausted
after it killed a fresh worker alone; its neighbours run again without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Final, Self

from unitcraft.core.containment import TimeGuard
from unitcraft.core.encoding import Plain
from unitcraft.execute.pool.batch_runner import BatchRunner, MapRequest
from unitcraft.execute.pool.batches import part_of
from unitcraft.execute.pool.host_process import HostProcess
from unitcraft.execute.pool.workers import Workers
from unitcraft.execute.spec import HostSpec, Reply

#: Objects that are compared after a batch of the size asked for; a batch is larger where there are
#: more.  In a package of 1,000 modules (80,000 objects) comparing takes as long as 80 to 250 items.
MAX_COMPARED: Final = 8_000


class Pool:
    """A host and up to ``jobs`` workers forked from it.

    ``ready`` is the result of the entry module's ``prepare``; ``notes`` lists the layers in
    force and the effects refused during the import, counts the threads left running, and says
    whether the Subject's state fits into a snapshot.  A pool is used by one thread, which
    must live as long as the pool.  After ``guard`` struck, items are not run any more and have
    empty Replies.

    ``host`` is a host of ``spec`` that was started before, so that others could import at the same
    time; the pool closes it.
    Raises UnitcraftError with a slug ``import-…`` when the Subject cannot be imported.
    """

    def __init__(
        self,
        spec: HostSpec,
        jobs: int = 1,
        guard: TimeGuard | None = None,
        host: HostProcess | None = None,
    ) -> None:
        self._spec = spec
        self._guard = guard
        self._workers = Workers(spec, max(1, jobs), host)
        self.ready: Plain = self._workers.ready
        self.notes: Plain = self._workers.notes

    def map(
        self,
        service: str,
        items: Sequence[Plain],
        *,
        batch: int | None = None,
        isolate: bool = False,
        seconds: float | None = None,
        steps: int | None = None,
    ) -> Iterator[Reply]:
        """A Reply for each item, in order.

        ``service`` is one of the entry module's, or ``module:name``: one of another agent, which
        the worker that serves it loads; ask for that with ``isolate``.
        ``batch`` items (default: ``part_of``) go to a worker at a time, more where much state is
        compared after them; with ``isolate`` each item runs in a worker forked for it.
        ``seconds`` and ``steps`` bound one item (default: the spec's).
        Closing the iterator early ends the workers that are still busy.
        """
        if not items:
            return iter(())
        order = MapRequest(
            service,
            items,
            (batch or part_of(len(items))) * (1 + self.notes["compared"] // MAX_COMPARED),
            isolate,
            self._spec.item_seconds if seconds is None else seconds,
            self._spec.steps if steps is None else steps,
            self._guard,
        )
        return BatchRunner(self._workers, order).replies()

    def bound_by(self, guard: TimeGuard) -> None:
        """Let another phase's ``guard`` bound what is served from now on."""
        self._guard = guard

    def one(self, service: str, item: Plain) -> Reply:
        """The Reply to one item, in a worker that may have served others."""
        return next(self.map(service, (item,)))

    def close(self) -> None:
        """Kill the process group and remove the scratch folder."""
        self._workers.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        place: TracebackType | None,
    ) -> None:
        self.close()
