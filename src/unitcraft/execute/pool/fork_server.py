"""Starts guarded processes, most of them by forking one that has loaded their modules already.

A fork server is an interpreter that waits after its imports.  There is one for each interpreter,
first code, list of modules, and set of variables that interpreters read when they start (hash seed,
language).  Loading the modules costs ten times what the fork does, so servers are forked too: each
by a base that has loaded the modules which it shares with others, and that by a base of all that
agree in everything but modules, which has loaded the first code only.

Invariant: a forked process differs from one that was started for its request in nothing but the
modules that it has loaded; where one of these stands in the way of a module of the Subject, and
where a server cannot be had, a process of its own is started.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import select
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from unitcraft.execute import frames
from unitcraft.execute.frames import ANSWER, CONTROL_TOKEN

#: Beginnings of the names of variables that an interpreter or the loader reads at its start.
START_VARIABLES: Final = ("PYTHON", "LANG", "LC_", "LD_", "DYLD_", "MALLOC_")
#: Fork servers at a time, of some 20 MB each: ``generate`` of many modules uses eight.
MAX_SERVERS: Final = 12
#: Seconds that a server may take for its imports, or for a fork.
MAX_START_SECONDS: Final = 30.0
#: Seconds that a server may take to end when its connection is closed.
MAX_END_SECONDS: Final = 1.0
#: Words of a request, as ``command.fork_service`` reads them.
START_BYTE: Final = b"s"
REAP_BYTE: Final = b"r"
#: What a base is asked to fork, as ``command.fork_service`` reads it.
SERVE: Final = "server"
#: What the first code goes on with: alone, or as a server.
ALONE: Final = (
    "\nfrom unitcraft.execute.command.fork_service import run_alone\nrun_alone(sys.argv[1:])\n"
)
SERVER: Final = (
    "\nfrom unitcraft.execute.command.fork_service import run_forked\nrun_forked(sys.argv[1:])\n"
)


@dataclass(frozen=True, slots=True)
class Launch:
    """A process to start.

    ``command``: the interpreter with its flags; ``begin``: its first code; ``ours``: the folder
    of unitcraft.  ``main``, a ``module:function``, is called with the id of the parent, ``words``,
    and ``descriptors``.  ``modules`` may be loaded before, of which ``main`` loads the first one
    anyway, and the first ``shared`` ones serve other launches too; ``paths`` hold modules that must
    not be taken for what the others load.  ``lent``: see ``command.lent_packages``.
    """

    command: tuple[str, ...]
    begin: str
    ours: str
    main: str
    words: tuple[str, ...]
    cwd: str
    environment: Mapping[str, str]
    stdout: int
    stderr: int
    descriptors: tuple[int, ...] = ()
    modules: tuple[str, ...] = ()
    shared: int = 1
    paths: tuple[str, ...] = ()
    lent: tuple[tuple[str, str], ...] = ()
    digest: str = ""

    @property
    def start_variables(self) -> dict[str, str]:
        """The variables that the interpreter itself reads."""
        found = self.environment
        return {name: found[name] for name in sorted(found) if name.startswith(START_VARIABLES)}

    @property
    def server_environment(self) -> dict[str, str]:
        """The variables of a server."""
        return {"PATH": os.defpath, **self.start_variables}

    @property
    def stages(self) -> tuple[tuple[str, ...], ...]:
        """The modules of the base of all, and of the base of its server."""
        return (), self.modules[: self.shared]

    @property
    def key(self) -> tuple[object, ...]:
        """What launches of one server have in common."""
        variables = tuple(self.start_variables.items())
        return self.command, self.begin, self.modules, self.lent, self.digest, variables


class ForkedProcess:
    """A process that a server forked, as ``subprocess.Popen`` shows one (mutable)."""

    def __init__(self, server: ForkServer, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._server = server
        self._descriptor = os.pidfd_open(pid)

    def wait(self, timeout: float | None = None) -> int:
        """The exit status, negative for a signal.  Raises ``subprocess.TimeoutExpired``."""
        if self.returncode is None:
            waiting = select.poll()
            waiting.register(self._descriptor, select.POLLIN)
            if not waiting.poll(None if timeout is None else max(0.0, timeout) * 1000):
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0.0)
            os.close(self._descriptor)
            self.returncode = self._server.reap(self.pid)
        return self.returncode

    def kill(self) -> None:
        """Kill the process, if it still lives."""
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


Process = subprocess.Popen[bytes] | ForkedProcess


@dataclass(slots=True)
class ForkServer:
    """A server and the connection to it (mutable).  ``alive``: its children without a status."""

    process: Process
    connection: socket.socket
    loaded: frozenset[str] = frozenset()
    alive: int = 0
    is_lost: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def fork(self, launch: Launch) -> ForkedProcess | None:
        """The process of ``launch``; None when the server has gone."""
        descriptors = [launch.stdout, launch.stderr, *launch.descriptors]
        request = (launch.main, list(launch.words), launch.cwd, dict(launch.environment))
        with self._lock, self._in_step():
            socket.send_fds(self.connection, [START_BYTE], descriptors)
            self.connection.sendall(frames.pack(request, CONTROL_TOKEN))
            pid = self._answer()
            self.alive += 1
            return ForkedProcess(self, pid)
        return None

    def reap(self, pid: int) -> int:
        """The exit status of a process that has ended."""
        with self._lock, self._in_step():
            self.alive -= 1
            self.connection.sendall(REAP_BYTE + ANSWER.pack(pid))
            return os.waitstatus_to_exitcode(self._answer())
        return -signal.SIGKILL

    def _answer(self) -> int:
        return int(ANSWER.unpack(frames.receive_exactly(self.connection, ANSWER.size))[0])

    @contextlib.contextmanager
    def _in_step(self) -> Iterator[None]:
        """Give the server up when a request has no answer, or was interrupted."""
        try:
            yield
        except (OSError, EOFError):
            self.end()
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        """End the server, and with it what it has forked."""
        self.is_lost = True
        self.connection.close()
        try:
            self.process.wait(MAX_END_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class ForkServers:
    """The servers of this process by their key, the one used last at the end (mutable).

    Their bases fork nothing else, and end after them.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._servers: dict[tuple[object, ...], ForkServer] = {}
        self._bases: dict[tuple[object, ...], ForkServer] = {}
        self._lock = threading.Lock()

    def server_for(self, launch: Launch) -> ForkServer | None:
        """The server for ``launch``; None where it needs a process of its own."""
        if not launch.modules or not hasattr(os, "pidfd_open"):
            return None
        with self._lock:
            if self._owner != os.getpid():  # the servers belong to the process that forked us
                self._owner, self._servers, self._bases = os.getpid(), {}, {}
            server = self._servers.pop(launch.key, None)
            if server is None or server.is_lost:
                server = self._opened(launch)
            if server is None:
                return None
            self._servers[launch.key] = server
            return None if _hides(server.loaded, launch.paths) else server

    def _opened(self, launch: Launch) -> ForkServer | None:
        if len(self._servers) >= MAX_SERVERS:
            idle = [key for key, one in self._servers.items() if not one.alive]
            if not idle:
                return None
            self._servers.pop(idle[0]).end()
        base = self._base(launch, launch.stages)
        server = base and open_server(launch, base)
        self._end_unused_bases()
        return server

    def _base(self, launch: Launch, stages: tuple[tuple[str, ...], ...]) -> ForkServer | None:
        """The base that has loaded the last of ``stages``; None if it does not start."""
        *before, modules = stages
        plain = replace(launch, modules=modules)
        base = self._bases.pop(plain.key, None)
        if base is None or base.is_lost:
            base = open_server(plain, self._base(launch, tuple(before)) if before else None)
        if base is not None:
            self._bases[plain.key] = base
        return base

    def _end_unused_bases(self) -> None:
        """End the bases that have no fork left, and then theirs."""
        while unused := [key for key, base in self._bases.items() if not base.alive]:
            for key in unused:
                self._bases.pop(key).end()

    def close(self) -> None:
        """End all servers of this process."""
        with self._lock:
            if self._owner == os.getpid():
                for server in self._servers.values():
                    server.end()
                self._end_unused_bases()
                for base in self._bases.values():
                    base.end()
            self._servers.clear()
            self._bases.clear()


def open_server(launch: Launch, base: ForkServer | None = None) -> ForkServer | None:
    """A new server for launches like this one, forked by ``base``; None when it does not start."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = _start_server(launch, theirs) if base is None else _fork(launch, theirs, base)
    if process is None:
        ours.close()
        return None
    server = ForkServer(process, ours)
    ours.settimeout(MAX_START_SECONDS)
    try:
        server.loaded = frozenset(frames.receive(ours, CONTROL_TOKEN)) | (
            base.loaded if base else frozenset()
        )
    except (OSError, EOFError, frames.FrameError):
        server.end()
        return None
    return server


def _start_server(launch: Launch, connection: socket.socket) -> Process:
    packages = ",".join(f"{name}={folder}" for name, folder in launch.lent)
    words = [launch.ours, str(connection.fileno()), ",".join(launch.modules), packages]
    return subprocess.Popen(  # noqa: S603 - our own interpreter, or the one that was chosen
        [*launch.command, "-c", launch.begin + SERVER, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=launch.server_environment,
        pass_fds=(connection.fileno(),),
        start_new_session=True,
    )


def _fork(launch: Launch, connection: socket.socket, base: ForkServer) -> Process | None:
    with Path(os.devnull).open("wb") as nowhere:
        request = replace(
            launch,
            main=SERVE,
            words=(",".join(launch.modules),),
            cwd="/",
            environment=launch.server_environment,
            stdout=nowhere.fileno(),
            stderr=nowhere.fileno(),
            descriptors=(connection.fileno(),),
        )
        return base.fork(request)


def _hides(loaded: frozenset[str], paths: Sequence[str]) -> bool:
    """Is there a module in one of the folders with the name of a loaded one?"""
    for path in paths:
        with contextlib.suppress(OSError), os.scandir(path) as entries:
            if any(entry.name.partition(".")[0] in loaded for entry in entries):
                return True
    return False


#: The servers of this process.
SERVERS: Final = ForkServers()
atexit.register(SERVERS.close)


def start_process(launch: Launch) -> Process:
    """Start a process: forked by a server where there can be one."""
    server = SERVERS.server_for(launch)
    forked = None if server is None else server.fork(launch)
    return forked or _start_alone(launch)


def _start_alone(launch: Launch) -> subprocess.Popen[bytes]:
    numbers = ",".join(map(str, launch.descriptors))
    words = [launch.ours, str(os.getpid()), launch.main, numbers, *launch.words]
    return subprocess.Popen(  # noqa: S603 - our own interpreter, or the one that was chosen
        [*launch.command, "-c", launch.begin + ALONE, *words],
        stdin=subprocess.DEVNULL,
        stdout=launch.stdout,
        stderr=launch.stderr,
        cwd=launch.cwd,
        env=dict(launch.environment),
        pass_fds=launch.descriptors,
        start_new_session=True,
    )
