"""Packages of ours that a guarded command may import, each by name: pytest where there is none.

Invariant: of the folders that hold lent packages nothing but those packages can be imported.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType


class LentFinder:
    """Finds the lent packages, and no others; ``folders``: name -> the folder that holds it."""

    def __init__(self, folders: dict[str, str]) -> None:
        self._folders = folders

    def find_spec(
        self, name: str, path: object = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a lent package; None for every other module."""
        del path
        folder = self._folders.get(name)
        return None if folder is None else PathFinder.find_spec(name, [folder], target)


def lend(packages: Iterable[tuple[str, str]]) -> None:
    """Make ``packages`` (names and folders) importable, before packages of the same name."""
    folders = dict(packages)
    if folders:
        sys.meta_path.insert(0, LentFinder(folders))
