"""A table in a database."""

import sqlite3


class Accounts:
    def __init__(self, path: str = ":memory:") -> None:
        self.connection = sqlite3.connect(path)
        self.connection.execute("CREATE TABLE account (name TEXT PRIMARY KEY, cents INTEGER)")

    def open(self, name: str, cents: int = 0) -> None:
        try:
            self.connection.execute("INSERT INTO account VALUES (?, ?)", (name, cents))
        except sqlite3.IntegrityError:
            raise ValueError(f"{name} exists") from None

    def balance(self, name: str) -> int:
        row = self.connection.execute(
            "SELECT cents FROM account WHERE name = ?", (name,)
        ).fetchone()
        if row is None:
            raise KeyError(name)
        return row[0]

    def total(self) -> int:
        (cents,) = self.connection.execute("SELECT sum(cents) FROM account").fetchone()
        return cents or 0
