"""The kernel's layers hold where the audit hook sees nothing: raw system calls."""

from __future__ import annotations

import itertools
import sys

import pytest

from unitcraft.execute.policy import Policy
from unitcraft.execute.sandbox import landlock, seccomp
from unitcraft.execute.sandbox.syscalls import _AARCH64, _COMMON, _X86_64, table

RAW = """
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def name(result):
    return "done" if result >= 0 else errno.errorcode[ctypes.get_errno()]
def call(function, *args):
    return name(getattr(libc, function)(*args))
def syscall(number, *args):
    return name(libc.syscall(number, *args))
"""

NO_AUDIT = Policy("standard", (("ctypes.*", "*"),))

#: Call -> what it must come to.
CALLS = {
    "open": ("call('open', b'{keep}', 1 | 512)", "EACCES"),
    "create": ("call('open', b'{keep}.new', 1 | 64, 0o600)", "EACCES"),
    "truncate": ("call('truncate', b'{keep}', 0)", "EACCES"),
    "unlink": ("call('unlink', b'{keep}')", "EACCES"),
    "rename": ("call('rename', b'{keep}', b'{keep}.moved')", "EACCES"),
    "mkdir": ("call('mkdir', b'{keep}.d', 0o700)", "EACCES"),
    "mkfifo": ("call('mkfifo', b'{keep}.fifo', 0o600)", "EACCES"),
    "symlink": ("call('symlink', b'/', b'{keep}.link')", "EACCES"),
    "link": ("call('link', b'{keep}', b'{keep}.hard')", "EACCES|EXDEV"),
    "chown": ("call('chown', b'{keep}', 1, 1)", "EPERM"),
    "socket": ("call('socket', 2, 1, 0)", "EPERM"),
    "unix socket": ("call('socket', 1, 1, 0)", "EPERM"),
    "fork": ("call('fork')", "EPERM"),
    "vfork": ("syscall(58)", "EPERM"),
    "clone": ("syscall({clone}, 17, 0, 0, 0, 0)", "EPERM"),
    "execve": ("call('execve', b'/bin/true', None, None)", "EPERM"),
    "setsid": ("call('setsid')", "EPERM"),
    "setpgid": ("call('setpgid', 0, 0)", "EPERM"),
    "kill parent": ("call('kill', os.getppid(), 9)", "EPERM"),
    "kill group": ("call('kill', 0, 9)", "EPERM"),
    "kill all": ("call('kill', -1, 9)", "EPERM"),
    "kill init": ("call('kill', 1, 0)", "EPERM"),
    "ptrace": ("call('ptrace', 16, os.getppid(), 0, 0)", "EPERM"),
    "mount": ("call('mount', b'none', b'/mnt', b'tmpfs', 0, None)", "EPERM"),
    "unshare": ("call('unshare', 0x10000000)", "EPERM"),
    "setrlimit": ("call('setrlimit', 4, ctypes.create_string_buffer(16))", "EPERM"),
    "io_uring": ("syscall(425, 8, None)", "ENOSYS"),
    "kill self with 0": ("call('kill', os.getpid(), 0)", "done"),
    "scratch": ("call('open', os.environ['TMPDIR'].encode() + b'/x', 1 | 64, 0o600)", "done"),
    "null": ("call('open', b'/dev/null', 1)", "done"),
    "read": ("call('open', b'{keep}', 0)", "done"),
    "socketpair": ("call('socketpair', 1, 1, 0, ctypes.create_string_buffer(8))", "done"),
}


@pytest.fixture
def keep(tmp_path):
    path = tmp_path / "outside" / "keep"
    path.parent.mkdir()
    path.write_text("kept")
    yield path
    assert [found.name for found in path.parent.iterdir()] == ["keep"]
    assert path.read_text() == "kept"


def test_raw_calls_are_refused_by_the_kernel(pool_of, keep):
    pool = pool_of(RAW, policy=NO_AUDIT)
    texts = [
        text.replace("{keep}", str(keep)).replace("{clone}", str(table()["clone"]))
        for text, _ in CALLS.values()
    ]
    replies = list(pool.map("run", [f"import os, ctypes\nanswer = m.{text}" for text in texts]))
    found = dict(zip(CALLS, (reply.value or str(reply) for reply in replies), strict=True))
    wrong = {
        name: found[name]
        for name, (_, expected) in CALLS.items()
        if found[name] not in expected.split("|")
    }
    assert wrong == {}


def test_the_host_cannot_be_used_either(pool_of, keep):
    source = (
        RAW
        + f"""
FOUND = [
    call('unlink', b'{keep}'), call('socket', 2, 1, 0), call('kill', os.getppid(), 9),
    call('execve', b'/bin/true', None, None), call('kill', 0, 9),
]
"""
    )
    pool = pool_of(source, policy=NO_AUDIT)
    assert pool.one("run", "answer = m.FOUND").value == [
        "EACCES", "EPERM", "EPERM", "EPERM", "EPERM",
    ]  # fmt: skip


def test_threads_still_work(pool_of):
    source = """
import threading
found = []
threads = [threading.Thread(target=found.append, args=(n,)) for n in range(5)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
answer = sorted(found)
"""
    assert pool_of().one("run", source).value == [0, 1, 2, 3, 4]


def test_an_event_loop_still_works(pool_of):
    source = """
import asyncio
async def main():
    await asyncio.sleep(0.001)
    return 'done'
answer = asyncio.run(main())
"""
    assert pool_of().one("run", source).value == "done"


def test_memory_is_bounded(pool_of):
    pool = pool_of(memory_mb=256)
    source = "try:\n  bytearray(1 << 30)\nexcept MemoryError: answer = 'bounded'"
    assert pool.one("run", source).value == "bounded"


def test_memory_of_items_is_bounded_beyond_that_of_the_import(pool_of):
    pool = pool_of(item_memory_mb=64)
    source = "try:\n bytearray({} << 20)\n answer = 'free'\nexcept MemoryError: answer = 'bound'"
    assert pool.one("run", source.format(32)).value == "free"
    assert pool.one("run", source.format(80)).value == "bound"


def test_the_kernel_here_has_the_layers():
    assert sys.platform != "linux" or landlock.version() >= 0
    assert seccomp.program([[]]).__len__() % 8 == 0


def test_tables_do_not_contradict_each_other():
    assert not set(_COMMON) & set(_X86_64)
    assert not set(_COMMON) & set(_AARCH64)
    assert len(set(_X86_64.values())) == len(_X86_64)
    assert len(set(_AARCH64.values())) == len(_AARCH64)
    missing = set(_X86_64) - set(_AARCH64)
    assert missing == {
        "fork", "vfork", "chmod", "chown", "lchown", "utime", "utimes", "futimesat", "iopl",
        "ioperm",
    }  # fmt: skip
    assert {*seccomp.REFUSED, *seccomp.UNKNOWN} <= {*_COMMON, *_X86_64}


def test_write_rights_grow_with_the_version():
    rights = [landlock.write_rights(abi) for abi in range(1, 8)]
    assert all(later & earlier == earlier for earlier, later in itertools.pairwise(rights))
    assert rights[0] == 0b1111111110010
