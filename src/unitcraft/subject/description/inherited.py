"""Finds the inherited members through which a class of the Subject acts.

A base in another module is that module's to test, but a member that reads what the Subject's class
defines (a constant, a hook method) behaves as this class says: ``describe`` of a base that formats
``self.KIND`` is behaviour of each class that sets ``KIND``.

Invariant: names are compared, nothing is run; a member counts when it reads a name of the class
itself or mentions a member that does.  What a public base in the same module defines counts there,
not again for each heir.
"""

from __future__ import annotations

from dataclasses import replace

from unitcraft.subject import static_lookup
from unitcraft.subject.model import Invocable


def mark_own_use(cls: type, module: str, members: list[Invocable]) -> list[Invocable]:
    """``members`` of ``cls``, a class that the Subject's ``module`` defines, with ``uses_own`` set.

    It is set where code of another module uses a name that ``cls`` defines.
    """
    own = _own_names(cls)
    by_name = {member.name: member for member in members}
    using = {name for name, member in by_name.items() if own.intersection(member.reads)}
    grown = True
    while grown:
        more = {
            name
            for name, member in by_name.items()
            if name not in using and name not in own and using.intersection(member.reads)
        }
        using |= more
        grown = bool(more)
    return [
        replace(member, uses_own=True)
        if member.module not in ("", module) and member.name in using
        else member
        for member in members
    ]


def _own_names(cls: type) -> frozenset[str]:
    """Names that ``cls`` defines, and its private bases in the same module."""
    home = static_lookup.module_name(cls)
    return frozenset(
        [
            name
            for base in static_lookup.mro(cls)
            if base is cls or (static_lookup.module_name(base) == home and _is_private(base))
            for name in tuple(static_lookup.own_dict(base))
            if type(name) is str and not (name.startswith("__") and name.endswith("__"))
        ]
    )


def _is_private(cls: type) -> bool:
    return static_lookup.qualname(cls).rpartition(".")[2].startswith("_")
