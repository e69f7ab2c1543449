"""``unitcraft check``: finds redundant, weak, flaky and unhermetic tests of an existing suite.

Invariant: the suite runs in guarded processes only; without ``--fix`` no file of it is changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from unitcraft.app.output_options import report_form
from unitcraft.app.suites.suite_flags import fix_flags, request_of, suite_flags


@click.command("check")
@click.argument("tests", nargs=-1, metavar="[TESTS]...")
@suite_flags
@click.option(
    "--select", default="UC", metavar="CODES", show_default=True,
    help="Codes to report, or beginnings of codes, separated by commas.",
)  # fmt: skip
@click.option("--ignore", default="", metavar="CODES", help="Codes to leave out.")
@click.option(
    "--kills", type=click.Path(exists=True, dir_okay=False), metavar="FILE",
    help="JSON object: how many mutants each test kills, by its node id (for UC203)."
    " [what mutants run --each-test found]",
)  # fmt: skip
@fix_flags
@report_form("full", "concise", "json", "junit", "sarif", "github")
@click.option(
    "--baseline", type=click.Path(dir_okay=False), metavar="FILE",
    help="Leave out the findings that FILE knows.",
)  # fmt: skip
@click.option(
    "--since", metavar="REV", default="", help="Only findings about tests changed since REV (git)."
)
@click.option("--write-baseline", is_flag=True, help="Write all findings into the --baseline.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 whatever was found.")
def command(tests: tuple[str, ...], form: str, *, exit_zero: bool, **flags: Any) -> int:
    """Find tests that execute nothing new, assert nothing, or do not repeat.

    Runs the tests under pytest and records every call of the subjects that they make: on which
    object state, with which arguments. A test that only repeats calls of earlier tests is
    redundant (UC1). Tests without an assertion that can fail are weak (UC2). A second run with
    another order, hash seed and date shows which are flaky, and the guard which reach outside
    (UC3). Exit code 1 when there are findings.

    \b
    Examples:
      unitcraft check tests --subject shop
      unitcraft check tests -s shop --select UC1,UC3 --format github
      unitcraft check tests -s shop --diff
      unitcraft check tests -s shop --since main
      unitcraft check tests -s shop --baseline known.json --write-baseline
    """  # noqa: D301
    wish = request_of(tests, flags)
    if flags["write_baseline"] and flags["baseline"] is None:
        raise click.UsageError("--write-baseline needs --baseline FILE")
    from unitcraft.app.store import RunRecords
    from unitcraft.app.suites.baseline import only_changed, without_known, write_baseline
    from unitcraft.app.suites.check_command import CheckRequest, run_check
    from unitcraft.app.suites.check_report import as_plain, render_report

    cwd = Path.cwd()
    if flags["fix"] or flags["diff"]:
        from unitcraft.app.suites.fix import fix_suite

        click.echo(fix_suite(wish, cwd, write=not flags["diff"], unsafe=flags["unsafe"]))
        return 0
    codes = (_codes(flags["select"]) or ("UC",), _codes(flags["ignore"]))
    kills = _kill_counts(flags["kills"], wish.config.root)
    result = run_check(CheckRequest(wish, *codes, kills, unsafe=flags["unsafe"]), cwd)
    file = None if flags["baseline"] is None else cwd / flags["baseline"]
    if file is not None and flags["write_baseline"]:
        click.echo(f"{flags['baseline']}: {write_baseline(file, result)} findings")
        return 0
    result = only_changed(result, flags["since"]) if flags["since"] else result
    result = result if file is None else without_known(file, result)
    name = " ".join([*tests, *(f"-s {subject}" for subject in flags["subjects"])])
    RunRecords(wish.config.root).keep("check", name, as_plain(result))
    click.echo(render_report(result, form))
    return 1 if result.findings and not exit_zero else 0


def _codes(text: str) -> tuple[str, ...]:
    return tuple(code.strip() for code in text.split(",") if code.strip())


def _kill_counts(file: str | None, root: Path) -> Mapping[str, int] | None:
    """Kills of each test: from ``file``, else from ``mutants run --each-test`` on the current code.

    Raises UsageError when the file holds something else.
    """
    if file is None:
        from unitcraft.app.mutants.verdict_store import VerdictStore

        kept = VerdictStore(root).kills
        return kept.counts if kept is not None and kept.is_current else None
    try:
        found = json.loads(Path(file).read_text(encoding="utf-8"))
        return {str(node): int(count) for node, count in found.items()}
    except (ValueError, AttributeError, TypeError) as error:
        raise click.UsageError(f"{file} is no JSON object of node ids and counts") from error
