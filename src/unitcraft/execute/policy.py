"""Which effects are refused: audit events, the argument that decides, and the user's waivers.

Invariant: a rule looks only at the event's own arguments; it never changes anything, and
what it cannot understand it refuses.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Literal

Level = Literal["strict", "standard", "off"]

#: Given the event's arguments and the writable folders: the arguments to refuse.
Rule = Callable[[tuple[Any, ...], tuple[str, ...]], tuple[str, ...]]

#: A sleep longer than this (seconds) is an effect: a test that waits is a slow test.
LONGEST_SLEEP = 0.05

WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

HARMLESS_FILES = ("/dev/null", "/dev/zero", "/dev/full")


@dataclass(frozen=True, slots=True)
class Policy:
    """How much is refused.

    ``standard``: no effect outside the scratch folder.  ``strict``: moreover nothing is read
    but Python itself and the paths of the Subject.  ``off``: nothing is refused (limits,
    timeouts and the process group stay).  ``allow`` holds (event, argument glob) waivers.
    """

    level: Level = "standard"
    allow: tuple[tuple[str, str], ...] = ()

    def allows(self, event: str, argument: str) -> bool:
        """Did the user waive this event with this argument?"""
        return any(
            fnmatchcase(event, name) and fnmatchcase(argument, glob) for name, glob in self.allow
        )

    @classmethod
    def of(cls, level: Level, waivers: Iterable[str]) -> Policy:
        """The policy of ``level`` with waivers as flags and settings write them.

        A waiver is ``EVENT:ARG``, both of them patterns; without ``:ARG`` any argument passes.
        """
        pairs = [text.partition(":") for text in waivers]
        return cls(level, tuple([(event, argument or "*") for event, _, argument in pairs]))


def text_of(value: Any) -> str:
    """A path or name as text; the class name when the value is neither."""
    try:
        return os.fsdecode(value)
    except (TypeError, ValueError):
        return str(value) if isinstance(value, int | float) else type(value).__name__


def is_within(path: str, folders: tuple[str, ...]) -> bool:
    """Is ``path``, links followed, one of ``folders`` or below one?"""
    real = os.path.realpath(path)
    return any(real == folder or real.startswith(folder + os.sep) for folder in folders)


def _placed(path: Any, folder_fd: Any) -> str:
    """``path`` as seen from the directory descriptor ``folder_fd`` (-1: the current one)."""
    name = text_of(path)
    if isinstance(folder_fd, int) and folder_fd >= 0 and not name.startswith("/"):
        return f"/proc/self/fd/{folder_fd}/{name}"
    return name


def _refused(path: str, writable: tuple[str, ...]) -> tuple[str, ...]:
    return () if path in HARMLESS_FILES or is_within(path, writable) else (path,)


#: The highest descriptor that every process inherits.
_STANDARD: Final = 2


def _is_open(descriptor: int) -> bool:
    """Is it open here?  If not, what opening it comes to depends on who runs the test."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def refuse_open(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse to open for writing outside the writable folders, and descriptors made elsewhere."""
    path, _mode, flags = args
    if isinstance(path, int):
        return () if path > _STANDARD and _is_open(path) else (f"descriptor {path:d}",)
    if not (isinstance(flags, int) and flags & WRITE_FLAGS):
        return ()
    return _refused(text_of(path), writable)


def one_path(folder_fd_at: int = -1) -> Rule:
    """A rule about the first argument; ``folder_fd_at``: position of its directory descriptor."""

    def rule(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
        fd = args[folder_fd_at] if 0 <= folder_fd_at < len(args) else -1
        if isinstance(args[0], int):
            return _refused(f"/proc/self/fd/{args[0]}", writable)
        return _refused(_placed(args[0], fd), writable)

    return rule


def two_paths(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Both the source and the target must be writable: (src, dst, src_dir_fd, dst_dir_fd)."""
    source_fd, target_fd = (*args[2:4], -1, -1)[:2]
    return _refused(_placed(args[0], source_fd), writable) + _refused(
        _placed(args[1], target_fd), writable
    )


def target_only(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Only the second path is written."""
    return _refused(text_of(args[1]), writable)


def new_link(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """(src, dst, dir_fd): a symbolic link is written where it stands."""
    return _refused(_placed(args[1], (*args[2:3], -1)[0]), writable)


def always(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse whatever the arguments."""
    shown = [text_of(arg) for arg in args if isinstance(arg, str | bytes | int | os.PathLike)]
    return (shown[0] if shown else "",)


def network_family(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Sockets other than the local pairs that an event loop wakes itself with."""
    family = args[1]
    return () if family == getattr(socket, "AF_UNIX", None) else (str(family),)


def database(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """A database in a file outside the writable folders."""
    name = text_of(args[0])
    return () if name in {":memory:", ""} else _refused(name.removeprefix("file:"), writable)


def library(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """A shared library other than the interpreter itself."""
    return () if args[0] is None else (text_of(args[0]),)


def long_sleep(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """A sleep that a test should not contain."""
    seconds = args[0]
    is_short = isinstance(seconds, int | float) and seconds <= LONGEST_SLEEP
    return () if is_short else (text_of(seconds),)


def _each(rule: Rule, names: str) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), rule)


#: Audit event -> rule, for the code under test.
RULES: Mapping[str, Rule] = {
    "open": refuse_open,
    "os.remove": one_path(1),
    "os.rmdir": one_path(1),
    "os.mkdir": one_path(2),
    "os.chmod": one_path(2),
    "os.chown": one_path(3),
    "os.utime": one_path(3),
    "os.rename": two_paths,
    "os.link": two_paths,
    "os.symlink": new_link,
    **_each(
        one_path(),
        "os.truncate os.chflags os.lchflags os.setxattr os.removexattr shutil.rmtree shutil.chown"
        " shutil.make_archive",
    ),
    **_each(
        target_only,
        "shutil.copyfile shutil.copymode shutil.copystat shutil.copytree"
        " shutil.move shutil.unpack_archive",
    ),
    "socket.__new__": network_family,
    "sqlite3.connect": database,
    "ctypes.dlopen": library,
    "time.sleep": long_sleep,
    **_each(
        always,
        "os.fork os.forkpty os.exec os.spawn os.posix_spawn os.system os.startfile os.kill"
        " os.killpg pty.spawn subprocess.Popen signal.pthread_kill socket.connect socket.bind"
        " socket.sendto socket.sendmsg socket.getaddrinfo socket.gethostbyname"
        " socket.gethostbyaddr socket.getnameinfo socket.sethostname socket.gethostname"
        " urllib.Request http.client.connect"
        " http.client.send ftplib.connect ftplib.sendcmd smtplib.connect smtplib.send"
        " imaplib.open imaplib.send poplib.connect poplib.putline nntplib.connect"
        " nntplib.putline telnetlib.Telnet.open telnetlib.Telnet.write webbrowser.open"
        " winreg.ConnectRegistry winreg.CreateKey winreg.DeleteKey winreg.DeleteValue"
        " winreg.SaveKey winreg.SetValue winreg.LoadKey msvcrt.get_osfhandle syslog.openlog"
        " syslog.syslog ensurepip.bootstrap resource.setrlimit resource.prlimit"
        " sqlite3.enable_load_extension sqlite3.load_extension sys.addaudithook"
        " sys.remote_exec cpython.remote_debugger_script builtins.input"
        " ctypes.addressof ctypes.call_function ctypes.cdata ctypes.cdata/buffer"
        " ctypes.create_string_buffer ctypes.create_unicode_buffer ctypes.dlsym"
        " ctypes.dlsym/handle ctypes.PyObj_FromPtr"
        " ctypes.set_exception ctypes.seh_exception ctypes.string_at ctypes.wstring_at"
        " ctypes.memoryview_at",
    ),
}

#: Refused in calls, not while the Subject is imported: libraries look these up harmlessly.
IMPORT_MAY = ("socket.gethostname", "time.sleep", "ctypes.cdata", "ctypes.addressof")
