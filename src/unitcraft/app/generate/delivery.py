"""Delivers a generated suite: to a file, as a diff, or to standard output.

Invariant: a file that unitcraft did not write for this module is never touched, and a
test that a person has edited is kept as it stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, Protocol

from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.app.generate.generated_suite import GeneratedSuite
from unitcraft.app.generate.in_place import PlaceCheck
from unitcraft.app.text_diff import diff_of_file
from unitcraft.emit.merge import merge_edits
from unitcraft.emit.merge.local_imports import names_bound, with_local_imports
from unitcraft.emit.merge.testfile import TestFile
from unitcraft.subject.locate import Located

Status = Literal["written", "unchanged", "stale", "shown", "empty"]


@dataclass(frozen=True, slots=True)
class Delivered:
    """Where a suite went (``stale``: the file differs and was left).

    ``kept`` names the tests that a person edited and that stay, ``left_out`` those that a person
    deleted and that stay away.  ``failing`` are tests of a person that do not pass, or why the
    whole file does not where it lives, ``dropped`` those of ours that do not pass with the
    project's conftest.
    """

    status: Status
    path: Path | None = None
    kept: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    failing: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


class Delivery(Protocol):
    """Takes suites as they are finished."""

    def deliver(self, located: Located, generated: GeneratedSuite) -> Delivered:
        """Take one suite.  Raises UnitcraftError where it cannot be written."""


@dataclass(frozen=True, slots=True)
class PlannedFile:
    """A file as it is and as it will be."""

    path: Path
    old: str | None
    new: str
    kept: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    def delivered(self, status: Status) -> Delivered:
        """What is said of the file when nothing has been run."""
        return Delivered(status, self.path, self.kept, self.left_out, dropped=self.dropped)


@dataclass(slots=True)
class FileDelivery:
    """Writes suites below ``directory`` (mutable: ``taken`` maps each file to its target).

    ``place`` runs what was written where it lives; None: nothing is run.
    """

    directory: Path
    place: PlaceCheck | None = None
    taken: dict[Path, str] = field(default_factory=dict)

    def deliver(self, located: Located, generated: GeneratedSuite) -> Delivered:
        """Write the file of a suite, merged with what a person changed there."""
        if not generated.text:
            return Delivered("empty")
        plan = self.plan(located, generated)
        if plan.new == plan.old:
            return plan.delivered("unchanged")
        write_atomically(plan.path, plan.new)
        failing: tuple[str, ...] = ()
        if self.place is not None and (plan.kept or self.place.matters(plan.path)):
            plan, failing = self._settle(plan, located, generated, self.place)
        status: Status = "unchanged" if plan.new == plan.old else "written"
        return replace(plan.delivered(status), failing=failing)

    def _settle(
        self, plan: PlannedFile, located: Located, generated: GeneratedSuite, place: PlaceCheck
    ) -> tuple[PlannedFile, tuple[str, ...]]:
        """The file as it passes where it lives, and its failing tests.

        Where a person's test keeps the file from being imported, its imports go into the test.
        """
        report = place.run(plan.path, located)
        if report.problem and plan.kept:
            top = located.module.partition(".")[0]
            spared = names_bound(generated.text)
            plan = replace(plan, new=with_local_imports(plan.new, top, spared))
            write_atomically(plan.path, plan.new)
            report = place.run(plan.path, located)
        if report.problem:
            return plan, (f"(the whole file: {report.problem})",)
        own = {item.name for item in TestFile(plan.new).functions() if item.ours}
        dropped = tuple(name for name in report.failed if name in own)
        if dropped:
            merged = merge_edits.merge(plan.new, generated.text, frozenset(dropped))
            plan = replace(plan, new=merged.text, dropped=merged.dropped)
            write_atomically(plan.path, plan.new)
        failing = tuple(f"{name} ({how})" for name, how in report.failed.items() if name not in own)
        return plan, failing

    def plan(self, located: Located, generated: GeneratedSuite) -> PlannedFile:
        """The file for a suite and what it will hold."""
        owner = f"{located.module}:{located.attribute}"
        for name in file_names(located, generated.file_name):
            path = self.directory / name
            if self.taken.get(path, owner) != owner:
                continue
            old = read_if_present(path)
            if old is None or not old.strip() or merge_edits.module_of(old) == located.module:
                break
        self.taken[path] = owner
        merged = merge_edits.merge(old or "", generated.text)
        return PlannedFile(path, old, merged.text, merged.kept, merged.left_out, merged.dropped)


@dataclass(frozen=True, slots=True)
class DiffDelivery:
    """Shows what ``files`` would write as a unified diff seen from ``cwd``, and writes nothing."""

    files: FileDelivery
    show: Callable[[str], None]
    cwd: Path

    def deliver(self, located: Located, generated: GeneratedSuite) -> Delivered:
        """Show the difference between the file on disk and the suite."""
        if not generated.text:
            return Delivered("empty")
        plan = self.files.plan(located, generated)
        if plan.new == plan.old:
            return plan.delivered("unchanged")
        self.show(diff_of_file(plan.path, plan.old, plan.new, self.cwd))
        return plan.delivered("stale")


@dataclass(frozen=True, slots=True)
class TextDelivery:
    """Shows the text of each suite."""

    show: Callable[[str], None]

    def deliver(self, located: Located, generated: GeneratedSuite) -> Delivered:
        """Show one suite."""
        del located
        if not generated.text:
            return Delivered("empty")
        self.show(generated.text)
        return Delivered("shown")


def file_names(located: Located, plain: str) -> tuple[str, ...]:
    """Names for the file of a suite, best first; the last one is hardly ever taken."""
    part = re.sub(r"\W+", "_", located.attribute).strip("_").lower()
    end = f"_{part}.py" if part else ".py"
    long = "test_" + located.module.replace(".", "_")
    short = plain.removesuffix(".py")
    return tuple(dict.fromkeys((short + end, long + end, f"{long}_unitcraft{end}")))


def suites_of_gone_modules(
    directory: Path, root: Path, is_found: Callable[[str], bool]
) -> list[tuple[Path, str]]:
    """(file, module) of each suite of ours in ``directory`` for a module that is nowhere.

    ``is_found`` says of a module whether it can be located; one that cannot may be below ``root``
    in a folder that only the command line named.
    """
    found = []
    for file in sorted(directory.glob("test_*.py")):
        module = merge_edits.module_of(read_if_present(file) or "")
        if module is not None and not is_found(module) and not _is_below(root, module):
            found.append((file, module))
    return found


def _is_below(root: Path, module: str) -> bool:
    """Is there a file below ``root`` that could be ``module``?"""
    *packages, name = module.split(".")
    end = "/".join(["", *packages, name])
    return any(
        str(path).endswith((f"{end}.py", f"{end}/__init__.py"))
        for pattern in (f"{name}.py", f"{name}/__init__.py")
        for path in root.rglob(pattern)
    )
