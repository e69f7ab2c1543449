"""``unitcraft minimize``: a suite without its redundant tests.

Invariant: without ``--fix`` no file is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.output_options import report_form
from unitcraft.app.suites.suite_flags import fix_flags, request_of, suite_flags


@click.command("minimize")
@click.argument("tests", nargs=-1, metavar="[TESTS]...")
@suite_flags
@fix_flags
@report_form("full", "nodes", "json", remark="; nodes: what stays, for pytest")
def command(tests: tuple[str, ...], form: str, **flags: Any) -> int:
    """List the tests that a suite can do without, and what is left without them.

    Redundant tests go, unless a pragma keeps them, they assert something that the tests they
    repeat do not assert, or a branch would be lost.

    \b
    Examples:
      unitcraft minimize tests -s shop
      unitcraft minimize tests -s shop --fix
      unitcraft minimize tests -s shop --format nodes > nodes.txt
      pytest @nodes.txt
    """  # noqa: D301
    wish = request_of(tests, flags)
    cwd = Path.cwd()
    if flags["fix"] or flags["diff"]:
        from unitcraft.app.suites.fix import fix_suite

        click.echo(fix_suite(wish, cwd, write=not flags["diff"], unsafe=flags["unsafe"]))
        return 0
    from unitcraft.app.suites.minimize_command import render_report, run_minimize

    click.echo(render_report(run_minimize(wish, cwd, unsafe=flags["unsafe"]), form))
    return 0
