"""The settings for pytest that bear on generated suites: import paths and warning filters.

Invariant: files are read as pytest reads them, and none of what they name is run; a file that
cannot be read counts as one without settings, as pytest itself will say.
"""

from __future__ import annotations

import configparser
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

#: The table of pytest in a pyproject.toml.
PYPROJECT_SECTION: Final = "tool.pytest.ini_options"

#: Files that may hold settings of pytest, and the table or section; the first one counts.
_FILES: Final = (
    ("pytest.ini", "pytest"),
    (".pytest.ini", "pytest"),
    ("pyproject.toml", PYPROJECT_SECTION),
    ("tox.ini", "pytest"),
    ("setup.cfg", "tool:pytest"),
)


@dataclass(frozen=True, slots=True)
class PytestSettings:
    """``paths`` are those that pytest puts on ``sys.path``, ``warnings`` its filters."""

    paths: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


def pytest_settings(start: Path) -> PytestSettings:
    """The settings that hold for a run of pytest in the folder ``start``."""
    for folder in (start, *start.parents):
        for name, section in _FILES:
            table = _table(folder / name, section)
            if table is not None:
                paths = shlex.split(" ".join(_lines(table.get("pythonpath"))))
                warnings = _lines(table.get("filterwarnings"))
                return PytestSettings(tuple(str(folder / one) for one in paths), tuple(warnings))
    return PytestSettings()


def settings_file(start: Path) -> Path | None:
    """The file whose settings hold for a run of pytest in ``start``; None without one."""
    for folder in (start, *start.parents):
        for name, section in _FILES:
            if _table(folder / name, section) is not None:
                return folder / name
    return None


def _table(file: Path, section: str) -> dict[str, Any] | None:
    """The settings in a file; None where it has none."""
    try:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".toml":
            found: Any = tomllib.loads(text)
            for key in section.split("."):
                found = found.get(key) if isinstance(found, dict) else None
            return found if isinstance(found, dict) else None
        parser = configparser.ConfigParser(interpolation=None, inline_comment_prefixes=("#", ";"))
        parser.read_string(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, configparser.Error):
        return None
    return dict(parser[section]) if parser.has_section(section) else None


def _lines(value: Any) -> list[str]:
    """A setting that is a list, or a text of one item to a line."""
    return list(_items(value))


def _items(value: Any) -> Iterator[str]:
    for item in value if isinstance(value, list) else str(value or "").splitlines():
        if str(item).strip():
            yield str(item).strip()
