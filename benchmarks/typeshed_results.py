"""Prints what functions answer by their names: P(kind of result | word), from typeshed.

    python benchmarks/typeshed_results.py .venv/lib/python3.11/site-packages/mypy/typeshed

The answer is ``RESULTS_BY_NAME`` of ``unitcraft.explore.search.surroundings.answer_kinds``: kind of
the result -> names of functions of ``MODULES``, ``word_`` for those that begin with it and
``_word`` for those that end so.

Invariant: a word is listed only where it leads to one kind in most of the functions that have it.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from pathlib import Path

#: Modules whose functions tests replace: they reach for the system, the clock or the network.
MODULES = (
    "genericpath", "getpass", "locale", "os/__init__", "platform", "posixpath", "shutil", "socket",
    "subprocess", "tempfile", "time", "webbrowser",
)  # fmt: skip
#: Functions that have to have a word, and files they have to be of.
MIN_FUNCTIONS = 8
MIN_FILES = 3
#: Share of the functions that have to agree.
MIN_SHARE = 0.75
#: Name of an annotation -> kind of the result.
KINDS = {
    "str": "str", "AnyStr": "str", "bytes": "bytes", "int": "int", "bool": "bool", "float": "float",
    "list": "list", "dict": "dict", "tuple": "tuple",
}  # fmt: skip


def kind_of(node: ast.expr) -> str:
    """The kind that an annotation of a result says ('' if there are several, or others)."""
    if isinstance(node, ast.Constant) and node.value is None:
        return "NoneType"
    if isinstance(node, ast.Subscript):
        node = node.value
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return KINDS.get(name, "")


def functions(path: Path) -> list[tuple[str, str, bool]]:
    """(name, kind of the result, of no class?) of the functions of a file that are not special."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    inside = {id(node) for one in ast.walk(tree) if isinstance(one, ast.ClassDef)
              for node in ast.walk(one)}  # fmt: skip
    return [
        (node.name, kind_of(node.returns), id(node) not in inside)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.returns is not None and node.name[:2] != "__"
    ]


def main() -> None:
    """Print the names and words of each kind."""
    stubs = Path(sys.argv[1]) / "stdlib"
    uses: dict[str, dict[tuple[str, str], None]] = defaultdict(dict)
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for path in sorted(stubs.rglob("*.pyi")):
        module = str(path.relative_to(stubs).with_suffix(""))
        for name, kind, is_free in functions(path):
            words = name.strip("_").lower().split("_")
            for key in (f"{words[0]}_", f"_{words[-1]}"):
                uses[key][f"{path.stem} {name}", kind] = None
            if module in MODULES and is_free and not name.startswith("_"):
                names[name][kind] = None
    table: dict[str, list[str]] = defaultdict(list)
    for name, kinds in sorted(names.items()):
        if len(kinds) == 1 and "" not in kinds:
            table[next(iter(kinds))].append(name)
    for word, found in sorted(uses.items()):
        kind, most = Counter(kind for _, kind in found).most_common(1)[0]
        files = {place.split()[0] for place, one in found if one == kind}
        enough = len(found) >= MIN_FUNCTIONS and len(files) >= MIN_FILES
        if kind and enough and most / len(found) >= MIN_SHARE and word.strip("_"):
            table[kind].append(word)
    for kind, listed in sorted(table.items()):
        print(f"{kind}: {' '.join(listed)}")


if __name__ == "__main__":
    main()
