"""Operands: parameters of methods that take another object of their own class.

Invariant: the answer depends on the source of the method alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from unitcraft.subject.model import Invocable, Parameter, ParameterUse


def owner_of(invocable: Invocable) -> str:
    """The class whose objects ``invocable`` is called on ('' if it is no method)."""
    return invocable.owner if invocable.kind == "method" else ""


def is_operand(invocable: Invocable, parameter: Parameter, uses: Iterable[ParameterUse]) -> bool:
    """Does the method read of the argument what it reads of its own object, and nothing else?"""
    read = {
        use.operand for use in uses if (use.path, use.operation) == (parameter.name, "attribute")
    }
    return bool(owner_of(invocable)) and bool(read) and read <= set(invocable.reads)
