"""Swaps the code of live functions for a mutant's, and back.

Invariant: after ``restore`` every function has the code object that it had
before ``apply``; functions that were made at import (decorated, nested in a
closure) are found and swapped like those that a class or the module holds.
"""

from __future__ import annotations

import ast
import gc
import sys
from collections.abc import Iterator
from random import Random
from types import CodeType, FunctionType
from typing import Any

from unitcraft.instrument.rewrite import Rewriter
from unitcraft.instrument.sites import SiteTable
from unitcraft.suite.mutation.mutants import Place, copied, fingerprint, functions, variants


def inner_codes(code: CodeType) -> Iterator[CodeType]:
    """``code`` and all code objects nested in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from inner_codes(constant)


def identity(code: CodeType) -> tuple[str, int]:
    """What a code object is found by: its qualname and its first line."""
    return code.co_qualname, code.co_firstlineno


class Patches:
    """The mutants of one module: ``places`` by number, their code, and the live functions.

    ``only``: the outermost function, its first line, and the position of one of its mutants.
    """

    def __init__(
        self,
        source: str,
        file: str,
        module: str,
        limit: int,
        rng: Random,
        only: tuple[str, int, int] | None = None,
    ) -> None:
        self.places: list[Place] = []
        self._codes: list[CodeType] = []
        self._live = live_functions(file)
        self._swapped: list[tuple[FunctionType, CodeType]] = []
        for place, code in _sampled(source, file, module, limit, rng, only):
            if any(identity(inner) in self._live for inner in inner_codes(code)):
                self.places.append(place)
                self._codes.append(code)

    def apply(self, number: int) -> bool:
        """Swap mutant ``number`` in; False when its closure does not fit the original's."""
        for code in inner_codes(self._codes[number]):
            for function in self._live.get(identity(code), ()):
                old = function.__code__
                if len(old.co_freevars) != len(code.co_freevars):
                    self.restore()
                    return False
                self._swapped.append((function, old))
                function.__code__ = code
        return True

    def restore(self) -> None:
        """Put every original code object back."""
        while self._swapped:
            function, code = self._swapped.pop()
            function.__code__ = code


def live_functions(file: str) -> dict[tuple[str, int], list[FunctionType]]:
    """The function objects whose code is from ``file``, whoever holds them."""
    found: dict[tuple[str, int], list[FunctionType]] = {}
    for thing in gc.get_objects():
        if type(thing) is FunctionType and thing.__code__.co_filename == file:
            found.setdefault(identity(thing.__code__), []).append(thing)
    return found


def _sampled(
    source: str,
    file: str,
    module: str,
    limit: int,
    rng: Random,
    only: tuple[str, int, int] | None,
) -> list[tuple[Place, CodeType]]:
    """At most ``limit`` compiled mutants, each function with its fair share, in source order."""
    tree = ast.parse(source, file)
    made: list[tuple[Place, CodeType]] = []
    around = owners(tree)
    groups = [(name, node, list(variants(name, node))) for name, node in functions(tree)]
    total = sum(len(group) for _, _, group in groups)
    for name, node, group in groups:
        share = len(group) if total <= limit else max(4, len(group) * limit // total)
        chosen = sorted(rng.sample(range(len(group)), min(share, len(group))))
        if only is not None:
            chosen = [only[2]] if (name, node.lineno) == only[:2] else []
        classes = around.get(id(node), [])
        seen = {_print(_compiled(copied(node), classes, name, file, module))}
        for index in chosen:
            place, make = group[index]
            code = _compiled(make(), classes, name, file, module)
            mark = _print(code)
            if code is not None and mark not in seen:
                seen.add(mark)
                made.append((place, code))
    return made


def _print(code: CodeType | None) -> object:
    return None if code is None else fingerprint(code)


def owners(tree: ast.Module) -> dict[int, list[str]]:
    """Function node -> the names of the classes around it, outermost first."""
    found: dict[int, list[str]] = {}
    stack: list[tuple[ast.AST, list[str]]] = [(tree, [])]
    while stack:
        node, around = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found[id(child)] = around
            elif isinstance(child, ast.ClassDef):
                stack.append((child, [*around, child.name]))
            else:
                stack.append((child, around))
    return found


def _compiled(
    function: ast.stmt, classes: list[str], name: str, file: str, module: str
) -> CodeType | None:
    """The code of ``function`` compiled as it stands in its classes, with step counting."""
    rewriter = Rewriter(module, SiteTable(), tracing=False, marking=False)
    return code_of(rewriter.visit(function), classes, name, file)


def code_of(
    node: ast.stmt, classes: list[str], name: str, file: str, flags: int = 0
) -> CodeType | None:
    """The code of a function as it stands in its classes; None when it cannot be compiled."""
    for owner in reversed(classes):
        node = _class(owner, node)
    tree: Any = ast.fix_missing_locations(ast.Module([node], []))
    try:
        whole = compile(tree, file, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError):
        return None
    codes = inner_codes(whole)
    return next((code for code in codes if code.co_qualname == name), None)


def _class(name: str, body: ast.stmt) -> ast.ClassDef:
    made = ast.ClassDef(name=name, bases=[], keywords=[], body=[body], decorator_list=[])
    made.lineno, made.col_offset = body.lineno, 0
    made.end_lineno, made.end_col_offset = body.lineno, 0
    if sys.version_info >= (3, 12):
        made.type_params = []
    return made
