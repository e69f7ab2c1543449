"""ShoppingCart: items with prices and quantities, and a discount code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

#: Discount code -> percent.
DISCOUNTS: Final = {"TEN": 10, "HALF": 50}


class UnknownProductError(LookupError):
    """The cart does not hold that product."""


@dataclass
class Line:
    """A product in the cart; prices are in cents."""

    product: str
    price: int
    quantity: int = 1

    @property
    def total(self) -> int:
        """Price times quantity."""
        return self.price * self.quantity


@dataclass
class ShoppingCart:
    """The lines of a cart, one for each product, in the order in which they were added."""

    lines: dict[str, Line] = field(default_factory=dict)
    discount: int = 0

    def add(self, product: str, price: int, quantity: int = 1) -> None:
        """Put ``quantity`` of ``product`` into the cart; the latest price counts."""
        if price < 0 or quantity < 1:
            message = "the price must not be negative, the quantity at least 1"
            raise ValueError(message)
        line = self.lines.get(product)
        if line is None:
            self.lines[product] = Line(product, price, quantity)
        else:
            line.price = price
            line.quantity += quantity

    def remove(self, product: str) -> Line:
        """Take ``product`` out; returns its line.  Raises UnknownProductError."""
        if product not in self.lines:
            raise UnknownProductError(product)
        return self.lines.pop(product)

    def apply_discount(self, code: str) -> int:
        """Use a discount code; returns its percentage.  The best code wins."""
        percent = DISCOUNTS.get(code.strip().upper(), 0)
        self.discount = max(self.discount, percent)
        return percent

    def subtotal(self) -> int:
        """The sum of all lines before the discount."""
        return sum(line.total for line in self.lines.values())

    def total(self) -> int:
        """What is to be paid, rounded down."""
        return self.subtotal() * (100 - self.discount) // 100

    def count(self) -> int:
        """The number of pieces."""
        return sum(line.quantity for line in self.lines.values())

    def is_empty(self) -> bool:
        """Is there nothing in the cart?"""
        return not self.lines

    def clear(self) -> None:
        """Remove all lines and the discount."""
        self.lines.clear()
        self.discount = 0
