"""The folder from which a file is imported: the entry of ``sys.path`` that it needs.

Invariant: a file is read and never run; a folder that is nobody's package stays outside of names.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection
from pathlib import Path
from typing import Final

from unitcraft.subject.source_files import read_source

#: An absolute import of something below a top-level package: the package, and what is below it.
_IMPORT: Final = re.compile(
    r"^[ \t]*(?:from[ \t]+(\w+)(?:\.(\w+))?[\w.]*[ \t]+import[ \t]+\(?\s*(\w+)"
    r"|import[ \t]+(\w+)\.(\w+))",
    re.MULTILINE,
)

#: The top-level name of any import statement.
_IMPORTED: Final = re.compile(r"^[ \t]*(?:from|import)[ \t]+(\w+)", re.MULTILINE)

#: Folders that are put on ``sys.path`` and never imported from by their own name.
_SOURCE_FOLDERS: Final = ("src", "lib")

#: Files that stand in the folder of a project, which is no package, whatever it is called.
PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


def import_root(file: Path, entries: Collection[Path] = ()) -> Path:
    """The nearest folder above ``file`` that is no package.

    A folder without ``__init__.py`` is one (a namespace package) where the file imports from it by
    its name: what stands there, or anything if the folder around it is one of ``entries``, which
    are on ``sys.path``.  It is one, too, below an entry or the ``src`` of a project, unless the
    file imports what stands beside it.
    """
    folder = file.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    outer = _namespace(file, folder, entries)
    if outer is not None:
        return outer.parent
    return _entry_above(file, folder, entries) or folder


def _entry_above(file: Path, folder: Path, entries: Collection[Path]) -> Path | None:
    """The nearest entry that ``folder`` is below, if its name leads from there to ``folder``."""
    for outer in (folder, *folder.parents):
        is_project = any((outer.parent / one).exists() for one in PROJECT_FILES)
        if outer in entries or (outer.name == "src" and is_project):
            names = set(_IMPORTED.findall(read_source(str(file))))
            beside = any(_stands_in(folder, name) for name in sorted(names))
            return None if beside else outer
        if not outer.name.isidentifier() or outer.name in _SOURCE_FOLDERS:
            return None
        if any((outer / one).exists() for one in PROJECT_FILES):
            return None
    return None


def is_module_name(module: str) -> bool:
    """Can an import statement name ``module``?"""
    return all(part.isidentifier() and not keyword.iskeyword(part) for part in module.split("."))


def as_identifier(name: str) -> str:
    """A name for a module that is similar to ``name``."""
    text = "".join(char if f"_{char}".isidentifier() else "_" for char in name)
    return text if is_module_name(text) else f"_{text}"


def _namespace(file: Path, folder: Path, entries: Collection[Path]) -> Path | None:
    """The namespace package that ``folder`` is or is in; None where ``file`` knows of none."""
    imported: dict[str, list[str]] | None = None
    for outer in (folder, *folder.parents):
        if any((outer / one).exists() for one in PROJECT_FILES):
            return None
        imported = _imported_names(file) if imported is None else imported
        inner = imported.get(outer.name)
        if inner is None or _stands_in(folder, outer.name):
            continue
        if outer.parent in entries or any(_stands_in(outer, name) for name in inner):
            return outer
    return None


def _imported_names(file: Path) -> dict[str, list[str]]:
    """Top-level package -> the modules or attributes of it that ``file`` imports."""
    found: dict[str, list[str]] = {}
    for package, inner, attribute, whole, below in _IMPORT.findall(read_source(str(file))):
        found.setdefault(package or whole, []).append(inner or attribute or below)
    return found


def _stands_in(folder: Path, name: str) -> bool:
    return (folder / name).is_dir() or (folder / f"{name}.py").is_file()
