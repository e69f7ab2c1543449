"""What the user's ``--allow`` means for the kernel's layers, which know no globs.

Invariant: a waiver opens the narrowest thing that the kernel can express, and nothing where
no waiver names the event.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from unitcraft.execute.policy import Policy

FILES = (
    *("open", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.chown", "os.utime"),
    *("os.rename", "os.link", "os.symlink", "os.truncate", "shutil.rmtree"),
    *("shutil.copyfile", "shutil.copytree", "shutil.move", "sqlite3.connect"),
)
NETWORK = ("socket.__new__", "socket.connect", "socket.bind", "urllib.Request")
PROCESSES = (
    *("os.fork", "os.forkpty", "os.exec", "os.spawn", "os.posix_spawn", "os.system"),
    *("subprocess.Popen", "pty.spawn"),
)

#: System calls that come back with a waiver.
NETWORK_CALLS = frozenset({"socket", "connect", "bind", "listen"})
PROCESS_CALLS = frozenset({"execve", "execveat"})


@dataclass(frozen=True, slots=True)
class Waivers:
    """``folders`` may be written; may the Subject use the network, may it start processes?"""

    folders: tuple[str, ...] = ()
    network: bool = False
    processes: bool = False

    @property
    def spared(self) -> frozenset[str]:
        """System calls that the filters leave alone."""
        network = NETWORK_CALLS if self.network else frozenset[str]()
        return network | (PROCESS_CALLS if self.processes else frozenset[str]())


def waivers(policy: Policy) -> Waivers:
    """The kernel's side of ``policy.allow``."""
    return Waivers(
        tuple(_folder(glob) for name, glob in policy.allow if _names(name, FILES)),
        any(_names(name, NETWORK) for name, _ in policy.allow),
        any(_names(name, PROCESSES) for name, _ in policy.allow),
    )


def _names(pattern: str, events: Iterable[str]) -> bool:
    return any(fnmatchcase(event, pattern) for event in events)


def _folder(glob: str) -> str:
    """The folder that holds everything that ``glob`` can match."""
    fixed = glob
    for special in "*?[":
        fixed = fixed.partition(special)[0]
    path = os.path.realpath(fixed)
    is_whole = fixed == glob or fixed.endswith("/")
    return path if is_whole and os.path.isdir(path) else os.path.dirname(path)  # noqa: PTH112, PTH120
