"""``unitcraft mutants``: mutation testing, which small changes of the code a suite detects.

Invariant: the suite runs in guarded processes only; only ``kill`` writes a file, a new one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from unitcraft.app.config import SANDBOXES, Config, load
from unitcraft.app.output_options import report_form
from unitcraft.app.project_flags import project_flags, with_project
from unitcraft.app.terminal_text import counted, say

_FORM = report_form("full", "concise", "json")


@click.group("mutants")
def command() -> None:
    """Change the code under test in small ways and see which mutants the tests kill.

    \b
    Examples:
      unitcraft mutants run tests --subject shop
      unitcraft mutants list --verdict survived
      unitcraft mutants show shop.cart:Cart.add:3
      unitcraft mutants kill shop.cart:Cart.add:3
    """  # noqa: D301


@command.command("run")
@click.argument("tests", nargs=-1, metavar="[TESTS]...")
@click.option(
    "-s", "--subject", "subjects", multiple=True, required=True, metavar="MODULE",
    help="Module or package to change; may be repeated.",
)  # fmt: skip
@click.option("--since", default="", metavar="REV", help="Only functions changed since REV (git).")
@click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N",
    help="Mutants tried at a time. [one for each core]",
)  # fmt: skip
@click.option("--anew", is_flag=True, help="Try mutants again that an earlier run has tried.")
@click.option(
    "--each-test", "each", is_flag=True,
    help="Also find out which tests kill no mutant, for UC203 of check.",
)  # fmt: skip
@click.option(
    "--pytest-arg", "options", multiple=True, metavar="ARG", help="Hand an argument on to pytest."
)
@click.option("--sandbox", type=click.Choice(SANDBOXES), help="How strictly the tests are guarded.")
@click.option("--allow", multiple=True, metavar="EVENT:ARG", help="Let an effect through.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=86_400.0, show_default=True, metavar="S",
    help="Wall time for the whole run.",
)  # fmt: skip
@project_flags
@_FORM
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when mutants live.")
def run_command(tests: tuple[str, ...], **flags: Any) -> int:
    """Try every mutant of the subjects on the tests that reach it.

    The verdicts are kept in .unitcraft/: interrupted, the same command resumes. Exit code 1 when a
    mutant is not killed.
    """
    cwd = Path.cwd()
    config = with_project(load(cwd), flags, cwd)
    if not flags["quiet"]:
        say(f"running {' '.join(tests) or 'the tests'} without a mutant first")
    from unitcraft.app.mutants.mutants_command import MutantsRequest, render_report, run

    request = MutantsRequest(
        (*tests, *flags["options"]), flags["subjects"], flags["since"],
        flags["jobs"] or config.jobs, flags["sandbox"] or config.sandbox,
        (*config.allow, *flags["allow"]), flags["seconds"], flags["anew"], config, flags["each"],
    )  # fmt: skip
    finished = run(request, cwd, quiet=flags["quiet"])
    click.echo(render_report(finished, flags["form"]))
    alive = any(not one.is_killed for one in finished.judged)
    return 1 if alive and not flags["exit_zero"] else 0


@command.command("list")
@click.option(
    "--verdict", "verdicts", multiple=True, metavar="VERDICT",
    help="killed, survived, not-covered, assertion, exception, timeout, died; may be repeated.",
)  # fmt: skip
@click.option("--module", default="", metavar="MODULE", help="Only mutants of this module.")
@click.option("--function", default="", metavar="NAME", help="Only mutants of this function.")
@_FORM
def list_command(verdicts: tuple[str, ...], module: str, function: str, form: str) -> int:
    """List the mutants of earlier runs with their verdicts."""
    from unitcraft.app.mutants.mutants_command import list_mutants

    click.echo(list_mutants(load(Path.cwd()).root, verdicts, module, function, form))
    return 0


@command.command("show")
@click.argument("mutant", metavar="ID")
@_FORM
def show_command(mutant: str, form: str) -> int:
    """Show the change, the verdict, and the tests that reach it."""
    from unitcraft.app.mutants.mutants_command import render_mutant
    from unitcraft.app.mutants.verdict_store import VerdictStore

    click.echo(render_mutant(VerdictStore(load(Path.cwd()).root), mutant, form, Path.cwd()))
    return 0


@command.command("kill")
@click.argument("mutant", metavar="[ID]", default="")
@click.option(
    "--all", "every", is_flag=True, help="Kill all mutants that live, with one file a module."
)
@click.option("-o", "--output", metavar="DIR", help="Directory for the test file. [tests]")
@click.option("--stdout", is_flag=True, help="Print the test; write no file.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
@project_flags
def kill_command(
    mutant: str,
    output: str | None,
    *,
    every: bool,
    stdout: bool,
    quiet: bool,
    **flags: Any,
) -> int:
    """Write a test that kills a surviving mutant, or tests that kill all of them.

    Searches as `generate` does, restricted to the function, and keeps one test that passes on the
    code as it is and fails on the mutant. Exit code 1 when none was found; the message says why.
    """
    if bool(mutant) == every:
        raise click.UsageError("name one mutant, or give --all")
    cwd = Path.cwd()
    config = with_project(load(cwd), flags, cwd)
    folder = cwd / output if output is not None else config.root / config.output
    if not quiet:
        say(f"looking for tests that kill {'the survivors' if every else mutant}")
    if every:
        return _kill_all(config, cwd, None if stdout else folder)
    from unitcraft.app.mutants.kill_mutant import kill

    killed = kill(config.root, mutant, cwd, config, None if stdout else folder)
    if not killed.text:
        click.echo(killed.why)
        return 1
    click.echo(killed.text if stdout else f"{mutant}: killed by {killed.path}")
    return 0


def _kill_all(config: Config, cwd: Path, folder: Path | None) -> int:
    from unitcraft.app.mutants.kill_survivors import kill_survivors
    from unitcraft.core.events import SilentListener

    found = kill_survivors(config.root, cwd, config, folder, SilentListener())
    for one in found:
        if folder is None:
            click.echo(one.text, nl=False)
        else:
            where = f" by {one.path}" if one.path else ""
            click.echo(
                f"{one.module}: {counted(len(one.killed), 'mutant')} killed{where}, "
                f"{len(one.left)} left"
            )
    if not found:
        click.echo("no mutant lives")
    return 1 if any(one.left for one in found) else 0
