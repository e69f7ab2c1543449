"""``unitcraft select``: which new tests add something to an existing suite.

Invariant: no file is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.output_options import report_form
from unitcraft.app.suites.suite_flags import request_of, suite_flags


@click.command("select")
@click.argument("new", nargs=-1, required=True, metavar="NEW...")
@click.option(
    "--against", multiple=True, required=True, metavar="EXISTING",
    help="Tests that exist already; may be repeated.",
)  # fmt: skip
@suite_flags
@report_form("full", "nodes", "json", remark="; nodes: node ids for pytest")
def command(new: tuple[str, ...], against: tuple[str, ...], form: str, **flags: Any) -> int:
    """List the tests of NEW that execute something that neither EXISTING nor earlier ones do.

    \b
    Examples:
      unitcraft select generated --against tests -s shop
      unitcraft select generated --against tests -s shop --format nodes > nodes.txt
      pytest @nodes.txt
    """  # noqa: D301
    wish = request_of((*against, *new), flags)
    from unitcraft.app.suites.compare_command import render_selection, run_select

    click.echo(render_selection(run_select(wish, new, Path.cwd()), form))
    return 0
