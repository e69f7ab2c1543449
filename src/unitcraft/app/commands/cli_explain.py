"""``unitcraft explain``: the paths of a function or method, or the meaning of a code.

Invariant: standard output holds the explanation only; it depends on the code and the flags
alone.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from unitcraft.app.config import Config, cores, load
from unitcraft.app.output_options import quiet_flag, text_form
from unitcraft.app.project_flags import jobs_flag, project_flags, with_project
from unitcraft.app.terminal_text import say

if TYPE_CHECKING:
    from unitcraft.app.exploration.explain_command import ExplainRequest


@click.command("explain")
@click.argument("target", metavar="TARGET|CODE")
@click.option(
    "--paths",
    type=click.IntRange(1),
    default=50,
    show_default=True,
    metavar="N",
    help="Paths to list.",
)
@click.option(
    "--calls",
    type=click.IntRange(0, 5),
    default=2,
    show_default=True,
    metavar="K",
    help="Calls on the object before the method, at most.",
)
@click.option(
    "--inputs",
    is_flag=True,
    help="Show what is known of each parameter: candidate types, weight, where each comes from.",
)
@click.option(
    "--effects",
    is_flag=True,
    help="Show what each call defines, uses, takes and returns.",
)
@click.option(
    "--sequences",
    type=click.IntRange(1, 12),
    metavar="N",
    help="Show the sequences of up to N calls in which each call may influence the target.",
)
@click.option(
    "--summary",
    is_flag=True,
    help="Show what each path of each method of a class needs and changes, whatever its state.",
)
@text_form(["text", "json"], "explanation")
@jobs_flag
@project_flags
@quiet_flag
def command(
    target: str,
    paths: int,
    calls: int,
    inputs: bool,  # noqa: FBT001 - click passes flags by name
    effects: bool,  # noqa: FBT001
    sequences: int | None,
    summary: bool,  # noqa: FBT001
    form: str,
    jobs: int | None,
    quiet: bool,  # noqa: FBT001
    **flags: Any,
) -> int:
    """List the paths of a function or method: condition, example, outcome.

    A TARGET is module:function, module:Class.method or module:Class (its constructor); a file may
    stand for the module. Below the paths stands, for each branch of the target's own code that
    none of them took, why: no input can take it, the solver could not decide, or a bound was met.

    A CODE such as UC505 or import-failed, as reports and errors print them, is explained too.

    \b
    Examples:
      unitcraft explain shop.cart:discount
      unitcraft explain src/shop/stack.py:Stack.pop --calls 1
      unitcraft explain shop.cart:Cart.add --paths 10 --format json
      unitcraft explain shop.cart:discount --inputs
      unitcraft explain shop.cart:Cart --effects
      unitcraft explain shop.cart:Cart.total --sequences 5
      unitcraft explain shop.cart:Cart --summary
      unitcraft explain UC505
    """  # noqa: D301
    cwd = Path.cwd()
    if re.fullmatch(r"UC\d+|[a-z]+(-[a-z]+)+", target) and not (cwd / target).exists():
        from unitcraft.app.exploration.message_pages import page

        click.echo(page(target, form))
        return 0
    config = with_project(load(cwd), flags, cwd)
    if not quiet:
        say(f"running {target} to explain it")
    asked = {"summary": summary, "effects": effects, "inputs": inputs}
    view = next((name for name, is_asked in asked.items() if is_asked), "")
    if sequences or view:
        click.echo(_view(target, view, sequences, config, cwd, form))
        return 0
    from unitcraft.app.exploration.explain_command import ExplainRequest

    request = ExplainRequest(target, paths, calls, jobs or config.jobs or cores(), config)
    click.echo(_paths(request, cwd, form, quiet=quiet))
    return 0


def _view(
    target: str, view: str, sequences: int | None, config: Config, cwd: Path, form: str
) -> str:
    """What is shown of the target in place of its paths: ``view``, else ``sequences``."""
    from unitcraft.app.exploration.explain_effects import show_effects
    from unitcraft.app.exploration.explain_inputs import show_inputs
    from unitcraft.app.exploration.explain_sequences import show_sequences
    from unitcraft.app.exploration.explain_summary import show_summary

    views = {"summary": show_summary, "effects": show_effects, "inputs": show_inputs}
    if view:
        return views[view](target, config, cwd, form)
    return show_sequences(target, sequences or 1, config, cwd, form)


def _paths(request: ExplainRequest, cwd: Path, form: str, *, quiet: bool) -> str:
    """The paths of the target as text or JSON, with progress on the terminal meanwhile."""
    from unitcraft.app.exploration.explain_command import run_explain
    from unitcraft.app.exploration.explain_report import as_plain, as_text
    from unitcraft.app.generate.console import LiveConsole, PlainConsole, is_live
    from unitcraft.app.json_document import render_document

    console = LiveConsole(cwd) if is_live(quiet=quiet) else PlainConsole(cwd, quiet=True)
    with console:
        console.started(request.target, 1, 1)
        explanation = run_explain(request, cwd, console)
    if form == "json":
        return render_document("explain", as_plain(explanation))
    return as_text(explanation)
