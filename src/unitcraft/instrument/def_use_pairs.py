"""The def-use pairs of fields in the source of a module, as coverage targets.

Invariant: a pair is listed when a method of a class uses a field on its receiver and the same
class, or a base or derived class of it, defines it.  Whether a run can reach the use from the
definition is not decided here, except for constructors.
"""

from __future__ import annotations

from typing import Final

from unitcraft.instrument.field_probes import FieldSite, FieldTable
from unitcraft.instrument.sites import DefUsePair

#: Pairs listed for one module.
MAX_PAIRS: Final = 1000
#: Methods that run when an object is made.
_CONSTRUCTORS: Final = ("__new__", "__init__", "__post_init__")


def _find_pairs(table: FieldTable) -> list[tuple[int, int]]:
    """(definition site, use site) in the order of the source."""
    sites = list(enumerate(table.sites))
    uses = [(number, site) for number, site in sites if site.role == "use" and site.owner]
    found = [
        (defined, used)
        for defined, definition in sites
        if definition.owner and definition.role != "use"
        for used, use in uses
        if use.field == definition.field
        and _are_related(table, definition.owner, use.owner)
        and not (use.dominator >= 0 and _is_killed(definition, defined, use, used))
        and _may_reach(table, definition, use)
    ]
    return found[:MAX_PAIRS]


def _are_related(table: FieldTable, first: str, second: str) -> bool:
    return first in _ancestry(table, second) or second in _ancestry(table, first)


def _ancestry(table: FieldTable, name: str) -> list[str]:
    """The class and its bases, direct or not, as far as the module defines them."""
    found = [name]
    for current in found:
        for base in table.bases.get(current, ()):
            known = base if base in table.bases else ""
            if known and known not in found:
                found.append(known)
    return found


def _may_reach(table: FieldTable, definition: FieldSite, use: FieldSite) -> bool:
    """May a value of ``definition`` still be there when ``use`` reads it?

    A constructor reads what it, or a method that it calls, has stored; a declared value is
    read when no constructor has stored another.
    """
    if definition.role == "declaration":
        return not _is_stored_by_constructor(table, definition)
    method = use.scope.rpartition(".")[2]
    if method not in _CONSTRUCTORS or definition.scope == use.scope:
        return True
    defining = definition.scope.rpartition(".")[2]
    return defining in _CONSTRUCTORS or defining in table.called.get(use.scope, ())


def _is_killed(definition: FieldSite, defined: int, use: FieldSite, used: int) -> bool:
    """Does a store on every path of the using function kill the definition before the use?"""
    if definition.scope != use.scope or defined < use.dominator:
        return True
    return defined > used and not use.in_loop


def _is_stored_by_constructor(table: FieldTable, declaration: FieldSite) -> bool:
    return any(
        site.role == "definition"
        and (site.owner, site.field) == (declaration.owner, declaration.field)
        and site.scope.rpartition(".")[2] in _CONSTRUCTORS
        for site in table.sites
    )


def describe_pairs(table: FieldTable) -> list[DefUsePair]:
    """The def-use pairs of a module.

    Their lines are in the functions that lead to the use: the function that contains it, and the
    methods that call it on their receiver, directly or not.
    """
    return [
        DefUsePair(defined, used, _lines(table, table.sites[used]),
                   _title(table.sites[defined], table.sites[used]))
        for defined, used in _find_pairs(table)
    ]  # fmt: skip


def _lines(table: FieldTable, use: FieldSite) -> tuple[int, ...]:
    scopes = [use.scope]
    for scope in scopes:
        owner, _, name = scope.rpartition(".")
        for caller, called in table.called.items():
            related = _are_related(table, owner, caller.rpartition(".")[0])
            if name in called and related and caller not in scopes:
                scopes.append(caller)
    return (use.line, *[table.lines[scope] for scope in scopes[1:]])


def _title(definition: FieldSite, use: FieldSite) -> str:
    return f"{use.owner}.{use.field} {definition.line}->{use.line}"
