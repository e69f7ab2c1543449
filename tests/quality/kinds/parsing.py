"""Texts of the standard library's formats."""

import csv
import io
import json
from datetime import date, datetime


def parse_day(text: str) -> date:
    """A day as ``31.12.2024`` or ``2024-12-31``."""
    if "." in text:
        return datetime.strptime(text, "%d.%m.%Y").date()
    return date.fromisoformat(text)


def total(text: str) -> int:
    """The sum of the column ``amount`` of some lines of CSV."""
    rows = csv.DictReader(io.StringIO(text))
    return sum(int(row["amount"]) for row in rows)


def names(text: str) -> list[str]:
    """The names of the members in a document of JSON."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("an object was expected")
    return sorted(member["name"] for member in data.get("members", []))
