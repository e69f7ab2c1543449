"""The type of an inversion rule.

Invariant: a rule looks at values only, never at terms; it may raise when they do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

#: (position, arguments, wanted): values for the argument at ``position`` (the others as they
#: are) so that the operation may give ``wanted``.  An argument that raises is MISSING.
Rule = Callable[[int, list[Any], Any], Iterable[Any]]

MISSING: Final = object()
