"""Prints the names of parameters that typeshed types alike: P(type | name), from its signatures.

    python benchmarks/typeshed_names.py TYPESHED

TYPESHED is a checkout, with ``stdlib`` and ``stubs``.  The answers are the tables ``TYPED_NAMES``,
``FIRST_WORDS`` and ``LAST_WORDS`` of ``unitcraft.explore.plausibility.parameter_names``.

Invariant: each module of the standard library, and each distribution of stubs, counts a name once
for each type, so that one large library does not outvote the others.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path

#: Sources (modules of the standard library, distributions) that have to use a name.
MIN_SOURCES = 4
#: Share of the signatures that have to agree.
MIN_SHARE = 0.6
#: Letters of a name: shorter ones name nothing.
MIN_LETTERS = 3
#: Letters of a word of a name.
MIN_WORD = 2
#: Uses of names with a word, and names that have it: one name alone says nothing of its words.
MIN_USES = 6
MIN_NAMES = 3

#: Name of an annotation -> the type that it counts for.
TYPES = {
    "str": "str", "StrPath": "str", "StrOrBytesPath": "str", "LiteralString": "str",
    "AnyStr": "str", "GenericPath": "str", "FileDescriptorOrPath": "str",
    "int": "int", "SupportsIndex": "int", "bool": "bool", "float": "float", "bytes": "bytes",
    "ReadableBuffer": "bytes", "Callable": "callable", "dict": "dict", "Mapping": "dict",
    "list": "list", "Sequence": "list", "Iterable": "list", "tuple": "tuple", "type": "type",
}  # fmt: skip


def type_of(node: ast.expr, types: Mapping[str, str] = TYPES) -> str:
    """The type that an annotation counts for ('' for None, 'other' for what is not listed)."""
    if isinstance(node, ast.BinOp):
        parts = [part for part in (type_of(node.left, types), type_of(node.right, types)) if part]
        return parts[0] if parts else ""
    if isinstance(node, ast.Constant):
        return ""
    if isinstance(node, ast.Subscript):
        node = node.value
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return types.get(name, "other")


def types_within(tree: ast.Module) -> dict[str, str]:
    """``TYPES``, and what a file calls by names of its own: aliases, bounds of type variables."""
    types = dict(TYPES)
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            kind = type_of(_meant_by(node.value), types)
            if isinstance(target, ast.Name) and kind not in ("", "other"):
                types.setdefault(target.id, kind)
    return types


def _meant_by(value: ast.expr) -> ast.expr:
    """What a type variable is bound to, and an alias stands for."""
    bounds = [one.value for one in getattr(value, "keywords", ()) if one.arg == "bound"]
    return bounds[0] if bounds else value


#: (source, name, type) for each name that a source gives to parameters of the type.
Uses = list[tuple[str, str, str]]


def uses_of(typeshed: Path) -> Uses:
    """What all signatures say, each source's once."""
    uses: dict[tuple[str, str, str], None] = {}
    for path in sorted(typeshed.rglob("*.pyi")):
        source = source_of(path.relative_to(typeshed))
        tree = ast.parse(path.read_text(encoding="utf-8"))
        types = types_within(tree)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for one in (*node.args.args, *node.args.kwonlyargs):
                    kind = type_of(one.annotation, types) if one.annotation is not None else ""
                    if kind and not one.arg.startswith("_"):
                        uses[source, one.arg, kind] = None
    return list(uses)


def source_of(path: Path) -> str:
    """The distribution of a stub below ``stubs``, the file of one of the standard library."""
    return "/".join(path.parts[:2]) if path.parts[0] == "stubs" else str(path)


def count_names(uses: Uses) -> dict[str, Counter[str]]:
    """Name -> how many sources use it with each type."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for _, name, kind in uses:
        found[name][kind] += 1
    return found


def count_words(uses: Uses, place: int) -> dict[str, Counter[str]]:
    """First (place 0) or last (-1) word of names of several -> how many sources use each type."""
    pairs: dict[tuple[str, str, str], None] = {}
    having: dict[str, set[str]] = defaultdict(set)
    for source, name, kind in uses:
        words = name.strip("_").split("_")
        if len(words) > 1:
            pairs[source, words[place], kind] = None
            having[words[place]].add(name)
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for _, word, kind in pairs:
        found[word][kind] += 1
    return {word: counts for word, counts in found.items() if len(having[word]) >= MIN_NAMES}


def print_agreed(counted: dict[str, Counter[str]], fewest: int, letters: int) -> None:
    """Print what is mostly of one type, by type."""
    table: dict[str, list[str]] = defaultdict(list)
    for name, counts in sorted(counted.items()):
        kind, most = counts.most_common(1)[0]
        total = sum(counts.values())
        enough = total >= fewest and most / total >= MIN_SHARE and len(name) >= letters
        if kind != "other" and enough:
            table[kind].append(name)
    for kind, names in sorted(table.items()):
        print(f"{kind}: {' '.join(names)}")


def main() -> None:
    """Print the names of each type, then the first and the last words of names."""
    uses = uses_of(Path(sys.argv[1]))
    print_agreed(count_names(uses), MIN_SOURCES, MIN_LETTERS)
    for place in (0, -1):
        print("-- words")
        print_agreed(count_words(uses, place), MIN_USES, MIN_WORD)


if __name__ == "__main__":
    main()
