"""Calls of a Subject in the files of others, as Examples and as values that callers pass.

A call that can be converted as a whole becomes an Example; of any other call those arguments count
that are values by themselves.

Invariant: the files are read as syntax trees and never run; the answer depends on their texts and
their order only.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from io import StringIO
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Final

from unitcraft.core.sequences import Arg, Call, Symbol, arg_key, refs_in
from unitcraft.subject.model import CallerValue, Example, Invocable, Parameter, Subject
from unitcraft.subject.reading.args_from_source import Converter, Unconvertible, likely_value
from unitcraft.subject.reading.callers.docstring_examples import Session, SymbolFinder, sessions
from unitcraft.subject.reading.callers.example_files import (
    files_of_others,
    mentioning,
    package_files,
)
from unitcraft.subject.reading.node_operations import bound_inside
from unitcraft.subject.scopes import (
    ancestors,
    callee_name,
    parents_in,
    walk_scopes,
    word_set,
)
from unitcraft.subject.source_files import guarded_imports, parse

#: Values kept of the callers of one parameter; later ones add little and are tried all the same.
MAX_VALUES: Final = 12
#: Examples kept of one Invocable.
MAX_EXAMPLES: Final = 12
#: Kinds of Invocables that a call in source text names.
_CALLED: Final = ("function", "constructor", "method", "classmethod", "staticmethod")
#: Method names of well-known classes: a call of one says nothing about the Subject's.
_COMMON: Final = frozenset(
    name
    for kind in (str, list, dict, set, bytes, re.Pattern, re.Match, Path, StringIO, datetime)
    for name in dir(kind)
) | word_set("run main start stop send recv log info debug warning error execute call")


@dataclass(slots=True)
class CallSites:
    """What the files of others show (mutable while collecting)."""

    subject: Subject
    find: SymbolFinder
    examples: dict[str, Example] = field(default_factory=dict)
    values: dict[tuple[str, str], dict[str, CallerValue]] = field(default_factory=dict)
    _known: dict[str, Invocable] = field(default_factory=dict)
    _methods: dict[str, Invocable | None] = field(default_factory=dict)
    _counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the Invocables by id, and methods by a name that only one has."""
        for one in self.subject.invocables:
            self._known[one.id] = one
            if one.kind == "method" and one.name not in _COMMON:
                self._methods[one.name] = None if one.name in self._methods else one

    def read(self, root: Path) -> None:
        """Collect from the project around the package below ``root``."""
        module = self.subject.module
        names = [one.name for one in self.subject.invocables if one.kind in _CALLED]
        called = re.compile(rf"\b(?:{'|'.join(map(re.escape, dict.fromkeys(names)))})\s*\(")
        top, last = module.partition(".")[0], module.rpartition(".")[2]
        for path, text in mentioning(files_of_others(root, module), called, top):
            self._read_shown(path, text)
        for path, text in mentioning(package_files(root, module), called, last):
            dotted = ".".join(path.relative_to(root).with_suffix("").parts)
            if names and dotted.removesuffix(".__init__") != module:
                tree = parse(text)
                bound = self._imported(tree, dotted.removesuffix(".__init__"), path)
                self._collect(tree, bound, _modules(tree), path.name)

    def read_own(self, tree: ast.Module) -> None:
        """Collect from the calls in the module itself, and from its tables."""
        file = Path(self.subject.file)
        bound = self._imported(tree, self.subject.module, file)
        self._collect(tree, bound, _modules(tree), file.name)
        self._read_tables(tree)

    def _read_tables(self, tree: ast.Module) -> None:
        """Take what dictionaries of the module hold under the name of a parameter.

        A table such as ``_TEST = {"url": ...}`` in a class is about the members of the class.
        """
        module = self.subject.module
        for node, scope in walk_scopes(tree):
            owner = f"{module}:{scope}"
            about = [one for one in self.subject.invocables if not scope or one.owner == owner]
            for key, value in _entries(node):
                for one in about:
                    if any(parameter.name == key for parameter in one.parameters):
                        self._take(one, key, value, {}, {}, "a table of the module")

    def add_examples(self, examples: Iterable[Example], place: str) -> None:
        """Count what ``examples`` pass as values of callers."""
        for example in examples:
            invocable = self._known.get(example.invocable)
            if invocable is not None:
                for parameter, arg in bind_arguments(invocable, example.sequence.calls[-1]):
                    self._add(invocable, parameter.name, arg, place)

    def _read_shown(self, path: Path, text: str) -> None:
        """Read a test, an example or a document."""
        if path.suffix != ".py":
            for statements in sessions(text):
                tree = ast.Module(body=statements, type_ignores=[])
                self._run(statements, self._imported(tree, "", path), path.name)
            return
        tree = parse(text)
        bound = self._imported(tree, "", path)
        modules = _modules(tree)
        for body in _bodies(tree):
            self._run(body, bound, path.name, modules)
        self._collect(tree, bound, modules, path.name)

    def _run(
        self,
        statements: list[ast.stmt],
        bound: Mapping[str, Arg],
        place: str,
        modules: Mapping[str, str] | None = None,
    ) -> None:
        session = Session(self.subject, dict(bound), dict(modules or {}), self.find)
        found = list(session.run(statements))
        for example in found:
            count = self._counts.get(example.invocable, 0)
            if count < MAX_EXAMPLES and example.sequence.key not in self.examples:
                self.examples[example.sequence.key] = example
                self._counts[example.invocable] = count + 1
        self.add_examples(found, place)

    def _imported(self, tree: ast.Module, module: str, path: Path) -> dict[str, Arg]:
        """The names that a file binds to objects of loaded modules."""
        found: dict[str, Arg] = {}
        package = path.name == "__init__.py"
        for name, (home, attribute) in guarded_imports(tree, module, package=package).items():
            symbol = self.find(home, attribute) if home else None
            if symbol is not None:
                found[name] = symbol
        if module == self.subject.module:
            own = [one for one in self.subject.invocables if not one.owner]
            found.update({one.name: Symbol(module, one.name) for one in own})
            classes = [one for one in self.subject.classes if one.module == module]
            found.update({one.qualname: Symbol(module, one.qualname) for one in classes})
        return found

    def _collect(
        self, tree: ast.Module, bound: Mapping[str, Arg], modules: Mapping[str, str], place: str
    ) -> None:
        """The arguments of calls in ``tree`` that are values by themselves."""
        names = {*bound, *[one.name for one in self.subject.invocables]}
        parents = parents_in(tree)
        known: dict[ast.AST, dict[str, ast.expr | None]] = {}
        for node in parents:
            if isinstance(node, ast.Call) and callee_name(node) in names:
                around = tuple(ancestors(node, parents))
                owner = _called_on_itself(node, around)
                invocable = (
                    self._called(node, bound, modules)
                    if owner is None
                    else self._member(owner, callee_name(node), bound)
                )
                if invocable is not None:
                    defaults = _handed_on(around, known)
                    self._take_arguments(node, invocable, bound, modules, place, defaults)

    def _called(
        self, node: ast.Call, bound: Mapping[str, Arg], modules: Mapping[str, str]
    ) -> Invocable | None:
        match node.func:
            case ast.Name(id=name):
                symbol = bound.get(name)
                if isinstance(symbol, Symbol):
                    return self._known.get(f"{symbol.module}:{symbol.qualname}")
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                symbol = bound.get(owner)
                if isinstance(symbol, Symbol):
                    return self._known.get(f"{symbol.module}:{symbol.qualname}.{name}")
                if owner in modules:
                    return self._known.get(f"{modules[owner]}:{name}")
                return self._methods.get(name)
            case ast.Attribute(attr=name):
                return self._methods.get(name)
        return None

    def _member(self, owner: ast.ClassDef, name: str, bound: Mapping[str, Arg]) -> Invocable | None:
        """The member of the class in a file, or of a base of it, that is one of the Subject's."""
        classes = [ast.Name(owner.name), *owner.bases]
        symbols = [bound.get(one.id) for one in classes if isinstance(one, ast.Name)]
        homes = [f"{one.module}:{one.qualname}" for one in symbols if isinstance(one, Symbol)]
        bases = [base for info in self.subject.classes if info.id in homes for base in info.bases]
        found = [self._known.get(f"{home}.{name}") for home in (*homes, *bases)]
        return next((one for one in found if one is not None), None)

    def _take_arguments(
        self,
        node: ast.Call,
        invocable: Invocable,
        bound: Mapping[str, Arg],
        modules: Mapping[str, str],
        place: str,
        defaults: Mapping[str, ast.expr | None],
    ) -> None:
        """Take the arguments of a call; those that the caller hands on, by their ``defaults``.

        Those behind the parameters are of ``*args``.
        """
        given_as = [one.name for one in invocable.parameters if one.kind.startswith("positional")]
        rest = [one.name for one in invocable.parameters if one.kind == "var_positional"]
        known = list(takewhile(lambda arg: not isinstance(arg, ast.Starred), node.args))
        given_as += rest * (len(known) - len(given_as))
        pairs = list(zip(given_as, known, strict=False))
        named = {one.name for one in invocable.parameters}
        pairs += [(one.arg, one.value) for one in node.keywords if one.arg in named]
        for name, given in pairs:
            tree = defaults.get(given.id, given) if isinstance(given, ast.Name) else given
            if tree is not None:
                self._take(invocable, name, tree, bound, modules, place)

    def _take(
        self,
        invocable: Invocable,
        name: str,
        tree: ast.expr,
        bound: Mapping[str, Arg],
        modules: Mapping[str, str],
        place: str,
    ) -> None:
        calls: list[Call] = []
        arg: Arg | None
        try:
            arg = Converter(bound, modules, self.find, calls).convert(tree)
        except (Unconvertible, RecursionError, KeyError):
            declared = [one.type for one in invocable.parameters if one.name == name]
            arg = None if calls else likely_value(tree, *declared[:1])
        if arg is not None and not calls:
            self._add(invocable, name, arg, place)

    def _add(self, invocable: Invocable, name: str, arg: Arg, place: str) -> None:
        if not refs_in(arg):
            held = self.values.setdefault((invocable.id, name), {})
            if len(held) < MAX_VALUES:
                held.setdefault(arg_key(arg), CallerValue(invocable.id, name, arg, place))

    def callers(self) -> tuple[CallerValue, ...]:
        """All values, in the order of their parameters' first one."""
        return tuple([value for held in self.values.values() for value in held.values()])


def _called_on_itself(call: ast.Call, around: tuple[ast.AST, ...]) -> ast.ClassDef | None:
    """The innermost class in one of whose methods that object or class has its member called."""
    for method, owner in pairwise(around):
        if (
            isinstance(owner, ast.ClassDef)
            and isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
            and _is_on(call, (*method.args.posonlyargs, *method.args.args))
            and not any(isinstance(one, ast.Name) and one.id == "staticmethod"
                        for one in method.decorator_list)
        ):  # fmt: skip
            return owner
    return None


def _is_on(node: ast.Call, parameters: tuple[ast.arg, ...]) -> bool:
    """Is it a call of an attribute of the first of ``parameters``?"""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
            return bool(parameters) and name == parameters[0].arg
    return False


def _handed_on(
    around: tuple[ast.AST, ...], known: dict[ast.AST, dict[str, ast.expr | None]]
) -> dict[str, ast.expr | None]:
    """The parameters that the innermost function around a call may hand on, with their defaults.

    Whoever calls the function without them passes the default on; one that is None says nothing.
    ``known`` keeps the answers.
    """
    for node in around:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node not in known:
                known[node] = _defaults(node)
            return known[node]
    return {}


def _defaults(node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, ast.expr | None]:
    """The defaults of the parameters that the function does not bind again, but for None.

    None for the variables that have the name of something built in, which they are not.
    """
    args = node.args
    named = [*args.posonlyargs, *args.args]
    positional = zip(reversed(named), reversed(args.defaults), strict=False)
    pairs = [*positional, *zip(args.kwonlyargs, args.kw_defaults, strict=True)]
    found = {
        one.arg: default
        for one, default in pairs
        if isinstance(default, ast.Constant) and default.value is not None
    }
    bound = bound_inside(node)
    local = bound | {one.arg for one in (*named, *args.kwonlyargs)}
    kept = {name: default for name, default in found.items() if name not in bound}
    return {**dict.fromkeys(local.intersection(vars(builtins))), **kept}


def calls_in(text: str) -> str:
    """All that is read of a file of the package, places aside: calls, signatures and imports."""
    tree = parse(text)
    bound = guarded_imports(tree, "", package=False)
    read = (ast.Call, ast.Import, ast.ImportFrom, ast.arguments)
    dumps = [ast.dump(node) for node in ast.walk(tree) if isinstance(node, read)]
    return "\n".join([repr(bound), repr(_modules(tree)), *dumps])


def _entries(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """The entries of a dictionary display whose keys may be names of parameters."""
    if isinstance(node, ast.Dict):
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(key.value, str):
                yield key.value, value


def _modules(tree: ast.Module) -> dict[str, str]:
    """Names bound to modules by ``import`` at the top of a file."""
    return {
        alias.asname or alias.name: alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _bodies(tree: ast.Module) -> Iterator[list[ast.stmt]]:
    """The straight-line code of a file: its own and that of each function, level by level."""
    yield tree.body
    waiting: list[ast.AST] = [tree]
    for node in waiting:  # grows
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.body
        for part in ("body", "handlers", "orelse", "finalbody", "cases"):
            waiting += getattr(node, part, ())


def bind_arguments(invocable: Invocable, call: Call) -> Iterator[tuple[Parameter, Arg]]:
    """The parameters that a Call gives, each with its argument."""
    positional = [one for one in invocable.parameters if one.kind.startswith("positional")]
    rest = [one for one in invocable.parameters if one.kind == "var_positional"]
    by_name = {one.name: one for one in invocable.parameters}
    args = call.args if call.kind == "function" else call.args[1:]
    for at, arg in enumerate(args):
        if at < len(positional):
            yield positional[at], arg
        elif rest:
            yield rest[0], arg
    for name, arg in call.kwargs:
        if name in by_name:
            yield by_name[name], arg


def read_call_sites(
    subject: Subject, find: SymbolFinder, root: Path | None, tree: ast.Module
) -> tuple[tuple[Example, ...], tuple[CallerValue, ...]]:
    """(Examples that others show, values that callers pass), those of docstrings among the latter.

    ``root`` is the folder that holds the package; None where there is no file.  ``tree`` is the
    source of the Subject.
    """
    sites = CallSites(subject, find)
    sites.add_examples(subject.examples, "docstring")
    if root is not None:
        sites.read(root)
    sites.read_own(tree)
    known = {example.sequence.key for example in subject.examples}
    more = [one for key, one in sites.examples.items() if key not in known]
    return tuple(more), sites.callers()
