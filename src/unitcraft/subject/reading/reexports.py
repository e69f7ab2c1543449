"""The definition behind a name that a module imports: its module, and its name there.

Invariant: answers are what import statements of the source say; whether there is such a module is
for the caller to find out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator


def origins(
    tree: ast.Module, module: str, name: str, *, is_package: bool
) -> Iterator[tuple[str, str]]:
    """(module, name) from which ``module`` may have ``name``: by its name first, then by a star.

    ``tree`` is its source; ``is_package``: its file is an ``__init__``.
    """
    by_star: list[tuple[str, str]] = []
    for node in _module_level(tree.body):
        if isinstance(node, ast.ImportFrom):
            home = _absolute(node, module, is_package=is_package)
            for alias in node.names:
                if alias.name == "*":
                    by_star.append((home, name))
                elif name == (alias.asname or alias.name) and home:
                    yield home, alias.name
    yield from [(home, one) for home, one in by_star if home]


def _module_level(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, those of ``if``, ``try`` and ``with`` among them."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.Try | ast.With):
            for part in ("body", "orelse", "finalbody"):
                yield from _module_level(getattr(node, part, []))
            for handler in getattr(node, "handlers", []):
                yield from _module_level(handler.body)


def _absolute(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    """The dotted name of the module that is imported from; '' above the top package."""
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    kept = len(parts) - node.level + is_package
    if kept < 1:
        return ""
    return ".".join([*parts[:kept], *([node.module] if node.module else [])])
