"""What a probe records and the inference of types reads: the operations on it.

Invariant: a ProbeOperation is plain data: names and numbers.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProbeOperation:
    """One operation on a probe: ``path`` is how it was reached (``p``, ``p.x()``, ``p[]``).

    ``operand`` is an attribute name or the class name of the other operand; ``arity`` the
    number of arguments of a call.
    """

    path: str
    operation: str
    operand: str = ""
    arity: int = 0
