"""The folder from which a file is imported: the entry of ``sys.path`` that it needs.

Invariant: a file is read and never run; a folder that is nobody's package stays outside of names.
"""

from __future__ import annotations

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

#: Files that stand in the folder of a project, which is no package, whatever it is called.
_PROJECT_FILES: Final = ("pyproject.toml", "setup.py", "setup.cfg", ".git")


def import_root(file: Path, entries: Collection[Path] = ()) -> Path:
    """The nearest folder above ``file`` that is no package.

    A folder without ``__init__.py`` is one (a namespace package) where the file imports from it by
    its name: what stands there, or anything if the folder around it is one of ``entries``, which
    are on ``sys.path``.
    """
    folder = file.parent
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    outer = _namespace(file, folder, entries)
    return folder if outer is None else outer.parent


def _namespace(file: Path, folder: Path, entries: Collection[Path]) -> Path | None:
    """The namespace package that ``folder`` is or is in; None where ``file`` knows of none."""
    imported: dict[str, list[str]] | None = None
    for outer in (folder, *folder.parents):
        if any((outer / one).exists() for one in _PROJECT_FILES):
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
