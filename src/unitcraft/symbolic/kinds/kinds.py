"""The table of all kinds of symbolic inputs.

Invariant: every name of ``Kind`` has one record, and no two records have one type.
"""

from __future__ import annotations

from typing import Any, Final

from unitcraft.symbolic.kinds.bytes_kind import BYTES_KIND
from unitcraft.symbolic.kinds.float_kind import FLOAT_KIND
from unitcraft.symbolic.kinds.int_kind import INT_KIND
from unitcraft.symbolic.kinds.str_kind import STR_KIND
from unitcraft.symbolic.kinds.symbolic_kind import SymbolicKind
from unitcraft.symbolic.terms.term import Kind

#: The records, by name.
KINDS: Final[dict[Kind, SymbolicKind]] = {
    kind.name: kind for kind in (INT_KIND, FLOAT_KIND, STR_KIND, BYTES_KIND)
}
_NAMES: Final[dict[type, Kind]] = {kind.type: kind.name for kind in KINDS.values()}


def kind_of(value: Any) -> Kind | None:
    """The kind of a value that may be a symbolic input; None when it stays a constant."""
    return _NAMES.get(type(value))
