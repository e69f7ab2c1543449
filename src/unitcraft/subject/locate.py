"""Finds the files of the modules that a target on the command line names, without importing.

Invariant: no code of the Subject or of its parent packages runs here; a single Located has a
file that parses, or a UnitcraftError says why not.
"""

from __future__ import annotations

import ast
import difflib
import os
import sys
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec, PathFinder
from pathlib import Path
from typing import Final

from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.subject.import_roots import as_identifier, import_root, is_module_name
from unitcraft.subject.mapped_packages import mapped_name, mapped_packages, mapped_place
from unitcraft.subject.reading.reexports import origins
from unitcraft.subject.source_files import read_source

#: Scripts and set-up files: running them has effects, and they have no tests of their own.
SKIPPED_FILES: Final = frozenset(
    {"setup.py", "conftest.py", "__main__.py", "noxfile.py", "tasks.py", "unitcraft_factories.py"}
)
#: Folders of tests, builds, environments and documents.
SKIPPED_FOLDERS: Final = frozenset([
    "tests", "test", "testing", "__pycache__", "build", "dist", "node_modules", "site-packages",
    "venv", "env", "docs", "examples", "benchmarks",
])  # fmt: skip


#: Modules through which a name is followed to its definition.
MAX_REEXPORTS: Final = 8


@dataclass(frozen=True, slots=True)
class Located:
    """A module to test: its dotted name, file, and the ``sys.path`` entry it needs.

    ``attribute`` is '' for the whole module, else ``Class``, ``Class.method`` or ``function``.
    """

    module: str
    file: Path
    root: Path
    attribute: str = ""


def locate(
    target: str,
    cwd: Path,
    extra_paths: Iterable[Path] = (),
    python: Interpreter = OWN,
    folders: Iterable[Path] = (),
) -> tuple[Located, ...]:
    """The modules that ``target`` names, sorted by name.

    A target is a path (file or folder) or a dotted module or package, optionally followed by
    ``:Class``, ``:Class.method`` or ``:function``.  ``extra_paths`` are searched before
    the packages of ``python`` (for a dotted name ``folders`` are, too), on which the module is
    to run: what it can compile and we cannot is not judged here.  A name that the module only
    imports is looked for where it is defined.  Raises UnitcraftError:
    target-not-found, syntax-error, not-importable,
    nothing-to-test or not-python.
    """
    if not target.strip():
        raise _not_found("''", [])
    place, _, attribute = _split(target)
    path = (cwd / place).resolve()
    first = [*_search_path(cwd), *extra_paths, *folders]
    if _is_path(place, path):
        entries = frozenset(one.resolve() for one in (*extra_paths, *map(Path, python.path)))
        mapping = mapped_packages(python.import_path)
        found = list(_locate_path(path, target, entries, mapping))
    else:
        found = list(_locate_module(place, first, target, python.import_path, path))
    if not found:
        raise UnitcraftError(
            "nothing-to-test",
            f"{target}: no Python module to test",
            cause="tests, set-up scripts, hidden folders and virtual environments are left out",
            advice="name a file or a module with classes or functions",
        )
    if attribute:
        roots = list(map(str, [*first, found[0].root]))
        return (_narrow(found[0], attribute, target, python, [*roots, *python.import_path]),)
    if len(found) == 1:
        parse_module(found[0].file, python)
    return tuple(found)


def _split(target: str) -> tuple[str, str, str]:
    """(path or module, ':', attribute); '' for both of the last two without an attribute.

    The text after the last colon is an attribute only if it consists of identifiers.
    """
    place, colon, attribute = target.rpartition(":")
    if colon and all(part.isidentifier() for part in attribute.split(".")):
        return place.removesuffix(":"), colon, attribute
    return target, "", ""


def _is_path(place: str, path: Path) -> bool:
    if place.endswith(".py") or "/" in place or os.sep in place or place in (".", ".."):
        return True
    dotted = all(part.isidentifier() for part in place.split("."))
    return not dotted or (
        path.is_dir()
        and not (path / "__init__.py").exists()
        and "." not in place
        and _holds_modules(path)
    )


def _holds_modules(folder: Path) -> bool:
    return next(_python_files(folder), None) is not None


# Paths.


def _locate_path(
    path: Path, target: str, entries: Collection[Path], mapping: dict[str, Path]
) -> Iterator[Located]:
    if path.is_dir():
        for file in _python_files(path):
            located = _from_file(file, entries, mapping)
            if is_module_name(located.module):
                yield located
        return
    if not path.is_file():
        raise _not_found(target, _neighbours(path))
    if path.name.endswith(tuple(EXTENSION_SUFFIXES)) or path.suffix != ".py":
        raise _not_python(target, path)
    located = _from_file(path, entries, mapping)
    if not is_module_name(located.module):
        raise UnitcraftError(
            "not-importable",
            f"{target}: no test can import a module of the name {located.module}",
            cause="the parts of a module's name are identifiers, and no keywords",
            advice=f"rename the file, {as_identifier(path.stem)}.py for instance",
        )
    yield located


def _from_file(file: Path, entries: Collection[Path], mapping: dict[str, Path]) -> Located:
    mapped, root = mapped_name(file, mapping)
    if mapped:
        return Located(mapped, file, root)
    root = import_root(file, entries)
    parts = list(file.relative_to(root).with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return Located(".".join(parts), file, root)


def _python_files(folder: Path) -> Iterator[Path]:
    """Testable files below ``folder``, sorted by name, each ``__init__.py`` before its siblings."""
    try:
        entries = sorted(folder.iterdir(), key=lambda one: (one.name != "__init__.py", one.name))
    except OSError:  # an unreadable folder is treated as empty
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            if not _is_skipped_folder(entry):
                yield from _python_files(entry)
        elif entry.suffix == ".py" and not _is_skipped_file(entry.name):
            yield entry


def _is_skipped_folder(folder: Path) -> bool:
    return (
        folder.name in SKIPPED_FOLDERS
        or folder.name.endswith((".egg-info", ".dist-info"))
        or (folder / "pyvenv.cfg").exists()
        or folder.is_symlink()
    )


def _is_skipped_file(name: str) -> bool:
    return name in SKIPPED_FILES or name.startswith("test_") or name.endswith("_test.py")


def _neighbours(path: Path) -> list[str]:
    if not path.parent.is_dir():
        return []
    names = [entry.name for entry in path.parent.iterdir() if entry.suffix == ".py"]
    return difflib.get_close_matches(path.name, sorted(names), 3, 0.6)


# Dotted modules.


def _search_path(cwd: Path) -> list[Path]:
    given = [Path(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    return [cwd, cwd / "src", *given]


def _locate_module(
    module: str, first: list[Path], target: str, installed: list[str], file: Path
) -> Iterator[Located]:
    path = [*map(str, first), *installed]
    spec = _spec(module, path)
    mapping = mapped_packages(installed)
    mapped = mapped_place(module, mapping)
    if spec is None and mapped is not None and mapped.exists():
        yield from _locate_path(mapped, target, (), mapping)
        return
    if spec is None:
        if file.is_file():  # a script without a suffix, a notebook, a file of settings
            raise _not_python(target, file)
        raise _not_found(target, _close_modules(module, path))
    folders = list(spec.submodule_search_locations or ())
    if spec.origin is not None and spec.origin.endswith(".py"):
        file = Path(spec.origin)
        yield _from_spec(module, file)
        if _defines_something(file):  # a dotted name means that module, as in an import
            return
    elif not folders:
        raise _not_python(target, Path(spec.origin or module))
    for folder in folders:
        yield from _modules_below(module, Path(folder))


def _defines_something(file: Path) -> bool:
    """Does the module define a class or function?  True for a file that does not parse."""
    try:
        tree = parse_module(file)
    except UnitcraftError:
        return True
    kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return tree is None or any(isinstance(node, kinds) for node in tree.body)


def _from_spec(module: str, file: Path) -> Located:
    levels = module.count(".") + (file.name == "__init__.py")
    return Located(module, file, file.parents[levels])


def _modules_below(package: str, folder: Path) -> Iterator[Located]:
    for file in _python_files(folder):
        parts = file.relative_to(folder).with_suffix("").parts
        if parts != ("__init__",) and all(part.isidentifier() for part in parts):
            names = parts[:-1] if parts[-1] == "__init__" else parts
            yield _from_spec(".".join([package, *names]), file)


def _spec(module: str, path: list[str]) -> ModuleSpec | None:
    """The spec of a dotted module, found package by package without running them.

    Each part is looked up as if it were top-level, so that a namespace package
    does not ask for its parent in ``sys.modules``; the name in the spec is the last part.
    """
    PathFinder.invalidate_caches()
    spec = None
    for part in module.split("."):
        spec = PathFinder.find_spec(part, path)
        if spec is None:
            return _builtin(module)
        path = list(spec.submodule_search_locations or ())
    return spec


def _builtin(module: str) -> ModuleSpec | None:
    if module in sys.builtin_module_names:
        return ModuleSpec(module, None, origin="built-in")
    return None


def _close_modules(module: str, path: list[str]) -> list[str]:
    """Names similar to the first part of ``module`` that is missing, in the same package."""
    parent, _, last = module.rpartition(".")
    if parent:
        spec = _spec(parent, path)
        if spec is None:
            return _close_modules(parent, path)
        path = list(spec.submodule_search_locations or ())
    names = sorted({name for folder in path for name in _module_names(Path(folder))})
    close = difflib.get_close_matches(last, names, 3, 0.6)
    return [f"{parent}.{name}" if parent else name for name in close]


def _module_names(folder: Path) -> Iterator[str]:
    if folder.is_dir():
        for entry in folder.iterdir():
            if entry.suffix == ".py" or (entry.is_dir() and (entry / "__init__.py").exists()):
                yield entry.stem


# Attributes and errors.


def _narrow(
    one: Located,
    attribute: str,
    target: str,
    python: Interpreter,
    path: list[str],
    depth: int = MAX_REEXPORTS,
) -> Located:
    """``attribute`` of ``one``, or of the module on ``path`` that it has the name from."""
    narrowed = Located(one.module, one.file, one.root, attribute)
    tree = parse_module(one.file, python)
    if tree is None:
        return narrowed
    body: list[ast.stmt] = tree.body
    names = _definition_names(body, "")
    head, dot, rest = attribute.partition(".")
    is_package = one.file.name == "__init__.py"
    for module, name in origins(tree, one.module, head, is_package=is_package) if depth else ():
        if head in names or (spec := _spec(module, path)) is None:
            continue
        if spec.origin is not None and spec.origin.endswith(".py"):
            home = _from_spec(module, Path(spec.origin))
            with suppress(UnitcraftError):
                return _narrow(home, f"{name}{dot}{rest}", target, python, path, depth - 1)
    assigned = {node.id for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.Name)}
    known = attribute in names or head in assigned - set(names)
    if not known and not _may_inherit(body, attribute):
        raise _not_found(target, difflib.get_close_matches(attribute, sorted(names), 3, 0.5))
    return narrowed


def _may_inherit(body: list[ast.stmt], attribute: str) -> bool:
    """Can ``attribute`` be inherited: has its class bases, a metaclass or a decorator?"""
    owner = attribute.rpartition(".")[0].rpartition(".")[2]
    classes = [node for node in ast.walk(ast.Module(body, [])) if isinstance(node, ast.ClassDef)]
    return any(
        node.name == owner and (node.bases or node.keywords or node.decorator_list)
        for node in classes
    )


def _definition_names(body: list[ast.stmt], prefix: str) -> list[str]:
    found: list[str] = []
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            found.append(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                found += _definition_names(node.body, f"{prefix}{node.name}.")
        else:
            for part in ("body", "orelse", "finalbody"):
                found += _definition_names(getattr(node, part, []), prefix)
    return found


def parse_module(file: Path, python: Interpreter = OWN) -> ast.Module | None:
    """The tree of ``file``; None where it may be syntax of a newer ``python``.

    Raises UnitcraftError syntax-error.
    """
    text = read_source(str(file))
    try:
        return ast.parse(text, str(file))
    except (SyntaxError, ValueError) as error:
        if python.version > OWN.version:
            return None
        line = getattr(error, "lineno", None)
        raise UnitcraftError(
            "syntax-error",
            f"{file}: {getattr(error, 'msg', error)}" + (f", line {line}" if line else ""),
            cause=f"Python {sys.version_info[0]}.{sys.version_info[1]} cannot compile the file",
            advice="correct the syntax, or run unitcraft with the Python version of the project",
        ) from None


def _not_found(target: str, close: list[str]) -> UnitcraftError:
    advice = (
        f"did you mean {' or '.join(close)}?"
        if close
        else ("give a path, or a dotted module found from here, from ./src or on PYTHONPATH")
    )
    return UnitcraftError("target-not-found", f"{target}: no such target", advice=advice)


def _not_python(target: str, path: Path) -> UnitcraftError:
    return UnitcraftError(
        "not-python",
        f"{target}: {path.name} is not Python source",
        cause="a file of Python ends in .py; compiled and built-in modules have no source",
        advice="name a module written in Python",
    )
