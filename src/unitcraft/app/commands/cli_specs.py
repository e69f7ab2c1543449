"""``unitcraft specs``: prints laws that are true of a class.

Invariant: what is printed depends on the class, the flags and the seed alone.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import click

from unitcraft.app.commands.cli_explore import integers
from unitcraft.app.config import cores, load
from unitcraft.app.output_options import quiet_flag, text_form, with_flags
from unitcraft.app.project_flags import jobs_flag, project_flags, with_project
from unitcraft.app.terminal_text import say_progress


class _WordsAsTexts(ast.NodeTransformer):
    """A shell takes quotes away: a bare word is the text that it is."""

    def visit_Name(self, node: ast.Name) -> ast.Constant:
        return ast.Constant(node.id)


def _values(
    ctx: click.Context, param: click.Parameter, texts: tuple[str, ...]
) -> dict[str, tuple[object, ...]]:
    """The values of every ``NAME=V1,V2``: numbers, texts, truth values and None."""
    found: dict[str, tuple[object, ...]] = {}
    for text in texts:
        name, equals, values = text.partition("=")
        try:
            tree = _WordsAsTexts().visit(ast.parse(f"({values},)", mode="eval"))
            items = ast.literal_eval(tree) if name.strip().isidentifier() else ()
        except (SyntaxError, ValueError):
            items = ()
        atoms = (type(None), bool, int, float, str, bytes)
        if not equals or not items or not all(isinstance(item, atoms) for item in items):
            such = "such as size=1,2 or code=EUR,USD"
            message = f"{text!r} is not NAME=V1,V2 with numbers or texts, {such}"
            raise click.BadParameter(message, ctx, param)
        found[name.strip()] = items
    return found


#: Forms of the laws.
FORMS = ("text", "json", "markdown", "pytest", "hypothesis", "icontract", "docstring")
_flags = with_flags(
    click.argument("target", metavar="TARGET[:CLASS]"),
    click.option("--methods", metavar="A,B,...", help="Methods to speak of. [all public ones]"),
    click.option(
        "--ints",
        callback=integers,
        default="0..2",
        show_default=True,
        metavar="A..B",
        help="Integers to learn from; others confirm.",
    ),
    click.option(
        "--concrete",
        callback=_values,
        multiple=True,
        metavar="NAME=V1,V2",
        help="Give the parameter NAME these values only (may be repeated).",
    ),
    click.option(
        "--requires",
        multiple=True,
        metavar="METHOD: CONDITION",
        help="Only call METHOD where CONDITION holds, as in 'pop: not is_empty()'.",
    ),
    click.option(
        "--check",
        "checks",
        multiple=True,
        metavar="LAW",
        help="Count where LAW holds, as in 'top(push(S, e)) == e' (may be repeated).",
    ),
    text_form(FORMS, "laws"),
    click.option(
        "--all", "every", is_flag=True, help="Show laws of rare cases too, in text and Markdown."
    ),
    click.option("-o", "--output", type=click.Path(path_type=Path), help="Write them to a file."),
    click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of random walks. [0]"),
    jobs_flag,
    click.option("-v", "--verbose", is_flag=True, help="Say on standard error how far it is."),
    project_flags,
    quiet_flag,
)


class _Narrator:
    """Prints each step on standard error."""

    def progress(self, event: Any) -> None:
        """One line for each event."""
        click.echo(f"{event.target}: {event.phase} {event.done} ({event.note})", err=True)


@click.command("specs")
@_flags
def command(**flags: Any) -> int:
    """Print laws that are true of a class: what calls return, change and raise.

    S stands for any object of the class, push(S, value) for S after the call. Each law is learned
    from small universes of objects and values, and shown only if no larger one refutes it; the
    figures are the rows on which it held, and that it was tried on. What more values refuted is
    listed with the example that did.

    \b
    Examples:
      unitcraft specs shop.stack
      unitcraft specs shop.stack:IntStack --format markdown -o specs.md
      unitcraft specs shop.stack:IntStack --format pytest -o tests/test_laws.py
      unitcraft specs shop.stack:Stack --concrete capacity=2 --requires 'pop: not is_empty()'
      unitcraft specs shop.stack:Stack --check 'top(push(S, e)) == e'
    """  # noqa: D301
    cwd = Path.cwd()
    config = with_project(load(cwd), flags, cwd)
    say_progress(f"running {flags['target']} to see which laws hold")
    from unitcraft.app.atomic_write import write_atomically
    from unitcraft.app.exploration.specs_command import SpecsRequest, render_specs, run_specs

    methods = flags["methods"]
    request = SpecsRequest(
        flags["target"],
        tuple(name.strip() for name in methods.split(",")) if methods else (),
        flags["ints"],
        flags["concrete"],
        flags["requires"],
        flags["checks"],
        flags["jobs"] or config.jobs or cores(),
        config.seed if flags["seed"] is None else flags["seed"],
        config,
    )
    result = run_specs(request, cwd, _Narrator() if flags["verbose"] else None)
    text = render_specs(result, flags["form"], every=flags["every"])
    if flags["output"] is None:
        click.echo(text)
    else:
        write_atomically(cwd / flags["output"], text.rstrip("\n") + "\n")
    return 0
