"""The import hook: the Subject and modules of its package are loaded from rewritten trees.

Rewriting takes ten times as long as compiling, and importing a module of a large package loads
hundreds of modules that it never calls.  The modules that the source of the Subject imports, and
those that these import, are rewritten nearest first, up to a bound; then others as they are
imported, up to a smaller one, so that a small package is rewritten as a whole.  A loop of a
module that is not rewritten counts no steps; the CPU time of an item bounds it.

Invariant: only modules of the Subject's top-level package are rewritten, from their
source text; a module that cannot be rewritten or is not chosen is loaded as it is.  The choice
depends on source text and on the order of imports; choosing imports nothing.  What is loaded late
is what a run would load, and its sites are unknown as they would be then.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.abc
import sys
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final, Protocol

from unitcraft.execute import steps

#: Bytes of source, the Subject's among them, that are rewritten because the Subject imports them.
#: Rewriting takes 1.5 s for a megabyte, for proxies 2 s, and each of four hosts rewrites.
MAX_NEAR_BYTES: Final = 400_000
#: Modules of these bytes.
MAX_NEAR_MODULES: Final = 64
#: Bytes of source of other modules that are rewritten as they are imported.
MAX_OTHER_BYTES: Final = 100_000


class Rewriting(Protocol):
    """One change of the trees of modules; the changed code calls ``probes`` by their names."""

    @property
    def probes(self) -> Mapping[str, Any]:
        """What the namespace of a rewritten module gets."""

    def rewrite(self, tree: ast.Module, module: str) -> ast.Module:
        """The changed tree of ``module``; ``tree`` may be changed in place."""


class RewriteChoice:
    """Abstract state: the modules near ``target``, and the bytes left for others.

    After ``settle`` the bytes left no longer change: what is imported later may be imported again,
    by any worker, and is rewritten each time or never.
    """

    def __init__(self, target: str) -> None:
        self.package = target.partition(".")[0]
        self._late: dict[str, list[str]] = {}
        self._near = frozenset(_find_near(target, self._late))
        self._others: set[str] = set()
        self._left = MAX_OTHER_BYTES
        self._is_settled = False

    def settle(self) -> None:
        """The Subject is imported."""
        self._is_settled = True

    def includes(self, name: str, size: int) -> bool:
        """Is the module ``name``, of ``size`` bytes, rewritten?"""
        if name in self._near or name in self._others:
            return True
        taken = is_below(name, self.package) and size <= self._left
        if taken and not self._is_settled:
            self._others.add(name)
            self._left -= size
        return taken

    def load_late(self) -> None:
        """Import the near modules that functions of loaded ones import when they are called.

        State is put back after each run, so that each run would import them again: 12 ms of a run
        in a package of that kind.  What cannot be imported is left to the run.
        """
        for name, others in self._late.items():
            for other in others if name in sys.modules else ():
                with contextlib.suppress(Exception, SystemExit):
                    importlib.import_module(other)


def is_below(name: str, package: str) -> bool:
    """Is the module ``name`` the package ``package`` or below it?"""
    return name == package or name.startswith(package + ".")


def _find_near(target: str, late: dict[str, list[str]]) -> Iterator[str]:
    """The target, and breadth first what it imports of its package, within the bounds.

    ``late`` gets those of each that its functions import.
    """
    specs: dict[str, ModuleSpec | None] = {}
    queue = deque([target])
    seen = {target}
    left = MAX_NEAR_BYTES
    count = 0
    while queue and count < MAX_NEAR_MODULES:
        name = queue.popleft()
        spec = _spec_of(name, specs)
        source = _source_of(spec)
        if spec is None or (name != target and not 0 < len(source) <= left):
            continue
        left -= len(source)
        count += 1
        yield name
        for other, in_function in _imported_modules(source, spec, specs):
            if in_function:
                late.setdefault(name, []).append(other)
            if other not in seen:
                seen.add(other)
                queue.append(other)


def _spec_of(name: str, known: dict[str, ModuleSpec | None]) -> ModuleSpec | None:
    """The spec of a module, found without importing its parents."""
    if name not in known:
        parent = name.rpartition(".")[0]
        above = _spec_of(parent, known) if parent else None
        known[name] = None
        if not parent or above is not None:
            try:
                path = None if above is None else list(above.submodule_search_locations or ())
                known[name] = PathFinder.find_spec(name, path)
            except (KeyError, ValueError, ImportError):  # below a namespace package, say
                pass
    return known[name]


def _source_of(spec: ModuleSpec | None) -> bytes:
    """The source of a module that is loaded from a file; else nothing."""
    if spec is None or type(spec.loader) is not SourceFileLoader:
        return b""
    try:
        return spec.loader.get_data(spec.loader.path)
    except OSError:
        return b""


def _imported_modules(
    source: bytes, spec: ModuleSpec, specs: dict[str, ModuleSpec | None]
) -> Iterator[tuple[str, bool]]:
    """The modules of its package that ``source`` may import, and whether a function imports them.

    A package from which only modules are imported is none of them: it is loaded, not called.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return
    is_package = spec.submodule_search_locations is not None
    home = spec.name if is_package else spec.name.rpartition(".")[0]
    package = home.partition(".")[0]
    within = _imports_in_functions(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names if is_below(alias.name, package)]
        elif isinstance(node, ast.ImportFrom) and is_below(base := _absolute(node, home), package):
            names = [f"{base}.{alias.name}" for alias in node.names]
            named = [name for name in names if _spec_of(name, specs) is not None]
            named += [base] if len(named) < len(names) else []
        else:
            continue
        yield from ((name, node in within) for name in named)


def _imports_in_functions(tree: ast.Module) -> set[ast.AST]:
    """The import statements that run when a function is called."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        for inner in ast.walk(node)
        if isinstance(inner, (ast.Import, ast.ImportFrom))
    }


def _absolute(node: ast.ImportFrom, home: str) -> str:
    """The module that a from-import names; '' if there is none."""
    if not node.level:
        return node.module or ""
    parts = home.split(".")
    if node.level > len(parts):
        return ""
    base = parts[: len(parts) - node.level + 1]
    return ".".join([*base, node.module] if node.module else base)


class _Loader(SourceFileLoader):
    """Compiles rewritten source and never reads or writes byte code."""

    def __init__(self, name: str, path: str, hook: Hook) -> None:
        super().__init__(name, path)
        self._hook = hook

    def get_code(self, fullname: str) -> CodeType | None:
        path = self.get_filename(fullname)
        source = self.get_data(path)
        hook = self._hook
        kept = hook.codes.get(fullname)
        if kept is not None and kept[0] == source:
            return kept[1]
        tree = ast.parse(source, path)
        for one in hook.rewritings:
            tree = one.rewrite(tree, fullname)
        ast.fix_missing_locations(tree)
        code: CodeType = compile(tree, path, "exec", dont_inherit=True)
        hook.codes[fullname] = (source, code)
        return code

    def exec_module(self, module: ModuleType) -> None:
        for one in self._hook.rewritings:
            module.__dict__.update(one.probes)
        steps.bind(module.__dict__)
        super().exec_module(module)


class Hook(importlib.abc.MetaPathFinder):
    """Rewrites ``module`` and the chosen modules of its package as they are imported.

    The ``rewritings`` are applied one after another.  ``codes`` keeps what was rewritten, for
    modules that are imported again.
    """

    def __init__(self, module: str, *rewritings: Rewriting) -> None:
        self.choice = RewriteChoice(module)
        self.codes: dict[str, tuple[bytes, CodeType]] = {}
        self.rewritings = rewritings

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec with our loader for a source module that is chosen, else None."""
        if not is_below(fullname, self.choice.package):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not SourceFileLoader:
            return None
        try:
            size = Path(spec.loader.path).stat().st_size
        except OSError:
            return None
        if not self.choice.includes(fullname, size):
            return None
        spec.loader = _Loader(fullname, spec.loader.path, self)
        return spec

    def install(self) -> None:
        """Put the hook before all other finders of the process."""
        sys.meta_path.insert(0, self)
