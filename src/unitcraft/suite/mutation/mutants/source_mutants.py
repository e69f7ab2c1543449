"""The mutants of a module's source text: their ids, their code, and their diffs.

Invariant: a mutant's id depends on the source text alone; the code of a mutant can replace the
original code in a live function, because it has the closure variables of the original.
"""

from __future__ import annotations
import __future__

import ast
import difflib
import io
import re
import sys
import tokenize
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from types import CodeType
from typing import Any, Final

from unitcraft.suite.mutation.mutants.code_objects import (
    compile_code,
    enclosing_classes,
    identity,
    inner_codes,
    wrap_in_classes,
)
from unitcraft.suite.mutation.mutants.function_mutants import (
    Change,
    MutantPlace,
    copy_tree,
    fingerprint,
    mutants_of_function,
    outermost_functions,
)
from unitcraft.suite.mutation.mutants.line_marks import add_line_marks
from unitcraft.suite.mutation.verdicts import Mutant

#: A comment that excludes mutants from its line; on the first line of a function, from all of it.
PRAGMA: Final = re.compile(r"#\s*(pragma:\s*no mutate\b|unitcraft:\s*ignore\s*$)")

_Function = ast.FunctionDef | ast.AsyncFunctionDef
Identity = tuple[str, int]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One mutant: its id and place, its function, its index there, and the Change that makes it."""

    about: Mutant
    place: MutantPlace
    node: _Function
    index: int
    make: Change


class ModuleSource:
    """A module's text and its mutants in source order; ``number`` is its number in a campaign."""

    def __init__(self, module: str, file: str, text: str, number: int = 0) -> None:
        self.number = number
        self.module = module
        self.file = file
        self.text = text
        self.tree = ast.parse(text, file)
        self._owners = enclosing_classes(self.tree)
        self._flags = _future_flags(self.tree)
        self._originals: dict[int, CodeType | None] = {}
        self._wrapped: dict[int, ast.Module] = {}
        self._statements: dict[int, list[range]] = {}

    @cached_property
    def mutants(self) -> list[SourceMutant]:
        """All mutants except those that a pragma excludes; duplicates are still among them."""
        silenced = silenced_lines(self.text)
        found: list[SourceMutant] = []
        seen: dict[str, int] = {}
        for name, node in outermost_functions(self.tree):
            seen[name] = seen.get(name, 0) + 1
            if silenced & set(range(_first_line(node), node.body[0].lineno)):
                continue
            label = name if seen[name] == 1 else f"{name}~{seen[name]}"
            for number, (place, make) in enumerate(mutants_of_function(name, node), 1):
                if place.line not in silenced:
                    about = Mutant(
                        f"{self.module}:{label}:{number}",
                        self.module, name, place.line, place.operator,
                    )  # fmt: skip
                    found.append(SourceMutant(about, place, node, number - 1, make))
        return found

    def distinct(self, mutants: list[SourceMutant]) -> Iterator[tuple[SourceMutant, CodeType]]:
        """The mutants whose byte code differs from that of the original and of earlier mutants."""
        prints: dict[int, set[object]] = {}
        for mutant in mutants:
            original = self.original(mutant.node)
            if original is None:
                continue
            seen = prints.setdefault(id(mutant.node), {fingerprint(original)})
            with mutant.make.in_place():
                code = self._compile_in_place(mutant.node)
            if code is not None and (print_ := fingerprint(code)) not in seen:
                seen.add(print_)
                yield mutant, self._with_closure_of(code, original, mutant)

    def marked(self, mutant: SourceMutant) -> CodeType | None:
        """The code of a mutant with line marks; None when it cannot be compiled."""
        made = mutant.make()
        add_line_marks(made, self.number)
        code = self._code(made, mutant.node)
        original = self.original(mutant.node)
        if code is None or original is None:
            return None
        return self._with_closure_of(code, original, mutant, made)

    def original(self, node: _Function) -> CodeType | None:
        """The code of an unchanged function."""
        if id(node) not in self._originals:
            self._originals[id(node)] = self._compile_in_place(node)
        return self._originals[id(node)]

    def lines_of(self, mutant: SourceMutant) -> range:
        """The lines of the smallest statement around the change, one of which runs if it does."""
        line, around = mutant.about.line, self._statements.get(id(mutant.node))
        if around is None:
            around = self._statements[id(mutant.node)] = [
                range(_first_line(node), (node.end_lineno or node.lineno) + 1)
                for node in ast.walk(mutant.node)
                if isinstance(node, ast.stmt)
            ]
        return min((span for span in around if line in span), key=len)

    def mutated(self, mutant: SourceMutant) -> ast.Module:
        """The syntax tree of the whole module with the mutant in it."""
        made = mutant.make()
        whole = copy_tree(self.tree)
        for node in ast.walk(whole):
            for body in ("body", "orelse", "finalbody"):
                inside: Any = getattr(node, body, None)
                for place, child in enumerate(inside if isinstance(inside, list) else ()):
                    if isinstance(child, _Function) and child.lineno == mutant.node.lineno:
                        inside[place] = made
        return ast.fix_missing_locations(whole)

    def compiled(self, mutant: SourceMutant | None = None) -> CodeType:
        """The code of the whole module, with a mutant or without."""
        tree = self.tree if mutant is None else self.mutated(mutant)
        return compile(tree, self.file, "exec", dont_inherit=True)

    def function_at(self, line: int) -> str | None:
        """The outermost function with that line."""
        found = bisect_right(self._spans, (line, sys.maxsize, "")) - 1
        return self._spans[found][2] if found >= 0 and self._spans[found][1] >= line else None

    @cached_property
    def _spans(self) -> list[tuple[int, int, str]]:
        return sorted(
            (_first_line(node), node.end_lineno or node.lineno, name)
            for name, node in outermost_functions(self.tree)
        )

    def _code(self, function: ast.stmt, node: _Function) -> CodeType | None:
        around = self._owners.get(id(node), [])
        return compile_code(
            wrap_in_classes(function, around), self._name(node), self.file, self._flags
        )

    def _compile_in_place(self, node: _Function) -> CodeType | None:
        """The code of a function of the tree as it stands there now."""
        if id(node) not in self._wrapped:
            self._wrapped[id(node)] = wrap_in_classes(node, self._owners.get(id(node), []))
        return compile_code(self._wrapped[id(node)], self._name(node), self.file, self._flags)

    def _name(self, node: _Function) -> str:
        return ".".join([*self._owners.get(id(node), []), node.name])

    def _with_closure_of(
        self,
        code: CodeType,
        original: CodeType,
        mutant: SourceMutant,
        made: ast.stmt | None = None,
    ) -> CodeType:
        """``code``, or new code of ``made`` that has the closure variables of the original."""
        lost = lost_variables(code, original)
        if not lost:
            return code
        made = made or mutant.make()
        for node in ast.walk(made):
            _add_mentions(node, lost)
        return self._code(ast.fix_missing_locations(made), mutant.node) or code


def lost_variables(code: CodeType, original: CodeType) -> dict[Identity, list[str]]:
    """Identity -> closure variables that a code object has in ``original`` but not in ``code``."""
    before = {identity(one): one.co_freevars for one in inner_codes(original)}
    found = {}
    for one in inner_codes(code):
        names = [n for n in before.get(identity(one), ()) if n not in one.co_freevars]
        if names:
            found[identity(one)] = names
    return found


def _add_mentions(node: ast.AST, lost: dict[Identity, list[str]]) -> None:
    """Mention the lost names in unreachable code of the function that lost them."""
    for (qualname, line), names in lost.items():
        short = qualname.rpartition(".")[2]
        mention = ast.Tuple([ast.Name(name, ast.Load()) for name in names], ast.Load())
        if isinstance(node, _Function) and (node.name, _first_line(node)) == (short, line):
            node.body.append(ast.If(ast.Constant(value=False), [ast.Expr(mention)], []))
        elif isinstance(node, ast.Lambda) and (short, node.lineno) == ("<lambda>", line):
            node.body = ast.IfExp(ast.Constant(value=True), node.body, mention)


def _first_line(node: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _future_flags(tree: ast.Module) -> int:
    names = [
        alias.name
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and node.module == "__future__"
        for alias in node.names
    ]
    flags = 0
    for name in names:
        feature: Any = getattr(__future__, name, None)
        flags |= feature.compiler_flag if feature is not None else 0
    return flags


def silenced_lines(text: str) -> set[int]:
    """The lines with a comment that excludes mutants."""
    if "#" not in text:
        return set()
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {
        token.start[0]
        for token in tokens
        if token.type == tokenize.COMMENT and PRAGMA.search(token.string)
    }


def diff_of_mutant(source: ModuleSource, mutant: SourceMutant) -> str:
    """The change as a unified diff of the function, as ``ast.unparse`` writes it."""
    before = ast.unparse(mutant.node).splitlines()
    after = ast.unparse(ast.fix_missing_locations(mutant.make())).splitlines()
    name = f"{source.file}:{mutant.about.line}"
    lines = difflib.unified_diff(before, after, name, f"{name} ({mutant.about.id})", "", "", 3, "")
    return "\n".join(lines)
