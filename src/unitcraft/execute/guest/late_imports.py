"""Loads what the functions of a module import when they are called.

On another system, which the second process reports to calls, such an import would choose other code
than on the user's machine, or find none.

Invariant: what cannot be imported is left out, as the call itself will meet its exception.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import sys
from collections.abc import Iterator
from importlib.util import resolve_name
from pathlib import Path


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
