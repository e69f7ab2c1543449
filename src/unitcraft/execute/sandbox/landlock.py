"""Landlock: the kernel refuses writes outside given folders, TCP, and signals to others.

Invariant: the restriction is inherited and cannot be undone by this process.  A kernel
without Landlock enforces nothing; an older version of it enforces the rights that it knows.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from unitcraft.execute.sandbox.limits import PR_SET_NO_NEW_PRIVS, libc, prctl

#: System calls; the numbers are the same on every architecture.
CREATE_RULESET: Final = 444
ADD_RULE: Final = 445
RESTRICT_SELF: Final = 446

#: Access rights, ``LANDLOCK_ACCESS_FS_*`` of ``linux/landlock.h``.
EXECUTE: Final = 1 << 0
WRITE_FILE: Final = 1 << 1
READ_FILE: Final = 1 << 2
READ_DIR: Final = 1 << 3
CHANGE_TREE: Final = sum(1 << bit for bit in range(4, 13))  # remove and make entries
REFER: Final = 1 << 13  # version 2
TRUNCATE: Final = 1 << 14  # version 3
IOCTL_DEV: Final = 1 << 15  # version 5

#: Rights that ``strict`` restricts.
READ: Final = READ_FILE | READ_DIR
#: Rights that a rule about a single file may name.
ON_FILES: Final = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV

#: Rights outside the file system.
TCP: Final = 0b11  # bind and connect, version 4
SCOPED: Final = 0b11  # abstract sockets and signals, version 6


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("fs", ctypes.c_uint64),
        ("net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("access", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """The Landlock version of the kernel; 0: none."""
    library = libc()
    return 0 if library is None else max(library.syscall(CREATE_RULESET, None, 0, 1), 0)


def write_rights(abi: int) -> int:
    """Every right to change the file system that version ``abi`` knows."""
    rights = WRITE_FILE | CHANGE_TREE
    rights |= REFER if abi >= 2 else 0  # noqa: PLR2004 - versions of the interface
    rights |= TRUNCATE if abi >= 3 else 0  # noqa: PLR2004
    return rights | (IOCTL_DEV if abi >= 5 else 0)  # noqa: PLR2004


def restrict(
    writable: Iterable[str], readable: Iterable[str] | None = None, *, network: bool = False
) -> bool:
    """Allow changes only beneath ``writable`` (and, if given, reads only beneath ``readable``).

    True if the kernel enforces it from now on.
    """
    abi = version()
    library = libc()
    if abi == 0 or library is None:
        return False
    handled = write_rights(abi) | (0 if readable is None else READ)
    rules = _Ruleset(
        handled,
        TCP if abi >= 4 and not network else 0,  # noqa: PLR2004
        SCOPED if abi >= 6 else 0,  # noqa: PLR2004
    )
    size = 8 if abi < 4 else 16 if abi < 6 else 24  # noqa: PLR2004
    ruleset = library.syscall(CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        return False
    for path in writable:
        _allow(library, ruleset, path, handled)
    for path in readable or ():
        _allow(library, ruleset, path, READ)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    done = bool(library.syscall(RESTRICT_SELF, ruleset, 0) == 0)
    os.close(ruleset)
    return done


def _allow(library: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    """Grant ``rights`` beneath ``path``; a path that does not exist grants nothing."""
    try:
        parent = os.open(path, getattr(os, "O_PATH", 0) | os.O_CLOEXEC)
    except OSError:
        return
    access = rights if Path(path).is_dir() else rights & ON_FILES
    rule = _PathBeneath(access, parent)
    library.syscall(ADD_RULE, ruleset, 1, ctypes.byref(rule), 0)
    os.close(parent)
