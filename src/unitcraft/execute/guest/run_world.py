"""The surroundings of one run that its test controls: its folder, variables, and what it prints.

Invariant: after ``begin`` nothing of an earlier run is left; what ``effects`` names was caused by
the run, and a test sees it through the fixtures of pytest.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import os
import pkgutil
import re
import sys
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.encoding import Plain
from unitcraft.core.sequences import LEAVING
from unitcraft.execute.guest.issued_messages import LOGGED, WARNED, logged_messages
from unitcraft.execute.isolation.process_state import empty_folder
from unitcraft.execute.sandbox.audit import Journal, Position, call_into
from unitcraft.execute.sandbox.blocking_waits import await_begun, follow_pools
from unitcraft.execute.sandbox.streams import Streams

if TYPE_CHECKING:
    import asyncio

#: The arguments of an encoded Call without any.
_NO_ARGUMENTS: Final = ((), (), "")
#: Usage and what argparse finds wrong with a command line: its wording changes with its version.
_OF_ARGPARSE: Final = re.compile(
    r"usage: .*\n[^\n:]+: error: (?:argument |ambiguous |the following arguments|unrecognized )",
    re.DOTALL,
)
#: Files and folders that a run made, changed or removed and that its test looks at.
MAX_FILES: Final = 4
#: Variables that a run set and that its test looks at.
MAX_VARIABLES: Final = 3
#: Bytes of a file that is read back: a test states fewer.
MAX_BYTES: Final = 1 << 12
#: Bytes of a file without text that a test states; of a larger one, that it is there.
MAX_BINARY: Final = 24

#: An effect: an encoded observer Call, and the value that it shows.
Effect = tuple[Plain, Any]


class RunWorld:
    """Abstract state: what was printed since ``begin``, and the contents of ``folder``.

    ``folder`` is where pytest has ``tmp_path``; it is made when a run first uses it.  ``begun`` are
    the futures of pools that a Call has begun.
    """

    def __init__(self, streams: Streams, journal: Journal, folder: str) -> None:
        self.folder = folder
        self._here = str(Path.cwd()) + os.sep
        self._place = os.fsencode(journal.scratch)
        self._streams = streams
        self._journal = journal
        self._arranged: dict[str, bytes | None] = {}
        self._variables: dict[bytes, bytes] = {}
        self._undo: list[Callable[[], object]] = []
        self._entered: list[tuple[Any, str]] = []
        self._shared: asyncio.Runner | None = None
        self.begun = follow_pools()

    def note_entered(self, manager: Any, name: str) -> None:
        """Remember what the method ``name`` has entered: calls that follow stand in its block."""
        self._entered.append((manager, LEAVING[name]))

    def leave_blocks(self) -> None:
        """Leave what the run entered, the last first; what is raised then is nobody's."""
        while self._entered:
            manager, name = self._entered.pop()
            with contextlib.suppress(BaseException):
                left = getattr(manager, name)(None, None, None)
                if isinstance(left, CoroutineType):
                    self.finish(left)
        if self._shared is not None:
            with contextlib.suppress(BaseException):
                self._close_loop(self._shared)

    # -- event loops ----------------------------------------------------------------

    def share_loop(self) -> asyncio.AbstractEventLoop:
        """Give the Calls that follow one event loop, up to ``leave_blocks``, and return it.

        A test has a coroutine function around such Calls.  So the loop counts as running between
        them, too: tasks that one began go on while another is awaited, and ``asyncio.run`` inside
        of the code is refused.
        """
        import asyncio  # noqa: PLC0415 - half of the start of a host, and few Subjects need it

        if self._shared is not None:
            self._close_loop(self._shared)
        self._shared = asyncio.Runner()
        loop = self._shared.get_loop()
        loop.set_exception_handler(self._note_unretrieved)
        asyncio._set_running_loop(loop)  # noqa: SLF001 - it runs in steps
        return loop

    def finish(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """The result of ``coroutine``, in the shared loop if there is one, else in one of its own.

        Raises what it raises.
        """
        import asyncio  # noqa: PLC0415 - as above

        if self._shared is None:
            return asyncio.run(coroutine)
        asyncio._set_running_loop(None)  # noqa: SLF001 - as above
        try:
            return self._shared.run(coroutine)
        finally:
            asyncio._set_running_loop(self._shared.get_loop())  # noqa: SLF001 - as above

    def _close_loop(self, shared: asyncio.Runner) -> None:
        """End the shared loop and its tasks.

        A run that lost an exception, which nobody retrieved, is refused: in a test it would be told
        on standard error, at a time of its own.
        """
        import asyncio  # noqa: PLC0415 - as above

        asyncio._set_running_loop(None)  # noqa: SLF001 - as above
        self._shared = None
        shared.close()
        gc.collect()  # an exception holds the frames of its traceback, and one of them its future

    def _note_unretrieved(self, _: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if str(context.get("message")).endswith("never retrieved"):
            kind = type(context.get("exception")).__name__
            self._journal.refused.append(("asyncio", f"{kind} was never retrieved", ""))

    def begin(self) -> None:
        """Begin a run."""
        self.undo()
        self._variables = _environment()
        self._journal.variables.clear()
        self._journal.callers = ()
        self._streams.forget()
        if self._arranged:
            self._arranged.clear()
            empty_folder(self.folder)
        self._journal.touched.clear()
        self.begun.clear()

    def settle(self) -> None:
        """Let pools do what the Call that is over gave them to do."""
        await_begun()

    def variables(self) -> tuple[str, ...]:
        """The variables of the environment that the run looked up."""
        return tuple(self._journal.variables)

    def calling(self, module: str, error: BaseException | None) -> Position | None:
        """The call in ``module`` that was first refused an effect, else that which raised."""
        for name, position in self._journal.callers:
            if name == module:
                return position
        return None if error is None else call_into(error, module)

    # -- what the test sets ---------------------------------------------------------

    def arrange(self, name: str, target: str, value: Any = None) -> None:
        """Do what the method ``name`` of monkeypatch does.

        Raises ImportError, AttributeError or ValueError where the dotted ``target`` of setattr
        names nothing, and TypeError where it is of a class that cannot be changed.
        """
        if name == "setattr":
            self._replace(target, value)
            return
        known = len(self._journal.variables)
        self._undo.append(partial(_set_variable, target, os.environ.get(target)))
        _set_variable(target, value)
        self._variables = _environment()
        del self._journal.variables[known:]

    def _replace(self, target: str, value: Any) -> None:
        """Put ``value`` in the place of an attribute of a module or class; it may be inherited."""
        place, _, name = target.rpartition(".")
        owner = _resolved(place)
        old = getattr(owner, name)
        if isinstance(owner, type) and name not in vars(owner):
            put_back = partial(delattr, owner, name)
        else:
            own = vars(owner)[name] if isinstance(owner, type) else old
            put_back = partial(setattr, owner, name, own)
        setattr(owner, name, value)
        self._undo.append(put_back)

    def undo(self) -> None:
        """Put back what was arranged, the last first, and let go of warnings."""
        WARNED.clear()
        LOGGED.clear()
        while self._undo:
            self._undo.pop()()

    # -- the folder ---------------------------------------------------------------

    def place(self, name: str, content: Any) -> str:
        """The path ``name``, where ``content`` is put unless something stands there."""
        known = len(self._journal.touched)
        path = Path(self.folder, name)
        if not self._arranged:
            Path(self.folder).mkdir(exist_ok=True)
            self._arranged[""] = None
        if content is not None:
            self._put(name, content)
        del self._journal.touched[known:]
        return str(path)

    def _put(self, name: str, content: Any) -> None:
        path = Path(self.folder, name)
        if name in self._arranged and not (name == "" and isinstance(content, dict)):
            return
        if isinstance(content, dict):
            path.mkdir(exist_ok=True)
            self._arranged[name] = None
            for inner, below in content.items():
                self._put(f"{name}/{inner}" if name else inner, below)
        else:
            data = content.encode() if isinstance(content, str) else content
            path.write_bytes(data)
            self._arranged[name] = data

    def name_of(self, path: str) -> str | None:
        """The name of ``path`` in the folder; None for a path elsewhere."""
        if path == self.folder:
            return ""
        start = self.folder + os.sep
        return path[len(start) :] if path.startswith(start) and "\n" not in path else None

    def without_place(self, written: bytes) -> bytes:
        """``written`` without the folder of this worker: each worker has another, as long."""
        return written.replace(self._place, b"") if self._place else written

    def touched(self) -> Iterator[tuple[bool, str]]:
        """(in the folder?, name) of the paths that the run looked at or changed."""
        for path in self._journal.touched:
            name = self.name_of(path)
            if name is not None:
                yield True, name
            elif path.startswith(self._here):
                yield False, path.removeprefix(self._here)
            elif not path.startswith(self._journal.scratch or "\0"):
                yield False, path

    # -- effects ------------------------------------------------------------------

    def effects(self) -> list[Effect]:
        """What the run left in its surroundings."""
        written = self._written() if self._arranged else ()
        return [*self._printed(), *self._told(), *written, *self._set()]

    def _set(self) -> Iterator[Effect]:
        """The variables of the environment that the run set, but for those of the guard."""
        now = _environment()
        if now == self._variables:
            return
        changed = sorted(name for name, value in now.items() if self._variables.get(name) != value)
        for name in map(os.fsdecode, changed[:MAX_VARIABLES]):
            if name.isidentifier():
                read = ("get", f'environ["{name}"]', (("y", "os", ""),), (), "")
                yield read, os.fsdecode(now[os.fsencode(name)])

    def _printed(self) -> list[Effect]:
        printed = self._streams.printed()
        out, err = [None if one and _OF_ARGPARSE.match(one) else one for one in printed]
        if out and err:
            return [(("output", "both", *_NO_ARGUMENTS), (out, err))]
        shown = (("out", out), ("err", err))
        return [(("output", name, *_NO_ARGUMENTS), text) for name, text in shown if text]

    def _told(self) -> list[Effect]:
        """The messages that the run logged."""
        messages = logged_messages()
        return [(("output", "messages", *_NO_ARGUMENTS), messages)] if messages else []

    def _written(self) -> list[Effect]:
        known = len(self._journal.touched)
        found = self._contents()
        del self._journal.touched[known:]
        names = [name for name in found if self._arranged.get(name, b"\0\0") != found[name]]
        gone = [name for name in self._arranged if name and name not in found]
        parents = {name.rpartition("/")[0] for name in found}
        made = [name for name in names if found[name] is not None or name not in parents]
        shown = [_content_effect(name, found[name]) for name in made if name]
        return [*shown, *[_look("exists", name, value=False) for name in gone]][:MAX_FILES]

    def _contents(self) -> dict[str, bytes | None]:
        """Name -> content of each file, None for a folder; sorted."""
        found: dict[str, bytes | None] = {}
        for place, folders, files in os.walk(self.folder):
            folders.sort()
            inner = "" if place == self.folder else place[len(self.folder) + 1 :] + "/"
            found.update({inner + name: None for name in folders})
            for name in sorted(files):
                with Path(place, name).open("rb") as file:
                    found[inner + name] = file.read(MAX_BYTES)
        return dict(sorted(found.items()))


def _resolved(place: str) -> Any:
    """The module or class with the dotted name ``place``, as ``pkgutil.resolve_name`` finds it.

    That asks the file system for a module of every name, so those that are loaded come first.
    """
    parts = place.split(".")
    for count in range(len(parts), 0, -1):
        found = sys.modules.get(".".join(parts[:count]))
        if found is None:
            continue
        try:
            return functools.reduce(getattr, parts[count:], found)
        except AttributeError:
            break
    return pkgutil.resolve_name(place)


def _environment() -> dict[bytes, bytes]:
    """A copy of the environment, which nobody sees being read."""
    return dict(os.environ._data)  # type: ignore[attr-defined]  # noqa: SLF001


def _set_variable(name: str, value: str | None) -> None:
    if value is None:
        os.environ.pop(name, None)
    else:
        os.environ[name] = value


def _content_effect(name: str, data: bytes | None) -> Effect:
    if data is None:
        return _look("is_dir", name, value=True)
    try:
        text = data.decode()
    except UnicodeDecodeError:
        if len(data) > MAX_BINARY:
            return _look("exists", name, value=True)
        return _look("read_bytes", name, value=data)
    if "\r" in text:
        return _look("read_bytes", name, value=data)
    if len(data) >= MAX_BYTES:
        return _look("exists", name, value=True)
    named = () if text.isascii() else (("encoding", ("c", "utf-8")),)
    return ("method", "read_text", (("p", name, None, False),), named, ""), text


def _look(method: str, name: str, *, value: Any) -> Effect:
    return ("method", method, (("p", name, None, False),), (), ""), value
