"""The policy on effects: which audit events are refused, by which argument, and the waivers.

Invariant: a rule looks only at the event's own arguments; it never changes anything, and
an argument that it cannot read is refused.
"""

from __future__ import annotations

import io
import os
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Final, Literal

Level = Literal["strict", "standard", "off"]

#: Given the event's arguments and the writable folders: the arguments to refuse.
Rule = Callable[[tuple[Any, ...], tuple[str, ...]], tuple[str, ...]]

#: A longer sleep (seconds) is refused as an effect: a test that waits is a slow test.
MAX_SLEEP_SECONDS = 0.05

#: Flags of ``open`` that may change a file.
WRITE_FLAGS = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

#: Modules of Python's own classes of sockets.
SOCKET_MODULES = ("socket", "_socket", "ssl")

#: Devices that may be opened for writing anywhere: nothing is stored.
HARMLESS_FILES = ("/dev/null", "/dev/zero", "/dev/full")


@dataclass(frozen=True, slots=True)
class Policy:
    """The level of refusal, and the waivers.

    ``standard``: no effect outside the scratch folder.  ``strict``: in addition, nothing is read
    except Python itself and the paths of the Subject.  ``off``: nothing is refused (limits,
    timeouts and the process group stay), but that an item changes files outside its folders.
    ``allow`` holds (event, argument glob) waivers.
    """

    level: Level = "standard"
    allow: tuple[tuple[str, str], ...] = ()

    def allows(self, event: str, argument: str) -> bool:
        """Did the user waive this event with this argument?"""
        return any(
            fnmatchcase(event, name) and fnmatchcase(argument, glob) for name, glob in self.allow
        )


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


def _below_folder(path: Any, folder_fd: Any) -> str:
    """``path`` as seen from the directory descriptor ``folder_fd`` (-1: the current one)."""
    name = text_of(path)
    if isinstance(folder_fd, int) and folder_fd >= 0 and not name.startswith("/"):
        return f"/proc/self/fd/{folder_fd}/{name}"
    return name


def _unless_writable(path: str, writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse ``path`` unless it lies in a writable folder or is harmless."""
    return () if path in HARMLESS_FILES or is_within(path, writable) else (path,)


#: The highest descriptor that every process inherits.
_STANDARD: Final = 2


def _is_open(descriptor: int) -> bool:
    """Is it open here?  If not, opening it depends on the process that runs the test."""
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def refuse_open(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse writing outside the writable folders, and descriptors that are not open here."""
    path, _mode, flags = args
    if isinstance(path, int):
        return () if path > _STANDARD and _is_open(path) else (f"descriptor {path:d}",)
    if not (isinstance(flags, int) and flags & WRITE_FLAGS):
        return ()
    return _unless_writable(text_of(path), writable)


def refuse_one_path(folder_fd_at: int = -1) -> Rule:
    """A rule about the first argument; ``folder_fd_at``: position of its directory descriptor."""

    def rule(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
        fd = args[folder_fd_at] if 0 <= folder_fd_at < len(args) else -1
        if isinstance(args[0], int):
            return _unless_writable(f"/proc/self/fd/{args[0]}", writable)
        return _unless_writable(_below_folder(args[0], fd), writable)

    return rule


def refuse_two_paths(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse unless source and target are writable: (src, dst, src_dir_fd, dst_dir_fd)."""
    source_fd, target_fd = (*args[2:4], -1, -1)[:2]
    return _unless_writable(_below_folder(args[0], source_fd), writable) + _unless_writable(
        _below_folder(args[1], target_fd), writable
    )


def refuse_target(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse by the second path, the only one that is written."""
    return _unless_writable(text_of(args[1]), writable)


def refuse_link(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse by the place of a new symbolic link: (src, dst, dir_fd)."""
    return _unless_writable(_below_folder(args[1], (*args[2:3], -1)[0]), writable)


def refuse_always(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse whatever the arguments."""
    shown = [text_of(arg) for arg in args if isinstance(arg, str | bytes | int | os.PathLike)]
    return (shown[0] if shown else "",)


def refuse_socket(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse sockets other than the local pairs that an event loop wakes itself with.

    An object of a class of somebody's own is no effect yet: to connect it would be one.
    """
    made, family, *_ = args
    is_local = family == getattr(socket, "AF_UNIX", None)
    is_own = isinstance(made, socket.SocketType) and type(made).__module__ not in SOCKET_MODULES
    return () if is_local or is_own else (str(family),)


def refuse_database(args: tuple[Any, ...], writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a database in a file outside the writable folders.

    The event does not tell whether a name that looks like a URI is one; where it is none, the
    kernel refuses the file.
    """
    name, _, query = text_of(args[0]).partition("?")
    path = name.removeprefix("file:")
    if path in {":memory:", ""} or (path != name and "mode=memory" in query.split("&")):
        return ()
    return _unless_writable(path, writable)


def refuse_input(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse to ask a person; a text that stands in for standard input may be read."""
    return () if isinstance(sys.stdin, io.StringIO) else (text_of(args[0]) if args else "",)


def refuse_library(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a shared library other than the interpreter itself."""
    return () if args[0] is None else (text_of(args[0]),)


def refuse_symbol(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a symbol whose effect the kernel's layers do not confine."""
    name = text_of(args[1])
    return (name,) if name.lstrip("_") in UNCONFINED_SYMBOLS else ()


def refuse_long_sleep(args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse a sleep that a test should not contain."""
    seconds = args[0]
    is_short = isinstance(seconds, int | float) and seconds <= MAX_SLEEP_SECONDS
    return () if is_short else (text_of(seconds),)


def _each(rule: Rule, names: str) -> dict[str, Rule]:
    return dict.fromkeys(names.split(), rule)


#: Audit event -> rule, for the code under test.
RULES: Mapping[str, Rule] = {
    "open": refuse_open,
    "os.remove": refuse_one_path(1),
    "os.rmdir": refuse_one_path(1),
    "os.mkdir": refuse_one_path(2),
    "os.chmod": refuse_one_path(2),
    "os.chown": refuse_one_path(3),
    "os.utime": refuse_one_path(3),
    "os.rename": refuse_two_paths,
    "os.link": refuse_two_paths,
    "os.symlink": refuse_link,
    **_each(
        refuse_one_path(),
        "os.truncate os.chflags os.lchflags os.setxattr os.removexattr shutil.rmtree shutil.chown"
        " shutil.make_archive",
    ),
    **_each(
        refuse_target,
        "shutil.copyfile shutil.copymode shutil.copystat shutil.copytree"
        " shutil.move shutil.unpack_archive",
    ),
    "socket.__new__": refuse_socket,
    "sqlite3.connect": refuse_database,
    "ctypes.dlopen": refuse_library,
    "time.sleep": refuse_long_sleep,
    "builtins.input": refuse_input,
    **_each(
        refuse_always,
        "os.fork os.forkpty os.exec os.spawn os.posix_spawn os.system os.startfile os.kill"
        " os.killpg pty.spawn subprocess.Popen signal.pthread_kill socket.connect socket.bind"
        " socket.sendto socket.sendmsg socket.send socket.recv socket.getaddrinfo"
        " socket.gethostbyname"
        " socket.gethostbyaddr socket.getnameinfo socket.sethostname socket.gethostname"
        " urllib.Request http.client.connect"
        " http.client.send ftplib.connect ftplib.sendcmd smtplib.connect smtplib.send"
        " imaplib.open imaplib.send poplib.connect poplib.putline nntplib.connect"
        " nntplib.putline telnetlib.Telnet.open telnetlib.Telnet.write webbrowser.open"
        " winreg.ConnectRegistry winreg.CreateKey winreg.DeleteKey winreg.DeleteValue"
        " winreg.SaveKey winreg.SetValue winreg.LoadKey msvcrt.get_osfhandle syslog.openlog"
        " syslog.syslog ensurepip.bootstrap resource.setrlimit resource.prlimit"
        " sqlite3.enable_load_extension sqlite3.load_extension sys.addaudithook"
        " sys.remote_exec cpython.remote_debugger_script"
        " ctypes.addressof ctypes.call_function ctypes.cdata ctypes.cdata/buffer"
        " ctypes.create_string_buffer ctypes.create_unicode_buffer ctypes.dlsym"
        " ctypes.dlsym/handle ctypes.PyObj_FromPtr"
        " ctypes.set_exception ctypes.seh_exception ctypes.string_at ctypes.wstring_at"
        " ctypes.memoryview_at",
    ),
}

#: The rules that keep files outside the writable folders as they are.
FILE_RULES: Mapping[str, Rule] = {
    event: rule
    for event, rule in RULES.items()
    if rule in (refuse_open, refuse_two_paths, refuse_target, refuse_link, refuse_database)
    or (event.startswith(("os.", "shutil.")) and rule is not refuse_always)
}

#: Functions of the C library that do more than Landlock and seccomp refuse: they change modes or
#: times of files anywhere, signal, fork, call the system by number, or look up other functions.
UNCONFINED_SYMBOLS: Final = frozenset(
    (
        *("chmod", "fchmod", "fchmodat", "lchmod", "utime", "utimes", "futimes", "lutimes"),
        *("futimesat", "utimensat", "futimens", "kill", "killpg", "sigqueue", "tkill", "tgkill"),
        *("fork", "vfork", "Fork", "clone", "daemon", "forkpty", "system", "popen"),
        *("posix_spawn", "posix_spawnp", "execl", "execle", "execlp", "execv", "execve"),
        *("execvp", "execvpe", "execveat", "fexecve", "prctl", "syscall"),
        *("dlsym", "dlvsym", "dlopen", "dlmopen"),
    )
)


def _allow_all(_args: tuple[Any, ...], _writable: tuple[str, ...]) -> tuple[str, ...]:
    return ()


#: Audit event -> rule, in place of that of RULES, for code that a module runs while it is imported
#: in a process that the kernel confines: to load a library or look a function up changes nothing.
IMPORT_RULES: Mapping[str, Rule] = {
    **_each(refuse_symbol, "ctypes.dlsym ctypes.dlsym/handle"),
    **_each(
        _allow_all,
        "ctypes.dlopen ctypes.cdata/buffer ctypes.create_string_buffer"
        " ctypes.create_unicode_buffer ctypes.string_at ctypes.wstring_at ctypes.memoryview_at"
        " socket.__new__ syslog.openlog",
    ),
}

#: Allowed while the Subject is imported: libraries raise these harmlessly at import.
IMPORT_MAY = ("socket.gethostname", "time.sleep", "ctypes.cdata", "ctypes.addressof")
