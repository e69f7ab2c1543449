"""The type of an inversion rule, and the bound on what a rule may make.

Invariant: a rule looks at values only, never at terms; it may raise when they do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from unitcraft.symbolic.kinds.symbolic_kind import MAX_SIZE

#: (position, arguments, wanted): values for the argument at ``position`` (the others as they
#: are) so that the operation may give ``wanted``.  An argument that raises is MISSING.
Rule = Callable[[int, list[Any], Any], Iterable[Any]]

MISSING: Final = object()


def check_size(count: int) -> int:
    """``count``, a number of characters or bits, if a solver may make that many.

    Raises:
        ValueError: there are too many; the rule that called suggests nothing.
    """
    if count > MAX_SIZE:
        raise ValueError("too many characters or bits")
    return count


def inverse_of(inverse: Callable[[Any], Iterable[Any]]) -> Rule:
    """The rule of an operation with one argument, by the values that give a result."""
    return lambda _position, _args, wanted: inverse(wanted)
