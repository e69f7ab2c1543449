"""``unitcraft report``: an HTML page of what the last runs came to.

Invariant: it runs nothing; it reads ``.unitcraft/`` and writes one file.
"""

from __future__ import annotations

from pathlib import Path

import click

from unitcraft.app.config import load


@click.command("report")
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option(
    "-o", "--output", "file", type=click.Path(dir_okay=False), metavar="FILE",
    help="Where the page goes. [.unitcraft/report.html]",
)  # fmt: skip
@click.option("--open", "show", is_flag=True, help="Open the page in a browser.")
def command(modules: tuple[str, ...], file: str | None, *, show: bool) -> int:
    """Write one HTML page about the last runs of generate, check, mutants run and explore.

    It has a table of the modules; their source with the branches that tests take, why others are
    not taken, and the tests that reach a line; surviving mutants; redundant tests; state graphs.
    The page needs no network and no script.

    \b
    Examples:
      unitcraft report --open
      unitcraft report shop.cart -o cart.html
    """  # noqa: D301
    cwd = Path.cwd()
    root = load(cwd).root
    from unitcraft.app.report.report_command import open_page, write_report

    path = root / ".unitcraft" / "report.html" if file is None else cwd / file
    write_report(root, modules, path)
    click.echo(str(path.relative_to(cwd) if path.is_relative_to(cwd) else path))
    if show:
        open_page(path)
    return 0
