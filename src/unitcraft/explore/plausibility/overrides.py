"""Members that override one another, and which of their parameters correspond.

Invariant: no member is an override of itself.
"""

from __future__ import annotations

from typing import Final

from unitcraft.subject.model import Invocable, Parameter, Subject

#: Members of one name in the heirs of a class that count: a bound for packages of many.
MAX_KIN: Final = 12


def overrides_of(subject: Subject) -> dict[str, tuple[Invocable, ...]]:
    """Id of a member -> those of that name in bases, heirs and other heirs of a base."""
    known = {one.id: one for one in subject.invocables}
    classes = {info.id for info in subject.classes}
    kin: dict[tuple[str, str], list[str]] = {}
    for info in subject.classes:
        for member in info.members:
            for base in (info.id, *info.bases) if member in known else ():
                if base in classes:
                    kin.setdefault((base, member.rpartition(".")[2]), []).append(member)
    found: dict[str, dict[str, None]] = {}
    for members in kin.values():
        for one in members[:MAX_KIN]:
            found.setdefault(one, {}).update(dict.fromkeys(members[:MAX_KIN]))
    return {
        one: tuple([known[other] for other in others if other != one])
        for one, others in found.items()
    }


def at_its_place(parameter: Parameter, invocable: Invocable, other: Invocable) -> Parameter | None:
    """The parameter of that name of ``other``, else the one at the same place, if there is any."""
    named = next((one for one in other.parameters if one.name == parameter.name), None)
    if named is not None or not parameter.kind.startswith("positional"):
        return named
    rest = other.parameters[invocable.parameters.index(parameter) :]
    return rest[0] if rest and rest[0].kind.startswith("positional") else None
