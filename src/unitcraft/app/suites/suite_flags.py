"""The flags that every command about an existing suite takes.

Invariant: nothing of the engine is imported here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from unitcraft.app.config import SANDBOXES, load
from unitcraft.app.output_options import quiet_flag, with_flags
from unitcraft.app.project_flags import project_flags, with_project
from unitcraft.app.terminal_text import say_progress

if TYPE_CHECKING:
    from unitcraft.app.suites.existing_suite import SuiteRequest

#: The techniques by the names of the literature, strictest first.
TECHNIQUES = ("WholeSeq", "ModifyingSeq", "WholeState", "MonitorEquals", "PairwiseEquals")

#: The flags that ``request_of`` reads.
suite_flags: Final = with_flags(
    click.option(
        "-s", "--subject", "subjects", multiple=True, required=True, metavar="MODULE",
        help="Module or package that the tests are about; may be repeated.",
    ),
    click.option(
        "--state-repr", "technique", type=click.Choice(TECHNIQUES, case_sensitive=False),
        default="WholeState", show_default=True,
        help="The most generous technique that may call a test redundant.",
    ),
    click.option(
        "--inner", is_flag=True, help="Count the calls that the subjects make themselves too."
    ),
    click.option(
        "--pytest-arg", "options", multiple=True, metavar="ARG",
        help="Hand an argument on to pytest.",
    ),
    click.option(
        "--sandbox", type=click.Choice(SANDBOXES), help="How strictly the tests are guarded."
    ),
    click.option(
        "--allow", multiple=True, metavar="EVENT:ARG", help="Let an effect through."
    ),
    project_flags,
    click.option(
        "--seconds", type=click.FloatRange(1), default=600.0, show_default=True, metavar="S",
        help="Wall time that one run of the suite may take.",
    ),
    quiet_flag,
)  # fmt: skip
#: The flags of editing.
fix_flags: Final = with_flags(
    click.option("--fix", is_flag=True, help="Remove redundant tests from their files."),
    click.option("--diff", is_flag=True, help="Show what --fix would change; change nothing."),
    click.option(
        "--unsafe", is_flag=True,
        help="Redundant tests may assert what the tests they repeat do not assert.",
    ),
)  # fmt: skip


def request_of(tests: tuple[str, ...], flags: dict[str, Any]) -> SuiteRequest:
    """The suite that the flags name, with the settings of the current directory.

    Says that its tests run: whatever the command, that is next, before anything takes time.
    """
    config = with_project(load(Path.cwd()), flags, Path.cwd())
    say_progress(f"running {' '.join(tests) or 'the tests'}, guarded and recorded")
    from unitcraft.app.suites.existing_suite import SuiteRequest

    by_name = {name.lower(): name for name in TECHNIQUES}
    return SuiteRequest(
        tests,
        flags["options"],
        flags["subjects"],
        by_name[flags["technique"].lower()],
        flags["inner"],
        flags["sandbox"] or config.sandbox,
        (*config.allow, *flags["allow"]),
        flags["seconds"],
        config,
    )
