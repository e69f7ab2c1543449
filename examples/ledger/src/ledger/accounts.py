"""Accounts, and the ledger that moves money between them."""

from __future__ import annotations

from enum import Enum

from .money import Money


class AccountKind(Enum):
    """What an account is for; it decides the overdraft that a bank grants."""

    CHECKING = "checking"
    SAVINGS = "savings"
    CREDIT = "credit"

    @property
    def overdraft(self) -> int:
        """How far below zero the balance may go, in minor units."""
        if self is AccountKind.CREDIT:
            return 100_000
        return 5_000 if self is AccountKind.CHECKING else 0


class AccountError(Exception):
    """The base of what accounts raise."""


class InsufficientFundsError(AccountError):
    """A withdrawal is larger than the balance and the overdraft together."""

    def __init__(self, account: str, missing: int) -> None:
        super().__init__(f"{account} is short of {missing}")
        self.account = account
        self.missing = missing


class FrozenAccountError(AccountError):
    """The account is frozen."""


class Account:
    """One account: a balance in minor units and the history of its changes."""

    def __init__(self, name: str, kind: AccountKind = AccountKind.CHECKING) -> None:
        if not name:
            raise ValueError("an account needs a name")
        self.name = name
        self.kind = kind
        self.balance = 0
        self.frozen = False
        self._history: list[int] = []

    def deposit(self, amount: int) -> int:
        """Add ``amount`` and return the new balance."""
        self._require_open()
        if amount <= 0:
            raise ValueError("a deposit must be positive")
        return self._apply(amount)

    def withdraw(self, amount: int) -> int:
        """Take ``amount`` and return the new balance."""
        self._require_open()
        if amount <= 0:
            raise ValueError("a withdrawal must be positive")
        missing = amount - self.balance - self.kind.overdraft
        if missing > 0:
            raise InsufficientFundsError(self.name, missing)
        return self._apply(-amount)

    def freeze(self) -> None:
        """Refuse every change until ``unfreeze``."""
        self.frozen = True

    def unfreeze(self) -> None:
        """Accept changes again."""
        self.frozen = False

    @property
    def available(self) -> int:
        """What could be withdrawn now."""
        return 0 if self.frozen else max(0, self.balance + self.kind.overdraft)

    def history(self) -> list[int]:
        """The changes, oldest first."""
        return list(self._history)

    def _apply(self, change: int) -> int:
        self.balance += change
        self._history.append(change)
        return self.balance

    def _require_open(self) -> None:
        if self.frozen:
            raise FrozenAccountError(f"{self.name} is frozen")


class Ledger:
    """Accounts by name; money only moves, it is never made or lost by ``transfer``."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}

    def open(self, name: str, kind: AccountKind = AccountKind.CHECKING) -> Account:
        """Create an account."""
        if name in self._accounts:
            raise AccountError(f"{name} exists already")
        account = Account(name, kind)
        self._accounts[name] = account
        return account

    def close(self, name: str) -> None:
        """Remove an empty account."""
        if self[name].balance != 0:
            raise AccountError(f"{name} is not empty")
        del self._accounts[name]

    def transfer(self, source: str, target: str, amount: int) -> None:
        """Move ``amount``; on any error neither balance changes."""
        if source == target:
            raise AccountError("source and target are the same account")
        payer, payee = self[source], self[target]
        payer.withdraw(amount)
        try:
            payee.deposit(amount)
        except AccountError:
            payer.deposit(amount)
            raise

    def total(self) -> Money:
        """The sum of all balances."""
        return Money(sum(account.balance for account in self._accounts.values()))

    def __getitem__(self, name: str) -> Account:
        try:
            return self._accounts[name]
        except KeyError:
            raise AccountError(f"no account named {name}") from None

    def __len__(self) -> int:
        return len(self._accounts)

    def __contains__(self, name: str) -> bool:
        return name in self._accounts
