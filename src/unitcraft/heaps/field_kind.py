"""The kinds of values of fields: plain data that a worker answers and a scope is derived from.

A kind is ``("none",)``, ``("bool",)``, ``("int",)``, ``("text",)``, ``("passed",)`` (one of
PASSED), ``("atom", value)``, ``("object", class)``, ``("list", kinds of the items)``,
``("dict", kinds of the keys, kinds of the values)``, ``("set", kinds of the items)`` or
``("other", type)``.

Invariant: kinds of a field keep the order in which they were added, each once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain

#: Kinds of one field that are kept.
MAX_KINDS: Final = 12
#: The texts of heaps and of the calls that make them, in order: a scope takes the first of them.
TEXTS: Final = tuple("abcdefghijklmnopqrstuvwxyz")
#: Those that calls are given whose objects are observed; another text is a constant of the code.
PASSED: Final = TEXTS[:5]

#: The kinds that have kinds in them.
CONTAINERS: Final = ("list", "dict", "set")
#: Marks a dict in a form that stands for a set; no atom.
SET: Final = ()

#: Class -> field -> kinds.
Kinds = dict[str, dict[str, list["Plain"]]]


def add_kind(kinds: list[Plain], kind: Plain) -> None:
    """Add ``kind``; the items of all lists are one kind of list, and so on."""
    if kind[0] in CONTAINERS:
        for place, known in enumerate(kinds):
            if known[0] == kind[0]:
                parts = zip(known[1:], kind[1:], strict=True)
                kinds[place] = (kind[0], *[_merged(*both) for both in parts])
                return
    if kind not in kinds and len(kinds) < MAX_KINDS:
        kinds.append(kind)


def _merged(some: Plain, more: Plain) -> Plain:
    found: list[Plain] = []
    for kind in (*some, *more):
        add_kind(found, kind)
    return tuple(found)


def kinds_inside(kind: Plain) -> tuple[Plain, ...]:
    """The kinds of the items, keys and values of a container; () of anything else."""
    if kind[0] not in CONTAINERS:
        return ()
    return tuple([one for part in kind[1:] for one in part])


def key_order(key: Plain) -> tuple[str, Any]:
    """What keys of a dict, or items of a set, are sorted by: their type, then their value."""
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
