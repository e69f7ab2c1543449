"""``unitcraft assess``: figures of one suite, or of two side by side.

Invariant: no file is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.suites.suite_flags import request_of, suite_flags


@click.command("assess")
@click.argument("suite")
@click.argument("other", required=False)
@suite_flags
@click.option(
    "--format", "form", type=click.Choice(["full", "json"]), default="full", show_default=True,
    help="Form of the report.",
)  # fmt: skip
def command(suite: str, other: str | None, form: str, **flags: Any) -> int:
    """Count tests, calls, states and branches, and redundant tests under the five techniques.

    With OTHER, both suites stand side by side.

    \b
    Examples:
      unitcraft assess tests -s shop
      unitcraft assess tests generated -s shop
    """  # noqa: D301
    from unitcraft.app.suites.compare_command import render_assessments, run_assess

    names = [suite, *([other] if other is not None else [])]
    found = [run_assess(request_of((name,), flags), Path.cwd()) for name in names]
    click.echo(render_assessments(names, found, form))
    return 0
