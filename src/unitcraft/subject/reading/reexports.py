"""The definition behind a name that a module imports: its module, and its name there.

Invariant: answers are what import statements of the source say; whether there is such a module is
for the caller to find out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from unitcraft.subject.source_files import absolute_module, top_level_statements


def origins(
    tree: ast.Module, module: str, name: str, *, is_package: bool
) -> Iterator[tuple[str, str]]:
    """(module, name) from which ``module`` may have ``name``: by its name first, then by a star.

    ``tree`` is its source; ``is_package``: its file is an ``__init__``.
    """
    by_star: list[tuple[str, str]] = []
    for node in top_level_statements(tree.body):
        if isinstance(node, ast.ImportFrom):
            home = absolute_module(node, module, package=is_package)
            for alias in node.names:
                if alias.name == "*":
                    by_star.append((home, name))
                elif name == (alias.asname or alias.name) and home:
                    yield home, alias.name
    yield from [(home, one) for home, one in by_star if home]
