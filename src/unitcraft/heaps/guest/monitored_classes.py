"""Classes whose objects choose a value when a field is read that does not exist yet.

Invariant: reading a field that exists runs no code of ours.  Storing and deleting attributes works
as before and is noted, so that whoever ran the code can undo it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from unitcraft.state.heap.object_layout import dictionary_of, mro_of, own_dict, slots_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from unitcraft.heaps.guest.field_choices import FieldDomain

#: What tells objects apart, as ``id`` does, which the guard of the process would be told of.
identity: Final = object.__hash__
#: (object, attribute) of each attribute that was stored or deleted.
STORES: Final[list[tuple[Any, str]]] = []

#: The fields of one object: name -> (what holds it, its domain), in their order.
ObjectFields = dict[str, tuple[Any, "FieldDomain"]]


class SlotHolder:
    """The slots of an object, as a dictionary would hold them."""

    __slots__ = ("_owner",)

    def __init__(self, owner: Any) -> None:
        self._owner = owner

    def get(self, name: str, default: Any) -> Any:
        """The content of a slot, ``default`` if it is empty."""
        try:
            return object.__getattribute__(self._owner, name)
        except AttributeError:
            return default

    def __setitem__(self, name: str, value: Any) -> None:
        object.__setattr__(self._owner, name, value)

    def __delitem__(self, name: str) -> None:
        object.__delattr__(self._owner, name)


def fields_of_object(value: Any, domains: Mapping[str, FieldDomain]) -> ObjectFields:
    """Where ``value`` holds each of the fields of ``domains``: its dictionary or its slots."""
    kind = type(value)
    dictionary = dictionary_of(kind)
    slots = {name for name, _ in slots_of(kind)}
    plain = None if dictionary is None else dictionary(value)
    return {
        name: (SlotHolder(value) if name in slots or plain is None else plain, domain)
        for name, domain in domains.items()
    }


def watch_class(
    kind: type,
    names: Iterable[str],
    objects: Mapping[int, ObjectFields],
    choose: Callable[[Any, str, FieldDomain], Any],
) -> None:
    """Have those of ``objects`` (by identity) that are of ``kind`` choose fields that are missing.

    A default of a field in ``names`` that stands in a class would hide that it is missing, so it is
    taken out of the class.
    """
    for base in mro_of(kind):
        for name in names:
            if name in own_dict(base) and not hasattr(type(own_dict(base)[name]), "__get__"):
                type.__delattr__(base, name)
    original: Any = getattr(kind, "__getattr__", None)

    def __getattr__(self: Any, name: str) -> Any:  # noqa: N807
        fields = objects.get(identity(self))
        if fields is not None and name in fields:
            return choose(fields[name][0], name, fields[name][1])
        if original is not None:
            return original(self, name)
        message = f"{type(self).__name__!r} object has no attribute {name!r}"
        raise AttributeError(message, name=name, obj=self)

    type.__setattr__(kind, "__getattr__", __getattr__)
    _note_stores(kind)


def _note_stores(kind: type) -> None:
    store: Any = kind.__setattr__
    delete: Any = kind.__delattr__

    def __setattr__(self: Any, name: str, value: Any) -> None:  # noqa: N807
        STORES.append((self, name))
        store(self, name, value)

    def __delattr__(self: Any, name: str) -> None:  # noqa: N807
        STORES.append((self, name))
        delete(self, name)

    type.__setattr__(kind, "__setattr__", __setattr__)
    type.__setattr__(kind, "__delattr__", __delattr__)
