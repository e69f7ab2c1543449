"""The host (zygote): imports the Subject inside the guard once, then forks workers.

Invariant: after ``prepare`` the host runs no code of the Subject, except what the Subject left
running; it answers the parent and forks.  It ends when its parent does.
"""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import gc
import importlib
import mmap
import os
import socket
import sys
import threading
import traceback
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute import frames
from unitcraft.execute.frames import ANSWER, CONTROL_TOKEN, FORK, PROGRESS_BYTES, REQUEST
from unitcraft.execute.guest import interpret
from unitcraft.execute.guest.issued_messages import silence_what_pytest_captures
from unitcraft.execute.guest.subject_import import (
    advice_on,
    import_subject,
    load_late_imports,
)
from unitcraft.execute.guest.worker import Worker, WorkerSetting
from unitcraft.execute.isolation import codec_registry
from unitcraft.execute.isolation.entropy import ENTROPY
from unitcraft.execute.isolation.reset import Reset
from unitcraft.execute.isolation.subject_modules import dependencies, loaded_modules, top_name
from unitcraft.execute.sandbox import (
    audit,
    blocking_waits,
    clock,
    elsewhere,
    guard,
    limits,
    private_builtins,
    stand_ins,
)
from unitcraft.execute.sandbox.audit import Blocked, Journal
from unitcraft.execute.sandbox.optional_modules import OptionalModules
from unitcraft.execute.spec import HostSpec, from_plain
from unitcraft.execute.steps import COUNTER

#: Lowest descriptor of a worker's socket: above the descriptors that a Subject opens.
HIGH_DESCRIPTOR = 200
#: Flags of the code of coroutine functions and asynchronous generators, from ``inspect``.
ASYNC_FLAGS = 0x80 | 0x200
#: Missing variables that a message names where it cannot tell which of them matters.
MAX_VARIABLES = 2


class Host:
    """One host process.

    Abstract state: the Subject as imported, its Reset, and the control connection.
    """

    def __init__(self, spec: HostSpec, control: socket.socket, progress: memoryview) -> None:
        self._spec = spec
        self._control = control
        self._progress = progress
        self._scratch = str(Path.cwd())
        self._fork = os.fork
        roots = tuple(os.path.realpath(path) for path in spec.paths) + spec.paths
        self.journal = Journal(
            spec.policy, (self._scratch,), roots, invents=True, scratch=self._scratch
        )
        self.looked_up: tuple[str, ...] = ()

    def prepare(self) -> Plain:
        """Raise the guard and import the Subject; ("ready", result of the entry module, notes)."""
        spec = self._spec
        sys.path += spec.entry_paths
        private_builtins.COVERED_PACKAGES.add(spec.entry.partition(".")[0])
        entry = importlib.import_module(spec.entry)
        private_builtins.COVERED_PACKAGES.discard(spec.entry.partition(".")[0])
        private_builtins.COVERED_PACKAGES.add("unitcraft")
        sys.dont_write_bytecode = True
        known = frozenset(sys.modules)
        layers = guard.raise_host(spec.policy, self._scratch, spec.paths, spec.memory_mb)
        self.journal.confined = guard.is_confined(layers)
        audit.install(self.journal)
        audit.watch_looks(self.journal)
        stand_ins.install(spec.policy)
        codec_registry.watch()
        sys.path[:0] = spec.paths
        clock.announce_sleep()
        blocking_waits.refuse_endless_waits(COUNTER.exhaust)
        if spec.virtual_time:
            clock.virtualise(spec.clock_shift)
        elif spec.clock_shift:
            clock.shift(spec.clock_shift)
        if spec.elsewhere:
            elsewhere.pretend()
            elsewhere.pretend_test(interpret)
        os.umask(elsewhere.ELSEWHERE_UMASK if spec.elsewhere else elsewhere.HERE_UMASK)
        sys.argv = elsewhere.WORDS if spec.elsewhere else ["unitcraft"]  # prog of argparse
        ENTROPY.install(spec.hash_seed)
        variables = elsewhere.watch_environment()
        subject = spec.focus[0] if spec.focus else ""
        optional = OptionalModules(subject.partition(".")[0], lends=spec.lends)
        sys.meta_path.append(optional)
        try:
            ready = entry.prepare(spec.options, partial(import_subject, spec.before_import))
        finally:
            self.looked_up = variables()
        refused = tuple(self.journal.refused)
        self.journal.own = audit.own_folders()
        for name in spec.focus if spec.elsewhere else ():
            load_late_imports(name)
        self.services = dict(entry.SERVICES)
        if "asyncio" not in sys.modules and _define_coroutines(_loaded_below(spec.paths, known)):
            importlib.import_module("asyncio")  # once, not in each worker that runs one
        silence_what_pytest_captures()
        self._take_snapshots(known)
        ENTROPY.keep()
        notes = {
            "layers": layers,
            "refused": refused,
            "threads": threading.active_count() - 1,
            "complete": self.reset.complete,
            "compared": self.reset.compared,
            "variables": tuple(sorted(self.looked_up)),
            "optional": optional.asked,
            "told": optional.told_by(subject),
        }
        self.journal.clear()
        return ("ready", ready, notes)

    def _take_snapshots(self, known: frozenset[str]) -> None:
        """Take the snapshots that the workers inherit."""
        self.journal.quiet = True
        prefixes = self._spec.subject or _loaded_below(self._spec.paths, known)
        lent = dependencies(self._spec.paths, self._spec.focus)
        prefixes = tuple(name for name in prefixes if top_name(name) not in lent)
        for module in loaded_modules(prefixes):
            if type(module) is ModuleType:  # to look into another one may run its code
                interpret.AT_IMPORT[module.__name__] = dict(vars(module))
        self.reset = Reset(prefixes, self._spec.focus)
        gc.collect()
        gc.freeze()
        self.journal.quiet = False
        self.journal.importing = False

    def serve(self) -> NoReturn:
        """Answer requests until the parent closes the connection."""
        self.journal.quiet = True
        while True:
            data, descriptors, _, _ = socket.recv_fds(self._control, REQUEST.size, 1)
            if len(data) < REQUEST.size:
                os._exit(0)
            operation, argument, token = REQUEST.unpack(data)
            answer = (
                self._fork_worker(argument, token, descriptors[0])
                if operation == FORK
                else _reap(argument)
            )
            self._control.sendall(ANSWER.pack(answer))

    def _fork_worker(self, slot: int, token: int, descriptor: int) -> int:
        """Fork a worker that talks over ``descriptor``; its process id."""
        host = os.getpid()
        pid = self._fork()
        if pid:
            os.close(descriptor)
            return pid
        try:
            self._control.close()
            high = _move_up(descriptor)
            guard.raise_worker(self._spec.policy, host)
            connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=high)
            Worker(self._setting(), connection, token, slot).serve()
        except BaseException:  # noqa: BLE001 - a worker never returns into the host's loop
            with contextlib.suppress(BaseException):
                os.write(2, traceback.format_exc().encode())
        os._exit(1)

    def _setting(self) -> WorkerSetting:
        return WorkerSetting(
            self._spec, self.journal, self.reset, self.services, self._scratch, self._progress
        )


def _move_up(descriptor: int) -> int:
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, HIGH_DESCRIPTOR)
    os.close(descriptor)
    return high


def _reap(pid: int) -> int:
    """The wait status of a worker that has ended or is about to."""
    try:
        return os.waitpid(pid, 0)[1]
    except ChildProcessError:
        return 0


def _loaded_below(paths: tuple[str, ...], known: frozenset[str]) -> tuple[str, ...]:
    """Names of modules loaded since ``known`` was taken from files below ``paths``."""
    roots = tuple(os.path.realpath(path) + os.sep for path in paths)
    return tuple(
        name
        for name, module in sorted(sys.modules.items())
        if name not in known and roots and os.path.realpath(_file_of(module)).startswith(roots)
    )


def _define_coroutines(names: tuple[str, ...]) -> bool:
    """Does one of these modules, or a class in them, hold a function with ``async``?"""
    spaces = [vars(sys.modules[name]) for name in names]
    classes = [vars(one) for space in spaces for one in space.values() if type(one) is type]
    functions = [
        one for space in [*spaces, *classes] for one in space.values() if type(one) is FunctionType
    ]
    return any(one.__code__.co_flags & ASYNC_FLAGS for one in functions)


def _file_of(module: Any) -> str:
    is_module = issubclass(type(module), ModuleType)
    file = module.__dict__.get("__file__") if is_module else None
    return file if isinstance(file, str) else ""


def failure_of(error: BaseException, journal: Journal, looked_up: tuple[str, ...] = ()) -> Plain:
    """The answer for an exception that stopped ``prepare``: slug, sentence, place, advice.

    ``looked_up`` are the variables of the environment that it asked for.
    """
    if isinstance(error, UnitcraftError):
        return ("failed", error.slug, error.what, error.cause, error.advice)
    where = _place_of(error, journal)
    kind = type(error).__name__
    if isinstance(error, Blocked) and journal.refused:
        event, argument, place = journal.refused[-1]
        what = f"importing performs {event} {argument!r} at {place}"
        return ("failed", "import-blocked", what, "", f"--allow {event}:{argument}")
    if isinstance(error, PermissionError) and journal.confined:
        advice = "if it is the sandbox that refuses this: --sandbox off"
        return ("failed", "import-failed", f"{kind}: {_message(error)}", where, advice)
    slug = "import-exit" if isinstance(error, SystemExit | KeyboardInterrupt) else "import-failed"
    what = f"{kind}: {_message(error)}"
    advices = (advice_on(error), _advice_on_variables(what, looked_up))
    return ("failed", slug, what, where, "; ".join(filter(None, advices)))


def _advice_on_variables(what: str, looked_up: tuple[str, ...]) -> str:
    """How to set the variables that ``what`` names, else those that were asked for last.

    Those of the interpreter are no part of it: its library looks them up for reasons of its own.
    """
    asked = [name for name in looked_up if not name.lstrip("_").startswith("PYTHON")]
    missing = [name for name in asked if name not in os.environ]
    named = [name for name in missing if name in what] or missing[-MAX_VARIABLES:]
    if not named:
        return ""
    flags = " ".join(f"--env {name}=VALUE" for name in named)
    return f"it looked up {', '.join(named)}, not set for guarded code: {flags}"


def _message(error: BaseException) -> str:
    try:
        return str(error)[:500]
    except Exception:  # noqa: BLE001 - the Subject's own class
        return "(no message)"


def _place_of(error: BaseException, journal: Journal) -> str:
    """file:line where the Subject raised; for a syntax error, where it is."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}"
    entries = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(journal.roots or ("/",)) and not frame.filename.startswith("<")
    ]
    return f"{entries[-1].filename}:{entries[-1].lineno}" if entries else ""


def main(parent: int, _: list[str], descriptors: list[int]) -> NoReturn:
    """Run a host.  ``descriptors``: control socket and progress file."""
    control_fd, progress_fd = descriptors
    limits.die_with_parent(parent)
    faulthandler.enable(2)
    control = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=control_fd)
    os.set_inheritable(control_fd, False)  # noqa: FBT003
    progress = memoryview(mmap.mmap(progress_fd, PROGRESS_BYTES)).cast("Q")
    os.close(progress_fd)
    spec = from_plain(frames.receive(control, CONTROL_TOKEN))
    host = Host(spec, control, progress)
    try:
        answer = host.prepare()
    except BaseException as error:  # noqa: BLE001 - anything the Subject may raise
        answer = failure_of(error, host.journal, host.looked_up)
    host.journal.quiet = True
    control.sendall(frames.pack(answer, CONTROL_TOKEN))
    host.serve()
