"""What a rule of inversion is.

Invariant: a rule looks at values only, never at terms; it may raise when they do not fit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

#: (position, arguments, wanted): values for the argument at ``position`` (the others as they
#: are) so that the operation may give ``wanted``.  An argument that raises is MISSING.
Rule = Callable[[int, list[Any], Any], Iterable[Any]]

MISSING: Final = object()


def either(first: Rule, second: Rule) -> Rule:
    """The suggestions of both rules; one that raises suggests nothing."""

    def rule(position: int, args: list[Any], wanted: Any) -> Iterable[Any]:
        found: list[Any] = []
        for part in (first, second):
            try:
                found += part(position, args, wanted)
            except Exception:  # noqa: BLE001, PERF203 - the values are of the other rule's kind
                continue
        return found

    return rule
