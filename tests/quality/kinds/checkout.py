"""A client that is injected, and a Protocol."""

from typing import Protocol


class Payments(Protocol):
    def charge(self, customer: str, cents: int) -> bool: ...

    def refund(self, customer: str, cents: int) -> None: ...


class Checkout:
    def __init__(self, payments: Payments, fee: int = 50) -> None:
        self.payments = payments
        self.fee = fee

    def pay(self, customer: str, cents: int) -> str:
        """ "paid", or "declined" where the payment fails."""
        if cents <= 0:
            raise ValueError("nothing to pay")
        if not self.payments.charge(customer, cents + self.fee):
            return "declined"
        return "paid"

    def cancel(self, customer: str, cents: int, shipped: bool) -> int:
        """Pay back, without the fee for what was shipped."""
        back = cents if shipped else cents + self.fee
        self.payments.refund(customer, back)
        return back
