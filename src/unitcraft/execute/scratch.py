"""Scratch folders: each is locked by its owner, and folders of dead owners are swept.

They lie in memory where the system has a file system there, since runs make and remove folders all
the time, which a disk may take long for.

Invariant: a folder is removed by its owner, or by a later run once its lock is free; the
kernel frees the lock when the owner dies, in whatever way.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

#: Beginning of the name of every scratch folder.
PREFIX: Final = "unitcraft-host-"
#: Name of the locked file in a scratch folder.
LOCK: Final = "lock"

#: The file system in memory.  Where a folder of a disk is removed in 2.5 ms, nearly all of them
#: asleep (ext4 of a virtual machine), it is in 4 microseconds here.
MEMORY: Final = Path("/dev/shm")  # noqa: S108 - what is made there has a random name and a lock
#: Bytes that have to be free there: one file of a run may have 64 MiB, as much as many containers
#: have in all.
MIN_FREE_BYTES: Final = 1 << 30

#: Seconds during which a new folder may still lack its lock.
GRACE_SECONDS: Final = 60.0


class Scratch:
    """Abstract state: a private folder, and the held lock that marks it as in use."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX, dir=place()))
        self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Delete the folder and give up the lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def place() -> Path:
    """Where scratch folders are made: in memory if there is room, else (or by TMPDIR) on disk."""
    if "TMPDIR" not in os.environ and _has_room(MEMORY):
        return MEMORY
    return Path(tempfile.gettempdir())


def _has_room(folder: Path) -> bool:
    try:
        state = os.statvfs(folder)
    except OSError:
        return False
    is_open = os.access(folder, os.R_OK | os.W_OK | os.X_OK)
    return is_open and state.f_bavail * state.f_frsize >= MIN_FREE_BYTES


def sweep() -> None:
    """Remove folders of owners that died.  Never fails: others may sweep at the same time."""
    for parent in (Path(tempfile.gettempdir()), MEMORY):
        for folder in sorted(parent.glob(f"{PREFIX}*")):
            with contextlib.suppress(OSError):
                if _is_stale(folder):
                    shutil.rmtree(folder, ignore_errors=True)


def _is_stale(folder: Path) -> bool:
    """Is ``folder`` ours, not new, and its lock free?"""
    state = folder.lstat()
    if state.st_uid != os.getuid() or time.time() - state.st_mtime < GRACE_SECONDS:
        return False
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
