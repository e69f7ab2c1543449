"""How instances of a class are laid out, read without running code of the class or metaclass.

Invariant: only ``type`` and descriptors of the interpreter are asked, so that a class that
overrides ``__class__``, ``__mro__``, ``__dict__`` or ``__getattribute__`` is not believed.
"""

from __future__ import annotations

from struct import calcsize
from types import GetSetDescriptorType, MemberDescriptorType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    Getter = Callable[[Any], Any]

_TYPE: Final = type.__dict__
_MODULE: Final[Getter] = vars(type)["__module__"].__get__
_QUALNAME: Final[Getter] = vars(type)["__qualname__"].__get__
_POINTER: Final = calcsize("P")
#: The answer that no attribute is.
UNREADABLE: Final = object()


def mro_of(kind: type) -> tuple[type, ...]:
    """The method resolution order of ``kind``, the class itself first."""
    order: tuple[type, ...] = _TYPE["__mro__"].__get__(kind)
    return order


def own_dict(kind: type) -> dict[str, Any]:
    """The namespace of ``kind`` alone (a read-only view)."""
    namespace: dict[str, Any] = _TYPE["__dict__"].__get__(kind)
    return namespace


def class_id(kind: type) -> str:
    """``module:qualname`` of ``kind``, as the class itself records them."""
    module, name = _MODULE(kind), _QUALNAME(kind)
    return f"{module if type(module) is str else '?'}:{name}"


def slot_names(kind: type) -> tuple[str, ...]:
    """The slots that the class statement of ``kind`` itself added, as they are stored."""
    namespace = own_dict(kind)
    if "__slots__" not in namespace:
        return ()
    return tuple(name for name, value in namespace.items() if type(value) is MemberDescriptorType)


def slots_of(kind: type) -> tuple[tuple[str, Getter], ...]:
    """(name, getter) of every slot, inherited ones first, by name within a class.

    A getter raises AttributeError when its slot is empty.
    """
    return tuple(
        (name, own_dict(base)[name].__get__)
        for base in reversed(mro_of(kind))
        for name in sorted(slot_names(base))
    )


class Hidden(Exception):  # noqa: N818
    """Instances have a dictionary that their class does not show."""


def dictionary_of(kind: type) -> Getter | None:
    """How to get the instance dictionary; None when instances have none.

    Raises Hidden when the class statement that added it defines ``__dict__`` as something else.
    """
    for base in mro_of(kind):
        descriptor: Any = own_dict(base).get("__dict__")
        if type(descriptor) in (GetSetDescriptorType, MemberDescriptorType):
            getter: Getter = descriptor.__get__
            return getter
    if _TYPE["__dictoffset__"].__get__(kind):
        raise Hidden
    return None


def plain_attribute(value: object, name: str) -> Any:
    """What ``value.name`` is, where reading it runs no code; else UNREADABLE."""
    kind = type(value)
    order = [own_dict(base) for base in mro_of(kind)]
    if _first(order, "__getattribute__") is not object.__getattribute__:
        return UNREADABLE
    member = _first(order, name)
    if type(member) is MemberDescriptorType:
        try:
            return member.__get__(value)
        except AttributeError:
            return UNREADABLE
    if any("__set__" in own_dict(base) for base in mro_of(type(member))):
        return UNREADABLE
    try:
        getter = dictionary_of(kind)
    except Hidden:
        return UNREADABLE
    return UNREADABLE if getter is None else getter(value).get(name, UNREADABLE)


def _first(namespaces: list[dict[str, Any]], name: str) -> Any:
    return next((one[name] for one in namespaces if name in one), UNREADABLE)


def solid_base(kind: type) -> type | None:
    """The nearest base (or ``kind``) that keeps state in C fields; None when there is none.

    It is found by size: bytes beyond slots, dictionary and weak references are C fields.
    """
    while kind is not object:
        base = _layout_base(kind)
        if _size(kind) > _size(base) + _POINTER * _added_pointers(kind, base):
            return kind
        if _itemsize(kind) > _itemsize(base):
            return kind
        kind = base
    return None


def _layout_base(kind: type) -> type:
    base: type = _TYPE["__base__"].__get__(kind)
    return base


def _size(kind: type) -> int:
    size: int = _TYPE["__basicsize__"].__get__(kind)
    return size


def _itemsize(kind: type) -> int:
    size: int = _TYPE["__itemsize__"].__get__(kind)
    return size


def _added_pointers(kind: type, base: type) -> int:
    """How many pointers the class statement of ``kind`` added to the layout of ``base``."""
    added = len(slot_names(kind))
    added += _has_offset(kind, "__dictoffset__") and not _has_offset(base, "__dictoffset__")
    added += _has_offset(kind, "__weakrefoffset__") and not _has_offset(base, "__weakrefoffset__")
    return added


def _has_offset(kind: type, name: str) -> bool:
    offset: int = _TYPE[name].__get__(kind)
    return offset > 0
