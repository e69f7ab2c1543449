"""``unitcraft generate``: flags over settings over defaults, then one run and its report.

Invariant: a flag that is not given never hides a setting of pyproject.toml.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from unitcraft.app import config as settings
from unitcraft.app.config import Config
from unitcraft.app.output_options import OutputOptions, report_form, with_flags
from unitcraft.app.project_flags import jobs_flag, project_flags, with_project
from unitcraft.app.terminal_text import say
from unitcraft.core import criteria


def _criteria(_context: click.Context, _option: click.Parameter, text: str) -> tuple[str, ...]:
    try:
        return criteria.parse_criteria(text)
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


_flags = with_flags(
    click.argument("targets", nargs=-1, metavar="[TARGET]..."),
    click.option("-o", "--output", metavar="DIR", help="Directory for test files. [tests]"),
    click.option("--stdout", is_flag=True, help="Print the suites; write no file."),
    click.option("--diff", is_flag=True, help="Print what would change; write no file."),
    click.option(
        "--check", is_flag=True, help="Write no file; exit with 1 when a file would change."
    ),
    click.option(
        "--since",
        default="",
        metavar="REV",
        help="Only modules that changed since REV (git), or that import such a module.",
    ),
    click.option(
        "--write-config",
        is_flag=True,
        help="Add the folders that the tests import from to the settings of pytest.",
    ),
    jobs_flag,
    click.option("--seed", type=click.IntRange(0), metavar="N", help="Seed of every choice. [0]"),
    click.option(
        "--steps",
        type=click.IntRange(1),
        metavar="N",
        help="Steps (turns of loops, calls) that one run may take.",
    ),
    click.option(
        "--budget",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Wall-clock cap for all work on a module; the result then depends on the machine.",
    ),
    click.option(
        "--criterion",
        default="",
        callback=_criteria,
        metavar="NAMES",
        help=f"What tests are kept for, with commas: {', '.join(criteria.NAMES)}.",
    ),
    click.option(
        "--scope",
        type=click.IntRange(1),
        metavar="N",
        help="Objects of each class in the heaps of the criterion field. [3]",
    ),
    click.option(
        "--rep-ok",
        metavar="NAME",
        help="Method, function, or expression over self that tells valid heaps; `inferred` to infer"
        " one where there is none. [found by name or mark]",
    ),
    click.option(
        "--transcope",
        type=click.Choice(settings.TRANSCOPINGS),
        help="End the search of these heaps at the coverage, or work, that small scopes predict.",
    ),
    click.option(
        "--symbolic/--no-symbolic",
        default=None,
        help="Follow runs on symbolic values and solve for other branches. [on]",
    ),
    click.option(
        "--mocks/--no-mocks",
        default=None,
        help="Replace functions and objects that tests cannot have otherwise. [on]",
    ),
    click.option(
        "--allow",
        multiple=True,
        metavar="EVENT:ARG",
        help="Let an effect through the sandbox (may be repeated).",
    ),
    click.option(
        "--sandbox",
        type=click.Choice(settings.SANDBOXES),
        help="How strictly runs are guarded. [standard]",
    ),
    project_flags,
    click.option("--no-cache", is_flag=True, help="Neither read nor write .unitcraft/."),
    report_form("full", "concise", "json", names=("--output-format", "--format")),
    click.option(
        "--summary", is_flag=True, help="Report only how many targets have a suite, and why not."
    ),
    click.option("--exit-zero", is_flag=True, help="Exit with 0 even when a target failed."),
    click.option("-q", "--quiet", is_flag=True, help="Print errors only."),
    click.option("-v", "--verbose", is_flag=True, help="Print every phase and every finding."),
)


@click.command("generate")
@_flags
def command(*, exit_zero: bool, no_cache: bool, **flags: Any) -> int:
    """Write a pytest suite for each TARGET.

    A TARGET is a file, a directory, a dotted module or package, module:Class, or
    module:Class.method. Without one, the targets of [tool.unitcraft] are taken. Every test has
    been run on the original code in fresh processes before it is written; tests that you edited
    are kept.

    \b
    Examples:
      unitcraft generate src/shop/cart.py
      unitcraft generate shop -o tests/generated -j 4
      unitcraft generate shop.cart:Cart.add --stdout
      unitcraft generate shop --diff
      unitcraft generate shop --check
      unitcraft generate shop --since main
      unitcraft generate shop --output-format json > report.json
      unitcraft generate shop --summary

    Exit codes: 0 the suites are written (even when parts cannot be tested: the report says why),
    1 with --check: a suite is out of date, 2 a target failed or the usage is wrong, 130 interrupted
    (the same command resumes).
    """  # noqa: D301
    began = time.monotonic()
    form = "summary" if flags["summary"] else flags["form"]
    shape = OutputOptions(
        flags["stdout"], flags["diff"], form, flags["quiet"], flags["verbose"], flags["check"],
        flags["write_config"],
    )  # fmt: skip
    if shape.stdout and (shape.diff or shape.check):
        raise click.UsageError("--stdout excludes --diff and --check")
    cwd = Path.cwd()
    config = overridden(settings.load(cwd), cwd, flags)
    if not config.targets:
        raise click.UsageError(
            "name a TARGET (a file, a directory, a module), or set `targets` in [tool.unitcraft]"
        )
    if not shape.quiet:
        say(f"writing tests for {' '.join(config.targets)}")
    from unitcraft.app.generate.generate_command import run

    base = base_of(flags["targets"], cwd, config)
    code = run(
        config, cwd, shape, cached=not no_cache, base=base, since=flags["since"], began=began
    )
    return 0 if exit_zero else code


def base_of(targets: Sequence[str], cwd: Path, config: Config) -> Path:
    """The folder that paths among the targets are relative to: those of a setting, to its file."""
    return cwd if targets else config.root


def overridden(config: Config, cwd: Path, flags: dict[str, Any]) -> Config:
    """``config`` with the flags that were given; paths given as flags are relative to ``cwd``."""
    names = (
        "targets",
        "jobs",
        "seed",
        "steps",
        "budget",
        "sandbox",
        "criterion",
        "scope",
        "transcope",
        "rep_ok",
        "symbolic",
        "mocks",
    )
    given = {name: flags[name] for name in names if flags[name] not in (None, ())}
    if flags["output"] is not None:
        given["output"] = str(cwd / flags["output"])
    given["allow"] = (*config.allow, *flags["allow"])
    return with_project(replace(config, **given), flags, cwd)
