"""One object for each constraint that runs meet: whoever remembers by identity finds it again.

Invariant: an interned constraint is the same as what was given, 1, True and 1.0 told apart.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterable
from typing import Final

from unitcraft.symbolic.terms.term import Constraint

#: Interned constraints; a bound of memory, at which all are forgotten at once.
MAX_INTERNED: Final = 50_000

#: The last format of marshal without references, which would depend on reference counts.
_FORMAT: Final = 2

_KNOWN: Final[dict[bytes, Constraint]] = {}


def interned(constraints: Iterable[Constraint]) -> tuple[Constraint, ...]:
    """The object for each of ``constraints``, which came through marshal."""
    if len(_KNOWN) >= MAX_INTERNED:
        _KNOWN.clear()
    return tuple([_KNOWN.setdefault(marshal.dumps(one, _FORMAT), one) for one in constraints])
