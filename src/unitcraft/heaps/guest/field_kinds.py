"""Which kinds of values the fields of objects have that calls made.

The kinds are those of ``heaps.field_kind``.

Invariant: kinds come in the order of the calls, each once; reading an object runs none of its code.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict, deque
from enum import Enum
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from unitcraft.heaps.field_kind import INTS, MAX_KINDS, PASSED, Kinds, add_kind
from unitcraft.state.heap.object_layout import class_id, dictionary_of, mro_of, own_dict, slots_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from unitcraft.core.encoding import Plain

#: Objects of one heap that are looked at, and items of one list.
MAX_OBJECTS: Final = 200
MAX_ITEMS: Final = 20
_TABLES: Final = (dict, OrderedDict, defaultdict, set, frozenset)
#: The flag of classes that a class statement made.
_IS_WRITTEN: Final = 1 << 9


class FieldKinds:
    """Abstract state: the kinds of each field seen so far, by class, in order.

    Only classes of the top-level package of ``module`` are known.
    """

    def __init__(self, module: str) -> None:
        self._package = module.partition(".")[0]
        self.classes: Kinds = {}

    def _is_own(self, kind: type) -> bool:
        if Enum in mro_of(kind) or content_base(kind) is not None:
            return False  # members are all that there are; what a list holds is no field
        return class_id(kind).partition(":")[0].partition(".")[0] == self._package

    def observe(self, root: Any, *, is_new: bool = False) -> None:
        """Add what the objects hold that can be reached from ``root``.

        Of integers that no call passed, negative ones count, and all that ``is_new``, an object
        that no method was called on, has.
        """
        queue, met = [root], {id(root)}
        for value in queue:
            kind = type(value)
            known = self.classes.setdefault(class_id(kind), {})
            for name, content in _contents(value):
                kinds = known.setdefault(name, [])
                add_kind(kinds, self._kind_of(content))
                if type(content) is int and (content < 0 or (is_new and content not in INTS)):
                    add_kind(kinds, ("number", content))
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
        if kind is tuple:
            return ("tuple", *[(self._kind_of(one),) for one in value[:MAX_ITEMS]])
        if kind in (list, deque):
            return (kind.__name__, self._kinds_of(islice(value, MAX_ITEMS)))
        if kind in _TABLES:
            keys = self._kinds_of(islice(value, MAX_ITEMS))
            if all(map(_is_key, keys)):
                if kind in (set, frozenset):
                    return (kind.__name__, keys)
                values = self._kinds_of(islice(value.values(), MAX_ITEMS))
                return (kind.__name__, keys, values)
        if Enum in mro_of(kind):
            return ("enum", class_id(kind), tuple(own_dict(kind)["_member_map_"])[:MAX_KINDS])
        return ("object", class_id(kind)) if self._is_own(kind) else ("other", kind.__name__)

    def _kinds_of(self, values: Iterable[Any]) -> tuple[Plain, ...]:
        found: list[Plain] = []
        for one in values:
            add_kind(found, self._kind_of(one))
        return tuple(found)


def _is_key(kind: Plain) -> bool:
    if kind[0] == "tuple":
        return all(_is_key(one) for part in kind[1:] for one in part)
    return kind[0] in ("none", "bool", "int", "passed", "atom", "enum")


def content_base(kind: type) -> type | None:
    """The builtin class from which objects of ``kind`` have what is no field, as a list has."""
    for base in mro_of(kind):
        if not base.__flags__ & _IS_WRITTEN and base is not object:
            return base
    return None


def _inside(content: Any) -> Iterator[Any]:
    """The items of lists and the values of dicts, at any depth."""
    if type(content) in (list, deque, tuple, dict, OrderedDict, defaultdict):
        inner = content if type(content) in (list, deque, tuple) else content.values()
        for item in islice(inner, MAX_ITEMS):
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
