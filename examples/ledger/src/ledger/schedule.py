"""Repayment of a loan in equal instalments."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass
class Instalment:
    """One payment, in minor units."""

    number: int
    interest: int
    principal: int

    @property
    def payment(self) -> int:
        """What is paid in all."""
        return self.interest + self.principal


def monthly_interest(balance: int, basis_points: int) -> int:
    """Interest on ``balance`` for a month at a yearly rate, rounded half up."""
    if balance < 0 or basis_points < 0:
        raise ValueError("balance and rate must not be negative")
    return (balance * basis_points + 60_000) // 120_000


def schedule(loan: int, basis_points: int, payment: int) -> list[Instalment]:
    """The instalments until ``loan`` is repaid; the last one is smaller."""
    if loan <= 0:
        raise ValueError("the loan must be positive")
    if payment <= monthly_interest(loan, basis_points):
        raise ValueError("the payment never repays the loan")
    instalments: list[Instalment] = []
    balance = loan
    while balance > 0:
        interest = monthly_interest(balance, basis_points)
        principal = min(payment - interest, balance)
        instalments.append(Instalment(len(instalments) + 1, interest, principal))
        balance -= principal
        if len(instalments) > 600:
            raise OverflowError("more than fifty years of instalments")
    return instalments


def grade(missed: int, months: int) -> str:
    """How well a loan is served: ``A`` to ``D``."""
    if months < 6:
        return "new"
    if missed == 0:
        return "A" if months >= 24 else "B"
    return "C" if missed / months <= 0.1 else "D"
