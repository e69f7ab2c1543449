"""``unitcraft assess``: figures of one suite, or of two side by side.

Invariant: no file is changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.output_options import report_form
from unitcraft.app.suites.suite_flags import request_of, suite_flags


@click.command("assess")
@click.argument("suite")
@click.argument("other", required=False)
@suite_flags
@click.option(
    "--criterion",
    type=click.Choice(["field"]),
    help="Measure this instead: the pairs that fields take in heaps that calls meet.",
)
@click.option(
    "--scope",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    metavar="N",
    help="Objects of each class in the heaps of the criterion field.",
)
@click.option(
    "--rep-ok",
    default="",
    metavar="NAME",
    help="Method, function, or expression over self that tells valid heaps; `inferred` to infer"
    " one where there is none. [found by name or mark]",
)
@report_form("full", "json")
def command(
    suite: str,
    other: str | None,
    form: str,
    criterion: str | None,
    scope: int,
    rep_ok: str,
    **flags: Any,
) -> int:
    """Count tests, calls, states and branches, and redundant tests under the five techniques.

    With OTHER, both suites stand side by side. With --criterion field the figures are those of
    field coverage, for the classes that have a representation invariant.

    \b
    Examples:
      unitcraft assess tests -s shop
      unitcraft assess tests generated -s shop
      unitcraft assess tests -s shop.tree --criterion field --scope 4
      unitcraft assess tests -s shop.queue --criterion field --rep-ok is_consistent
    """  # noqa: D301
    names = [suite, *([other] if other is not None else [])]
    wishes = [request_of((name,), flags) for name in names]
    if criterion == "field":
        from unitcraft.app.suites.fields_command import render_fields, run_assess_fields

        measured = run_assess_fields(wishes, scope, rep_ok, Path.cwd())
        click.echo(render_fields(names, measured, form))
        return 0
    from unitcraft.app.suites.compare_command import render_assessments, run_assess

    found = [run_assess(wish, Path.cwd()) for wish in wishes]
    click.echo(render_assessments(names, found, form))
    return 0
