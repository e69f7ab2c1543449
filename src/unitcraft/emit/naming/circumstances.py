"""The conditions that decided the last Call of a test, from the sites that it took.

Invariant: a condition that came out both ways, in a loop, is no circumstance.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from unitcraft.core.outcomes import Raised
from unitcraft.core.sequences import Arg, Const, Display, children
from unitcraft.emit.arrange.fixtures import paths_of
from unitcraft.emit.naming.condition_words import FILE_WORDS, classed, condition_words
from unitcraft.emit.naming.handler_words import handler_words
from unitcraft.emit.naming.lines_run import HOLDS, functions_by_scope, share_run
from unitcraft.instrument.sites import BranchSite
from unitcraft.subject.source_files import parse
from unitcraft.suite.tests import Test

#: Conditions of a test that a name may say.
MAX_CONDITIONS: Final = 24


#: What is said of a missing path -> what may stand there, and what is said then.
_OF_OTHER_KIND: Final[dict[str, tuple[type[Arg], str]]] = {
    "when_folder_is_missing": (Const, "when_path_is_not_a_folder"),
    "when_file_is_missing": (Display, "when_path_is_not_a_file"),
}


class Circumstance(NamedTuple):
    """A condition that decided a call: its words ('' for none), and the names that it mentions.

    ``of_local``: it asks for a variable of the function's own, of which no caller knows.
    ``classed`` is the variable whose class it asks for, '' for none: what was passed for that says
    more than what it is not.  ``contrary`` are the words where it came out the other way.
    ``decides``: the exception that ended the call is raised where it came out so, and nowhere else.
    """

    words: str
    names: frozenset[str]
    of_local: bool = False
    classed: str = ""
    contrary: str = ""
    decides: bool = False


def tell_circumstances(
    tests: Iterable[Test], sites: Sequence[BranchSite], source: str
) -> list[Test]:
    """The ``tests``, each with the conditions that decided its last Call, and what these let run.

    ``source`` is the text of the module under test.
    """
    conditions = Conditions(source)
    functions = functions_by_scope(parse(source))
    told = []
    for test in tests:
        own = _own_sites(test, [sites[hit] for hit in test.took])
        raised = test.outcome.line if isinstance(test.outcome, Raised) else 0
        said = _of_what_is_there(conditions.circumstances(own, raised), test)
        told.append(replace(test, circumstances=said, share=share_run(functions, own)))
    return told


def _own_sites(test: Test, taken: Iterable[BranchSite]) -> list[BranchSite]:
    """Those in the function that the last Call calls, also where that is a base's."""
    module, _, qualname = test.invocable.partition(":")
    name = qualname.rpartition(".")[2]
    return [
        site
        for site in taken
        if site.module == module
        and (
            site.scope in (qualname, f"{qualname}.__init__", f"{qualname}.__new__")
            or ("." in qualname and site.scope.rpartition(".")[2] == name)
        )
    ]


def _of_what_is_there(said: tuple[Circumstance, ...], test: Test) -> tuple[Circumstance, ...]:
    """``said``, where a file in the place of a folder is not called a missing folder."""
    contents = [part for path in paths_of(test) for part in _parts(path.content)]
    kinds = {type(part) for part in contents}
    return tuple([
        one._replace(words=words) if kind in kinds else one
        for one in said
        for kind, words in [_OF_OTHER_KIND.get(one.words, (None, ""))]
    ])  # fmt: skip


def _parts(content: Arg | None) -> Iterator[Arg]:
    """What stands at a path, and in it."""
    if content is not None:
        yield content
        for part in children(content)[1::2]:
            yield from _parts(part)


class Conditions:
    """The conditions of a module by place; none where this Python cannot read it."""

    def __init__(self, source: str) -> None:
        self._branches: dict[int, ast.expr] = {}
        self._operands: dict[tuple[int, int], ast.expr] = {}
        self._asserted: dict[int, ast.expr] = {}
        self._iterated: dict[int, ast.expr] = {}
        self._handled: dict[int, Circumstance] = {}
        self._guards: dict[int, list[ast.expr]] = {}
        tree = parse(source)
        self._flags = _flags(tree)
        self._locals: dict[int, frozenset[str]] = {}
        self._again: set[tuple[int, bool]] = set()
        for node in ast.walk(tree):
            match node:
                case ast.If() | ast.While():
                    if not isinstance(node.test, ast.BoolOp):
                        self._branches[node.lineno] = node.test
                    self._add(node.test)
                    self._guard(node)
                case ast.IfExp():
                    self._add(node.test)
                case ast.BoolOp():
                    self._add(node)
                case ast.Assert():
                    self._asserted[node.lineno] = node.test
                    self._add(node.test)
                case ast.For():
                    self._iterated[node.lineno] = node.iter
                case ast.Try():
                    self._handled.update(_handled(node))
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
                    self._locals.update(dict.fromkeys(lines, _local_names(node)))
                    self._again.update(_ways_to_itself(node, node.name))

    def _add(self, test: ast.expr) -> None:
        for part in _operands(test):
            self._operands[part.lineno, part.col_offset] = part

    def _guard(self, node: ast.If | ast.While) -> None:
        """Note what decides over the exceptions that a branch raises itself."""
        branches = [*node.body, *(node.orelse if isinstance(node, ast.If) else ())]
        raises = [one.lineno for one in branches if isinstance(one, ast.Raise)]
        self._guards.update({line: list(_operands(node.test)) for line in raises})

    def circumstances(
        self, taken: Iterable[BranchSite], raised: int = 0
    ) -> tuple[Circumstance, ...]:
        """What held in a call that took these sites, what was decided last first.

        ``raised`` is the line of the exception that ended it, 0 for none.  Where the function
        called itself nothing is said: what held in there held of other arguments.  That there was
        something to go through is the usual case, which has no words.
        """
        taken = list(taken)
        ways = {(one.line, one.outcome in HOLDS) for one in taken if one.kind in ("if", "loop")}
        if ways & self._again:
            return ()
        found: dict[tuple[int, int, str], tuple[ast.expr, set[bool]]] = {}
        for site in taken:
            for column, test, holds in self._decided(site):
                found.setdefault((site.line, column, ast.dump(test)), (test, set()))[1].add(holds)
        deciding = list(self._guards.get(raised, ()))
        if raised in self._asserted:
            test = self._asserted[raised]
            found[raised, test.col_offset, ast.dump(test)] = (test, {False})
            deciding += _operands(test)
        said = {
            place: self._circumstance(test, holds=holds.pop())._replace(decides=test in deciding)
            for place, (test, holds) in found.items()
            if len(holds) == 1
        }
        caught = [one.line for one in taken if one.kind == "handler" and one.line in self._handled]
        said.update({(line, 0, ""): self._handled[line] for line in caught})
        return tuple(dict.fromkeys(said[place] for place in sorted(said, reverse=True)))[
            :MAX_CONDITIONS
        ]

    def _circumstance(self, test: ast.expr, *, holds: bool) -> Circumstance:
        names = frozenset(node.id for node in ast.walk(test) if isinstance(node, ast.Name))
        own = self._locals.get(test.lineno, frozenset())
        is_entered = holds and any(test is one for one in self._iterated.values())
        said, other = (
            condition_words(test, holds=way, flags=self._flags) for way in (holds, not holds)
        )
        of_local = not names.isdisjoint(own) and said not in FILE_WORDS
        return Circumstance("" if is_entered else said, names, of_local, classed(test), other)

    def _decided(self, site: BranchSite) -> Iterator[tuple[int, ast.expr, bool]]:
        """(column, condition, outcome) that a site stands for."""
        holds = site.outcome in HOLDS
        if site.kind in ("if", "loop") and site.line in self._branches:
            yield 0, self._branches[site.line], holds
        elif site.kind == "loop" and site.line in self._iterated:
            yield 0, self._iterated[site.line], holds
        elif site.kind == "condition":
            test = self._operands.get((site.line, site.column))
            if test is not None:
                yield site.column, test, holds


def _handled(node: ast.Try) -> Iterator[tuple[int, Circumstance]]:
    """(line, what is said) of each handler that has words; one that raises leaves it to that."""
    for handler in node.handlers:
        said = handler_words(node, handler)
        if said:
            raises = any(isinstance(one, ast.Raise) for one in ast.walk(handler))
            yield handler.lineno, Circumstance(said, frozenset(), of_local=raises)


def _operands(test: ast.expr) -> Iterator[ast.expr]:
    """The conditions that ``and`` and ``or`` join."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _operands(value)
    else:
        yield test


def _ways_to_itself(
    node: ast.AST, name: str, way: tuple[int, bool] | None = None
) -> Iterator[tuple[int, bool]]:
    """(line, outcome) of the innermost condition around each call of the function in itself.

    ``way`` is the one around ``node``; what no condition is around says nothing.
    """
    match node:
        case ast.Call(func=ast.Name(id=called)) if called == name and way:
            yield way
        case ast.Call(func=ast.Attribute(value=ast.Name(id="self" | "cls"), attr=called)):
            yield from [way] if called == name and way else ()
    for part, value in ast.iter_fields(node):
        is_decided = isinstance(node, ast.If | ast.While | ast.For) and part in ("body", "orelse")
        inner = (getattr(node, "lineno", 0), part == "body") if is_decided else way
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _ways_to_itself(child, name, inner)


def _flags(tree: ast.Module) -> frozenset[str]:
    """The names that are given True or False, or are declared ``bool``, and no other constant."""
    flags: set[str] = set()
    others: set[str] = set()
    for node in ast.walk(tree):
        for name, value in _given(node):
            is_flag = isinstance(value, ast.Constant) and isinstance(value.value, bool)
            is_flag = is_flag or (isinstance(value, ast.Name) and value.id == "bool")
            if is_flag or isinstance(value, ast.Constant):
                (flags if is_flag else others).add(name)
    return frozenset(flags - others)


def _given(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """(name, value or annotation) of each parameter, variable or attribute that ``node`` sets."""
    match node:
        case ast.arguments():
            positional = [*node.posonlyargs, *node.args]
            yield from zip(
                [arg.arg for arg in reversed(positional)], reversed(node.defaults), strict=False
            )
            keywords = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            yield from ((arg.arg, value) for arg, value in keywords if value is not None)
        case ast.arg(name, annotation) if annotation is not None:
            yield name, annotation
        case ast.Assign(targets, value):
            yield from ((_target(target), value) for target in targets)
        case ast.AnnAssign(target, annotation):
            yield _target(target), annotation


def _target(node: ast.expr) -> str:
    match node:
        case ast.Name(name) | ast.Attribute(_, name):
            return name
    return ""


def _local_names(function: ast.FunctionDef | ast.AsyncFunctionDef) -> frozenset[str]:
    """The names that a function gives values, without its parameters."""
    given = {node.arg for node in ast.walk(function.args) if isinstance(node, ast.arg)}
    stored = (
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    )
    return frozenset(stored) - given
