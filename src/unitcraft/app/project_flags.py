"""The flags that say how code of the project runs, which every command that does so takes.

Invariant: nothing of the engine is imported here, and no interpreter is started.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from unitcraft.app.config import Config, names_function
from unitcraft.app.output_options import with_flags

#: How many processes run the code at a time.
jobs_flag: Final = click.option(
    "-j", "--jobs", type=click.IntRange(1), metavar="N", help="Workers. [one for each core]"
)


def _variables(
    context: click.Context, option: click.Parameter, texts: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """(name, value) of every ``NAME=VALUE``; a ``NAME`` alone has the value that it has here."""
    found = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not name or (not equals and name not in os.environ):
            why = "is not set here: give it a value" if name else "has no name"
            message = f"{text!r} {why}, as in NAME=VALUE"
            raise click.BadParameter(message, context, option)
        found.append((name, value if equals else os.environ[name]))
    return tuple(found)


def _functions(
    context: click.Context, option: click.Parameter, texts: tuple[str, ...]
) -> tuple[str, ...]:
    for text in texts:
        if not names_function(text):
            raise click.BadParameter(f"{text!r} is no MODULE:FUNCTION", context, option)
    return texts


#: The flags that ``with_project`` reads.
project_flags: Final = with_flags(
    click.option(
        "--python",
        metavar="PATH",
        help="Interpreter or virtual environment of the project. [VIRTUAL_ENV, .venv, our own]",
    ),
    click.option(
        "--env",
        multiple=True,
        callback=_variables,
        metavar="NAME[=VALUE]",
        help="Set a variable of the environment for the code; alone, hand ours on. [none]",
    ),
    click.option(
        "--before-import",
        multiple=True,
        callback=_functions,
        metavar="MODULE:FUNCTION",
        help="Call a function before the code is imported, as django:setup. [none]",
    ),
)


def with_project(config: Config, flags: Mapping[str, Any], cwd: Path) -> Config:
    """``config`` with the interpreter, the variables and the functions of the flags.

    The interpreter is a path as seen from ``cwd``, or a command.
    """
    config = replace(
        config,
        env=tuple({**dict(config.env), **dict(flags["env"])}.items()),
        before_import=tuple(dict.fromkeys([*config.before_import, *flags["before_import"]])),
    )
    given = flags["python"]
    if given is None:
        return config
    is_path = os.sep in given or (cwd / given).exists()
    return replace(config, python=str(cwd / given) if is_path else given)
