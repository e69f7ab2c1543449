"""Swaps the code of a mutant into live functions, and back.

Invariant: after ``restore`` every function has the code object that it had before ``apply``;
functions that were made at import (decorated, nested in a closure) are found and swapped like those
that a class or the module holds.
"""

from __future__ import annotations

import ast
from random import Random
from types import CodeType, FunctionType

from unitcraft.instrument.branch_probes import BranchRewriter
from unitcraft.instrument.sites import SiteTable
from unitcraft.suite.mutation.mutants.code_objects import (
    code_of,
    enclosing_classes,
    identity,
    inner_codes,
    live_functions,
)
from unitcraft.suite.mutation.mutants.function_mutants import (
    MutantPlace,
    copy_tree,
    fingerprint,
    mutants_of_function,
    outermost_functions,
)


class CodeSwap:
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
        self.places: list[MutantPlace] = []
        self._codes: list[CodeType] = []
        self._live = live_functions(file)
        self._swapped: list[tuple[FunctionType, CodeType]] = []
        for place, code in _sample(source, file, module, limit, rng, only):
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


def _sample(
    source: str,
    file: str,
    module: str,
    limit: int,
    rng: Random,
    only: tuple[str, int, int] | None,
) -> list[tuple[MutantPlace, CodeType]]:
    """At most ``limit`` compiled mutants in source order, sampled per function in proportion."""
    tree = ast.parse(source, file)
    made: list[tuple[MutantPlace, CodeType]] = []
    around = enclosing_classes(tree)
    groups = [
        (name, node, list(mutants_of_function(name, node)))
        for name, node in outermost_functions(tree)
    ]
    total = sum(len(group) for _, _, group in groups)
    for name, node, group in groups:
        share = len(group) if total <= limit else max(4, len(group) * limit // total)
        chosen = sorted(rng.sample(range(len(group)), min(share, len(group))))
        if only is not None:
            chosen = [only[2]] if (name, node.lineno) == only[:2] else []
        classes = around.get(id(node), [])
        seen = {_fingerprint(_compile(copy_tree(node), classes, name, file, module))}
        for index in chosen:
            place, make = group[index]
            code = _compile(make(), classes, name, file, module)
            mark = _fingerprint(code)
            if code is not None and mark not in seen:
                seen.add(mark)
                made.append((place, code))
    return made


def _fingerprint(code: CodeType | None) -> object:
    return None if code is None else fingerprint(code)


def _compile(
    function: ast.stmt, classes: list[str], name: str, file: str, module: str
) -> CodeType | None:
    """The code of ``function`` compiled as it stands in its classes, with step counting."""
    rewriter = BranchRewriter(module, SiteTable(), tracing=False, marking=False)
    return code_of(rewriter.visit(function), classes, name, file)
