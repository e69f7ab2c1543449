"""Amounts of money in minor units (cents), one currency each."""

from __future__ import annotations

from functools import total_ordering

CURRENCIES = {"EUR": 2, "USD": 2, "JPY": 0}


class CurrencyMismatchError(ValueError):
    """Two amounts of different currencies met."""

    def __init__(self, left: str, right: str) -> None:
        super().__init__(f"cannot combine {left} with {right}")
        self.left = left
        self.right = right


@total_ordering
class Money:
    """An immutable amount: ``minor`` units of ``currency``."""

    __slots__ = ("currency", "minor")

    def __init__(self, minor: int, currency: str = "EUR") -> None:
        if currency not in CURRENCIES:
            raise ValueError(f"unknown currency: {currency!r}")
        self.minor = minor
        self.currency = currency

    @classmethod
    def parse(cls, text: str) -> Money:
        """Read an amount such as ``12.50 EUR`` or ``-3 JPY``."""
        number, _, currency = text.strip().partition(" ")
        if currency not in CURRENCIES:
            raise ValueError(f"unknown currency: {currency!r}")
        digits = CURRENCIES[currency]
        sign = -1 if number.startswith("-") else 1
        whole, _, fraction = number.lstrip("+-").partition(".")
        if not whole.isdigit() or (fraction and not fraction.isdigit()):
            raise ValueError(f"not an amount: {number!r}")
        if len(fraction) > digits:
            raise ValueError(f"too many decimals for {currency}: {number!r}")
        return cls(sign * int(whole + fraction.ljust(digits, "0")), currency)

    def __add__(self, other: Money) -> Money:
        self._require_same(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._require_same(other)
        return Money(self.minor - other.minor, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.minor, self.currency)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Money):
            return NotImplemented
        return (self.minor, self.currency) == (other.minor, other.currency)

    def __lt__(self, other: Money) -> bool:
        self._require_same(other)
        return self.minor < other.minor

    def __hash__(self) -> int:
        return hash((self.minor, self.currency))

    def __str__(self) -> str:
        digits = CURRENCIES[self.currency]
        sign = "-" if self.minor < 0 else ""
        if digits == 0:
            return f"{sign}{abs(self.minor)} {self.currency}"
        whole, fraction = divmod(abs(self.minor), 10**digits)
        return f"{sign}{whole}.{fraction:0{digits}d} {self.currency}"

    def __repr__(self) -> str:
        return f"Money({self.minor}, {self.currency!r})"

    def split(self, parts: int) -> list[Money]:
        """Divide into ``parts`` shares that differ by at most one minor unit."""
        if parts <= 0:
            raise ValueError("parts must be positive")
        share, rest = divmod(self.minor, parts)
        return [Money(share + (1 if i < rest else 0), self.currency) for i in range(parts)]

    def _require_same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatchError(self.currency, other.currency)
