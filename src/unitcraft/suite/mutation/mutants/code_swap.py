"""Puts mutants into live functions and values, and takes them out again.

Invariant: after ``restore`` every function, class and module holds the objects that it held before
``apply``; functions that were made at import (decorated, nested in a closure) are found and swapped
like those that a class or the module holds.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Mapping
from types import CodeType, FunctionType
from typing import Any

from unitcraft.suite.mutation.mutants.code_objects import (
    ENTRY,
    HIT,
    identity,
    inner_codes,
    live_functions,
)
from unitcraft.suite.mutation.mutants.data_mutants import DataChange
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, Rewrite, SourceMutant


def exchange_codes(functions: Iterable[FunctionType], others: Mapping[CodeType, CodeType]) -> None:
    """Give each function the code object that stands for its present one, if there is one."""
    for function in functions:
        function.__code__ = others.get(function.__code__, function.__code__)


class CodeSwap:
    """The mutants of one imported module and the live functions that they change (mutable).

    ``rewrite`` changes functions while they are compiled.
    """

    def __init__(self, source: ModuleSource, rewrite: Rewrite | None = None) -> None:
        self._source = source
        self._rewrite = rewrite
        self._live = live_functions(source.file)
        self._codes: dict[str, CodeType] = {}
        self._marked: list[tuple[FunctionType, CodeType]] = []
        self._blind: tuple[int, ...] = ()
        self._undo: list[tuple[Any, str, Any]] = []

    def functions(self) -> list[FunctionType]:
        """All live functions of the module."""
        return [one for found in self._live.values() for one in found]

    def load(self, mutants: Iterable[SourceMutant]) -> list[SourceMutant]:
        """Compile mutants; those that differ by byte code from the original and from each other."""
        found = []
        for mutant, code in self._source.distinct(mutants, self._rewrite):
            if code is not None:
                self._codes[mutant.about.id] = code
            found.append(mutant)
        return found

    def compile_marks(self) -> None:
        """Compile all functions with line marks, for ``mark_lines``."""
        for node, code in self._source.with_line_marks(self._rewrite):
            if code is not None and self._code_fits(code):
                for one in inner_codes(code):
                    self._marked += [(live, one) for live in self._live.get(identity(one), ())]
            else:
                self._blind += (*range(node.lineno, (node.end_lineno or node.lineno) + 1),)

    def mark_lines(self, hit: Callable[[int], object]) -> tuple[int, ...]:
        """Have ``hit`` called with the line of each statement that runs, until ``restore``.

        Answers the lines of the functions that cannot be marked.
        """
        setattr(builtins, HIT, hit)
        setattr(builtins, ENTRY, int)
        for function, code in self._marked:
            self._undo.append((function, "__code__", function.__code__))
            function.__code__ = code
        return self._blind

    def is_live(self, mutant: SourceMutant) -> bool:
        """Is there a live function with the code that the loaded mutant changes, or is it data?"""
        code = self._codes.get(mutant.about.id)
        return code is None or any(identity(one) in self._live for one in inner_codes(code))

    def fits(self, mutant: SourceMutant) -> bool:
        """Can the loaded mutant be swapped: one function for each identity, the same closures?"""
        code = self._codes.get(mutant.about.id)
        return code is None or self._code_fits(code)

    def _code_fits(self, code: CodeType) -> bool:
        inner = list(inner_codes(code))
        names = [identity(one) for one in inner]
        return all(
            names.count(identity(one)) == 1 and function.__code__.co_freevars == one.co_freevars
            for one in inner
            for function in self._live.get(identity(one), ())
        )

    def apply(self, mutant: SourceMutant, *, marked: bool = False) -> bool:
        """Swap a loaded mutant in, with line marks if asked for.

        False, and nothing is changed, when it does not fit, or when the value cannot be replaced or
        would stay the same.
        """
        if isinstance(mutant.make, DataChange) and not self._put_value(mutant.make):
            return False
        code = self._source.marked(mutant) if marked else self._codes.get(mutant.about.id)
        if code is None:
            return isinstance(mutant.make, DataChange)
        if not self._code_fits(code):
            self.restore()
            return False
        for one in inner_codes(code):
            for function in self._live.get(identity(one), ()):
                self._undo.append((function, "__code__", function.__code__))
                function.__code__ = one
        return True

    def restore(self) -> None:
        """Put everything back."""
        while self._undo:
            setattr(*self._undo.pop())

    def _put_value(self, change: DataChange) -> bool:
        module = sys.modules[self._source.module]
        value = change.value
        try:
            code = change.expression(self._source.file)
            new = eval(code, vars(module))  # noqa: S307 - an expression of the Subject
        except Exception:  # noqa: BLE001 - as the Subject would have failed
            return False
        if value.first:
            functions = self._live.get((value.holder, value.first), ())
            swapped = [self._put_default(one, value.name, new) for one in functions]
            return any(swapped)
        holder: Any = module
        for name in value.holder.split(".") if value.holder else ():
            holder = vars(holder).get(name)
            if holder is None:
                return False
        is_put = value.name in vars(holder) and self._put(
            holder, value.name, vars(holder)[value.name], new
        )
        copies = [self._put_default(one, value.name, new) for one in _made_constructors(holder)]
        return is_put or any(copies)

    def _put_default(self, function: FunctionType, name: str, new: Any) -> bool:
        code = function.__code__
        given = code.co_varnames[: code.co_argcount]
        old = function.__defaults__ or ()
        if name in given[len(given) - len(old) :]:
            at = given.index(name) - (len(given) - len(old))
            return self._put(function, "__defaults__", old, (*old[:at], new, *old[at + 1 :]))
        named = function.__kwdefaults__ or {}
        return name in named and self._put(
            function, "__kwdefaults__", function.__kwdefaults__, {**named, name: new}
        )

    def _put(self, holder: Any, name: str, old: Any, new: Any) -> bool:
        if repr(old) == repr(new):
            return False
        try:
            setattr(holder, name, new)
        except Exception:  # noqa: BLE001 - a class may refuse
            return False
        self._undo.append((holder, name, old))
        return True


def _made_constructors(holder: Any) -> list[FunctionType]:
    """The constructors of a class that are no code of a file: those of data classes.

    They have the values of the class as defaults of their own.
    """
    made = [vars(holder).get(name) for name in ("__init__", "__new__")]
    return [
        one
        for one in made
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith("<")
    ]
