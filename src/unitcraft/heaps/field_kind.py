"""The kinds of values of fields: plain data that a worker answers and a scope is derived from.

A kind is ``("none",)``, ``("bool",)``, ``("int",)``, ``("number", value)`` (an integer that no
call passed), ``("text",)``, ``("passed",)`` (one of PASSED), ``("atom", value)``,
``("enum", class, names of its members)``, ``("object", class)``, ``("list", kinds of the items)``
(so are a ``deque`` and a ``row``, which is a tuple of any length), ``("tuple", kinds of each
place)``, ``("dict", kinds of the keys, kinds of the values)`` (so are the others of TABLES),
``("set", kinds of the items)`` (so is a ``frozenset``) or ``("other", type)``.

Invariant: kinds of a field keep the order in which they were added, each once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from unitcraft.core.encoding import Plain

#: Kinds of one field that are kept.
MAX_KINDS: Final = 12
#: The texts of heaps and of the calls that make them, in order: a scope takes the first of them.
TEXTS: Final = tuple("abcdefghijklmnopqrstuvwxyz")
#: Those that calls are given whose objects are observed; another text is a constant of the code.
PASSED: Final = TEXTS[:5]

#: Integers that calls are given whose objects are observed: a key, one below and some above it.
INTS: Final = (1, 0, 2, 3, 4)
#: Other integers of one field that are kept.
MAX_NUMBERS: Final = 3

#: The kinds that have kinds in them: what is written as a list, a dict and a set in forms.
ROWS: Final = ("list", "deque", "row", "tuple")
TABLES: Final = ("dict", "OrderedDict", "defaultdict")
SETS: Final = ("set", "frozenset")
CONTAINERS: Final = (*ROWS, *TABLES, *SETS)
#: Marks a dict in a form that stands for a set; no atom.
SET: Final = ()
#: Begins what stands for a member of an enumeration in a form: (MEMBER, class, name).
MEMBER: Final = "member"

#: Class -> field -> kinds.
Kinds = dict[str, dict[str, list["Plain"]]]


def add_kind(kinds: list[Plain], kind: Plain) -> None:
    """Add ``kind``; the items of all lists are one kind of list, and so on.

    Tuples of different lengths are of any length.
    """
    if kind[0] in CONTAINERS:
        for place, known in enumerate(kinds):
            if known[0] == kind[0] and len(known) == len(kind):
                parts = zip(known[1:], kind[1:], strict=True)
                kinds[place] = (kind[0], *[_merged(*both) for both in parts])
                return
            if {known[0], kind[0]} <= {"tuple", "row"}:
                kinds[place] = ("row", _merged(*known[1:], *kind[1:]))
                return
    is_more = kind[0] == "number" and len([one for one in kinds if one[0] == "number"])
    if kind not in kinds and len(kinds) < MAX_KINDS and is_more < MAX_NUMBERS:
        kinds.append(kind)


def _merged(*parts: Plain) -> Plain:
    found: list[Plain] = []
    for kind in [one for part in parts for one in part]:
        add_kind(found, kind)
    return tuple(found)


def kinds_inside(kind: Plain) -> tuple[Plain, ...]:
    """The kinds of the items, keys and values of a container; () of anything else."""
    if kind[0] not in CONTAINERS:
        return ()
    return tuple([one for part in kind[1:] for one in part])


def is_opaque(kinds: Sequence[Plain]) -> bool:
    """Do the kinds say of no value how it is made, but that there is one (a function, a lock)?"""
    leaves = [one[0] for one in flat_kinds(kinds) if one[0] not in CONTAINERS]
    return "other" in leaves and all(one in ("none", "other") for one in leaves)


def flat_kinds(kinds: Sequence[Plain]) -> list[Plain]:
    """``kinds``, and the kinds in containers."""
    return [one for kind in kinds for one in (kind, *flat_kinds(kinds_inside(kind)))]


def is_object(cell: Plain) -> bool:
    """Does a cell of a form, no key, stand for an object?"""
    return type(cell) is tuple and cell[0] != MEMBER


def member_text(cell: Plain) -> str:
    """A member of an enumeration as people read it."""
    return f"{cell[1].rpartition(':')[2].rpartition('.')[2]}.{cell[2]}"


def key_order(key: Plain) -> tuple[str, Any]:
    """What keys of a dict, or items of a set, are sorted by: their type, then their value."""
    if type(key) is tuple:
        return "tuple", tuple(map(key_order, key))
    return type(key).__name__, 0 if key is None else key


def encode_kinds(classes: Kinds) -> Plain:
    """``classes`` as tuples that a worker can answer."""
    return tuple(
        [
            (name, tuple([(field, tuple(kinds)) for field, kinds in fields.items()]))
            for name, fields in classes.items()
        ]
    )


def merge_kinds(*answers: Plain) -> Kinds:
    """The kinds of several answers of ``encode_kinds``, the first ones first."""
    found: Kinds = {}
    for answer in answers:
        for name, fields in answer:
            known = found.setdefault(name, {})
            for field, kinds in fields:
                own = known.setdefault(field, [])
                for kind in kinds:
                    add_kind(own, kind)
    return found
