"""BankAccount: deposits, withdrawals within a limit, and transfers."""

from __future__ import annotations


class InsufficientFundsError(Exception):
    """A withdrawal exceeds what the account can give."""

    def __init__(self, wanted: int, available: int) -> None:
        super().__init__(f"wanted {wanted}, available {available}")
        self.wanted = wanted
        self.available = available


class BankAccount:
    """An account in whole cents; it may be overdrawn up to ``overdraft``."""

    def __init__(self, balance: int = 0, overdraft: int = 0) -> None:
        if overdraft < 0:
            message = "the overdraft must not be negative"
            raise ValueError(message)
        self._balance = balance
        self._overdraft = overdraft
        self._frozen = False

    @property
    def balance(self) -> int:
        """What is on the account."""
        return self._balance

    def available(self) -> int:
        """What can be withdrawn now."""
        return 0 if self._frozen else self._balance + self._overdraft

    def deposit(self, amount: int) -> int:
        """Add ``amount``; returns the new balance.  Raises ValueError unless it is positive."""
        self._check(amount)
        self._balance += amount
        return self._balance

    def withdraw(self, amount: int) -> int:
        """Take ``amount``; returns the new balance.  Raises InsufficientFundsError."""
        self._check(amount)
        if amount > self.available():
            raise InsufficientFundsError(amount, self.available())
        self._balance -= amount
        return self._balance

    def transfer(self, other: BankAccount, amount: int) -> None:
        """Move ``amount`` to ``other``; nothing changes when that fails."""
        if other is self:
            message = "cannot transfer to the same account"
            raise ValueError(message)
        self.withdraw(amount)
        other.deposit(amount)

    def freeze(self) -> None:
        """Refuse withdrawals from now on."""
        self._frozen = True

    def unfreeze(self) -> None:
        """Allow withdrawals again."""
        self._frozen = False

    def add_interest(self, percent: int) -> int:
        """Add ``percent`` of a positive balance, rounded down; returns what was added."""
        if percent < 0:
            message = "the interest must not be negative"
            raise ValueError(message)
        added = max(self._balance, 0) * percent // 100
        self._balance += added
        return added

    @staticmethod
    def _check(amount: int) -> None:
        if amount <= 0:
            message = f"the amount must be positive, not {amount}"
            raise ValueError(message)
