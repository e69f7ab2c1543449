"""What the repository tests share: the sources of unitcraft as paths, names and trees."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from unitcraft.subject.scopes import parents_in

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "unitcraft"
LAYERS = (
    "core", "subject", "execute", "instrument", "symbolic", "solve",
    "state", "explore", "heaps", "suite", "infer", "emit", "app",
)  # fmt: skip


@cache
def modules() -> dict[str, Path]:
    """Dotted name -> file, for every module of the package."""
    found = {}
    for file in sorted(SOURCE.rglob("*.py")):
        parts = ("unitcraft", *file.relative_to(SOURCE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return found


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(), str(file))


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """Every node of the tree, which several tests go through."""
    whole = tree(file)
    return (whole, *parents_in(whole))


def imports(name: str, file: Path, known: frozenset[str]) -> list[str]:
    """Every module of ``known`` that ``file`` imports anywhere, guarded and late imports too."""
    found = []
    for node in nodes(file):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolved(node, name, file)
            found += [f"{base}.{alias.name}" for alias in node.names]
            found.append(base)
    return sorted({nearest(dotted, known) for dotted in found} - {"", name})


def resolved(node: ast.ImportFrom, name: str, file: Path) -> str:
    if not node.level:
        return node.module or ""
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    base = package[: len(package) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def nearest(dotted: str, known: frozenset[str]) -> str:
    """The longest prefix of ``dotted`` that is a module of ours, or ''."""
    while dotted and dotted not in known:
        dotted = dotted.rpartition(".")[0]
    return dotted


@cache
def graph() -> dict[str, list[str]]:
    known = frozenset(modules())
    return {name: imports(name, file, known) for name, file in modules().items()}


def cycles(uses: dict[str, set[str]]) -> list[str]:
    """The modules left when all that can be loaded first, and all that nobody needs, are gone."""
    left = dict(uses)
    changed = True
    while changed:
        needed = set().union(*left.values()) if left else set()
        gone = [name for name, deps in left.items() if not deps & left.keys() or name not in needed]
        changed = bool(gone)
        for name in gone:
            del left[name]
        left = {name: deps & left.keys() for name, deps in left.items()}
    return sorted(left)
