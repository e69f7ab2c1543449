"""The agent that reads what a scope is derived from, in a worker of its own.

Any host that has imported the Subject serves ``module:read`` of this module.  An item is (module,
class, paths of marshalled Calls whose receivers are observed); the
answer is ((class, ((field, kinds), ...)), ...) and the names of the invariants.

Invariant: the answer depends on the Subject and the item alone.
"""

from __future__ import annotations

import inspect
import sys
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

from unitcraft.explore.agents.replay_calls import replay
from unitcraft.heaps.guest.field_kinds import FieldKinds
from unitcraft.state.heap.object_layout import mro_of, own_dict

if TYPE_CHECKING:
    from collections.abc import Callable

    from unitcraft.core.encoding import Plain

#: Names by which a representation invariant is known, the commonest in papers first.
NAMES: Final = (
    "rep_ok", "repOK", "repok", "rep_OK", "_rep_ok", "_repOK", "invariant", "_invariant",
    "check_invariant", "_check_invariant", "check_invariants", "_check_invariants",
    "class_invariant", "check_rep", "_check_rep", "checkrep", "_check",
)  # fmt: skip
#: The mark of a method that is an invariant, on the line of its ``def``.
PRAGMA: Final = "# unitcraft: rep-ok"


def read(item: Plain) -> Plain:
    """The kinds of all fields, and the names of invariants; what the item is the module says."""
    module, qualname, paths = item
    kind: Any = sys.modules[module]
    for part in qualname.split("."):
        kind = vars(kind)[part]
    kinds = FieldKinds(module)
    kinds.declare(kind)
    for path in paths:
        results: list[Any] = []
        replay(path, results)
        if results and type(results[0]) is kind:
            kinds.observe(results[0])
    classes = [
        (name, tuple([(field, tuple(known)) for field, known in fields.items()]))
        for name, fields in kinds.classes.items()
    ]
    return tuple(classes), tuple(_invariants_of(kind))


def _invariants_of(kind: type) -> list[str]:
    """The names of marked methods in source order, then those of known names."""
    found = [
        name
        for base in mro_of(kind)
        for name, value in own_dict(base).items()
        if type(value) is FunctionType and _is_marked(value)
    ]
    known = [name for name in NAMES if inspect.getattr_static(kind, name, None) is not None]
    return list(dict.fromkeys([*found, *known]))


def _is_marked(function: FunctionType) -> bool:
    try:
        lines = inspect.getsource(function).splitlines()
    except (OSError, TypeError):
        return False
    head = next((line for line in lines if "def " in line), "")
    return PRAGMA in head


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"read": read}
