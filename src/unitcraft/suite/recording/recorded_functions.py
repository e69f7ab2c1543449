"""The functions of the subject modules, also behind decorators, and their ids.

Invariant: a function is a Site once; its id is ``module:qualname`` of where it is defined, so a
method that a subclass inherits is one Invocable.  Nothing of the Subject runs here.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import CellType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from unitcraft.state.heap.builtin_containers import cell_contents
from unitcraft.state.heap.object_layout import mro_of, own_dict

#: Special methods that the interpreter calls at times that do not depend on the test.
_UNASKED: Final = frozenset({"__del__", "__getattribute__", "__init_subclass__", "__set_name__"})

#: Attributes in which wrappers keep the wrapped function.
_INSIDE: Final = (
    *("__wrapped__", "__func__", "fget", "fset", "fdel", "func", "function", "_func", "dispatcher"),
)


@dataclass(frozen=True, slots=True, eq=False)
class RecordedFunction:
    """A function whose executions are recorded.

    ``has_receiver``: the first argument is the receiver.  ``creates``: the receiver is being
    made.  ``cells`` are the variables of enclosing functions that it uses: they are part of its
    input.
    """

    id: str
    has_receiver: bool = False
    creates: bool = False
    cells: tuple[CellType, ...] = ()

    def contents(self) -> list[Any]:
        """The present contents of the cells; an empty cell adds nothing."""
        return [content for cell in self.cells for content in cell_contents(cell)]


#: Methods whose receiver is not complete when they begin.
_MAKERS: Final = frozenset({"__init__", "__setstate__"})


class Subjects:
    """The modules whose functions are recorded: those named, and the ones below them.

    Abstract state: the names, and for each class met whether it belongs to them.
    """

    def __init__(self, names: tuple[str, ...]) -> None:
        self.names = names
        self._below = tuple(f"{name}." for name in names)
        self._belongs: dict[type, bool] = {}
        self._tests: set[str] = set()

    def exclude(self, names: Iterable[str]) -> None:
        """Do not count these modules as subjects: they contain tests."""
        self._tests.update(names)
        self._belongs.clear()

    def has_module(self, name: object) -> bool:
        """Is ``name`` the name of a subject module?"""
        if type(name) is not str or name in self._tests:
            return False
        return name in self.names or name.startswith(self._below)

    def loaded(self) -> list[ModuleType]:
        """The modules that have been imported, by name."""
        modules = list(sys.modules.items())
        return [
            module
            for name, module in sorted(modules)
            if type(module) is ModuleType and self.has_module(name)
        ]

    def has_instance(self, value: object) -> bool:
        """Is ``value`` an instance of a class of the subjects, or of a subclass of one?"""
        kind = type(value)
        known = self._belongs.get(kind)
        if known is None:
            known = self._belongs[kind] = kind is not type and any(
                self.has_module(own_dict(base).get("__module__")) for base in mro_of(kind)
            )
        return known


def functions_of(module: ModuleType) -> Iterator[tuple[FunctionType, RecordedFunction]]:
    """Every function that the module defines, with its Site, in the order of its namespace."""
    seen: set[int] = set()
    ids: dict[str, int] = {}
    for function, is_method in _in_namespace(dict(vars(module)), module, seen, is_class=False):
        if function.__name__ in _UNASKED:
            continue
        name = f"{module.__name__}:{function.__qualname__}"
        ids[name] = count = ids.get(name, 0) + 1
        number = "" if count == 1 else f"#{count}"
        yield function, _site(name + number, function, is_method=is_method)


def _site(name: str, function: FunctionType, *, is_method: bool) -> RecordedFunction:
    code = function.__code__
    cells = zip(code.co_freevars, function.__closure__ or (), strict=True)
    return RecordedFunction(
        name,
        is_method and code.co_argcount > 0,
        function.__name__ in _MAKERS,
        tuple(cell for name, cell in cells if name != "__class__"),
    )


def functions_in(
    value: object, subjects: Subjects
) -> Iterator[tuple[FunctionType, RecordedFunction]]:
    """The functions of subject modules that ``value`` is or wraps: closures made by a call."""
    if type(value) is FunctionType or type(value) in _HOLDERS:
        for function in _inside(value, set()):
            if subjects.has_module(function.__module__) and "<locals>" in function.__qualname__:
                name = f"{function.__module__}:{function.__qualname__}"
                yield function, _site(name, function, is_method=False)


def _in_namespace(
    namespace: dict[str, Any], module: ModuleType, seen: set[int], *, is_class: bool
) -> Iterator[tuple[FunctionType, bool]]:
    """The functions of a module or class: (function, does it take a receiver?)."""
    for name, value in namespace.items():
        if isinstance(value, type):
            if id(value) not in seen and own_dict(value).get("__module__") == module.__name__:
                seen.add(id(value))
                yield from _in_namespace(dict(own_dict(value)), module, seen, is_class=True)
            continue
        is_static = type(value) in (staticmethod, classmethod)
        is_method = is_class and not is_static and name not in ("__new__", "__class_getitem__")
        for function in _inside(value, seen):
            is_generated = function is value and function.__code__.co_filename.startswith("<")
            if function.__module__ == module.__name__ or (is_class and is_generated):
                yield function, is_method


def _inside(value: Any, seen: set[int]) -> Iterator[FunctionType]:
    """The functions that ``value`` is, wraps, or holds in its closure."""
    todo = [value]
    while todo:
        one = todo.pop(0)
        if id(one) in seen or isinstance(one, type | ModuleType):
            continue
        if type(one) is FunctionType:
            seen.add(id(one))
            yield one
            todo += [cell for cell in one.__closure__ or () if type(cell) is CellType]
            todo += [one.__dict__[name] for name in _INSIDE if name in one.__dict__]
        elif type(one) is CellType:
            todo += cell_contents(one)
        elif type(one) in _HOLDERS or type(one).__module__ == "functools":
            seen.add(id(one))
            todo += [held for name in _INSIDE if (held := _held(one, name)) is not None]


#: Classes of wrappers that may stand in a namespace in place of a function.
_HOLDERS: Final = frozenset(
    {staticmethod, classmethod, property, MethodType, functools.partial, functools.cached_property}
)


def _held(holder: Any, name: str) -> Any:
    try:
        return object.__getattribute__(holder, name)
    except AttributeError:
        return None
