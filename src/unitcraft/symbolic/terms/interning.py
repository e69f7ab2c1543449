"""One object for each constraint that runs meet: whoever remembers by identity finds it again.

A constraint comes from a worker as its marshalled form, and is built where it is met first.  The
two outcomes of a term share the object of the term.

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
#: By the identity of an interned constraint: it, and the one of the other outcome.
_OPPOSITES: Final[dict[int, tuple[Constraint, Constraint]]] = {}


def marshalled(constraint: Constraint) -> bytes:
    """The form in which ``interned`` takes a constraint."""
    return marshal.dumps(constraint, _FORMAT)


def interned(constraints: Iterable[bytes]) -> tuple[Constraint, ...]:
    """The object for each of the ``marshalled`` constraints."""
    known = _KNOWN.get
    return tuple([known(data) or _learn(data) for data in constraints])


def opposite(constraint: Constraint) -> Constraint:
    """The constraint of the other outcome, the interned one of an interned one."""
    known = _OPPOSITES.get(id(constraint))
    if known is not None and known[0] is constraint:
        return known[1]
    return (constraint[0], not constraint[1])


def _learn(data: bytes) -> Constraint:
    if len(_KNOWN) >= MAX_INTERNED:
        _KNOWN.clear()
        _OPPOSITES.clear()
    constraint: Constraint = marshal.loads(data)  # noqa: S302 - terms and atoms, from our agent
    other = opposite(constraint)
    for one, another in ((constraint, other), (other, constraint)):
        _KNOWN[marshalled(one)] = one
        _OPPOSITES[id(one)] = (one, another)
    return constraint
