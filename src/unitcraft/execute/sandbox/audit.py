"""The audit hook: refuses effects by the policy, and records each refusal before it raises.

Invariant: a refusal is in the journal before the Subject sees the exception, so that
swallowing it hides nothing.  The hook can be relaxed only through its Journal, which is never
given to the Subject.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from types import CodeType, FrameType, TracebackType
from typing import Any, Final

from unitcraft.execute.policy import FILE_RULES, IMPORT_MAY, IMPORT_RULES, RULES, Policy, Rule

#: Audit events whose first argument is a path that the Subject looks at or changes.
TOUCHING = frozenset(
    (
        *("open", "os.listdir", "os.scandir", "os.mkdir", "os.rmdir", "os.remove", "os.rename"),
        *("os.chmod", "os.utime", "os.truncate", "shutil.copyfile", "shutil.rmtree"),
    )
)
#: Stands for all variables, whose names were gone through.
EVERY_VARIABLE: Final = "*"
#: Touched paths, or variables, kept for one run: enough for a small tree.
MAX_TOUCHED = 8

#: Calls that are noted of one stack: a client of the network goes through some thirty.
MAX_CALLERS: Final = 60
#: Where a call stands: see ``core.outcomes.Position``.
Position = tuple[int, int, int, int]
#: (module, position) of calls, the innermost first.
Callers = tuple[tuple[str, Position], ...]

#: Refusals kept for one item; the first decides the outcome, the others are for the report.
MAX_REFUSALS = 16

#: Audit event -> the part of the process state that has to be checked after the item.
CHECKED_AFTER = {
    "os.chdir": "cwd",
    "_thread.start_new_thread": "thread",
    "_thread.start_joinable_thread": "thread",
    "os.mkdir": "files",
    "tempfile.mkstemp": "files",
    "tempfile.mkdtemp": "files",
    "sqlite3.connect": "files",
}

#: Is called for each effect: event, argument, place, was it refused?
Listener = Callable[[str, str, str, bool], None]

#: The listeners of this process (mutable); effects of their own are not reported.
LISTENERS: list[Listener] = []


class Blocked(PermissionError):  # noqa: N818 - the vocabulary's word
    """The policy refused an effect.  An OSError, so that code which handles those may carry on."""


@dataclass(slots=True)
class Journal:
    """The effects since the last ``clear``, and the settings of the hook.

    ``refused`` holds (event, argument, place); ``noted`` maps a value of ``CHECKED_AFTER`` to a
    place.  ``quiet`` switches the hook off while unitcraft itself acts.
    ``scratch``, and ``host_scratch`` around it, are folders with a random name, which are reported
    as ``<scratch>``.
    ``touched`` are paths that the Subject looked at or changed, as it named them, but for those
    in ``own``, the folders of interpreter and code; ``variables``
    those of the environment that it looked up; ``callers`` the calls that led to the first refusal
    of a run.
    ``roots`` are the folders whose frames count as the Subject's.  ``confined``: the layers of
    the kernel are in force, so that imports may do what those confine.  ``invents``: the calls are
    those of a search, which hits upon names of files that matter to somebody; changing them is
    refused whatever the level.  Mutable; one per process.
    """

    policy: Policy
    writable: tuple[str, ...]
    roots: tuple[str, ...]
    importing: bool = True
    quiet: bool = False
    confined: bool = False
    invents: bool = False
    own: tuple[str, ...] = ()
    scratch: str = ""
    host_scratch: str = ""
    refused: list[tuple[str, str, str]] = field(default_factory=list)
    noted: dict[str, str] = field(default_factory=dict)
    touched: list[str] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    callers: Callers = ()

    def clear(self) -> None:
        """Forget the effects."""
        self.refused.clear()
        self.noted.clear()

    def refuse(self, event: str, argument: str) -> Blocked:
        """Record a refusal; return the exception to raise."""
        if not self.callers and not self.importing:
            self.callers = callers_of(sys._getframe(1), self.roots)  # noqa: SLF001
        if len(self.refused) < MAX_REFUSALS:
            shown = argument
            for folder in filter(None, (self.scratch, self.host_scratch)):
                shown = shown.replace(folder, "<scratch>")
            self.refused.append((event, shown, self.where()))
        self.notify(event, argument, was_refused=True)
        return Blocked(1, f"unitcraft refused {event}", argument)

    def touch(self, path: object) -> None:
        """Note a path or descriptor, unless it is in one of the folders ``own``."""
        if self.quiet or self.importing or len(self.touched) >= MAX_TOUCHED:
            return
        text = str(path) if type(path) is int else os.fsdecode(path)  # type: ignore[arg-type]
        is_kept = text.startswith(self.scratch) or not f"{text}/".startswith(self.own)
        if text not in self.touched and is_kept:
            self.touched.append(text)

    def look_up(self, variable: object) -> None:
        """Note a variable of the environment, unless a module asks that is being imported.

        Only the first run that needs such a module would ask.
        """
        known = self.variables
        is_new = type(variable) is str and len(known) < MAX_TOUCHED and variable not in known
        if is_new and not is_importing():
            known.append(variable)  # type: ignore[arg-type]

    def notify(self, event: str, argument: str, *, was_refused: bool) -> None:
        """Report an effect to the listeners."""
        for listener in LISTENERS:
            listener(event, argument, self.where(), was_refused)

    def where(self) -> str:
        """file:line of the innermost frame of the Subject, or of the innermost foreign frame."""
        frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way
        fallback = ""
        while frame is not None:
            name = frame.f_code.co_filename
            for root in self.roots:
                if name.startswith(root):
                    return f"{name[len(root) :].lstrip('/')}:{frame.f_lineno}"
            if not fallback and not name.startswith(("<frozen", OURS)):
                fallback = f"{name.rsplit('/', 1)[-1]}:{frame.f_lineno}"
            frame = frame.f_back
        return fallback


#: The file name in frames of the import system.
IMPORT_SYSTEM: Final = "<frozen importlib._bootstrap>"

#: Folder of unitcraft: its frames are never the place of an effect.
OURS = __file__.rsplit("/", 3)[0]


def install(journal: Journal) -> None:
    """Raise the hook for the rest of this process and of its children."""
    is_off = journal.policy.level == "off"
    rules = dict((FILE_RULES if journal.invents else {}) if is_off else RULES)
    watched = {*rules, *CHECKED_AFTER, *TOUCHING}

    def consider(event: str, args: tuple[Any, ...]) -> None:
        _note_path(event, args, journal)
        note = CHECKED_AFTER.get(event)
        if note is not None and note not in journal.noted:
            journal.noted[note] = journal.where()
        rule = rules.get(event)
        if rule is None or (journal.importing and (is_off or event in IMPORT_MAY)):
            return
        refused = _arguments_refused(rule, args, journal)
        if refused and journal.confined and event in IMPORT_RULES and is_importing():
            refused = _arguments_refused(IMPORT_RULES[event], args, journal)
        for argument in refused:
            if not journal.policy.allows(event, argument):
                raise journal.refuse(event, argument)
            journal.notify(event, argument, was_refused=False)
        if event == "open" and not refused and not journal.noted.get("files"):
            _note_write(args, journal)

    def hook(event: str, args: tuple[Any, ...]) -> None:
        if event in watched and not journal.quiet:
            consider(event, args)

    sys.addaudithook(hook)


def _note_path(event: str, args: tuple[Any, ...], journal: Journal) -> None:
    if event in TOUCHING and args:
        journal.touch(args[0])


def own_folders(*more: str) -> tuple[str, ...]:
    """The folders of interpreter and code, and ``more``, each with a slash at its end."""
    own = {*more, "/dev", sys.prefix, sys.base_prefix, sys.exec_prefix, *sys.path}
    own |= {os.path.realpath(path) for path in own if path}
    return tuple(sorted(path.rstrip("/") + "/" for path in own if path.startswith("/")))


def is_of_machine(path: str, own: tuple[str, ...]) -> bool:
    """Is ``path`` absolute, and none of the folders ``own``, above or below one?"""
    place = path.rstrip("/") + "/"
    if not place.startswith("/"):
        return False
    return not (place.startswith(own) or any(folder.startswith(place) for folder in own))


def watch_looks(journal: Journal) -> None:
    """Note the paths and variables that the Subject asks about, which raises no audit event."""
    for name in ("stat", "lstat", "access", "readlink"):
        setattr(os, name, _noting(getattr(os, name), journal))
    kind: Any = type(os.environ)
    getitem, iterate = kind.__getitem__, kind.__iter__

    def look_up(self: Any, key: Any) -> Any:
        journal.look_up(key)
        return getitem(self, key)

    def look_at_all(self: Any) -> Any:
        journal.look_up(EVERY_VARIABLE)
        return iterate(self)

    kind.__getitem__ = look_up
    kind.__iter__ = look_at_all


def _noting(function: Callable[..., Any], journal: Journal) -> Callable[..., Any]:
    @functools.wraps(function)
    def look(path: Any, *args: Any, **options: Any) -> Any:
        journal.touch(path)
        return function(path, *args, **options)

    return look


def _arguments_refused(rule: Rule, args: tuple[Any, ...], journal: Journal) -> tuple[str, ...]:
    try:
        return rule(args, journal.writable)
    except Exception:  # noqa: BLE001 - an argument that a rule cannot read is refused
        return ("?",)


def is_importing() -> bool:
    """Does the caller run because a module is being imported?"""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way
    while frame is not None:
        code = frame.f_code
        if code.co_name == "_load_unlocked" and code.co_filename == IMPORT_SYSTEM:
            return True
        frame = frame.f_back
    return False


def _note_write(args: tuple[Any, ...], journal: Journal) -> None:
    """Remember that a file may have been written in the scratch folder."""
    flags = args[2]
    if isinstance(flags, int) and flags & 3 and not isinstance(args[0], int):
        journal.noted["files"] = str(args[0])


def callers_of(frame: FrameType | None, roots: tuple[str, ...]) -> Callers:
    """The calls in code below the folders ``roots`` that led to ``frame``."""
    found: list[tuple[str, Position]] = []
    while frame is not None and len(found) < MAX_CALLERS:
        if frame.f_code.co_filename.startswith(roots):
            position = position_at(frame.f_code, frame.f_lasti)
            name = frame.f_globals.get("__name__")
            if position is not None and isinstance(name, str):
                found.append((name, position))
        frame = frame.f_back
    return tuple(found)


#: Instructions whose positions were asked for: a long function takes as long to decode as to run.
#: They hold their code, so that no other takes its identity.
_POSITIONS: Final[dict[tuple[int, int], tuple[CodeType, tuple[int | None, ...]]]] = {}


def call_into(error: BaseException, module: str) -> Position | None:
    """The innermost call in ``module`` through which ``error`` came; None if there is none."""
    found: TracebackType | None = None
    tb = error.__traceback__
    while tb is not None:
        if tb.tb_frame.f_globals.get("__name__") == module:
            found = tb
        tb = tb.tb_next
    return None if found is None else position_at(found.tb_frame.f_code, found.tb_lasti)


def position_at(code: CodeType, offset: int) -> Position | None:
    """The source positions of the instruction at ``offset`` (bytes); None where none are known."""
    known = _POSITIONS.get((id(code), offset))
    if known is None:
        spans = islice(code.co_positions(), offset // 2, offset // 2 + 1)
        known = _POSITIONS[id(code), offset] = (code, next(spans, (None,) * 4))
    first, last, left, right = known[1]
    if first is None or last is None or left is None or right is None:
        return None
    return (first, last, left, right)
