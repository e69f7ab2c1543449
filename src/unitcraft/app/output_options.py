"""The flags of a run that concern its output only, and the decorator that gives a command flags.

Invariant: two runs that differ in these flags alone generate the same suites.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

#: ``terminal_text.is_quiet`` reads it.
quiet_flag: Final = click.option("-q", "--quiet", is_flag=True, help="Print no progress.")


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """Where suites and report go, and how much goes to standard error.

    ``form`` is the form of the report: full, concise or json.  ``check``: write nothing and fail
    where a file is out of date; ``write_config``: let pytest import what the suites test.
    """

    stdout: bool = False
    diff: bool = False
    form: str = "full"
    quiet: bool = False
    verbose: bool = False
    check: bool = False
    write_config: bool = False


class TextForm(click.Choice[str]):
    """``text`` or another form; ``full``, as other commands call what people read, will do."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The form that was asked for."""
        return super().convert("text" if value == "full" else value, param, ctx)


def text_form(forms: Iterable[str], shown: str) -> Callable[[Command], Command]:
    """The flag for the form in which ``shown`` is printed, text unless another is asked for."""
    return click.option(
        "--format", "form", type=TextForm(forms), default="text", show_default=True,
        help=f"Form of the {shown}.",
    )  # fmt: skip


def report_form(
    *forms: str, names: tuple[str, ...] = ("--format",), remark: str = ""
) -> Callable[[Command], Command]:
    """The flag for the form of a report, full unless another is asked for."""
    return click.option(
        *names, "form", type=click.Choice(forms), default="full", show_default=True,
        help=f"Form of the report{remark}.",
    )  # fmt: skip


def with_flags(*flags: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """A decorator that gives a command ``flags``, in the order of its help."""

    def give(command: Command) -> Command:
        for flag in reversed(flags):
            command = flag(command)
        return command

    return give
