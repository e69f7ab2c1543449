"""The settings of a project: ``[tool.unitcraft]`` of the nearest pyproject.toml that has it.

Invariant: a Config holds only checked values; every relative path in it is relative to
``Config.root``.  The command line overrides it, never the other way round.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal

from unitcraft.core import criteria
from unitcraft.core.errors import UnitcraftError

SANDBOXES: Final = ("strict", "standard", "off")
#: Measures of a search of heaps, and the ways to extrapolate each.
TRANSCOPINGS: Final = (
    "size-linear", "size-quadratic", "size-average",
    "time-quadratic", "time-exponential", "time-average",
)  # fmt: skip

#: Where a project keeps its own values for unitcraft, unless ``factories`` says otherwise.
DEFAULT_FACTORIES: Final = "tests/unitcraft_factories.py"


#: ``MODULE:FUNCTION``, each with dots.
_FUNCTION: Final = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*(\.[^\W\d]\w*)*")


def names_function(text: str) -> bool:
    """Is ``text`` a ``MODULE:FUNCTION``?"""
    return _FUNCTION.fullmatch(text) is not None


def _setting(
    help_: str,
    kind: str,
    check: Callable[[Any], bool],
    default: Any,
    convert: Callable[[Any], Any] | None = None,
) -> Any:
    return field(
        default=default,
        metadata={"help": help_, "kind": kind, "check": check, "convert": convert},
    )


def _is_int(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value > 0


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_table_of_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def _pairs(table: dict[str, str]) -> tuple[tuple[str, str], ...]:
    return tuple(table.items())


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _texts(help_: str) -> Any:
    return _setting(help_, "a list of strings", _is_texts, (), tuple)


@dataclass(frozen=True, slots=True)
class Config:
    """Checked settings; ``source`` is the file they came from (None: defaults only)."""

    root: Path
    source: Path | None = None
    targets: tuple[str, ...] = _texts("what `unitcraft generate` works on when no TARGET is given")
    output: str = _setting("directory for the test files", "a string", _is_text, "tests")
    exclude: tuple[str, ...] = _texts("glob patterns of module files to leave out")
    paths: tuple[str, ...] = _texts("directories to import from, besides those of the targets")
    python: str = _setting(
        "interpreter or virtual environment of the project; none: the one that is found",
        "a string",
        _is_text,
        "",
    )
    env: tuple[tuple[str, str], ...] = _setting(
        "variables of the environment that the code and its tests see",
        "a table of strings",
        _is_table_of_texts,
        (),
        _pairs,
    )
    before_import: tuple[str, ...] = _setting(
        "functions to call before the code is imported, as MODULE:FUNCTION",
        "a list of MODULE:FUNCTION",
        lambda value: _is_texts(value) and all(map(names_function, value)),
        (),
        tuple,
    )
    factories: str = _setting("file of functions that make values", "a string", _is_text, "")
    seed: int = _setting(
        "seed of every choice", "an integer >= 0", lambda value: _is_int(value, 0), 0
    )
    jobs: int = _setting(
        "workers; 0: one for each core", "an integer >= 0", lambda value: _is_int(value, 0), 0
    )
    steps: int = _setting(
        "steps (turns of loops, calls) that one run may take",
        "an integer >= 1",
        lambda value: _is_int(value, 1),
        200_000,
    )
    executions: int = _setting(
        "runs to spend on a module; 0: the engine's default",
        "an integer >= 0",
        lambda value: _is_int(value, 0),
        0,
    )
    budget: float | None = _setting(
        "cap on the wall-clock seconds for a module", "a number > 0", _is_number, None, float
    )
    sandbox: Literal["strict", "standard", "off"] = _setting(
        "how strictly runs are guarded",
        "one of " + ", ".join(SANDBOXES),
        lambda value: value in SANDBOXES,
        "standard",
    )
    criterion: tuple[str, ...] = _setting(
        "what a test may be kept for; none: default",
        "a list of " + ", ".join(criteria.NAMES),
        lambda value: _is_texts(value) and all(item in criteria.NAMES for item in value),
        (),
        tuple,
    )
    scope: int = _setting(
        "objects of each class in the heaps of the criterion field",
        "an integer >= 1",
        lambda value: _is_int(value, 1),
        3,
    )
    rep_ok: str = _setting(
        "the method, function or expression that tells valid heaps; inferred: infer one",
        "a string",
        lambda value: isinstance(value, str),
        "",
    )
    transcope: str = _setting(
        "where small scopes predict that the heaps of a large one are enough",
        "one of " + ", ".join(TRANSCOPINGS),
        lambda value: value in TRANSCOPINGS,
        "",
    )
    symbolic: bool = _setting(
        "follow runs on symbolic values and solve for other branches",
        "true or false",
        lambda value: isinstance(value, bool),
        True,  # noqa: FBT003
    )
    mocks: bool = _setting(
        "replace functions and objects that tests cannot have otherwise",
        "true or false",
        lambda value: isinstance(value, bool),
        True,  # noqa: FBT003
    )
    allow: tuple[str, ...] = _texts("effects to let through the sandbox, as EVENT:ARG")


#: The keys of ``[tool.unitcraft]``, in the order of the documentation.
KEYS: Final = tuple(item.name for item in fields(Config) if item.metadata)


def load(start: Path) -> Config:
    """The settings that apply in directory ``start``.

    Raises UnitcraftError: ``config-not-readable``, ``unknown-config-key``, ``wrong-config-value``.
    """
    for directory in (start, *start.parents):
        file = directory / "pyproject.toml"
        table = _table_of(file) if file.is_file() else None
        if table is not None:
            return _checked(table, file)
    return Config(root=start)


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _table_of(file: Path) -> Mapping[str, Any] | None:
    try:
        with file.open("rb") as stream:
            document = tomllib.load(stream)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnitcraftError(
            "config-not-readable",
            f"cannot read {file}",
            cause=str(error),
            advice="correct the file, or run unitcraft in another directory",
        ) from error
    tool = document.get("tool", {})
    return tool.get("unitcraft") if isinstance(tool, dict) else None


def _checked(table: object, file: Path) -> Config:
    if not isinstance(table, dict):
        raise _wrong(file, "tool.unitcraft", "a table", table)
    known = {item.name: item.metadata for item in fields(Config) if item.metadata}
    values: dict[str, Any] = {}
    for written, value in table.items():
        key = written.replace("-", "_")
        if key not in known:
            raise _unknown(file, written)
        if not known[key]["check"](value):
            raise _wrong(file, key, known[key]["kind"], value)
        convert = known[key]["convert"]
        values[key] = convert(value) if convert else value
    for path in values.get("paths", ()):
        if not (file.parent / path).exists():
            raise _wrong(file, "paths", "folders that exist", path)
    return Config(root=file.parent, source=file, **values)


def _unknown(file: Path, key: str) -> UnitcraftError:
    close = difflib.get_close_matches(key, KEYS, n=1, cutoff=0.5)
    return UnitcraftError(
        "unknown-config-key",
        f"{file}: [tool.unitcraft] has no key {key!r}",
        advice=f"did you mean {close[0]!r}?" if close else "the keys are: " + ", ".join(KEYS),
    )


def _wrong(file: Path, key: str, kind: str, value: object) -> UnitcraftError:
    return UnitcraftError(
        "wrong-config-value",
        f"{file}: {key} must be {kind}, not {value!r:.60}",
        advice="`unitcraft explain wrong-config-value` says what each key takes",
    )
