"""One run of ``report``: reads the records of a project and writes the page.

Invariant: the page is a function of the records and of the files that they are about.
"""

from __future__ import annotations

import webbrowser
from dataclasses import replace
from pathlib import Path

from unitcraft.app.atomic_write import write_atomically
from unitcraft.app.report.recorded_runs import ReportedModule, ReportedProject, read_project
from unitcraft.app.report.report_page import render_page
from unitcraft.core.errors import UnitcraftError


def write_report(root: Path, modules: tuple[str, ...], file: Path) -> ReportedProject:
    """Write the page about ``modules`` (none: all) of the project in ``root`` to ``file``.

    Raises UnitcraftError: ``nothing-to-report`` and those of writing.
    """
    project = read_project(root)
    if modules:
        chosen = tuple(one for one in project.modules if _is_named(one, modules))
        project = replace(project, modules=chosen, failures=(), empty=(), checks=(), states=())
    if project.is_empty:
        raise UnitcraftError(
            "nothing-to-report",
            f"no run about {', '.join(modules) or 'this project'} is kept in {root / '.unitcraft'}",
            advice="run `unitcraft generate`, `check`, `mutants run` or `explore` first",
        )
    write_atomically(file, render_page(project))
    return project


def _is_named(module: ReportedModule, names: tuple[str, ...]) -> bool:
    """Is the module one of ``names``, in one of these packages, or in one of these files?"""
    return any(
        module.name == name
        or module.name.startswith(f"{name}.")
        or Path(module.source) == Path(name)
        for name in names
    )


def open_page(file: Path) -> None:
    """Show the page in the browser of the user."""
    webbrowser.open(file.resolve().as_uri())
