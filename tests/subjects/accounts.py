"""A bank account: state, exceptions with messages, and a rule that spans two objects."""


class InsufficientFundsError(Exception):
    """The balance does not cover the amount."""


class Account:
    def __init__(self, owner: str, balance: int = 0) -> None:
        if balance < 0:
            raise ValueError("negative balance")
        self.owner = owner
        self.balance = balance
        self.history: list[int] = []

    def deposit(self, amount: int) -> int:
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(amount)
        return self.balance

    def withdraw(self, amount: int) -> int:
        if amount > self.balance:
            raise InsufficientFundsError(f"short of {amount - self.balance}")
        self.balance -= amount
        self.history.append(-amount)
        return self.balance

    def transfer(self, other: "Account", amount: int) -> None:
        if other is self:
            raise ValueError("same account")
        self.withdraw(amount)
        other.deposit(amount)
