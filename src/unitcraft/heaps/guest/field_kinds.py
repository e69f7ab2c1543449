"""Which kinds of values the fields of objects have that calls made.

The kinds are those of ``heaps.field_kind``.

Invariant: kinds come in the order of the calls, each once; reading an object runs none of its code.
"""

from __future__ import annotations

from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from unitcraft.heaps.field_kind import PASSED, Kinds, add_kind
from unitcraft.state.heap.object_layout import class_id, dictionary_of, mro_of, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unitcraft.core.encoding import Plain

#: Objects of one heap that are looked at, and items of one list.
MAX_OBJECTS: Final = 200
MAX_ITEMS: Final = 20


class FieldKinds:
    """Abstract state: the kinds of each field seen so far, by class, in order.

    Only classes of the top-level package of ``module`` are known.
    """

    def __init__(self, module: str) -> None:
        self._package = module.partition(".")[0]
        self.classes: Kinds = {}

    def _is_own(self, kind: type) -> bool:
        if Enum in mro_of(kind):
            return False  # its members are all the instances that there are
        return class_id(kind).partition(":")[0].partition(".")[0] == self._package

    def observe(self, root: Any) -> None:
        """Add what the objects hold that can be reached from ``root``."""
        queue, met = [root], {id(root)}
        for value in queue:
            kind = type(value)
            known = self.classes.setdefault(class_id(kind), {})
            for name, content in _contents(value):
                add_kind(known.setdefault(name, []), self._kind_of(content))
                for other in _inside(content):
                    own = self._is_own(type(other)) and id(other) not in met
                    if own and len(queue) < MAX_OBJECTS:
                        met.add(id(other))
                        queue.append(other)

    def _kind_of(self, value: Any) -> Plain:
        kind = type(value)
        if value is None or kind in (bool, int):
            return ("none",) if value is None else (kind.__name__,)
        if kind is str and value in PASSED:
            return ("passed",)
        if kind in (str, float, bytes):
            return ("atom", value)
        if kind is list:
            return ("list", self._kinds_of(value[:MAX_ITEMS]))
        if kind in (dict, set):
            keys = self._kinds_of(islice(value, MAX_ITEMS))
            if all(one[0] in ("none", "bool", "int", "passed", "atom") for one in keys):
                if kind is set:
                    return ("set", keys)
                return ("dict", keys, self._kinds_of(islice(value.values(), MAX_ITEMS)))
        return ("object", class_id(kind)) if self._is_own(kind) else ("other", kind.__name__)

    def _kinds_of(self, values: Iterable[Any]) -> tuple[Plain, ...]:
        found: list[Plain] = []
        for one in values:
            add_kind(found, self._kind_of(one))
        return tuple(found)


def _inside(content: Any) -> Iterator[Any]:
    """The items of lists and the values of dicts, at any depth."""
    if type(content) in (list, dict):
        for item in islice(content if type(content) is list else content.values(), MAX_ITEMS):
            yield from _inside(item)
    else:
        yield content


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
