"""``unitcraft explore``: counts the states and tests of a class, iteration by iteration.

Invariant: what is printed depends on the class and the flags alone, times apart.
"""

from __future__ import annotations

import re
from pathlib import Path

import click

from unitcraft.app.config import cores, load


def integers(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """The integers of ``0..5`` (both ends included), ``1,2,7`` or ``3``, in that order."""
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", value)
    if span and int(span[1]) <= int(span[2]):
        return tuple(range(int(span[1]), int(span[2]) + 1))
    if re.fullmatch(r"-?\d+(,-?\d+)*", value):
        return tuple(int(part) for part in value.split(","))
    message = f"{value!r} is neither a range such as 0..5 nor a list such as 1,2,7"
    raise click.BadParameter(message, ctx, param)


@click.command("explore")
@click.argument("target", metavar="TARGET:CLASS")
@click.option("--methods", metavar="A,B,...", help="Methods to call. [all public ones]")
@click.option(
    "--ints",
    callback=integers,
    default="0..2",
    show_default=True,
    metavar="A..B",
    help="Values of integer parameters; others get a few values of their type.",
)
@click.option(
    "--iterations",
    type=click.IntRange(1),
    default=3,
    show_default=True,
    metavar="N",
    help="Calls after the constructor.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Form of the counts.",
)
@click.option("--graph", type=click.Path(path_type=Path), help="Draw the states as SVG.")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", help="Workers. [one for each core]"
)
def command(
    target: str,
    methods: str | None,
    ints: tuple[int, ...],
    iterations: int,
    form: str,
    graph: Path | None,
    jobs: int | None,
) -> int:
    """Count the states that sequences of calls on a class can reach.

    State 0 is what the constructor makes; iteration N follows N calls. A test is one executed
    (state, method, arguments); the counts are cumulative. A call that raises is a test too, and the
    state it leaves counts.

    \b
    Examples:
      unitcraft explore shop.stack:IntStack --methods push,pop --ints 0..4 --iterations 5
      unitcraft explore shop.stack:IntStack --iterations 3 --format json
      unitcraft explore shop.stack:IntStack --iterations 2 --graph states.svg
    """  # noqa: D301
    cwd = Path.cwd()
    config = load(cwd)
    from unitcraft.app.exploring import Wish, explored, shown

    names = tuple(name.strip() for name in methods.split(",")) if methods else ()
    workers = jobs or config.jobs or cores()
    wish = Wish(target, names, ints, iterations, workers, config, graph is not None)
    exploration = explored(wish, cwd)
    click.echo(shown(exploration, target, form))
    if graph is not None:
        from unitcraft.app.writing import write_atomically
        from unitcraft.explore.graph import draw

        write_atomically(cwd / graph, draw(exploration))
    return 0
