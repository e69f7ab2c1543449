"""The target of an explanation: where it stands, and the host in which its module is described.

Invariant: every explanation runs a target under the same settings of the project: its search
path, interpreter, environment, sandbox and bounds.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from unitcraft.app.config import Config
from unitcraft.app.project_python import find_python
from unitcraft.app.search_path import search_path
from unitcraft.app.targets import locate_target
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.interpreter import Interpreter
from unitcraft.execute.allowed_effects import read_policy
from unitcraft.execute.spec import HostSpec, ProjectSetting
from unitcraft.subject.locate import Located


def class_setting(target: str, config: Config, cwd: Path) -> tuple[Located, ProjectSetting]:
    """The one class that ``target`` names, and how its code runs.

    Raises UnitcraftError: ``not-a-class`` and those of finding.
    """
    located, python = _only_part(target, config, cwd, UnitcraftError(
        "not-a-class",
        f"{target} does not name one class",
        advice="name it as module:Class or path/to/module.py:Class",
    ))  # fmt: skip
    return located, project_setting(located, config, python)


def callable_host(target: str, config: Config, cwd: Path) -> tuple[Located, HostSpec]:
    """The one callable that ``target`` names, and the host that describes its module.

    Raises UnitcraftError: ``not-a-callable`` and those of finding.
    """
    located, python = _only_part(target, config, cwd, UnitcraftError(
        "not-a-callable",
        f"{target} does not name one function, method or class",
        advice="name it as module:function, module:Class.method or path/to/module.py:function",
    ))  # fmt: skip
    return located, describing_host(located, config, python)


def _only_part(
    target: str, config: Config, cwd: Path, otherwise: UnitcraftError
) -> tuple[Located, Interpreter]:
    """The one part of a module that ``target`` names, and the interpreter of its project."""
    python = find_python(config, [target], cwd)
    found = locate_target(target, cwd, config, python)
    if len(found) != 1 or not found[0].attribute:
        raise otherwise
    return found[0], python


def describing_host(located: Located, config: Config, python: Interpreter) -> HostSpec:
    """The host that imports the module of ``located`` as it stands, and describes it."""
    setting = project_setting(located, config, python)
    spec = setting.host("unitcraft.explore.agents.search_agent", located.module, rewrite=False)
    return replace(spec, item_seconds=1.0, steps=config.steps)


def project_setting(located: Located, config: Config, python: Interpreter) -> ProjectSetting:
    """How code of the project of ``located`` runs by its settings."""
    return ProjectSetting(
        paths=search_path(config, [located.root]),
        policy=read_policy(config.sandbox, config.allow),
        python=python,
        env=config.env,
        before_import=config.before_import,
    )
