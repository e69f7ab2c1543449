"""The kinds of values of fields: plain data that a worker answers and a scope is derived from.

A kind is ``("none",)``, ``("bool",)``, ``("int",)``, ``("text",)``, ``("passed",)`` (one of
PASSED), ``("atom", value)``, ``("object", class)``, ``("list", kinds of the items)`` or
``("other", type)``.

Invariant: kinds of a field keep the order in which they were added, each once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from unitcraft.core.encoding import Plain

#: Kinds of one field that are kept.
MAX_KINDS: Final = 12
#: The texts of heaps and of the calls that make them, in order: a scope takes the first of them.
TEXTS: Final = tuple("abcdefghijklmnopqrstuvwxyz")
#: Those that calls are given whose objects are observed; another text is a constant of the code.
PASSED: Final = TEXTS[:5]

#: Class -> field -> kinds.
Kinds = dict[str, dict[str, list["Plain"]]]


def add_kind(kinds: list[Plain], kind: Plain) -> None:
    """Add ``kind``; the items of all lists are one kind of list."""
    if kind[0] == "list":
        for place, known in enumerate(kinds):
            if known[0] == "list":
                kinds[place] = ("list", tuple(dict.fromkeys((*known[1], *kind[1]))))
                return
    if kind not in kinds and len(kinds) < MAX_KINDS:
        kinds.append(kind)


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
