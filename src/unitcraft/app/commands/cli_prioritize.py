"""``unitcraft prioritize``: an order of tests in which each adds most to those before it.

Invariant: no file is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.output_options import report_form
from unitcraft.app.suites.suite_flags import request_of, suite_flags


@click.command("prioritize")
@click.argument("tests", nargs=-1, metavar="[TESTS]...")
@suite_flags
@report_form("full", "nodes", "json", remark="; nodes: node ids for pytest")
def command(tests: tuple[str, ...], form: str, **flags: Any) -> int:
    """List the tests in the order of what they add: branches first, then executions.

    \b
    Examples:
      unitcraft prioritize tests -s shop
      unitcraft prioritize tests -s shop --format nodes | head -20 > nodes.txt
      pytest @nodes.txt
    """  # noqa: D301
    wish = request_of(tests, flags)
    from unitcraft.app.suites.compare_command import render_order, run_prioritize

    click.echo(render_order(run_prioritize(wish, Path.cwd()), form))
    return 0
