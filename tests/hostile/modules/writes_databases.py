"""Opens databases and temporary files."""

from __future__ import annotations

import sqlite3
import tempfile


def store(path: str = "/tmp/unitcraft-sentinel/data.db") -> int:
    """Make a database outside."""
    with sqlite3.connect(path) as connection:
        connection.execute("create table t (x)")
    return 1


def memory() -> int:
    """A database in memory is fine."""
    with sqlite3.connect(":memory:") as connection:
        return connection.execute("select 1").fetchone()[0]


def scratch() -> int:
    """A temporary file is fine."""
    with tempfile.TemporaryFile() as stream:
        return stream.write(b"abc")


def double(x: int) -> int:
    """Twice ``x``: the harmless neighbour."""
    return 2 * x
