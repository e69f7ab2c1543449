"""Which kinds of values the fields of a class and of its neighbours have.

What annotations and constructors say comes first, then what objects held that calls have made.  A
kind is ``("none",)``, ``("bool",)``, ``("int",)``, ``("text",)``, ``("atom", value)``,
``("object", class)``, ``("list", kinds of the items)`` or ``("other", type)``.

Invariant: kinds come in the order of the source and of the calls, each once; reading an object
runs none of its code.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

from unitcraft.core.sequences import Const
from unitcraft.state.heap.object_layout import class_id, dictionary_of, mro_of, slots_of
from unitcraft.subject.description.classes import fields_of_class
from unitcraft.subject.description.describe import context_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from unitcraft.core.encoding import Plain
    from unitcraft.core.types import TypeExpr

#: Objects of one heap that are looked at, and items of one list.
MAX_OBJECTS: Final = 200
MAX_ITEMS: Final = 20
#: Kinds of one field that are kept.
MAX_KINDS: Final = 12

_PLAIN: Final = {"none": ("none",), "bool": ("bool",), "int": ("int",), "str": ("text",)}
_LISTS: Final = ("list", "sequence", "iterable")


class FieldKinds:
    """Abstract state: the kinds of each field known so far, by class, in order.

    Only classes of the top-level package of ``module`` are known.
    """

    def __init__(self, module: str) -> None:
        self._module = module
        self._package = module.partition(".")[0]
        self.classes: dict[str, dict[str, list[Plain]]] = {}

    def declare(self, kind: type) -> None:
        """Add what the source of ``kind`` and of the classes that its fields name says."""
        waiting = [kind]
        view = context_of(sys.modules[self._module])
        for cls in waiting:
            name = class_id(cls)
            if name in self.classes:
                continue
            self.classes[name] = {}
            for field, type_ in fields_of_class(view, cls, name):
                kinds = self.classes[name].setdefault(field, [])
                for one in _kinds_of_type(type_):
                    _add(kinds, one)
                waiting += [found for one in kinds for found in self._classes_in(one)]

    def _classes_in(self, kind: Plain) -> Iterator[type]:
        if kind[0] == "list":
            for inner in kind[1]:
                yield from self._classes_in(inner)
        elif kind[0] == "object":
            found = _class_named(kind[1])
            if found is not None and self._is_own(found):
                yield found

    def _is_own(self, kind: type) -> bool:
        return class_id(kind).partition(":")[0].partition(".")[0] == self._package

    def observe(self, root: Any) -> None:
        """Add what the objects hold that can be reached from ``root``."""
        queue, met = [root], {id(root)}
        for value in queue:
            kind = type(value)
            known = self.classes.setdefault(class_id(kind), {})
            for name, content in _contents(value):
                _add(known.setdefault(name, []), self._kind_of(content))
                inside = content[:MAX_ITEMS] if type(content) is list else [content]
                for other in inside:
                    own = self._is_own(type(other)) and id(other) not in met
                    if own and len(queue) < MAX_OBJECTS:
                        met.add(id(other))
                        queue.append(other)

    def _kind_of(self, value: Any) -> Plain:
        kind = type(value)
        if value is None or kind in (bool, int):
            return ("none",) if value is None else (kind.__name__,)
        if kind in (str, float, bytes):
            return ("atom", value)
        if kind is list:
            return ("list", tuple(dict.fromkeys([self._kind_of(one) for one in value[:MAX_ITEMS]])))
        return ("object", class_id(kind)) if self._is_own(kind) else ("other", kind.__name__)


def _contents(value: Any) -> Iterator[tuple[str, Any]]:
    """The fields of an object that have a value: those of its dictionary, then its slots."""
    kind = type(value)
    dictionary = dictionary_of(kind)
    if dictionary is not None:
        yield from [(name, one) for name, one in dictionary(value).items() if type(name) is str]
    for name, get in slots_of(kind):
        try:
            yield name, get(value)
        except AttributeError:
            continue


def _add(kinds: list[Plain], kind: Plain) -> None:
    """Add ``kind``; the items of all lists are one kind of list."""
    if kind[0] == "list":
        for place, known in enumerate(kinds):
            if known[0] == "list":
                kinds[place] = ("list", tuple(dict.fromkeys((*known[1], *kind[1]))))
                return
    if kind not in kinds and len(kinds) < MAX_KINDS:
        kinds.append(kind)


def _kinds_of_type(kind: TypeExpr) -> list[Plain]:
    """The kinds of values of a declared type; [] where it says nothing."""
    if kind.name == "union":
        return [one for part in kind.args for one in _kinds_of_type(part)]
    if kind.name in _PLAIN:
        return [_PLAIN[kind.name]]
    if kind.name == "class":
        return [("object", kind.cls)]
    if kind.name == "literal":
        return [("atom", one.value) for one in kind.literals if type(one) is Const]
    if kind.name in _LISTS:
        items = [one for part in kind.args for one in _kinds_of_type(part)]
        return [("list", tuple(items))]
    return []


def _class_named(name: str) -> type | None:
    module, _, path = name.partition(":")
    found: Any = sys.modules.get(module)
    for part in path.split("."):
        found = vars(found).get(part) if found is not None else None
    return found if isinstance(found, type) and object in mro_of(found) else None
