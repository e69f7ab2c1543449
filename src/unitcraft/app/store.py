"""The store of finished results in ``.unitcraft/``, so that nothing is computed twice.

Beside it lie the records of the last runs, a JSON file each, for ``unitcraft report``.

Invariant: the store is only ever a saving of time: a missing, damaged, locked or
read-only store gives the same results, later.  An entry is written as soon as its
target is finished, in one transaction, so that an interrupted run loses only
the target it was working on.  A record that cannot be written or read is missing in the report and
changes no other answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, Self

from unitcraft.app.atomic_write import read_if_present, write_atomically
from unitcraft.core.errors import UnitcraftError

#: The directory of the store, beside the pyproject.toml with the settings.
DIRECTORY: Final = ".unitcraft"

#: Its file; the number changes with the schema, so that an older store is simply not seen.
FILE: Final = "store-1.sqlite3"

#: The folder of the records beside it.
RUNS: Final = "runs"

#: Entries kept; the oldest go first.  An entry is some 10 kB of compressible text.
MAX_ENTRIES: Final = 2_000

#: Seconds to wait for another unitcraft that is writing.
LOCK_SECONDS: Final = 5.0

_SCHEMA = """
create table if not exists result (
    key text primary key,
    target text not null,
    payload text not null
)
"""


class Memory(Protocol):
    """Remembers one text for each key."""

    def get(self, key: str) -> str | None:
        """The text kept under ``key``, or None."""

    def put(self, key: str, target: str, payload: str) -> None:
        """Keep ``payload`` under ``key``; ``target`` is for people who look inside."""


class NoMemory:
    """A Memory that keeps nothing: ``--no-cache``."""

    def get(self, key: str) -> None:
        """None, whatever the key."""

    def put(self, key: str, target: str, payload: str) -> None:
        """Forget it."""


class Store:
    """A Memory in a SQLite file.  Close it, or use it in a ``with``.

    ``warn`` receives a sentence, once, when the store cannot be used as it should.
    """

    def __init__(self, root: Path, warn: Callable[[str], None]) -> None:
        self._directory = root / DIRECTORY
        self._file = self._directory / FILE
        self._warn = warn
        self._connection: sqlite3.Connection | None = None
        self._open()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def get(self, key: str) -> str | None:
        """The payload kept under ``key``; None when there is none or it cannot be read."""
        row = self._run("select payload from result where key = ?", (key,))
        return row[0] if row and isinstance(row[0], str) else None

    def put(self, key: str, target: str, payload: str) -> None:
        """Keep ``payload``, durably, before returning; a store that cannot write is given up."""
        self._run("insert or replace into result values (?, ?, ?)", (key, target, payload))
        self._run(
            "delete from result where rowid <= (select max(rowid) from result) - ?", (MAX_ENTRIES,)
        )

    def close(self) -> None:
        """Release the file; the store remembers nothing afterwards."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _run(self, statement: str, values: tuple[str | int, ...]) -> tuple[object, ...] | None:
        """The first row of ``statement``, run as a transaction of its own, or None."""
        if self._connection is None:
            return None
        try:
            with self._connection:
                row: tuple[object, ...] | None = self._connection.execute(
                    statement, values
                ).fetchone()
                return row
        except sqlite3.OperationalError as error:  # locked, read-only, full
            self._give_up(error)
        except sqlite3.DatabaseError as error:
            self._recreate(error)
        return None

    def _open(self) -> None:
        try:
            self._directory.mkdir(parents=True, exist_ok=True)
            ignore = self._directory / ".gitignore"
            if not ignore.exists():
                ignore.write_text("*\n")
            self._connection = self._connected()
        except (OSError, sqlite3.OperationalError) as error:
            self._give_up(error)
        except sqlite3.DatabaseError as error:
            self._recreate(error)

    def _connected(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._file, timeout=LOCK_SECONDS)
        try:
            connection.execute("pragma journal_mode = wal")
            connection.execute("pragma synchronous = normal")
            connection.execute(_SCHEMA)
            connection.commit()
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _recreate(self, error: Exception) -> None:
        """Start again with an empty file: the lost results only cost time."""
        self.close()
        self._warn(f"the store {self._file} was damaged and has been emptied ({error})")
        try:
            for suffix in ("", "-wal", "-shm"):
                Path(f"{self._file}{suffix}").unlink(missing_ok=True)
            self._connection = self._connected()
        except (OSError, sqlite3.DatabaseError) as again:
            self._give_up(again)

    def _give_up(self, error: Exception) -> None:
        self.close()
        self._warn(f"working without the store {self._directory} ({error})")


class RunRecords:
    """The records of the project in ``root``."""

    def __init__(self, root: Path) -> None:
        self._folder = root / DIRECTORY / RUNS

    def keep(self, kind: str, name: str, data: Mapping[str, Any]) -> None:
        """Put a record in the place of an earlier one of that kind and name."""
        text = json.dumps({"name": name, **data}, sort_keys=True)
        with contextlib.suppress(UnitcraftError, OSError):
            ignore = self._folder.parent / ".gitignore"
            if not ignore.exists():
                write_atomically(ignore, "*\n")
            file = self._folder / _file_name(kind, name)
            if read_if_present(file) != text:  # each write waits for the disk: 0.2 s for 20 modules
                write_atomically(file, text)

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        """The records of that kind, sorted by name."""
        found: list[dict[str, Any]] = []
        for file in sorted(self._folder.glob(f"{kind}-*.json")):
            with contextlib.suppress(OSError, ValueError):
                record = json.loads(file.read_text(encoding="utf-8"))
                if isinstance(record, dict) and isinstance(record.get("name"), str):
                    found.append(record)
        return sorted(found, key=lambda record: str(record["name"]))


def digest_of_file(file: Path) -> str:
    """A digest of the content of ``file``; '' when it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError:
        return ""


def _file_name(kind: str, name: str) -> str:
    """A name that people recognise, and that two records never share."""
    telling = re.sub(r"[^\w.]+", "_", name)[:60]
    return f"{kind}-{telling}-{hashlib.sha256(name.encode()).hexdigest()[:8]}.json"
