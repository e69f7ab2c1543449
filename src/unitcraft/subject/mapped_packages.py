"""Packages that an editable installation maps to folders of other names.

Build tools install a project for editing with a finder beside the installed packages, which knows
the folder of each package.  Those of setuptools and of ``editables`` are read, as text.

Invariant: no finder is run; of a folder of packages only the names and these finders are read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from unitcraft.subject.source_files import parse, read_source

#: The files that hold a mapping: of setuptools, and of tools that use ``editables``.
_FINDERS = ("__editable___*_finder.py", "_editable_impl_*.py")


def mapped_packages(path: Sequence[str]) -> dict[str, Path]:
    """Package -> its folder, or its file for a single module, by the finders on ``path``."""
    found: dict[str, Path] = {}
    for entry in path:
        for name, folder in _of_entry(entry):
            found.setdefault(name, folder)
    return found


def mapped_name(file: Path, mapping: dict[str, Path]) -> tuple[str, Path]:
    """The dotted name by which a mapping leads to ``file`` ('' where none does).

    With it comes the folder around the mapped one.
    """
    for name, place in mapping.items():
        if file == place.with_suffix(".py"):
            return name, place.parent
        if place.is_dir() and file.is_relative_to(place):
            parts = [name, *file.relative_to(place).with_suffix("").parts]
            named = parts[:-1] if parts[-1] == "__init__" else parts
            return ".".join(named), place.parent
    return "", file.parent


def mapped_place(module: str, mapping: dict[str, Path]) -> Path | None:
    """The folder or file of ``module`` by a mapping."""
    for name, place in mapping.items():
        if module == name:
            return place if place.is_dir() else place.with_suffix(".py")
        if module.startswith(f"{name}.") and place.is_dir():
            below = place.joinpath(*module.removeprefix(f"{name}.").split("."))
            return below if below.is_dir() else below.with_suffix(".py")
    return None


@cache
def _of_entry(entry: str) -> tuple[tuple[str, Path], ...]:
    """(package, folder) of the finders in one folder of ``sys.path``."""
    folder = Path(entry)
    files = [file for pattern in _FINDERS for file in sorted(folder.glob(pattern))]
    return tuple(pair for file in files for pair in _pairs(parse(read_source(str(file)))))


def _pairs(tree: ast.Module) -> Iterator[tuple[str, Path]]:
    """The literal pairs of ``MAPPING = {...}`` and of ``F.map_module(name, folder)``."""
    for node in ast.walk(tree):
        match node:
            case ast.AnnAssign(target=ast.Name(id="MAPPING"), value=ast.Dict(keys, values)):
                yield from _literals(keys, values)
            case ast.Assign(targets=[ast.Name(id="MAPPING")], value=ast.Dict(keys, values)):
                yield from _literals(keys, values)
            case ast.Call(func=ast.Attribute(attr="map_module"), args=[name, place]):
                yield from _literals([name], [place])


def _literals(
    keys: Sequence[ast.expr | None], values: Sequence[ast.expr]
) -> Iterator[tuple[str, Path]]:
    for key, value in zip(keys, values, strict=True):
        match key, value:
            case ast.Constant(str(name)), ast.Constant(str(place)):
                file = Path(place)
                yield name, file.parent if file.name == "__init__.py" else file
