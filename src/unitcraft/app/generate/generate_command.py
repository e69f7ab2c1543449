"""One run of ``generate``, from checked settings to report and exit code.

Invariant: the store, the console and the engine are opened here and closed whatever
happens; an interrupt in the middle leaves every finished target stored and written.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import click

from unitcraft.app.config import Config
from unitcraft.app.generate import generate_report
from unitcraft.app.generate.console import LiveConsole, PlainConsole, is_live
from unitcraft.app.generate.delivery import (
    Delivery,
    DiffDelivery,
    FileDelivery,
    TextDelivery,
    suites_of_gone_modules,
)
from unitcraft.app.generate.generate_targets import GenerateRequest, Summary, serve
from unitcraft.app.generate.generated_suite import GeneratedSuite, Options, options_of
from unitcraft.app.generate.in_place import PlaceCheck
from unitcraft.app.generate.run_hint import hint, missing_roots, write_config
from unitcraft.app.output_options import OutputOptions
from unitcraft.app.project_python import find_python
from unitcraft.app.store import Memory, NoMemory, RunRecords, Store, digest_of_file
from unitcraft.app.terminal_text import escape_control, say
from unitcraft.core.errors import UnitcraftError
from unitcraft.core.events import Listener
from unitcraft.core.interpreter import OWN, Interpreter
from unitcraft.subject.locate import Located

#: What became of a suite that ``unitcraft report`` may show: it is on the disk, or there is none.
RECORDED: Final = ("written", "unchanged", "empty")


def run(
    config: Config,
    cwd: Path,
    shape: OutputOptions,
    *,
    cached: bool,
    base: Path,
    since: str = "",
    began: float | None = None,
) -> int:
    """Generate for ``config.targets``, whose paths are relative to ``base``, and report.

    ``began`` is the monotonic time at which the command began, where the first budget does too.
    Returns the exit code: 0, 2, or 1 where suites are out of date and ``shape.check`` asks.
    """
    python = find_python(config, config.targets, base)
    if shape.verbose and python != OWN:
        say(f"python: {python.executable} ({python.dotted_version})")
    options = replace(options_of(config, python), began=began)
    request = GenerateRequest(config.targets, base, config, options, since)
    with _console(cwd, shape) as console, _memory(config.root, cached=cached) as memory:
        summary = serve(request, _generate, memory, _delivery(config, cwd, shape, python), console)
    if cached:
        _record(summary, config.root)
    if since and summary == Summary(()):
        say(f"nothing that was named changed since {since}")
        return 0
    _show(summary, cwd, shape)
    if not shape.stdout and not shape.quiet:
        _tell_how_to_run(summary, config, cwd, python, shape)
        _tell_what_is_gone(request, summary)
    stale = [one.label for one in summary.results if one.delivered.status == "stale"]
    if shape.check and stale and not shape.quiet:
        say(f"out of date: {', '.join(stale)}; `unitcraft generate` writes them")
    return _conclude(summary) or int(shape.check and bool(stale))


def _generate(located: Located, options: Options, listener: Listener) -> GeneratedSuite:
    """The suite of one module by the engine, which is loaded when a module has none yet."""
    from unitcraft.app.generate.generate_module import generate

    return generate(located, options, listener)


def _record(summary: Summary, root: Path) -> None:
    """Keep the results whose suites are on the disk for ``unitcraft report``."""
    records = RunRecords(root)
    for one in summary.results:
        if one.source is None or one.delivered.status not in RECORDED:
            continue
        data = {
            **generate_report.plain_target(one, root),
            "source": os.path.relpath(one.source, root),
            "digest": digest_of_file(one.source),
            "reached": asdict(one.generated.reached),
            "never": one.generated.never,
        }
        records.keep("generate", one.label, data)
    last = generate_report.as_plain(summary, root)
    records.keep("run", "generate", {key: last[key] for key in ("empty", "failures")})


def _tell_how_to_run(
    summary: Summary, config: Config, cwd: Path, python: Interpreter, shape: OutputOptions
) -> None:
    """Say, or settle, how pytest imports the code, where it could not do so by itself."""
    roots = missing_roots(summary.results, config, cwd, python)
    if shape.write_config:
        say(write_config(roots, config, cwd))
        return
    text = hint(roots, config, cwd, config.root / config.output)
    if text:
        say(text)


def _tell_what_is_gone(request: GenerateRequest, summary: Summary) -> None:
    """Name the suites whose module is gone: pytest cannot import them."""
    served = {one.generated.module for one in summary.results}  # also from folders elsewhere

    def is_found(module: str) -> bool:
        try:
            return module in served or bool(request.locate(module))
        except UnitcraftError as error:
            return error.slug != "target-not-found"

    config = request.config
    for file, module in suites_of_gone_modules(config.root / config.output, config.root, is_found):
        shown = file.relative_to(config.root) if file.is_relative_to(config.root) else file
        say(f"{shown} was written for {module}, which is gone: remove it, or what is yours in it.")


def _console(cwd: Path, shape: OutputOptions) -> PlainConsole:
    if is_live(quiet=shape.quiet):
        return LiveConsole(cwd, verbose=shape.verbose)
    return PlainConsole(cwd, quiet=shape.quiet, verbose=shape.verbose)


def _memory(root: Path, *, cached: bool) -> AbstractContextManager[Memory]:
    return Store(root, lambda text: say(f"warning: {text}")) if cached else nullcontext(NoMemory())


def _delivery(config: Config, cwd: Path, shape: OutputOptions, python: Interpreter) -> Delivery:
    files = FileDelivery(config.root / config.output, PlaceCheck(config, python))
    if shape.diff or shape.check:
        return DiffDelivery(files, _print_raw if shape.diff else _print_nothing, cwd)
    return TextDelivery(_print_raw) if shape.stdout else files


def _print_raw(text: str) -> None:
    click.echo(text, nl=False)


def _print_nothing(text: str) -> None:
    """Show nothing of a difference."""
    del text


def _show(summary: Summary, cwd: Path, shape: OutputOptions) -> None:
    """Print the report; to standard error when standard output carries the suites."""
    if shape.form == "json":
        text = generate_report.as_json(summary, cwd)
    elif shape.form == "summary":
        text = generate_report.brief(summary)
    elif shape.form == "concise":
        text = generate_report.concise(summary, cwd)
    else:
        text = "" if shape.quiet else generate_report.full(summary, cwd, everything=shape.verbose)
    if text:
        click.echo(escape_control(text), err=shape.stdout or shape.diff)


def _conclude(summary: Summary) -> int:
    if summary.failures:
        return 2
    if any(result.generated.text for result in summary.results):
        return 0
    say(f"error: {_nothing_to_test(summary)}")
    return 2


def _nothing_to_test(summary: Summary) -> UnitcraftError:
    """The error for a run in which no target got a test."""
    if len(summary.empty) == 1 and not summary.results:
        return summary.empty[0].error
    labels = [*(result.label for result in summary.results), *(one.label for one in summary.empty)]
    cause = "the report names what stood in the way" if labels else "`exclude` leaves none of them"
    return UnitcraftError(
        "nothing-to-test",
        "no test could be written for " + (", ".join(labels) or "the given targets"),
        cause=cause,
        advice="`unitcraft explain CODE` explains each code; or name another target",
    )
