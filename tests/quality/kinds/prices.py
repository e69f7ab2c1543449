"""A frozen dataclass with arithmetic and order."""

from dataclasses import dataclass
from functools import total_ordering


@total_ordering
@dataclass(frozen=True)
class Price:
    amount: int
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if self.amount < 0:
            raise ValueError("amount must not be negative")

    def __add__(self, other: "Price") -> "Price":
        if not isinstance(other, Price):
            return NotImplemented
        if self.currency != other.currency:
            raise ValueError(f"cannot add {other.currency} to {self.currency}")
        return Price(self.amount + other.amount, self.currency)

    def __lt__(self, other: "Price") -> bool:
        if self.currency != other.currency:
            raise ValueError("currencies differ")
        return self.amount < other.amount

    def discounted(self, percent: int) -> "Price":
        """The price less a discount, rounded down to whole cents."""
        if not 0 <= percent <= 100:
            raise ValueError("percent must be from 0 to 100")
        return Price(self.amount * (100 - percent) // 100, self.currency)
