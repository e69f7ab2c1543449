"""Another place: in the second of two processes that are compared, machine and user differ.

What the environment does not say is changed here: ids of the user, name of the machine, number of
processors, size of the terminal, words of the command line, mode of new files, which files there
are.  ``watch_environment`` records what an import asks the environment for.

Invariant: only what is reported changes, no right of the process.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final

from unitcraft.execute.sandbox.audit import is_of_machine, own_folders

#: Mode bits that new files of the first process lack, and of the second.
HERE_UMASK: Final = 0o022
ELSEWHERE_UMASK: Final = 0o077
#: The name of the other machine.
NODE: Final = "elsewhere"
#: The other system, which has no code of its own in the standard library, and its release.
SYSTEM: Final = "Elsewhere"
RELEASE: Final = "99"
#: The words of the other command line: a user gives options, and names folders of tests.
WORDS: Final = ["elsewhere", "-x", "tests"]
#: Columns and lines of the other terminal.
TERMINAL: Final = (57, 19)
#: Lines by which the callers of the Subject stand further down.
MOVED_LINES: Final = 1000
#: Modules of the standard library that look at the paths which they are given.
_LOOKING: Final = frozenset(("genericpath", "posixpath", "os", "pathlib", "shutil"))
#: Functions of them that ask whether a path is a folder.
_FOR_FOLDERS: Final = frozenset(("isdir", "is_dir"))
#: The function of them that looks for a program, which is no folder.
_FOR_PROGRAMS: Final = "which"
#: Modules of the standard library that open the paths which they are given.
_OPENING: Final = _LOOKING | {"codecs", "configparser", "fileinput", "io", "tokenize"}
#: Files that all machines have alike.
_ALIKE: Final = "/usr/share/zoneinfo/"


def pretend() -> None:
    """Report another user and another machine from now on."""
    import platform  # noqa: PLC0415 - only one of two hosts needs it
    import socket  # noqa: PLC0415

    for name in ("getuid", "geteuid", "getgid", "getegid"):
        setattr(os, name, _add_one(getattr(os, name)))
    os.cpu_count = _add_one(os.cpu_count)
    os.getlogin = lambda: "other"
    machine = os.uname()
    told = os.uname_result((machine[0], NODE, *machine[2:]))
    os.uname = lambda: told
    socket.gethostname = lambda: NODE
    platform.node = lambda: NODE
    os.get_terminal_size = lambda _fd=1, /: os.terminal_size(TERMINAL)
    _compress_otherwise()


def _compress_otherwise() -> None:
    """Find no repetitions in what is compressed: other builds of zlib find others."""
    import zlib  # noqa: PLC0415

    compressor = zlib.compressobj

    def compressobj(
        level: int = -1,
        method: int = zlib.DEFLATED,
        wbits: int = zlib.MAX_WBITS,
        memLevel: int = zlib.DEF_MEM_LEVEL,  # noqa: N803 - the name that callers give
        strategy: int = zlib.Z_DEFAULT_STRATEGY,
        *zdict: Any,
    ) -> Any:
        found = strategy or zlib.Z_HUFFMAN_ONLY
        return compressor(level, method, wbits, memLevel, found, *zdict)

    def compress(data: Any, /, level: int = -1, wbits: int = zlib.MAX_WBITS) -> bytes:
        made = compressobj(level, wbits=wbits)
        return bytes(made.compress(data) + made.flush())

    setattr(zlib, "compressobj", compressobj)  # noqa: B010 - has other annotations
    zlib.compress = compress


def pretend_system() -> None:
    """Report another system and another release of Python.

    To calls only: imports choose code by them, and so do the guard's own layers.
    """
    import platform  # noqa: PLC0415
    import sysconfig  # noqa: PLC0415

    sysconfig.get_config_vars()  # looked up by the name of the system, often not before a call
    told = platform.uname()._replace(system=SYSTEM, release=RELEASE, version=RELEASE, machine=NODE)
    platform.uname = lambda: told
    platform.processor = lambda: NODE
    platform.platform = lambda aliased=False, terse=False: f"{SYSTEM}-{RELEASE}"  # noqa: ARG005
    machine = os.uname()
    system = os.uname_result((SYSTEM, machine[1], RELEASE, RELEASE, NODE))
    os.uname = lambda: system
    major, minor = sys.version_info[:2]
    platform.python_version = lambda: f"{major}.{minor}.{RELEASE}"
    sys.version = f"{major}.{minor}.{RELEASE}{sys.version[sys.version.find(' ') :]}"
    sys.platform = SYSTEM.lower()
    sys.executable += RELEASE


def pretend_test(module: ModuleType) -> None:
    """Let calls come from another file, and other lines of it: from the test that will be written.

    The functions of ``module`` call the Subject, which may ask who calls it.
    """
    held: list[Any] = [vars(module)]
    seen: set[int] = set()
    for one in held:  # also those that it holds in tables and classes
        if id(one) in seen:
            continue
        seen.add(id(one))
        if type(one) is FunctionType:
            one.__code__ = _moved(one.__code__)
        found = one.values() if type(one) is dict else vars(one).values() if _is_class(one) else ()
        held += [value for value in found if _is_part(value, module)]


def _is_class(value: Any) -> bool:
    return isinstance(value, type)


def _is_part(value: Any, module: ModuleType) -> bool:
    """Is it a function or class of ``module``, or a table that may hold some?"""
    is_own = getattr(value, "__module__", None) == module.__name__
    return type(value) is dict or (is_own and (_is_class(value) or type(value) is FunctionType))


def _moved(code: CodeType) -> CodeType:
    """``code`` and what is defined in it, in the file and the lines of another test."""
    inner = [_moved(one) if isinstance(one, CodeType) else one for one in code.co_consts]
    return code.replace(
        co_filename=f"{code.co_filename.removesuffix('.py')}_elsewhere.py",
        co_firstlineno=code.co_firstlineno + MOVED_LINES,
        co_consts=tuple(inner),
    )


def pretend_files(folder: str, temporary: str) -> None:
    """From now on every missing path below ``folder`` looks like a file, but for ``temporary``.

    ``folder`` holds home and current folder, where a user has files that are not known here.  Of
    the paths that belong to the machine (``is_of_machine``), those that are missing here are
    there, and those that are here are missing and cannot be opened.
    """
    look = _Look(folder, temporary)
    os.stat, os.access = look.stat, look.access
    sys.addaudithook(look.refuse)


class _Look:
    """What ``os.stat`` and ``os.access`` answer elsewhere.

    ``_own`` are the folders that another machine has too: those of the interpreter, of the code
    and of this process.
    """

    def __init__(self, folder: str, temporary: str) -> None:
        self._home, self._spared = folder + os.sep, temporary + os.sep
        self._stat, self._access = os.stat, os.access
        self._file, self._folder = Path(__file__).stat(), Path(os.sep).stat()
        self._own = own_folders(folder)

    def stat(self, path: Any, **options: Any) -> os.stat_result:
        module, passing = _asker()
        is_named = options.get("dir_fd") is None
        flips = is_named and self._flips(path, module)
        try:
            found = self._stat(path, **options)
        except FileNotFoundError:
            place = os.path.abspath(os.fsdecode(path)) + os.sep  # noqa: PTH100 - follows no link
            if flips and passing & _FOR_FOLDERS and _FOR_PROGRAMS not in passing:
                return self._folder
            is_at_home = place.startswith(self._home) and not place.startswith(self._spared)
            if flips or (is_named and is_at_home):
                return self._file
            raise
        if flips and os.fsdecode(path).rstrip("/").count("/") > 1:  # every machine has /usr
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
        return found

    def access(self, path: Any, mode: int, **options: Any) -> bool:
        module, _ = _asker()
        return self._access(path, mode, **options) != self._flips(path, module)

    def refuse(self, event: str, args: tuple[Any, ...]) -> None:
        """Let no file of this machine be opened, whose content is that of no other."""
        if event != "open":
            return
        path, (module, _) = args[0], _asker(_OPENING)
        is_ours = module.partition(".")[0] == __name__.partition(".")[0]
        if not is_ours and self._flips(path, module) and not os.fsdecode(path).startswith(_ALIKE):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)

    def _flips(self, path: Any, module: str) -> bool:
        """Is what ``module`` asks about ``path`` answered the other way?

        Not to the standard library, where it asks for itself.
        """
        if module.partition(".")[0] in sys.stdlib_module_names:
            return False
        is_path = isinstance(path, (str, bytes, os.PathLike))
        return is_path and is_of_machine(os.fsdecode(path), self._own)


def _asker(between: frozenset[str] = _LOOKING) -> tuple[str, set[str]]:
    """The module whose code asks, and the functions of ``between`` that pass on what it asks."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way
    passing: set[str] = set()
    while frame is not None:
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] not in between:
            return module, passing
        passing.add(frame.f_code.co_name)
        frame = frame.f_back
    return "", passing


def _add_one(function: Callable[[], int | None]) -> Callable[[], int]:
    value = (function() or 0) + 1
    return lambda: value


def watch_environment() -> Callable[[], tuple[str, ...]]:
    """Record the variables that are looked up; the function that ends it returns their names.

    They stand in the order in which they were first looked up.
    """
    kind: Any = type(os.environ)
    getitem, contains = kind.__getitem__, kind.__contains__
    names: dict[str, None] = {}

    def watched_getitem(self: Any, key: Any) -> Any:
        _note(names, key)
        return getitem(self, key)

    def watched_contains(self: Any, key: Any) -> bool:
        _note(names, key)
        found: bool = contains(self, key)
        return found

    def end() -> tuple[str, ...]:
        kind.__getitem__ = getitem
        if had_contains:
            kind.__contains__ = contains
        else:
            del kind.__contains__
        return tuple(names)

    had_contains = "__contains__" in kind.__dict__
    kind.__getitem__, kind.__contains__ = watched_getitem, watched_contains
    return end


def _note(names: dict[str, None], key: object) -> None:
    if type(key) is str:
        names[key] = None
