"""Prints what functions of the standard library accept, from the signatures of typeshed.

    python benchmarks/typeshed_calls.py .venv/lib/python3.11/site-packages/mypy/typeshed

The answer is the table of ``unitcraft.subject.description.library_calls``.

Invariant: a parameter is listed only where all overloads that have it accept one kind of values, or
one of ``PAIRS``.
"""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

#: Modules that code hands its parameters on to; others are longer to list than they are used.
MODULES = (
    "argparse", "asyncio.protocols", "base64", "binascii", "builtins", "cmd", "datetime", "fnmatch",
    "genericpath", "glob", "html", "html.parser", "importlib", "json", "logging", "math", "os",
    "posixpath", "random", "re", "shlex", "shutil", "statistics", "string", "struct", "textwrap",
    "time", "unicodedata", "urllib.parse", "xml.sax.handler",
)  # fmt: skip
#: Classes whose constructors and methods are listed, too: of values, and those that code inherits
#: from to define their methods anew.
CLASSES = {
    "re": ["Pattern"], "datetime": ["date", "time", "datetime", "timedelta", "tzinfo"],
    "builtins": ["str"], "random": ["Random"], "string": ["Template", "Formatter"], "cmd": ["Cmd"],
    "argparse": ["Action", "ArgumentParser", "HelpFormatter"],
    "asyncio.protocols": ["Protocol", "DatagramProtocol", "BufferedProtocol"],
    "html.parser": ["HTMLParser"], "xml.sax.handler": ["ContentHandler"],
    "logging": ["Handler", "Formatter", "Filter", "Filterer", "LoggerAdapter", "StreamHandler"],
}  # fmt: skip
#: Name of an annotation -> the kinds that it accepts.
KINDS = {
    "str": "str", "LiteralString": "str", "StrPath": "path", "StrOrBytesPath": "path",
    "FileDescriptorOrPath": "path", "PathLike": "path", "BytesPath": "path", "AnyStr": "str|bytes",
    "int": "int", "SupportsIndex": "int", "ConvertibleToInt": "int",
    "bytes": "bytes", "bytearray": "bytes",
    "float": "float", "SupportsFloat": "float", "_SupportsFloatOrIndex": "float",
    "_SupportsCeil": "float", "_SupportsFloor": "float", "_SupportsTrunc": "float",
    "ReadableBuffer": "bytes", "Buffer": "bytes", "dict": "dict", "Mapping": "dict",
    "LogRecord": "logging:LogRecord", "_datetime": "datetime:datetime",
    "Namespace": "argparse:Namespace", "ArgumentParser": "argparse:ArgumentParser",
    "Iterable": "iterable", "Sequence": "iterable", "list": "list", "tuple": "tuple",
    "SupportsLenAndGetItem": "iterable", "MutableSequence": "list",
}  # fmt: skip
#: Kinds that overloads accept side by side.
PAIRS = ({"str", "bytes"}, {"str", "tuple"})
#: What may stand beside a kind without changing it.
ASIDE = {"None", "Pattern", "Incomplete", "Unused"}


def kinds_of(node: ast.expr | None) -> set[str]:
    """The kinds that an annotation accepts; {''} for what is not listed."""
    if isinstance(node, ast.BinOp):
        return kinds_of(node.left) | kinds_of(node.right)
    if isinstance(node, ast.Constant):
        return set() if node.value is None else {""}
    if isinstance(node, ast.Subscript):
        node = node.value
    name = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    return set() if name in ASIDE else set(KINDS.get(name, "").split("|"))


def functions(tree: ast.Module, classes: list[str]) -> Iterator[tuple[str, ast.FunctionDef]]:
    """(qualified name, definition) of the functions, and of the methods of ``classes``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and node.name in classes:
            for inner in ast.walk(node):
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner
    inside = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.ClassDef)
              for inner in ast.walk(node)}  # fmt: skip
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and id(node) not in inside:
            yield node.name, node


def accepted(tree: ast.Module, classes: list[str]) -> dict[str, dict[int, str]]:
    """Qualified name -> place -> the kinds that all overloads accept there."""
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    for name, node in functions(tree, classes):
        static = any(getattr(one, "id", "") == "staticmethod" for one in node.decorator_list)
        named = [*node.args.posonlyargs, *node.args.args]["." in name and not static :]
        for place, one in enumerate(named):
            found[name][place] |= kinds_of(one.annotation) or {""}
    return {
        name: {at: _joined(kinds) for at, kinds in places.items()
               if "" not in kinds and (len(kinds) == 1 or kinds in PAIRS)}
        for name, places in found.items()
    }  # fmt: skip


def _joined(kinds: set[str]) -> str:
    return "|".join(sorted(kinds, key=lambda kind: ("str", "bytes", "tuple", kind).index(kind)))


def main() -> None:
    """Print, for each module, the functions and what each place accepts."""
    stubs = Path(sys.argv[1]) / "stdlib"
    for module in MODULES:
        path = stubs / Path(*module.split("."))
        file = path / "__init__.pyi" if path.is_dir() else path.with_suffix(".pyi")
        tree = ast.parse(file.read_text(encoding="utf-8"))
        words: dict[str, None] = {}
        for name, places in accepted(tree, CLASSES.get(module, [])).items():
            last = name.rpartition(".")[2]
            numbers = module == "os" and set(places.values()) == {"int"}  # files and processes
            if (
                places
                and not numbers
                and (not last.startswith("_") or last in ("__new__", "__init__"))
            ):
                kinds = ",".join(places.get(at, "") for at in range(max(places) + 1))
                words[f"{name.removesuffix('.' + last) if last[:2] == '__' else name}({kinds})"] = (
                    None
                )
        print(f"{module}: {' '.join(words)}")


if __name__ == "__main__":
    main()
