"""Looks at objects without running any of their code.

Invariant: nothing here calls a method, property, metaclass or ``__getattr__`` of the
object looked at; only slots of ``type``, ``object`` and ``types`` are used, so a lying
``__class__`` or a raising ``__getattr__`` changes no answer.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from types import BuiltinFunctionType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Final

EMPTY: Final[Mapping[str, Any]] = MappingProxyType({})

_CLASS_DICT = type.__dict__["__dict__"]
_CLASS_MRO = type.__dict__["__mro__"]
_CLASS_NAME = type.__dict__["__qualname__"]
_CLASS_FLAGS = type.__dict__["__flags__"]
_ABSTRACT_FLAG: Final = 1 << 20  # Py_TPFLAGS_IS_ABSTRACT


def is_class(value: object) -> bool:
    """Is ``value`` a class by its real type, not by its ``__class__`` attribute?"""
    return issubclass(type(value), type)


def is_instance(value: object, kind: type | tuple[type, ...]) -> bool:
    """Is its real type ``kind`` or a subclass?  ``kind`` must be a builtin class."""
    return issubclass(type(value), kind)


def own_dict(value: object) -> Mapping[str, Any]:
    """The namespace of a class, or the instance dictionary of another object ({} if none)."""
    if is_class(value):
        return _CLASS_DICT.__get__(value)  # type: ignore[no-any-return]
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001  (a ``__dict__`` descriptor of the Subject may raise)
        return EMPTY
    return found if type(found) is dict else EMPTY


def module_dict(module: object) -> dict[str, Any]:
    """The namespace of a module, or of the object that replaced it in ``sys.modules``."""
    if is_instance(module, ModuleType):
        try:
            return dict(ModuleType.__getattribute__(module, "__dict__"))
        except Exception:  # noqa: BLE001
            return {}
    return dict(own_dict(module))


def mro(cls: type) -> tuple[type, ...]:
    """The method resolution order."""
    return _CLASS_MRO.__get__(cls) or (cls,)


def qualname(cls: type) -> str:
    """The ``__qualname__`` in the type object's slot; a metaclass cannot override it."""
    return str(_CLASS_NAME.__get__(cls))


def module_name(value: object) -> str:
    """The ``__module__`` of a class or function ('' if it is not a string)."""
    if is_instance(value, (FunctionType, BuiltinFunctionType)):
        found = value.__module__
    else:
        found = own_dict(value).get("__module__", "")
        if is_class(value) and not is_instance(found, str):
            found = ""
        if is_class(value) and not found and qualname(value):  # type: ignore[arg-type]
            found = _builtin_module(value)
    return found if type(found) is str else ""


def _builtin_module(cls: object) -> str:
    """The module of a static (C) type, which has no ``__module__`` in its namespace."""
    try:
        found = type.__dict__["__module__"].__get__(cls)
    except Exception:  # noqa: BLE001
        return ""
    return found if type(found) is str else ""


def is_abstract(cls: type) -> bool:
    """Has the class unimplemented abstract methods?"""
    return bool(_CLASS_FLAGS.__get__(cls) & _ABSTRACT_FLAG)


def lookup(cls: type, name: str) -> tuple[Any, type] | None:
    """(raw attribute, class that defines it) by the method resolution order, or None."""
    for base in mro(cls):
        found = own_dict(base)
        if name in found:
            return found[name], base
    return None


def resolve(module: str, path: str) -> Any:
    """The object at dotted ``path`` of a loaded module, without running descriptors, or None."""
    here: Any = sys.modules.get(module)
    if here is None:
        return None
    names = module_dict(here)
    for part in path.split("."):
        if part not in names:
            return None
        here = names[part]
        names = (
            dict(own_dict(here))
            if is_class(here) or not is_instance(here, ModuleType)
            else (module_dict(here))
        )
    return here


def top_package(module: str) -> str:
    """The top-level package of a dotted module name."""
    return module.partition(".")[0]


def doc_of(value: object) -> str:
    """The docstring of a function, class or property, without running descriptors."""
    if is_instance(value, FunctionType):
        found = value.__doc__
    elif is_instance(value, property):
        found = property.__dict__["__doc__"].__get__(value)
    else:
        found = own_dict(value).get("__doc__")
    return found if type(found) is str else ""
