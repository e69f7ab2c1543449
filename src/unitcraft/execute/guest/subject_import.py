"""The import of the Subject, after what its project does before: ``django:setup`` and the like.

What its functions import when they are called is loaded, too, where a run meets another system: in
the second process such an import would choose other code than on the user's machine, or find none.

Invariant: the functions run once in each process that imports the Subject, after the import hook
stands, as they may import the Subject themselves.  What cannot be imported late is left out, as the
call itself will meet its exception.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
from collections.abc import Iterator, Sequence
from importlib.util import resolve_name
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import Final

from unitcraft.core.errors import UnitcraftError

#: Exceptions of frameworks that were not set up, and the function that does it.
_MISSED: Final = {
    "django.core.exceptions.AppRegistryNotReady": "django:setup",
    "django.core.exceptions.ImproperlyConfigured": "django:setup",
}


def import_subject(functions: Sequence[str], name: str) -> ModuleType:
    """Call ``functions``, each a ``module:function``, then import the module ``name``.

    Raises UnitcraftError (``no-such-function``) and whatever functions and module raise.
    """
    for function in functions:
        _call(function)
    return importlib.import_module(name)


def _call(function: str) -> None:
    module, _, name = function.partition(":")
    try:
        found = attrgetter(name)(importlib.import_module(module))
    except (ModuleNotFoundError, AttributeError) as error:
        raise UnitcraftError(
            "no-such-function",
            f"there is no function {function} to call before the import",
            cause=f"{type(error).__name__}: {error}",
            advice="correct before-import in the settings, or --before-import",
        ) from error
    found()


def advice_on(error: BaseException) -> str:
    """The option that helps where a framework was not set up; '' for other exceptions."""
    kind = type(error)
    function = _MISSED.get(f"{kind.__module__}.{kind.__qualname__}")
    return f"a function sets the project up before: --before-import {function}" if function else ""


def load_late_imports(module: str) -> None:
    """Import what the functions of the loaded module ``module`` import."""
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    package = getattr(loaded, "__package__", None) or ""
    if not isinstance(file, str) or not file.endswith(".py"):
        return
    tree = ast.parse(Path(file).read_bytes())
    for name in dict.fromkeys(_imported_in_functions(tree)):
        with contextlib.suppress(Exception, SystemExit):
            importlib.import_module(resolve_name(name, package))


def _imported_in_functions(tree: ast.Module) -> Iterator[str]:
    """The names of the modules, those that are relative with their dots."""
    for function in ast.walk(tree):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Import):
                yield from [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                yield "." * node.level + (node.module or "")
