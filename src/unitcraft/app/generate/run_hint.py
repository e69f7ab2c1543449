"""How to run the suites that were written, where plain pytest could not import their subjects.

Invariant: an import is judged as pytest in the folder of the project will meet it: by its settings,
PYTHONPATH, the installed packages and the folders that pytest itself adds.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.app.config import Config
from unitcraft.app.generate.generate_targets import TargetResult
from unitcraft.app.pytest_settings import PYPROJECT_SECTION, pytest_settings, settings_file
from unitcraft.app.search_path import python_path
from unitcraft.app.targets import project_root
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.subject.mapped_packages import mapped_packages, mapped_place

#: Files of settings that are written to, and the header below which ``pythonpath`` stands there.
_HEADERS: Final = {
    "pyproject.toml": f"[{PYPROJECT_SECTION}]",
    "pytest.ini": "[pytest]",
    ".pytest.ini": "[pytest]",
    "tox.ini": "[pytest]",
    "setup.cfg": "[tool:pytest]",
}


def missing_roots(
    results: Iterable[TargetResult], config: Config, cwd: Path, python: Interpreter = OWN
) -> list[Path]:
    """The folders that plain pytest lacks to import what the suites of ``results`` test."""
    project = project_root(config, cwd)
    known = {os.path.realpath(one) for one in _import_path(config, cwd, python)}
    mapping = mapped_packages(python.import_path)
    found: dict[Path, None] = {}
    for result in results:
        path, root = result.delivered.path, result.root
        if path is None or root is None or mapped_place(result.generated.module, mapping):
            continue
        added = {os.path.realpath(one) for one in _added_by_pytest(path, project)}
        if os.path.realpath(root) not in known | added:
            found[root] = None
    return list(found)


def hint(roots: list[Path], config: Config, cwd: Path, output: Path) -> str:
    """One line that says how to run the suites; '' where nothing is missing."""
    if not roots:
        return ""
    project = project_root(config, cwd)
    here = os.pathsep.join(_relative(root, cwd) for root in roots)
    listed = ", ".join(f'"{_relative(root, project)}"' for root in roots)
    return (
        f"Run them with PYTHONPATH={here} pytest {_relative(output, cwd)}, or set pythonpath = "
        f"[{listed}] for pytest (--write-config does)."
    )


def write_config(roots: list[Path], config: Config, cwd: Path) -> str:
    """Put ``roots`` on the ``pythonpath`` of pytest's settings; answers what was done.

    Raises UnitcraftError (``config-not-written``) where a setting stands there already.
    """
    if not roots:
        return "pytest finds the code already: no setting was needed"
    project = project_root(config, cwd)
    file = settings_file(project) or project / _default_name(project)
    names = [_relative(root, file.parent) for root in roots]
    old = read_if_present(file) or ""
    toml = file.name == "pyproject.toml"
    listed = ", ".join(f'"{name}"' for name in names)
    line = f"pythonpath = [{listed}]" if toml else f"pythonpath = {' '.join(names)}"
    header = _HEADERS[file.name]
    if header in old.splitlines():
        new = old.replace(f"{header}\n", f"{header}\n{line}\n", 1)
    else:
        gap = "\n" if old.strip() else ""
        new = f"{old.rstrip()}\n{gap}{header}\n{line}\n".lstrip("\n")
    if "pythonpath" in old or (toml and not _parses(new)):
        raise UnitcraftError(
            "config-not-written",
            f"{file} was left as it is",
            cause="it has a pythonpath already, or is written in another way",
            advice=f"add there: {line}",
        )
    write_atomically(file, new)
    return f"{_relative(file, cwd)}: {line}"


def _import_path(config: Config, cwd: Path, python: Interpreter) -> Iterator[str]:
    """The folders that a run of ``pytest`` imports from, whatever the tests are."""
    yield from pytest_settings(config.root).paths
    yield from python_path()
    path = python.import_path
    if python == OWN and path and os.path.realpath(path[0]) == os.path.realpath(cwd):
        path = path[1:]  # there because of `python -m unitcraft`
    yield from path


def _added_by_pytest(test: Path, project: Path) -> Iterator[Path]:
    """The folders that pytest adds for a test file and for the conftest files above it."""
    yield _package_root(test.parent)
    for folder in test.parents:
        if (folder / "conftest.py").is_file():
            yield _package_root(folder)
        if folder == project:
            return


def _package_root(folder: Path) -> Path:
    """The first folder upwards that is no package."""
    while (folder / "__init__.py").is_file() and folder.parent != folder:
        folder = folder.parent
    return folder


def _default_name(project: Path) -> str:
    return "pyproject.toml" if (project / "pyproject.toml").is_file() else "pytest.ini"


def _parses(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


def _relative(path: Path, start: Path) -> str:
    return Path(os.path.relpath(path, start)).as_posix()
