"""Resource limits and process attributes of a host and its workers.

Invariant: limits are only ever tightened, and a platform that lacks one goes without it.
"""

from __future__ import annotations

import ctypes
import functools
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Final

#: Bytes.
MEGABYTE: Final = 1 << 20

#: Bytes of one file that guarded code writes.
MAX_FILE_BYTES: Final = 64 * MEGABYTE

#: Descriptors that guarded code may hold open.
MAX_OPEN_FILES: Final = 256

#: Processes above a guarded one that it may not signal: a shell, a build, an editor and the like.
MAX_ANCESTORS: Final = 16

#: Options of ``prctl``, from ``linux/prctl.h``.
PR_SET_PDEATHSIG: Final = 1
PR_SET_CHILD_SUBREAPER: Final = 36
PR_SET_NO_NEW_PRIVS: Final = 38


def apply_limits(memory_mb: int, file_bytes: int = MAX_FILE_BYTES) -> None:
    """Bound address space (MiB), file size, descriptors; no core files."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, file_bytes)
    _limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    _limit(resource.RLIMIT_AS, memory_mb * MEGABYTE)


def _limit(which: int, value: int) -> None:
    try:
        _, hard = resource.getrlimit(which)
        bound = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(which, (bound, bound))
    except (OSError, ValueError):  # macOS refuses RLIMIT_AS
        return


@functools.cache  # a new one takes 0.2 ms in a worker that was just forked, which asks four times
def libc() -> ctypes.CDLL | None:
    """The C library on Linux, else None."""
    return ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def prctl(option: int, value: int) -> bool:
    """Set a process attribute; False where the kernel has none."""
    library = libc()
    return library is not None and library.prctl(option, value, 0, 0, 0) == 0


def ancestors() -> tuple[int, ...]:
    """The process ids of the parent, its parent, and so on, as far as /proc tells."""
    found = [os.getppid()]
    while found[-1] > 1 and len(found) < MAX_ANCESTORS:
        try:
            status = Path(f"/proc/{found[-1]}/stat").read_text(errors="replace")
        except OSError:
            break
        found.append(int(status.rpartition(")")[2].split()[1]))
    return tuple(one for one in found if one > 1)


def die_with_parent(parent: int) -> None:
    """End with the thread that started this process.  ``parent``: the process id of that thread."""
    prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
