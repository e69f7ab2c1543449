"""Resource limits and process attributes of a host and its workers.

Invariant: everything here only ever tightens, and a platform that lacks a limit goes without.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from typing import Final

MEGABYTE: Final = 1 << 20

#: Largest file (bytes) and number of open descriptors of guarded code.
FILE_BYTES: Final = 64 * MEGABYTE
OPEN_FILES: Final = 256

PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38


def apply_limits(memory_mb: int, file_bytes: int = FILE_BYTES) -> None:
    """Bound address space (MiB), file size, descriptors; no core files."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, file_bytes)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_AS, memory_mb * MEGABYTE)


def _limit(which: int, value: int) -> None:
    try:
        _, hard = resource.getrlimit(which)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (bound, bound))
    except (OSError, ValueError):  # macOS refuses RLIMIT_AS
        return


def libc() -> ctypes.CDLL | None:
    """The C library on Linux, else None."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def prctl(option: int, value: int) -> bool:
    """Set a process attribute; False where the kernel has none."""
    library = libc()
    return library is not None and library.prctl(option, value, 0, 0, 0) == 0


def die_with_parent(parent: int) -> None:
    """Be killed when the parent's thread that started us ends.  ``parent``: its process id."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
