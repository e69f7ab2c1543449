"""A worker: serves batches of items until its socket closes, resetting state between items.

Invariant: the progress word names the item that runs, before it runs; the answer to a
batch holds the values of a prefix of it, and the reason when the prefix is not the whole batch.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import marshal
import os
import socket
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

from unitcraft.core.encoding import Plain
from unitcraft.execute import frames
from unitcraft.execute.frames import DIRTY, DONE, FLAG_OFFSET, INDEX_BITS, RETIRE
from unitcraft.execute.guest import interpret
from unitcraft.execute.guest.run_world import RunWorld
from unitcraft.execute.isolation import codec_registry
from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.execute.isolation.process_state import ProcessState, empty_folder
from unitcraft.execute.isolation.reset import Reset
from unitcraft.execute.sandbox import blocking_waits, elsewhere, local_semaphore
from unitcraft.execute.sandbox.audit import Journal
from unitcraft.execute.sandbox.clock import VIRTUAL
from unitcraft.execute.sandbox.streams import Streams
from unitcraft.execute.spec import HostSpec
from unitcraft.execute.steps import COUNTER, OutputExhausted, StepsExhausted

#: Bytes of one value; a larger one counts as too much output.
MAX_VALUE_BYTES = 1 << 24

#: The names of the current folder, home and temporary folder of a worker, here and elsewhere.
FOLDERS = ("cwd", "home", "tmp")
ELSEWHERE_FOLDERS = ("place", "person", "spare")

Service = Callable[[Plain], Plain]


@dataclass(frozen=True, slots=True)
class WorkerSetting:
    """The objects that a worker inherits from its host."""

    spec: HostSpec
    journal: Journal
    reset: Reset
    services: dict[str, Service]
    scratch: str
    progress: memoryview


class Worker:
    """Abstract state: the Subject in the state of its import, between two items."""

    def __init__(self, setting: WorkerSetting, sock: socket.socket, token: int, slot: int) -> None:
        self._setting = setting
        self._socket = sock
        self._token = token
        self._slot = slot
        self._journal = setting.journal
        folder, writable = self._enter_folders()
        is_on = setting.spec.policy.level != "off"
        self._streams = Streams(self._journal.refuse if is_on else None)
        self._streams.install()
        interpret.WORLDS[:] = [
            RunWorld(self._streams, self._journal, folder=f"{writable}{os.sep}test")
        ]
        if setting.spec.traced:
            COUNTER.trace()
        COUNTER.on_exhausted = self._note_exhausted
        ENTROPY.watch()
        VIRTUAL.restart()
        restarts = (ENTROPY.rewind, VIRTUAL.restart)
        restorers = (local_semaphore.restorer(), codec_registry.restorer())
        more = (*restorers, *restarts, blocking_waits.end_waiting_daemons)
        self._process = ProcessState(self._journal, self._streams, folder, writable, more)
        self._reset = setting.reset
        self._reset.finish_snapshot(self._process)
        self._unchecked = False
        gc.disable()
        self._journal.quiet = False

    def _note_exhausted(self) -> None:
        """Set the flag that the parent reads if it has to kill this worker."""
        self._setting.progress[self._slot + FLAG_OFFSET] = 1

    def _enter_folders(self) -> tuple[str, str]:
        """Give the worker its own current folder, home and temporary folder."""
        base = f"{self._setting.scratch}{os.sep}w{self._slot:04d}"
        names = ELSEWHERE_FOLDERS if self._setting.spec.elsewhere else FOLDERS
        for name in names:
            empty_folder(f"{base}{os.sep}{name}")
        current, home, temporary = [f"{base}{os.sep}{name}" for name in names]
        os.environ.update(HOME=home, TMPDIR=temporary)
        tempfile.tempdir = None
        os.chdir(current)
        self._journal.writable = (os.path.realpath(temporary),)
        self._journal.scratch = base
        self._journal.host_scratch = self._setting.scratch
        if self._setting.spec.elsewhere:
            elsewhere.pretend_files(self._setting.scratch, temporary)
            elsewhere.pretend_system()
        return current, temporary

    def serve(self) -> NoReturn:
        """Answer batches until the parent closes the connection."""
        while True:
            try:
                batch = frames.receive(self._socket, self._token)
            except (EOFError, OSError):
                os._exit(0)
            answer, ending = self._run_batch(*batch)
            self._socket.sendall(answer)
            if ending != DONE:
                os._exit(0)

    def _run_batch(
        self,
        serial: int,
        name: str,
        limit: int,
        watched: tuple[str, ...],
        checks: bool,  # noqa: FBT001
        items: list[Plain],
    ) -> tuple[bytes, str]:
        """Run a batch; its packed answer and how it ended.

        The state of the groups ``watched`` is compared after each item; ``checks``: all state after
        the batch, even if it is a single item.
        """
        if not self._prepare_state(watched):
            return frames.pack((serial, DIRTY, [], {}), self._token), DIRTY
        service = self._setting.services.get(name) or _service_of_another_agent(name)
        values: list[Plain] = []
        failures: dict[int, Plain] = {}
        usable = True
        for index, item in enumerate(items):
            self._setting.progress[self._slot] = serial << INDEX_BITS | index + 1
            value, failure = self._run_item(service, item, limit)
            usable = self._reset.after_item() and failure is not OUT_OF_MEMORY
            if not usable and self._process.left_thread:
                failure = ("reject", "thread:left running", self._process.left_thread)
            values.append(value)
            if failure is not None:
                failures[index] = failure
            if not usable or (failure is not None and failure[0] == "exhaust"):
                break  # what it cost is not to be spent again if a later item ends the worker
        self._setting.progress[self._slot] = 0
        self._collect(limit)
        usable, changed = self._check_state(usable, len(values), checks)
        if changed:
            return frames.pack((serial, DIRTY, list(changed), {}), self._token), DIRTY
        return self._answer(serial, values, failures, DONE if usable else RETIRE)

    def _prepare_state(self, watched: tuple[str, ...]) -> bool:
        """Watch the groups ``watched``; nothing is left of earlier batches, else answers False."""
        usable = True
        if self._unchecked:
            _, usable = self._reset.after_batch()
            self._unchecked = False
        if watched != self._reset.watched:
            self._reset.watch(watched)
        return usable

    def _check_state(
        self,
        usable: bool,  # noqa: FBT001
        count: int,
        checks: bool,  # noqa: FBT001
    ) -> tuple[bool, tuple[str, ...]]:
        """Can the worker go on, and which state did ``count`` items change that none was to change?

        No other item has seen what a batch of one has changed: it is checked when the next batch
        comes, which never happens to a worker that was forked for one item.  That item may have run
        before, though, where another one then hung: such a batch ``checks``.
        """
        if count == 1 and not checks:
            self._unchecked = True
            return usable, ()
        changed, complete = self._reset.after_batch()
        return usable and complete, changed

    def _collect(self, limit: int) -> None:
        """Collect garbage now, not in an item; its finalizers have a step budget too.

        What is alive between items stays (our tables, modules that were loaded), so that the next
        collection need not look at it again.
        """
        COUNTER.start(limit)
        with contextlib.suppress(StepsExhausted):
            gc.collect()
        COUNTER.stop()
        gc.freeze()

    def _answer(
        self, serial: int, values: list[Plain], failures: dict[int, Plain], ending: str
    ) -> tuple[bytes, str]:
        try:
            return frames.pack((serial, ending, values, failures), self._token), ending
        except ValueError:
            _drop_unsendable(values, failures)
            return frames.pack((serial, ending, values, failures), self._token), ending

    def _run_item(self, service: Service, item: Plain, limit: int) -> tuple[Plain, Plain]:
        """One item: (value, None), or (None, failure)."""
        value, failure = None, None
        if self._journal.refused:
            self._journal.clear()
        COUNTER.start(limit)
        try:
            value = service(item)
        except BaseException as error:  # noqa: BLE001 - anything the Subject may raise
            failure = _failure_of(error)
        interpret.WORLDS[0].leave_blocks()
        COUNTER.stop()
        interpret.WORLDS[0].undo()
        failure = self._find_violation() or failure
        if self._journal.refused:
            self._journal.refused.clear()
        refused = failure is not None and failure[0] == "reject"  # what the run showed is told too
        return (value if failure is None or refused else None), failure

    def _find_violation(self) -> Plain:
        """A broken bound or a refused effect, even if the Subject swallowed the exception."""
        if self._journal.refused:
            event, argument, where = self._journal.refused[0]
            return ("reject", f"{event}:{argument}", where)
        if COUNTER.exhausted:
            self._setting.progress[self._slot + FLAG_OFFSET] = 0
            return ("exhaust", "steps", "")
        if self._streams.sink.is_flooded():
            return ("exhaust", "output", "")
        return None


def _service_of_another_agent(name: str) -> Service:
    """The service ``module:name``, whose module this worker loads when it serves the first item.

    Neither the host nor its other workers hold the module.
    """
    module, _, own = name.partition(":")

    def serve(item: Plain) -> Plain:
        services: dict[str, Service] = importlib.import_module(module).SERVICES
        return services[own](item)

    return serve


#: The failure of an item that used up the worker's memory; its worker ends.
OUT_OF_MEMORY: Plain = ("exhaust", "memory", "MemoryError")


def _failure_of(error: BaseException) -> Plain:
    """The failure for an exception that left the service."""
    match error:
        case MemoryError():
            return OUT_OF_MEMORY
        case SystemExit() | KeyboardInterrupt() | GeneratorExit():
            return ("exhaust", "exit", type(error).__name__)
        case StepsExhausted() | OutputExhausted():
            return ("exhaust", "steps" if isinstance(error, StepsExhausted) else "output", "")
        case _:
            return ("error", _traceback(error))


def _traceback(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))[-4000:]
    except BaseException:  # noqa: BLE001 - the exception may be the Subject's
        return type(error).__name__


def _drop_unsendable(values: list[Plain], failures: dict[int, Plain]) -> None:
    """Replace the values that are too large or not plain by failures."""
    for index, value in enumerate(values):
        try:
            size = len(marshal.dumps(value, frames.MARSHAL_VERSION))
        except ValueError:
            failures[index] = ("error", f"the service answered with {_kind(value)}, not plain data")
            values[index] = None
            continue
        if size > MAX_VALUE_BYTES:
            failures[index] = ("exhaust", "output", f"an answer of {size} bytes")
            values[index] = None


def _kind(value: Any) -> str:
    return f"a {type(value).__name__}"
