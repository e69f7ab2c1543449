"""Files in which others call a module: its package, tests, examples, documents, the read-me.

Invariant: the answer depends on the folders of the project alone, is sorted, and holds no file
that unitcraft wrote; nothing is imported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

#: Folders beside a package whose files show how it is called.
_FOLDERS: Final = ("tests", "test", "testing", "examples", "example", "docs", "doc")
#: Endings of files that are read: code, and documents with blocks of code.
_CODE: Final = ".py"
_TEXTS: Final = (".md", ".rst", ".txt")
#: Files read of one project, in sorted order: those of large packages take seconds to parse.
MAX_FILES: Final = 300
#: Characters of one file; longer ones are tables and bundles.
MAX_CHARACTERS: Final = 200_000
#: Characters of syntax trees that are made, in all: a second of time.
MAX_PARSED: Final = 1_000_000
#: The mark in the head of files that unitcraft wrote.
WRITTEN_BY_US: Final = "# Written by unitcraft "
#: Characters in which the mark stands.
_HEAD: Final = 2_000


def package_files(root: Path, module: str) -> Iterator[Path]:
    """The Python files of the package around ``module``, sorted; none of the standard library."""
    top = root / module.partition(".")[0]
    if top.is_dir() and "site-packages" not in _names(root):
        yield from _below(top, (_CODE,))


def files_of_others(root: Path, module: str) -> Iterator[Path]:
    """Tests, examples and documents beside the package, and the metadata of its distribution."""
    for path in _beside(root, module):
        if path.suffix != _CODE or not is_written_by_us(path):
            yield path


def is_written_by_us(path: Path) -> bool:
    """Has the file the mark of unitcraft in its head?"""
    try:
        with path.open(encoding="utf-8", errors="replace") as stream:
            return WRITTEN_BY_US in stream.read(_HEAD)
    except OSError:
        return False


def _beside(root: Path, module: str) -> Iterator[Path]:
    if any(_is_metadata(name) for name in _names(root)):
        yield from _metadata(root, module.partition(".")[0])
        return
    if "site-packages" in _names(root):  # the standard library
        return
    homes = [root, root.parent] if root.name in ("src", "lib") else [root]
    for home in homes:
        for name in _names(home):
            path = home / name
            if name.lower().startswith("readme") and path.is_file():
                yield path
            elif name in _FOLDERS and path.is_dir():
                yield from _below(path, (_CODE, *_TEXTS))


def files_that_mention(root: Path, module: str) -> tuple[list[Path], list[Path]]:
    """The files of others and those of the package whose text has the name that calls need."""
    top, last = module.partition(".")[0], module.rpartition(".")[2]
    others = [path for path in files_of_others(root, module) if top in read_text(path)]
    return others, [path for path in package_files(root, module) if last in read_text(path)]


def _is_metadata(name: str) -> bool:
    return name.endswith((".dist-info", ".egg-info"))


def _metadata(root: Path, top: str) -> Iterator[Path]:
    """The METADATA of the distribution that holds the package or module ``top``."""
    for name in _names(root):
        if _is_metadata(name):
            listed = read_text(root / name / "RECORD").splitlines()
            if any(line.startswith((f"{top}/", f"{top}.py,")) for line in listed):
                yield root / name / "METADATA"


def _below(folder: Path, endings: tuple[str, ...]) -> Iterator[Path]:
    for directory, directories, names in os.walk(folder):
        directories[:] = sorted(name for name in directories if not name.startswith(("_", ".")))
        for name in sorted(names):
            if name.endswith(endings):
                yield Path(directory, name)


def _names(folder: Path) -> list[str]:
    try:
        return sorted([path.name for path in folder.iterdir()])
    except OSError:
        return []


def read_text(path: Path) -> str:
    """The text of a file; '' if it cannot be read, is very long or was written by unitcraft."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    if len(text) > MAX_CHARACTERS or WRITTEN_BY_US in text[:_HEAD]:
        return ""
    return text


def mentioning(
    files: Iterable[Path], called: re.Pattern[str], module: str
) -> Iterator[tuple[Path, str]]:
    """The files, with their texts, that name the module and call something of such a name."""
    left = MAX_PARSED
    for path in islice(files, MAX_FILES):
        text = read_text(path)
        if module in text and called.search(text):
            left -= len(text)
            if left < 0:
                return
            yield path, text
