"""``unitcraft check``: finds tests of an existing suite that repeat what others do.

Invariant: the suite runs in a guarded process only, and no file of it is changed.
"""

from __future__ import annotations

from pathlib import Path

import click

from unitcraft.app.config import SANDBOXES, load

#: The techniques by the names of the literature, strictest first.
TECHNIQUES = ("WholeSeq", "ModifyingSeq", "WholeState", "MonitorEquals", "PairwiseEquals")


@click.command("check")
@click.argument("tests", nargs=-1, metavar="[TESTS]...")
@click.option(
    "-s", "--subject", "subjects", multiple=True, required=True, metavar="MODULE",
    help="Module or package that the tests are about; may be repeated.",
)  # fmt: skip
@click.option(
    "--state-repr", "technique", type=click.Choice(TECHNIQUES, case_sensitive=False),
    default="WholeState", show_default=True,
    help="The most generous technique whose findings are listed.",
)  # fmt: skip
@click.option(
    "--inner", is_flag=True, help="Count the calls that the subjects make themselves too."
)
@click.option(
    "--pytest-arg", "options", multiple=True, metavar="ARG", help="Hand an argument on to pytest."
)
@click.option("--sandbox", type=click.Choice(SANDBOXES), help="How strictly the tests are guarded.")
@click.option("--allow", multiple=True, metavar="EVENT:ARG", help="Let an effect through.")
@click.option(
    "--seconds", type=click.FloatRange(1), default=600.0, show_default=True, metavar="S",
    help="Wall time that the suite may take.",
)  # fmt: skip
@click.option(
    "--format", "form", type=click.Choice(["full", "concise", "json"]), default="full",
    show_default=True, help="Form of the report.",
)  # fmt: skip
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
def command(
    tests: tuple[str, ...],
    subjects: tuple[str, ...],
    technique: str,
    options: tuple[str, ...],
    sandbox: str | None,
    allow: tuple[str, ...],
    seconds: float,
    form: str,
    *,
    inner: bool,
    exit_zero: bool,
) -> int:
    """Find tests that execute nothing new.

    Runs the tests once under pytest and records every call of the subjects that they make: on
    which object state, with which arguments. A test that only repeats calls of earlier tests is
    redundant. Exit code 1 when there are any.

    \b
    Examples:
      unitcraft check tests --subject shop
      unitcraft check tests/test_cart.py -s shop.cart --state-repr PairwiseEquals
    """  # noqa: D301
    cwd = Path.cwd()
    config = load(cwd)
    from unitcraft.app.checking import Wish, checked, shown

    wish = Wish(
        (*tests, *options), subjects, technique, inner, sandbox or config.sandbox,
        (*config.allow, *allow), seconds, config,
    )  # fmt: skip
    result = checked(wish, cwd)
    click.echo(shown(result, form))
    return 1 if result.findings and not exit_zero else 0
