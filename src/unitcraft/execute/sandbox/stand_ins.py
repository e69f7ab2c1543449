"""Stand-ins for what processes share, so that modules which make it while imported can be imported.

A lock, a queue or an array of ``multiprocessing`` lives in ``/dev/shm``, a pool has processes, a
socket belongs to the network: each would be refused.  Here locks are of this process alone,
memory is a file in its temporary folder, the processes of a pool never run, and a socket that an
import makes, or that is of a class of somebody's own, is an end of a local pair.

Invariant: a stand-in makes nothing outside the temporary folder, and nothing that outlives this
process.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType, SimpleNamespace
from typing import Any, Final

from unitcraft.execute.policy import SOCKET_MODULES, Policy
from unitcraft.execute.sandbox.audit import is_importing
from unitcraft.execute.sandbox.local_semaphore import SemLock
from unitcraft.execute.sandbox.waivers import kernel_waivers

#: Process ids from here on are never given: the largest ``pid_max`` of Linux.
FIRST_UNUSED_PID: Final = 1 << 22

_PIDS: Final = itertools.count(FIRST_UNUSED_PID)

Patch = Callable[[Any], None]


class ParkedProcess:
    """A started process of ``multiprocessing`` that never runs: it lives until it is terminated.

    Its ``sentinel`` becomes readable then, as that of a process which ended.
    """

    method = "fork"

    def __init__(self, _process: object) -> None:
        self.pid = next(_PIDS)
        self.returncode: int | None = None
        self.finalizer = None
        self.sentinel, self._end = os.pipe()

    def poll(self, _flag: int = 0) -> int | None:
        """Its exit code; None while it lives."""
        return self.returncode

    def wait(self, timeout: float | None = None) -> int | None:
        """Its exit code; waits for nothing, because nothing runs."""
        del timeout
        return self.returncode

    def terminate(self) -> None:
        """End it."""
        if self.returncode is None:
            self.returncode = -15
            os.close(self._end)

    kill = terminate

    def close(self) -> None:
        """Free its descriptors."""
        self.terminate()
        with contextlib.suppress(OSError):
            os.close(self.sentinel)


def _park_processes(context: Any) -> None:
    """Daemonic processes that are started by an import never run."""
    start = context.ForkProcess._Popen  # noqa: SLF001 - what Process.start calls

    def launch(process: Any) -> Any:
        return ParkedProcess(process) if process.daemon and is_importing() else start(process)

    context.ForkProcess._Popen = staticmethod(launch)  # noqa: SLF001


def _use_local_semaphores(module: Any) -> None:
    module.SemLock = SemLock


def _use_temporary_files(heap: Any) -> None:
    """Arenas of shared arrays are made where other temporary files are."""
    heap.Arena._dir_candidates = []  # noqa: SLF001 - it names /dev/shm


def _track_nothing(tracker: Any) -> None:
    """Nothing is left to be cleaned up by a process of its own."""
    tracker.register = tracker.unregister = lambda _name, _kind: None


def _share_memory_in_files(shared_memory: Any) -> None:
    """Named shared memory is a file in the temporary folder."""
    import tempfile  # noqa: PLC0415 - only where shared memory is used

    def place(name: str) -> str:
        return os.path.join(tempfile.gettempdir(), name.lstrip("/"))  # noqa: PTH118

    def shm_open(path: str, flags: int, mode: int = 0o777) -> int:
        return os.open(place(path), flags | os.O_CLOEXEC, mode)

    def shm_unlink(path: str) -> None:
        os.unlink(place(path))  # noqa: PTH108

    shared_memory._posixshmem = SimpleNamespace(shm_open=shm_open, shm_unlink=shm_unlink)  # noqa: SLF001


#: Methods of sockets that send or receive without an address -> the event that refuses them.
_TRAFFIC: Final = {
    **dict.fromkeys(("send", "sendall"), "socket.send"),
    **dict.fromkeys(("recv", "recv_into", "recvfrom", "recvfrom_into", "recvmsg"), "socket.recv"),
}


def _pair_sockets(socket: Any) -> None:
    """Some sockets are ends of local pairs: they can be set up, not connected.

    Those are the ones that an import makes, and objects of classes that others derive.  What the
    latter send or receive is refused, as without a connection it fails anyhow.
    """
    cls = socket.socket
    init, pair = cls.__init__, socket._socket.socketpair  # noqa: SLF001
    families = {-1, socket.AF_INET, socket.AF_INET6}

    def is_derived(self: Any) -> bool:
        return type(self).__module__ not in SOCKET_MODULES

    @functools.wraps(init)
    def make(
        self: Any,
        family: int = -1,
        type: int = -1,  # noqa: A002 - the name that callers give
        proto: int = -1,
        fileno: int | None = None,
    ) -> None:
        stands_in = is_importing() or is_derived(self)
        if fileno is None and family in families and stands_in:
            end, other = pair()
            other.close()
            shown = socket.AF_INET if family == -1 else family
            kind = socket.SOCK_STREAM if type == -1 else type
            init(self, shown, kind, max(proto, 0), end.detach())
        else:
            init(self, family, type, proto, fileno)

    def refusing(name: str) -> Callable[..., Any]:
        method = getattr(cls, name)

        @functools.wraps(method)
        def refuse(self: Any, *args: Any, **named: Any) -> Any:
            if is_derived(self) and self.family in families:
                sys.audit(_TRAFFIC[name], self)
            return method(self, *args, **named)

        return refuse

    cls.__init__ = make
    for name in _TRAFFIC:
        setattr(cls, name, refusing(name))


#: Module -> what is changed once it is loaded, if guarded code starts no process.
WITHOUT_PROCESSES: Final[dict[str, Patch]] = {
    "_multiprocessing": _use_local_semaphores,
    "multiprocessing.context": _park_processes,
    "multiprocessing.heap": _use_temporary_files,
    "multiprocessing.resource_tracker": _track_nothing,
    "multiprocessing.shared_memory": _share_memory_in_files,
}
#: The same, if guarded code has no network.
WITHOUT_NETWORK: Final[dict[str, Patch]] = {"socket": _pair_sockets}


class _PatchingLoader:
    """Loads a module as ``loader`` does, then patches it."""

    def __init__(self, loader: Any, patch: Patch) -> None:
        self._loader = loader
        self._patch = patch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The module, before its code runs."""
        made: ModuleType | None = self._loader.create_module(spec)
        return made

    def exec_module(self, module: ModuleType) -> None:
        """Run the module's code and patch what it made."""
        self._loader.exec_module(module)
        self._patch(module)


class _PatchingFinder:
    """Finds the modules of ``patches`` for a _PatchingLoader."""

    def __init__(self, patches: dict[str, Patch]) -> None:
        self._patches = patches

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module to patch; None for every other."""
        patch = self._patches.get(name)
        if patch is None:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _PatchingLoader(spec.loader, patch)  # type: ignore[assignment]
        return spec


def install(policy: Policy) -> None:
    """Put the stand-ins in place of what ``policy`` refuses."""
    if policy.level == "off":
        return
    waived = kernel_waivers(policy)
    patches = {} if waived.processes else dict(WITHOUT_PROCESSES)
    patches |= {} if waived.network else WITHOUT_NETWORK
    for name in [name for name in patches if name in sys.modules]:
        patches.pop(name)(sys.modules[name])
    sys.meta_path.insert(0, _PatchingFinder(patches))
