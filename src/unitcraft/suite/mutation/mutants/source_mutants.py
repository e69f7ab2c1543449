"""The mutants of a module's source text: their ids, their code, and their diffs.

Invariant: a mutant's id depends on the source text alone; the code of a mutant can replace the
original code in a live function, because it has the closure variables of the original.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import difflib
import io
import itertools
import re
import sys
import tokenize
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from types import CodeType
from typing import Any, Final

from unitcraft.suite.mutation.mutants.code_objects import (
    add_line_marks,
    compile_code,
    enclosing_classes,
    identity,
    inner_codes,
    wrap_in_classes,
)
from unitcraft.suite.mutation.mutants.data_mutants import (
    DataChange,
    DataValue,
    mutants_of_value,
    replaceable_values,
)
from unitcraft.suite.mutation.mutants.function_mutants import (
    CodeChange,
    Function,
    MutantPlace,
    copy_tree,
    fingerprint,
    mutants_of_function,
    outermost_functions,
)
from unitcraft.suite.mutation.verdicts import Mutant

#: A comment that excludes mutants from its line; on the first line of a function, from all of it.
PRAGMA: Final = re.compile(r"#\s*(pragma:\s*no mutate\b|unitcraft:\s*ignore\s*$)")

Identity = tuple[str, int]
#: Changes the tree of a function while a block compiles it; the code must keep its name and closure
#: variables.
Rewrite = Callable[[ast.stmt], contextlib.AbstractContextManager[None]]


@dataclass(frozen=True, slots=True)
class SourceMutant:
    """One mutant: its id, its place, and the change that makes it, of code or of data."""

    about: Mutant
    place: MutantPlace
    make: CodeChange | DataChange

    @property
    def value(self) -> DataValue | None:
        """The value that it changes; None when it changes code."""
        return self.make.value if isinstance(self.make, DataChange) else None

    @property
    def owner(self) -> Function | DataValue:
        """The outermost function or the value that it changes."""
        return self.make.function if isinstance(self.make, CodeChange) else self.make.value

    @property
    def statement(self) -> ast.stmt:
        """The outermost function or the assignment that it changes."""
        return (
            self.make.function if isinstance(self.make, CodeChange) else self.make.value.statement
        )

    @property
    def users(self) -> tuple[str, ...]:
        """The outermost functions that a test has to enter to run the change."""
        return (self.place.function,) if self.value is None else self.value.users

    @property
    def is_swappable(self) -> bool:
        """Does a swap after import reach every reader of what it changes?"""
        return self.value is None or self.value.is_swappable


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
        self._silenced = silenced_lines(text)
        self._originals: dict[tuple[int, Rewrite | None], CodeType | None] = {}
        self._wrapped: dict[int, ast.Module] = {}
        self._statements: dict[int, list[range]] = {}

    @cached_property
    def mutants(self) -> list[SourceMutant]:
        """All mutants except those that a pragma excludes, those of data after those of code.

        Mutants of code with the same byte code are still among them: see ``distinct``.
        """
        return [*self._mutants_of_code(), *self._mutants_of_data()]

    def _mutants_of_code(self) -> Iterator[SourceMutant]:
        labels = _Labels()
        for name, node in outermost_functions(self.tree):
            label = labels.of(name)
            if not self._is_silenced(node):
                changes = mutants_of_function(name, node)
                yield from self._numbered(f"{label}:", name, changes)

    def _mutants_of_data(self) -> Iterator[SourceMutant]:
        labels = _Labels()
        for value in replaceable_values(self.tree):
            label = labels.of(value.label)
            if not (isinstance(value.statement, Function) and self._is_silenced(value.statement)):
                name = value.holder if value.first else value.label
                yield from self._numbered(f"{label}=:", name, mutants_of_value(value))

    def _numbered(
        self,
        prefix: str,
        name: str,
        changes: Iterable[tuple[MutantPlace, CodeChange | DataChange]],
    ) -> Iterator[SourceMutant]:
        for number, (place, make) in enumerate(changes, 1):
            if place.line not in self._silenced:
                key = f"{self.module}:{prefix}{number}"
                about = Mutant(key, self.module, name, place.line, place.operator)
                yield SourceMutant(about, place, make)

    def _is_silenced(self, node: Function) -> bool:
        return bool(self._silenced & set(range(_first_line(node), node.body[0].lineno)))

    def distinct(
        self, mutants: Iterable[SourceMutant], rewrite: Rewrite | None = None
    ) -> Iterator[tuple[SourceMutant, CodeType | None]]:
        """The mutants that differ by byte code from the original and from earlier ones.

        Each comes with the code that replaces the original; None for a mutant of data.  ``rewrite``
        changes the function while it is compiled.
        """
        prints: dict[int, set[object]] = {}
        for mutant in mutants:
            make = mutant.make
            if isinstance(make, DataChange):
                yield mutant, None
                continue
            original = self.original(make.function, rewrite)
            if original is None:
                continue
            seen = prints.setdefault(id(make.function), {fingerprint(original)})
            with make.in_place():
                code = self._compile_in_place(make.function, rewrite)
            if code is not None and (print_ := fingerprint(code)) not in seen:
                seen.add(print_)
                yield mutant, self._with_closure_of(code, original, make.function, make, rewrite)

    def marked(self, mutant: SourceMutant) -> CodeType | None:
        """The code of the changed function with line marks; None when it cannot be compiled."""
        make: Callable[[], Function]
        if isinstance(mutant.make, CodeChange):
            node, make = mutant.make.function, mutant.make
        elif isinstance(mutant.statement, Function):
            node = mutant.statement
            make = partial(copy_tree, node)
        else:
            return None
        made = make()
        add_line_marks(made, self.number)
        code = self._code(made, node)
        original = self.original(node)
        if code is None or original is None:
            return None
        return self._with_closure_of(code, original, node, lambda: made)

    def with_line_marks(
        self, rewrite: Rewrite | None = None
    ) -> Iterator[tuple[Function, CodeType | None]]:
        """Each outermost function and its code with line marks; None where it does not compile."""
        for _, node in outermost_functions(self.tree):
            made: ast.stmt = copy_tree(node)
            add_line_marks(made, self.number)
            yield node, self._code(made, node, rewrite)

    def original(self, node: Function, rewrite: Rewrite | None = None) -> CodeType | None:
        """The code of an unchanged function."""
        key = (id(node), rewrite)
        if key not in self._originals:
            self._originals[key] = self._compile_in_place(node, rewrite)
        return self._originals[key]

    def lines_of(self, mutant: SourceMutant) -> Sequence[int]:
        """Lines one of which runs when the change does.

        For code those of the smallest statement around it, for data those of the functions that
        may read it.
        """
        if mutant.value is not None:
            return [
                line
                for name, node in outermost_functions(self.tree)
                if name in mutant.users
                for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
            ]
        function = mutant.statement
        line, around = mutant.about.line, self._statements.get(id(function))
        if around is None:
            around = self._statements[id(function)] = [
                range(_first_line(node), (node.end_lineno or node.lineno) + 1)
                for node in ast.walk(function)
                if isinstance(node, ast.stmt)
            ]
        return min((span for span in around if line in span), key=len)

    def mutated(self, mutant: SourceMutant) -> ast.Module:
        """The syntax tree of the whole module with the mutant in it."""
        with mutant.make.in_place():
            return copy_tree(self.tree)

    def compiled(
        self, mutant: SourceMutant | None = None, first: int = 0, last: int | None = None
    ) -> CodeType:
        """The code of the module, with a mutant or without; of statements ``first`` to ``last``."""
        part = ast.Module(self.tree.body[first:last], [])
        with contextlib.nullcontext() if mutant is None else mutant.make.in_place():
            code: CodeType = compile(part, self.file, "exec", self._flags, dont_inherit=True)
        return code

    def first_changed(self, mutants: Iterable[SourceMutant]) -> int:
        """The number of the first statement of the module that one of ``mutants`` changes."""
        line = min((one.about.line for one in mutants), default=sys.maxsize)
        ends = (node.end_lineno or node.lineno for node in self.tree.body)
        return sum(1 for _ in itertools.takewhile(lambda end: end < line, ends))

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

    def _code(
        self, function: ast.stmt, node: Function, rewrite: Rewrite | None = None
    ) -> CodeType | None:
        wrapped = wrap_in_classes(function, self._owners.get(id(node), []))
        with contextlib.nullcontext() if rewrite is None else rewrite(function):
            return compile_code(wrapped, self._name(node), self.file, self._flags)

    def _compile_in_place(self, node: Function, rewrite: Rewrite | None) -> CodeType | None:
        """The code of a function of the tree as it stands there now."""
        if id(node) not in self._wrapped:
            self._wrapped[id(node)] = wrap_in_classes(node, self._owners.get(id(node), []))
        with contextlib.nullcontext() if rewrite is None else rewrite(node):
            return compile_code(self._wrapped[id(node)], self._name(node), self.file, self._flags)

    def _name(self, node: Function) -> str:
        return ".".join([*self._owners.get(id(node), []), node.name])

    def _with_closure_of(
        self,
        code: CodeType,
        original: CodeType,
        node: Function,
        make: Callable[[], Function],
        rewrite: Rewrite | None = None,
    ) -> CodeType:
        """``code``, or new code of ``make()`` that has the closure variables of the original."""
        lost = lost_variables(code, original)
        if not lost:
            return code
        made: ast.stmt = make()
        for inner in ast.walk(made):
            _add_mentions(inner, lost)
        ast.fix_missing_locations(made)
        return self._code(made, node, rewrite) or code


class _Labels:
    """Names that tell apart what has the same name: the second one is ``name~2``."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, name: str) -> str:
        self._seen[name] += 1
        return name if self._seen[name] == 1 else f"{name}~{self._seen[name]}"


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
        if isinstance(node, Function) and (node.name, _first_line(node)) == (short, line):
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
    """The change as a unified diff of the function or value, as ``ast.unparse`` writes it."""
    before = ast.unparse(mutant.statement).splitlines()
    with mutant.make.in_place():
        after = ast.unparse(mutant.statement).splitlines()
    name = f"{source.file}:{mutant.about.line}"
    lines = difflib.unified_diff(before, after, name, f"{name} ({mutant.about.id})", "", "", 3, "")
    return "\n".join(lines)
