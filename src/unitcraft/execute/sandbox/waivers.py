"""Translates the user's ``--allow`` for the layers of the kernel, which have no globs.

Invariant: a waiver opens the smallest folder or set of system calls that the kernel can express;
where no waiver names an event, nothing is opened.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from unitcraft.execute.policy import Policy

#: Events about files: a waiver of one makes a folder writable.
FILES = (
    *("open", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.utime"),
    *("os.rename", "os.link", "os.symlink", "os.truncate", "shutil.rmtree"),
    *("shutil.copyfile", "shutil.copytree", "shutil.move", "sqlite3.connect"),
)
#: Events about the network: a waiver of one gives the system calls of sockets back.
NETWORK = ("socket.__new__", "socket.connect", "socket.bind", "urllib.Request")
#: Events about processes: a waiver of one gives the start of programs back.
PROCESSES = (
    *("os.fork", "os.forkpty", "os.exec", "os.spawn", "os.posix_spawn", "os.system"),
    *("subprocess.Popen", "pty.spawn"),
)

#: System calls that a waiver of the network gives back.
NETWORK_CALLS = frozenset({"socket", "connect", "bind", "listen"})
#: System calls that a waiver of processes gives back.
PROCESS_CALLS = frozenset({"execve", "execveat"})


@dataclass(frozen=True, slots=True)
class Waivers:
    """The folders that may be written, and whether network and new processes are allowed."""

    folders: tuple[str, ...] = ()
    network: bool = False
    processes: bool = False

    @property
    def spared(self) -> frozenset[str]:
        """System calls that the filters allow."""
        network = NETWORK_CALLS if self.network else frozenset[str]()
        return network | (PROCESS_CALLS if self.processes else frozenset[str]())


def kernel_waivers(policy: Policy) -> Waivers:
    """The waivers of ``policy`` as far as the kernel enforces them."""
    return Waivers(
        tuple(_folder(glob) for name, glob in policy.allow if _matches_one(name, FILES)),
        any(_matches_one(name, NETWORK) for name, _ in policy.allow),
        any(_matches_one(name, PROCESSES) for name, _ in policy.allow),
    )


def _matches_one(pattern: str, events: Iterable[str]) -> bool:
    return any(fnmatchcase(event, pattern) for event in events)


def _folder(glob: str) -> str:
    """The folder that holds everything that ``glob`` can match."""
    fixed = glob
    for special in "*?[":
        fixed = fixed.partition(special)[0]
    path = os.path.realpath(fixed)
    is_whole = fixed == glob or fixed.endswith("/")
    return path if is_whole and os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
