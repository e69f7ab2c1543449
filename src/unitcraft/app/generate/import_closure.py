"""The files that a module can see: what it imports, and what that imports, below the project.

Invariant: nothing is imported; where code chooses modules while it runs, or opens files, everything
that it could mean is in the closure.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from unitcraft.subject.source_files import parse, read_source

#: Directories that no module depends on.
IGNORED: Final = ("__pycache__", ".git", ".unitcraft", ".venv", ".mypy_cache", ".pytest_cache")

#: Names in code that imports by computed names.
_DYNAMIC: Final = frozenset(
    ("import_module", "__import__", "iter_modules", "walk_packages", "entry_points", "runpy")
)

#: Names in code that reads files.
_READING: Final = frozenset(
    ("open", "read_text", "read_bytes", "resources", "get_data", "__file__", "__path__")
)
#: One of these names somewhere in a text.  Most files have none (776 of 813 of one package), and
#: then only their statements are looked at: 0.06 s in place of 0.49 of 2.1 in all.
_EFFECTS: Final = re.compile(rf"\b(?:{'|'.join(sorted(_DYNAMIC | _READING))})\b")


@dataclass(frozen=True, slots=True)
class Closure:
    """``files`` of the project, sorted; ``outside``: top-level names of all other imports.

    ``dynamic``: some of the code imports by computed names.
    """

    files: tuple[Path, ...]
    outside: tuple[str, ...]
    dynamic: bool


@dataclass(frozen=True, slots=True)
class _Imports:
    """What one file imports: (level, module, names), and which kinds of effects it has."""

    statements: tuple[tuple[int, str, tuple[str, ...]], ...]
    dynamic: bool
    reading: bool


def import_closure(
    module: str,
    file: Path,
    root: Path,
    paths: Sequence[str] = (),
    named: Iterable[str] = (),
    *,
    dynamic: bool = False,
) -> Closure:
    """The closure of ``module``; ``root`` and ``paths`` are where the project imports from.

    ``named`` are further modules that are imported with it, if they are there; ``dynamic``: others
    are, by computed names.
    """
    roots = list(dict.fromkeys([root, *map(Path, paths)]))
    waiting = [(module, file), *_packages_around(module, root)]
    waiting += [place for name in named for place in _places(name, roots)]
    found: dict[Path, None] = {}
    outside: set[str] = set()
    reading = False
    while waiting:
        name, one = waiting.pop()
        if one in found:
            continue
        found[one] = None
        imports = _imports_of(one)
        dynamic, reading = dynamic or imports.dynamic, reading or imports.reading
        for wanted, sure in _imported(name, one, imports):
            places = list(_places(wanted, roots))
            waiting += places
            if sure and not places:
                outside.add(wanted.partition(".")[0])
    tree = _tree(module, file, root) if dynamic or reading else []
    more = tree if dynamic else [one for one in tree if one.suffix != ".py"]
    return Closure(tuple(sorted({*found, *more})), tuple(sorted(outside)), dynamic)


def _packages_around(module: str, root: Path) -> list[tuple[str, Path]]:
    """The ``__init__`` of each package that ``module`` is in."""
    parts = module.split(".")[:-1]
    names = [parts[: length + 1] for length in range(len(parts))]
    found = [(".".join(name), root.joinpath(*name, "__init__.py")) for name in names]
    return [(name, file) for name, file in found if file.is_file()]


def _imported(name: str, file: Path, imports: _Imports) -> Iterator[tuple[str, bool]]:
    """Dotted names that a file imports, and whether each has to be a module."""
    parts = name.split(".")
    home = parts if file.name == "__init__.py" else parts[:-1]
    for level, module, names in imports.statements:
        base = home[: len(home) - level + 1] if level else []
        whole = ".".join([*base, *([module] if module else [])])
        if whole:
            yield whole, True
            yield from ((f"{whole}.{one}", False) for one in names)


def _places(wanted: str, roots: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    """The modules that an import of ``wanted`` runs: its packages and itself."""
    parts = wanted.split(".")
    for root in roots:
        place, found = str(root), False
        for length, part in enumerate(parts, start=1):
            place = f"{place}{os.sep}{part}"
            is_package = os.path.isdir(place)  # noqa: PTH112 - thousands of them
            file = f"{place}{os.sep}__init__.py" if is_package else f"{place}.py"
            if os.path.isfile(file):  # noqa: PTH113
                yield ".".join(parts[:length]), Path(file)
                found = True
            if not is_package:
                break
        if found:
            return


def _tree(module: str, file: Path, root: Path) -> list[Path]:
    """All files of the top-level package of ``module`` or, outside a package, those beside it."""
    top = root / module.partition(".")[0]
    if not top.is_dir():
        return sorted({file, *(one for one in file.parent.iterdir() if one.is_file())})
    found = []
    for directory, directories, names in os.walk(top):
        directories[:] = sorted(name for name in directories if name not in IGNORED)
        found += [Path(directory, name) for name in sorted(names)]
    return found


def _imports_of(file: Path) -> _Imports:
    try:
        status = file.stat()
    except OSError:
        return _Imports((), dynamic=False, reading=False)
    return _read_imports(str(file), status.st_mtime_ns, status.st_size)


@cache
def _read_imports(file: str, _changed: int, _size: int) -> _Imports:
    statements: list[tuple[int, str, tuple[str, ...]]] = []
    names: set[str] = set()
    text = read_source(file)
    for node in ast.walk(parse(text)) if _EFFECTS.search(text) else _statements(parse(text)):
        match node:
            case ast.Import(aliases):
                statements += [(0, one.name, ()) for one in aliases]
                names.update(part for one in aliases for part in one.name.split("."))
            case ast.ImportFrom(module, aliases, level):
                statements.append((level or 0, module or "", tuple(one.name for one in aliases)))
                names.update(one.name for one in aliases)
            case ast.Name(name):
                names.add(name)
            case ast.Attribute(attr=name):
                names.add(name)
    return _Imports(
        tuple(statements), dynamic=bool(names & _DYNAMIC), reading=bool(names & _READING)
    )


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """The statements below ``tree``, in the order in which ``ast.walk`` comes to them."""
    level = [tree]
    while level:
        yield from level
        level = [
            child
            for node in level
            for _, value in ast.iter_fields(node)
            if isinstance(value, list)
            for child in value
            if isinstance(child, _HOLDERS)
        ]


#: Nodes that are statements or hold some.
_HOLDERS: Final = (ast.stmt, ast.excepthandler, ast.match_case)
