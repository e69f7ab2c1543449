"""``unitcraft explore``: counts the states and tests of a class, iteration by iteration.

Invariant: what is printed depends on the class and the flags alone, times apart.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import click

from unitcraft.app.config import cores, load
from unitcraft.app.output_options import quiet_flag, text_form, with_flags
from unitcraft.app.project_flags import jobs_flag, project_flags, with_project
from unitcraft.app.terminal_text import say_progress


def integers(ctx: click.Context, param: click.Parameter, value: str) -> tuple[int, ...]:
    """The integers of ``0..5`` (both ends included), ``1,2,7`` or ``3``, in that order."""
    span = re.fullmatch(r"(-?\d+)\.\.(-?\d+)", value)
    if span and int(span[1]) <= int(span[2]):
        return tuple(range(int(span[1]), int(span[2]) + 1))
    if re.fullmatch(r"-?\d+(,-?\d+)*", value):
        return tuple(int(part) for part in value.split(","))
    message = f"{value!r} is neither a range such as 0..5 nor a list such as 1,2,7"
    raise click.BadParameter(message, ctx, param)


def values_by_name(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, tuple[str, ...]]:
    """The values, as source, of every ``NAME=V1,V2``."""
    found: dict[str, tuple[str, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        try:
            items = ast.literal_eval(f"({values},)") if name.strip().isidentifier() else ()
        except (SyntaxError, ValueError):
            items = ()
        if not equals or not items:
            message = f"{text!r} is not NAME=V1,V2 with literal values, such as value=None,1"
            raise click.BadParameter(message, ctx, param)
        found[name.strip()] = tuple(repr(item) for item in items)
    return found


_flags = with_flags(
    click.argument("target", metavar="TARGET:CLASS"),
    click.option("--methods", metavar="A,B,...", help="Methods to call. [all public ones]"),
    click.option(
        "--ints",
        callback=integers,
        default="0..2",
        show_default=True,
        metavar="A..B",
        help="Values of integer parameters; others get a few values of their type.",
    ),
    click.option(
        "--iterations",
        type=click.IntRange(1),
        default=3,
        show_default=True,
        metavar="N",
        help="Calls after the constructor.",
    ),
    click.option(
        "--concrete",
        callback=values_by_name,
        multiple=True,
        metavar="NAME=V1,V2",
        help="Give the parameter NAME these values (may be repeated).",
    ),
    text_form(["text", "json"], "counts"),
    click.option("--graph", type=click.Path(path_type=Path), help="Draw the states as SVG."),
    jobs_flag,
    click.option(
        "--symbolic", is_flag=True, help="Numbers and texts are symbolic: count path by path."
    ),
    click.option(
        "--compare",
        type=click.Choice(["implication", "syntactic", "shape"]),
        help="When a symbolic state is a known one. [implication]",
    ),
    click.option(
        "--merge", is_flag=True, help="Known states of one shape stand for others together."
    ),
    click.option(
        "--sample",
        type=click.FloatRange(0, 1, min_open=True),
        metavar="P",
        help="Call each method on each state with probability P only.",
    ),
    click.option(
        "--prefer-uncovered",
        type=click.IntRange(1),
        metavar="WIDTH",
        help="Take up WIDTH states at a time, those next to uncovered branches first.",
    ),
    click.option(
        "--shuffle",
        type=click.IntRange(0),
        metavar="SEED",
        help="Take methods and branches in another order; the counts stay the same.",
    ),
    click.option(
        "--paths",
        type=click.IntRange(1),
        metavar="N",
        help="Runs of one method on one state, at most. [10000]",
    ),
    click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of --sample. [0]"),
    project_flags,
    quiet_flag,
)


@click.command("explore")
@_flags
def command(**flags: Any) -> int:
    """Count the states that sequences of calls on a class can reach.

    State 0 is what the constructor makes; iteration N follows N calls. A test is one executed
    (state, method, arguments); the counts are cumulative. A call that raises is a test too, and the
    state it leaves counts.

    With --symbolic, parameters that are numbers or texts hold symbolic inputs, not values, and a
    test is one path of (state, method). A state is a heap and a path condition on the inputs in
    it; it is new unless a known one subsumes it.

    \b
    Examples:
      unitcraft explore shop.stack:IntStack --methods push,pop --ints 0..4 --iterations 5
      unitcraft explore shop.stack:IntStack --iterations 3 --format json
      unitcraft explore shop.stack:IntStack --iterations 2 --graph states.svg
      unitcraft explore shop.tree:Tree --methods insert,remove --iterations 6 --symbolic
      unitcraft explore shop.map:TreeMap --methods put,remove --symbolic --concrete value=None
      unitcraft explore shop.map:TreeMap --iterations 20 --symbolic --prefer-uncovered 10
    """  # noqa: D301
    cwd = Path.cwd()
    _check(flags)
    config = with_project(load(cwd), flags, cwd)
    say_progress(f"exploring {flags['target']}")
    from unitcraft.app.atomic_write import write_atomically
    from unitcraft.app.exploration.explore_command import (
        ExploreRequest,
        as_plain,
        heuristics_of,
        render_counts,
        run_explore,
    )
    from unitcraft.app.store import RunRecords
    from unitcraft.explore.statespace.concrete_exploration import Exploration
    from unitcraft.explore.statespace.state_graph import draw

    methods = flags["methods"]
    request = ExploreRequest(
        flags["target"],
        tuple(name.strip() for name in methods.split(",")) if methods else (),
        flags["ints"],
        flags["concrete"],
        flags["iterations"],
        flags["jobs"] or config.jobs or cores(),
        config,
        not flags["symbolic"],
        heuristics_of(flags, config.seed) if flags["symbolic"] else None,
    )
    exploration = run_explore(request, cwd)
    click.echo(render_counts(exploration, request.target, flags["form"]))
    data = as_plain(exploration, request.target)
    picture = draw(exploration) if isinstance(exploration, Exploration) else ""
    RunRecords(config.root).keep("states", request.target, {**data, "picture": picture})
    if flags["graph"] is not None:
        write_atomically(cwd / flags["graph"], picture)
    return 0


def _check(flags: dict[str, Any]) -> None:
    """Raises UsageError on flags that do not go together."""
    names = ("compare", "merge", "sample", "prefer_uncovered", "shuffle", "paths", "seed")
    given = [name for name in names if flags[name] is not None and flags[name] is not False]
    if given and not flags["symbolic"]:
        raise click.UsageError(f"--{given[0].replace('_', '-')} needs --symbolic")
    if flags["symbolic"] and flags["graph"] is not None:
        raise click.UsageError("--graph draws concrete states: leave out --symbolic")
    if flags["merge"] and flags["compare"] not in (None, "implication"):
        raise click.UsageError("--merge compares by implication: leave out --compare")
