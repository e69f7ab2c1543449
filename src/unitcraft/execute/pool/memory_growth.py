"""How much memory the workers of a host may take beyond what the host has.

The kernel charges for pages that are touched, and takes them back, at about half a second for each
GiB on the machines at hand, so that a run which allocates to a limit costs as much as thousands of
others.  What an import needs (a model, tables) is not known before; what one call needs hardly
depends on it.

Invariant: the limit is derived from the host once, before it forks, so that it is the same for all
workers.  It bounds private memory that can be written, not addresses that are only reserved (arenas
of threads).
"""

from __future__ import annotations

import contextlib
import os
import resource
from pathlib import Path
from typing import Final

#: Bytes.
MEGABYTE: Final = 1 << 20
#: The field of ``/proc/PID/statm`` with the pages of data and stack.
DATA_PAGES: Final = 5


def bound_growth(pid: int, megabytes: int) -> None:
    """Let the children of process ``pid`` have ``megabytes`` more than it has now.

    Where the system cannot do that for another process, the limit of the import stays.
    """
    with contextlib.suppress(OSError, ValueError, AttributeError):
        fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
        used = int(fields[DATA_PAGES]) * os.sysconf("SC_PAGE_SIZE")
        bound = used + megabytes * MEGABYTE
        resource.prlimit(pid, resource.RLIMIT_DATA, (bound, bound))
