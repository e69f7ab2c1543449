"""Members from a table, with the columns that are required."""

import csv
from datetime import datetime

REQUIRED = ["name", "joined"]
FORMATS = ("%Y-%m-%d", "%d.%m.%Y")


class ImportFailed(Exception):
    pass


def parse_date(value):
    for form in FORMATS:
        try:
            return datetime.strptime(value, form).date()
        except ValueError:
            pass
    raise ValueError(f"unknown date format: {value!r}")


def read_members(path):
    with open(path, newline="") as file:
        reader = csv.DictReader(file)
        missing = [name for name in REQUIRED if name not in (reader.fieldnames or [])]
        if missing:
            raise ImportFailed("missing columns: " + ", ".join(missing))
        return {row["name"]: parse_date(row["joined"]) for row in reader}
