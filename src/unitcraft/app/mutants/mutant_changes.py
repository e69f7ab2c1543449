"""The changes that stored mutants make, in the text of their files.

Invariant: a file is read and its mutants are made once; a mutant that is not in the file as it is
now has no change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from unitcraft.app.text_diff import diff_of_file
from unitcraft.subject.source_files import read_source
from unitcraft.suite.mutation.mutants.mutant_text import change_of
from unitcraft.suite.mutation.mutants.source_mutants import ModuleSource, SourceMutant
from unitcraft.suite.mutation.verdicts import Mutant


def brief_changes(mutants: Iterable[tuple[Mutant, str]]) -> dict[str, str]:
    """Id -> the line that changes, before and after, for (mutant, file)."""
    sources: dict[str, tuple[ModuleSource, Mapping[str, SourceMutant]] | None] = {}
    found: dict[str, str] = {}
    for about, file in mutants:
        if file not in sources:
            sources[file] = _source_of(about.module, file)
        known = sources[file]
        mutant = None if known is None else known[1].get(about.id)
        if known is None or mutant is None or mutant.about.line != about.line:
            continue
        change = change_of(known[0], mutant)
        if change is not None:
            found[about.id] = change.brief
    return found


def patch_of(source: ModuleSource, mutant: SourceMutant, cwd: Path) -> str:
    """The change as a difference that ``git apply`` takes; '' where the text cannot be changed."""
    change = change_of(source, mutant)
    if change is None:
        return ""
    return diff_of_file(Path(source.file), source.text, change.applied(source.text), cwd)


def _source_of(module: str, file: str) -> tuple[ModuleSource, Mapping[str, SourceMutant]] | None:
    try:
        source = ModuleSource(module, file, read_source(file))
    except (SyntaxError, ValueError):
        return None
    return source, {one.about.id: one for one in source.mutants}
