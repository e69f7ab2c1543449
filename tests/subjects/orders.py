"""A dataclass that validates itself, a property with a setter, arithmetic on objects."""

from dataclasses import dataclass, field


@dataclass(order=True)
class Price:
    cents: int
    currency: str = "EUR"

    def __post_init__(self) -> None:
        if self.cents < 0:
            raise ValueError("a price is not negative")
        if len(self.currency) != 3:
            raise ValueError(f"not a currency: {self.currency}")

    def __add__(self, other: "Price") -> "Price":
        if self.currency != other.currency:
            raise ValueError("currencies differ")
        return Price(self.cents + other.cents, self.currency)


@dataclass
class Order:
    prices: list[Price] = field(default_factory=list)
    _rebate: int = 0

    @property
    def rebate(self) -> int:
        return self._rebate

    @rebate.setter
    def rebate(self, percent: int) -> None:
        if not 0 <= percent <= 50:
            raise ValueError("rebate out of range")
        self._rebate = percent

    def add(self, price: Price) -> "Order":
        self.prices.append(price)
        return self

    def total(self) -> int:
        whole = sum(price.cents for price in self.prices)
        return whole * (100 - self._rebate) // 100
