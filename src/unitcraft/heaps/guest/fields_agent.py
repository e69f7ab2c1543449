"""The agent that reads from the source what a scope is derived from, in a worker of its own.

Any host that has imported the Subject serves ``module:declare`` of this module.  An item is
(module, class); the answer is the kinds that the source declares for the fields of the class and
of those that they name (``heaps.field_kind.encode_kinds``), and the names of the invariants.

Invariant: the answer depends on the Subject and the item alone; none of its code runs.
"""

from __future__ import annotations

import inspect
import sys
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Const
from unitcraft.heaps.field_kind import (
    MAX_KINDS,
    TABLES,
    Kinds,
    add_kind,
    encode_kinds,
    kinds_inside,
)
from unitcraft.heaps.guest.field_kinds import content_base
from unitcraft.heaps.guest.invariant_source import find_class, invariants_of
from unitcraft.state.heap.object_layout import (
    Hidden,
    class_id,
    dictionary_of,
    mro_of,
    own_dict,
    slots_of,
)
from unitcraft.subject.description.classes import fields_of_class
from unitcraft.subject.description_context import context_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from unitcraft.core.encoding import Plain
    from unitcraft.core.types import TypeExpr

#: A float may be an integer, and calls pass integers for one.
_PLAIN: Final = {
    "none": ("none",), "bool": ("bool",), "int": ("int",), "float": ("int",), "str": ("text",)
}  # fmt: skip
#: What is made where a type is declared.
_CONTAINERS: Final = {
    "list": "list", "sequence": "list", "iterable": "list", "tuple": "tuple", "vartuple": "row",
    "set": "set", "frozenset": "frozenset", "dict": "dict", "mapping": "dict",
    "collections:deque": "deque", "collections:OrderedDict": "OrderedDict",
    "collections:defaultdict": "defaultdict",
}  # fmt: skip


def declare(item: Plain) -> Plain:
    """The declared kinds and the names of invariants; what the item is the module says."""
    module, qualname = item
    kind = find_class(f"{module}:{qualname}")
    return encode_kinds(declared_kinds(module, kind)), tuple(invariants_of(kind))


def declared_kinds(module: str, kind: type) -> Kinds:
    """The kinds of the fields of ``kind`` and of the classes of its package that they name."""
    waiting = [kind]
    view = context_of(sys.modules[module])
    classes: Kinds = {}
    for cls in waiting:
        name = class_id(cls)
        if name in classes:
            continue
        classes[name] = {}
        for field, type_ in fields_of_class(view, cls, name):
            if not _can_hold(cls, field):
                continue
            kinds = classes[name].setdefault(field, [])
            for one in _kinds_of_type(type_):
                add_kind(kinds, one)
            package = module.partition(".")[0]
            waiting += [found for one in kinds for found in _classes_in(one, package)]
    return classes


def _classes_in(kind: Plain, package: str) -> Iterator[type]:
    for inner in kinds_inside(kind):
        yield from _classes_in(inner, package)
    if kind[0] == "object":
        found = _class_named(kind[1])
        if found is not None and class_id(found).partition(":")[0].partition(".")[0] == package:
            yield found


def _kinds_of_type(kind: TypeExpr) -> list[Plain]:
    """The kinds of values of a declared type; [] where it says nothing."""
    if kind.name == "union":
        return [one for part in kind.args for one in _kinds_of_type(part)]
    if kind.name in _PLAIN:
        return [_PLAIN[kind.name]]
    if kind.name == "literal":
        return [("atom", one.value) for one in kind.literals if type(one) is Const]
    parts = tuple([tuple(_kinds_of_type(part)) for part in kind.args])
    tag = _CONTAINERS.get(kind.cls or kind.name, "")
    if tag in TABLES:
        return [(tag, *(parts if len(parts) == len(("key", "value")) else ((), ())))]
    if tag == "tuple":
        return [(tag, *parts)]
    if tag:
        return [(tag, tuple([one for part in parts for one in part]))]
    return _concrete(kind.cls) if kind.name == "class" else []


def _concrete(name: str) -> list[Plain]:
    """The class ``name``, if it can have instances, else the classes below it that can."""
    found = _class_named(name)
    if found is not None and Enum in mro_of(found):
        return [("enum", name, tuple(own_dict(found)["_member_map_"])[:MAX_KINDS])]
    if found is not None and content_base(found) is not None:
        return []  # what a list holds is no field
    if found is None or not inspect.isabstract(found):
        return [("object", name)]
    heirs: list[type] = type.__subclasses__(found)
    below = [_concrete(class_id(one)) for one in heirs]
    return list(dict.fromkeys([kind for kinds in below for kind in kinds]))


def _can_hold(cls: type, field: str) -> bool:
    """Can objects of ``cls`` have the field: have they a dictionary, or a slot of that name?

    A property of that name stands before the dictionary.
    """
    if isinstance(inspect.getattr_static(cls, field, None), property):
        return False
    try:
        dictionary = dictionary_of(cls)
    except Hidden:
        return True
    return dictionary is not None or any(name == field for name, _ in slots_of(cls))


def _class_named(name: str) -> type | None:
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = vars(found).get(part) if found is not None else None
    return found if isinstance(found, type) and object in mro_of(found) else None


#: What the agent serves.
SERVICES: Final[dict[str, Callable[[Plain], Plain]]] = {"declare": declare}
