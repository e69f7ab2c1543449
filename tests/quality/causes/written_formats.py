"""Texts that the parsers of the standard library accept."""

import base64
import csv
import io
from datetime import date, datetime
from ipaddress import ip_address
from uuid import UUID


def quarter(text: str) -> int:
    """The quarter of a day as ``31.12.2024`` or ``2024-12-31``."""
    if "." in text:
        day = datetime.strptime(text, "%d.%m.%Y").date()
    else:
        day = date.fromisoformat(text)
    if day.month < 4:
        return 1
    return 4 if day.month > 9 else 2


def total(text: str) -> int:
    """The sum of the column ``amount``."""
    found = 0
    for row in csv.DictReader(io.StringIO(text)):
        if int(row["amount"]) > 0:
            found += int(row["amount"])
    return found


def kind(text: str) -> str:
    key, _, value = text.partition("=")
    if key == "id":
        return "new" if UUID(value).version else "old"
    if key == "address":
        return "private" if ip_address(value).is_private else "public"
    return base64.b64decode(value, validate=True).decode()
