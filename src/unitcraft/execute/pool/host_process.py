"""The parent's side of one host process: start, requests, end.

Invariant: a host leads its own session, and every process that it starts stays in its process
group; ``close`` kills the group and removes the scratch folder.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

import unitcraft
from unitcraft.core.encoding import Plain
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN
from unitcraft.execute import frames
from unitcraft.execute.frames import ANSWER, CONTROL_TOKEN, FORK, PROGRESS_BYTES, REAP, REQUEST
from unitcraft.execute.pool.fork_server import Launch, Process, start_process
from unitcraft.execute.pool.memory_growth import bound_growth
from unitcraft.execute.scratch import Scratch
from unitcraft.execute.spec import HostSpec, to_plain

#: Seconds that a host may take to fork or to reap a worker.
MAX_REQUEST_SECONDS = 20.0

#: Seconds to wait for a killed group to vanish; its zombies are reaped by their own parent.
MAX_GROUP_SECONDS = 0.2

#: Bytes of a dead host's standard error that an error message may quote.
MAX_TAIL_BYTES = 2000

#: A line of the traceback that faulthandler prints.
FAULT_LINE = re.compile(r'File "([^"]+)", line (\d+) in')

#: The folder of unitcraft.
OURS = str(Path(unitcraft.__file__).parents[1])

#: The first code of every guarded process.  Only ``unitcraft`` is found in the folder that the
#: first argument names: what is installed beside it is not for the Subject.  Its modules get
#: private builtins before any of them is imported, and their byte code is kept on disk like that of
#: any program, unless the user forbids it: compiling them takes half of the start of a host, and no
#: other process imports most of them.
BEGIN = f"""
import sys
sys.dont_write_bytecode = {sys.dont_write_bytecode}
from importlib.machinery import PathFinder
class Ours:
    folder = sys.argv.pop(1)
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return PathFinder.find_spec(name, [cls.folder]) if name == "unitcraft" else None
sys.meta_path.insert(0, Ours)
from unitcraft.execute.sandbox.private_builtins import protect
sys.meta_path.remove(Ours)
protect()
del Ours, PathFinder, protect
"""

#: What a fork server of hosts has loaded, besides the agent if that is part of unitcraft.
HOST: Final = "unitcraft.execute.guest.host"

#: Flags of guarded interpreters: no packages of the user, no current folder, no byte code on disk
#: but ours.
FLAGS = ("-s", "-P", "-B")


class HostGone(Exception):  # noqa: N818 - says what happened
    """The host died or stopped answering."""


@dataclass(slots=True)
class WorkerProcess:
    """A worker as the parent knows it."""

    pid: int
    slot: int
    token: int
    sock: socket.socket


def host_environment(scratch: str, hash_seed: int) -> dict[str, str]:
    """The scrubbed environment of guarded processes."""
    return {
        "HOME": scratch,
        "LANG": "C.UTF-8",
        "PATH": os.defpath,
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONNOUSERSITE": "1",
        "TMPDIR": scratch,
        "TZ": "UTC",
    }


class HostProcess:
    """A running host, which imports the Subject from the beginning.

    Abstract state: its process, the control connection, the shared progress words.
    """

    def __init__(self, spec: HostSpec) -> None:
        self._spec = spec
        self._is_closed = False
        self._folder = Scratch()
        scratch = Path(self._folder.path, "s")
        scratch.mkdir()
        self.scratch = str(scratch)
        self._words_file: IO[bytes] = tempfile.TemporaryFile(dir=self._folder.path)  # noqa: SIM115 - closed by close
        self._words_file.truncate(PROGRESS_BYTES)
        self._errors: IO[bytes] = tempfile.TemporaryFile(dir=self._folder.path)  # noqa: SIM115 - closed by close
        self.control, theirs = socket.socketpair()
        self._process = self._start(theirs)
        theirs.close()
        self.control.settimeout(MAX_REQUEST_SECONDS)
        with contextlib.suppress(OSError):  # it ended: ``prepare`` tells how
            self.control.sendall(frames.pack(to_plain(spec), CONTROL_TOKEN))

    def _start(self, theirs: socket.socket) -> Process:
        spec, python = self._spec, self._spec.python or OWN
        agent = (spec.entry,) if spec.entry.startswith("unitcraft.") else ()
        with Path(os.devnull).open("wb") as nowhere:
            return start_process(
                Launch(
                    command=(python.executable, *FLAGS),
                    begin=BEGIN,
                    ours=OURS,
                    main=f"{HOST}:main",
                    words=(),
                    cwd=self.scratch,
                    environment={
                        **host_environment(self.scratch, spec.hash_seed),
                        **dict(spec.environment),
                    },
                    stdout=nowhere.fileno(),
                    stderr=self._errors.fileno(),
                    descriptors=(theirs.fileno(), self._words_file.fileno()),
                    modules=(HOST, *agent),
                    digest=python.digest,
                )
            )

    def prepare(self) -> tuple[Plain, Plain]:
        """Wait for the Subject's import: (result of ``prepare``, notes).  Raises UnitcraftError."""
        self.control.settimeout(self._spec.import_seconds)
        try:
            answer = frames.receive(self.control, CONTROL_TOKEN)
        except TimeoutError:
            what = f"importing did not end within {self._spec.import_seconds:g} s"
            raise UnitcraftError("import-hang", what) from None
        except (EOFError, OSError, frames.FrameError):
            raise self._import_crash() from None
        self.control.settimeout(MAX_REQUEST_SECONDS)
        if answer[0] == "ready":
            bound_growth(self._process.pid, self._spec.item_memory_mb)
            return answer[1], answer[2]
        _, slug, what, cause, advice = answer
        raise UnitcraftError(slug, what, cause=cause, advice=advice)

    def _import_crash(self) -> UnitcraftError:
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        status = self._process.returncode
        how = "died" if status is None else describe_status(status)
        slug = "import-exit" if status is not None and status >= 0 else "import-crashed"
        tail = self.stderr_tail()
        cause = fault_place(tail) or tail.rpartition("\n")[2]
        return UnitcraftError(slug, f"the process ended while importing ({how})", cause=cause)

    def stderr_tail(self) -> str:
        """The end of the standard error of the host."""
        size = self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, size - MAX_TAIL_BYTES))
        return self._errors.read().decode("utf-8", "replace").strip()

    def fork(self, slot: int) -> WorkerProcess:
        """A fresh worker.  Raises HostGone."""
        ours, theirs = socket.socketpair()
        token = secrets.randbits(64)
        with theirs:
            request = REQUEST.pack(FORK, slot, token)
            try:
                socket.send_fds(self.control, [request], [theirs.fileno()])
                pid = ANSWER.unpack(frames.receive_exactly(self.control, ANSWER.size))[0]
            except (OSError, EOFError) as error:
                ours.close()
                raise HostGone from error
        return WorkerProcess(pid, slot, token, ours)

    def reap(self, child: WorkerProcess) -> int:
        """Kill a worker if it still lives; its exit status, negative for a signal."""
        child.sock.close()
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.pid, signal.SIGKILL)
        try:
            self.control.sendall(REQUEST.pack(REAP, child.pid, 0))
            status = ANSWER.unpack(frames.receive_exactly(self.control, ANSWER.size))[0]
        except (OSError, EOFError) as error:
            raise HostGone from error
        return os.waitstatus_to_exitcode(status)

    def words(self) -> memoryview:
        """The progress words of the workers, shared with them."""
        return memoryview(mmap.mmap(self._words_file.fileno(), PROGRESS_BYTES)).cast("Q")

    def close(self) -> None:
        """Kill the group, wait for the host, remove the scratch folder.  Once is enough."""
        if self._is_closed:
            return
        self._is_closed = True
        self.control.close()
        group = self._process.pid
        kill_group(group)
        self._process.wait()
        deadline = time.monotonic() + MAX_GROUP_SECONDS
        while kill_group(group) and time.monotonic() < deadline:
            time.sleep(0.005)
        self._errors.close()
        self._words_file.close()
        self._folder.remove()


def kill_group(group: int) -> bool:
    """Kill the rest of a process group; False when nothing is left of it."""
    try:
        os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def describe_status(status: int) -> str:
    """The text of an exit status (negative: a signal)."""
    if status >= 0:
        return f"exit status {status}"
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"


def fault_place(stderr_tail: str) -> str:
    """file:line of the innermost frame in the last dump of faulthandler; '' without a dump."""
    _, _, dump = stderr_tail.rpartition("Fatal Python error")
    found = FAULT_LINE.search(dump)
    return f"{found[1].rsplit('/', 1)[-1]}:{found[2]}" if found else ""
