"""A few tests as somebody wrote them; ``unitcraft check`` has something to say about them."""

from __future__ import annotations

import pytest
from ledger.accounts import Account, InsufficientFundsError


@pytest.fixture
def account():
    return Account("rent")


def test_deposit_and_withdraw(account):
    assert account.deposit(70) == 70
    assert account.withdraw(20) == 50
    assert account.balance == 50


def test_deposit(account):
    assert account.deposit(70) == 70


@pytest.mark.parametrize("amount", [5001, 6000])
def test_overdraft(account, amount):
    with pytest.raises(InsufficientFundsError):
        account.withdraw(amount)


def test_freeze(account):
    account.freeze()
