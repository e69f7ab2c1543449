"""The modules that the targets of a command line or of the settings name.

Invariant: every command finds the same modules for the same words; a dotted name is found from
any folder of a project.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from unitcraft.app.config import Config
from unitcraft.app.search_path import search_path
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.subject.import_roots import PROJECT_FILES
from unitcraft.subject.locate import Located, locate


def locate_target(
    target: str, cwd: Path, config: Config, python: Interpreter = OWN
) -> tuple[Located, ...]:
    """The modules that ``target`` names.  Raises the UnitcraftErrors of ``locate``."""
    extra = [Path(path) for path in search_path(config)]
    root = project_root(config, cwd)
    return locate(target, cwd, extra, python, (root, root / "src"))


def locate_targets(
    targets: Iterable[str], cwd: Path, config: Config, python: Interpreter = OWN
) -> list[Located]:
    """The modules of all ``targets``, each once."""
    found = [one for target in targets for one in locate_target(target, cwd, config, python)]
    return list({(one.module, one.attribute): one for one in found}.values())


def project_root(config: Config, cwd: Path) -> Path:
    """The folder of the settings, else the nearest one that looks like that of a project."""
    if config.source is not None:
        return config.root
    for folder in (cwd, *cwd.parents):
        if any((folder / one).exists() for one in PROJECT_FILES):
            return folder
    return cwd
