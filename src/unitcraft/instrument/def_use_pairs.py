"""The def-use pairs of fields that the source shows, as targets.

Invariant: a pair is listed when a method of a class uses a field on its receiver and the same
class, or one that it shares a line of inheritance with, defines it; whether any run can join
the two is not decided here, except for constructors.
"""

from __future__ import annotations

from typing import Final

from unitcraft.instrument.field_probes import FieldSite, FieldTable

#: Pairs listed for one module.
MOST_TARGETS: Final = 1000
_MAKING: Final = ("__new__", "__init__", "__post_init__")


def targets(table: FieldTable) -> list[tuple[int, int]]:
    """(definition site, use site) in the order of the source."""
    sites = list(enumerate(table.sites))
    uses = [(number, site) for number, site in sites if site.role == "use" and site.owner]
    found = [
        (defined, used)
        for defined, definition in sites
        if definition.owner and definition.role != "use"
        for used, use in uses
        if use.field == definition.field
        and _related(table, definition.owner, use.owner)
        and not (use.since >= 0 and _shielded(definition, defined, use, used))
        and _joinable(table, definition, use)
    ]
    return found[:MOST_TARGETS]


def _related(table: FieldTable, first: str, second: str) -> bool:
    return first in _line(table, second) or second in _line(table, first)


def _line(table: FieldTable, name: str) -> list[str]:
    """The class and those above it, as far as the module defines them."""
    found = [name]
    for one in found:
        for base in table.bases.get(one, ()):
            known = base if base in table.bases else ""
            if known and known not in found:
                found.append(known)
    return found


def _joinable(table: FieldTable, definition: FieldSite, use: FieldSite) -> bool:
    """May a value of ``definition`` still be there when ``use`` reads it?

    A constructor reads what it, or a method that it calls, has stored; a declared value is
    read when no constructor has stored another.
    """
    if definition.role == "declaration":
        return not _stored_when_made(table, definition)
    method = use.scope.rpartition(".")[2]
    if method not in _MAKING or definition.scope == use.scope:
        return True
    defining = definition.scope.rpartition(".")[2]
    return defining in _MAKING or defining in table.called.get(use.scope, ())


def _shielded(definition: FieldSite, defined: int, use: FieldSite, used: int) -> bool:
    """Does a store of the function itself stand between the two, whatever path it takes?"""
    if definition.scope != use.scope or defined < use.since:
        return True
    return defined > used and not use.looped


def _stored_when_made(table: FieldTable, declaration: FieldSite) -> bool:
    return any(
        site.role == "definition"
        and (site.owner, site.field) == (declaration.owner, declaration.field)
        and site.scope.rpartition(".")[2] in _MAKING
        for site in table.sites
    )


def listed(table: FieldTable) -> list[tuple[int, int, tuple[int, ...], str]]:
    """(definition site, use site, lines, what to call the pair) of each target.

    The lines are in the functions that lead to the use: the one that holds it, and the methods
    that call that one on their receiver, directly or not.
    """
    return [
        (defined, used, _lines(table, table.sites[used]), _title(table.sites[defined],
                                                                 table.sites[used]))
        for defined, used in targets(table)
    ]  # fmt: skip


def _lines(table: FieldTable, use: FieldSite) -> tuple[int, ...]:
    scopes = [use.scope]
    for scope in scopes:
        owner, _, name = scope.rpartition(".")
        for caller, called in table.called.items():
            related = _related(table, owner, caller.rpartition(".")[0])
            if name in called and related and caller not in scopes:
                scopes.append(caller)
    return (use.line, *[table.lines[scope] for scope in scopes[1:]])


def _title(definition: FieldSite, use: FieldSite) -> str:
    return f"{use.owner}.{use.field} {definition.line}->{use.line}"
