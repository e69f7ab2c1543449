"""System call numbers that the filters name, for x86_64 and aarch64.

Invariant: a name stands in both tables or does not exist on that architecture.
"""

from __future__ import annotations

import platform
from collections.abc import Mapping
from typing import Final

#: AUDIT_ARCH of the kernel's ``linux/audit.h``.
ARCHITECTURES: Final[Mapping[str, int]] = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

#: The same numbers on both.
_COMMON: Final = {
    "pidfd_send_signal": 424, "io_uring_setup": 425, "io_uring_enter": 426,
    "io_uring_register": 427, "open_tree": 428, "move_mount": 429, "fsopen": 430,
    "fsconfig": 431, "fsmount": 432, "fspick": 433, "pidfd_open": 434, "clone3": 435,
    "pidfd_getfd": 438, "process_madvise": 440, "mount_setattr": 442, "fchmodat2": 452,
}  # fmt: skip

_X86_64: Final = {
    "shmget": 29, "socket": 41, "connect": 42, "bind": 49, "listen": 50, "clone": 56,
    "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "semget": 64, "msgget": 68, "chmod": 90,
    "fchmod": 91, "chown": 92, "fchown": 93, "lchown": 94, "ptrace": 101, "setpgid": 109,
    "setsid": 112, "rt_sigqueueinfo": 129, "utime": 132, "personality": 135, "setpriority": 141,
    "pivot_root": 155, "adjtimex": 159, "setrlimit": 160, "chroot": 161, "acct": 163,
    "settimeofday": 164, "mount": 165, "umount2": 166, "swapon": 167, "swapoff": 168,
    "reboot": 169, "sethostname": 170, "setdomainname": 171, "iopl": 172, "ioperm": 173,
    "init_module": 175, "delete_module": 176, "quotactl": 179, "setxattr": 188,
    "lsetxattr": 189, "fsetxattr": 190, "removexattr": 197, "lremovexattr": 198,
    "fremovexattr": 199, "tkill": 200, "clock_settime": 227, "tgkill": 234, "utimes": 235,
    "mq_open": 240, "mq_unlink": 241, "kexec_load": 246, "add_key": 248, "request_key": 249,
    "keyctl": 250, "fchownat": 260, "futimesat": 261, "fchmodat": 268, "unshare": 272,
    "utimensat": 280, "rt_tgsigqueueinfo": 297, "perf_event_open": 298, "prlimit64": 302,
    "name_to_handle_at": 303, "open_by_handle_at": 304, "clock_adjtime": 305, "setns": 308,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "finit_module": 313,
    "kexec_file_load": 320, "bpf": 321, "execveat": 322, "userfaultfd": 323,
}  # fmt: skip

_AARCH64: Final = {
    "setxattr": 5, "lsetxattr": 6, "fsetxattr": 7, "removexattr": 14, "lremovexattr": 15,
    "fremovexattr": 16, "umount2": 39, "mount": 40, "pivot_root": 41, "chroot": 51,
    "fchmod": 52, "fchmodat": 53, "fchownat": 54, "fchown": 55, "quotactl": 60,
    "utimensat": 88, "acct": 89, "personality": 92, "unshare": 97, "kexec_load": 104,
    "init_module": 105, "delete_module": 106, "clock_settime": 112, "ptrace": 117, "kill": 129,
    "tkill": 130, "tgkill": 131, "rt_sigqueueinfo": 138, "setpriority": 140, "reboot": 142,
    "setpgid": 154, "setsid": 157, "sethostname": 161, "setdomainname": 162, "setrlimit": 164,
    "settimeofday": 170, "adjtimex": 171, "mq_open": 180, "mq_unlink": 181, "msgget": 186,
    "semget": 190, "shmget": 194, "socket": 198, "bind": 200, "listen": 201, "connect": 203,
    "add_key": 217, "request_key": 218, "keyctl": 219, "clone": 220, "execve": 221,
    "swapon": 224, "swapoff": 225, "rt_tgsigqueueinfo": 240, "perf_event_open": 241,
    "prlimit64": 261, "name_to_handle_at": 264, "open_by_handle_at": 265, "clock_adjtime": 266,
    "setns": 268, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272,
    "finit_module": 273, "bpf": 280, "execveat": 281, "userfaultfd": 282,
    "kexec_file_load": 294,
}  # fmt: skip

_TABLES: Final = {"x86_64": {**_COMMON, **_X86_64}, "aarch64": {**_COMMON, **_AARCH64}}


def machine() -> str:
    """The architecture's name as the tables spell it."""
    return platform.machine()


def table() -> Mapping[str, int]:
    """Name -> number on this machine; empty where the architecture is unknown."""
    return _TABLES.get(machine(), {})
