"""Files for code that looks at files: a name that a run was given becomes a path of its test.

What stands at a relative name, or at ``/``, depends on where a test runs.  So where a run has
looked at a path that one of its arguments names, the next runs get a path in the folder that the
test has of its own: with nothing there, with a file of each content, and with a folder.  What a
run then misses in that folder, the next runs have there.

Invariant: a variant differs from its run in one path, or in what stands there; the variants are a
function of the run and of the contents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Final

from unitcraft.core.sequences import Arg, Build, Const, Display, Sequence, Symbol, TempPath
from unitcraft.execute.sandbox.audit import TOUCHING
from unitcraft.explore.execution import Execution
from unitcraft.explore.search.surroundings.set_variables import VariableChoice, is_arranged
from unitcraft.explore.search.variation.places import Place, places

#: A folder in which nothing stands.
EMPTY_FOLDER: Final = Display("dict", ())
#: A folder with a file and a folder.
SMALL_TREE: Final = Display(
    "dict",
    (
        Const("a.txt"),
        Const("first line\n"),
        Const("sub"),
        Display("dict", (Const("b.txt"), Const("b"))),
    ),
)
#: A name that code gives a file or folder: ``VERSION``, ``.env``, ``setup.cfg``.
_NAME: Final = re.compile(r"(?!\.\.?$)[\w.][\w.-]*")
#: The end of a name that says what the file holds.
_ENDING: Final = re.compile(r"\.[A-Za-z]\w{0,5}\Z")
#: Names of a path below a folder of the test, at most.  No run comes to it in five searches of
#: 20,000 runs.
MAX_DEPTH: Final = 3
#: How a refusal names the current folder of a worker.
_CURRENT_FOLDER: Final = "<scratch>/cwd/"
#: Functions that make a path of a text.
_PATH_CLASSES: Final = tuple([Symbol("pathlib", name) for name in ("Path", "PosixPath")])


def depends_on_host(run: Execution, choice: VariableChoice) -> bool:
    """Did the run look at such a path, or at a variable that its test leaves open?

    So does a run that is given where this machine has the code.
    """
    if any(folder in run.sequence.key for folder in choice.folders):
        return True
    return (bool(run.touched) and names_host(run)) or not is_arranged(run, choice)


def refused_look(invocable: str, sequence: Sequence, event: str) -> Execution | None:
    """A refused run as one that looked at the path which ``event`` names; None: it names none."""
    kind, _, named = event.partition(":")
    path = named.removeprefix(_CURRENT_FOLDER)
    if kind not in TOUCHING or path.startswith("<"):
        return None
    looked = ((False, path.removeprefix("descriptor ")),)
    return Execution(invocable, sequence, None, "", (), (), (), (), touched=looked)


def names_host(run: Execution) -> bool:
    """Did the run look at a path that an argument names, wherever the run took place?"""
    return any(not own for own, _ in run.touched) and any(True for _ in _named_paths(run))


def own_paths(run: Execution, name: str, contents: tuple[Arg, ...]) -> list[Sequence]:
    """Variants of ``run`` in which a name that it looked at is a path of the test's own folder."""
    made: list[Sequence] = []
    for (arg, put), text in _named_paths(run):
        is_text = isinstance(arg, Const)
        file = text if _is_plain(text) else _with_ending(name, text)
        made += [put(path) for path in _paths(file, contents, is_text=is_text)]
    return made


def fill_paths(run: Execution, contents: tuple[Arg, ...]) -> list[Sequence]:
    """Variants of ``run`` in which something stands at a path of the test where nothing stood."""
    looked = [name for own, name in run.touched if own]
    made: list[Sequence] = []
    for arg, put in places(run.sequence):
        if isinstance(arg, TempPath):
            for name in looked:
                made += [put(path) for path in _filled(arg, name, contents)]
    return made


def _paths(name: str, contents: tuple[Arg, ...], *, is_text: bool) -> Iterator[TempPath]:
    yield TempPath(name, contents[0], is_text)
    yield TempPath(name, None, is_text)
    for content in contents[1:]:
        yield TempPath(name, content, is_text)
    yield TempPath("", EMPTY_FOLDER, is_text)
    yield TempPath("", SMALL_TREE, is_text)


def _filled(path: TempPath, name: str, contents: tuple[Arg, ...]) -> Iterator[TempPath]:
    """``path`` with something at ``name``, which is the path or below it."""
    start = f"{path.name}/" if path.name else ""
    if name == path.name or not name.startswith(start) or isinstance(path.content, Const):
        return
    own = path.name if path.content is not None else ""
    inner = name.removeprefix(start)
    known = path.content if isinstance(path.content, Display) else EMPTY_FOLDER
    parts = inner.split("/")
    if len(parts) > MAX_DEPTH or not all(map(_NAME.fullmatch, parts)):
        return
    for content in (*contents, EMPTY_FOLDER):
        folder = _with_file(known, parts, content)
        if folder is not None:
            yield TempPath(own, folder, path.is_text)


def _with_file(folder: Display, parts: list[str], content: Arg) -> Display | None:
    """``folder`` with ``content`` below the names ``parts``; None if something stands there."""
    name, *below = parts
    inside: Arg | None = content
    names = folder.items[::2]
    at = 2 * names.index(Const(name)) if Const(name) in names else len(folder.items)
    if at < len(folder.items):
        there = folder.items[at + 1]
        if not below or not isinstance(there, Display):
            return None
        inside = _with_file(there, below, content)
    elif below:
        inside = _with_file(EMPTY_FOLDER, below, content)
    if inside is None:
        return None
    return Display("dict", (*folder.items[:at], Const(name), inside, *folder.items[at + 2 :]))


def _named_paths(run: Execution) -> Iterator[tuple[Place, str]]:
    """(place, text) of the arguments that name a path which the run looked at."""
    looked = [name for own, name in run.touched if not own]
    inner: Arg | None = None
    for arg, put in places(run.sequence):
        text = _path_text(arg)
        if isinstance(arg, Build) and text is not None:
            inner = arg.args[0]
        elif arg is inner:
            continue
        if text is not None and any(_names(text, name) for name in looked):
            yield (arg, put), text


def _path_text(arg: Arg) -> str | None:
    """The name that ``arg`` is, as text or as a path."""
    if isinstance(arg, Build) and arg.callee in _PATH_CLASSES and len(arg.args) == 1:
        inner = arg.args[0]
        return inner.value if isinstance(inner, Const) and isinstance(inner.value, str) else None
    if isinstance(arg, Const) and isinstance(arg.value, bytes):
        return os.fsdecode(arg.value)
    return str(arg.value) if isinstance(arg, Const) and type(arg.value) in (str, int) else None


def _names(text: str, path: str) -> bool:
    """Does ``path`` come from an argument ``text``: is it that, or below or beside it?"""
    start = text.rstrip("/") or text
    return text == path or (text != "" and (path.startswith(start) or path.endswith("/" + text)))


def _with_ending(name: str, text: str) -> str:
    """``name`` with the ending that ``text`` has, if it has one."""
    ending = _ENDING.search(text)
    return name.rpartition(".")[0] + ending.group() if ending is not None else name


def _is_plain(text: str) -> bool:
    """Is it the name of a file, with an ending, that a person would give?"""
    stem, dot, ending = text.rpartition(".")
    return bool(dot) and stem.replace("_", "").replace("-", "").isalnum() and ending.isalnum()
