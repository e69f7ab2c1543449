"""The import hook: the Subject and modules of its package are loaded from rewritten trees.

Invariant: only modules of the Subject's top-level package are rewritten, from their
source text; a module that cannot be rewritten or is not chosen is loaded as it is.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from unitcraft.execute import steps
from unitcraft.instrument import (
    branch_probes,
    branch_recorder,
    field_probes,
    reaching_definitions,
)
from unitcraft.instrument.interception import InterceptionRewriter
from unitcraft.instrument.rewrite_choice import RewriteChoice, is_below
from unitcraft.instrument.sites import SiteTable


class _Loader(importlib.machinery.SourceFileLoader):
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
        tree = branch_probes.rewrite(
            source,
            path,
            fullname,
            hook.table,
            tracing=hook.tracing,
            marking=hook.marking,
            fields=hook.fields if fullname == hook.followed else None,
        )
        if fullname == hook.followed:
            reaching_definitions.DEFINITIONS.declared = hook.fields.declared()
        if hook.blind:
            tree = ast.fix_missing_locations(InterceptionRewriter().visit(tree))
        branch_recorder.RECORDER.reserve(len(self._hook.table.sites))
        code: CodeType = compile(tree, path, "exec", dont_inherit=True)
        hook.codes[fullname] = (source, code)
        return code

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(self._hook.probes)
        steps.bind(module.__dict__, branch_probes.TICK)
        super().exec_module(module)


class Hook(importlib.abc.MetaPathFinder):
    """Rewrites ``module`` and the chosen modules of its package as they are imported.

    ``codes`` keeps what was rewritten, for modules that are imported again.  With ``blind`` the forms that a symbolic proxy cannot see are rewritten too; ``probes`` replace
    those of the recorder; ``followed`` is the module whose fields are probed, '' for none.
    """

    def __init__(
        self,
        module: str,
        *,
        tracing: bool = True,
        marking: bool = True,
        blind: bool = False,
        probes: Mapping[str, Any] | None = None,
        followed: str = "",
    ) -> None:
        self.choice = RewriteChoice(module)
        self.codes: dict[str, tuple[bytes, CodeType]] = {}
        self.tracing = tracing
        self.marking = marking
        self.blind = blind
        self.followed = followed
        self.fields = field_probes.FieldTable()
        reaching_definitions.DEFINITIONS.module = followed
        self.table = SiteTable()
        branch_recorder.RECORDER.tables = self.table.tables
        self.probes: dict[str, Any] = {
            branch_probes.HITS: branch_recorder.RECORDER.hits,
            branch_probes.COMPARE: branch_recorder.compare,
            branch_probes.CONTAINS: branch_recorder.contains,
            branch_probes.TRUTH: branch_recorder.mark_truth,
            branch_probes.LOOKUP: branch_recorder.lookup,
            branch_probes.METHOD: branch_recorder.call_method,
            branch_probes.INSTANCE: branch_recorder.check_instance,
            field_probes.USE: reaching_definitions.use,
            field_probes.DEFINE: reaching_definitions.define,
            field_probes.FORGET: reaching_definitions.delete,
            field_probes.AUGMENT: reaching_definitions.augment,
            field_probes.USE_AND_DEFINE: reaching_definitions.use_and_define,
            **(probes or {}),
        }

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """The spec with our loader for a source module that is chosen, else None."""
        if not is_below(fullname, self.choice.package):
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path, target)
        if spec is None or type(spec.loader) is not importlib.machinery.SourceFileLoader:
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
