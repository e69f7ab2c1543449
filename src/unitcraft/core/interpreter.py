"""The interpreter on which the code under test runs: unitcraft's own, or that of the project.

Invariant: plain data about an interpreter that was asked before; nothing here starts a process.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Interpreter:
    """An interpreter by its ``executable``, as a command line names it.

    ``path`` is its ``sys.path`` as it starts (empty: that of this process).  ``lent`` are packages
    of ours, with the folders that hold them, that runs of pytest on it may import.  ``digest``
    tells its environment from others: its exact version and what is installed there.
    """

    executable: str
    version: tuple[int, int]
    path: tuple[str, ...] = ()
    lent: tuple[tuple[str, str], ...] = ()
    digest: str = ""

    @property
    def import_path(self) -> list[str]:
        """The folders of its modules and installed packages."""
        return list(self.path) or [entry for entry in sys.path if entry]

    @property
    def dotted_version(self) -> str:
        """The version as people write it: ``3.12``."""
        return "{}.{}".format(*self.version)


#: The interpreter of this process, with the packages that unitcraft is installed beside.
OWN: Final = Interpreter(sys.executable, sys.version_info[:2])
