"""Source files as syntax trees, and the definitions that code objects were compiled from.

Invariant: a file is read and parsed once; a function is found by ``co_firstlineno`` (the line
of its first decorator), so that wrappers do not matter.
"""

from __future__ import annotations

import ast
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Literal

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

#: The kind of statement that binds a top-level name.
Origin = Literal["def", "class", "assign", "import"]


@dataclass(frozen=True, slots=True)
class FunctionSource:
    """A function as flow sees it: its id, parameters (without the receiver), owner and tree."""

    id: str
    parameters: tuple[str, ...]
    node: ast.FunctionDef | ast.AsyncFunctionDef
    owner: str = ""


@dataclass(slots=True)
class SourceFiles:
    """Parsed files by name (mutable: a cache).  An unreadable file has an empty tree."""

    trees: dict[str, ast.Module] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    _functions: dict[str, dict[int, FunctionNode]] = field(default_factory=dict)
    _trivial: dict[str, frozenset[int]] = field(default_factory=dict)
    _classes: dict[str, dict[str, ast.ClassDef]] = field(default_factory=dict)

    def text(self, file: str) -> str:
        """The decoded source ('' if it cannot be read)."""
        if file not in self.texts:
            self.texts[file] = read_source(file)
        return self.texts[file]

    def tree(self, file: str) -> ast.Module:
        """The syntax tree of ``file``."""
        if file not in self.trees:
            self.trees[file] = parse(self.text(file))
        return self.trees[file]

    def function(self, code: CodeType) -> FunctionNode | None:
        """The definition that ``code`` was compiled from, or None."""
        return self.function_at(code.co_filename, code.co_firstlineno)

    def function_at(self, file: str, line: int) -> FunctionNode | None:
        """The definition that begins on ``line`` of ``file``, decorators included, or None."""
        if file not in self._functions:
            self._functions[file] = dict(_functions_by_line(self.tree(file)))
        return self._functions[file].get(line)

    def is_trivial(self, code: CodeType) -> bool:
        """Has the function that ``code`` was compiled from no behaviour of its own?"""
        file, node = code.co_filename, self.function(code)
        if file not in self._trivial:
            self._trivial[file] = trivial_functions(self.tree(file))
        return node is not None and node.lineno in self._trivial[file]

    def class_named(self, file: str, path: str) -> ast.ClassDef | None:
        """The definition of the class with ``__qualname__`` ``path`` in ``file``, or None."""
        if file not in self._classes:
            self._classes[file] = dict(_classes(self.tree(file).body, ""))
        return self._classes[file].get(path)


def only_refuses(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is NotImplementedError all that the body raises, for heirs to write it?"""
    match function.body[ast.get_docstring(function) is not None :]:
        case [ast.Raise(ast.Name(name) | ast.Call(ast.Name(name)))]:
            return name == "NotImplementedError"
    return False


def trivial_functions(tree: ast.Module) -> frozenset[int]:
    """The lines of functions without behaviour of their own.

    NotImplementedError is all that they do, if anything, or they have a private name and return a
    constant or a part of what they are given.  Of a class that has nothing else they are what there
    is to test.
    """
    found: set[int] = set()
    for node in (tree, *all_statements(tree)):
        if isinstance(node, ast.Module | ast.ClassDef):
            own = [one for one in node.body if isinstance(one, ast.FunctionDef)]
            hollow = [one for one in own if does_nothing(one) or only_refuses(one)]
            trivial = [one.lineno for one in own if one in hollow or _only_hands_on(one)]
            made = sum(one.name in ("__init__", "__new__") for one in own)
            is_all = len(trivial) + made == len(own) and not getattr(node, "bases", [])
            found.update(() if is_all else trivial)
    return frozenset(found)


def does_nothing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Is there nothing but a docstring, ``pass`` or an ellipsis?"""
    told = [one.value for one in function.body if isinstance(one, ast.Expr)]
    passed = sum(isinstance(one, ast.Pass) for one in function.body)
    is_bare = all(isinstance(value, ast.Constant) for value in told)
    return is_bare and len(told) + passed == len(function.body)


def _only_hands_on(function: ast.FunctionDef) -> bool:
    """Is it private, and does it only return a constant, or a part of what it is given?"""
    is_private = function.name.startswith("_") and not function.name.endswith("__")
    match function.body[ast.get_docstring(function) is not None :]:
        case [ast.Return(ast.expr() as value)]:
            return is_private and _is_handed_on(value)
    return False


def _is_handed_on(value: ast.expr) -> bool:
    match value:
        case ast.Constant() | ast.Name():
            return True
        case ast.Attribute(inner) | ast.Call(ast.Attribute(inner), [], []):
            return _is_handed_on(inner)
        case ast.Subscript(inner, item) | ast.BinOp(inner, ast.Add(), item):
            return _is_handed_on(inner) and _is_handed_on(item)
        case ast.Call(ast.Name("getattr"), arguments, []):
            return all(map(_is_handed_on, arguments))
        case ast.Tuple(items) | ast.List(items):
            return all(map(_is_handed_on, items))
    return False


def first_line(node: ast.stmt) -> int:
    """The line where a statement begins, decorators included."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *[one.lineno for one in decorators]])


def span_of(file: str, attribute: str) -> tuple[int, int]:
    """The first and last line of a class or function; of the file where it is not found."""
    text = read_source(file)
    node: ast.AST = parse(text)
    for part in attribute.split("."):
        kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        inner = (one for one in ast.walk(node) if isinstance(one, kinds) and one is not node)
        node = next((one for one in inner if one.name == part), node)
    if not isinstance(node, ast.stmt):
        return 1, text.count("\n") + 1
    return first_line(node), node.end_lineno or node.lineno


def read_source(file: str) -> str:
    """The text of a Python file, decoded as its header declares ('' if it cannot be read)."""
    try:
        with tokenize.open(file) as stream:
            return stream.read()
    except (OSError, SyntaxError, UnicodeError, ValueError):
        return ""


def parse(text: str) -> ast.Module:
    """The syntax tree of ``text``; an empty module if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


def all_statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Every statement, also inside of functions and classes.

    No expression is looked at: most nodes are parts of one, and none holds a statement.
    """
    waiting = [*tree.body]
    while waiting:
        node = waiting.pop()
        yield node
        for part in ("body", "orelse", "finalbody"):
            waiting += getattr(node, part, ())
        for part in ("handlers", "cases"):
            for inner in getattr(node, part, ()):
                waiting += inner.body


def _functions_by_line(tree: ast.Module) -> Iterator[tuple[int, FunctionNode]]:
    for node in all_statements(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield min([node.lineno, *[mark.lineno for mark in node.decorator_list]]), node


def _classes(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.ClassDef]]:
    for node in top_level_statements(body):
        if isinstance(node, ast.ClassDef):
            yield prefix + node.name, node
            yield from _classes(node.body, f"{prefix}{node.name}.")


def definitions(tree: ast.Module) -> dict[str, Origin]:
    """Names bound at module level (also under ``if``, ``try``, ``with``), in source order."""
    found: dict[str, Origin] = {}
    for node in top_level_statements(tree.body):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found[name] = "def"
            case ast.ClassDef(name=name):
                found[name] = "class"
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found.update({_bound_name(alias): "import" for alias in names})
            case ast.Assign(targets=targets):
                found.update(dict.fromkeys(_target_names(targets), "assign"))
            case ast.AnnAssign(target=ast.Name(id=name)):
                found[name] = "assign"
    return found


def _bound_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _target_names(targets: list[ast.expr]) -> Iterator[str]:
    for target in targets:
        for node in ast.walk(target):
            if isinstance(node, ast.Name):
                yield node.id


def top_level_statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements outside of functions and classes, those inside of others among them."""
    for node in body:
        yield node
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield from top_level_statements(getattr(node, part, []))
        for handler in getattr(node, "handlers", []):
            yield from top_level_statements(handler.body)


def guarded_imports(tree: ast.Module, module: str, *, package: bool) -> dict[str, tuple[str, str]]:
    """Names bound by ``from m import n`` anywhere at module level -> (absolute m, n)."""
    found: dict[str, tuple[str, str]] = {}
    for node in top_level_statements(tree.body):
        if isinstance(node, ast.ImportFrom):
            base = absolute_module(node, module, package=package)
            for alias in node.names:
                found[_bound_name(alias)] = (base, alias.name)
    return found


def absolute_module(node: ast.ImportFrom, module: str, *, package: bool) -> str:
    """The dotted name of the module that is imported from; '' above the top package.

    ``module`` has the statement; ``package``: its file is an ``__init__``.
    """
    if not node.level:
        return node.module or ""
    parts = module.split(".")
    count = len(parts) - node.level + package
    kept = parts[:count] if count > 0 else []
    return ".".join([*kept, *([node.module] if node.module else [])]) if kept else ""
