"""``explain --effects``: what each Invocable defines, uses, takes and returns, as a table.

Invariant: the target is described and never called; the effects are read from its source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from unitcraft.app.config import Config
from unitcraft.app.exploration.target_host import describing_host
from unitcraft.app.json_document import render_document
from unitcraft.app.project_python import find_python
from unitcraft.app.targets import locate_target
from unitcraft.app.terminal_text import escape_control
from unitcraft.core.errors import UnitcraftError
from unitcraft.execute.pool.worker_pool import Pool
from unitcraft.explore.influence.effects import Effects, Variable
from unitcraft.explore.influence.influence_analysis import analyse_influence
from unitcraft.explore.subject_request import request_subject
from unitcraft.subject.locate import Located

#: The columns of the table; those of elements only where a container changes.
COLUMNS: Final = (
    "invocable", "kind", "defines", "uses", "stores", "loads", "arguments", "returns",
)  # fmt: skip
#: Columns that are left out where every row is empty.
_OPTIONAL: Final = ("stores", "loads")


@dataclass(frozen=True, slots=True)
class ShownEffects:
    """The rows of the table: a text, or a list of names, for each column."""

    target: str
    rows: tuple[dict[str, tuple[str, ...]], ...]


def show_effects(target: str, config: Config, cwd: Path, form: str) -> str:
    """The effects of ``target``, or of all parts of a class or module, as text or JSON.

    Raises as ``run_effects``.
    """
    found = run_effects(target, config, cwd)
    if form == "json":
        return render_document("explain-effects", effects_as_plain(found))
    return effects_as_text(found)


def run_effects(target: str, config: Config, cwd: Path) -> ShownEffects:
    """The effects of the callable, or of all public ones of the class or module, ``target``.

    Raises UnitcraftError: ``not-a-callable`` and those of finding and importing.
    """
    python = find_python(config, [target], cwd)
    found = locate_target(target, cwd, config, python)
    if len(found) != 1:
        raise UnitcraftError(
            "not-a-callable",
            f"{target} does not name one function, method, class or module",
            advice="name it as module, module:Class or module:Class.method",
        )
    located = found[0]
    with Pool(describing_host(located, config, python), 1) as pool:
        subject = request_subject(pool, located.module)
    effects = analyse_influence(subject)
    chosen = [one for one in effects if _is_wanted(one, located)]
    if not chosen:
        raise UnitcraftError(
            "not-a-callable",
            f"{target} has nothing that unitcraft can call",
            advice="name a function, a method or a class that this module defines",
        )
    return ShownEffects(target, tuple([_row(one) for one in chosen]))


def _is_wanted(effects: Effects, located: Located) -> bool:
    """Is it the target, or a public part of it?"""
    one = effects.invocable
    wanted = f"{located.module}:{located.attribute}"
    if one.id == wanted:
        return True
    return one.public and (not located.attribute or one.owner == wanted)


def _row(effects: Effects) -> dict[str, tuple[str, ...]]:
    one = effects.invocable
    path = one.id.partition(":")[2]
    shown = one.owner.partition(":")[2] if one.kind == "constructor" else path
    variables = (effects.defines, effects.uses, effects.stores, effects.loads)
    classes = [cls for slot in effects.slots for cls in slot.classes]
    return {
        "invocable": (shown if one.kind in ("property", "field") else f"{shown}()",),
        "kind": (_kind(effects),),
        **{
            column: tuple(_name(each, one.owner) for each in found)
            for column, found in zip(COLUMNS[2:6], variables, strict=True)
        },
        "arguments": tuple(map(_short, classes)),
        "returns": tuple(map(_short, effects.returns)),
    }


def _kind(effects: Effects) -> str:
    one = effects.invocable
    if one.kind == "field":
        return "field load and store" if one.parameters else "field load"
    return one.kind


def _name(variable: Variable, owner: str) -> str:
    """A field by its name, with the class where that is another one."""
    if variable.owner == owner or variable.owner.endswith(":"):
        return variable.name
    return f"{_short(variable.owner)}.{variable.name}"


def _short(cls: str) -> str:
    return cls.rpartition(":")[2].rpartition(".")[2]


def effects_as_text(effects: ShownEffects) -> str:
    """The table as lines of text."""
    columns = [
        column
        for column in COLUMNS
        if column not in _OPTIONAL or any(row[column] for row in effects.rows)
    ]
    cells = [[", ".join(row[column]) or "-" for column in columns] for row in effects.rows]
    return escape_control("\n".join(table_lines([columns, *cells])))


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of cells as lines with aligned columns, the first row as head."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]


def effects_as_plain(effects: ShownEffects) -> dict[str, object]:
    """The table as data for JSON."""
    return {
        "target": effects.target,
        "invocables": [
            {
                "invocable": row["invocable"][0],
                "kind": row["kind"][0],
                **{column: list(row[column]) for column in COLUMNS[2:]},
            }
            for row in effects.rows
        ],
    }
