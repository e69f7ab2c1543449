"""Parsers of command lines with their sub-commands, read off the calls that build them.

A parser is followed through the names that it is assigned to, in the order of the source, through
its groups, and into functions of the module that it is handed to.

Invariant: an option whose parser is not known belongs to the root; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from unitcraft.subject.reading.declared_options import DeclaredOption, option_of
from unitcraft.subject.reading.replaceable_calls import tree_of

#: Calls of functions of the module that are followed into each other: with 2 all parsers of 141
#: files of installed projects are the same.
MAX_NESTED: Final = 4
#: Methods that declare something on what they are called on.
_DECLARING: Final = (
    "add_argument", "add_subparsers", "add_parser", "add_argument_group",
    "add_mutually_exclusive_group",
)  # fmt: skip


@dataclass(slots=True)
class DeclaredParser:
    """One parser: the root, or that of the sub-command ``name`` (mutable while it is read)."""

    name: str = ""
    options: list[DeclaredOption] = field(default_factory=list)
    commands: list[DeclaredParser] = field(default_factory=list)

    def add(self, option: DeclaredOption) -> None:
        """Declare an option, unless it is declared already."""
        if all(option.words != one.words for one in self.options):
            self.options.append(option)

    def take(self, other: DeclaredParser) -> None:
        """Declare what ``other`` declares, as for ``parents=[other]``."""
        for option in other.options:
            self.add(option)
        self.commands += other.commands


@dataclass(frozen=True, slots=True)
class _Group:
    """A group of which a line has one option at most; ``required``: and one at least."""

    parser: DeclaredParser
    number: int
    required: bool


@dataclass(frozen=True, slots=True)
class _Commands:
    """What ``add_subparsers`` gives back."""

    parser: DeclaredParser


_Owner = DeclaredParser | _Group | _Commands


def declared_parser(source: str) -> DeclaredParser:
    """The parser that ``source`` builds; one without options where it builds none."""
    tree = tree_of(source)
    reader = _Reader(tree)
    try:
        reader.read(tree)
    except RecursionError:
        return DeclaredParser()
    return reader.whole()


class _Reader(ast.NodeVisitor):
    """Follows the parsers of one module (mutable).

    A visit of an expression gives what it stands for: an ``_Owner`` of options, a text, or None.
    """

    def __init__(self, tree: ast.Module) -> None:
        functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
        self._functions = {node.name: node for node in functions}
        self._numbers = dict(_made_numbers(tree))
        self._texts = dict(_text_constants(tree))
        self._unknown = DeclaredParser()
        self._parsers = [self._unknown]
        self._parents: list[DeclaredParser] = []
        self._groups = 0
        self._names: dict[str, Any] = dict(self._texts)
        self._attributes: dict[str, Any] = {}
        self._waiting: list[tuple[ast.FunctionDef, dict[str, Any]]] = []
        self._entered: list[str] = []
        self._seen: dict[str, None] = {}
        self._returned: Any = None

    def read(self, tree: ast.Module) -> None:
        """Visit the module, then its functions; last those that no call hands a parser."""
        self.visit(tree)
        helpers = []
        for function, names in self._waiting:  # functions within functions are added
            if _declares_on_parameter(function):
                helpers.append((function, names))
            else:
                self._enter(function, names)
        for function, names in helpers:
            if function.name not in self._seen:
                self._enter(function, names)

    def whole(self) -> DeclaredParser:
        """All parsers that are no other's parent, as one: which of them is run is not known."""
        root = DeclaredParser()
        for parser in self._parsers:
            if all(parser is not one for one in self._parents):
                root.take(parser)
        return root

    # -- statements ---------------------------------------------------------------

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Put the body off: it runs when it is called."""
        self._waiting.append((node, self._names))

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.visit(node.value)
        for target in node.targets:
            self._bind(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._bind(node.target, self.visit(node.value) if node.value else None)

    def visit_For(self, node: ast.For) -> None:
        """Go through a list of texts that the loop itself has; once through the body otherwise."""
        for item in getattr(node.iter, "elts", None) or [node.iter]:
            if isinstance(node.target, ast.Tuple) and isinstance(item, ast.Tuple):
                for target, part in zip(node.target.elts, item.elts, strict=False):
                    self._bind(target, self.visit(part))
            else:
                self._bind(node.target, self.visit(item))
            for statement in node.body:
                self.visit(statement)

    def visit_Return(self, node: ast.Return) -> None:
        self._returned = self.visit(node.value) if node.value else None

    def _bind(self, target: ast.expr, value: Any) -> None:
        match target:
            case ast.Name(name):
                self._names[name] = value
            case ast.Attribute():
                self._attributes[ast.unparse(target)] = value

    # -- expressions --------------------------------------------------------------

    def visit_Name(self, node: ast.Name) -> Any:
        return self._names.get(node.id)

    def visit_Constant(self, node: ast.Constant) -> str | None:
        return node.value if isinstance(node.value, str) else None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.visit(node.value)
        return self._attributes.get(ast.unparse(node))

    def visit_Call(self, node: ast.Call) -> Any:
        owner = self.visit(node.func.value) if isinstance(node.func, ast.Attribute) else None
        args = [self.visit(one) for one in node.args]
        keywords = {word.arg: self.visit(word.value) for word in node.keywords if word.arg}
        match node.func:
            case ast.Name(name) | ast.Attribute(attr=name):
                return self._called(name, owner, node, args, keywords)
        return None

    def _called(
        self, name: str, owner: Any, node: ast.Call, args: list[Any], keywords: dict[str, Any]
    ) -> Any:
        """What a call stands for, after it has declared what it declares."""
        if not isinstance(owner, _Owner):
            owner = self._unknown
        parser = owner if isinstance(owner, DeclaredParser) else owner.parser
        match name:
            case "add_argument":
                self._declare(owner, parser, node)
            case "ArgumentParser":
                parser = self._made(DeclaredParser(), node)
                self._parsers.append(parser)
                return parser
            case "add_subparsers":
                return _Commands(parser)
            case "add_parser":
                return self._command(parser, (*args, keywords.get("name"))[0], node)
            case "add_argument_group":
                return owner
            case "add_mutually_exclusive_group":
                self._groups += 1
                return _Group(parser, self._groups, _is_true(node, "required"))
            case _ if name in self._functions:
                return self._follow(self._functions[name], args, keywords)
        return None

    def _declare(self, owner: _Owner, parser: DeclaredParser, node: ast.Call) -> None:
        option = option_of(node, self._numbers, self._texts)
        if option is not None and isinstance(owner, _Group):
            option = replace(option, group=owner.number, required=owner.required)
        if option is not None:
            parser.add(option)

    def _command(self, parser: DeclaredParser, name: Any, node: ast.Call) -> DeclaredParser:
        """The parser of a sub-command, which is left out if its name is not known."""
        if not isinstance(name, str):
            return DeclaredParser()
        known = [one for one in parser.commands if one.name == name]
        if not known:
            known = [self._made(DeclaredParser(name), node)]
            parser.commands += known
        return known[0]

    def _made(self, parser: DeclaredParser, node: ast.Call) -> DeclaredParser:
        """``parser`` with the options of the ``parents`` that its call names."""
        for word in node.keywords:
            if word.arg == "parents" and isinstance(word.value, ast.List | ast.Tuple):
                for parent in map(self.visit, word.value.elts):
                    if isinstance(parent, DeclaredParser):
                        parser.take(parent)
                        self._parents.append(parent)
        return parser

    # -- functions ----------------------------------------------------------------

    def _follow(self, function: ast.FunctionDef, args: list[Any], keywords: dict[str, Any]) -> Any:
        """What a function of the module gives back that a parser is handed to."""
        if not any(isinstance(one, _Owner) for one in (*args, *keywords.values())):
            return None
        if function.name in self._entered or len(self._entered) >= MAX_NESTED:
            return None
        names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
        if names[:1] == ["self"]:
            names.pop(0)
        given = dict(zip(names, args, strict=False))
        return self._enter(function, {**self._names, **given, **keywords})

    def _enter(self, function: ast.FunctionDef, names: Mapping[str, Any]) -> Any:
        """Visit the body of a function; what it gives back."""
        outer = self._names, self._returned
        self._names, self._returned = dict(names), None
        self._entered.append(function.name)
        self._seen[function.name] = None
        for statement in function.body:
            self.visit(statement)
        self._entered.pop()
        given = self._returned
        self._names, self._returned = outer
        return given


def _declares_on_parameter(function: ast.FunctionDef) -> bool:
    """Does a function declare options on a parser that it is handed?"""
    arguments = function.args
    names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    for node in ast.walk(function):
        match node:
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in _DECLARING:
                if name in names:
                    return True
    return False


def _is_true(node: ast.Call, name: str) -> bool:
    given = [word.value for word in node.keywords if word.arg == name]
    return any(isinstance(one, ast.Constant) and one.value is True for one in given)


def _text_constants(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(name, text) of the constants of the module, also of ``Path("todo.json")``."""
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name(name)], ast.Constant(str(value))):
                yield name, value
            case ast.Assign([ast.Name(name)], ast.Call(args=[*_, ast.Constant(str(value))])):
                yield name, value


def _made_numbers(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """(attribute, type) of what the code makes a number of: ``int(args.count)``."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(ast.Name("int" | "float" as kind), [ast.Attribute(attr=name)]):
                yield name, kind
