"""A small double-entry ledger."""

from ledger.accounts import Account, AccountKind, InsufficientFundsError, Ledger
from ledger.money import CurrencyMismatchError, Money

__all__ = [
    "Account",
    "AccountKind",
    "CurrencyMismatchError",
    "InsufficientFundsError",
    "Ledger",
    "Money",
]
