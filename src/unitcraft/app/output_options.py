"""The flags of a run that concern its output only.

Invariant: two runs that differ in these flags alone generate the same suites.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import click

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
