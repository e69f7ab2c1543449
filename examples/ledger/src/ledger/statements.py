"""Prints an account as a statement of fixed width."""

from __future__ import annotations

from collections.abc import Iterable

from .accounts import Account, AccountKind


def thousands(amount: int) -> str:
    """Minor units as a decimal number with separators.

    >>> thousands(-123456)
    '-1,234.56'
    """
    sign = "-" if amount < 0 else ""
    whole, cents = divmod(abs(amount), 100)
    return f"{sign}{whole:,}.{cents:02d}"


def shorten(text: str, width: int) -> str:
    """``text`` in at most ``width`` characters, with an ellipsis where it was cut."""
    if width < 3:
        raise ValueError("width must be at least 3")
    if len(text) <= width:
        return text
    cut = text[: width - 2].rstrip()
    return f"{cut}.."


def heading(account: Account) -> str:
    """The first line: name, kind, and a warning where one is due."""
    title = account.name.title()
    if account.kind is not AccountKind.CHECKING:
        title += f" ({account.kind.value})"
    if account.frozen:
        return f"{title} [FROZEN]"
    if account.balance < 0:
        return f"{title} [OVERDRAWN]"
    return title


def running(changes: Iterable[int]) -> list[int]:
    """The balance after each change."""
    balance = 0
    balances = []
    for change in changes:
        balance += change
        balances.append(balance)
    return balances


def statement(account: Account, width: int = 32) -> str:
    """The heading, one line for each change, and the balance."""
    lines = [shorten(heading(account), width), "-" * width]
    changes = account.history()
    for change, balance in zip(changes, running(changes), strict=True):
        label = "deposit" if change > 0 else "withdrawal"
        lines.append(f"{label:<12}{thousands(change):>{width - 24}}{thousands(balance):>12}")
    lines.append(f"{'balance':<12}{thousands(account.balance):>{width - 12}}")
    return "\n".join(lines)
