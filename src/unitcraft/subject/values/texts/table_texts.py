"""Tables of text, such as ``csv`` reads, with the columns that the code looks up.

Code that imports a table wants certain columns before it looks at any row: those of a list of the
module (``REQUIRED = ["email", "name"]``), and the keys by which it reads rows.

Invariant: a table has a head, and two rows that differ in each column.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from unitcraft.subject.model import Constant
from unitcraft.subject.scopes import walk_scopes
from unitcraft.subject.values.texts.example_table import EXAMPLES

#: Columns of a table: more than a person reads.  Of 14 functions that read tables, in 7,355 modules
#: of real projects, 13 look up one at most, and one 236.
MAX_COLUMNS: Final = 8
#: A moment that is written in a format of the code; halves of a format are none.
MOMENT: Final = datetime(2024, 1, 31, 12, 30, tzinfo=UTC)
_LATER: Final = datetime(2024, 2, 29, 9, 15, tzinfo=UTC)
_FORMAT: Final = re.compile(r"(?:[^%]{0,4}%-?[YymdBbjHMSIpfzaA]){2,8}[^%]{0,4}")
#: What a column has in two rows.
Cells = tuple[str, str]
#: What is called so -> what it is in two rows.
_NAMED: Final[tuple[tuple[re.Pattern[str], Cells], ...]] = (
    (re.compile(r"name|title|label"), ("apple", "pear")),
    (re.compile(r"date|birthday|_(?:at|on)$"), ("2024-01-31", "2024-02-29")),
)
#: Those of a name that says nothing.
NUMBERS: Final = ("1", "2")
_COLUMN: Final = re.compile(r"[A-Za-z][\w -]{0,30}")


def moment_in(form: object) -> str:
    """A moment as the format ``form`` of ``strptime`` writes it; '' if it is none."""
    is_format = isinstance(form, str) and _FORMAT.fullmatch(form) is not None
    return MOMENT.strftime(str(form)) if is_format else ""


def moments_in(form: object) -> Cells | None:
    """Two moments as the format writes them."""
    first = moment_in(form)
    return (first, _LATER.strftime(str(form))) if first else None


def columns(tree: ast.Module, constants: Iterable[Constant], scopes: Collection[str]) -> list[str]:
    """The columns that the code of ``scopes`` looks up, those that it lists first."""
    used = {
        node.id
        for node, scope in walk_scopes(tree)
        if scope in scopes and isinstance(node, ast.Name)
    }
    listed = [text for names, texts in _lists(tree) if names & used for text in texts]
    keys = [one.value for one in constants if one.role == "key" and one.scope in scopes]
    found = [*listed, *[key for key in keys if isinstance(key, str) and _COLUMN.fullmatch(key)]]
    return list(dict.fromkeys(found))[:MAX_COLUMNS]


def _lists(tree: ast.Module) -> Iterator[tuple[set[str], list[str]]]:
    """(names, texts) of each list of names that the module holds."""
    for node in tree.body:
        match node:
            case ast.Assign(targets, ast.List(items) | ast.Tuple(items)) if items:
                texts = [item.value for item in items if isinstance(item, ast.Constant)]
                named = [one for one in texts if isinstance(one, str) and _COLUMN.fullmatch(one)]
                if len(named) == len(items):
                    yield {one.id for one in targets if isinstance(one, ast.Name)}, named


def table(names: list[str], mark: str = ",", others: Cells = NUMBERS) -> str:
    """A head with ``names`` and two rows, which have ``others`` for what no name speaks for."""
    rows = [names, *[[_cells(name, others)[row] for name in names] for row in (0, 1)]]
    return "".join(f"{mark.join(row)}\n" for row in rows)


def _cells(name: str, others: Cells) -> Cells:
    plain = name.lower().replace(" ", "_").replace("-", "_")
    match [str(one) for one in EXAMPLES.get(plain, ())]:
        case [first, second, *_]:
            return first, second
    return next((texts for pattern, texts in _NAMED if pattern.search(plain)), others)
