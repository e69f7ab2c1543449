"""Scratch folders: each is locked by its owner, and folders of dead owners are swept.

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

#: Seconds during which a new folder may still lack its lock.
GRACE_SECONDS: Final = 60.0


class Scratch:
    """Abstract state: a private folder, and the held lock that marks it as in use."""

    def __init__(self) -> None:
        sweep()
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def remove(self) -> None:
        """Delete the folder and give up the lock."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def sweep() -> None:
    """Remove folders of owners that died.  Never fails: others may sweep at the same time."""
    for folder in sorted(Path(tempfile.gettempdir()).glob(f"{PREFIX}*")):
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
