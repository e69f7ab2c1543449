"""Optional modules that are not installed: what the project does without them, and stand-ins.

A ``try`` around an import says that its module is optional.  Where it cannot be found, the names
that the statement binds tell later code so.  In the second of two processes that are compared the
module is there: a stand-in of which every attribute is a class.

Invariant: what can be imported is never replaced, nor what the code itself replaces by another
module of the same name (``except ImportError: import json``), nor what others than the project ask
for.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final

#: Exceptions by whose names a handler catches a failed import.
_CAUGHT: Final = frozenset(("ImportError", "ModuleNotFoundError", "Exception", "BaseException"))
#: Types of the values that stand for a missing module.
_PLAIN: Final = (type(None), bool, int, str)
#: The version of every stand-in.
VERSION: Final = "99.0"


class _AnyClass(type):
    """A class of which every attribute is another such class."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _any_class(name)


def _any_class(name: str) -> type:
    return _AnyClass(name, (), {"__init__": _take_all})


def _take_all(_self: Any, *_args: Any, **_options: Any) -> None:
    return None


class StandIn(ModuleType):
    """A module that is not installed."""

    __version__ = VERSION

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _any_class(name)


class OptionalModules(Loader, MetaPathFinder):
    """The last finder of a process: it is asked for what no other has found (mutable).

    ``project`` is the package whose imports count, ``lends``: what is optional is found, as a
    StandIn.  ``asked``: was an optional module asked for?
    """

    def __init__(self, project: str, *, lends: bool) -> None:
        self._project = project
        self._lends = lends
        self._bound: dict[str, dict[str, None]] = {}
        self.asked = False

    def find_spec(
        self,
        name: str,
        path: object = None,  # noqa: ARG002 - the interface of finders
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        """The spec of a StandIn, or None."""
        top, inner, _ = name.partition(".")
        if inner:
            lent = isinstance(sys.modules.get(top), StandIn)
            return ModuleSpec(name, self, is_package=True) if lent else None
        asker = _asker()
        module = str(asker.f_globals.get("__name__")) if asker is not None else ""
        if asker is None or module.partition(".")[0] != self._project:
            return None
        bound = _names_bound_with(asker)
        if bound is None:
            return None
        self.asked = True
        self._bound.setdefault(module, {}).update(dict.fromkeys(bound))
        return ModuleSpec(name, self, is_package=True) if self._lends else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A StandIn."""
        return StandIn(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Nothing: a StandIn has no code."""

    def told_by(self, module: str) -> dict[str, Any]:
        """Name -> the plain value by which code of ``module`` knows that something is missing.

        The module binds it itself, or imports it by that name from one that does.
        """
        found: dict[str, Any] = {}
        here = vars(sys.modules[module]) if module in sys.modules else {}
        for home, names in self._bound.items():
            there = vars(sys.modules[home]) if home in sys.modules else {}
            for name in names:
                value = there.get(name, sys)
                if type(value) in _PLAIN and name in here and here[name] is value:
                    found[name] = value
        return dict(sorted(found.items()))


def _asker() -> FrameType | None:
    """The frame whose code imports: the innermost one beyond the import system and our own code."""
    frame: FrameType | None = sys._getframe(2)  # noqa: SLF001 - the documented way
    while frame is not None:
        name = str(frame.f_globals.get("__name__"))
        is_system = frame.f_code.co_filename.startswith("<frozen importlib")
        if not is_system and name.partition(".")[0] not in ("importlib", "unitcraft"):
            return frame
        frame = frame.f_back
    return None


def _names_bound_with(asker: FrameType) -> list[str] | None:
    """The names that the ``try`` around the import of ``asker`` binds; None: it is not optional."""
    file = asker.f_code.co_filename
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return None
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Try) and _holds(node, asker.f_lineno) and _catches(node)
    ]
    if not around or any(_replaces(node) for node in around):
        return None
    return list(dict.fromkeys(name for node in around for name in _bound_names(node)))


def _holds(node: ast.Try, line: int) -> bool:
    """Is ``line`` in what ``node`` tries, or in what it then does?"""
    last = (node.handlers[0].lineno if node.handlers else node.body[-1].lineno) - 1
    return node.lineno <= line <= max(last, node.body[-1].end_lineno or 0)


def _catches(node: ast.Try) -> bool:
    caught = [part for handler in node.handlers for part in _names_in(handler.type)]
    return bool(_CAUGHT.intersection(caught)) or any(one.type is None for one in node.handlers)


def _names_in(node: ast.expr | None) -> Iterator[str]:
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, ast.Name):
            yield part.id


def _replaces(node: ast.Try) -> bool:
    """Does a handler import by the same name what is not optional itself?"""
    tried = {name for one in node.body for name in _imported_by(one)}
    handled = [one for handler in node.handlers for one in handler.body]
    return any(name in tried for one in handled for name in _imported_by(one))


def _imported_by(node: ast.stmt) -> Iterator[str]:
    """The names that the statement binds, if it is an import."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]


def _bound_names(node: ast.Try) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, (ast.Import, ast.ImportFrom)):
            yield from _imported_by(part)
