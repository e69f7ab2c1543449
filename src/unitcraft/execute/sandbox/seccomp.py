"""Seccomp filters: system calls that a Subject never needs fail with EPERM.

Invariant: a filter is inherited, stacks (the strictest verdict wins) and cannot be removed.
The host keeps ``fork`` for itself; a worker's second filter takes it away.
"""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable, Sequence
from typing import Final

from unitcraft.execute.sandbox.limits import PR_SET_NO_NEW_PRIVS, libc, prctl
from unitcraft.execute.sandbox.syscalls import ARCHITECTURES, machine, table

#: Verdicts of a filter, ``SECCOMP_RET_*`` of ``linux/seccomp.h``.
ALLOW: Final = 0x7FFF0000
KILL: Final = 0x80000000
ERRNO: Final = 0x00050000
EPERM: Final = ERRNO | errno.EPERM
ENOSYS: Final = ERRNO | errno.ENOSYS

#: Instructions of classic BPF.
LOAD: Final = 0x20  # BPF_LD | BPF_W | BPF_ABS
EQUAL: Final = 0x15  # BPF_JMP | BPF_JEQ | BPF_K
AT_LEAST: Final = 0x35
ANY_BIT: Final = 0x45
RETURN: Final = 0x06

#: Offsets in ``struct seccomp_data``.
NUMBER_AT: Final = 0
ARCH_AT: Final = 4

#: Flags of ``clone``.
CLONE_THREAD: Final = 0x00010000
CLONE_NEW: Final = 0x7E020080  # any new namespace
#: Bounds of system call numbers and process ids.
X32: Final = 0x40000000  # x86_64: the same calls under other numbers
NEGATIVE: Final = 0x80000000  # as unsigned: every negative process id
INIT: Final = 1
OWN_GROUP: Final = 0

#: Operation and mode of ``prctl``.
PR_SET_SECCOMP: Final = 22
SECCOMP_MODE_FILTER: Final = 2

#: Refused in every guarded process, whatever the arguments.
REFUSED: Final = [
    "socket",
    "connect",
    "bind",
    "listen",
    "execve",
    "execveat",
    "ptrace",
    "mount",
    "umount2",
    "pivot_root",
    "chroot",
    "unshare",
    "setns",
    "setsid",
    "setpgid",
    "reboot",
    "sethostname",
    "setdomainname",
    "init_module",
    "finit_module",
    "delete_module",
    "quotactl",
    "setxattr",
    "lsetxattr",
    "fsetxattr",
    "removexattr",
    "lremovexattr",
    "fremovexattr",
    "chown",
    "fchown",
    "lchown",
    "fchownat",
    "clock_settime",
    "settimeofday",
    "adjtimex",
    "clock_adjtime",
    "perf_event_open",
    "process_vm_readv",
    "process_vm_writev",
    "process_madvise",
    "kcmp",
    "bpf",
    "userfaultfd",
    "pidfd_send_signal",
    "pidfd_open",
    "pidfd_getfd",
    "open_tree",
    "move_mount",
    "fsopen",
    "fsconfig",
    "fsmount",
    "fspick",
    "mount_setattr",
    "add_key",
    "request_key",
    "keyctl",
    "rt_sigqueueinfo",
    "rt_tgsigqueueinfo",
    "setrlimit",
    "kexec_load",
    "kexec_file_load",
    "swapon",
    "swapoff",
    "acct",
    "iopl",
    "ioperm",
    "personality",
    "name_to_handle_at",
    "open_by_handle_at",
    "shmget",
    "semget",
    "msgget",
    "mq_open",
    "mq_unlink",
    "setpriority",
]

#: Answered as if the kernel were too old, so that libraries fall back.
UNKNOWN: Final = ["io_uring_setup", "io_uring_enter", "io_uring_register", "clone3"]

Instruction = tuple[int, int, int, int]  # code, jump if true, jump if false, constant


def argument_at(index: int, *, high: bool = False) -> int:
    """Offset of the low (or high) half of a system call's argument."""
    return 16 + 8 * index + (4 if high else 0)


def refuse(numbers: Iterable[int], verdict: int) -> list[Instruction]:
    """A block that returns ``verdict`` for each of the calls."""
    block: list[Instruction] = []
    for number in numbers:
        block += [(EQUAL, 0, 1, number), (RETURN, 0, 0, verdict)]
    return block


def for_call(number: int, body: list[Instruction]) -> list[Instruction]:
    """A block that runs ``body``, which returns, for one call."""
    return [(EQUAL, 0, len(body), number), *body]


def allow_self(pid: int) -> list[Instruction]:
    """A body that allows ``pid`` as the first argument only."""
    return [
        (LOAD, 0, 0, argument_at(0)),
        (EQUAL, 0, 1, pid),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, EPERM),
    ]


def refuse_ancestors(ancestors: Sequence[int]) -> list[Instruction]:
    """A body that refuses signals to ``ancestors``, to init, to groups and to all processes."""
    single = (*ancestors, INIT, OWN_GROUP)
    return [
        (LOAD, 0, 0, argument_at(0)),
        *((EQUAL, len(single) - place, 0, pid) for place, pid in enumerate(single)),
        (AT_LEAST, 0, 1, NEGATIVE),
        (RETURN, 0, 0, EPERM),
        (RETURN, 0, 0, ALLOW),
    ]


def by_bits(mask: int, then: int, otherwise: int) -> list[Instruction]:
    """A body that decides by whether the first argument has a bit of ``mask``."""
    return [
        (LOAD, 0, 0, argument_at(0)),
        (ANY_BIT, 0, 1, mask),
        (RETURN, 0, 0, then),
        (RETURN, 0, 0, otherwise),
    ]


def require_null(index: int) -> list[Instruction]:
    """A body that allows only a null pointer as argument ``index``."""
    return [
        (LOAD, 0, 0, argument_at(index)),
        (EQUAL, 0, 3, 0),
        (LOAD, 0, 0, argument_at(index, high=True)),
        (EQUAL, 0, 1, 0),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, EPERM),
    ]


def program(blocks: Iterable[list[Instruction]]) -> bytes:
    """The filter: other architectures are killed, then ``blocks`` decide in order, then allow."""
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCH_AT),
        (EQUAL, 1, 0, ARCHITECTURES[machine()]),
        (RETURN, 0, 0, KILL),
    ]
    if machine() == "x86_64":
        code += [(LOAD, 0, 0, NUMBER_AT), (AT_LEAST, 0, 1, X32), (RETURN, 0, 0, EPERM)]
    for block in blocks:
        code += [(LOAD, 0, 0, NUMBER_AT), *block]
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in code)


def call_numbers(names: Iterable[str]) -> list[int]:
    """The numbers of those calls that exist on this architecture."""
    known = table()
    return [known[name] for name in names if name in known]


def host_blocks(
    ancestors: Sequence[int], spared: frozenset[str] = frozenset()
) -> list[list[Instruction]]:
    """The filter of a host: refuses every call of ``REFUSED`` but ``spared``; allows fork."""
    known = table()
    signals = [
        for_call(number, refuse_ancestors(ancestors))
        for number in call_numbers(("kill", "tkill", "tgkill"))
    ]
    return [
        refuse(call_numbers(name for name in REFUSED if name not in spared), EPERM),
        refuse(call_numbers(UNKNOWN), ENOSYS),
        for_call(known["clone"], by_bits(CLONE_NEW, EPERM, ALLOW)),
        for_call(known["prlimit64"], require_null(2)),
        *signals,
    ]


def worker_blocks(pid: int) -> list[list[Instruction]]:
    """The filter of a worker, on top of its host's: no new process, signals to itself only."""
    known = table()
    signals = [for_call(number, allow_self(pid)) for number in call_numbers(("kill", "tgkill"))]
    return [
        refuse(call_numbers(("fork", "vfork", "tkill")), EPERM),
        for_call(known["clone"], by_bits(CLONE_THREAD, ALLOW, EPERM)),
        *signals,
    ]


def strict_blocks() -> list[list[Instruction]]:
    """The filter that ``strict`` adds: refuses to change modes and times of files anywhere."""
    names = "chmod fchmod fchmodat fchmodat2 utime utimes futimesat utimensat"
    return [refuse(call_numbers(names.split()), EPERM)]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def apply(blocks: list[list[Instruction]]) -> bool:
    """Enforce the filter in this process from now on; False where the kernel cannot."""
    library = libc()
    if library is None or not table():
        return False
    code = program(blocks)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    filter_ = _Program(len(code) // 8, code)
    address = ctypes.cast(ctypes.pointer(filter_), ctypes.c_void_p)
    return bool(library.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, address, 0, 0) == 0)
