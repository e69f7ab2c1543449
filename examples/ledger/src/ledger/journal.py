"""Reads the lines of a journal: ``2024-02-29 cash -> rent 450.00 EUR ; February``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date

from .money import Money

LINE = re.compile(
    r"(?P<day>\d{4}-\d{2}-\d{2})\s+(?P<source>\w+)\s*->\s*(?P<target>\w+)\s+"
    r"(?P<amount>[-+]?\d+(?:\.\d+)?\s[A-Z]{3})\s*(?:;\s*(?P<note>.*))?"
)


class JournalError(ValueError):
    """A line that cannot be read; ``line`` is its number, counted from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True)
class Entry:
    """One movement of money."""

    day: date
    source: str
    target: str
    amount: Money
    note: str = ""
    tags: tuple[str, ...] = field(default=(), compare=False)

    def reversed(self) -> Entry:
        """The entry that undoes this one."""
        return Entry(self.day, self.target, self.source, self.amount, f"reversal: {self.note}")


def parse_line(text: str, number: int = 1) -> Entry | None:
    """Read one line; None for a blank line or a comment."""
    stripped = text.strip()
    if not stripped or stripped.startswith("#"):
        return None
    match = LINE.fullmatch(stripped)
    if match is None:
        raise JournalError(number, "expected: DATE SOURCE -> TARGET AMOUNT CURRENCY [; NOTE]")
    try:
        day = date.fromisoformat(match["day"])
        amount = Money.parse(match["amount"])
    except ValueError as error:
        raise JournalError(number, str(error)) from error
    if amount.minor <= 0:
        raise JournalError(number, "the amount must be positive")
    note = match["note"] or ""
    return Entry(day, match["source"], match["target"], amount, note, find_tags(note))


def find_tags(note: str) -> tuple[str, ...]:
    """The words of ``note`` that start with ``#``, in lower case, each once.

    >>> find_tags("paid #Rent and #rent, #Late!")
    ('rent', 'late')
    """
    seen: list[str] = []
    for word in note.split():
        tag = word.strip(",.!?").lower()
        if len(tag) > 1 and tag.startswith("#") and tag[1:] not in seen:
            seen.append(tag[1:])
    return tuple(seen)


def parse_journal(text: str) -> list[Entry]:
    """Read all lines, in the order of their days."""
    entries = [
        entry
        for number, line in enumerate(text.splitlines(), start=1)
        if (entry := parse_line(line, number)) is not None
    ]
    return sorted(entries, key=lambda entry: entry.day)
