"""``unitcraft heaps``: generates the heaps on which the invariant of a class holds.

Invariant: what is printed depends on the class and the flags alone, times apart.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from unitcraft.app.config import TRANSCOPINGS, cores, load
from unitcraft.app.output_options import quiet_flag, text_form, with_flags
from unitcraft.app.project_flags import jobs_flag, project_flags, with_project
from unitcraft.app.terminal_text import say_progress


def scopes(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """The scopes of ``1..6`` (both ends included) or ``4``."""
    found = re.fullmatch(r"(\d+)(?:\.\.(\d+))?", value)
    first, last = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
    if not 1 <= first <= last:
        message = f"{value!r} is neither a number from 1 on nor a range such as 1..6"
        raise click.BadParameter(message, ctx, param)
    return tuple(range(first, last + 1))


def texts_by_name(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    """The text after ``=`` of every ``NAME=TEXT``."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            message = f"{text!r} is not NAME=VALUES, such as Node.key=0..N"
            raise click.BadParameter(message, ctx, param)
        found[name.strip()] = value.strip()
    return found


_flags = with_flags(
    click.argument("target", metavar="TARGET:CLASS"),
    click.option(
        "--scope",
        "scopes",
        callback=scopes,
        default="1..5",
        show_default=True,
        metavar="A..B",
        help="Objects of each class at most, one scope after another.",
    ),
    click.option(
        "--engine",
        type=click.Choice(["lazy", "korat"]),
        default="lazy",
        show_default=True,
        help="Symbolic integers and lazy fields, or all values of finite domains.",
    ),
    click.option(
        "--rep-ok",
        metavar="NAME",
        help="Method, function, or expression over self that tells valid heaps; `inferred` to infer"
        " one. [found by name or mark]",
    ),
    click.option(
        "--field",
        "fields",
        callback=texts_by_name,
        multiple=True,
        metavar="CLASS.FIELD=VALUES",
        help="Values of a field: 0..N, 1,2,None, or classes; FIELD[] for the items of a list.",
    ),
    click.option(
        "--objects",
        callback=texts_by_name,
        multiple=True,
        metavar="CLASS=N",
        help="Number of objects of a class, as 3, N or N+1; N is the scope.",
    ),
    click.option(
        "--transcope",
        type=click.Choice(TRANSCOPINGS),
        help="Stop at the coverage, or the work, that small scopes predict.",
    ),
    click.option(
        "--reach",
        is_flag=True,
        help="Look for calls that reach these heaps, and for objects that are not valid.",
    ),
    click.option(
        "--candidates",
        type=click.IntRange(1),
        metavar="N",
        help="Runs of the invariant in one search, at most. [20 million]",
    ),
    jobs_flag,
    text_form(["text", "json"], "counts"),
    click.option(
        "--graph", type=click.Path(path_type=Path), help="Draw the heaps of the suite as SVG."
    ),
    project_flags,
    quiet_flag,
)


@click.command("heaps")
@_flags
def command(**flags: Any) -> int:
    """Generate the heaps that satisfy the representation invariant of a class.

    The invariant is a method such as rep_ok or check_invariants that answers True or False, or
    raises where it is broken. A scope of N has N objects of each class that the fields of the
    class lead to. For each scope the table has the candidates on which the invariant was run, the
    valid heaps (no two of them isomorphic) and the pairs (object, value) that each field takes.

    The lazy engine keeps integers symbolic and includes all smaller scopes; the Korat engine
    tries all values, 0 to N for integers, and searches each scope for itself.

    \b
    Examples:
      unitcraft heaps shop.tree:SearchTree --scope 1..6
      unitcraft heaps shop.tree:SearchTree --scope 7 --engine korat --field Node.key=1..N
      unitcraft heaps shop.tree:SearchTree --scope 1..9 --transcope size-average
      unitcraft heaps shop.tree:SearchTree --scope 3 --format json
      unitcraft heaps shop.tree:SearchTree --scope 3 --graph heaps.svg
      unitcraft heaps shop.tree:SearchTree --scope 1..4 --reach
      unitcraft heaps shop.queue:Queue --rep-ok is_consistent --objects Node=N+1
    """  # noqa: D301
    cwd = Path.cwd()
    if flags["transcope"] and (flags["engine"] != "lazy" or flags["scopes"][0] != 1):
        raise click.UsageError("--transcope needs the lazy engine and scopes from 1 on")
    config = with_project(load(cwd), flags, cwd)
    say_progress(f"generating heaps of {flags['target']}")
    from unitcraft.app.exploration.heaps_command import HeapsOrder, render_heaps, run_heaps
    from unitcraft.heaps.heap_task import MAX_CANDIDATES
    from unitcraft.heaps.transcoping import StopRule

    order = HeapsOrder(
        flags["target"],
        flags["scopes"],
        flags["engine"],
        flags["rep_ok"] or "",
        flags["fields"],
        flags["objects"],
        flags["candidates"] or MAX_CANDIDATES,
        StopRule(*flags["transcope"].split("-")) if flags["transcope"] else None,
        flags["reach"],
        config,
        flags["jobs"] or config.jobs or cores(),
    )
    result = run_heaps(order, cwd)
    click.echo(render_heaps(result, order.target, flags["form"]))
    if flags["graph"] is not None:
        from unitcraft.app.atomic_write import write_atomically
        from unitcraft.heaps.heap_graph import draw_heaps

        forms = [heap.form for heap in result.suite.suite]
        write_atomically(cwd / flags["graph"], draw_heaps(forms, result.task.model))
    inferred = result.task.model.is_inferred
    found = result.reached is not None and bool(result.reached.violations) and not inferred
    return 128 + result.ended_by if result.ended_by else int(found)  # as shells say it
