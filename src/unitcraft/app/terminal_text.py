"""Text in columns, the same on a terminal and in a file, and safe to print.

Invariant: the widest cell decides the width of a column; no line ends with a space.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import click

#: Tests, effects or subjects that one line names.
MAX_NAMED: Final = 3


def align(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> str:
    """Columns separated by two spaces; those of ``left`` flush left, the others right."""
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    flush = frozenset(left)
    return "\n".join(
        "  ".join(
            cell.ljust(width) if index in flush else cell.rjust(width)
            for index, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )


def counted(number: int, noun: str) -> str:
    """``1 test``, ``2 tests``, ``2 branches``."""
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{number} {noun if number == 1 else plural}"


def first_few(names: Sequence[str]) -> str:
    """Some names, the first few spelled out."""
    more = f" and {len(names) - MAX_NAMED} more" if len(names) > MAX_NAMED else ""
    return f"{', '.join(names[:MAX_NAMED])}{more}"


def escape_control(text: str) -> str:
    """``text`` with control characters and lone surrogates spelled out: it may quote a Subject."""
    return "".join(
        char if char.isprintable() or char == "\n" else char.encode("unicode_escape").decode()
        for char in text
    )


def say(text: str) -> None:
    """One message on standard error."""
    click.echo(escape_control(text), err=True)


def is_quiet() -> bool:
    """Was the command that runs here told to print no progress (``--quiet``)?"""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("quiet"))


def say_progress(text: str) -> None:
    """One message about work that goes on, unless nobody wants to see it."""
    if not is_quiet():
        say(text)
